// SPDX-License-Identifier: MIT
// Rows of operations on paired clips, root motion and float tracks.
#include "ops/clip/floats.h"
#include "ops/clip/root_motion.h"
#include "ops/pair/pair.h"
#include "ops/table/define.h"
#include "ops/table/rows.h"

namespace marrow {
namespace {

const InputInfo kMovedClips = {
    .role = "clip", .placeholder = "CLIP", .help = "clips, or folders of them", .is_main = true};
const std::vector<Format> kPairFormats = {Format::Hkx, Format::Xml};

}  // namespace

std::vector<Operation> pair_rows() {
  const InputInfo pairs = {
      .role = "clip", .placeholder = "CLIP", .help = "paired clips, or folders of them", .is_main = true};
  Operation split =
      edits({.name = "pair split",
             .summary = "make two clips of a paired clip, one per actor",
             .details = "OUT is a folder; the clips are NAME_1 and NAME_2. A place that moves becomes root motion. "
                        "Where\nthe second actor stands is reported, so that they can be joined again.",
             .inputs = {pairs},
             .formats = kPairFormats},
            Parts::Skeletons | Parts::Frames, &pair_split);
  split.info.names_outputs = true;
  return {
      edits({.name = "pair join",
             .summary = "make a paired clip from two clips of one actor each",
             .details = "The clips must be equally long. Their root motion moves the places of the actors, NPC and 2_.",
             .inputs = {{.role = "first",
                         .placeholder = "A",
                         .help = "the clip of the first actor",
                         .parts = Parts::Skeletons | Parts::Frames}},
             .formats = kPairFormats},
            Parts::Skeletons | Parts::Frames, &pair_join),
      std::move(split),
      edits({.name = "pair swap",
             .summary = "exchange the actors of paired clips; each stays where it stands",
             .inputs = {pairs},
             .formats = kPairFormats},
            Parts::Skeletons | Parts::Frames, &pair_swap),
  };
}

std::vector<Operation> root_motion_rows() {
  return {
      prints({.name = "root-motion show",
              .summary = "print the root motion of a clip as CSV",
              .details = "Columns: frame,x,y,z,turn; units, and radians about the up axis.",
              .inputs = {kMovedClips},
              .text_extension = ".csv"},
             Parts::Clips, &show_root_motion),
      edits({.name = "root-motion set",
             .summary = "give clips root motion: from a table, or an even motion",
             .inputs = {kMovedClips}},
            Parts::Clips, &set_root_motion),
      edits({.name = "root-motion extract",
             .summary = "move the path of a bone into root motion",
             .details = "The bone stays on its place; what the character does in the world does not change.",
             .inputs = {kMovedClips}},
            Parts::Skeletons | Parts::Frames, &extract_root_motion),
      edits({.name = "root-motion bake",
             .summary = "move root motion into a bone, and remove it from the clip",
             .inputs = {kMovedClips}},
            Parts::Skeletons | Parts::Frames, &bake_root_motion),
      edits({.name = "root-motion scale", .summary = "scale the distances of root motion", .inputs = {kMovedClips}},
            Parts::Clips, &scale_root_motion),
      edits({.name = "root-motion remove", .summary = "remove root motion", .inputs = {kMovedClips}}, Parts::Clips,
            &remove_root_motion),
      edits(
          {.name = "root-motion to-annotations",
           .summary = "write root motion as events animmotion X Y Z and animrotation DEGREES",
           .details = "Plugins of Skyrim take root motion from these events of the clip, instead of the game's cache.",
           .inputs = {kMovedClips}},
          Parts::Clips, &root_motion_to_events),
      edits({.name = "root-motion from-annotations",
             .summary = "make root motion from events animmotion X Y Z and animrotation DEGREES",
             .inputs = {kMovedClips}},
            Parts::Clips, &root_motion_from_events),
  };
}

std::vector<Operation> float_rows() {
  return {
      edits({.name = "floats set",
             .summary = "set a float track to a value, for all frames or some; add it if it is missing",
             .details = "Samples of a clip show its float tracks.",
             .inputs = {kMovedClips}},
            Parts::Frames, &set_floats),
      edits(
          {.name = "floats import", .summary = "replace float tracks by those of a CSV table", .inputs = {kMovedClips}},
          Parts::Frames, &import_floats),
      edits({.name = "floats remove", .summary = "remove a float track", .inputs = {kMovedClips}}, Parts::Frames,
            &remove_floats),
  };
}

}  // namespace marrow
