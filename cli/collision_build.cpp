// SPDX-License-Identifier: MIT
#include "marrow/ops/collision_build.h"

#include <fmt/format.h>

#include "collision.h"
#include "marrow/core/file.h"

namespace marrow::cli {

namespace {

BuildOptions options_of(const Arguments& arguments) {
  BuildOptions options;
  options.shape = *find_build_shape(arguments.get("--shape"));
  options.material = material_option(arguments);
  options.mass_kg = real_option(arguments, "--mass");
  options.layer = layer_option(arguments);
  options.motion = motion_option(arguments);
  options.friction = real_option(arguments, "--friction");
  options.restitution = real_option(arguments, "--restitution");
  options.convex_radius = real_option(arguments, "--radius").value_or(options.convex_radius);
  options.max_concavity = real_option(arguments, "--concavity").value_or(options.max_concavity);
  if (const auto pieces = arguments.integer("--pieces")) {
    if (*pieces < 1 || *pieces > 1000) throw UsageError("--pieces takes a number from 1 to 1000");
    options.max_pieces = static_cast<std::uint32_t>(*pieces);
  }
  if (!(options.convex_radius >= 0.0f)) throw UsageError("--radius is not negative");
  return options;
}

// Objects of several files become one system: materials of each keep their names.
void append(BuildInput& all, BuildInput more) {
  const std::size_t first = all.materials.size();
  for (BuildObject& object : more.objects) {
    if (object.mesh.materials.empty()) object.mesh.materials.assign(object.mesh.triangles.size(), 0);
    for (std::uint16_t& material : object.mesh.materials) material = static_cast<std::uint16_t>(material + first);
    all.objects.push_back(std::move(object));
  }
  if (more.materials.empty()) more.materials.emplace_back();
  all.materials.insert(all.materials.end(), more.materials.begin(), more.materials.end());
}

int run(const Arguments& arguments) {
  const BuildOptions options = options_of(arguments);
  const std::string word = arguments.find("--units").value_or("");
  const BuildUnits units = word == "game" ? BuildUnits::Game : word == "metre" ? BuildUnits::Metre : BuildUnits::Own;
  const std::vector<std::string> paths = arguments.all("MESH");
  BuildInput all;
  for (const std::string& path : paths) {
    const auto bytes = read_file(path);
    auto input = bytes ? read_build_input(*bytes, units) : std::unexpected(bytes.error());
    if (!input) {
      fmt::print(stderr, "{}\n", error_line(path, input.error()));
      return kFailed;
    }
    append(all, std::move(*input));
  }
  Notes notes;
  const auto built = build_packfile(all, options, notes);
  if (!arguments.has("-q"))
    for (const Note& note : notes) fmt::print(stderr, "note: {}\n", note_line(paths.front(), note));
  const std::string& output = arguments.get("-o");
  const auto written = built ? write_file(output, built->bytes) : std::unexpected(built.error());
  if (!written) {
    fmt::print(stderr, "{}\n", error_line(built ? output : paths.front(), written.error()));
    return kFailed;
  }
  if (arguments.has("-q") || arguments.has("--json")) return kDone;
  fmt::print("{}: {} bodies, {} bytes\n", output, built->system.bodies.size(), built->bytes.size());
  if (built->system.bodies.size() == all.objects.size())
    for (std::size_t i = 0; i < all.objects.size(); ++i) fmt::print("  body {:<3} {}\n", i, all.objects[i].name);
  return kDone;
}

}  // namespace

Verb collision_build_verb() {
  return {.name = "build",
          .summary = "make a packfile from meshes, to be attached to the nodes of a NIF",
          .positionals = {{"MESH...", ".obj (game units, Z up), .glb or .gltf (metres, Y up)"}},
          .options = {{"-o,--output", "BLOB", "the packfile", true},
                      {"--shape",
                       "KIND",
                       "what each object becomes; compound: hulls that are children of one body",
                       true,
                       false,
                       {"hull", "mesh", "box", "sphere", "capsule", "compound", "decompose"}},
                      {"--material", "NAME",
                       "where the file names no collision material: `wood`, `Material_Wood`, a CRC in hex"},
                      {"--mass", "KG", "makes it dynamic; a mesh stays static"},
                      {"--layer", "NAME", "default: STATIC, ANIMSTATIC or CLUTTER, as it moves"},
                      {"--motion", "KIND", "how it moves", false, false, {"static", "keyframed", "dynamic"}},
                      {"--friction", "F", "default: 0.5"},
                      {"--restitution", "R", "default: 0.4"},
                      {"--units", "UNITS", "of the mesh", false, false, {"game", "metre"}},
                      {"--radius", "R", "convex radius in Havok units (default: 0.01); hulls are shrunk by it"},
                      {"--pieces", "N", "the most hulls of a decomposition (default: 32)"},
                      {"--concavity", "D",
                       "how far they may stand off the mesh, in game units (default: 2 % of its size)"}},
          .run = run,
          .details =
              "Several objects give several bodies. A material of the file that is named as one of the game's becomes "
              "the collision material, a face at a time in meshes."};
}

}  // namespace marrow::cli
