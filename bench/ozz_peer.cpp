// SPDX-License-Identifier: MIT
// ozz-animation as a peer: the public API of 0.14 and later. Written from its documentation and not yet compiled
// against its sources; only a build with OZZ=DIR compiles it.
#include "peer.h"

#if defined(MARROW_WITH_OZZ)

#include <algorithm>
#include <vector>

#include "ozz/animation/offline/animation_builder.h"
#include "ozz/animation/offline/animation_optimizer.h"
#include "ozz/animation/offline/raw_animation.h"
#include "ozz/animation/offline/raw_skeleton.h"
#include "ozz/animation/offline/skeleton_builder.h"
#include "ozz/animation/runtime/animation.h"
#include "ozz/animation/runtime/sampling_job.h"
#include "ozz/animation/runtime/skeleton.h"
#include "ozz/base/maths/simd_math.h"
#include "ozz/base/maths/soa_transform.h"

namespace marrow::bench {
namespace {

namespace offline = ozz::animation::offline;

offline::RawAnimation raw_of(const RawFrames& clip) {
  offline::RawAnimation raw;
  raw.duration = std::max(clip.seconds, 1e-3f);
  raw.tracks.resize(clip.tracks);
  for (std::uint32_t frame = 0; frame < clip.frames; ++frame) {
    const float time =
        clip.frames > 1 ? raw.duration * static_cast<float>(frame) / static_cast<float>(clip.frames - 1) : 0;
    for (std::size_t track = 0; track < clip.tracks; ++track) {
      const float* at = &clip.transforms[(frame * clip.tracks + track) * 10];
      raw.tracks[track].translations.push_back({time, ozz::math::Float3(at[0], at[1], at[2])});
      raw.tracks[track].rotations.push_back({time, ozz::math::Quaternion(at[3], at[4], at[5], at[6])});
      raw.tracks[track].scales.push_back({time, ozz::math::Float3(at[7], at[8], at[9])});
    }
  }
  return raw;
}

class OzzPeer : public Peer {
 public:
  const char* name() const override { return "ozz"; }

  std::size_t add(const RawFrames& clip) override {
    // Every track is a root: the error is local, as Marrow's bound is.
    offline::RawSkeleton bones;
    bones.roots.resize(clip.tracks);
    const auto skeleton = offline::SkeletonBuilder()(bones);
    offline::AnimationOptimizer optimizer;
    optimizer.setting.tolerance = 0.01f;
    optimizer.setting.distance = 3.0f;
    offline::RawAnimation optimised;
    if (!skeleton || !optimizer(raw_of(clip), *skeleton, &optimised)) return 0;
    auto animation = offline::AnimationBuilder()(optimised);
    if (!animation) return 0;
    const std::size_t bytes = animation->size();
    auto held = std::make_unique<Held>();
    held->animation = std::move(animation);
    held->context.Resize(static_cast<int>(clip.tracks));
    held->pose.resize((clip.tracks + 3) / 4);
    held->tracks = clip.tracks;
    clips_.push_back(std::move(held));
    return bytes;
  }

  void sample(std::size_t clip, float seconds) override {
    Held& held = *clips_[clip];
    ozz::animation::SamplingJob job;
    job.animation = held.animation.get();
    job.context = &held.context;
    job.ratio = seconds / held.animation->duration();
    job.output = ozz::make_span(held.pose);
    job.Run();
  }

  void read(std::size_t clip, float* pose) const override {
    const Held& held = *clips_[clip];
    for (std::size_t track = 0; track < held.tracks; ++track) {
      const ozz::math::SoaTransform& four = held.pose[track / 4];
      const ozz::math::SimdFloat4* columns[] = {
          &four.translation.x, &four.translation.y, &four.translation.z, &four.rotation.x, &four.rotation.y,
          &four.rotation.z,    &four.rotation.w,    &four.scale.x,       &four.scale.y,    &four.scale.z};
      for (const auto* column : columns) {
        float lanes[4];
        ozz::math::StorePtrU(*column, lanes);
        *pose++ = lanes[track % 4];
      }
    }
  }

 private:
  struct Held {
    ozz::unique_ptr<ozz::animation::Animation> animation;
    ozz::animation::SamplingJob::Context context;
    std::vector<ozz::math::SoaTransform> pose;
    std::size_t tracks = 0;
  };
  std::vector<std::unique_ptr<Held>> clips_;
};

}  // namespace

std::unique_ptr<Peer> make_ozz_peer() { return std::make_unique<OzzPeer>(); }

}  // namespace marrow::bench

#else

namespace marrow::bench {
std::unique_ptr<Peer> make_ozz_peer() { return nullptr; }
}  // namespace marrow::bench

#endif
