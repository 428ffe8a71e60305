// SPDX-License-Identifier: MIT
#include "ops/clip/knots.h"
#include "ops/collision/boxes.h"
#include "ops/table/define.h"
#include "ops/table/rows.h"

namespace marrow {

std::vector<Operation> view_rows() {
  return {
      reads({.name = "knots",
             .summary = "list the knots that clips store for each track, for plots",
             .details = "Knots are frames of the clip. A clip that stores every frame has none.",
             .inputs =
                 {{.role = "clip", .placeholder = "CLIP", .help = "animations or folders of them", .is_main = true}}},
            Parts::Clips, &list_knots),
      reads({.name = "collision boxes",
             .summary = "list the boxes of the trees that collision is searched with",
             .details = "Boxes are in the space of their node, in game units.",
             .inputs =
                 {{.role = "file", .placeholder = "FILE", .help = "NIF files, packfiles or folders", .is_main = true}}},
            Parts::None, &list_collision_boxes)};
}

}  // namespace marrow
