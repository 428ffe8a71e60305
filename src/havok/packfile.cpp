// SPDX-License-Identifier: MIT
#include "marrow/havok/packfile.h"

#include <cassert>

#include "havok/version.h"

namespace marrow::havok {

ObjectId Packfile::add(std::string_view class_name) {
  const Class* type = schema->find(class_name);
  assert(type && "the schema has no such class");
  Object& object = objects.emplace_back();
  object.type = type;
  object.body = make_array(type->layout, 1);
  return {static_cast<std::uint32_t>(objects.size() - 1)};
}

std::vector<ObjectId> Packfile::find_all(std::string_view class_name) const {
  std::vector<ObjectId> found;
  for (std::uint32_t i = 0; i < objects.size(); ++i)
    if (objects[i].type ? objects[i].type->is_a(class_name) : objects[i].opaque.class_name == class_name)
      found.push_back({i});
  return found;
}

Packfile make_packfile(const Schema& schema, std::uint32_t pointer_size) {
  Packfile file;
  file.schema = &schema;
  file.pointer_size = pointer_size;
  const HavokVersion& version = version_of(schema);
  file.max_predicate = version.usual_max_predicate;
  const auto predicates = std::as_bytes(version.usual_predicates);
  file.predicates.assign(predicates.begin(), predicates.end());
  return file;
}

}  // namespace marrow::havok
