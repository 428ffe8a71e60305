// SPDX-License-Identifier: MIT
// Maps between the bones of two skeletons: what is read names bones that exist, each once, and survives being written.
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string_view>

#include "ops/retarget/bone_map.h"

using namespace marrow;

namespace {

Skeleton skeleton_of(std::initializer_list<const char*> names) {
  Skeleton skeleton;
  for (const char* name : names) {
    Bone bone;
    bone.name = name;
    bone.parent = static_cast<std::int32_t>(skeleton.bones.size()) - 1;
    skeleton.bones.push_back(bone);
  }
  return skeleton;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Skeleton from =
      skeleton_of({"NPC Root [Root]", "NPC COM [COM ]", "NPC Spine [Spn0]", "A = B", "#1", "-"});
  static const Skeleton to = skeleton_of({"Root", "COM", "SPINE1", "Tail", "B", ""});
  static const BoneMap automatic = map_bones(from, to);
  const auto map = read_bone_map({reinterpret_cast<const char*>(data), size}, from, to, automatic);
  if (!map) return 0;
  std::set<std::int32_t> used;
  for (const MappedBone& bone : map->bones) {
    if (bone.from < 0 || static_cast<std::size_t>(bone.from) >= from.bones.size()) std::abort();
    if (bone.to < 0 || static_cast<std::size_t>(bone.to) >= to.bones.size()) std::abort();
    if (!used.insert(bone.to).second) std::abort();
  }
  (void)read_bone_map(write_bone_map(*map, from, to), from, to, automatic);
  return 0;
}
