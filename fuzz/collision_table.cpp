// SPDX-License-Identifier: MIT
// Whatever the text is, a table of bodies is read or refused; a ragdoll that is built from one is written, and reads
// back with the same bodies, joints and bones.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "havok/physics/physics.h"
#include "havok/physics/ragdoll.h"
#include "limits.h"
#include "ops/collision/ragdoll.h"

namespace {

marrow::Skeleton small_skeleton() {
  using marrow::Vec3;
  const marrow::Quat none = marrow::make_quat(0, 0, 0, 1);
  marrow::Skeleton skeleton;
  skeleton.bones = {{"Root", marrow::kNoBone, {}, false},
                    {"Spine", 0, {{0, 0, 50}, none, Vec3(1)}, false},
                    {"LArm_Upper", 1, {{-15, 0, 20}, marrow::make_quat(0, 0, 1, 0), Vec3(1)}, false},
                    {"LArm_Fore", 2, {{25, 0, 0}, none, Vec3(1)}, false},
                    {"RArm_Upper", 1, {{15, 0, 20}, none, Vec3(1)}, false},
                    {"RArm_Fore", 4, {{25, 0, 0}, none, Vec3(1)}, false}};
  return skeleton;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto rows =
      read_ragdoll_table(text, {.max_file_bytes = 1 << 20, .max_expanded_bytes = fuzz::kMaxExpandedBytes});
  if (!rows) return 0;
  static const Skeleton skeleton = small_skeleton();
  const auto system = havok::make_ragdoll(skeleton, *rows, {.has_bone_names = true});
  if (!system) return 0;
  if (!validate(*system)) std::abort();
  const auto file = havok::make_physics(*system);
  if (!file) return 0;  // shapes that the format cannot hold
  const auto back = havok::read_physics(*file, file->root);
  if (!back || back->bodies.size() != system->bodies.size() || back->constraints.size() != system->constraints.size() ||
      back->ragdoll->bone_to_body != system->ragdoll->bone_to_body)
    std::abort();
  return 0;
}
