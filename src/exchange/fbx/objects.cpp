// SPDX-License-Identifier: MIT
#include "exchange/fbx/objects.h"

#include "core/try.h"

namespace marrow::fbx {
namespace {

// `Name\0\1Class` in binary files, `Class::Name` in text.
std::string plain_name(std::string_view name, bool is_ascii) {
  if (const std::size_t zero = name.find(std::string_view("\0\1", 2)); zero != std::string_view::npos)
    return std::string(name.substr(0, zero));
  if (const std::size_t colons = name.find("::"); is_ascii && colons != std::string_view::npos)
    return std::string(name.substr(colons + 2));
  return std::string(name);
}

}  // namespace

Objects::Properties Objects::properties_of(const Node* node) {
  Properties found;
  const Node* list = node ? node->find("Properties70") : nullptr;
  if (!list) return found;
  for (const Node& each : list->children)
    if (each.name == "P") found.try_emplace(each.text(0), &each);
  return found;
}

Result<Objects> Objects::make(const File& file, const Limits& limits) {
  Objects objects;
  const Node* list = file.root.find("Objects");
  if (!list) return fail(ErrorCode::Malformed, "the file has no Objects");
  for (const Node& node : list->children) {
    const std::int64_t id = node.integer(0);
    if (!objects.by_id_.try_emplace(id, objects.objects_.size()).second) continue;
    objects.objects_.push_back({.id = id,
                                .name = plain_name(node.text(1), file.is_ascii),
                                .kind = node.name,
                                .type = std::string(node.text(2)),
                                .node = &node});
    objects.properties_.push_back(properties_of(&node));
  }
  objects.below_.resize(objects.objects_.size());
  objects.above_.resize(objects.objects_.size());
  if (const Node* connections = file.root.find("Connections"))
    for (const Node& each : connections->children) {
      const bool is_plain = each.text(0) == "OO";
      if (each.name != "C" || (!is_plain && each.text(0) != "OP")) continue;
      const auto child = objects.by_id_.find(each.integer(1)), parent = objects.by_id_.find(each.integer(2));
      if (child == objects.by_id_.end() || parent == objects.by_id_.end()) continue;
      const std::string_view property = is_plain ? std::string_view() : each.text(3);
      objects.below_[parent->second].push_back({&objects.objects_[child->second], property});
      objects.above_[child->second].push_back({&objects.objects_[parent->second], property});
    }
  if (const Node* definitions = file.root.find("Definitions"))
    for (const Node& type : definitions->children)
      if (type.name == "ObjectType")
        objects.templates_.try_emplace(type.text(0), properties_of(type.find("PropertyTemplate")));
  objects.settings_ = properties_of(file.root.find("GlobalSettings"));
  if (objects.objects_.size() > limits.max_objects)
    return fail(ErrorCode::LimitExceeded, "the file has too many objects");
  return objects;
}

const Object* Objects::find(std::int64_t id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &objects_[found->second];
}

std::span<const Link> Objects::below(const Object& object) const {
  return below_[static_cast<std::size_t>(&object - objects_.data())];
}
std::span<const Link> Objects::above(const Object& object) const {
  return above_[static_cast<std::size_t>(&object - objects_.data())];
}

const Objects::Properties& Objects::own_properties(const Object& object) const {
  return properties_[static_cast<std::size_t>(&object - objects_.data())];
}

const Node* Objects::own_property(const Object& object, std::string_view name) const {
  const Properties& own = own_properties(object);
  const auto found = own.find(name);
  return found == own.end() ? nullptr : found->second;
}

const Node* Objects::property(const Object& object, std::string_view name) const {
  if (const Node* own = own_property(object, name)) return own;
  const auto type = templates_.find(object.kind);
  if (type == templates_.end()) return nullptr;
  const auto found = type->second.find(name);
  return found == type->second.end() ? nullptr : found->second;
}

double Objects::number(const Object& object, std::string_view name, double otherwise) const {
  const Node* found = property(object, name);
  return found ? found->number(kFirstValue, otherwise) : otherwise;
}

std::int64_t Objects::integer(const Object& object, std::string_view name, std::int64_t otherwise) const {
  const Node* found = property(object, name);
  return found ? found->integer(kFirstValue, otherwise) : otherwise;
}

DVec3 Objects::vector(const Object& object, std::string_view name, DVec3 otherwise) const {
  const Node* found = property(object, name);
  if (!found) return otherwise;
  return {found->number(kFirstValue, otherwise.x), found->number(kFirstValue + 1, otherwise.y),
          found->number(kFirstValue + 2, otherwise.z)};
}

double Objects::setting(std::string_view name, double otherwise) const {
  const auto found = settings_.find(name);
  return found == settings_.end() ? otherwise : found->second->number(kFirstValue, otherwise);
}

}  // namespace marrow::fbx
