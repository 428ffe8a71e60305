// SPDX-License-Identifier: MIT
// Packfiles with animations: every clip is decoded, sampled, taken to another version of Havok and stripped of events.
#include <cstdlib>

#include "havok/animation/animation.h"
#include "havok/object/transcribe.h"
#include "limits.h"
#include "ops/clip/annotations.h"
#include "ops/clip/motion_sampler.h"
#include "ops/files/check.h"
#include "steps.h"

using namespace marrow;

namespace {

void sample(const Document& document, const havok::Packfile& file, const Limits& limits) {
  for (const DocumentClip& each : document.clips) {
    const auto clip = havok::read_clip(file, havok::ObjectId{each.source.value}, limits);
    const auto sampler = MotionSampler::open(each, limits);
    if (clip && !sampler) std::abort();
    if (!sampler || sampler->frame_count() == 0) continue;
    std::vector<Transform> pose(static_cast<std::size_t>(sampler->track_count()));
    sampler->sample_frame(sampler->frame_count() * 0.37, pose);
  }
}

void transcribe(const havok::Packfile& file) {
  Notes notes;
  const Game other = havok::game_of(file) == Game::Fallout4 ? Game::SkyrimSe : Game::Fallout4;
  (void)havok::transcribed(file, other, notes);
}

void strip_events(Document& document, Context& context) {
  (void)remove_events(document, {.selection = {.match = "*"}}, context);
  (void)save(document, {}, context);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const Limits limits{.max_expanded_bytes = fuzz::kMaxExpandedBytes};
  Context context{.limits = limits};
  auto document = load(bytes, {.parts = Parts::Clips}, context);
  if (!document || !document->packfile()) return 0;
  const havok::Packfile& file = *document->packfile();
  fuzz::run_steps(
      bytes, [&] { sample(*document, file, limits); }, [&] { transcribe(file); },
      [&] { (void)check(bytes, "clip.hkx", {}, context); }, [&] { strip_events(*document, context); });
  return 0;
}
