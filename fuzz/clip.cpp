// SPDX-License-Identifier: MIT
// Packfiles with animations: every clip is decoded, sampled, taken to another version of Havok and stripped of events.
#include <cstdlib>

#include "marrow/havok/animation.h"
#include "marrow/havok/transcribe.h"
#include "marrow/ops/annotations.h"
#include "marrow/ops/check.h"
#include "marrow/ops/motion_sampler.h"

using namespace marrow;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const Limits limits{.max_expanded_bytes = std::size_t{1} << 26};
  const auto file = havok::read_packfile(bytes, {.limits = limits});
  if (!file) return 0;
  Context context{.limits = limits};
  const auto loaded = load(bytes, {.parts = Parts::Clips}, context);
  for (std::size_t i = 0; loaded && i < loaded->clips.size(); ++i) {
    const auto clip = havok::read_clip(*file, loaded->clips[i].source, limits);
    const auto sampler = MotionSampler::open(loaded->clips[i], limits);
    if (clip && !sampler) std::abort();
    if (!sampler || sampler->frame_count() == 0) continue;
    std::vector<Transform> pose(static_cast<std::size_t>(sampler->track_count()));
    sampler->sample_frame(sampler->frame_count() * 0.37, pose);
  }
  Notes notes;
  (void)havok::transcribed(
      *file, havok::game_of(*file) == Game::Fallout4 ? Game::SkyrimSe : Game::Fallout4, notes);
  (void)check(bytes, "clip.hkx", {}, context);
  if (auto document = load(bytes, {.parts = Parts::Clips}, context)) {
    (void)remove_events(*document, {.selection = {.match = "*"}}, context);
    (void)save(*document, {}, context);
  }
  return 0;
}
