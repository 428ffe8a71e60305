// SPDX-License-Identifier: MIT
#include "marrow/ops/body/list.h"
#include "marrow/ops/body/replace.h"
#include "ops/table/define.h"
#include "ops/table/rows.h"

namespace marrow {

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
                Parts::Bodies, &replace_bodies)};
}

}  // namespace marrow
