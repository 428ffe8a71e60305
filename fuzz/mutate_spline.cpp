// SPDX-License-Identifier: MIT
// Mutates spline data: masks, knots, degrees and quantisation. Half of the mutations are made in the parsed clip and
// written again, so that lengths and offsets fit; the others damage stored bytes by what they are.
#include "mutate.h"

#include "codec/bspline.h"
#include "spline_input.h"

using namespace marrow;
using namespace marrow::codec;
using namespace marrow::fuzz;

namespace {

constexpr std::array kQuaternions = {QuaternionEncoding::Polar32, QuaternionEncoding::ThreeComp40,
                                     QuaternionEncoding::ThreeComp48, QuaternionEncoding::Uncompressed};
constexpr std::array kScalars = {ScalarEncoding::Bits8, ScalarEncoding::Bits16};
constexpr std::array kNumbers = {0.0f, 1.0f, -1.0f, 1e-40f, 1e15f, -1e30f, 1e30f};

class SplineMutator {
 public:
  SplineMutator(SplineBlob& blob, Chooser& choose) : blob_(blob), choose_(choose) {}

  void run() {
    const std::size_t block = choose_.below(blob_.blocks.size());
    last_frame_ = frames_in_block(blob_.frame_count, blob_.max_frames_per_block, static_cast<std::uint32_t>(block)) - 1;
    SplineBlock& chosen = blob_.blocks[block];
    if (choose_.one_in(8)) return change_tracks();
    if (choose_.one_in(8)) return change_frames();
    if (!chosen.floats.empty() && (chosen.transforms.empty() || choose_.one_in(4)))
      return change(chosen.floats[choose_.below(chosen.floats.size())]);
    if (chosen.transforms.empty()) return change_tracks();
    TransformTrack& track = chosen.transforms[choose_.below(chosen.transforms.size())];
    switch (choose_.below(3)) {
      case 0: change(track.translation); break;
      case 1: change(track.rotation); break;
      default: change(track.scale); break;
    }
  }

 private:
  // One track more or less in all blocks.
  void change_tracks() {
    const bool adds = choose_.one_in(2), is_float = choose_.one_in(3);
    for (SplineBlock& block : blob_.blocks) {
      if (is_float)
        block.floats.resize(adds ? block.floats.size() + 1 : block.floats.size() / 2);
      else
        block.transforms.resize(adds ? block.transforms.size() + 1 : block.transforms.size() / 2);
    }
  }

  // Other lengths of clip and blocks. Knots that do not fit any more are the reader's to refuse.
  void change_frames() {
    blob_.max_frames_per_block = choose_.one_in(2) ? 256 : static_cast<std::uint32_t>(2 + choose_.below(32));
    blob_.frame_count = static_cast<std::uint32_t>(1 + choose_.below(4 * blob_.max_frames_per_block));
    blob_.blocks.resize(block_count_for(blob_.frame_count, blob_.max_frames_per_block), blob_.blocks.front());
  }

  /// A new curve, or a knot or the degree of the old one.
  void change(SplineShape& shape) {
    if (!shape.knots.empty() && choose_.one_in(3)) {
      shape.knots[choose_.below(shape.knots.size())] = static_cast<std::uint8_t>(choose_.below(last_frame_ + 2));
    } else if (!shape.knots.empty() && choose_.one_in(4)) {
      shape.degree = static_cast<std::uint8_t>(choose_.below(5));
    } else {
      shape.degree = static_cast<std::uint8_t>(choose_.below(kMaxDegree + 1));
      const std::size_t ends = std::size_t{shape.degree} + 1;
      shape.knots.assign(2 * ends + choose_.below(6), static_cast<std::uint8_t>(last_frame_));
      std::fill_n(shape.knots.begin(), ends, std::uint8_t{0});
      for (std::size_t i = ends; i < shape.knots.size() - ends; ++i)
        shape.knots[i] = static_cast<std::uint8_t>(choose_.below(last_frame_ + 1));
      std::ranges::sort(shape.knots);
    }
    if (shape.knots.size() < std::size_t{shape.degree} + 2)
      shape = {.knots = {0, static_cast<std::uint8_t>(last_frame_)}};
  }

  ScalarRange any_range() { return {choose_.one_of(kNumbers), choose_.one_of(kNumbers)}; }

  template <class Codes>
  void fill_codes(Codes& codes, std::size_t count, std::uint32_t limit) {
    codes.resize(count);
    for (auto& code : codes)
      code = static_cast<typename Codes::value_type>(choose_.one_in(4) ? limit : choose_.bits() & limit);
  }

  void change(VectorChannel& channel) {
    if (choose_.one_in(3)) channel.flags = static_cast<std::uint8_t>(choose_.bits() & 0x77);
    channel.encoding = choose_.one_of(kScalars);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool is_static = channel.is_static(axis), is_spline = channel.is_spline(axis);
      channel.range[axis] = is_static || is_spline ? any_range() : ScalarRange{};
      if (is_static) channel.range[axis].high = channel.range[axis].low;
    }
    if ((channel.flags & kSplineAxes) != 0)
      change(channel.shape);
    else
      channel.shape = {};
    fill_codes(channel.codes, channel.shape.control_count() * channel.spline_axis_count(),
               code_limit(channel.encoding));
  }

  void change(RotationChannel& channel) {
    if (choose_.one_in(3)) channel.flags = static_cast<std::uint8_t>(choose_.bits());
    channel.encoding = choose_.one_of(kQuaternions);
    if ((channel.flags & kSplineRotation) != 0)
      change(channel.shape);
    else
      channel.shape = {};
    const std::size_t count = channel.shape.knots.empty() ? channel.flags != 0 : channel.shape.control_count();
    channel.codes.resize(count * packed_bytes(channel.encoding));
    for (std::byte& code : channel.codes) code = static_cast<std::byte>(choose_.bits());
    if (channel.encoding != QuaternionEncoding::Uncompressed) return;
    for (std::size_t at = 0; at < channel.codes.size(); at += 4) {
      const float number = choose_.one_of(kNumbers);
      std::memcpy(channel.codes.data() + at, &number, 4);
    }
  }

  void change(FloatTrack& track) {
    track.mask = static_cast<std::uint8_t>(choose_.bits() & 0x13);
    track.range = track.is_static() || track.is_spline() ? any_range() : ScalarRange{};
    if (track.is_static()) track.range.high = track.range.low;
    if (track.is_spline())
      change(track.shape);
    else
      track.shape = {};
    fill_codes(track.codes, track.shape.control_count(), code_limit(track.encoding()));
  }

  SplineBlob& blob_;
  Chooser& choose_;
  std::uint32_t last_frame_ = 0;
};

// A mask byte, an offset of the tables, or the data.
void damage_stored(Bytes file, const SplineInput& input, Chooser& choose) {
  const Bytes data = file.subspan(input.data_start);
  const auto masks = static_cast<std::size_t>(input.view.mask_bytes);
  switch (choose.below(3)) {
    case 0: {
      const std::size_t at = (input.offsets.empty() ? 0 : choose.one_of(input.offsets)) + choose.below(masks);
      if (at < data.size()) data[at] = static_cast<std::uint8_t>(choose.bits());
      break;
    }
    case 1:
      if (!input.offsets.empty())
        set_word(file, 6 + 4 * choose.below(2 * input.offsets.size()),
                 choose.one_in(2) ? choose.one_of(kEdges) : static_cast<std::uint32_t>(choose.below(data.size() + 1)));
      break;
    default: damage_in_place(data, choose); break;
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  Chooser choose(seed);
  const auto input = read_spline_input(std::as_bytes(std::span(data, size)));
  if (!input || choose.one_in(8)) return LLVMFuzzerMutate(data, size, max_size);
  if (auto blob = read_spline_blob(input->view); blob && choose.one_in(2)) {
    SplineMutator(*blob, choose).run();
    if (const auto bytes = write_spline_input(*blob); bytes && bytes->size() <= max_size) {
      std::memcpy(data, bytes->data(), bytes->size());
      return bytes->size();
    }
  }
  damage_stored({data, size}, *input, choose);
  return size;
}
