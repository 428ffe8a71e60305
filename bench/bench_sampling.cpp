// SPDX-License-Identifier: MIT
// Sampling of spline clips: nanoseconds per track and frame, and ratios to copying the same bytes and to a plain
// decoder, all from one run on one thread. Real clips come from $MARROW_CORPUS (default ../shared/corpus); without them
// made-up ones stand in.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>

#include "codec/sample_kernel.h"
#include "marrow/codec/compiled_clip.h"
#include "real_clips.h"
#include "reference_decoder.h"
#include "support/random_blob.h"

namespace {

using namespace marrow;
using namespace marrow::codec;

/// One clip and what holds its bytes.
struct Source {
  havok::Packfile file;
  SplineBlob blob;
  SplineBlobBytes bytes;
  SplineBlobView view;
  double duration = 1.0;
};

std::vector<std::unique_ptr<Source>> real_sources(const std::filesystem::path& folder) {
  std::vector<std::unique_ptr<Source>> sources;
  bench::for_each_animation(folder, [&](const havok::Packfile& file, havok::ObjectId id) {
    auto source = std::make_unique<Source>();
    source->file = file;
    const auto view = havok::spline_data(source->file, id);
    if (!view) return;
    source->view = *view;
    sources.push_back(std::move(source));
  });
  return sources;
}

std::vector<std::unique_ptr<Source>> made_up_sources() {
  std::vector<std::unique_ptr<Source>> sources;
  for (std::uint32_t i = 0; i < 9; ++i) {
    auto source = std::make_unique<Source>();
    source->blob = test::random_blob(i, {.frames = 40 + 90 * i, .tracks = 95, .every_encoding = false});
    source->bytes = write_spline_blob(source->blob).value();
    source->view = test::view_of(source->blob, source->bytes);
    sources.push_back(std::move(source));
  }
  return sources;
}

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// The best of several runs, in seconds: what others do on the machine only ever adds.
template <class Work>
double best_of(int runs, Work&& work) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    const double start = seconds();
    work();
    best = std::min(best, seconds() - start);
  }
  return best;
}

void row(const char* name, double time, double track_frames, double channels, double copy) {
  std::printf("%-44s %7.2f %9.2f", name, time / track_frames * 1e9, channels > 0 ? time / channels * 1e9 : 0.0);
  if (copy > 0)
    std::printf(" %9.2f\n", time / copy);
  else
    std::printf("         -\n");
}

struct Workload {
  std::vector<CompiledClip> clips;
  std::vector<std::vector<double>> forwards, random;  ///< frames of each clip
  std::vector<float> pose;

  explicit Workload(const std::vector<std::unique_ptr<Source>>& sources) {
    std::mt19937 engine(1);
    std::size_t most = 0;
    for (const auto& source : sources) {
      clips.push_back(compile_clip(source->view, source->duration).value());
      const double last = clips.back().frame_count() - 1;
      std::vector<double> frames;
      for (int i = 0; i < 1000; ++i) frames.push_back(std::fmod(i * 0.73, std::max(last, 1.0)));
      forwards.push_back(frames);
      std::ranges::shuffle(frames, engine);
      random.push_back(frames);
      most = std::max(most, clips.back().pose_floats());
    }
    pose.resize(most);
  }

  std::span<float> pose_of(const CompiledClip& clip) { return std::span(pose).first(clip.pose_floats()); }
};

/// Tracks and moving channels that 1000 samples of every clip touch.
std::pair<double, double> work_of(const Workload& load) {
  double tracks = 0, channels = 0;
  for (const CompiledClip& clip : load.clips) {
    tracks += 1000.0 * clip.track_count();
    channels += 1000.0 * static_cast<double>(clip.moving_channel_count()) / clip.block_count();
  }
  return {tracks, channels};
}

void hot_rows(Workload& load, const std::vector<std::unique_ptr<Source>>& sources) {
  const auto [tracks, channels] = work_of(load);
  const auto each = [&](auto&& work) {
    double total = 0;
    for (std::size_t i = 0; i < load.clips.size(); ++i) total += best_of(9, [&] { work(i); });
    return total;
  };
  const double copy = each([&](std::size_t i) {
    const auto pose = load.pose_of(load.clips[i]);
    for (int n = 0; n < 1000; ++n) {
      std::memcpy(pose.data(), load.clips[i].memory().data() + load.clips[i].blocks()[0].pose, pose.size_bytes());
      asm volatile("" ::: "memory");
    }
  });
  row("copy of a pose, in cache", copy, tracks, 0, 0);
  const auto sample_all = [&](const std::vector<std::vector<double>>& frames) {
    return each([&](std::size_t i) {
      for (const double frame : frames[i]) sample_frame(load.clips[i], frame, load.pose_of(load.clips[i]));
    });
  };
  struct Kernel {
    const char *forwards, *random;
    SampleKernel kernel;
  };
  const Kernel kernels[] = {
      {"one clip, 128-bit, forwards", "one clip, 128-bit, at random", narrow_sample_kernel()},
      {"one clip, best kernel, forwards", "one clip, best kernel, at random", best_sample_kernel()}};
  for (const Kernel& kernel : kernels) {
    set_sample_kernel(kernel.kernel);
    const double forwards = sample_all(load.forwards), random = sample_all(load.random);
    row(kernel.forwards, forwards, tracks, channels, copy);
    row(kernel.random, random, tracks, channels, copy);
    std::printf("    at random / forwards %.3f\n", random / forwards);
  }
  const double kept = each([&](std::size_t i) {
    SampleContext context;
    for (const double frame : load.forwards[i])
      sample_frame(load.clips[i], frame, load.pose_of(load.clips[i]), context);
  });
  row("one clip, pose kept", kept, tracks, channels, copy);
  double plain = 0;
  for (std::size_t i = 0; i < load.clips.size(); ++i) {
    const bench::ReferenceDecoder decoder(sources[i]->view);
    plain += best_of(2,
                     [&] {
                       for (int n = 0; n < 1000; n += 10)
                         decoder.sample(load.forwards[i][static_cast<std::size_t>(n)], load.pose.data());
                     }) *
             10;
  }
  row("plain decoder", plain, tracks, channels, copy);
}

void many_clips_row(const std::vector<std::unique_ptr<Source>>& sources) {
  std::vector<CompiledClip> clips;
  std::size_t floats = 0;
  double tracks = 0, channels = 0;
  for (std::size_t i = 0; i < 100; ++i) {
    const Source& source = *sources[i % sources.size()];
    clips.push_back(compile_clip(source.view, source.duration).value());
    floats += clips.back().pose_floats();
    tracks += clips.back().track_count();
    channels += static_cast<double>(clips.back().moving_channel_count()) / clips.back().block_count();
  }
  std::vector<float> poses(floats), copies(floats);
  std::mt19937 engine(2);
  const auto round = [&](auto&& frame_of) {
    float* pose = poses.data();
    for (CompiledClip& clip : clips) {
      sample_frame(clip, frame_of(clip), {pose, clip.pose_floats()});
      pose += clip.pose_floats();
    }
  };
  double step = 0;
  const double forwards = best_of(50, [&] {
    step += 1;
    round([&](const CompiledClip& clip) { return std::fmod(step, clip.frame_count()); });
  });
  const double random =
      best_of(50, [&] { round([&](const CompiledClip& clip) { return double(engine() % clip.frame_count()); }); });
  const double copy = best_of(50, [&] { std::memcpy(copies.data(), poses.data(), floats * sizeof(float)); });
  row("100 clips in turn, forwards", forwards, tracks, channels, copy);
  row("100 clips in turn, at random", random, tracks, channels, copy);
}

void whole_clip_rows(Workload& load, const std::vector<std::unique_ptr<Source>>& sources) {
  // Output goes to another place every time, as it does when files are converted: the caches do not hold it.
  constexpr std::size_t kPlaces = 10;
  std::size_t floats = 0;
  double track_frames = 0, compile = 0;
  for (const CompiledClip& clip : load.clips) {
    floats += clip.pose_floats() * clip.frame_count();
    track_frames += static_cast<double>(clip.track_count()) * clip.frame_count();
  }
  std::vector<float> out(floats * kPlaces), copies(floats * kPlaces);
  std::size_t place = 0;
  const auto decode_all = [&](auto&& clip_at) {
    float* at = out.data() + floats * (place++ % kPlaces);
    for (std::size_t i = 0; i < load.clips.size(); ++i) {
      const CompiledClip& clip = clip_at(i);
      const std::size_t size = clip.pose_floats() * clip.frame_count();
      decode_frames(clip, 0, {at, size});
      at += size;
    }
  };
  ClipCompiler compiler;
  CompiledClip scratch;
  double decode = 1e9, from_bytes = 1e9, copy = 1e9;
  for (std::size_t round = 0; round < 4 * kPlaces; ++round) {
    decode = std::min(decode, best_of(1, [&] { decode_all([&](std::size_t i) -> auto& { return load.clips[i]; }); }));
    from_bytes = std::min(from_bytes, best_of(1, [&] {
                            decode_all([&](std::size_t i) -> auto& {
                              (void)compiler.compile(sources[i]->view, 1.0, scratch);
                              return scratch;
                            });
                          }));
    copy = std::min(copy, best_of(1, [&] {
                      const std::size_t from = floats * (round % kPlaces), to = floats * ((round + 3) % kPlaces);
                      std::memcpy(copies.data() + to, out.data() + from, floats * sizeof(float));
                    }));
  }
  compile = best_of(20, [&] {
    for (const auto& source : sources) (void)compiler.compile(source->view, 1.0, scratch);
  });
  row("copy of all frames", copy, track_frames, 0, 0);
  row("whole clips, compiled", decode, track_frames, 0, copy);
  row("whole clips from packed bytes", from_bytes, track_frames, 0, copy);
  std::printf("    compile %.1f us per clip\n", compile / static_cast<double>(sources.size()) * 1e6);
}

}  // namespace

int main() {
  const char* set = std::getenv("MARROW_CORPUS");
  auto sources = real_sources(set ? set : "../shared/corpus");
  if (sources.empty()) {
    std::printf("no real clips found (MARROW_CORPUS): made-up ones\n");
    sources = made_up_sources();
  }
  Workload load(sources);
  std::size_t compiled = 0, packed = 0;
  double tracks = 0, channels = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    compiled += load.clips[i].bytes();
    packed += sources[i]->view.data.size();
    tracks += load.clips[i].track_count();
    channels += static_cast<double>(load.clips[i].moving_channel_count()) / load.clips[i].block_count();
  }
  std::printf("%zu clips, %.2f moving channels per track; compiled form %.1f times the packed bytes\n\n",
              sources.size(), channels / tracks, static_cast<double>(compiled) / static_cast<double>(packed));
  std::printf("%-44s %7s %9s %9s\n", "", "ns/t-f", "ns/chan", "x copy");
  hot_rows(load, sources);
  many_clips_row(sources);
  whole_clip_rows(load, sources);
}
