// SPDX-License-Identifier: MIT
#include "reference_decoder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace marrow::bench {
namespace {

class Cursor {
 public:
  Cursor(const std::byte* block) : block_(block) {}
  template <class T>
  T read() {
    T value;
    std::memcpy(&value, block_ + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  void align(std::size_t to) { at_ = (at_ + to - 1) / to * to; }
  int header(std::vector<int>& knots, int& degree) {
    const int controls = read<std::uint16_t>() + 1;
    degree = read<std::uint8_t>();
    for (int i = 0; i < controls + degree + 1; ++i) knots.push_back(read<std::uint8_t>());
    return controls;
  }

 private:
  const std::byte* block_;
  std::size_t at_ = 0;
};

void read_rotation(Cursor& cursor, int kind, std::vector<double>& out) {
  double q[4] = {0, 0, 0, 0};
  if (kind == 1 || kind == 2) {
    int parts[3], omitted, sign;
    double step;
    if (kind == 1) {
      std::uint64_t bits = 0;
      for (int i = 0; i < 5; ++i) bits |= std::uint64_t{cursor.read<std::uint8_t>()} << (8 * i);
      for (int i = 0; i < 3; ++i) parts[i] = static_cast<int>((bits >> (12 * i)) & 4095) - 2047;
      omitted = static_cast<int>(bits >> 36) & 3;
      sign = static_cast<int>(bits >> 38) & 1;
      step = std::sqrt(0.5) / 2047;
    } else {
      int words[3];
      for (int& word : words) word = cursor.read<std::uint16_t>();
      for (int i = 0; i < 3; ++i) parts[i] = (words[i] & 32767) - 16383;
      omitted = (words[0] >> 15) | (words[1] >> 15) << 1;
      sign = words[2] >> 15;
      step = std::sqrt(0.5) / 16383;
    }
    double rest = 1.0;
    for (int i = 0, part = 0; i < 4; ++i) {
      if (i == omitted) continue;
      q[i] = parts[part++] * step;
      rest -= q[i] * q[i];
    }
    q[omitted] = std::sqrt(std::max(0.0, rest)) * (sign ? -1 : 1);
  } else if (kind == 0) {
    const auto code = cursor.read<std::uint32_t>();
    const double r = ((code >> 18) & 1023) / 1023.0, w = 1 - r * r, m = std::sqrt(1 - w * w);
    const int t = static_cast<int>(code & 0x3FFFF), ring = static_cast<int>(std::floor(std::sqrt(double(t))));
    const double theta = ring ? std::numbers::pi / 4 * (t - ring * ring) / ring : 0,
                 phi = ring * (std::numbers::pi / 2) / 511;
    const double unsigned_q[4] = {std::sin(phi) * std::cos(theta) * m, std::sin(phi) * std::sin(theta) * m,
                                  std::cos(phi) * m, w};
    for (int i = 0; i < 4; ++i) q[i] = (code >> (28 + i)) & 1 ? -unsigned_q[i] : unsigned_q[i];
  } else {
    for (double& lane : q) lane = cursor.read<float>();
  }
  out.insert(out.end(), q, q + 4);
}

}  // namespace

ReferenceDecoder::ReferenceDecoder(const codec::SplineBlobView& view)
    : stride_(static_cast<int>(view.max_frames_per_block) - 1) {
  constexpr std::size_t kAlignment[] = {4, 1, 2, 1, 2, 4};
  for (const std::uint32_t offset : view.block_offsets) {
    const std::byte* block = view.data.data() + offset;
    Cursor cursor(block);
    for (std::int64_t i = 0; i < view.mask_bytes; ++i) cursor.read<std::uint8_t>();
    std::vector<Track> tracks(static_cast<std::size_t>(view.transform_track_count));
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      const auto mask = [&](std::size_t byte) { return std::to_integer<int>(block[i * 4 + byte]); };
      const auto vector = [&](Curve& curve, int flags, int bits16, double identity) {
        curve.dimensions = 3;
        double low[3], high[3];
        int points = 1;
        if (flags & 0x70) {
          points = cursor.header(curve.knots, curve.degree);
          cursor.align(4);
        }
        bool moves[3];
        for (int axis = 0; axis < 3; ++axis) {
          moves[axis] = !(flags >> axis & 1) && (flags >> (4 + axis) & 1);
          low[axis] = high[axis] = identity;
          if (flags >> axis & 1) low[axis] = cursor.read<float>();
          if (moves[axis]) low[axis] = cursor.read<float>(), high[axis] = cursor.read<float>();
        }
        for (int p = 0; p < points; ++p)
          for (int axis = 0; axis < 3; ++axis) {
            double value = low[axis];
            if (moves[axis])
              value += (high[axis] - low[axis]) *
                       (bits16 ? cursor.read<std::uint16_t>() / 65535.0 : cursor.read<std::uint8_t>() / 255.0);
            curve.controls.push_back(value);
          }
        cursor.align(4);
      };
      vector(tracks[i].translation, mask(1), mask(0) & 3, 0.0);
      Curve& rotation = tracks[i].rotation;
      rotation.dimensions = 4;
      const int kind = (mask(0) >> 2) & 15;
      int points = mask(2) ? 1 : 0;
      if (mask(2) & 0xF0) points = cursor.header(rotation.knots, rotation.degree);
      if (mask(2)) cursor.align(kAlignment[kind]);
      for (int p = 0; p < points; ++p) read_rotation(cursor, kind, rotation.controls);
      if (!points) rotation.controls = {0, 0, 0, 1};
      cursor.align(4);
      vector(tracks[i].scale, mask(3), mask(0) >> 6, 1.0);
    }
    blocks_.push_back(std::move(tracks));
  }
}

void ReferenceDecoder::evaluate(const Curve& curve, double frame, double* out) {
  const std::size_t dimensions = static_cast<std::size_t>(curve.dimensions);
  const int last_control = static_cast<int>(curve.controls.size() / dimensions) - 1;
  if (curve.knots.empty() || curve.knots.back() == 0) {
    std::copy_n(curve.controls.begin(), curve.dimensions, out);
    return;
  }
  const auto knot = [&](int i) { return curve.knots[static_cast<std::size_t>(i)]; };
  int span = curve.degree;
  while (span < last_control && (frame >= knot(span + 1) || knot(span) == knot(span + 1))) ++span;
  while (knot(span) == knot(span + 1)) --span;
  for (std::size_t d = 0; d < dimensions; ++d) {
    double triangle[4];
    for (int j = 0; j <= curve.degree; ++j)
      triangle[j] = curve.controls[static_cast<std::size_t>(span - curve.degree + j) * dimensions + d];
    for (int r = 1; r <= curve.degree; ++r)
      for (int j = curve.degree; j >= r; --j) {
        const double left = knot(span - curve.degree + j), right = knot(span + 1 + j - r);
        const double alpha = (frame - left) / (right - left);
        triangle[j] = (1 - alpha) * triangle[j - 1] + alpha * triangle[j];
      }
    out[d] = triangle[curve.degree];
  }
}

void ReferenceDecoder::sample(double frame, float* pose) const {
  const int block = std::min(static_cast<int>(frame) / stride_, static_cast<int>(blocks_.size()) - 1);
  const double local = frame - static_cast<double>(block) * stride_;
  for (const Track& track : blocks_[static_cast<std::size_t>(block)]) {
    double value[10];
    evaluate(track.translation, local, value);
    evaluate(track.rotation, local, value + 3);
    evaluate(track.scale, local, value + 7);
    const double length =
        std::sqrt(value[3] * value[3] + value[4] * value[4] + value[5] * value[5] + value[6] * value[6]);
    for (int i = 3; i < 7; ++i) value[i] /= length;
    for (const double number : value) *pose++ = static_cast<float>(number);
  }
}

}  // namespace marrow::bench
