// SPDX-License-Identifier: MIT
#include "havok/animation/rows.h"

#include <algorithm>

namespace marrow::havok {

std::optional<FieldsView> row_at(const Packfile& file, const ArrayView& array, std::uint32_t i) {
  if (array.element().record) return array.record(i);
  const ObjectId id = array.pointer(i);
  if (id.index >= file.objects.size() || !file.at(id).type) return std::nullopt;
  return file.at(id).fields();
}

void resize_rows(Packfile& file, ObjectId owner, std::string_view member, std::uint32_t count,
                 std::string_view row_class) {
  const ArrayView before = file.at(owner).fields().view().array(member);
  if (before.element().kind != Kind::Pointer) {
    file.at(owner).fields().reset_array(member, count);
    return;
  }
  std::vector<ObjectId> ids;
  for (std::uint32_t i = 0; i < std::min(count, before.size()); ++i) ids.push_back(before.pointer(i));
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i >= ids.size()) ids.emplace_back();
    const ObjectId id = ids[i];
    if (id.index >= file.objects.size() || !file.at(id).type || !file.at(id).type->is_a(row_class))
      ids[i] = file.add(row_class);
  }
  file.at(owner).fields().set_pointers(member, ids);
}

Fields row_for_writing(Packfile& file, ObjectId owner, std::string_view member, std::uint32_t i) {
  Fields fields = file.at(owner).fields();
  const ArrayView rows = fields.view().array(member);
  return rows.element().kind == Kind::Pointer ? file.at(rows.pointer(i)).fields() : fields.element(member, i);
}

}  // namespace marrow::havok
