// SPDX-License-Identifier: MIT
// Editing motion: time per clip of each verb of the group `clip`, on a walk of 10 seconds (301 frames) that it makes.
// A verb's time is load + edit + save, from bytes to bytes, beside reading: the bytes become frames. What is cut on
// curves decodes nothing, so it should cost less than reading twice.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>

#include "havok/animation/animation.h"
#include "havok/animation/skeleton.h"
#include "marrow/marrow.h"
#include "ops/clip/cut.h"
#include "ops/clip/feet.h"
#include "ops/clip/limbs.h"
#include "ops/clip/loop.h"
#include "ops/clip/mix.h"
#include "ops/clip/poses.h"
#include "support/rigs.h"

using namespace marrow;

namespace {

using Bytes = std::vector<std::byte>;

// Processor time of the best of several runs, in milliseconds.
template <class Work>
double best_of(int runs, Work work) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    const std::clock_t start = std::clock();
    work();
    best = std::min(best, 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

Document read(const Bytes& bytes, Parts parts) {
  Context context;
  return load(bytes, {.parts = parts}, context).value();
}

// The clip as a file of the games holds it: as curves, which edits cut.
Bytes compressed(const Clip& clip) {
  Context context;
  Document document{.name = "walk", .format = Format::Hkx, .game = Game::SkyrimSe};
  document.clips.push_back({.name = "walk", .clip = clip});
  return save(document, {}, context).value().front().bytes;
}

struct Bench {
  Bytes clip;
  double reading = 0;

  template <class Edit>
  void time(const char* name, int runs, Edit edit) const {
    std::size_t size = 0;
    bool failed = false;
    const double spent = best_of(runs, [&] {
      Context context;
      auto document = load(clip, {.parts = Parts::Skeletons | Parts::Clips}, context);
      const auto report = edit(*document, context);
      const auto files = report ? save(*document, {}, context) : std::unexpected(report.error());
      failed = !files;
      if (files) size = files->front().bytes.size();
      if (failed) std::printf("%s: %s\n", name, describe(files.error()).c_str());
    });
    if (!failed)
      std::printf("%-36s %9.2f %9.2f %10.3f\n", name, spent, spent / reading,
                  static_cast<double>(size) / static_cast<double>(clip.size()));
  }
};

}  // namespace

int main() {
  constexpr int kFrames = 301;
  const Skeleton skeleton = test::make_human();
  const Clip walk = test::make_walk(skeleton, kFrames);
  Bench bench{.clip = compressed(walk)};
  bench.reading = best_of(50, [&] { (void)read(bench.clip, Parts::Skeletons | Parts::Frames); });
  const Document other = read(bench.clip, Parts::Skeletons | Parts::Clips);
  std::printf("%d frames, %d tracks, %zu bytes; reading to frames takes %.2f ms\n", kFrames, walk.track_count,
              bench.clip.size(), bench.reading);
  std::printf("%-36s %9s %9s %10s\n", "", "ms", "readings", "size");
  bench.time("trim 2 s to 8 s", 50,
             [](Document& d, Context& c) { return trim_clip(d, {.range = {.from = 2.0, .to = 8.0}}, c); });
  bench.time("join", 20, [&](Document& d, Context& c) { return join_clips(d, {.next = {&other}}, c); });
  bench.time("join --crossfade 0.25", 10,
             [&](Document& d, Context& c) { return join_clips(d, {.next = {&other}, .crossfade = 0.25}, c); });
  bench.time("speed --factor 2", 50, [](Document& d, Context& c) { return change_speed(d, {.factor = 2.0}, c); });
  bench.time("reverse", 20, [](Document& d, Context& c) { return reverse_clip(d, {}, c); });
  bench.time("repeat --times 3", 20, [](Document& d, Context& c) { return repeat_clip(d, {.times = 3}, c); });
  bench.time("resample --fps 60", 20, [](Document& d, Context& c) { return resample_clip(d, {.fps = 60}, c); });
  bench.time("resample --fps 24", 3, [](Document& d, Context& c) { return resample_clip(d, {.fps = 24}, c); });
  bench.time("loop", 10, [](Document& d, Context& c) { return loop_clip(d, {}, c); });
  bench.time("blend --weight 0.5", 3,
             [&](Document& d, Context& c) { return blend_clips(d, {.other = &other, .weight = 0.5}, c); });
  bench.time("layer, six bones", 20, [&](Document& d, Context& c) {
    return layer_clips(d, {.over = &other, .choice = {.bones = {"*Arm*", "*Hand*"}, .skeleton = &skeleton}}, c);
  });
  bench.time("additive --reference 0", 3,
             [](Document& d, Context& c) { return make_additive(d, {.reference = "0"}, c); });
  bench.time("offset --turn", 20, [&](Document& d, Context& c) {
    return offset_bone(d, {.bone = "NPC Head [Head]", .turn = Vec3(0, 0, 30), .skeleton = &skeleton}, c);
  });
  bench.time("pin, one second", 10, [&](Document& d, Context& c) {
    return pin_bone(d, {.bone = "NPC L Hand [LHnd]", .range = {.from = 4.0, .to = 5.0}, .skeleton = &skeleton}, c);
  });
  bench.time("feet", 3, [&](Document& d, Context& c) { return lock_feet(d, {.skeleton = &skeleton}, c); });
  bench.time("smooth, all bones", 3,
             [&](Document& d, Context& c) { return smooth_bones(d, {.degrees = 0.5, .skeleton = &skeleton}, c); });
}
