// SPDX-License-Identifier: MIT
// The operations on animation caches.
#include "ops/behavior/cache.h"
#include "ops/table/define.h"
#include "ops/table/rows.h"

namespace marrow {

std::vector<Operation> cache_rows() {
  const InputInfo cache{.role = "file",
                        .placeholder = "FILE",
                        .help = "animationdatasinglefile.txt or animationsetdatasinglefile.txt",
                        .is_main = true};
  return {
      reads({.name = "cache list",
             .summary = "print the projects of an animation cache, with their clips, motions and sets",
             .inputs = {cache}},
            Parts::None, &list_cache),
      edits(
          {.name = "cache add",
           .summary = "register a clip with its motion, or an animation in a set",
           .details = "Of animation data: a clip and its motion, from keys or from the clip itself. Of animation sets: "
                      "an animation by its\nchecksums, and the attack that plays it. Nothing else in the file changes.",
           .inputs = {cache},
           .formats = {Format::AnimationData, Format::AnimationSets}},
          Parts::None, &add_to_cache),
      edits({.name = "cache remove",
             .summary = "take a clip with its motion out of a cache, or an animation or attack out of a set",
             .inputs = {cache},
             .formats = {Format::AnimationData, Format::AnimationSets}},
            Parts::None, &remove_from_cache),
      reads({.name = "cache check",
             .summary = "report counts, keys, triggers and checksums of a cache that the game would misread",
             .details = "Exit 0 if nothing is wrong, 3 if there is an error or a warning.",
             .inputs = {cache}},
            Parts::None, &check_cache),
  };
}

}  // namespace marrow
