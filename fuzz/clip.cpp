// SPDX-License-Identifier: MIT
// Packfiles with animations: every clip is decoded, sampled, taken to another version of Havok and stripped of events.
#include <cstdlib>

#include "marrow/havok/animation.h"
#include "marrow/havok/transcribe.h"
#include "marrow/ops/annotations.h"
#include "marrow/ops/check.h"

using namespace marrow;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const Limits limits{.max_expanded_bytes = std::size_t{1} << 26};
  const auto file = havok::read_packfile(bytes, {.limits = limits});
  if (!file) return 0;
  for (const havok::ObjectId id : havok::find_animations(*file)) {
    const auto clip = havok::read_clip(*file, id, limits);
    const auto sampler = havok::MotionSampler::open(*file, id, limits);
    if (clip.has_value() != sampler.has_value()) std::abort();
    if (!sampler || sampler->frame_count() == 0) continue;
    std::vector<Transform> pose(static_cast<std::size_t>(sampler->track_count()));
    sampler->sample_frame(sampler->frame_count() * 0.37, pose);
  }
  Notes notes;
  (void)havok::transcribed(
      *file, havok::game_of(*file) == Game::Fallout4 ? Game::SkyrimSe : Game::Fallout4, notes);
  Context context{.limits = limits};
  (void)check(bytes, "clip.hkx", {}, context);
  if (auto document = load(bytes, {.parts = Parts::Clips}, context)) {
    (void)remove_events(*document, {.match = "*"}, context);
    (void)save(*document, {}, context);
  }
  return 0;
}
