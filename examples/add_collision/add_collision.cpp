// SPDX-License-Identifier: MIT
// Gives a node of a NIF a body of wood, made of a mesh: add_collision NIF MESH NODE OUT
#include <cstdio>

#include "marrow/marrow.h"

using namespace marrow;

int main(int argc, char** argv) {
  if (argc != 5) return std::fprintf(stderr, "usage: add_collision NIF MESH NODE OUT\n"), 2;
  const auto complain = [](const Error& error) {
    return std::fprintf(stderr, "%s: %s\n", error.file.c_str(), error.message.c_str()), 1;
  };
  auto nif = load_file(argv[1]);
  if (!nif) return complain(nif.error());
  const auto mesh = load_file(argv[2]);
  if (!mesh) return complain(mesh.error());
  const auto added =
      add_collision(*nif, *mesh, {.node = argv[3], .shape = BuildShape::Hull, .material = "wood", .mass_kg = 8.0f});
  if (!added) return complain(added.error());
  const auto saved = save_file(*nif, argv[4]);
  if (!saved) return complain(saved.error());
  for (const Note& note : nif->notes()) std::printf("%s\n", note.message.c_str());
}
