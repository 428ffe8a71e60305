// SPDX-License-Identifier: MIT
// Sampling of clips that are not in the caches, as a game does: 1,000 clips, the order shuffled, a pose of its own for
// each. Both compiled forms, as single calls and as a list, with the clips on ordinary pages and together on pages of
// 2 MB. Each row is the median of several processes, with the least and the greatest, since cold figures move with
// whatever else the machine does; a process takes the best of many rounds. Clips come from $MARROW_CORPUS (default
// ../shared/corpus); without them made-up ones stand in.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <random>
#include <string>

#include "marrow/codec/compiled_clip.h"
#include "real_clips.h"
#include "support/random_blob.h"

namespace {

using namespace marrow;
using namespace marrow::codec;

constexpr std::size_t kClips = 1000;

struct Source {
  havok::Packfile file;
  SplineBlob blob;
  SplineBlobBytes bytes;
  SplineBlobView view;
};

std::vector<std::unique_ptr<Source>> load_sources(const std::filesystem::path& folder) {
  std::vector<std::unique_ptr<Source>> sources;
  bench::for_each_animation(folder, [&](const havok::Packfile& file, havok::ObjectId id) {
    auto source = std::make_unique<Source>();
    source->file = file;
    const auto view = havok::spline_data(source->file, id);
    if (!view) return;
    source->view = *view;
    sources.push_back(std::move(source));
  });
  for (std::uint32_t i = 0; sources.size() < 9 && i < 9; ++i) {
    auto source = std::make_unique<Source>();
    source->blob = test::random_blob(i, {.frames = 40 + 90 * i, .tracks = 95, .every_encoding = false});
    source->bytes = write_spline_blob(source->blob).value();
    source->view = test::view_of(source->blob, source->bytes);
    sources.push_back(std::move(source));
  }
  return sources;
}

/// All clips one after another on large pages.
class Arena : public ClipAllocator {
 public:
  std::byte* allocate(std::size_t bytes) override {
    constexpr std::size_t kChunk = std::size_t{64} << 20;
    if (bytes > left_) {
      void* chunk = mmap(nullptr, kChunk + (2 << 20), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (chunk == MAP_FAILED || bytes > kChunk) return nullptr;
      madvise(chunk, kChunk, MADV_HUGEPAGE);
      const auto address = (reinterpret_cast<std::uintptr_t>(chunk) + (2 << 20) - 1) / (2 << 20) * (2 << 20);
      next_ = reinterpret_cast<std::byte*>(address);
      left_ = kChunk;
    }
    left_ -= bytes;
    return std::exchange(next_, next_ + bytes);
  }
  void release(std::byte*, std::size_t) override {}

 private:
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
};

double seconds_now() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// The clips of one row, and what is sampled of them.
struct Crowd {
  std::vector<CompiledClip> clips;
  std::vector<float> poses;
  std::vector<SampleRequest> requests;
  double tracks = 0, bytes = 0, raw = 0;

  Crowd(const std::vector<std::unique_ptr<Source>>& sources, CompiledForm form, ClipAllocator* allocator) {
    std::size_t floats = 0;
    for (std::size_t i = 0; i < kClips; ++i) {
      clips.push_back(
          compile_clip(sources[i % sources.size()]->view, 1.0, {.form = form, .allocator = allocator}).value());
      const CompiledClip& clip = clips.back();
      floats += clip.pose_floats();
      tracks += clip.track_count();
      bytes += static_cast<double>(clip.bytes());
      raw += static_cast<double>(clip.pose_floats() * sizeof(float)) * clip.frame_count();
    }
    poses.resize(floats);
    float* at = poses.data();
    for (const CompiledClip& clip : clips) {
      requests.push_back({&clip, 0.0, {at, clip.pose_floats()}});
      at += clip.pose_floats();
    }
  }
};

struct Figures {
  double forwards, random;
};

template <class Sample>
Figures measure(Crowd& crowd, Sample&& sample) {
  constexpr int kRounds = 60;
  std::mt19937 engine(7);
  Figures best{1e9, 1e9};
  std::vector<double> frames(kClips);
  for (double& frame : frames) frame = static_cast<double>(engine() % 1000);
  const auto round = [&](double& least) {
    const double start = seconds_now();
    sample();
    least = std::min(least, (seconds_now() - start) / crowd.tracks * 1e9);
  };
  std::ranges::shuffle(crowd.requests, engine);
  for (int i = 0; i < kRounds; ++i) {
    for (SampleRequest& request : crowd.requests) {
      double& frame = frames[static_cast<std::size_t>(request.clip - crowd.clips.data())];
      frame = std::fmod(frame + 0.73, request.clip->frame_count());
      request.frame = frame;
    }
    round(best.forwards);
  }
  for (int i = 0; i < kRounds; ++i) {
    std::ranges::shuffle(crowd.requests, engine);
    for (SampleRequest& request : crowd.requests)
      request.frame = std::ldexp(static_cast<double>(engine()), -32) * request.clip->frame_count();
    round(best.random);
  }
  return best;
}

struct Row {
  const char* name;
  CompiledForm form;
  bool is_list, on_large_pages;
};
constexpr Row kRows[] = {{"hot", CompiledForm::Hot, false, false},
                         {"compact", CompiledForm::Compact, false, false},
                         {"compact, list", CompiledForm::Compact, true, false},
                         {"compact, large pages", CompiledForm::Compact, false, true},
                         {"compact, list, large pages", CompiledForm::Compact, true, true}};

/// The clips stay as long as the process; their memory is not given back to the arena.
void run_rows(const std::vector<std::unique_ptr<Source>>& sources, int out) {
  for (const Row& row : kRows) {
    static Arena arena;
    Crowd crowd(sources, row.form, row.on_large_pages ? &arena : nullptr);
    const Figures figures = measure(crowd, [&] {
      if (row.is_list) return sample_many(crowd.requests);
      for (const SampleRequest& request : crowd.requests) sample_frame(*request.clip, request.frame, request.pose);
    });
    const double values[] = {figures.forwards, figures.random, 100 * crowd.bytes / crowd.raw};
    if (write(out, values, sizeof values) != sizeof values) _exit(1);
  }
  _exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  const char* set = std::getenv("MARROW_CORPUS");
  const auto sources = load_sources(set ? set : "../shared/corpus");
  const int processes = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
  std::vector<double> of[std::size(kRows)][3];
  for (int i = 0; i < processes; ++i) {
    int ends[2];
    if (pipe(ends) != 0) return 1;
    if (fork() == 0) run_rows(sources, ends[1]);
    close(ends[1]);
    for (auto& row : of) {
      double values[3];
      std::size_t got = 0;
      for (ssize_t n;
           got < sizeof values && (n = read(ends[0], reinterpret_cast<char*>(values) + got, sizeof values - got)) > 0;)
        got += static_cast<std::size_t>(n);
      if (got < sizeof values) return 1;
      for (std::size_t v = 0; v < 3; ++v) row[v].push_back(values[v]);
    }
    close(ends[0]);
    wait(nullptr);
  }
  std::printf("%zu clips of %zu sources in turn, %d processes: median (least - greatest), ns per track and frame\n\n",
              kClips, sources.size(), processes);
  std::printf("%-28s %8s %22s %22s\n", "", "% of raw", "forwards", "at random");
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    for (auto& values : of[i]) std::ranges::sort(values);
    std::printf("%-28s %8.2f", kRows[i].name, of[i][2][0]);
    for (int v = 0; v < 2; ++v) {
      const auto& values = of[i][v];
      std::printf("  %6.1f (%5.1f - %5.1f)", values[values.size() / 2], values.front(), values.back());
    }
    std::printf("\n");
  }
}
