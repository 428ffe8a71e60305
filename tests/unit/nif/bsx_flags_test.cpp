// SPDX-License-Identifier: MIT
#include "nif/bsx_flags.h"

#include <doctest/doctest.h>

#include "havok/physics/physics.h"
#include "nif/embedded.h"
#include "nif/references.h"
#include "support/corpus.h"
#include "support/nif_sample.h"

using namespace marrow;

namespace {

// Two letters say what a system holds: D for dynamic bodies, J for joined ones.
Result<SystemTraits> probe_letters(std::span<const std::byte> bytes) {
  const std::string_view text = as_text(bytes);
  return SystemTraits{text.find('D') != std::string_view::npos, text.find('J') != std::string_view::npos};
}

Result<SystemTraits> probe_packfile(std::span<const std::byte> bytes) {
  const auto file = havok::read_packfile(bytes);
  if (!file) return std::unexpected(file.error());
  const auto system = havok::read_physics(*file, file->root);
  if (!system) return std::unexpected(system.error());
  return traits_of(*system);
}

std::uint32_t flags_with(std::string_view packfile, std::string_view node, EmbeddedKind kind = EmbeddedKind::Physics) {
  NifFile file = test::sample_nif();
  Notes notes;
  const std::vector<Attachment> where = {{std::string(node), 0}};
  REQUIRE(attach(file, as_bytes(packfile), kind, where, notes, &probe_letters));
  return *bsx_flags(file);
}

}  // namespace

TEST_CASE("flags follow from what collides and how it moves") {
  CHECK(flags_with("J", "Shelf") == 0x82);
  CHECK(flags_with("DJ", "Shelf") == 0xC2);
  CHECK(flags_with("J", "Door") == 0x8A);
  CHECK(flags_with("D", "Door") == 0x4A);
  CHECK(flags_with("DJ", "Door", EmbeddedKind::Ragdoll) == 0xC6);
}

TEST_CASE(
    "bodies are joined if joints lead from each to every other, and a navmesh cut does not count as a body that "
    "moves") {
  CollisionSystem system;
  system.motions = {{.inverse_mass = 1.0f}};
  system.bodies.resize(3);
  CHECK_FALSE(traits_of(system).is_joined);
  system.constraints = {{.body_a = 1, .body_b = 0}};
  CHECK_FALSE(traits_of(system).is_joined);
  system.constraints.push_back({.body_a = 2, .body_b = 1});
  CHECK(traits_of(system).is_joined);
  CHECK_FALSE(traits_of(system).has_dynamic_body);
  system.bodies[0].motion = 0;
  CHECK(traits_of(system).has_dynamic_body);
  system.bodies[0].set_layer(49);
  CHECK_FALSE(traits_of(system).has_dynamic_body);
}

TEST_CASE("the flags of the game's files are those that follow from their content") {
  constexpr std::uint32_t kExternalEmit = 0x200;  // follows from materials, which are in other files
  std::size_t files = 0;
  for (const auto& path : test::files_below(test::corpus(), ".nif")) {
    CAPTURE(path.string());
    auto file = read_nif(test::bytes_of(path));
    REQUIRE(file);
    const auto present = bsx_flags(*file);
    if (!present) continue;
    CHECK(expected_bsx_flags(*file, &probe_packfile) == *present);
    // Without the block all bits are derived.
    std::vector<std::int32_t> blocks;
    for (std::size_t i = 0; i < file->blocks.size(); ++i)
      if (file->type_of(static_cast<std::int32_t>(i)) == "BSXFlags") blocks.push_back(static_cast<std::int32_t>(i));
    REQUIRE(remove_blocks(*file, blocks));
    CHECK(expected_bsx_flags(*file, &probe_packfile) == (*present & ~kExternalEmit));
    ++files;
  }
  if (!test::corpus().empty()) CHECK(files == 22);
}
