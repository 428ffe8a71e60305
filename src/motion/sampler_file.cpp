// SPDX-License-Identifier: MIT
// Compiled clips that can be saved and mapped: a header, the lists of the clip, and its motion, compiled or as frames.
// All numbers are little-endian; the motion starts at a multiple of 64 bytes.
#include <array>
#include <cstring>
#include <string>

#include "codec/compiled_file.h"
#include "core/try.h"
#include "marrow/motion/sampler.h"

namespace marrow {
namespace {

struct PlayHeader {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t is_compiled;
  std::uint64_t bytes;
  std::int32_t frames, tracks, float_tracks;
  std::uint32_t blend_hint;
  float duration_seconds, root_seconds;
  std::uint32_t bones_of_tracks, slots_of_floats, root_samples, has_root;
  std::uint32_t bones, reserved;
};
constexpr std::array<char, 8> kPlayMagic{'M', 'R', 'W', 'P', 'L', 'A', 'Y', '\n'};
constexpr std::uint32_t kPlayVersion = 1;
constexpr std::int32_t kMostTracks = 65535;  // more than bones can be given to

std::size_t aligned_size(std::size_t size) {
  return (size + codec::kCompiledAlignment - 1) / codec::kCompiledAlignment * codec::kCompiledAlignment;
}

template <class T>
void append_values(std::vector<std::byte>& bytes, std::span<const T> values) {
  const auto raw = std::as_bytes(values);
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

/// Takes lists off the front of bytes.
class SavedLists {
 public:
  explicit SavedLists(std::span<const std::byte> bytes) : bytes_(bytes) {}

  /// False if that many values are not there.
  template <class T>
  bool take(std::uint64_t count, std::vector<T>& values) {
    if (count > (bytes_.size() - at_) / sizeof(T)) return false;
    values.resize(count);
    if (count > 0) std::memcpy(static_cast<void*>(values.data()), bytes_.data() + at_, count * sizeof(T));
    at_ += count * sizeof(T);
    return true;
  }
  std::size_t at() const { return at_; }
  void skip_to(std::size_t at) { at_ = std::min(at, bytes_.size()); }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

Result<PlayHeader> play_header_of(std::span<const std::byte> bytes) {
  PlayHeader header{};
  if (bytes.size() < sizeof header) return fail(ErrorCode::Truncated, "the clip ends in its header", bytes.size());
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != kPlayMagic) return fail(ErrorCode::BadMagic, "it is not a clip that a sampler saved", 0);
  if (header.version != kPlayVersion)
    return fail(ErrorCode::Unsupported,
                "version " + std::to_string(header.version) + " of saved clips is not supported; save it again", 8);
  if (header.bytes != bytes.size())
    return fail(
        header.bytes > bytes.size() ? ErrorCode::Truncated : ErrorCode::Malformed,
        "the clip has " + std::to_string(bytes.size()) + " bytes and should have " + std::to_string(header.bytes), 16);
  if (header.frames < 0 || header.tracks < 0 || header.tracks > kMostTracks || header.float_tracks < 0 ||
      header.float_tracks > kMostTracks ||
      header.blend_hint > static_cast<std::uint32_t>(BlendHint::AdditiveDeprecated))
    return fail(ErrorCode::Malformed, "a count of the clip is out of range", 24);
  return header;
}

}  // namespace

/// Between a sampler and its file.
struct SamplerFile {
  static std::vector<std::byte> save(const Sampler& sampler) {
    const Clip& clip = sampler.clip_;
    PlayHeader header{.magic = kPlayMagic,
                      .version = kPlayVersion,
                      .is_compiled = sampler.compiled_ ? 1u : 0u,
                      .bytes = 0,
                      .frames = clip.frame_count,
                      .tracks = clip.track_count,
                      .float_tracks = clip.float_track_count,
                      .blend_hint = static_cast<std::uint32_t>(clip.blend_hint),
                      .duration_seconds = clip.duration_seconds,
                      .root_seconds = clip.root_motion ? clip.root_motion->duration_seconds : 0.0f,
                      .bones_of_tracks = static_cast<std::uint32_t>(clip.track_to_bone.size()),
                      .slots_of_floats = static_cast<std::uint32_t>(clip.float_to_slot.size()),
                      .root_samples = 0,
                      .has_root = clip.root_motion ? 1u : 0u,
                      .bones = static_cast<std::uint32_t>(sampler.rest_.size()),
                      .reserved = 0};
    std::vector<std::byte> bytes(sizeof header);
    append_values(bytes, std::span<const std::int16_t>(clip.track_to_bone));
    append_values(bytes, std::span<const std::int16_t>(clip.float_to_slot));
    if (clip.root_motion) {
      header.root_samples = static_cast<std::uint32_t>(clip.root_motion->samples.size());
      append_values(bytes, std::span<const Vec4>({clip.root_motion->up, clip.root_motion->forward}));
      append_values(bytes, std::span<const Vec4>(clip.root_motion->samples));
    }
    append_values(bytes, std::span<const Transform>(sampler.rest_));
    append_values(bytes, std::span<const std::int32_t>(sampler.parents_));
    bytes.resize(aligned_size(bytes.size()));
    if (!sampler.opened_.empty()) {
      append_values(bytes, sampler.opened_);
    } else if (sampler.compiled_) {
      append_values(bytes, std::span<const std::byte>(codec::CompiledFile::save(*sampler.compiled_)));
    } else {
      append_values(bytes, std::span<const Transform>(clip.transforms));
      append_values(bytes, std::span<const float>(clip.floats));
    }
    header.bytes = bytes.size();
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes;
  }

  /// `bytes` are aligned.
  static Result<Sampler> open(std::span<const std::byte> bytes, const SamplerOptions& options) {
    MARROW_TRY(const PlayHeader header, play_header_of(bytes));
    Clip clip;
    clip.frame_count = header.frames;
    clip.duration_seconds = header.duration_seconds;
    clip.track_count = header.tracks;
    clip.float_track_count = header.float_tracks;
    clip.blend_hint = static_cast<BlendHint>(header.blend_hint);
    const auto refuse = [] { return fail(ErrorCode::Malformed, "the lists of the clip do not fit its size", 48); };
    SavedLists lists(bytes);
    lists.skip_to(sizeof header);
    if (!lists.take(header.bones_of_tracks, clip.track_to_bone) ||
        !lists.take(header.slots_of_floats, clip.float_to_slot))
      return refuse();
    if (header.has_root != 0) {
      std::vector<Vec4> axes;
      RootMotion& root = clip.root_motion.emplace();
      if (!lists.take(2, axes) || !lists.take(header.root_samples, root.samples)) return refuse();
      root.up = axes[0];
      root.forward = axes[1];
      root.duration_seconds = header.root_seconds;
    }
    SavedBones bones;
    if (!lists.take(header.bones, bones.rest) || !lists.take(header.bones, bones.parents)) return refuse();
    for (std::size_t i = 0; i < bones.parents.size(); ++i)
      if (bones.parents[i] < kNoBone || bones.parents[i] >= static_cast<std::int64_t>(i)) return refuse();
    const std::size_t motion = aligned_size(lists.at());
    if (motion > bytes.size()) return refuse();
    if (header.is_compiled == 0) return open_frames(bytes.subspan(motion), std::move(clip), bones, options);
    MARROW_TRY(codec::CompiledClip compiled, codec::CompiledFile::open(bytes.subspan(motion)));
    if (static_cast<std::int64_t>(compiled.frame_count()) != clip.frame_count ||
        static_cast<std::int64_t>(compiled.track_count()) != clip.track_count ||
        static_cast<std::int64_t>(compiled.float_track_count()) != clip.float_track_count)
      return fail(ErrorCode::Malformed, "the motion has other counts of frames or tracks than the clip", motion);
    MARROW_TRY(Sampler sampler, Sampler::about(clip, options));
    sampler.compiled_ = std::move(compiled);
    sampler.opened_ = bytes.subspan(motion);
    return on_bones(std::move(sampler), bones, options);
  }

 private:
  /// The skeleton that a sampler had when it was saved.
  struct SavedBones {
    std::vector<Transform> rest = {};
    std::vector<std::int32_t> parents = {};
  };

  static Result<Sampler> on_bones(Sampler sampler, const SavedBones& bones, const SamplerOptions& options) {
    if (!options.skeleton) MARROW_CHECK(sampler.set_bones(bones.rest, bones.parents));
    return sampler;
  }

  static Result<Sampler> open_frames(std::span<const std::byte> motion, Clip clip, const SavedBones& bones,
                                     const SamplerOptions& options) {
    const auto frames = static_cast<std::uint64_t>(clip.frame_count);
    const std::uint64_t transforms = frames * static_cast<std::uint64_t>(clip.track_count);
    const std::uint64_t floats = frames * static_cast<std::uint64_t>(clip.float_track_count);
    SavedLists lists(motion);
    if (!lists.take(transforms, clip.transforms) || !lists.take(floats, clip.floats) || lists.at() != motion.size())
      return fail(ErrorCode::Malformed, "the frames of the clip do not fit its size", 24);
    MARROW_TRY(Sampler sampler, Sampler::open(clip, options));
    return on_bones(std::move(sampler), bones, options);
  }
};

std::vector<std::byte> Sampler::save() const { return SamplerFile::save(*this); }

Result<Sampler> Sampler::open(std::span<const std::byte> saved, const SamplerOptions& options) {
  if (reinterpret_cast<std::uintptr_t>(saved.data()) % codec::kCompiledAlignment == 0)
    return SamplerFile::open(saved, options);
  std::vector<std::byte> copy(saved.size() + codec::kCompiledAlignment - 1);
  const std::size_t past = reinterpret_cast<std::uintptr_t>(copy.data()) % codec::kCompiledAlignment;
  std::byte* at = copy.data() + (past == 0 ? 0 : codec::kCompiledAlignment - past);
  if (!saved.empty()) std::memcpy(at, saved.data(), saved.size());
  MARROW_TRY(Sampler sampler, SamplerFile::open({at, saved.size()}, options));
  sampler.copied_ = std::move(copy);
  return sampler;
}

}  // namespace marrow
