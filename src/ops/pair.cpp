// SPDX-License-Identifier: MIT
#include "marrow/ops/pair.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <glm/geometric.hpp>

#include "core/try.h"
#include "marrow/ops/paired.h"
#include "ops/clip_tracks.h"

namespace marrow {
namespace {

constexpr float kDegrees = 180.0f / std::numbers::pi_v<float>;

/// A place on the ground: where an actor stands and which way it faces.
Transform standing(const Vec3& at, float turn) { return {at, glm::angleAxis(turn, Vec3(0, 0, 1)), Vec3(1.0f)}; }

float turn_of(const Quat& rotation) { return 2.0f * std::atan2(rotation.z, rotation.w); }

Transform standing_of(const Transform& t) { return standing(t.translation, turn_of(t.rotation)); }

bool is_identity(const Transform& t) {
  return glm::length(t.translation) < 1e-3f && angle_degrees(t.rotation, make_quat(0, 0, 0, 1)) < 1e-3f &&
         glm::length(t.scale - Vec3(1.0f)) < 1e-4f;
}

std::vector<std::string> annotation_names(const Clip& clip) {
  std::vector<std::string> names(static_cast<std::size_t>(clip.track_count));
  for (std::size_t i = 0; i < std::min(names.size(), clip.annotation_tracks.size()); ++i)
    names[i] = clip.annotation_tracks[i].name;
  return names;
}

// Returns the only clip of a document.
Result<DocumentClip> only_clip(const Document& document, Context& context) {
  if (document.clips.empty()) return in_file({ErrorCode::NoClip, "the file contains no clip"}, document.name);
  DocumentClip clip = document.clips.front();
  if (document.clips.size() > 1) context.note("the file has several clips; the first is used", {}, document.name);
  MARROW_CHECK(decode_frames(clip, context.limits));
  if (auto valid = validate(clip.clip); !valid) return in_file(std::move(valid.error()), document.name);
  return clip;
}

/// One actor to be joined.
struct JoinedActor {
  DocumentClip clip;               // its bones, in the order of its skeleton, named
  std::vector<Transform> places;   // by frame: root motion, and its own place if it has one
  std::int16_t slot_count = 0;     // float slots that are the actor's
};

// Names the tracks of a clip: as they are named, else by the skeleton that is given or lies near.
Result<JoinedActor> read_actor(const Document& document, const Document* skeleton, bool is_second, Context& context) {
  MARROW_TRY(DocumentClip clip, only_clip(document, context));
  if (is_paired(clip.clip))
    return in_file({ErrorCode::WrongKind, "the clip moves two actors already; take it apart with pair split"},
                   document.name);
  std::vector<std::string> names = annotation_names(clip.clip);
  std::int16_t slots = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(clip.clip.float_track_count); ++i)
    slots = std::max<std::int16_t>(slots, static_cast<std::int16_t>(slot_of_track(clip.clip, i) + 1));
  if (std::ranges::find(names, std::string()) != names.end() || skeleton) {
    if (const auto holder = skeleton_document(document, skeleton, context)) {
      MARROW_TRY(const DocumentSkeleton* found, main_skeleton(**holder));
      for (std::size_t i = 0; i < names.size(); ++i)
        if (const std::int32_t bone = bone_of_track(clip.clip, i);
            bone >= 0 && static_cast<std::size_t>(bone) < found->skeleton.bones.size())
          names[i] = found->skeleton.bones[static_cast<std::size_t>(bone)].name;
      slots = std::max(slots, static_cast<std::int16_t>(found->skeleton.float_slots.size()));
    } else {
      context.note("its tracks have no names, and without its skeleton they get none; other tools may need them", {},
                   document.name);
    }
  }
  JoinedActor actor{.clip = {}, .places = {}, .slot_count = slots};
  const auto place = std::ranges::find(names, kFirstActor);
  std::vector<std::int32_t> order;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (place == names.end() || static_cast<std::ptrdiff_t>(i) != place - names.begin())
      order.push_back(static_cast<std::int32_t>(i));
  std::ranges::stable_sort(order, {}, [&](std::int32_t track) {
    return bone_of_track(clip.clip, static_cast<std::size_t>(track));
  });
  for (std::int32_t f = 0; f < clip.clip.frame_count; ++f) {
    Transform at;
    if (clip.clip.root_motion)
      at = root_motion_at(*clip.clip.root_motion,
                          clip.clip.frame_count > 1 ? static_cast<double>(f) / (clip.clip.frame_count - 1) : 0.0);
    if (place != names.end()) at = at * clip.clip.frame(f)[static_cast<std::size_t>(place - names.begin())];
    actor.places.push_back(at);
  }
  actor.clip = with_tracks(clip, order, context.limits);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string& name = names[static_cast<std::size_t>(order[i])];
    actor.clip.clip.annotation_tracks[i].name = is_second && !name.empty() ? std::string(kSecondActor) + name : name;
  }
  return actor;
}

Result<void> make_equally_long(JoinedActor& first, JoinedActor& second, bool hold) {
  const Clip &a = first.clip.clip, &b = second.clip.clip;
  const auto text = [](const Clip& clip) {
    return std::to_string(clip.frame_count) + " frames in " + std::to_string(clip.duration_seconds) + " s";
  };
  const auto step = [](const Clip& clip) {
    return clip.frame_count > 1 ? clip.duration_seconds / static_cast<float>(clip.frame_count - 1) : 1.0f / 30.0f;
  };
  const bool same_rate = std::abs(step(a) - step(b)) < 1e-4f;
  if (a.frame_count == b.frame_count && same_rate) return {};
  if (!hold || !same_rate)
    return fail(ErrorCode::InvalidArgument,
                "the clips differ in length: " + text(a) + " and " + text(b) +
                    (same_rate ? "; cut one, or let the shorter hold its last pose" : "; their frame rates differ"));
  const std::int32_t frames = std::max(a.frame_count, b.frame_count);
  for (JoinedActor* each : {&first, &second}) {
    hold_last_frame(each->clip, frames);
    each->places.resize(static_cast<std::size_t>(frames), each->places.back());
  }
  return {};
}

/// The tracks of a paired clip by whom they belong to.
struct Pair {
  DocumentClip clip;
  std::vector<std::string> names;
  PairedParts parts;
};

Result<Pair> read_pair(const DocumentClip& source, const Skeleton* first, const Skeleton* second, Context& context) {
  Pair pair{.clip = source, .names = annotation_names(source.clip), .parts = {}};
  MARROW_CHECK(decode_frames(pair.clip, context.limits));
  MARROW_CHECK(validate(pair.clip.clip));
  const bool is_named = std::ranges::any_of(pair.names, [](const std::string& name) { return !name.empty(); });
  if (!is_named && first) {
    const Skeleton both = skeleton_for(source.clip, {first, second});
    for (std::size_t i = 0; i < pair.names.size(); ++i)
      if (const std::int32_t bone = bone_of_track(source.clip, i);
          bone >= 0 && static_cast<std::size_t>(bone) < both.bones.size())
        pair.names[i] = both.bones[static_cast<std::size_t>(bone)].name;
  } else if (!is_named) {
    return fail(ErrorCode::NeedsSkeleton, "no track of the clip has a name, so its actors cannot be told apart");
  }
  pair.parts = paired_parts(pair.names);
  if (pair.parts.first.empty() || pair.parts.second.empty())
    return fail(ErrorCode::WrongKind, "the clip moves one actor only; a paired clip has tracks named 2_...");
  return pair;
}

Transform value_at(const Pair& pair, std::int32_t frame, std::int32_t track) {
  return track == kNoBone ? Transform{} : pair.clip.clip.frame(frame)[static_cast<std::size_t>(track)];
}

// Where an actor stands in each frame.
std::vector<Transform> places_of(const Pair& pair, bool of_second) {
  std::vector<Transform> places;
  for (std::int32_t f = 0; f < pair.clip.clip.frame_count; ++f)
    places.push_back(value_at(pair, f, pair.parts.root) *
                     value_at(pair, f, of_second ? pair.parts.second_place : pair.parts.first_place));
  return places;
}

Vec4 seen_place(const Transform& first, const Transform& second) {
  const Transform seen = inverse(standing_of(first)) * second;
  return {seen.translation, turn_of(seen.rotation) * kDegrees};
}

PairReport pair_report(const Pair& pair) {
  return {.frames = pair.clip.clip.frame_count,
          .first_tracks = static_cast<std::int32_t>(pair.parts.first.size()),
          .second_tracks = static_cast<std::int32_t>(pair.parts.second.size()),
          .place = seen_place(places_of(pair, false).front(), places_of(pair, true).front())};
}

// Events of the places belong to the clip as a whole: they go to the first track, where the games look for them.
void gather_events(const Pair& pair, std::initializer_list<std::int32_t> places, Clip& clip) {
  auto& events = clip.annotation_tracks.front().annotations;
  for (const std::int32_t place : places) {
    if (place == kNoBone || static_cast<std::size_t>(place) >= pair.clip.clip.annotation_tracks.size()) continue;
    const auto& more = pair.clip.clip.annotation_tracks[static_cast<std::size_t>(place)].annotations;
    events.insert(events.end(), more.begin(), more.end());
  }
  std::ranges::stable_sort(events, {}, &Annotation::time_seconds);
}

// Splits the way of a place into steps on the ground, which are root motion, and the rest, which moves the root bone.
void carry_place(const std::vector<Transform>& places, Clip& clip, Context& context) {
  const Transform start = standing_of(places.front());
  RootMotion motion{.duration_seconds = clip.duration_seconds, .samples = {}};
  bool is_moving = false, is_tilted = false;
  const auto tracks = static_cast<std::size_t>(clip.track_count);
  float last = 0.0f;
  for (std::size_t f = 0; f < places.size(); ++f) {
    const Transform step = inverse(start) * places[f];
    constexpr float kCircle = 2.0f * std::numbers::pi_v<float>;
    const float turn = turn_of(step.rotation);
    last = turn - kCircle * std::round((turn - last) / kCircle);
    motion.samples.emplace_back(step.translation, last);
    is_moving = is_moving || !is_identity(standing_of(step));
    const Transform rest = inverse(standing_of(step)) * step;
    if (is_identity(rest)) continue;
    is_tilted = true;
    clip.transforms[f * tracks] = rest * clip.transforms[f * tracks];
  }
  if (is_moving) clip.root_motion = std::move(motion);
  if (is_tilted) context.note("the place of an actor tilts or is scaled, which is now done by its first bone");
}

DocumentClip split_actor(const Pair& pair, bool of_second, Context& context) {
  const PairedParts& parts = pair.parts;
  const auto& tracks = of_second ? parts.second : parts.first;
  DocumentClip out = with_tracks(pair.clip, tracks, context.limits);
  out.source = {};
  out.kept_file.clear();
  out.skeleton.reset();
  out.name += of_second ? "_2" : "_1";
  Clip& clip = out.clip;
  for (std::size_t i = 0; i < tracks.size(); ++i)
    clip.annotation_tracks[i].name = own_name(pair.names[static_cast<std::size_t>(tracks[i])]);
  clip.skeleton_name = clip.annotation_tracks.front().name;
  clip.partitions.clear();
  clip.root_motion.reset();
  if (clip.blend_hint == BlendHint::Normal) carry_place(places_of(pair, of_second), clip, context);
  if (of_second)
    gather_events(pair, {parts.second_place}, clip);
  else
    gather_events(pair, {parts.root, parts.first_place}, clip);
  return out;
}

// Returns the first slot of the second actor: by the first's skeleton, else if both have tracks for the same slots.
std::optional<std::int32_t> slot_border(const Clip& clip, const Skeleton* first) {
  if (first) return static_cast<std::int32_t>(first->float_slots.size());
  const auto half = static_cast<std::size_t>(clip.float_track_count) / 2;
  if (half == 0 || clip.float_track_count % 2 != 0) return std::nullopt;
  const std::int32_t border = slot_of_track(clip, half) - slot_of_track(clip, 0);
  for (std::size_t i = 0; i < half; ++i)
    if (slot_of_track(clip, i) >= border || slot_of_track(clip, half + i) != slot_of_track(clip, i) + border)
      return std::nullopt;
  return border;
}

// Leaves the float tracks of one actor; if nothing tells them apart, all are the first's.
void split_floats(DocumentClip& clip, const Skeleton* first, bool of_second) {
  Clip& own = clip.clip;
  const auto width = static_cast<std::size_t>(own.float_track_count);
  const std::int32_t border = slot_border(own, first).value_or(INT16_MAX);
  std::vector<std::size_t> kept;
  std::vector<std::int16_t> slots;
  for (std::size_t i = 0; i < width; ++i) {
    const std::int32_t slot = slot_of_track(own, i);
    if ((slot >= border) != of_second) continue;
    kept.push_back(i);
    slots.push_back(static_cast<std::int16_t>(of_second ? slot - border : slot));
  }
  if (kept.size() == width && !of_second) return;
  std::vector<float> floats;
  for (std::size_t f = 0; f < static_cast<std::size_t>(own.frame_count); ++f)
    for (const std::size_t track : kept) floats.push_back(own.floats[f * width + track]);
  own.floats = std::move(floats);
  own.float_to_slot = std::move(slots);
  own.float_track_count = static_cast<std::int32_t>(kept.size());
  if (!clip.spline) return;
  if (auto blob = codec::read_spline_blob(clip.spline->view())) {
    for (codec::SplineBlock& block : blob->blocks) {
      std::vector<codec::FloatTrack> codes;
      for (const std::size_t track : kept) codes.push_back(block.floats[track]);
      block.floats = std::move(codes);
    }
    if (auto stored = codec::stored(*blob)) clip.spline = std::move(*stored);
  }
}

void swap_slots(Clip& clip, const Skeleton* first, const Skeleton* second, Context& context) {
  if (clip.float_track_count == 0) return;
  const auto border = slot_border(clip, first);
  if (!border) return context.note("float tracks keep their slots, since the skeletons of the actors are not known");
  const std::int32_t ours = *border;
  const std::int32_t theirs = second ? static_cast<std::int32_t>(second->float_slots.size()) : ours;
  std::vector<std::int16_t> slots;
  for (std::size_t i = 0; i < static_cast<std::size_t>(clip.float_track_count); ++i) {
    const std::int32_t slot = slot_of_track(clip, i);
    slots.push_back(static_cast<std::int16_t>(slot < ours ? slot + theirs : slot - ours));
  }
  clip.float_to_slot = std::move(slots);
}

template <class Options>
void describe_pair(FieldList& fields, Options& options) {
  fields.input("skeleton", options.skeleton, options.second_skeleton,
               {.help = "the skeletons of the actors, once or twice, if tracks have no names", .placeholder = "FILE"});
  fields("game", options.game, {.help = "write for this game", .placeholder = "GAME", .otherwise = "the clip's"});
}

}  // namespace

void describe(FieldList& fields, PairJoinOptions& options) {
  fields.input("second", options.second,
               {.help = "the clip of the second actor",
                .placeholder = "B",
                .required = true,
                .positional = true,
                .parts = Parts::Skeletons | Parts::Frames});
  fields("place", options.place,
         {.help = "where the second actor stands, seen from the first: units, and degrees counter-clockwise",
          .placeholder = "X,Y,Z,HEADING"});
  fields("hold", options.hold, {.help = "let the shorter clip hold its last pose"});
  describe_pair(fields, options);
}

void describe(FieldList& fields, PairSplitOptions& options) { describe_pair(fields, options); }
void describe(FieldList& fields, PairSwapOptions& options) { describe_pair(fields, options); }

void describe(FieldList& fields, PairReport& report) {
  fields("frames", report.frames);
  fields("first_tracks", report.first_tracks, {.help = "tracks of the first actor's bones"});
  fields("second_tracks", report.second_tracks, {.help = "tracks of the second actor's bones"});
  fields("place", report.place,
         {.help = "where the second actor stands at first, seen from the first: x, y, z, heading in degrees"});
}

Result<PairReport> pair_join(Document& document, const PairJoinOptions& options, Context& context) {
  if (!options.second) return fail(ErrorCode::BadOption, "is missing", kNoOffset, "second");
  MARROW_TRY(JoinedActor first, read_actor(document, options.skeleton, false, context));
  const Document* second_skeleton = options.second_skeleton ? options.second_skeleton : options.skeleton;
  MARROW_TRY(JoinedActor second, read_actor(*options.second, second_skeleton, true, context));
  if (first.clip.clip.blend_hint != second.clip.clip.blend_hint)
    return fail(ErrorCode::InvalidArgument, "one clip is additive and the other is not");
  MARROW_CHECK(make_equally_long(first, second, options.hold));

  const auto bones = first.clip.clip.track_count;
  std::vector<std::int32_t> order = {kNewTrack, kNewTrack};
  for (std::int32_t i = 0; i < bones; ++i) order.push_back(i);
  order.push_back(kNewTrack);
  DocumentClip joined = with_tracks(first.clip, order, context.limits);
  append_tracks(joined, second.clip, first.slot_count, context.limits);
  Clip& clip = joined.clip;
  const auto tracks = static_cast<std::size_t>(clip.track_count), second_place = static_cast<std::size_t>(bones) + 2;
  const Transform place = standing(Vec3(options.place), options.place.w / kDegrees);
  for (std::size_t f = 0; f < static_cast<std::size_t>(clip.frame_count); ++f) {
    clip.transforms[f * tracks + 1] = first.places[f];
    clip.transforms[f * tracks + second_place] = place * second.places[f];
  }
  auto& events = clip.annotation_tracks;
  events[0].name = kPairedRoot;
  events[1].name = kFirstActor;
  events[second_place].name = kSecondActor;
  // The games look for events on the first track only; those of the second actor stay with its place.
  if (bones > 0) std::swap(events[0].annotations, events[2].annotations);
  if (tracks > second_place + 1) std::swap(events[second_place].annotations, events[second_place + 1].annotations);
  clip.skeleton_name = kPairedRoot;
  clip.root_motion.reset();
  clip.partitions.clear();
  if (clip.float_track_count == 0) clip.float_to_slot.clear();
  joined.source = {};
  joined.kept_file.clear();
  joined.skeleton.reset();
  const PairReport report{.frames = clip.frame_count,
                          .first_tracks = bones,
                          .second_tracks = second.clip.clip.track_count,
                          .place = seen_place(first.places.front(), place * second.places.front())};
  document = {.name = document.name,
              .format = Format::Hkx,
              .game = document.game,
              .metres_per_unit = document.metres_per_unit,
              .parts = Parts::Frames,
              .clips = {std::move(joined)}};
  return report;
}

Result<PairReport> pair_split(Document& document, const PairSplitOptions& options, Context& context) {
  if (document.clips.empty()) return fail(ErrorCode::NoClip, "the file contains no clip");
  PairReport report;
  std::vector<DocumentClip> clips;
  for (const DocumentClip& each : document.clips) {
    MARROW_TRY(const Pair pair, read_pair(each, options.skeleton, options.second_skeleton, context));
    report = pair_report(pair);
    if (each.clip.float_track_count > 0 && !slot_border(each.clip, options.skeleton))
      context.note("float tracks go to the first actor, since its skeleton is not known");
    for (const bool of_second : {false, true}) {
      clips.push_back(split_actor(pair, of_second, context));
      split_floats(clips.back(), options.skeleton, of_second);
    }
  }
  document = {.name = document.name,
              .format = Format::Hkx,
              .game = document.game,
              .metres_per_unit = document.metres_per_unit,
              .parts = Parts::Frames,
              .clips = std::move(clips)};
  return report;
}

Result<PairReport> pair_swap(Document& document, const PairSwapOptions& options, Context& context) {
  if (document.clips.empty()) return fail(ErrorCode::NoClip, "the file contains no clip");
  PairReport report;
  for (DocumentClip& each : document.clips) {
    MARROW_TRY(const Pair pair, read_pair(each, options.skeleton, options.second_skeleton, context));
    const PairedParts& parts = pair.parts;
    std::vector<std::int32_t> order;
    std::vector<std::string> names;
    const auto add = [&](std::int32_t track, std::string name) {
      if (track == kNoBone) return;
      order.push_back(track);
      names.push_back(std::move(name));
    };
    add(parts.root, std::string(kPairedRoot));
    add(parts.second_place, std::string(kFirstActor));
    for (const std::int32_t track : parts.second) add(track, own_name(pair.names[static_cast<std::size_t>(track)]));
    add(parts.first_place, std::string(kSecondActor));
    for (const std::int32_t track : parts.first) {
      const std::string& name = pair.names[static_cast<std::size_t>(track)];
      add(track, name.empty() ? name : std::string(kSecondActor) + name);
    }
    const bool has_names = std::ranges::any_of(annotation_names(each.clip), [](const auto& name) { return !name.empty(); });
    DocumentClip swapped = with_tracks(pair.clip, order, context.limits);
    for (std::size_t i = 0; has_names && i < names.size(); ++i)
      swapped.clip.annotation_tracks[i].name = std::move(names[i]);
    if (each.clip.annotation_tracks.empty()) swapped.clip.annotation_tracks.clear();
    swap_slots(swapped.clip, options.skeleton, options.second_skeleton, context);
    swapped.skeleton.reset();
    each = std::move(swapped);
    MARROW_TRY(const Pair after, read_pair(each, options.second_skeleton ? options.second_skeleton : options.skeleton,
                                           options.skeleton, context));
    report = pair_report(after);
  }
  return report;
}

}  // namespace marrow
