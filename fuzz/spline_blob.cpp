// SPDX-License-Identifier: MIT
// Spline data (spline_input.h). The reader and the sampler take the same input or refuse the same; what is read writes
// and reads again.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "marrow/codec/compiled_clip.h"
#include "spline_input.h"

using namespace marrow;
using namespace marrow::codec;

namespace {

void expect(bool held) {
  if (!held) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto input = fuzz::read_spline_input(std::as_bytes(std::span(data, size)));
  if (!input) return 0;
  const SplineBlobView& view = input->view;
  const auto blob = read_spline_blob(view);
  const auto clip = compile_clip(view, 1.0, {.max_bytes = std::size_t{1} << 26});
  if (!blob) {
    expect(!clip);
    return 0;
  }
  const auto bytes = write_spline_blob(*blob);
  expect(bytes.has_value());
  SplineBlobView again = view;
  again.block_offsets = bytes->block_offsets;
  again.float_block_offsets = bytes->float_block_offsets;
  again.data = bytes->data;
  const auto back = read_spline_blob(again);
  expect(back.has_value() && *back == *blob);
  if (!clip) return 0;
  std::vector<float> pose(clip->pose_floats()), floats(clip->float_track_count());
  for (const double frame : {0.0, 0.5, view.frame_count / 2.0, static_cast<double>(view.frame_count)}) {
    sample_frame(*clip, frame, pose);
    sample_floats(*clip, frame, floats);
    expect(std::ranges::none_of(pose, [](float value) { return std::isnan(value); }));
  }
  return 0;
}
