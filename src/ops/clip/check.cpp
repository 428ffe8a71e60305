// SPDX-License-Identifier: MIT
// Finds what makes a clip or skeleton crash the game, T-pose or jitter. Every message names the effect in the game.
#include "ops/clip/check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>

#include "codec/whole_curves.h"
#include "core/try.h"
#include "havok/animation/animation.h"
#include "havok/animation/skeleton.h"
#include "havok/object/game.h"
#include "marrow/core/text.h"
#include "ops/clip/skeleton_fit.h"
#include "ops/files/convert.h"
#include "ops/pair/check.h"
#include "ops/pair/paired.h"

namespace marrow {
namespace {

using havok::FieldsView;
using havok::ObjectId;
using havok::Packfile;

/// A rotation between two frames of 1/30 s that no body makes.
constexpr float kJumpDegrees = 150.0f;
/// Rounding error of times as floats, and of tools that count frames from one.
constexpr float kTimeTolerance = 1e-3f;

/// The skeleton that clips are checked against.
struct SkeletonToCheckBy {
  Skeleton skeleton;
  bool is_given = false;  ///< by the user; else found in or near the file
};

class ClipCheck {
 public:
  ClipCheck(const Packfile& file, ObjectId id, const havok::Bindings& bindings, const SkeletonToCheckBy* by,
            const Skeleton* second, const std::function<std::string(const Clip&)>& name_fitting, Findings& findings)
      : file_(file),
        id_(id),
        bindings_(bindings),
        fields_(file.at(id).fields()),
        skeleton_(by ? &by->skeleton : nullptr),
        second_(second),
        is_given_(by && by->is_given),
        name_fitting_(name_fitting),
        findings_(findings) {}

  void run(const Limits& limits) {
    const auto header = havok::read_clip_header(file_, id_, bindings_);
    if (!header) return report("E_CLIP", Level::Error, header.error().message + "; the game crashes");
    clip_ = *header;
    motion_ = havok::read_clip(file_, id_, bindings_, limits);
    if (skeleton_) actors_ = marrow::skeleton_for(clip_, {skeleton_, second_});
    if (is_paired(clip_))
      check_paired(clip_, {skeleton_, second_}, "objects[" + std::to_string(id_.index) + "].annotationTracks",
                   findings_);
    check_actor_order();
    check_binding();
    check_tracks();
    check_floats();
    check_events();
    check_timing();
    check_fit();
    check_additive();
    check_curves();
    check_motion();
  }

 private:
  void report(std::string_view code, Level level, std::string message, std::string_view member = {},
              std::optional<Cure> cure = {}) {
    findings_.push_back(
        {std::string(code), level, std::move(message),
         "objects[" + std::to_string(id_.index) + "]" + (member.empty() ? "" : "." + std::string(member)),
         std::move(cure)});
  }

  void check_binding() {
    if (bindings_.of(id_).is_null())
      report("E_NO_BINDING", Level::Error,
             "the animation has no binding, so the game shows a T-pose; export the clip again, with its skeleton");
    else if (clip_.skeleton_name.empty())
      report("W_NO_SKELETON_NAME", Level::Info, "the binding does not name the skeleton that the clip is for");
  }

  void check_tracks() {
    const auto tracks = static_cast<std::size_t>(clip_.track_count);
    if (!clip_.track_to_bone.empty() && clip_.track_to_bone.size() != tracks)
      report("E_TRACK_MAP", Level::Error,
             "the binding maps " + std::to_string(clip_.track_to_bone.size()) + " tracks, but the clip has " +
                 std::to_string(tracks) + ": the game reads past the end and crashes",
             "transformTrackToBoneIndices");
    if (std::ranges::any_of(clip_.track_to_bone, [](std::int16_t bone) { return bone < -1; }))
      report("E_TRACK_BONE", Level::Error, "a track is mapped to a negative bone: the game crashes");
    if (!clip_.annotation_tracks.empty() && clip_.annotation_tracks.size() != tracks)
      report("W_ANNOTATION_TRACKS", Level::Info,
             std::to_string(clip_.annotation_tracks.size()) + " annotation tracks for " + std::to_string(tracks) +
                 " tracks; the games have one per track");
    if (!skeleton_) return;
    std::int64_t highest = clip_.track_to_bone.empty() ? clip_.track_count - 1 : -1;
    for (const std::int16_t bone : clip_.track_to_bone) highest = std::max<std::int64_t>(highest, bone);
    if (highest < static_cast<std::int64_t>(skeleton_->bones.size())) return;
    const std::string what = "the clip moves bone " + std::to_string(highest) + ", but the skeleton " +
                             skeleton_->name + " has " + std::to_string(skeleton_->bones.size());
    if (highest < static_cast<std::int64_t>(actors_.bones.size()))
      report("I_PAIRED", Level::Info, what + "; it is a paired clip, and the second actor has the other bones");
    else if (is_paired(clip_))
      report("I_PAIRED", Level::Info, what + "; it is a paired clip, and the second actor has another skeleton");
    else
      report("E_TRACK_BONE", Level::Error,
             what + ": the game crashes or T-poses. Use the skeleton that the clip was made for, or retarget it" +
                 fitting(),
             {}, Cure{"retarget"});
  }

  // Tools that go by index have the second actor's tracks first.
  void check_actor_order() {
    const auto is_named = [](const AnnotationTrack& track) { return !track.name.empty(); };
    if (std::ranges::any_of(clip_.annotation_tracks, is_named)) {
      std::vector<std::string> names;
      for (const AnnotationTrack& track : clip_.annotation_tracks) names.push_back(track.name);
      const PairedParts parts = paired_parts(names);
      if (is_paired(clip_) && !parts.first.empty() && !parts.second.empty() && order_of(parts) == PairOrder::NpcFirst)
        report("I_PAIRED_INDEX", Level::Info,
               "the tracks of the first actor come first: tools that go by index instead of names exchange the actors",
               "annotationTracks");
      return;
    }
    if (skeleton_ && motion_ && is_paired(actors_) && !is_paired(*skeleton_) &&
        likelier_order(*motion_, {skeleton_, second_}) == PairOrder::NpcFirst)
      report("W_PAIRED_SWAPPED", Level::Warning,
             "the clip has no names and the tracks of its first actor come first, but clips without names are read by "
             "index, the second actor first: the actors are exchanged. Names on the tracks put it right, too",
             "annotationTracks", Cure{"pair swap"});
  }

  // An additive clip holds differences, so that bones say nothing about the body that it was made for.
  void check_additive() {
    if (clip_.blend_hint == BlendHint::Normal || !skeleton_ || is_paired(clip_) || is_paired(actors_)) return;
    if (const std::string doubt = additive_doubt(clip_, *skeleton_); !doubt.empty())
      report("W_ADDITIVE_SKELETON", Level::Warning,
             doubt + ": the game adds its turns to the wrong bones. Use the right skeleton" + fitting());
  }

  // Compares names, counts and places with the skeleton. Paired clips move two of them.
  void check_fit() {
    if (!skeleton_ || !motion_ || is_paired(clip_) || is_paired(actors_)) return;
    const SkeletonFit fit = fit_of(*motion_, *skeleton_);
    if (fit.is_other())
      report("E_OTHER_SKELETON", is_given_ ? Level::Error : Level::Warning,
             "the clip was made for another skeleton: only " + std::to_string(fit.same) + " of " +
                 std::to_string(fit.compared) + " bones are where " + skeleton_->name + " (" +
                 std::to_string(skeleton_->bones.size()) +
                 " bones) has them, so the game deforms the body. Use the right skeleton, or retarget the clip" +
                 fitting(),
             {}, Cure{"retarget"});
    if (fit.misnamed > 0)
      report("W_TRACK_NAME", Level::Warning,
             std::to_string(fit.misnamed) + (fit.misnamed == 1 ? " track is" : " tracks are") +
                 " bound to other bones than their names say: " + fit.first_misnamed +
                 "; the body is deformed if the names are right",
             "transformTrackToBoneIndices");
    if (!is_given_) return;
    if (!clip_.skeleton_name.empty() && clip_.skeleton_name != skeleton_->name)
      report("I_SKELETON_NAME", Level::Info,
             "the binding names the skeleton " + clip_.skeleton_name + ", and this one is " + skeleton_->name +
                 "; the games do not compare them");
    if (clip_.track_to_bone.empty() && static_cast<std::size_t>(clip_.track_count) < skeleton_->bones.size())
      report("I_TRACK_COUNT", Level::Info,
             std::to_string(clip_.track_count) + " tracks for " + std::to_string(skeleton_->bones.size()) +
                 " bones: the last bones are not moved");
  }

  void check_floats() {
    const auto floats = static_cast<std::size_t>(clip_.float_track_count);
    if (!clip_.float_to_slot.empty() && clip_.float_to_slot.size() != floats)
      report("E_FLOAT_MAP", Level::Error,
             "the binding maps " + std::to_string(clip_.float_to_slot.size()) + " float tracks, but the clip has " +
                 std::to_string(floats) + ": the game reads past the end",
             "floatTrackToFloatSlotIndices");
    if (!skeleton_ || is_paired(clip_) || is_paired(actors_)) return;
    for (const std::int16_t slot : clip_.float_to_slot)
      if (slot < 0 || static_cast<std::size_t>(slot) >= skeleton_->float_slots.size())
        return report("W_FLOAT_SLOT", Level::Warning,
                      "a float track moves slot " + std::to_string(slot) + ", but the skeleton has " +
                          std::to_string(skeleton_->float_slots.size()) +
                          " slots: what the track hides or fades does not change");
  }

  void check_events() {
    for (std::size_t t = 0; t < clip_.annotation_tracks.size(); ++t)
      for (const Annotation& event : clip_.annotation_tracks[t].annotations) {
        const std::string where = "annotationTracks[" + std::to_string(t) + "]";
        if (!(event.time_seconds >= 0.0f) || event.time_seconds > clip_.duration_seconds + kTimeTolerance)
          report("W_ANNOTATION_TIME", Level::Warning,
                 "\"" + event.text + "\" at " + float_text(event.time_seconds) + " s is outside the clip of " +
                     float_text(clip_.duration_seconds) + " s and is never played: a sound, hit or state is missing",
                 where);
        if (event.text.empty())
          report("W_ANNOTATION_EMPTY", Level::Warning, "an event has no text, so it has no effect", where);
      }
    check_order();
  }

  // The games ship clips with such events and play them; tools that expect an order do not.
  void check_order() {
    for (std::size_t t = 0; t < clip_.annotation_tracks.size(); ++t) {
      const auto& events = clip_.annotation_tracks[t].annotations;
      const auto late = std::ranges::is_sorted_until(events, {}, &Annotation::time_seconds);
      if (late != events.end())
        report("I_ANNOTATION_ORDER", Level::Info,
               "the events are not sorted: \"" + late->text + "\" at " + float_text(late->time_seconds) +
                   " s comes after one at " + float_text(std::prev(late)->time_seconds) + " s",
               "annotationTracks[" + std::to_string(t) + "]", Cure{"annotations sort"});
    }
  }

  void check_timing() {
    if (!fields_.has("frameDuration")) return;
    const float frame = static_cast<float>(fields_.real("frameDuration"));
    const auto stride = static_cast<float>(fields_.integer("maxFramesPerBlock") - 1);
    const auto off = [](float a, float b) { return !(std::abs(a - b) <= kTimeTolerance + 1e-4f * std::abs(b)); };
    if (off(clip_.duration_seconds, static_cast<float>(clip_.frame_count - 1) * frame))
      report("E_DURATION", Level::Error,
             "the duration is " + float_text(clip_.duration_seconds) + " s, but " + std::to_string(clip_.frame_count) +
                 " frames of " + float_text(frame) + " s make " +
                 float_text(static_cast<float>(clip_.frame_count - 1) * frame) + ": the motion jitters or freezes",
             "duration");
    if (off(static_cast<float>(fields_.real("blockDuration")), stride * frame))
      report("E_BLOCK_STRIDE", Level::Error,
             "a block lasts " + float_text(static_cast<float>(fields_.real("blockDuration"))) + " s, but " +
                 float_text(stride) + " frames make " + float_text(stride * frame) +
                 ": every block starts at the wrong place and the motion jumps",
             "blockDuration");
    if (const auto blocks = static_cast<std::int64_t>(fields_.array("blockOffsets").size());
        fields_.integer("numBlocks") != blocks)
      report("E_BLOCK_COUNT", Level::Error,
             "numBlocks is " + std::to_string(fields_.integer("numBlocks")) + ", but there are " +
                 std::to_string(blocks) + " blocks: the game reads past the data and crashes",
             "numBlocks");
  }

  // Names the skeleton that fits instead, if one of those around does.
  std::string fitting() const { return motion_ ? name_fitting_(*motion_) : std::string(); }

  void check_curves() {
    const auto view = havok::spline_data(file_, id_);
    const auto summary = view ? codec::summarize(*view) : Result<codec::SplineSummary>{codec::SplineSummary{}};
    if (summary && summary->frames_short > 0)
      report("W_SHORT_CURVES", Level::Warning,
             "the curves of the last block end " + frames_text(summary->frames_short) +
                 " early; the games continue their last piece, so the end of the clip is only guessed. Fixing the file "
                 "encodes them again over all frames",
             "data");
  }

  static std::string frames_text(std::uint32_t count) {
    return std::to_string(count) + (count == 1 ? " frame" : " frames");
  }

  void check_motion() {
    const Result<Clip>& clip = motion_;
    if (!clip) {
      findings_.push_back(
          {"E_MOTION", Level::Error, clip.error().message + ": the game crashes or T-poses", clip.error().path});
      return;
    }
    const auto tracks = static_cast<std::size_t>(clip->track_count);
    std::vector<bool> told(tracks);
    for (std::size_t i = 0; i < clip->transforms.size(); ++i) {
      const std::size_t track = i % tracks;
      if (told[track]) continue;
      const Quat& q = clip->transforms[i].rotation;
      const std::string place = "track " + std::to_string(track) + ", frame " + std::to_string(i / tracks);
      const float length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
      if (!(std::abs(length - 1.0f) < 1e-2f)) {
        told[track] = true;
        report("E_NOT_UNIT", Level::Error,
               "a rotation has length " + float_text(length) + ", not 1: the bone is stretched or jitters", place);
      } else if (i >= tracks && angle_degrees(clip->transforms[i - tracks].rotation, q) > kJumpDegrees) {
        told[track] = true;
        report("W_JUMP", Level::Warning,
               "the bone turns by " + float_text(angle_degrees(clip->transforms[i - tracks].rotation, q)) +
                   " degrees from one frame to the next: it jitters or flips",
               place);
      }
    }
  }

  const Packfile& file_;
  ObjectId id_;
  const havok::Bindings& bindings_;
  FieldsView fields_;
  const Skeleton* skeleton_;
  const Skeleton* second_;  // of the second actor, if it has another
  bool is_given_;
  const std::function<std::string(const Clip&)>& name_fitting_;
  Findings& findings_;
  Clip clip_;
  Result<Clip> motion_ = Clip{};
  Skeleton actors_;  // the skeleton, twice if the clip is paired
};

void check_skeleton(const Skeleton& skeleton, ObjectId id, Findings& findings) {
  const std::string where = "objects[" + std::to_string(id.index) + "] " + skeleton.name;
  if (const auto valid = validate(skeleton); !valid)
    findings.push_back({"E_SKELETON", Level::Error, valid.error().message + ": the game crashes or deforms the body",
                        where + ", " + valid.error().path});
  // The ragdolls in NIF files have no names at all, and need none.
  const bool has_names = std::ranges::any_of(skeleton.bones, [](const Bone& bone) { return !bone.name.empty(); });
  for (std::size_t i = 0; has_names && i < skeleton.bones.size(); ++i)
    if (skeleton.bones[i].name.empty())
      findings.push_back(
          {"W_EMPTY_NAME", Level::Warning,
           "a bone has no name: nothing can be attached to it, and the game may crash when it searches for bones",
           where + ", bones[" + std::to_string(i) + "]"});
  for (const FloatSlot& slot : skeleton.float_slots)
    if (slot.name.empty())
      findings.push_back({"W_EMPTY_NAME", Level::Warning, "a float slot has no name, so it has no effect", where});
  for (const LocalFrame& frame : skeleton.local_frames)
    if (frame.bone < 0 || static_cast<std::size_t>(frame.bone) >= skeleton.bones.size())
      findings.push_back({"E_LOCAL_FRAME", Level::Error,
                          "the local frame \"" + frame.name + "\" is on bone " + std::to_string(frame.bone) +
                              ", which does not exist: the game reads past the end and crashes",
                          where});
}

/// Reports a 32-bit file among 64-bit files: one that was forgotten when a mod was ported to Skyrim SE.
void check_folder(const Document& document, const CheckOptions& options, const Context& context, Findings& findings) {
  if (!options.game && is_forgotten_32_bit(document, context))
    findings.push_back({"E_POINTER_SIZE", Level::Error,
                        "a 32-bit Skyrim LE file in a Skyrim SE folder: the game crashes or T-poses",
                        "header, offset 16", Cure{"convert", {{"to", "skyrim-se"}}}});
}

/// Returns the skeleton to check clips against: the given one, one in the same file, or one found near it.
std::optional<SkeletonToCheckBy> skeleton_to_check_by(const Document& document, const CheckOptions& options,
                                                      const Context& context) {
  if (options.skeleton)
    if (const auto given = main_skeleton(*options.skeleton)) return SkeletonToCheckBy{(*given)->skeleton, true};
  for (const ObjectId id : havok::find_skeletons(*document.packfile()))
    if (auto own = havok::read_skeleton(*document.packfile(), id)) {
      const auto count = static_cast<std::int32_t>(own->bones.size());
      // One whose parents are not there has a finding of its own, and clips cannot be put on it.
      if (std::ranges::all_of(own->bones,
                              [&](const Bone& bone) { return bone.parent >= kNoBone && bone.parent < count; }))
        return SkeletonToCheckBy{std::move(*own)};
    }
  // A skeleton directly beside a clip may belong to another actor; one in the games' own folders is the actor's.
  const auto near = context.lookup ? context.lookup->skeleton_near(document.name) : nullptr;
  if (!near || to_lower(near->name).find("/character") == std::string::npos) return std::nullopt;
  const auto found = main_skeleton(*near);
  return found ? std::optional(SkeletonToCheckBy{(*found)->skeleton}) : std::nullopt;
}

/// Returns words that name the skeleton of the folders around which fits a clip best; empty if none does.
std::string fitting_skeleton(const Clip& clip, const Document& document, const CheckOptions& options,
                             const Context& context) {
  if (!context.lookup) return {};
  std::vector<std::string> places = {document.name};
  if (options.skeleton) places.push_back(options.skeleton->name);
  std::string best;
  std::size_t most = 0;
  for (const std::string& place : places)
    for (const auto& candidate : context.lookup->skeletons_beside(place)) {
      const SkeletonFit fit = fit_of(clip, main_skeleton(*candidate).value()->skeleton);
      if (!fit.is_right() || fit.same <= most) continue;
      most = fit.same;
      best = candidate->name;
    }
  return best.empty() ? "" : "; " + best + " fits it";
}

}  // namespace

Result<void> mend_short_curves(Packfile& file, Context& context) {
  const havok::Bindings bindings(file);
  for (const ObjectId id : havok::find_animations(file)) {
    const auto view = havok::spline_data(file, id);
    const auto summary = view ? codec::summarize(*view) : Result<codec::SplineSummary>{codec::SplineSummary{}};
    if (!summary || summary->frames_short == 0) continue;
    MARROW_TRY(const Clip header, havok::read_clip_header(file, id, bindings));
    MARROW_TRY(const codec::SplineBlob blob, codec::read_spline_blob(*view, context.limits));
    const codec::SplineBlob motion = codec::with_whole_curves(blob, {.rotation_degrees = 0.02, .translation = 0.004});
    MARROW_CHECK(havok::set_spline_motion(file, id, motion, header.duration_seconds));
    context.note("encoded the clip again: its curves ended before the last frame");
  }
  return {};
}

void check_animation(const Document& document, const CheckOptions& options, Context& context, Findings& findings) {
  const Packfile& file = *document.packfile();
  const auto animations = havok::find_animations(file);
  for (const ObjectId id : havok::find_skeletons(file)) {
    const auto skeleton = havok::read_skeleton(file, id);
    if (skeleton)
      check_skeleton(*skeleton, id, findings);
    else
      findings.push_back(
          {"E_SKELETON", Level::Error, skeleton.error().message + ": the game crashes", skeleton.error().path});
  }
  check_folder(document, options, context, findings);
  if (animations.empty()) return;
  const auto skeleton = skeleton_to_check_by(document, options, context);
  const Skeleton* second = nullptr;
  if (options.second_skeleton)
    if (const auto given = main_skeleton(*options.second_skeleton)) second = &(*given)->skeleton;
  const havok::Bindings bindings(file);
  const std::function<std::string(const Clip&)> name_fitting = [&](const Clip& clip) {
    return fitting_skeleton(clip, document, options, context);
  };
  for (const ObjectId id : animations)
    ClipCheck(file, id, bindings, skeleton ? &*skeleton : nullptr, second, name_fitting, findings).run(context.limits);
}

}  // namespace marrow
