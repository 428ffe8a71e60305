// SPDX-License-Identifier: MIT
// Marrow's sampler beside ozz-animation and ACL, in one run on the same clips ($MARROW_CORPUS, default
// ../shared/corpus): sizes, errors, and nanoseconds per track and frame for one hot clip, 100 and 1,000 clips. A peer
// that was not built in is left out, and its recorded figures are printed.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <vector>

#include "marrow/codec/compiled_clip.h"
#include "peer.h"
#include "real_clips.h"

namespace {

using namespace marrow;
using bench::Peer;
using bench::RawFrames;

constexpr float kFramesPerSecond = 30.0f;

struct Source {
  havok::Packfile file;
  codec::SplineBlobView view;
  RawFrames raw;
  std::vector<float> frames;
};

std::vector<std::unique_ptr<Source>> load_sources(const std::filesystem::path& folder) {
  std::vector<std::unique_ptr<Source>> sources;
  bench::for_each_animation(folder, [&](const havok::Packfile& file, havok::ObjectId id) {
    auto source = std::make_unique<Source>();
    source->file = file;
    const auto view = havok::spline_data(source->file, id);
    const auto clip = view ? codec::compile_clip(*view, 1.0) : Result<codec::CompiledClip>(std::unexpect);
    if (!clip) return;
    source->view = *view;
    source->frames.resize(clip->pose_floats() * clip->frame_count());
    codec::decode_frames(*clip, 0, source->frames);
    source->raw = {clip->frame_count(), clip->track_count(),
                   static_cast<float>(clip->frame_count() - 1) / kFramesPerSecond, source->frames};
    sources.push_back(std::move(source));
  });
  return sources;
}

class MarrowPeer : public Peer {
 public:
  MarrowPeer(const std::vector<std::unique_ptr<Source>>& sources, codec::CompiledForm form)
      : sources_(sources), form_(form) {}
  const char* name() const override { return form_ == codec::CompiledForm::Hot ? "Marrow" : "Marrow, compact"; }
  std::size_t add(const RawFrames& raw) override {
    const Source& source = *sources_[clips_.size() % sources_.size()];
    auto clip = codec::compile_clip(source.view, static_cast<double>(raw.seconds), {.form = form_});
    if (!clip) return 0;
    pose_.resize(std::max(pose_.size(), clip->pose_floats()));
    clips_.push_back(std::move(*clip));
    return clips_.back().bytes();
  }
  void sample(std::size_t clip, float seconds) override {
    codec::sample(clips_[clip], static_cast<double>(seconds), std::span(pose_).first(clips_[clip].pose_floats()));
  }
  void read(std::size_t clip, float* pose) const override {
    std::copy_n(pose_.data(), clips_[clip].pose_floats(), pose);
  }

 private:
  const std::vector<std::unique_ptr<Source>>& sources_;
  codec::CompiledForm form_;
  std::vector<codec::CompiledClip> clips_;
  std::vector<float> pose_;
};

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The best of several runs: what others do on the machine only ever adds.
template <class Work>
double best_of(int runs, Work&& work) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    const double start = seconds_now();
    work();
    best = std::min(best, seconds_now() - start);
  }
  return best;
}

struct Errors {
  double degrees = 0, units = 0;
};

// At whole frames, where all runtimes are given the same values, or a moment later: rounded down, the time of a seam
// would be in the block before it.
Errors errors_of(Peer& peer, std::size_t clip, const RawFrames& raw) {
  Errors worst;
  std::vector<float> pose(raw.tracks * 10);
  for (std::uint32_t frame = 0; frame < raw.frames; ++frame) {
    peer.sample(clip, static_cast<float>(frame) / kFramesPerSecond + 1e-5f);
    peer.read(clip, pose.data());
    for (std::size_t track = 0; track < raw.tracks; ++track) {
      const float *a = &pose[track * 10], *b = &raw.transforms[(frame * raw.tracks + track) * 10];
      double dot = 0, square = 0;
      for (int i = 3; i < 7; ++i) dot += static_cast<double>(a[i]) * b[i];
      for (int i = 0; i < 3; ++i) square += std::pow(static_cast<double>(a[i]) - b[i], 2);
      // The chord is exact for small angles, which the arc cosine is not.
      double chord = 0;
      for (int i = 3; i < 7; ++i) chord += std::pow(static_cast<double>(a[i]) - (dot < 0 ? -1 : 1) * b[i], 2);
      worst.degrees = std::max(worst.degrees, 4 * std::asin(std::min(1.0, std::sqrt(chord) / 2)) * 57.29577951308232);
      worst.units = std::max(worst.units, std::sqrt(square));
    }
  }
  return worst;
}

void measure(Peer& peer, const std::vector<std::unique_ptr<Source>>& sources) {
  constexpr std::size_t kMost = 1000;
  double bytes = 0, raw_bytes = 0;
  Errors worst;
  for (std::size_t i = 0; i < kMost; ++i) {
    const RawFrames& raw = sources[i % sources.size()]->raw;
    const std::size_t size = peer.add(raw);
    if (size == 0) {
      std::printf("%-16s cannot compress a clip\n", peer.name());
      return;
    }
    if (i >= sources.size()) continue;
    bytes += static_cast<double>(size);
    raw_bytes += static_cast<double>(raw.transforms.size_bytes());
    const Errors errors = errors_of(peer, i, raw);
    worst = {std::max(worst.degrees, errors.degrees), std::max(worst.units, errors.units)};
  }
  double forwards = 0, random = 0, tracks = 0;
  std::mt19937 engine(1);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    std::vector<float> times;
    for (int n = 0; n < 1000; ++n)
      times.push_back(std::fmod(static_cast<float>(n) * 0.0243f, std::max(sources[i]->raw.seconds, 0.01f)));
    const auto all = [&] {
      for (const float time : times) peer.sample(i, time);
    };
    forwards += best_of(9, all);
    std::ranges::shuffle(times, engine);
    random += best_of(9, all);
    tracks += 1000.0 * static_cast<double>(sources[i]->raw.tracks);
  }
  std::printf("%-16s %8.1f %9.4f %9.5f %9.2f %9.2f", peer.name(), 100 * bytes / raw_bytes, worst.degrees, worst.units,
              forwards / tracks * 1e9, random / tracks * 1e9);
  for (const std::size_t count : {std::size_t{100}, kMost}) {
    double total = 0;
    for (std::size_t i = 0; i < count; ++i) total += static_cast<double>(sources[i % sources.size()]->raw.tracks);
    const double time = best_of(30, [&] {
      for (std::size_t i = 0; i < count; ++i) {
        const double share = static_cast<double>(engine()) / 4294967296.0;
        peer.sample(i, static_cast<float>(share) * sources[i % sources.size()]->raw.seconds);
      }
    });
    std::printf(" %9.2f", time / total * 1e9);
  }
  std::printf("\n");
}

}  // namespace

int main() {
  const char* set = std::getenv("MARROW_CORPUS");
  const auto sources = load_sources(set ? set : "../shared/corpus");
  if (sources.empty()) {
    std::printf("SKIPPED: no clips; name a folder with MARROW_CORPUS\n");
    return 0;
  }
  std::printf("%zu clips; size in %% of raw frames, ns per track and frame\n%-16s %8s %9s %9s %9s %9s %9s %9s\n",
              sources.size(), "", "size", "deg", "units", "forwards", "random", "100", "1000");
  std::vector<std::unique_ptr<Peer>> peers;
  for (const auto form : {codec::CompiledForm::Hot, codec::CompiledForm::Compact})
    peers.push_back(std::make_unique<MarrowPeer>(sources, form));
  bool is_missing = false;
  for (auto make : {bench::make_ozz_peer, bench::make_acl_peer})
    if (auto peer = make())
      peers.push_back(std::move(peer));
    else
      is_missing = true;
  for (const auto& peer : peers) measure(*peer, sources);
  if (!is_missing) return 0;
  std::printf(
      "\nNot all peers were built. For figures of one run give their source folders:\n"
      "  make bench-peers OZZ=ozz-animation ACL=acl RTM=rtm\n"
      "Recorded earlier on another machine, not comparable with the times above to the digit:\n"
      "%-16s %8.1f %9s %9s %9.2f %9.2f %9s %9.2f\n"
      "%-16s %8.1f %9s %9s %9.2f %9.2f %9s %9s\n"
      "%-16s %8.1f %9s %9s %9.2f %9.2f %9s %9.2f\n",
      "Marrow", 29.6, "-", "-", 1.70, 1.73, "-", 14.1, "ozz", 7.3, "-", "-", 8.3, 67.9, "-", "-", "ACL", 3.5, "-", "-",
      10.6, 10.7, "-", 15.3);
  return 0;
}
