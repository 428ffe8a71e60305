// SPDX-License-Identifier: MIT
#include "havok/animation/stored_frames.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/try.h"

namespace marrow::havok {
namespace {

/// Maximum number of frames of a clip without any moving data to confirm them: half an hour.
constexpr std::size_t kMostStillFrames = 65536;

std::unexpected<Error> malformed(std::string message, ObjectId id) {
  return fail(ErrorCode::Malformed, std::move(message), kNoOffset, path_of(id));
}

bool are_finite(std::span<const float> values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

std::size_t float_values(const Clip& clip) {
  return static_cast<std::size_t>(clip.frame_count) * static_cast<std::size_t>(clip.float_track_count);
}

// A lossless animation states for every component if it is identity, one value for all frames, or one per frame.
class LosslessReader {
 public:
  LosslessReader(const FieldsView& animation, const Clip& clip)
      : animation_(animation),
        frames_(static_cast<std::size_t>(clip.frame_count)),
        tracks_(static_cast<std::size_t>(clip.track_count)),
        translation_(part("Translation", 1, 4)),
        rotation_(part("Rotation", 4, 1)),
        scale_(part("Scale", 1, 4)) {}

  /// Checks that every value that a code refers to exists, for every frame.
  Result<void> validate(const Clip& clip, ObjectId id) const {
    bool moves = clip.float_track_count > 0;
    for (const Part* part : {&translation_, &rotation_, &scale_}) {
      if (part->codes.size() / part->codes_per_track < tracks_)
        return malformed("a lossless animation has fewer codes than tracks", id);
      for (std::size_t i = 0; i < tracks_ * part->codes_per_track; ++i) {
        if (!is_inside(*part, part->codes[i])) return malformed("a lossless animation points outside its values", id);
        moves |= (part->codes[i] & 3u) == kMoving;
      }
    }
    if (animation_.array("floats").numbers<float>().size() < float_values(clip))
      return malformed("a lossless animation has fewer values than its float tracks need", id);
    if (!moves && tracks_ > 0 && frames_ > kMostStillFrames)
      return malformed(std::to_string(frames_) + " frames are declared, but there is no data for them", id);
    return {};
  }

  Result<void> read(Clip& clip, ObjectId id) const {
    bool finite = true;
    for (std::size_t f = 0; f < frames_; ++f)
      for (std::size_t t = 0; t < tracks_; ++t) {
        Transform& out = clip.transforms[f * tracks_ + t];
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const auto a = static_cast<int>(axis);
          finite &= component(translation_, t * 4 + axis, f, {&out.translation[a], 1});
          finite &= component(scale_, t * 4 + axis, f, {&out.scale[a], 1});
        }
        float q[4] = {0, 0, 0, 1};
        finite &= component(rotation_, t, f, q);
        out.rotation = make_quat(q[0], q[1], q[2], q[3]);
      }
    if (!finite) return malformed("a lossless animation has a value that is not finite", id);
    const auto floats = animation_.array("floats").numbers<float>();
    std::copy_n(floats.begin(), clip.floats.size(), clip.floats.begin());
    return {};
  }

 private:
  enum CodeKind : unsigned { kIdentity = 0, kStill = 1, kMoving = 2 };

  struct Part {
    std::span<const float> moving, still;
    std::span<const std::uint16_t> codes;
    std::size_t width;            ///< floats per value
    std::size_t codes_per_track;  ///< translations and scales have an unused fourth
    std::size_t stride;           ///< floats per frame
  };

  Part part(std::string_view kind, std::size_t width, std::size_t codes_per_track) const {
    const std::string plural = std::string(kind) + "s";
    std::string codes = std::string(kind) + "TypeAndOffsets";
    codes[0] = static_cast<char>(codes[0] - 'A' + 'a');
    const auto moving = animation_.array("dynamic" + plural).numbers<float>();
    return {moving,
            animation_.array("static" + plural).numbers<float>(),
            animation_.array(codes).numbers<std::uint16_t>(),
            width,
            codes_per_track,
            frames_ > 0 ? moving.size() / width / frames_ * width : 0};
  }

  bool is_inside(const Part& part, std::uint16_t code) const {
    const std::size_t end = ((std::size_t{code} >> 2) + 1) * part.width;
    switch (code & 3u) {
      case kIdentity: return true;
      case kStill: return end <= part.still.size();
      // Without a value per frame the stride is 0: no data confirms the frame count.
      case kMoving: return frames_ == 0 || (part.stride > 0 && end + (frames_ - 1) * part.stride <= part.moving.size());
      default: return false;
    }
  }

  static bool component(const Part& part, std::size_t index, std::size_t frame, std::span<float> out) {
    const unsigned kind = part.codes[index] & 3u;
    if (kind == kIdentity) return true;
    const std::span<const float> values = kind == kStill ? part.still : part.moving;
    const std::size_t at =
        (std::size_t{part.codes[index]} >> 2) * part.width + (kind == kStill ? 0 : frame * part.stride);
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(at), out.size(), out.begin());
    return are_finite(out);
  }

  FieldsView animation_;
  std::size_t frames_, tracks_;
  Part translation_, rotation_, scale_;
};

}  // namespace

void make_frames(Clip& clip) {
  clip.transforms.resize(static_cast<std::size_t>(clip.frame_count) * static_cast<std::size_t>(clip.track_count));
  clip.floats.resize(float_values(clip));
}

std::int64_t interleaved_frames(const FieldsView& animation, std::int64_t tracks, std::int64_t floats) {
  if (tracks > 0) return animation.array("transforms").size() / tracks;
  return floats > 0 ? animation.array("floats").size() / floats : 0;
}

Result<void> read_interleaved(const FieldsView& animation, ObjectId id, Clip& clip) {
  const auto values = animation.array("transforms").numbers<float>();
  const auto floats = animation.array("floats").numbers<float>();
  const std::size_t transforms =
      static_cast<std::size_t>(clip.frame_count) * static_cast<std::size_t>(clip.track_count);
  if (values.size() / 12 < transforms || floats.size() < float_values(clip))
    return malformed("an interleaved animation has fewer values than its tracks need", id);
  make_frames(clip);
  for (std::size_t i = 0; i < transforms; ++i) {
    const float* v = values.data() + i * 12;
    clip.transforms[i] = {{v[0], v[1], v[2]}, make_quat(v[4], v[5], v[6], v[7]), {v[8], v[9], v[10]}};
    if (!are_finite({v, 3}) || !are_finite({v + 4, 7}))
      return malformed("transforms[" + std::to_string(i) + "] is not finite", id);
  }
  std::copy_n(floats.begin(), clip.floats.size(), clip.floats.begin());
  return {};
}

Result<void> read_lossless(const FieldsView& animation, ObjectId id, Clip& clip) {
  const LosslessReader reader(animation, clip);
  MARROW_CHECK(reader.validate(clip, id));
  make_frames(clip);
  return reader.read(clip, id);
}

}  // namespace marrow::havok
