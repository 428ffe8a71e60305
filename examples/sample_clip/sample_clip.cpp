// SPDX-License-Identifier: MIT
// Prints where each bone of a clip is at a time, in model space: sample_clip CLIP SECONDS SKELETON
#include <cstdio>
#include <cstdlib>

#include "marrow/marrow.h"
#include "marrow/motion/sampler.h"
#include "marrow/ops/document/document.h"

using namespace marrow;

namespace {

Result<void> print_pose(const char* clip_path, double seconds, const char* skeleton_path) {
  const auto walk = load_file(clip_path), body = load_file(skeleton_path);
  if (!walk) return std::unexpected(walk.error());
  if (!body) return std::unexpected(body.error());
  const auto bones = main_skeleton(body->document());
  if (!bones) return std::unexpected(bones.error());
  if (walk->document().clips.empty()) return fail(ErrorCode::NoClip, "there is no clip in it");

  const Skeleton& skeleton = (*bones)->skeleton;
  const auto clip = Sampler::open(walk->document().clips.front(), {.skeleton = &skeleton});
  if (!clip) return std::unexpected(clip.error());
  std::vector<Transform> pose(clip->bone_count());
  clip->model_pose(seconds, pose);
  for (std::size_t i = 0; i < pose.size(); ++i) {
    const Vec3& place = pose[i].translation;
    std::printf("%s %.4f %.4f %.4f\n", skeleton.bones[i].name.c_str(), place.x, place.y, place.z);
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "usage: sample_clip CLIP SECONDS SKELETON\n"), 2;
  const auto done = print_pose(argv[1], std::atof(argv[2]), argv[3]);
  if (!done) return std::fprintf(stderr, "%s: %s\n", done.error().file.c_str(), done.error().message.c_str()), 1;
}
