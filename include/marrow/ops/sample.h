// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "marrow/marrow.h"
#include "marrow/model/transform.h"
#include "marrow/ops/describe.h"

namespace marrow {

/// The space that transforms are in.
enum class Space : std::uint8_t { Local, Model };
template <>
struct ChoiceWords<Space> {
  static constexpr std::array<std::string_view, 2> words = {"local", "model"};
};

struct SampleOptions {
  std::vector<double> frames = {};     ///< which frames, fractional ones too; empty: as `fps` says
  std::optional<double> fps = {};      ///< so many poses per second; none: every whole frame
  std::size_t clip = 0;                ///< of a document that holds several
  Space space = Space::Local;          ///< model space needs the skeleton
  const Skeleton* skeleton = nullptr;  ///< by default the document's own, or the one near it
};

struct SampledPose {
  double frame = 0.0;
  std::vector<Transform> tracks;
};

struct SampleReport {
  std::vector<SampledPose> poses = {};
  std::vector<std::int32_t> tracks = {};  ///< the track of each entry of a pose; in model space only those with a bone

  Json columns = {}, rows = {};  ///< the same as a table; made by `describe`

  /// Returns `frame,track,tx,...,sz` with a header line; numbers read back as the same bits.
  SavedFile text() const;
};

void describe(FieldList& fields, SampleOptions& options);
void describe(FieldList& fields, SampleReport& report);

/// Samples a clip. Frames outside the clip take its ends, with a note. Needs `Parts::Clips`. Fails with `NoClip` or
/// `NeedsSkeleton`.
Result<SampleReport> sample(const Document& document, const SampleOptions& options, Context& context);

}  // namespace marrow
