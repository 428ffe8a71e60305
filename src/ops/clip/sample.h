// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "marrow/model/transform.h"
#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

/// The space that transforms are in.
enum class Space : std::uint8_t { Local, Model };
template <>
struct ChoiceWords<Space> {
  static constexpr std::array<std::string_view, 2> words = {"local", "model"};
};

/// A clip of several: its name, else its number, counted from 0.
struct ClipChoice {
  std::string text = "0";

  /// Returns the index among clips of these names. Fails with `NoClip`.
  Result<std::size_t> among(const std::vector<std::string>& names) const;
};
namespace described {
template <>
struct Traits<ClipChoice> {
  static void fill(FieldInfo& info) { info.type = FieldType::Integer; }
  static Json get(const ClipChoice& clip);
  static Result<void> set(ClipChoice& clip, const Json& json, const FieldInfo& info);
};
}  // namespace described

struct SampleOptions {
  std::vector<double> frames = {};            ///< which frames, fractional ones too; empty: as `fps` says
  std::optional<double> fps = {};             ///< so many poses per second; none: every whole frame
  ClipChoice clip = {};                       ///< of a document that holds several
  Space space = Space::Local;                 ///< model space needs the skeleton
  bool floats = false;                        ///< the float tracks instead
  const Skeleton* skeleton = nullptr;         ///< by default the document's own, or the one near it
  const Skeleton* second_skeleton = nullptr;  ///< of the second actor of a paired clip; by default the first's

  /// Returns what is sampled of a document. Motion of other programs is sampled as its file has it, so that files of
  /// which no clip can be made can be looked at.
  Parts parts_of(const Document& document) const {
    return document.motion_source() ? Parts::None : Parts::Skeletons | Parts::Clips;
  }
};

struct SampledPose {
  double frame = 0.0;
  std::vector<Transform> tracks = {};
  std::vector<float> floats = {};
};

struct SampleReport {
  std::vector<SampledPose> poses = {};
  /// The track of each entry of a pose, in model space only those with a bone; of float tracks, the slot.
  std::vector<std::int32_t> tracks = {};
  /// The bone of each entry, or the name of the slot; empty if no skeleton was given.
  std::vector<std::string> names = {};
  bool has_floats = false;

  Json columns = {}, rows = {};  ///< the same as a table; made by `describe`

  /// Returns `frame,track,tx,...,sz`, with a skeleton also `bone`, or for float tracks `frame,slot,value`, with a
  /// skeleton also `name`. The first line is a header; numbers read back as the same bits.
  SavedFile text() const;
};

void describe(FieldList& fields, SampleOptions& options);
void describe(FieldList& fields, SampleReport& report);

/// Samples a clip. Of FBX and BVH the frames are those of the file, and so are units and axes. Frames outside the clip
/// take its ends, with a note. In model space an additive clip is applied to the rest pose. Needs `Parts::Clips`. Fails
/// with `NoClip` or `NeedsSkeleton`.
Result<SampleReport> sample(const Document& document, const SampleOptions& options, Context& context);

}  // namespace marrow
