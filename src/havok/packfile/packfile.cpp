// SPDX-License-Identifier: MIT
#include "havok/packfile/packfile.h"

#include <cassert>

#include "havok/object/version.h"

namespace marrow::havok {

Object::Object(const Object& other)
    : type(other.type),
      body_(other.body_, Array::Sharing{}),
      storage_(other.storage_),
      rest_(other.rest_ ? std::make_unique<Rest>(*other.rest_) : nullptr) {}

Object::Object(Object&& other) noexcept
    : type(other.type), storage_(std::move(other.storage_)), rest_(std::move(other.rest_)) {
  body_.take(other.body_);
}

Object& Object::operator=(const Object& other) {
  if (this != &other) *this = Object(other);
  return *this;
}

Object& Object::operator=(Object&& other) noexcept {
  Object taken(std::move(other));
  type = taken.type;
  body_ = Array();
  body_.take(taken.body_);
  storage_.swap(taken.storage_);
  rest_.swap(taken.rest_);
  return *this;
}

bool Object::operator==(const Object& other) const {
  return type == other.type && body_ == other.body_ && opaque() == other.opaque();
}

const Opaque& Object::opaque() const {
  static const Opaque kNone;
  return rest_ ? rest_->opaque : kNone;
}

Object::Rest& Object::rest() {
  if (!rest_) rest_ = std::make_unique<Rest>();
  return *rest_;
}

void Object::set_name(std::string_view name) {
  if (name != this->name()) rest().name = name;
}

void Object::reset(const Class& of) {
  type = &of;
  body_ = Array(of.layout, 1);
  if (rest_) rest_->opaque = {};
}

ObjectId Packfile::add(std::string_view class_name) {
  const Class* type = schema->find(class_name);
  assert(type && "the schema has no such class");
  objects.emplace_back(*type);
  return {static_cast<std::uint32_t>(objects.size() - 1)};
}

std::vector<ObjectId> Packfile::find_all(std::string_view class_name) const {
  std::vector<ObjectId> found;
  for (std::uint32_t i = 0; i < objects.size(); ++i)
    if (objects[i].type ? objects[i].type->is_a(class_name) : objects[i].opaque().class_name == class_name)
      found.push_back({i});
  return found;
}

std::optional<FileLayout> parse_layout(std::string_view digits) {
  if (digits.size() != 4 || (digits[0] != '4' && digits[0] != '8') || (digits[1] != '0' && digits[1] != '1') ||
      (digits[2] != '0' && digits[2] != '1') || digits[3] != '1')
    return std::nullopt;
  return FileLayout{digits[0] == '4' ? 4u : 8u, digits[1] == '0', digits[2] == '1'};
}

Result<Packfile> with_layout(Packfile file, FileLayout layout) {
  if (file.tag_types)
    return fail(ErrorCode::Unsupported, "a tagfile has no layout to choose; convert it for a game instead");
  if (layout == file.layout()) return file;
  for (std::uint32_t i = 0; i < file.objects.size(); ++i) {
    Object& object = file.objects[i];
    if (!object.type)
      return fail(ErrorCode::Unrepresentable,
                  "class " + std::string(object.class_name()) +
                      " is not known, so its objects cannot be written in another layout",
                  kNoOffset, path_of({i}));
    if (!file.schema->find(object.type->name, layout))
      return fail(ErrorCode::Unrepresentable,
                  "it is not known where the members of " + object.type->name + " are in a file with reused padding",
                  kNoOffset, path_of({i}));
  }
  file.pointer_size = layout.pointer_size;
  file.is_big_endian = layout.is_big_endian;
  file.reuses_padding = layout.reuses_padding;
  file.types = {};
  return file;
}

Packfile make_packfile(const Schema& schema, std::uint32_t pointer_size) {
  Packfile file;
  file.schema = &schema;
  file.pointer_size = pointer_size;
  const HavokVersion& version = version_of(schema);
  file.file_version = version.file_version;
  file.flags = version.usual_flags;
  file.max_predicate = version.usual_max_predicate;
  const auto predicates = std::as_bytes(version.usual_predicates);
  file.predicates.assign(predicates.begin(), predicates.end());
  return file;
}

}  // namespace marrow::havok
