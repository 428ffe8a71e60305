// SPDX-License-Identifier: MIT
#include "ops/body/list.h"
#include "ops/body/new_body.h"
#include "ops/body/picture.h"
#include "ops/body/replace.h"
#include "ops/table/define.h"
#include "ops/table/rows.h"

namespace marrow {
namespace {

// The meshes become another file: what was read of the glTF file is no part of it.
Operation made_from_meshes(Operation made) {
  made.edit = becomes_output("mesh", made.run);
  return made;
}

}  // namespace

std::vector<Operation> body_rows() {
  const InputInfo nif{.role = "file", .placeholder = "NIF", .help = "NIF files or folders", .is_main = true};
  return {reads({.name = "body list",
                 .summary = "list the visible shapes of NIF files: bones, body parts, segments, textures, bounds",
                 .inputs = {nif}},
                Parts::None, &list_bodies),
          prints({.name = "body weights",
                  .summary = "write the weights of skinned shapes as a table",
                  .details = "Columns: shape,vertex,bone,weight; one row per weight above 0, as the game draws them.",
                  .inputs = {nif},
                  .text_extension = ".csv"},
                 Parts::None, &body_weights),
          edits({.name = "body replace",
                 .summary = "put edited meshes of a glTF file back into their NIF",
                 .details = "Meshes are matched to shapes by the record in the file, by name, then by their number of "
                            "vertices.\nWhat did not change keeps its bits; shapes without a mesh stay as they are.",
                 .inputs = {nif},
                 .formats = {Format::Nif}},
                Parts::Bodies, &replace_bodies),
          made_from_meshes(edits(
              {.name = "body new",
               .summary = "make a NIF of the meshes of a glTF file, like another one",
               .details = "Shaders, textures and partitions are those of the other NIF. A mesh without a skin gets the "
                          "weights of\nthe body below it: those of the nearest surface that faces the same way.",
               .inputs = {{.role = "mesh", .placeholder = "MESH", .help = "a glTF file", .parts = Parts::Bodies}},
               .formats = {Format::Nif}},
              Parts::Bodies, &new_body)),
          prints({.name = "body picture",
                  .summary = "draw bodies at a pose, as .png or .svg",
                  .details = "Drawn by Marrow itself: no graphics card, no other program. Without a clip the body "
                             "stands at rest.",
                  .inputs = {nif},
                  .text_extension = ".png",
                  .text_forms = {"png", "svg"}},
                 Parts::Bodies, &draw_bodies)};
}

}  // namespace marrow
