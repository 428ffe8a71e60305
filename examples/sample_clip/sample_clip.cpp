// SPDX-License-Identifier: MIT
// Prints where each bone of a clip is at a time, in model space: sample_clip CLIP SECONDS SKELETON
#include <cstdio>
#include <cstdlib>

#include "marrow/core/file.h"
#include "marrow/marrow.h"
#include "marrow/model/pose.h"
#include "marrow/ops/clip/motion_sampler.h"

using namespace marrow;

namespace {

Result<Document> load_file(const char* path, Context& context) {
  const auto bytes = read_file(path);
  if (!bytes) return std::unexpected(bytes.error());
  return load(*bytes, {.name = path}, context);
}

Result<void> print_pose(const char* clip_path, double seconds, const char* skeleton_path) {
  Context context;
  const auto clips = load_file(clip_path, context);
  if (!clips) return std::unexpected(clips.error());
  const auto body = load_file(skeleton_path, context);
  if (!body) return std::unexpected(body.error());
  const auto found = main_skeleton(*body);
  if (!found) return std::unexpected(found.error());
  if (clips->clips.empty()) return fail(ErrorCode::NoClip, "there is no clip in it");

  const DocumentClip& clip = clips->clips.front();
  const auto sampler = MotionSampler::open(clip);
  if (!sampler) return std::unexpected(sampler.error());
  const double last = sampler->frame_count() > 1 ? sampler->frame_count() - 1 : 0;
  const double length = clip.clip.duration_seconds;
  std::vector<Transform> frame(static_cast<std::size_t>(sampler->track_count()));
  sampler->sample_frame(length > 0 ? seconds / length * last : 0, frame);

  const Skeleton& skeleton = (*found)->skeleton;
  std::vector<Transform> pose(skeleton.bones.size());
  pose_from_frame(skeleton, clip.clip, frame, pose);
  local_to_model(skeleton, pose, pose);
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
