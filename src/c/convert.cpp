// SPDX-License-Identifier: MIT
#include "c/convert.h"

#include "core/lines.h"
#include "marrow/core/text.h"
#include "marrow/ops/document/document.h"
#include "ops/table/describe.h"

namespace marrow::c {
namespace {

// Collects what a callback of the caller passes on.
void append_bytes(void* state, const void* bytes, std::size_t size) {
  const auto given = bytes_of(bytes, bytes ? size : 0);
  auto& all = *static_cast<std::vector<std::byte>*>(state);
  all.insert(all.end(), given.begin(), given.end());
}

void append_name(void* state, const void* bytes, std::size_t size) {
  if (bytes) static_cast<std::vector<std::string>*>(state)->emplace_back(static_cast<const char*>(bytes), size);
}

Limits limits_of(const marrow_context& from) {
  Limits limits;
  if (from.max_file_bytes) limits.max_file_bytes = static_cast<std::size_t>(from.max_file_bytes);
  if (from.max_expanded_bytes) limits.max_expanded_bytes = static_cast<std::size_t>(from.max_expanded_bytes);
  if (from.max_objects) limits.max_objects = from.max_objects;
  if (from.max_depth) limits.max_depth = from.max_depth;
  return limits;
}

}  // namespace

void leave_packfile(Document& document) {
  if (!document.packfile()) return;
  document.origin = {};
  for (DocumentClip& clip : document.clips) clip.source = {};
}

std::string json_of(const Notes& notes) {
  Json list = Json::array();
  for (const Note& note : notes) list.push(to_json(note));
  return to_text(list, false);
}

marrow_bone bone_of(const Bone& bone) {
  marrow_bone out{
      .name = text_of(bone.name), .parent = bone.parent, .lock_translation = bone.lock_translation, .rest = {}};
  copy_transform(bone.rest, out.rest);
  return out;
}

Outcome<void> check_order(const Skeleton& skeleton) {
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i)
    if (skeleton.bones[i].parent >= static_cast<std::int32_t>(i) || skeleton.bones[i].parent < kNoBone)
      return fail_with(MARROW_MALFORMED, "the parent of a bone does not come before it",
                       "bones[" + std::to_string(i) + "].parent");
  return {};
}

CallContext::CallContext(const marrow_context* from) {
  if (!from) return;
  context_.limits = limits_of(*from);
  for (const TextLine& line : Lines(view_of(from->bone_names)))
    if (const std::string_view name = trim(line.text); !name.empty()) context_.bone_names.emplace_back(name);
  const auto user = from->user;
  if (const auto progress = from->progress)
    context_.progress = [progress, user](double share) { return progress(user, share) != 0; };
  if (const auto read = from->read) {
    Lookup::List list;
    if (const auto names = from->list)
      list = [names, user](const std::string& folder) {
        std::vector<std::string> all;
        names(user, folder.c_str(), append_name, &all);
        return all;
      };
    lookup_.emplace(
        [read, user](const std::string& name, std::size_t at_most) -> Result<std::vector<std::byte>> {
          std::vector<std::byte> bytes;
          if (!read(user, name.c_str(), at_most, append_bytes, &bytes))
            return fail(ErrorCode::NotFound, "there is no file '" + name + "'");
          return bytes;
        },
        std::move(list), context_.limits);
    context_.lookup = &*lookup_;
  }
}

}  // namespace marrow::c
