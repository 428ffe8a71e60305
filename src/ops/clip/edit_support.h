// SPDX-License-Identifier: MIT
// What edits of motion share: which clips, which frames, curves or stored frames, and putting parts together.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/ops/document/context.h"
#include "ops/clip/edit.h"

namespace marrow {

/// Returns a count or an index of a clip as a size; negative ones are 0.
constexpr std::size_t count_of(std::int32_t count) { return count > 0 ? static_cast<std::size_t>(count) : 0; }

/// Calls `edit` with each clip that is to be edited and the report of it. Fills what every report has, names the clip
/// in errors, and reports progress.
Result<ClipEditReport> for_each_clip(Document& document, const ClipEditOptions& options, Context& context,
                                     const std::function<Result<void>(DocumentClip&, EditedClip&)>& edit);

/// Frames of a range, both included.
struct FrameRange {
  std::int32_t first = 0, last = 0;
};
/// Fails with `BadOption` if an end is given twice, does not exist, or `least` frames do not lie in it. An end past the
/// clip is its last frame, with a note.
Result<FrameRange> frames_of(const Clip& clip, const ClipRange& range, std::int32_t least, Context& context);
/// Returns how long a fade outside of a range takes. It takes a frame at least: knots lie on whole frames, so that
/// nothing changes faster.
double fade_frames(double seconds, const Clip& clip);
/// Returns a range with the frames of a fade on either side.
FrameRange with_fade(FrameRange range, double fade_frames, std::int32_t frame_count);
/// Returns the whole frame nearest to a time.
std::int32_t frame_at(const Clip& clip, double seconds);

/// Returns the curves of a clip; nothing if it stores frames. Fails if the motion cannot be decoded.
Result<std::optional<codec::SplineBlob>> curves_of(const DocumentClip& clip, const Limits& limits);
/// Makes curves the motion of a clip.
Result<void> set_curves(DocumentClip& clip, const codec::SplineBlob& blob);
/// Returns the clip with its frames.
Result<Clip> with_frames(const DocumentClip& clip, const Limits& limits);

/// Returns the motion at every quarter of a frame, as a clip of four times as many frames: what an edit makes of these
/// is followed between frames too. A clip that stores frames gives those.
Result<Clip> with_quarters(const DocumentClip& clip, const Limits& limits);
/// Rows per frame of what `with_quarters` gives.
std::uint32_t quarters_of(const DocumentClip& clip);

/// Returns a clip of `frames` frame intervals that `make` gives out of two clips: `motion::crossfade` and the like. It
/// follows what they give of quarters of frames if both clips are curves.
Result<DocumentClip> made_between(const DocumentClip& a, const DocumentClip& b, std::int32_t frames,
                                  Clip (*make)(const Clip&, const Clip&, std::int32_t), const ClipEditOptions& options,
                                  EditedClip& report, Context& context);

/// Encodes the frames of a clip, or the rows that `with_quarters` gave.
Result<codec::EncodedSpline> encode_frames(const Clip& clip, const ClipEditOptions& options, Context& context,
                                           std::uint32_t rows_per_frame = 1);

/// Makes rows the motion of a clip, which is `header` otherwise: stored frames if there is one row per frame, else
/// curves that follow all rows.
Result<void> set_rows(DocumentClip& clip, Clip header, Clip rows, std::uint32_t rows_per_frame,
                      const ClipEditOptions& options, EditedClip& report, Context& context);

/// A run of frames of a clip.
struct MotionPart {
  const DocumentClip* clip = nullptr;
  std::int32_t first = 0, last = 0;
  bool is_reversed = false;
  std::int32_t stretch = 1;
};
/// Replaces a clip by parts of clips, which may be parts of itself. `frame_seconds` is the duration of a frame; 0 takes
/// that of the first part.
Result<void> replace_by_parts(DocumentClip& clip, std::span<const MotionPart> parts, double frame_seconds,
                              const ClipEditOptions& options, EditedClip& report, Context& context);

/// Makes `after` the motion of a clip of as many frames. Only tracks that differ between frames `first` and `last` are
/// encoded, and only there; everything else keeps its codes. Events, root motion and names of `after` are taken too.
/// If `quarters` are given, changed tracks follow them between frames.
Result<void> replace_frames(DocumentClip& clip, Clip after, FrameRange range, const ClipEditOptions& options,
                            EditedClip& report, Context& context, const Clip* quarters = nullptr);

/// Puts the curves of some tracks in a range over those of a whole clip. `old` has the curves of these tracks as they
/// are, `range` those of the range. Channels whose frames are the same in `before` and `after` keep their codes.
Result<codec::SpliceReport> put_tracks(codec::SplineBlob& curves, std::span<const std::size_t> changed,
                                       const codec::SplineBlob& old, const codec::SplineBlob& range,
                                       std::uint32_t first, const Clip& before, const Clip& after,
                                       const codec::SpliceOptions& options);

/// Returns the names of the bones that the tracks of a clip move: by the skeleton, else as the tracks name them; empty
/// texts where nothing is known.
std::vector<std::string> track_names(const Clip& clip, const Skeleton* skeleton);

/// Returns the codes of a track that holds a pose.
codec::TransformTrack still_track(const Transform& pose);

/// Picks and orders tracks; -1 is a new one, which is `fill[i]` throughout. Events of tracks that are gone move to the
/// first.
Result<void> select_tracks(DocumentClip& clip, std::span<const std::int32_t> tracks, std::span<const Transform> fill,
                           const Limits& limits);

/// What tracks do that a clip lacks and the one that it is put together with has.
enum class LackingTracks : std::uint8_t {
  Rest,  ///< hold the rest pose, which needs the skeleton
  Own,   ///< keep what the other clip has, which the caller sees to
};
/// A clip with the tracks, float tracks and rate of another.
struct MatchedClip {
  DocumentClip clip;
  std::vector<bool> lacks;  ///< by track: it has none of its own for the bone
};
/// Returns `other` with the tracks, float tracks and rate of `clip`, so that the two can be put together. Fails with
/// `NeedsSkeleton` if their tracks differ and nothing says which are the same, and with `WrongKind` if one is additive.
/// Notes if the two seem to be made for different bodies.
Result<MatchedClip> matched(const DocumentClip& clip, const DocumentClip& other, const Skeleton* skeleton,
                            const ClipEditOptions& options, Context& context,
                            LackingTracks lacking = LackingTracks::Rest);
/// Removes tracks from a choice that the matched clip lacks.
void leave_own_tracks(std::vector<bool>& chosen, const std::vector<bool>& lacks);

/// Brings a clip to another number of frames of the same duration.
Result<void> resample(DocumentClip& clip, std::int32_t frames, const ClipEditOptions& options, EditedClip& report,
                      Context& context);

/// Returns the skeleton whose bones a clip moves: the one given, the document's own, or the one near it. That of both
/// actors if the clip is paired.
Result<Skeleton> skeleton_of(const Document& document, const DocumentClip& clip, const Skeleton* given,
                             Context& context);
/// Returns the bones of the tracks of a clip. Looks for a skeleton if the tracks are not named.
Result<std::vector<std::string>> names_of(const Document& document, const DocumentClip& clip, const Skeleton* given,
                                          Context& context);
/// True if a pattern means a bone: it matches the name, or is the name without its tag in brackets.
bool is_bone_name(std::string_view pattern, std::string_view name);
/// Returns the track of a bone. Fails with `NotFound`.
Result<std::size_t> named_track(const std::vector<std::string>& names, const std::string& bone);

/// Returns a bone by its name, by a pattern, or by its name without its tag. Fails with `NotFound`, naming the option.
Result<std::int32_t> bone_named(const Skeleton& skeleton, const std::string& name, std::string_view option);

/// Judges the smoothness of frames that were changed, with a note if they pop. A skeleton gives tracks without names
/// those of their bones.
std::optional<SeamReport> seam_of(const DocumentClip& clip, FrameRange changed,
                                  std::span<const DocumentClip* const> sources, const Skeleton* skeleton,
                                  Context& context);

/// The skeleton as an option, in the same words everywhere.
inline const FieldText kClipSkeleton = {
    .help = "the skeleton that the clips are for", .placeholder = "FILE", .otherwise = "the one near the clip"};

/// The first clip of another document, with its name in errors.
Result<const DocumentClip*> first_clip(const Document& document);

}  // namespace marrow
