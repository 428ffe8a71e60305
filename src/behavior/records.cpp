// SPDX-License-Identifier: MIT
#include "behavior/records.h"

namespace marrow::behavior {

const havok::Object* object_of(const havok::Packfile& file, havok::ObjectId id, std::string_view class_name) {
  if (id.index >= file.objects.size()) return nullptr;
  const havok::Object& object = file.at(id);
  return object.type && object.type->is_a(class_name) ? &object : nullptr;
}

havok::Object* object_of(havok::Packfile& file, havok::ObjectId id, std::string_view class_name) {
  const havok::Packfile& same = file;
  return object_of(same, id, class_name) ? &file.at(id) : nullptr;
}

std::vector<havok::ObjectId> objects_of(const havok::Packfile& file, std::string_view class_name) {
  std::vector<havok::ObjectId> ids = file.find_all(class_name);
  std::erase_if(ids, [&](havok::ObjectId id) { return !file.at(id).type; });
  return ids;
}

std::string Place::text(std::string_view last) const {
  std::string path = outer ? outer->text() : std::string();
  if (!member.empty()) {
    if (!path.empty()) path += '.';
    path += member;
    if (index >= 0) path += "[" + std::to_string(index) + "]";
  }
  if (!last.empty()) {
    if (!path.empty()) path += '.';
    path += last;
  }
  return path;
}

}  // namespace marrow::behavior
