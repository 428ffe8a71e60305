// SPDX-License-Identifier: MIT
#include "nif/references.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "marrow/core/byte_reader.h"
#include "nif/embedded.h"
#include "support/corpus.h"
#include "support/nif_sample.h"

using namespace marrow;

TEST_CASE("removing a block renumbers the references of the others and the roots") {
  NifFile file = test::sample_nif();
  REQUIRE(remove_blocks(file, std::vector<std::int32_t>{1}));
  CHECK(file.blocks.size() == 2);
  const auto nodes = read_nodes(file);
  REQUIRE(nodes);
  CHECK((*nodes)[0].children == std::vector<std::int32_t>{kNoBlock, 1});
  CHECK((*nodes)[1].name == "Lamp");
  CHECK((*nodes)[1].parent == 0);
  CHECK(file.roots == std::vector<std::int32_t>{0});
  CHECK(file.types == std::vector<std::string>{"NiNode", "BSFadeNode"});
  REQUIRE(remove_blocks(file, std::vector<std::int32_t>{0}));
  CHECK(file.roots == std::vector<std::int32_t>{kNoBlock});
  CHECK(file.types == std::vector<std::string>{"BSFadeNode"});
}

TEST_CASE("blocks that are not understood refuse to be renumbered, and the file stays as it was") {
  NifFile file = test::sample_nif();
  SUBCASE("an unknown type") { add_block(file, "BSStrangeThing", {}); }
  SUBCASE("a node that is longer than a node") { file.blocks[2].bytes.push_back(std::byte{0}); }
  SUBCASE("a node that is cut short") { file.blocks[2].bytes.pop_back(); }
  SUBCASE("a reference that leads nowhere") {
    const std::int32_t nowhere = 77;
    std::memcpy(file.blocks[0].bytes.data() + file.blocks[0].bytes.size() - 4, &nowhere, 4);
  }
  SUBCASE("a count that no block can hold") {
    const std::uint32_t count = 0xFFFFFFFF;
    std::memcpy(file.blocks[2].bytes.data() + 4, &count, 4);
  }
  const NifFile before = file;
  const auto removed = remove_blocks(file, std::vector<std::int32_t>{1});
  REQUIRE_FALSE(removed);
  CHECK(removed.error().code == ErrorCode::Unsupported);
  CHECK(file == before);
}

TEST_CASE("a block that no root leads to is an orphan") {
  NifFile file = test::sample_nif();
  CHECK(orphaned_blocks(file).empty());
  add_block(file, "BSXFlags", std::vector<std::byte>(8));
  CHECK(orphaned_blocks(file) == std::vector<std::int32_t>{3});
}

TEST_CASE("the references of every block of the game's files are known, and lead to every block") {
  std::size_t blocks = 0;
  for (const auto& path : test::files_below(test::corpus(), ".nif")) {
    CAPTURE(path.string());
    const auto file = read_nif(test::bytes_of(path));
    REQUIRE(file);
    std::vector<bool> is_named(file->blocks.size());
    for (const std::int32_t root : file->roots) is_named[static_cast<std::size_t>(root)] = true;
    for (std::size_t i = 0; i < file->blocks.size(); ++i) {
      CAPTURE(file->type_of(static_cast<std::int32_t>(i)));
      const auto references = find_references(*file, static_cast<std::int32_t>(i));
      REQUIRE(references);
      for (const std::size_t at : *references)
        if (const auto target = load<std::int32_t>(file->blocks[i].bytes, at); target != kNoBlock)
          is_named[static_cast<std::size_t>(target)] = true;
      ++blocks;
    }
    CHECK(std::ranges::all_of(is_named, [](bool named) { return named; }));
    CHECK(orphaned_blocks(*file).empty());
  }
  MESSAGE(blocks << " blocks");
}

TEST_CASE("the collision of the game's files comes off, node by node, and leaves a whole scene") {
  for (const auto& path : test::files_below(test::corpus(), ".nif")) {
    CAPTURE(path.string());
    auto file = read_nif(test::bytes_of(path));
    REQUIRE(file);
    const auto before = read_nodes(*file);
    REQUIRE(before);
    Notes notes;
    for (const NifNode& node : *before) {
      if (node.collision_object == kNoBlock) continue;
      // Numbers move, names and places stay.
      const auto now = read_nodes(*file);
      const auto same = std::ranges::find_if(*now, [&](const NifNode& n) {
        return n.name == node.name && n.world == node.world && n.collision_object != kNoBlock;
      });
      REQUIRE(same != now->end());
      REQUIRE(detach(*file, same->block, notes));
      CHECK(orphaned_blocks(*file).empty());
    }
    const auto again = read_nif(write_nif(*file));
    REQUIRE(again);
    CHECK(read_collision_objects(*again)->empty());
    const auto embedded = read_embedded(*again);
    REQUIRE(embedded);
    for (const EmbeddedPackfile& one : *embedded) CHECK(one.kind == EmbeddedKind::Cloth);
    const auto after = read_nodes(*again);
    REQUIRE(after);
    REQUIRE(after->size() == before->size());
    for (std::size_t i = 0; i < after->size(); ++i) {
      CHECK((*after)[i].name == (*before)[i].name);
      CHECK((*after)[i].world == (*before)[i].world);
      CHECK((*after)[i].children.size() == (*before)[i].children.size());
    }
  }
}
