// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

struct RootMotionShowOptions {};

/// Root motion as a table.
struct RootMotionShown {
  std::int32_t frames = 0;         ///< of the clip
  std::vector<Vec4> samples = {};  ///< x, y, z in units, the turn in radians
  std::vector<double> at = {};     ///< the frame of each sample
  Vec3 moved{0.0f};                ///< from the first sample to the last
  float turned_degrees = 0.0f;

  /// Returns `frame,x,y,z,turn`, the turn in radians, with a header line; numbers read back as the same bits.
  SavedFile text() const;
};

/// Sets root motion: from a table, or as an even motion.
struct RootMotionSetOptions {
  std::string_view motion = {};     ///< a table as `RootMotionShown::text` writes it
  std::optional<Vec3> move = {};    ///< where the character is at the end, in units
  std::optional<double> turn = {};  ///< how far it has turned by then, in degrees
};

/// Moves the way of a bone into root motion.
struct RootMotionExtractOptions {
  std::string bone = {};
  bool vertical = false;  ///< the height too
  bool no_turn = false;   ///< leaves the turn in the bone
  const Skeleton* skeleton = nullptr;
  EncodingBound bound = {};  ///< of the motion that is encoded
};

/// Moves root motion into a bone.
struct RootMotionBakeOptions {
  std::string bone = {};  ///< by default every bone without a parent
  const Skeleton* skeleton = nullptr;
  EncodingBound bound = {};  ///< of the motion that is encoded
};

struct RootMotionScaleOptions {
  double factor = 1.0;
};

struct RootMotionRemoveOptions {};

/// Root motion as events, for Skyrim's plugins that read it there.
struct RootMotionToEventsOptions {
  double max_error = 0.01;  ///< units, and degrees: how far the motion between events may be from the samples
  bool keep = false;        ///< leaves the root motion in the clip as well
};

struct RootMotionFromEventsOptions {
  bool keep = false;  ///< leaves the events in the clip as well
};

struct RootMotionReport {
  bool had_motion = false, has_motion = false;
  Vec3 moved{0.0f};  ///< from the first sample to the last, after the edit
  float turned_degrees = 0.0f;
};

void describe(FieldList& fields, RootMotionShowOptions& options);
void describe(FieldList& fields, RootMotionShown& report);
void describe(FieldList& fields, RootMotionSetOptions& options);
void describe(FieldList& fields, RootMotionExtractOptions& options);
void describe(FieldList& fields, RootMotionBakeOptions& options);
void describe(FieldList& fields, RootMotionScaleOptions& options);
void describe(FieldList& fields, RootMotionRemoveOptions& options);
void describe(FieldList& fields, RootMotionToEventsOptions& options);
void describe(FieldList& fields, RootMotionFromEventsOptions& options);
void describe(FieldList& fields, RootMotionReport& report);

/// All of them work on every clip of a document and fail with `NoClip` if it has none. Extracting and baking need
/// `Parts::Frames`, and the skeleton unless the bone is that of a named first track; the others need `Parts::Clips`.
Result<RootMotionShown> show_root_motion(const Document& document, const RootMotionShowOptions& options,
                                         Context& context);
Result<RootMotionReport> set_root_motion(Document& document, const RootMotionSetOptions& options, Context& context);
Result<RootMotionReport> extract_root_motion(Document& document, const RootMotionExtractOptions& options,
                                             Context& context);
Result<RootMotionReport> bake_root_motion(Document& document, const RootMotionBakeOptions& options, Context& context);
Result<RootMotionReport> scale_root_motion(Document& document, const RootMotionScaleOptions& options, Context& context);
Result<RootMotionReport> remove_root_motion(Document& document, const RootMotionRemoveOptions& options,
                                            Context& context);

/// Writes root motion as events of the first track, `animmotion X Y Z` (units since the start) and
/// `animrotation DEGREES`, the last of each at the end of the clip. Between events the motion is even. Events of the
/// kind that the clip has already are replaced.
Result<RootMotionReport> root_motion_to_events(Document& document, const RootMotionToEventsOptions& options,
                                               Context& context);
/// Makes root motion of such events, one sample per frame, and removes them. Notes events that the plugins would not
/// understand, and an end that comes before that of the clip. Fails with `NotFound` if no clip has any.
Result<RootMotionReport> root_motion_from_events(Document& document, const RootMotionFromEventsOptions& options,
                                                 Context& context);

/// Returns what an edit of root motion reports.
RootMotionReport root_motion_report(const Clip& clip, bool had_motion);

}  // namespace marrow
