// SPDX-License-Identifier: MIT
#include "ops/pair/pair.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

#include "core/try.h"
#include "ops/clip/bound.h"
#include "ops/clip/tracks.h"
#include "ops/pair/floats.h"
#include "ops/pair/paired.h"
#include "ops/pair/places.h"

namespace marrow {
namespace {

bool is_identity(const Transform& t) {
  return glm::length(t.translation) < 1e-3f && angle_degrees(t.rotation, make_quat(0, 0, 0, 1)) < 1e-3f &&
         glm::length(t.scale - Vec3(1.0f)) < 1e-4f;
}

/// The tracks of a paired clip by whom they belong to.
struct Pair {
  DocumentClip clip;
  std::vector<std::string> names;
  PairedParts parts;
};

Result<Pair> read_pair(const DocumentClip& source, const Skeleton* first, const Skeleton* second,
                       std::optional<PairOrder> order, Context& context) {
  Pair pair{.clip = source, .names = annotation_names(source.clip), .parts = {}};
  MARROW_CHECK(decode_frames(pair.clip, context.limits));
  MARROW_CHECK(validate(pair.clip.clip));
  const bool is_named = std::ranges::any_of(pair.names, [](const std::string& name) { return !name.empty(); });
  if (!is_named && first) {
    const Actors actors{first, second};
    if (!order && !likelier_order(pair.clip.clip, actors))
      context.note(
          "no track has a name and both actors fit either place: the second is taken to come first, as the "
          "tools that read clips by index have it; the order of the tracks is an option");
    const Skeleton both = skeleton_for(pair.clip.clip, actors, order);
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

DocumentClip split_actor(const Pair& pair, bool of_second, const Skeleton* skeleton, Context& context) {
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
  if (clip.skeleton_name.empty() && skeleton) clip.skeleton_name = skeleton->name;
  clip.partitions.clear();
  // What moves nobody is each actor's own.
  const auto is_still = [](const RootMotion& motion) {
    return std::ranges::all_of(motion.samples, [](const Vec4& sample) { return sample == Vec4(0.0f); });
  };
  if (clip.root_motion && !is_still(*clip.root_motion)) clip.root_motion.reset();
  if (clip.blend_hint == BlendHint::Normal) carry_place(places_of(pair, of_second), clip, context);
  if (of_second)
    gather_events(pair, {parts.second_place}, clip);
  else
    gather_events(pair, {parts.root, parts.first_place}, clip);
  return out;
}

template <class Options>
void describe_pair(FieldList& fields, Options& options) {
  fields.input("skeleton", options.skeleton, options.second_skeleton,
               {.help = "the skeletons of the actors, once or twice, if tracks have no names", .placeholder = "FILE"});
  fields("game", options.game, {.help = "write for this game", .placeholder = "GAME", .otherwise = "the clip's"});
}

void describe_order(FieldList& fields, std::optional<PairOrder>& order, std::string_view help,
                    std::string_view otherwise) {
  fields("order", order, {.help = help, .placeholder = "ORDER", .otherwise = otherwise});
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
  describe_order(fields, options.order, "whose tracks come first: NPC or 2_",
                 "second-first if no track has a name, else npc-first");
  describe_bound(fields, options.bound);
}

void describe(FieldList& fields, PairSplitOptions& options) {
  describe_pair(fields, options);
  describe_order(fields, options.order, "whose tracks come first in clips without names",
                 "what fits the skeletons, else second-first");
  describe_bound(fields, options.bound);
}
void describe(FieldList& fields, PairSwapOptions& options) {
  describe_pair(fields, options);
  describe_order(fields, options.order, "whose tracks come first in the result", "as in the clip");
  describe_bound(fields, options.bound);
}

void describe(FieldList& fields, PairReport& report) {
  fields("frames", report.frames);
  fields("first_tracks", report.first_tracks, {.help = "tracks of the first actor's bones"});
  fields("second_tracks", report.second_tracks, {.help = "tracks of the second actor's bones"});
  fields("place", report.place,
         {.help = "where the second actor stands at first, seen from the first: x, y, z, heading in degrees"});
}

Result<PairReport> pair_split(Document& document, const PairSplitOptions& options, Context& context) {
  if (document.clips.empty()) return fail(ErrorCode::NoClip, "the file contains no clip");
  PairReport report;
  std::vector<DocumentClip> clips;
  for (const DocumentClip& each : document.clips) {
    MARROW_TRY(const Pair pair, read_pair(each, options.skeleton, options.second_skeleton, options.order, context));
    report = pair_report(pair);
    if (each.clip.float_track_count > 0 && !slot_border(each.clip, options.skeleton))
      context.note("float tracks go to the first actor, since its skeleton is not known");
    for (const bool of_second : {false, true}) {
      clips.push_back(split_actor(
          pair, of_second, of_second && options.second_skeleton ? options.second_skeleton : options.skeleton, context));
      split_floats(clips.back(), options.skeleton, of_second);
    }
  }
  document = {.name = document.name,
              .format = Format::Hkx,
              .game = document.game,
              .metres_per_unit = document.metres_per_unit,
              .clips = std::move(clips)};
  return report;
}

Result<PairReport> pair_swap(Document& document, const PairSwapOptions& options, Context& context) {
  if (document.clips.empty()) return fail(ErrorCode::NoClip, "the file contains no clip");
  PairReport report;
  for (DocumentClip& each : document.clips) {
    MARROW_TRY(const Pair pair, read_pair(each, options.skeleton, options.second_skeleton, {}, context));
    const PairedParts& parts = pair.parts;
    const PairOrder order_now = order_of(parts), order_then = options.order.value_or(order_now);
    std::vector<std::int32_t> order;
    std::vector<std::string> names;
    const auto add = [&](std::int32_t track, std::string name) {
      if (track == kNoBone) return;
      order.push_back(track);
      names.push_back(std::move(name));
    };
    // The actor that was the second is the first from here on, and keeps the place among the tracks of a first one.
    const auto add_new_first = [&] {
      add(parts.second_place, std::string(kFirstActor));
      for (const std::int32_t track : parts.second) add(track, own_name(pair.names[static_cast<std::size_t>(track)]));
    };
    const auto add_new_second = [&] {
      add(parts.first_place, std::string(kSecondActor));
      for (const std::int32_t track : parts.first) {
        const std::string& name = pair.names[static_cast<std::size_t>(track)];
        add(track, name.empty() ? name : std::string(kSecondActor) + name);
      }
    };
    add(parts.root, std::string(kPairedRoot));
    if (order_then == PairOrder::SecondFirst) add_new_second();
    add_new_first();
    if (order_then == PairOrder::NpcFirst) add_new_second();
    const bool has_names =
        std::ranges::any_of(annotation_names(each.clip), [](const auto& name) { return !name.empty(); });
    DocumentClip swapped = with_tracks(pair.clip, order, context.limits);
    for (std::size_t i = 0; has_names && i < names.size(); ++i)
      swapped.clip.annotation_tracks[i].name = std::move(names[i]);
    if (each.clip.annotation_tracks.empty()) swapped.clip.annotation_tracks.clear();
    swap_slots(swapped.clip, options.skeleton, options.second_skeleton, context);
    swapped.skeleton.reset();
    each = std::move(swapped);
    MARROW_TRY(const Pair after, read_pair(each, options.second_skeleton ? options.second_skeleton : options.skeleton,
                                           options.skeleton, order_then, context));
    report = pair_report(after);
  }
  return report;
}

}  // namespace marrow
