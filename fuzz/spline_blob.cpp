// SPDX-License-Identifier: MIT
// Spline data (spline_input.h). The reader and the sampler take the same input or refuse the same, in both compiled
// forms; what is read writes and reads again.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "limits.h"
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
  const auto compiled = [&](CompiledForm form) {
    return compile_clip(view, 1.0, {.max_bytes = fuzz::kMaxExpandedBytes, .form = form});
  };
  const auto clip = compiled(CompiledForm::Hot), compact = compiled(CompiledForm::Compact);
  if (!blob) {
    expect(!clip && !compact);
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
  for (const auto* each : {&clip, &compact}) {
    if (!*each) continue;
    std::vector<float> pose((*each)->pose_floats()), floats((*each)->float_track_count());
    for (const double frame : {0.0, 0.5, view.frame_count / 2.0, static_cast<double>(view.frame_count)}) {
      sample_frame(**each, frame, pose);
      sample_floats(**each, frame, floats);
      expect(std::ranges::none_of(pose, [](float value) { return std::isnan(value); }));
    }
  }
  return 0;
}
