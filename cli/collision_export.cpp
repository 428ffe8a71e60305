// SPDX-License-Identifier: MIT
#include "marrow/ops/collision_export.h"

#include <fmt/format.h>

#include "collision.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"

namespace marrow::cli {
namespace {

int run(const Arguments& arguments) {
  const std::vector<std::string> paths = arguments.all("FILE");
  const std::string& output = arguments.get("-o");
  const bool many = names_many(paths);
  CollisionExportOptions options;
  options.block = block_option(arguments);
  options.mesh.solid = arguments.has("--solid");
  const std::string units = arguments.find("--units").value_or("metre");
  options.units = units == "game" ? Units::Game : units == "blender" ? Units::Blender : Units::Metre;
  if (const auto word = arguments.find("--format"))
    options.format = *find_output_format(*word);
  else if (!many)
    options.format = output_format_of(std::filesystem::path(output).extension().string());
  if (options.format != OutputFormat::Obj && options.format != OutputFormat::Glb &&
      options.format != OutputFormat::Gltf)
    throw UsageError("collision is exported to .obj, .glb or .gltf, not to '" + output + "'");
  return run_batch(expand_inputs(paths), arguments, [&](const Input& input) {
    const auto bytes = read_file(input.path);
    if (!bytes) return failed(input.path, bytes.error());
    const auto file = read_collision(*bytes);
    if (!file) return failed(input.path, file.error());
    const std::filesystem::path path = output_path(input, output, many, extension_of(options.format));
    CollisionExportOptions own = options;
    const std::filesystem::path mtl = std::filesystem::path(path).replace_extension(".mtl");
    if (options.format == OutputFormat::Obj) own.mtl_name = mtl.filename().string();
    Notes notes;
    const auto meshes = meshes_of(*file, own, notes);
    if (!meshes) return failed(input.path, meshes.error());
    Notes again;
    const auto exported = export_collision(*file, own, again);
    if (!exported) return failed(input.path, exported.error());
    if (options.format == OutputFormat::Obj) {
      const std::string text = collision_mtl(*meshes);
      if (const auto written = write_file(mtl, as_bytes(text)); !written) return failed(mtl, written.error());
    }
    if (const auto written = write_file(path, *exported); !written) return failed(path, written.error());
    Outcome outcome;
    for (const Note& note : notes) outcome.notes.push_back(note_line(input.path, note));
    if (!arguments.has("-q"))
      outcome.text = fmt::format("{} -> {}, {} shapes\n", input.path.string(), path.string(), meshes->size());
    outcome.json = {{"path", input.path.string()}, {"output", path.string()}, {"shapes", meshes->size()}};
    return outcome;
  });
}

}  // namespace

Verb collision_export_verb() {
  return {
      .name = "export",
      .summary = "the shapes as a mesh: one object a shape, coloured by material, in the places of the nodes",
      .positionals = {{"FILE...", "NIF files, packfiles or folders"}},
      .options = {{"-o,--output", "OUT", "an .obj (game units, Z up), .glb or .gltf; a folder for several files", true},
                  {"--block", "N", "only this system of the NIF"},
                  {"--format", "FORMAT", "where OUT is a folder", false, false, {"obj", "glb", "gltf"}},
                  {"--solid", "", "hulls with their convex radius, as things touch them, instead of their vertices"},
                  {"--units", "UNITS", "of glTF files (default: metre)", false, false, {"game", "metre", "blender"}}},
      .run = run,
      .details = "An .obj comes with an .mtl of the same name. `build` takes these files again."};
}

}  // namespace marrow::cli
