// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/codec/spline_blob.h"

// A plain decoder of spline data, written from docs/formats/spline-animation.md alone and with nothing of src/codec but
// the names of the fields: control points are unpacked once, and a sample searches its span and runs de Boor's
// algorithm in double precision. The fast sampler is measured and tested against it. It trusts its input.

namespace marrow::bench {

class ReferenceDecoder {
 public:
  explicit ReferenceDecoder(const codec::SplineBlobView& view);
  /// Ten floats per track; `frame` lies inside the clip.
  void sample(double frame, float* pose) const;

 private:
  struct Curve {
    int dimensions = 0;
    int degree = 0;
    std::vector<int> knots;        ///< empty where the channel is still
    std::vector<double> controls;  ///< one point where the channel is still
  };
  struct Track {
    Curve translation, rotation, scale;
  };

  static void evaluate(const Curve& curve, double frame, double* out);

  int stride_;
  std::vector<std::vector<Track>> blocks_;
};

}  // namespace marrow::bench
