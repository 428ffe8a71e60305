// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "core/try.h"
#include "ops/clip/tracks.h"
#include "ops/pair/pair.h"
#include "ops/pair/paired.h"
#include "ops/pair/places.h"

namespace marrow {
namespace {

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
  DocumentClip clip;              // its bones, in the order of its skeleton, named
  std::vector<Transform> places;  // by frame: root motion, and its own place if it has one
  std::int16_t slot_count = 0;    // float slots that are the actor's
  bool is_named = false;          // by its own file
  std::optional<RootMotion> root_motion = {};
};

// Names the tracks of a clip: as they are named, else by the skeleton that is given or lies near.
Result<JoinedActor> read_actor(const Document& document, const Document* skeleton, bool is_second, Context& context) {
  MARROW_TRY(DocumentClip clip, only_clip(document, context));
  if (is_paired(clip.clip))
    return in_file({.code = ErrorCode::WrongKind,
                    .message = "the clip moves two actors already; it has to be split first",
                    .cure = Cure{"pair split"}},
                   document.name);
  std::vector<std::string> names = annotation_names(clip.clip);
  const bool is_named = std::ranges::any_of(names, [](const std::string& name) { return !name.empty(); });
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
  JoinedActor actor{.clip = {}, .places = {}, .slot_count = slots, .is_named = is_named};
  const auto place = std::ranges::find(names, kFirstActor);
  std::vector<std::int32_t> order;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (place == names.end() || static_cast<std::ptrdiff_t>(i) != place - names.begin())
      order.push_back(static_cast<std::int32_t>(i));
  std::ranges::stable_sort(
      order, {}, [&](std::int32_t track) { return bone_of_track(clip.clip, static_cast<std::size_t>(track)); });
  for (std::int32_t f = 0; f < clip.clip.frame_count; ++f) {
    Transform at;
    if (clip.clip.root_motion)
      at = root_motion_at(*clip.clip.root_motion,
                          clip.clip.frame_count > 1 ? static_cast<double>(f) / (clip.clip.frame_count - 1) : 0.0);
    if (place != names.end()) at = at * clip.clip.frame(f)[static_cast<std::size_t>(place - names.begin())];
    actor.places.push_back(at);
  }
  actor.root_motion = clip.clip.root_motion;
  actor.clip = with_tracks(clip, order, context.limits);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string& name = names[static_cast<std::size_t>(order[i])];
    actor.clip.clip.annotation_tracks[i].name = is_second && !name.empty() ? std::string(kSecondActor) + name : name;
  }
  return actor;
}

// Root motion that moves nobody goes along, so that taking the pair apart gives the clips that it was made of. Any
// other has become the ways of the places.
std::optional<RootMotion> kept_root_motion(const JoinedActor& first, const JoinedActor& second) {
  if (!first.root_motion || first.root_motion != second.root_motion) return std::nullopt;
  const bool is_still = std::ranges::all_of(first.root_motion->samples, [](const Vec4& s) { return s == Vec4(0.0f); });
  return is_still ? first.root_motion : std::nullopt;
}

// A note if root motion that moves nobody is lost: the pair has room for one, which is for both.
void note_lost_root_motion(const JoinedActor& first, const JoinedActor& second, const Clip& joined, Context& context) {
  if (joined.root_motion) return;
  for (const JoinedActor* each : {&first, &second})
    if (each->root_motion &&
        std::ranges::all_of(each->root_motion->samples, [](const Vec4& s) { return s == Vec4(0.0f); })) {
      context.note("root motion that moves nobody is left out, since only one of the clips has it", each->clip.name);
      return;
    }
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

}  // namespace

Result<PairReport> pair_join(Document& document, const PairJoinOptions& options, Context& context) {
  if (!options.second) return fail(ErrorCode::BadOption, "is missing", kNoOffset, "second");
  MARROW_TRY(JoinedActor first, read_actor(document, options.skeleton, false, context));
  const Document* second_skeleton = options.second_skeleton ? options.second_skeleton : options.skeleton;
  MARROW_TRY(JoinedActor second, read_actor(*options.second, second_skeleton, true, context));
  if (first.clip.clip.blend_hint != second.clip.clip.blend_hint)
    return fail(ErrorCode::InvalidArgument, "one clip is additive and the other is not");
  MARROW_CHECK(make_equally_long(first, second, options.hold));

  const bool is_nameless = !first.is_named && !second.is_named;
  const PairOrder order = options.order.value_or(is_nameless ? PairOrder::SecondFirst : PairOrder::NpcFirst);
  const bool swaps = order == PairOrder::SecondFirst;
  const JoinedActor &front = swaps ? second : first, &back = swaps ? first : second;
  const auto bones = front.clip.clip.track_count;
  std::vector<std::int32_t> tracks_in_order = {kNewTrack, kNewTrack};
  for (std::int32_t i = 0; i < bones; ++i) tracks_in_order.push_back(i);
  tracks_in_order.push_back(kNewTrack);
  DocumentClip joined = with_tracks(front.clip, tracks_in_order, context.limits);
  // Float slots of the first actor come first, whatever the order of the tracks.
  if (swaps) {
    std::vector<std::int16_t> slots;
    for (std::size_t i = 0; i < static_cast<std::size_t>(joined.clip.float_track_count); ++i)
      slots.push_back(static_cast<std::int16_t>(slot_of_track(joined.clip, i) + first.slot_count));
    joined.clip.float_to_slot = std::move(slots);
  }
  append_tracks(joined, back.clip, swaps ? std::int16_t{0} : first.slot_count, context.limits);
  // Whichever comes first, the clip is the first actor's in all that is said once.
  joined.name = first.clip.name;
  Clip& clip = joined.clip;
  const auto tracks = static_cast<std::size_t>(clip.track_count), back_place = static_cast<std::size_t>(bones) + 2;
  const Transform place = standing(Vec3(options.place), glm::radians(options.place.w));
  for (std::size_t f = 0; f < static_cast<std::size_t>(clip.frame_count); ++f) {
    const Transform theirs = place * second.places[f];
    clip.transforms[f * tracks + 1] = swaps ? theirs : first.places[f];
    clip.transforms[f * tracks + back_place] = swaps ? first.places[f] : theirs;
  }
  auto& events = clip.annotation_tracks;
  const std::size_t first_place = swaps ? back_place : 1, second_place = swaps ? 1 : back_place;
  events[0].name = kPairedRoot;
  events[first_place].name = kFirstActor;
  events[second_place].name = kSecondActor;
  // The games look for events on the first track only; those of the second actor stay with its place.
  const auto lift_events = [&](std::size_t actor_place, std::size_t to) {
    if (actor_place + 1 < tracks && actor_place + 1 != (swaps ? first_place : second_place))
      std::swap(events[to].annotations, events[actor_place + 1].annotations);
  };
  lift_events(first_place, 0);
  lift_events(second_place, second_place);
  clip.skeleton_name = kPairedRoot;
  clip.root_motion = kept_root_motion(first, second);
  note_lost_root_motion(first, second, clip, context);
  clip.partitions.clear();
  if (clip.float_track_count == 0) clip.float_to_slot.clear();
  joined.source = {};
  joined.kept_file.clear();
  joined.skeleton.reset();
  const PairReport report{.frames = clip.frame_count,
                          .first_tracks = first.clip.clip.track_count,
                          .second_tracks = second.clip.clip.track_count,
                          .place = seen_place(first.places.front(), place * second.places.front())};
  document = {.name = document.name,
              .format = Format::Hkx,
              .game = document.game,
              .metres_per_unit = document.metres_per_unit,
              .clips = {std::move(joined)}};
  return report;
}

}  // namespace marrow
