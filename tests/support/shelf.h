// SPDX-License-Identifier: MIT
// Collision out, edited, and in again, through operations by name, as every door runs them.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "havok/physics/measure.h"
#include "marrow/core/byte_reader.h"
#include "nif/bsx_flags.h"
#include "support/documents.h"
#include "support/nif_sample.h"
#include "support/operation_bench.h"

namespace marrow::test {

/// A box of 40 x 20 x 30 game units, moved along x.
inline std::string box(const std::string& name, int x = 0, int first = 0) {
  std::string text = "o " + name + "\nusemtl Material_Wood\n";
  for (const int corner_x : {-20, 20})
    for (const int y : {-10, 10})
      for (const int z : {0, 30})
        text += "v " + std::to_string(corner_x + x) + " " + std::to_string(y) + " " + std::to_string(z) + "\n";
  for (const auto& [a, b, c] : {std::array{1, 2, 4},
                                {1, 4, 3},
                                {5, 7, 8},
                                {5, 8, 6},
                                {1, 5, 6},
                                {1, 6, 2},
                                {3, 4, 8},
                                {3, 8, 7},
                                {1, 3, 7},
                                {1, 7, 5},
                                {2, 6, 8},
                                {2, 8, 4}})
    text += "f " + std::to_string(first + a) + " " + std::to_string(first + b) + " " + std::to_string(first + c) + "\n";
  return text;
}

inline Bytes bytes_of(std::string_view text) { return {as_bytes(text).begin(), as_bytes(text).end()}; }
inline std::string text_of(const Bytes& bytes) { return std::string(as_text(bytes)); }

/// Files of a NIF with collision on three nodes, and of the meshes that it was made of. Operations on them must work.
struct Shelf : OperationBench {
  Shelf() {
    NifFile nif = sample_nif();
    // The door stands turned by a quarter: rows of the rotation after name, extra data, controller, flags, translation.
    constexpr float kQuarter[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    std::memcpy(nif.blocks[1].bytes.data() + 28, kQuarter, sizeof kQuarter);
    files["bare.nif"] = write_nif(nif);
    files["box.obj"] = bytes_of(box("Box"));
    files["boxes.obj"] = bytes_of(box("Left", -50) + box("Right", 50, 8));
    run("collision add-body", R"({"node":"Door","shape":"hull","mass":5})", {{"file", "bare.nif"}, {"mesh", "box.obj"}},
        "one.nif");
    run("collision add-body", R"({"node":"Lamp","shape":"sphere"})", {{"file", "one.nif"}, {"mesh", "box.obj"}},
        "two.nif");
    run("collision add-body", R"({"node":"Shelf","shape":"compound"})", {{"file", "two.nif"}, {"mesh", "boxes.obj"}},
        "full.nif");
  }

  void run(std::string_view name, std::string_view options,
           const std::vector<std::pair<std::string_view, std::string>>& inputs, const std::string& output) {
    REQUIRE_MESSAGE(OperationBench::run(name, options, inputs, output), std::string(name) << ": " << error);
  }

  /// Exports a NIF as text, changes the text, and puts it back.
  template <class Edit>
  void trip(const std::string& nif, const Edit& edit, const std::string& output) {
    run("collision export", R"({"format":"obj"})", {{"file", nif}}, "trip.obj");
    files["trip.obj"] = bytes_of(edit(text_of(files["trip.obj"])));
    run("collision replace", "{}", {{"nif", nif}, {"blob", "trip.obj"}}, output);
  }

  Document document(const std::string& name) { return loaded(files.at(name), Parts::Collision); }
  CollisionSystem system(const std::string& name) { return document(name).collision.at(0).system; }
  std::uint32_t flags(const std::string& name) { return bsx_flags(*document(name).nif()).value_or(0); }
  bool has_note(std::string_view text) const {
    return std::ranges::any_of(notes, [&](const Note& note) { return note.message.find(text) != std::string::npos; });
  }
};

inline geometry::Aabb bounds(const CollisionSystem& system, std::size_t body) {
  return havok::bounds_of(system, *system.find_shape(system.bodies[body].shape));
}

}  // namespace marrow::test
