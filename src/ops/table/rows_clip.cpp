// SPDX-License-Identifier: MIT
// Rows of operations that edit motion.
#include "ops/clip/cut.h"
#include "ops/clip/feet.h"
#include "ops/clip/limbs.h"
#include "ops/clip/loop.h"
#include "ops/clip/mix.h"
#include "ops/clip/pick.h"
#include "ops/clip/poses.h"
#include "ops/table/define.h"
#include "ops/table/rows.h"

namespace marrow {
namespace {

const InputInfo kClips = {.role = "clip", .placeholder = "CLIP", .help = "clips, or folders of them", .is_main = true};
constexpr Parts kParts = Parts::Skeletons | Parts::Clips;

InputInfo first_clip_input(std::string_view role, std::string_view placeholder, std::string_view help) {
  return {.role = role, .placeholder = placeholder, .help = help, .is_main = true};
}

std::vector<Operation> cut_rows() {
  return {
      edits({.name = "clip trim",
             .summary = "keep a range of a clip, with its events and root motion",
             .details = "Curves are cut, not sampled: values stay within 0.04 degrees between frames too, and most\n"
                        "stored numbers do not change at all. Cuts lie on whole frames.",
             .inputs = {kClips}},
            kParts, &trim_clip),
      edits({.name = "clip join",
             .summary = "play clips one after the other",
             .details = "Neighbours share a frame, so that a clip that was cut in two is the same again. Tracks are\n"
                        "matched by bone.",
             .inputs = {first_clip_input("first", "A", "the clip that comes first, or a folder of them")}},
            kParts, &join_clips),
      edits({.name = "clip speed", .summary = "play clips faster or slower; no pose changes", .inputs = {kClips}},
            kParts, &change_speed),
      edits({.name = "clip resample",
             .summary = "change the frames per second and keep the length",
             .details = "Whole multiples of the rate keep every value.",
             .inputs = {kClips}},
            kParts, &resample_clip),
      edits({.name = "clip reverse", .summary = "play clips backwards", .inputs = {kClips}}, kParts, &reverse_clip),
      edits({.name = "clip repeat", .summary = "play clips several times", .inputs = {kClips}}, kParts, &repeat_clip),
      edits({.name = "clip loop",
             .summary = "make first and last pose meet, and their velocities",
             .details = "Half of the gap is taken at either end. Without an output only the gaps are reported.",
             .inputs = {kClips},
             .output_is_optional = true},
            kParts, &loop_clip),
      edits({.name = "clip tracks",
             .summary = "keep or drop tracks by bone, or give clips the tracks of another skeleton",
             .inputs = {kClips}},
            kParts, &pick_tracks),
  };
}

std::vector<Operation> mix_rows() {
  return {
      edits({.name = "clip blend",
             .summary = "mix two clips, or let one become the other",
             .details = "With a weight, events that both clips have (footsteps) are brought to the same time.",
             .inputs = {first_clip_input("first", "A", "the first clip, or a folder of them")}},
            kParts, &blend_clips),
      edits({.name = "clip layer",
             .summary = "take some bones from another clip",
             .inputs = {first_clip_input("base", "BASE", "the clip that keeps the other bones, or a folder of them")}},
            kParts, &layer_clips),
      edits({.name = "clip additive", .summary = "make additive clips: the difference to a pose", .inputs = {kClips}},
            kParts, &make_additive),
      edits({.name = "clip apply",
             .summary = "put an additive clip on another",
             .inputs = {first_clip_input("base", "BASE", "the clip below, or a folder of them")}},
            kParts, &apply_additive),
      edits({.name = "clip offset", .summary = "turn or move a bone throughout a clip", .inputs = {kClips}}, kParts,
            &offset_bone),
      edits({.name = "clip pose",
             .summary = "keep one pose of a clip, as a clip of two equal frames",
             .inputs = {kClips}},
            kParts, &take_pose),
      edits({.name = "clip set-pose",
             .summary = "put a pose into a range of a clip",
             .details = "The motion fades into the pose and out of it, outside of the range.",
             .inputs = {first_clip_input("clip", "CLIP", "the clip that gets the pose, or a folder of them")}},
            kParts, &set_pose),
      edits({.name = "clip pin",
             .summary = "hold a hand or a foot at a place",
             .details =
                 "The limb bends on the side where it bends already, and keeps its lengths. Nothing moves outside\n"
                 "of the range and its fades.",
             .inputs = {kClips}},
            kParts, &pin_bone),
      edits({.name = "clip feet",
             .summary = "keep feet from sliding while they stand",
             .details =
                 "Contacts of toe and heel with the ground are found, legs bend so that the foot stays, and\n"
                 "everything else is kept. Root motion and clips that walk on the spot are understood. Without an\n"
                 "output only the contacts are reported.",
             .inputs = {kClips},
             .output_is_optional = true},
            kParts, &lock_feet),
      edits({.name = "clip smooth", .summary = "remove jitter of rotations under a bound", .inputs = {kClips}}, kParts,
            &smooth_bones),
  };
}

}  // namespace

std::vector<Operation> clip_rows() {
  std::vector<Operation> rows = cut_rows();
  for (Operation& row : mix_rows()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace marrow
