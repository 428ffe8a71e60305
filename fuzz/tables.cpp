// SPDX-License-Identifier: MIT
// Tables that people write: bodies of a ragdoll (CSV or JSON), float tracks, root motion. Input: a byte that chooses
// the reader, then the text. What is read gives finite values.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "ops/clip/floats.h"
#include "ops/clip/root_motion.h"
#include "ops/collision/ragdoll.h"

using namespace marrow;

namespace {

void expect(bool held) {
  if (!held) std::abort();
}

Document small_clip() {
  Document document;
  Clip& clip = document.clips.emplace_back().clip;
  clip.frame_count = 4;
  clip.duration_seconds = 0.1f;
  return document;
}

Document small_skeleton() {
  Document document;
  Skeleton& skeleton = document.skeletons.emplace_back().skeleton;
  for (const char* name : {"Pelvis", "LArm", "RArm"}) {
    Bone bone;
    bone.name = name;
    bone.parent = skeleton.bones.empty() ? kNoBone : 0;
    bone.rest.translation.x = static_cast<float>(skeleton.bones.size());
    skeleton.bones.push_back(bone);
  }
  return document;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  Context context;
  Document document = small_clip();
  switch (data[0] % 3) {
    case 0: {
      static const Document skeleton = small_skeleton();
      Document ragdoll;
      if (build_ragdoll(skeleton, {.table = text}, ragdoll, context)) expect(ragdoll.collision.size() == 1);
      break;
    }
    case 1:
      if (!import_floats(document, {.table = text}, context)) break;
      for (const float value : document.clips.front().clip.floats) expect(std::isfinite(value));
      break;
    default:
      if (!set_root_motion(document, {.motion = text}, context)) break;
      for (const Vec4& sample : document.clips.front().clip.root_motion->samples)
        expect(std::isfinite(sample.x + sample.y + sample.z + sample.w));
      break;
  }
  return 0;
}
