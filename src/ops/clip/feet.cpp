// SPDX-License-Identifier: MIT
#include "ops/clip/feet.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "core/try.h"
#include "marrow/core/text.h"
#include "marrow/model/pose.h"
#include "motion/edit/feet.h"
#include "motion/edit/seam.h"
#include "motion/edit/splice_clip.h"
#include "ops/clip/edit_support.h"
#include "ops/clip/limb_codes.h"
#include "ops/document/spline_motion.h"
#include "ops/retarget/body_parts.h"

namespace marrow {
namespace {

// How high the end of a leg may be at rest, as a share of the height of the body.
constexpr float kOnGround = 0.12f;

std::string_view state_word(motion::ContactLeft left) {
  switch (left) {
    case motion::ContactLeft::Locked: return "locked";
    case motion::ContactLeft::Still: return "still";
    case motion::ContactLeft::Lying: return "lying";
    case motion::ContactLeft::TurnsFar: return "turns far";
  }
  return "";
}

// The bone that moves with the body: the hips of a rig that is known, else what the leg hangs on.
std::int32_t hips_above(const Skeleton& skeleton, const BodyParts& body, std::int32_t upper) {
  const std::int32_t parent = skeleton.bones[count_of(upper)].parent;
  for (std::int32_t bone = parent; bone != kNoBone; bone = skeleton.bones[count_of(bone)].parent)
    if (body.parts[count_of(bone)] == part_named("hips")) return bone;
  return parent;
}

// A leg of any rig: the longest child of the foot is the toe.
Result<motion::Limb> leg_ending_with(const Skeleton& skeleton, const BodyParts& body, std::int32_t end) {
  MARROW_TRY(motion::Limb leg, motion::find_limb(skeleton, end));
  if (leg.is_leg) return leg;
  leg.is_leg = true;
  leg.above.clear();
  leg.helpers.clear();
  leg.hips = hips_above(skeleton, body, leg.upper);
  float longest = 0.0f;
  for (std::size_t b = 0; b < skeleton.bones.size(); ++b)
    if (const float length = glm::length(skeleton.bones[b].rest.translation);
        skeleton.bones[b].parent == end && length > longest) {
      leg.toe = static_cast<std::int32_t>(b);
      longest = length;
    }
  return leg;
}

// Legs of rigs that do not have the games' names: by the names of other programs, else by the structure of the body.
std::vector<motion::Limb> legs_by_parts(const Skeleton& skeleton, const BodyParts& body, Context& context) {
  std::vector<Transform> rest(skeleton.bones.size());
  std::ranges::transform(skeleton.bones, rest.begin(), &Bone::rest);
  local_to_model(skeleton, rest, rest);
  float height = 0.0f;
  for (const Transform& place : rest) height = std::max(height, place.translation.z);
  std::vector<motion::Limb> legs;
  std::string guessed;
  const auto take = [&](std::string_view part, bool needs_ground) {
    for (std::size_t b = 0; b < rest.size(); ++b) {
      if (body.parts[b] != part_named(part)) continue;
      if (needs_ground && (!body.is_guessed[b] || rest[b].translation.z > kOnGround * height)) continue;
      const auto leg = leg_ending_with(skeleton, body, static_cast<std::int32_t>(b));
      if (!leg) continue;
      legs.push_back(*leg);
      if (body.is_guessed[b]) guessed += (guessed.empty() ? "" : ", ") + skeleton.bones[b].name;
    }
  };
  for (const std::string_view part : {"footL", "footR"}) take(part, false);
  // Forelegs have the parts of arms.
  for (const std::string_view part : {"handL", "handR"}) take(part, true);
  if (!guessed.empty()) context.note("by the structure of the body, legs end with " + guessed);
  return legs;
}

// The legs of each body; a paired clip has two.
Result<std::vector<std::vector<motion::Limb>>> legs_of(const Skeleton& skeleton, const Clip& clip,
                                                       const FeetOptions& options, Context& context) {
  std::vector<motion::Limb> legs = options.feet.empty() ? motion::find_legs(skeleton) : std::vector<motion::Limb>();
  if (legs.empty()) {
    const BodyParts body = find_parts(skeleton);
    for (const std::string& name : options.feet) {
      MARROW_TRY(const std::int32_t end, bone_named(skeleton, name, "foot"));
      MARROW_TRY(const motion::Limb leg, leg_ending_with(skeleton, body, end));
      legs.push_back(leg);
    }
    if (options.feet.empty()) legs = legs_by_parts(skeleton, body, context);
  }
  std::vector<bool> has_track(skeleton.bones.size(), false);
  for (std::size_t t = 0; t < count_of(clip.track_count); ++t)
    if (const std::int32_t bone = bone_of_track(clip, t); bone >= 0 && count_of(bone) < has_track.size())
      has_track[count_of(bone)] = true;
  std::erase_if(legs, [&](const motion::Limb& leg) {
    return !has_track[count_of(leg.upper)] || !has_track[count_of(leg.lower)] || !has_track[count_of(leg.end)];
  });
  if (legs.empty())
    return fail(ErrorCode::NotFound, "no legs are found in the clip; name the bones that they end with", kNoOffset,
                "foot");
  std::vector<std::vector<motion::Limb>> bodies;
  for (motion::Limb& leg : legs) {
    if (leg.hips != kNoBone && !has_track[count_of(leg.hips)]) leg.hips = kNoBone;
    const auto same = std::ranges::find_if(bodies, [&](const auto& body) { return body.front().hips == leg.hips; });
    if (same == bodies.end())
      bodies.push_back({leg});
    else
      same->push_back(leg);
  }
  return bodies;
}

/// Frames in which a leg is bent, with one at either side; runs that nearly meet are one.
std::vector<FrameRange> bent_runs(const std::vector<std::uint8_t>& is_bent) {
  constexpr std::int32_t kNear = 4;
  std::vector<FrameRange> runs;
  const auto last = static_cast<std::int32_t>(is_bent.size()) - 1;
  for (std::int32_t f = 0; f <= last; ++f) {
    if (!is_bent[count_of(f)]) continue;
    const FrameRange around{std::max(0, f - 1), std::min(last, f + 1)};
    if (!runs.empty() && around.first - runs.back().last <= kNear)
      runs.back().last = around.last;
    else
      runs.push_back(around);
  }
  return runs;
}

// Stores a leg run by run; the other tracks keep their codes.
Result<void> store_leg(DocumentClip& clip, const Skeleton& skeleton, const motion::Limb& leg, std::size_t index,
                       const motion::FeetPlan& plan, const FeetOptions& options, FeetClip& report, Context& context) {
  const std::vector<FrameRange> runs = bent_runs(plan.is_bent[index]);
  if (runs.empty()) return {};
  MARROW_TRY(Clip bent, with_frames(clip, context.limits));
  const std::vector<double> turns = motion::bend_leg(skeleton, leg, index, plan, bent);
  report.turned_degrees = std::max(report.turned_degrees, std::ranges::max(turns));
  std::vector<std::size_t> own;
  for (std::size_t t = 0; t < count_of(bent.track_count); ++t)
    if (const std::int32_t bone = bone_of_track(bent, t); bone == leg.upper || bone == leg.lower || bone == leg.end)
      own.push_back(t);
  for (const FrameRange& run : runs) {
    MARROW_TRY(Clip after, with_frames(clip, context.limits));
    for (std::int32_t f = run.first; f <= run.last; ++f)
      for (const std::size_t t : own)
        after.transforms[count_of(f) * count_of(after.track_count) + t] = bent.frame(f)[t];
    MARROW_CHECK(store_limb(clip, skeleton, leg, after, plan.places[index], run, options.edit, report.clip, context));
  }
  return {};
}

Result<void> lock_body(const Skeleton& skeleton, const std::vector<motion::Limb>& legs, const Clip& before,
                       DocumentClip& clip, const FeetOptions& options, FeetClip& report, Context& context) {
  const motion::FeetPlan plan = motion::plan_feet(skeleton, legs, before,
                                                  {.all = options.all,
                                                   .height = options.height,
                                                   .fade_seconds = options.fade,
                                                   .max_turn_degrees = options.max_turn,
                                                   .max_hips = options.max_hips});
  const FrameRange whole{0, before.frame_count - 1};
  for (const glm::dvec3& way : plan.hips) report.hips_moved = std::max(report.hips_moved, glm::length(way));
  // Hips first: legs are bent to what is stored of them.
  if (report.hips_moved > 0.0) {
    MARROW_TRY(Clip moved, with_frames(clip, context.limits));
    motion::move_hips(skeleton, legs.front().hips, plan, moved);
    MARROW_CHECK(replace_frames(clip, std::move(moved), whole, options.edit, report.clip, context));
  }
  for (std::size_t l = 0; l < legs.size(); ++l)
    MARROW_CHECK(store_leg(clip, skeleton, legs[l], l, plan, options, report, context));
  MARROW_TRY(const Clip stored, with_frames(clip, context.limits));
  const std::vector<double> drifts = motion::contact_drifts(skeleton, legs, plan, stored);
  for (std::size_t i = 0; i < plan.contacts.size(); ++i) {
    const motion::FootContact& contact = plan.contacts[i];
    const motion::Limb& leg = legs[contact.leg];
    const std::int32_t bone = contact.is_toe && leg.toe != kNoBone ? leg.toe : leg.end;
    report.contacts.push_back({.bone = skeleton.bones[count_of(bone)].name,
                               .from_frame = contact.first,
                               .to_frame = contact.last,
                               .drift_before = contact.drift,
                               .drift_after = drifts[i],
                               .state = std::string(state_word(contact.left))});
    if (contact.left != motion::ContactLeft::Locked) continue;
    report.drift_before = std::max(report.drift_before, contact.drift);
    report.drift_after = std::max(report.drift_after, drifts[i]);
  }
  report.is_loop = report.is_loop || plan.is_loop;
  if (plan.treadmill != glm::dvec2(0.0))
    report.treadmill = Vec3(glm::dvec3(plan.treadmill, 0.0) / motion::frame_seconds_of(before));
  return {};
}

Result<void> lock_one(const Document& document, DocumentClip& clip, const FeetOptions& options, FeetClip& report,
                      Context& context) {
  if (clip.clip.blend_hint != BlendHint::Normal)
    return fail(ErrorCode::WrongKind, "an additive clip has no feet on the ground");
  MARROW_TRY(const Skeleton skeleton, skeleton_of(document, clip, options.skeleton, context));
  MARROW_CHECK(take_saved_motion(document, clip, context.limits));
  MARROW_TRY(const Clip before, with_frames(clip, context.limits));
  MARROW_TRY(const auto bodies, legs_of(skeleton, before, options, context));
  for (const std::vector<motion::Limb>& legs : bodies)
    MARROW_CHECK(lock_body(skeleton, legs, before, clip, options, report, context));
  const auto far = std::ranges::count(report.contacts, "turns far", &ContactReport::state);
  if (far > 0)
    context.note(std::to_string(far) + " contacts are left alone: a bone would be turned by more than the bound",
                 clip.name);
  if (report.drift_after > 0.1)
    context.note("a foot still slides by " + float_text(static_cast<float>(report.drift_after)) +
                     " units: it is out of reach, and the hips may not move further",
                 clip.name);
  MARROW_TRY(const Clip stored, with_frames(clip, context.limits));
  for (const std::vector<motion::Limb>& legs : bodies)
    for (const motion::Limb& leg : legs) {
      const std::int32_t bones[] = {leg.upper, leg.lower, leg.end};
      report.acceleration_before = std::max(report.acceleration_before, motion::peak_acceleration(before, bones));
      report.acceleration_after = std::max(report.acceleration_after, motion::peak_acceleration(stored, bones));
    }
  if (report.acceleration_after > motion::kPopFactor * std::max(report.acceleration_before, 1.0))
    context.note("the legs accelerate much faster than before: a longer fade makes it smoother", clip.name);
  return {};
}

}  // namespace

void describe(FieldList& fields, FeetOptions& options) {
  fields("foot", options.feet,
         {.help = "a bone that a leg ends with; give it once per leg",
          .placeholder = "BONE",
          .otherwise = "found by name, else by structure"});
  fields("all", options.all, {.help = "lock the feet of a body that lies or sits too"});
  fields("height", options.height, {.help = "hold the height of a foot too; it no longer rolls"});
  fields("fade", options.fade,
         {.help = "time outside of a contact to get there and back", .unit = "seconds", .placeholder = "S", .min = 0});
  fields("max_turn", options.max_turn,
         {.help = "leave a contact alone that turns some bone further than this at a frame",
          .unit = "degrees",
          .placeholder = "DEG",
          .min = 0});
  fields("max_hips", options.max_hips,
         {.help = "most that the hips may move for a foot that is out of reach",
          .unit = "units",
          .placeholder = "UNITS",
          .min = 0});
  fields.input("skeleton", options.skeleton, kClipSkeleton);
  describe_edit(fields, options.edit);
}

void describe(FieldList& fields, ContactReport& contact) {
  fields("bone", contact.bone, {.help = "the bone that stands"});
  fields("from_frame", contact.from_frame);
  fields("to_frame", contact.to_frame);
  fields("drift_before", contact.drift_before,
         {.help = "largest distance over the ground from the mean place", .unit = "units"});
  fields("drift_after", contact.drift_after, {.help = "the same of what is stored", .unit = "units"});
  fields("state", contact.state,
         {.help = "locked; still: it does not slide; lying: the body lies or sits; turns far: past the bound"});
}

void describe(FieldList& fields, FeetClip& clip) {
  describe(fields, clip.clip);
  fields("contacts", clip.contacts);
  fields("drift_before", clip.drift_before, {.help = "largest of the contacts that were locked", .unit = "units"});
  fields("drift_after", clip.drift_after, {.help = "largest of the contacts that were locked", .unit = "units"});
  fields("hips_moved", clip.hips_moved, {.help = "most that the hips were moved", .unit = "units"});
  fields("turned_degrees", clip.turned_degrees,
         {.help = "most that a bone of a leg was turned at a frame", .unit = "degrees"});
  fields("acceleration_before", clip.acceleration_before,
         {.help = "largest of the legs, per frame and frame at 30 frames per second", .unit = "degrees"});
  fields("acceleration_after", clip.acceleration_after, {.help = "the same of what is stored", .unit = "degrees"});
  fields("treadmill", clip.treadmill,
         {.help = "velocity of the ground under a clip that walks on the spot",
          .unit = "units per second",
          .sparse = true});
  fields("loop", clip.is_loop, {.help = "true if contacts go on through the seam"});
}

void describe(FieldList& fields, FeetReport& report) { fields("clips", report.clips); }

Result<FeetReport> lock_feet(Document& document, const FeetOptions& options, Context& context) {
  FeetReport report;
  const Document* holder = &document;
  MARROW_TRY(const ClipEditReport edited,
             for_each_clip(document, options.edit, context, [&](DocumentClip& clip, EditedClip& own) -> Result<void> {
               FeetClip locked{.clip = own};
               MARROW_CHECK(lock_one(*holder, clip, options, locked, context));
               own = locked.clip;
               report.clips.push_back(std::move(locked));
               return {};
             }));
  for (std::size_t i = 0; i < report.clips.size(); ++i) report.clips[i].clip = edited.clips[i];
  return report;
}

}  // namespace marrow
