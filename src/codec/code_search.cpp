// SPDX-License-Identifier: MIT
#include "codec/code_search.h"

#include <algorithm>

#include "codec/quaternion_lattice.h"

namespace marrow::codec {

std::vector<CodedRotation> codes_near(const Quaternion& rotation) {
  const fit::QuaternionLattice& lattice = fit::kLattice40;
  const fit::Point unit = fit::normalised({rotation[0], rotation[1], rotation[2], rotation[3]});
  const ThreeComponentCode middle = lattice.closest(unit);
  const auto coded = [](const ThreeComponentCode& code) {
    return CodedRotation{code, dequantise(QuaternionEncoding::ThreeComp40, code)};
  };
  std::vector<CodedRotation> codes = {coded(middle)};
  for (int cell = 0; cell < 27; ++cell) {
    ThreeComponentCode code = middle;
    code.parts[0] += cell % 3 - 1;
    code.parts[1] += cell / 3 % 3 - 1;
    code.parts[2] += cell / 9 - 1;
    if (code != middle && lattice.contains(code)) codes.push_back(coded(code));
  }
  return codes;
}

SplineBlob coded_tracks(std::span<const std::vector<ThreeComponentCode>> tracks) {
  SplineBlob blob{.frame_count = static_cast<std::uint32_t>(tracks.front().size())};
  blob.blocks.resize(block_count_for(blob.frame_count, blob.max_frames_per_block));
  for (std::size_t b = 0; b < blob.blocks.size(); ++b) {
    const auto block = static_cast<std::uint32_t>(b);
    const std::size_t first = block * blob.stride();
    const std::size_t count = frames_in_block(blob.frame_count, blob.max_frames_per_block, block);
    for (const std::vector<ThreeComponentCode>& track : tracks) {
      RotationChannel& channel = blob.blocks[b].transforms.emplace_back().rotation;
      channel.flags = kSplineRotation;
      channel.shape.degree = 1;
      channel.shape.knots.push_back(0);
      channel.codes.resize(count * 5);
      for (std::size_t f = 0; f < count; ++f) {
        channel.shape.knots.push_back(static_cast<std::uint8_t>(f));
        pack_code(channel.encoding, track[first + f], std::span(channel.codes).subspan(f * 5, 5));
      }
      channel.shape.knots.push_back(static_cast<std::uint8_t>(count - 1));
    }
  }
  return blob;
}

}  // namespace marrow::codec
