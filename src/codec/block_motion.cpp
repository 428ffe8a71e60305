// SPDX-License-Identifier: MIT
// Decodes delta and wavelet motion. Both keep, for each component that varies, an offset, a scale and a bit width; they
// differ in what the numbers of a block are.
#include "codec/block_motion.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "core/try.h"
#include "marrow/core/byte_reader.h"

namespace marrow::codec {
namespace {

/// Frames that a file may state without a single bit for each of them.
constexpr std::uint64_t kMostStillFrames = 65536;
constexpr std::uint32_t kMostBits = 32;
constexpr std::uint32_t kMostBlockFrames = 65536;

constexpr std::array<float, kTransformFloats> kIdentity = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};

/// Translation, rotation and scale in the mask of a track.
struct Part {
  unsigned kind_bit;      ///< lowest of two
  unsigned first_bit;     ///< that tells if the last component varies; those before it have the bits above
  std::size_t at, count;  ///< its floats in a transform
};
constexpr std::array<Part, 3> kParts = {{{0, 6, 0, 3}, {2, 9, 3, 4}, {4, 13, 7, 3}}};
enum PartKind : unsigned { kVarying = 0, kConstant = 1, kIdentityPart = 2 };

std::unexpected<Error> malformed(std::string why) { return fail(ErrorCode::Malformed, std::move(why)); }

std::uint64_t bytes_of_bits(std::uint64_t bits) { return (bits + 7) / 8; }

/// A component that varies.
struct Component {
  std::size_t place = 0;  ///< in the floats of a frame
  float offset = 0, scale = 0;
  std::uint32_t width = 0;
};

class Decoder {
 public:
  explicit Decoder(const BlockMotionView& view) : view_(view) {}

  Result<void> prepare() {
    MARROW_CHECK(check_counts());
    // The bytes of a console's file may be in its order: only one of them makes sense of the masks.
    if (!masks_fit()) is_turned_ = true;
    if (is_turned_ && !masks_fit())
      return malformed("the masks of the tracks do not make up the " + std::to_string(view_.component_count) +
                       " components that the animation states");
    MARROW_CHECK(read_frame_and_components());
    return view_.kind == BlockMotionView::Kind::Delta ? check_delta() : check_wavelet();
  }

  Result<void> decode(std::span<float> out) {
    const std::size_t stride = frame_.size();
    const auto frames = static_cast<std::size_t>(view_.frame_count);
    if (out.size() < frames * stride) return fail(ErrorCode::InvalidArgument, "there is no room for all frames");
    for (std::size_t f = 0; f < frames; ++f)
      std::copy(frame_.begin(), frame_.end(), out.begin() + static_cast<std::ptrdiff_t>(f * stride));
    if (view_.kind == BlockMotionView::Kind::Delta)
      decode_delta(out);
    else
      decode_wavelet(out);
    return finish_rotations(out);
  }

 private:
  Result<void> check_counts() const {
    if (view_.frame_count < 0 || view_.transform_track_count < 0 || view_.float_track_count < 0 ||
        view_.block_size < 1 || view_.block_size > kMostBlockFrames)
      return malformed(std::to_string(view_.frame_count) + " frames in blocks of " + std::to_string(view_.block_size));
    const auto tracks =
        static_cast<std::uint64_t>(view_.transform_track_count) + static_cast<std::uint64_t>(view_.float_track_count);
    const std::uint64_t size = view_.data.size();
    const auto fits = [&](std::uint64_t at, std::uint64_t count, std::uint64_t each) {
      return at <= size && count <= (size - at) / each;
    };
    if (!fits(view_.masks_at, tracks, 2) || !fits(view_.offsets_at, view_.component_count, 4) ||
        !fits(view_.scales_at, view_.component_count, 4) || !fits(view_.widths_at, view_.component_count, 1) ||
        view_.constants_at > size || view_.values_at > size)
      return malformed("the tables of the animation do not fit into its data");
    if (static_cast<std::uint64_t>(view_.frame_count) > kMostStillFrames + 8 * size)
      return malformed(std::to_string(view_.frame_count) + " frames are declared, but there is no data for them");
    if (view_.preserved > static_cast<std::uint64_t>(view_.block_size))
      return malformed("a block preserves more values than it has");
    return {};
  }

  template <class T>
  T number(std::uint64_t at) const {
    const auto bits = load<T>(view_.data, at);
    return is_turned_ ? std::byteswap(bits) : bits;
  }
  float real(std::uint64_t at) const { return std::bit_cast<float>(number<std::uint32_t>(at)); }

  std::uint16_t mask(std::size_t track) const { return number<std::uint16_t>(view_.masks_at + 2 * track); }
  static unsigned kind_of(std::uint16_t mask, const Part& part) { return mask >> part.kind_bit & 3u; }
  static bool varies(std::uint16_t mask, const Part& part, std::size_t i) {
    return (mask >> (part.first_bit + part.count - 1 - i) & 1u) != 0;
  }

  bool masks_fit() const {
    std::uint64_t varying = 0;
    for (std::size_t t = 0; t < tracks(); ++t)
      for (const Part& part : kParts) {
        const unsigned kind = kind_of(mask(t), part);
        if (kind > kIdentityPart) return false;
        for (std::size_t i = 0; kind == kVarying && i < part.count; ++i) varying += varies(mask(t), part, i);
      }
    // Float tracks take the rest.
    return view_.float_track_count == 0 ? varying == view_.component_count : varying <= view_.component_count;
  }

  std::size_t tracks() const { return static_cast<std::size_t>(view_.transform_track_count); }

  // Sets the frame that all have in common, and lists the components that vary.
  Result<void> read_frame_and_components() {
    frame_.resize(tracks() * kTransformFloats);
    std::uint64_t at = view_.constants_at;
    bool is_complete = true;
    const auto constant = [&] {
      is_complete &= at + 4 <= view_.data.size();
      const float value = is_complete ? real(at) : 0.0f;
      at += 4;
      return value;
    };
    for (std::size_t t = 0; t < tracks(); ++t)
      for (const Part& part : kParts) {
        const unsigned kind = kind_of(mask(t), part);
        for (std::size_t i = 0; i < part.count; ++i) {
          const std::size_t place = t * kTransformFloats + part.at + i;
          frame_[place] = kIdentity[part.at + i];
          if (kind == kIdentityPart) continue;
          if (kind == kVarying && varies(mask(t), part, i))
            components_.push_back({.place = place});
          else
            frame_[place] = constant();
        }
      }
    if (!is_complete) return malformed("the constants of the animation do not fit into its data");
    // Components of float tracks follow; their numbers lie in every block.
    components_.resize(view_.component_count, {.place = kNowhere});
    for (std::size_t i = 0; i < components_.size(); ++i) {
      components_[i].offset = real(view_.offsets_at + 4 * i);
      components_[i].scale = real(view_.scales_at + 4 * i);
      components_[i].width = std::to_integer<std::uint32_t>(view_.data[view_.widths_at + i]);
      if (components_[i].width > kMostBits) return malformed("a component has numbers of more than 32 bits");
    }
    return {};
  }

  std::uint64_t frames() const { return static_cast<std::uint64_t>(view_.frame_count); }
  std::uint64_t block_frames() const { return static_cast<std::uint64_t>(view_.block_size); }
  std::uint64_t blocks() const { return (frames() + block_frames() - 1) / block_frames(); }
  std::uint64_t frames_of(std::uint64_t block) const {
    return std::min(block_frames(), frames() - block * block_frames());
  }

  std::uint64_t delta_bytes(std::uint64_t count) const {
    const std::uint64_t stored = std::min<std::uint64_t>(view_.preserved, count);
    std::uint64_t size = 0;
    for (const Component& each : components_) size += 4 * stored + bytes_of_bits((count - stored) * each.width);
    return size;
  }

  Result<void> check_delta() const {
    if (frames() == 0) return {};
    const std::uint64_t whole = delta_bytes(block_frames()), last = delta_bytes(frames_of(blocks() - 1));
    const std::uint64_t size = view_.data.size() - view_.values_at;
    if (last > size || (whole > 0 && blocks() - 1 > (size - last) / whole))
      return malformed("the blocks of the animation do not fit into its data");
    return {};
  }

  // The numbers of one component, packed from the lowest bit.
  std::uint32_t bits(std::uint64_t begin, std::uint64_t first_bit, std::uint32_t width) const {
    std::uint64_t value = 0;
    const std::uint64_t at = begin + first_bit / 8, shift = first_bit % 8;
    const std::uint64_t count = std::min<std::uint64_t>(8, view_.data.size() - at);
    std::memcpy(&value, view_.data.data() + at, count);
    return static_cast<std::uint32_t>(value >> shift & ((std::uint64_t{1} << width) - 1));
  }

  static float scaled(const Component& each, std::uint32_t number) {
    const double most = static_cast<double>((std::uint64_t{1} << each.width) - 1);
    return each.width == 0
               ? each.offset
               : each.offset + static_cast<float>(static_cast<double>(number) * static_cast<double>(each.scale) / most);
  }

  void put(std::span<float> out, std::uint64_t frame, const Component& each, float value) const {
    if (each.place != kNowhere) out[frame * frame_.size() + each.place] = value;
  }

  void decode_delta(std::span<float> out) const {
    std::uint64_t at = view_.values_at;
    for (std::uint64_t b = 0; b < blocks(); ++b) {
      const std::uint64_t count = frames_of(b), stored = std::min<std::uint64_t>(view_.preserved, count);
      for (const Component& each : components_) {
        if (each.place == kNowhere) {
          at += 4 * stored + bytes_of_bits((count - stored) * each.width);
          continue;
        }
        float value = 0.0f;
        for (std::uint64_t i = 0; i < stored; ++i, at += 4) put(out, b * block_frames() + i, each, value = real(at));
        for (std::uint64_t i = stored; i < count; ++i) {
          value += scaled(each, each.width > 0 ? bits(at, (i - stored) * each.width, each.width) : 0);
          put(out, b * block_frames() + i, each, value);
        }
        at += bytes_of_bits((count - stored) * each.width);
      }
    }
  }

  Result<void> check_wavelet() const {
    if (!std::has_single_bit(block_frames())) return malformed("the blocks of a wavelet are not a power of two");
    const std::uint64_t size = view_.data.size();
    if (view_.block_count < blocks() || view_.block_index_at > size ||
        view_.block_count > (size - view_.block_index_at) / 4)
      return malformed("the index of the blocks does not fit into the data");
    // Blocks lie one after another, so that no byte is decoded twice.
    std::uint64_t end = view_.values_at;
    for (std::uint64_t b = 0; b < blocks(); ++b) {
      if (start_of(b) < end) return malformed("the blocks of the wavelet are not in order");
      MARROW_TRY(end, wavelet_block_end(start_of(b)));
    }
    return {};
  }

  std::uint64_t start_of(std::uint64_t block) const {
    return std::uint64_t{view_.values_at} + number<std::uint32_t>(view_.block_index_at + 4 * block);
  }

  // Counts the coefficients that are stored: a 1 in the mask stands for a coefficient of 0.
  std::uint64_t stored_count(std::uint64_t mask_at, std::uint64_t bits_in_mask) const {
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < bits_in_mask; ++i) count += !is_zero(mask_at, i);
    return count;
  }
  bool is_zero(std::uint64_t mask_at, std::uint64_t i) const {
    return (std::to_integer<unsigned>(view_.data[mask_at + i / 8]) >> i % 8 & 1u) != 0;
  }

  Result<std::uint64_t> wavelet_block_end(std::uint64_t at) const {
    const std::uint64_t size = view_.data.size(), masked = block_frames() - view_.preserved,
                        head = 4 * std::uint64_t{view_.preserved} + bytes_of_bits(masked);
    for (const Component& each : components_) {
      if (at > size || head > size - at) return malformed("a block of the wavelet is cut off");
      const std::uint64_t stored = stored_count(at + 4 * std::uint64_t{view_.preserved}, masked);
      at += head + bytes_of_bits(stored * each.width);
    }
    if (at > size) return malformed("a block of the wavelet is cut off");
    return at;
  }

  void decode_wavelet(std::span<float> out) const {
    const std::uint64_t masked = block_frames() - view_.preserved;
    std::vector<float> coefficients(block_frames()), values(block_frames()), finer(block_frames());
    for (std::uint64_t b = 0; b < blocks(); ++b) {
      std::uint64_t at = start_of(b);
      for (const Component& each : components_) {
        for (std::uint64_t i = 0; i < view_.preserved; ++i, at += 4) coefficients[i] = real(at);
        const std::uint64_t mask_at = at, numbers = at + bytes_of_bits(masked);
        std::uint64_t stored = 0;
        for (std::uint64_t i = 0; i < masked; ++i) {
          float& value = coefficients[view_.preserved + i];
          value = 0.0f;
          if (!is_zero(mask_at, i))
            value = scaled(each, each.width > 0 ? bits(numbers, stored++ * each.width, each.width) : 0);
        }
        at = numbers + bytes_of_bits(stored * each.width);
        lift(coefficients, values, finer);
        for (std::uint64_t i = 0; i < frames_of(b); ++i) put(out, b * block_frames() + i, each, values[i]);
      }
    }
  }

  // The 5/3 lifting wavelet with mirrored ends, from coarse to fine.
  static void lift(std::span<const float> coefficients, std::span<float> values, std::span<float> finer) {
    values[0] = coefficients[0];
    for (std::size_t n = 1; n < coefficients.size(); n *= 2) {
      const auto details = coefficients.subspan(n, n);
      for (std::size_t i = 0; i < n; ++i) finer[2 * i] = values[i] - (details[i > 0 ? i - 1 : 0] + details[i]) / 4;
      for (std::size_t i = 0; i < n; ++i)
        finer[2 * i + 1] = details[i] + (finer[2 * i] + finer[2 * std::min(i + 1, n - 1)]) / 2;
      std::copy_n(finer.begin(), 2 * n, values.begin());
    }
  }

  // A W of 2 or -2 stands for one that follows from the other components, with that sign.
  Result<void> finish_rotations(std::span<float> out) const {
    constexpr float kComputed = 1.5f;
    const std::size_t count = static_cast<std::size_t>(frames()) * tracks();
    for (std::size_t i = 0; i < count; ++i) {
      const auto transform = out.subspan(i * kTransformFloats, kTransformFloats);
      if (!std::ranges::all_of(transform, [](float v) { return std::isfinite(v); }))
        return malformed("the animation has a value that is not finite");
      const auto q = transform.subspan(3, 4);
      const float xyz = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
      if (std::abs(q[3]) > kComputed) q[3] = std::copysign(std::sqrt(std::max(0.0f, 1.0f - xyz)), q[3]);
      const float length = std::sqrt(xyz + q[3] * q[3]);
      for (float& v : q) v = length > 0.0f ? v / length : 0.0f;
      if (!(length > 0.0f)) q[3] = 1.0f;
    }
    return {};
  }

  static constexpr std::size_t kNowhere = SIZE_MAX;

  BlockMotionView view_;
  bool is_turned_ = false;
  std::vector<float> frame_;           // what all frames have in common
  std::vector<Component> components_;  // in the order of the file
};

}  // namespace

Result<void> validate_block_motion(const BlockMotionView& view) { return Decoder(view).prepare(); }

Result<void> decode_block_motion(const BlockMotionView& view, std::span<float> transforms) {
  Decoder decoder(view);
  MARROW_CHECK(decoder.prepare());
  return decoder.decode(transforms);
}

}  // namespace marrow::codec
