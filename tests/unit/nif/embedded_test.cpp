// SPDX-License-Identifier: MIT
#include "nif/embedded.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "marrow/core/byte_reader.h"
#include "nif/skin.h"
#include "support/corpus.h"
#include "support/nif_sample.h"

using namespace marrow;

namespace {

// The container does not look into a packfile, so any bytes will do.
std::span<const std::byte> packfile(std::string_view text) { return as_bytes(text); }

std::int32_t attach_to(NifFile& file, std::string_view bytes, std::vector<Attachment> where, Notes& notes) {
  const auto block = attach(file, packfile(bytes), EmbeddedKind::Physics, where, notes);
  REQUIRE(block);
  return *block;
}

NifNode node_named(const NifFile& file, std::string_view name) {
  const auto nodes = read_nodes(file);
  REQUIRE(nodes);
  return *std::ranges::find(*nodes, name, &NifNode::name);
}

}  // namespace

TEST_CASE("nodes know their place in the scene") {
  const NifNode door = node_named(test::sample_nif(), "Door");
  CHECK(door.world.translation == Vec3(100, 0, 10));
  CHECK(door.local.translation == Vec3(100, 0, 0));
  CHECK(door.parent == 0);
}

TEST_CASE("a loop of nodes does not hang") {
  NifFile file = test::sample_nif();
  file.blocks[1].bytes = test::node_bytes(1, {1, 0, 0}, kNoBlock, {0, 1});
  CHECK(read_nodes(file));
}

TEST_CASE("several nodes share one system, each with its body") {
  NifFile file = test::sample_nif();
  const NifFile before = file;
  Notes notes;
  const std::int32_t system = attach_to(file, "a system", {{"Door", 0}, {"lamp", 1}}, notes);
  const auto objects = read_collision_objects(file);
  REQUIRE(objects);
  REQUIRE(objects->size() == 2);
  CHECK((*objects)[0].target == 1);
  CHECK((*objects)[0].body == 0);
  CHECK((*objects)[1].target == 2);
  CHECK((*objects)[1].body == 1);
  for (const CollisionObject& object : *objects) {
    CHECK(object.system == system);
    CHECK(object.flags == 0x80);
  }
  CHECK(node_named(file, "Door").collision_object == (*objects)[0].block);
  CHECK(as_text(find_embedded(file, system)->bytes) == "a system");
  // Only the collision reference of the two nodes changed, and the root got its flags.
  CHECK(file.blocks[1].bytes.size() == before.blocks[1].bytes.size());
  CHECK(file.blocks[0].bytes.size() == before.blocks[0].bytes.size() + 4);
}

TEST_CASE("attaching the same bytes again shares the block, other bytes replace what only this node used") {
  NifFile file = test::sample_nif();
  Notes notes;
  const std::int32_t first = attach_to(file, "a system", {{"Door", 0}}, notes);
  CHECK(attach_to(file, "a system", {{"Lamp", 1}}, notes) == first);
  const std::int32_t other = attach_to(file, "another", {{"Lamp", 0}}, notes);
  CHECK(other != first);  // the door still uses the first
  const std::size_t blocks = file.blocks.size();
  CHECK(attach_to(file, "a third", {{"Lamp", 0}}, notes) == other);
  CHECK(file.blocks.size() == blocks);
}

TEST_CASE("BSXFlags are added once and keep the bits that collision does not decide") {
  NifFile file = test::sample_nif();
  Notes notes;
  attach_to(file, "a system", {{"Door", 0}}, notes);
  const auto flags = [&] {
    for (std::size_t i = 0; i < file.blocks.size(); ++i)
      if (file.type_of(static_cast<std::int32_t>(i)) == "BSXFlags") return i;
    return std::size_t{0};
  }();
  REQUIRE(flags != 0);
  CHECK(node_named(file, "Shelf").extra_data == std::vector{static_cast<std::int32_t>(flags)});
  CHECK(bsx_flags(file) == 0x8A);
  file.blocks[flags].bytes[4] = std::byte{0x50};
  attach_to(file, "another", {{"Lamp", 0}}, notes);
  CHECK(bsx_flags(file) == 0x5A);
}

TEST_CASE("detaching what was attached gives the file back") {
  NifFile file = test::sample_nif();
  Notes notes;
  attach_to(file, "a system", {{"Door", 0}}, notes);
  const NifFile before = file;
  attach_to(file, "another", {{"Lamp", 0}}, notes);
  REQUIRE(detach(file, *find_node(file, "Lamp"), notes));
  CHECK(file == before);
  REQUIRE(detach(file, *find_node(file, "Door"), notes));
  CHECK(read_collision_objects(file)->empty());
  CHECK(read_embedded(file)->empty());
  CHECK(std::ranges::find(file.types, "bhkPhysicsSystem") == file.types.end());
  CHECK(bsx_flags(file) == 0);
  CHECK(node_named(file, "Door").collision_object == kNoBlock);
  CHECK_FALSE(detach(file, *find_node(file, "Door"), notes));
}

TEST_CASE("a system that another node uses stays when one is detached, and blocks behind get new numbers") {
  NifFile file = test::sample_nif();
  Notes notes;
  attach_to(file, "a system", {{"Door", 0}, {"Lamp", 1}}, notes);
  const std::int32_t system = read_collision_objects(file)->front().system;
  const auto detached = detach(file, *find_node(file, "Door"), notes);
  REQUIRE(detached);
  CHECK(detached->system == system);
  CHECK(detached->stays == 0u);
  const auto objects = read_collision_objects(file);
  REQUIRE(objects);
  REQUIRE(objects->size() == 1);
  CHECK(file.type_of(objects->front().target) == "BSFadeNode");
  CHECK(as_text(find_embedded(file, objects->front().system)->bytes) == "a system");
  CHECK(node_named(file, "Lamp").collision_object == objects->front().block);
  CHECK(file.type_of(node_named(file, "Shelf").extra_data.front()) == "BSXFlags");
  const auto last = detach(file, *find_node(file, "Lamp"), notes);
  REQUIRE(last);
  CHECK_FALSE(last->stays.has_value());
}

TEST_CASE("in a file with blocks that are not understood no number changes") {
  NifFile file = test::sample_nif();
  Notes notes;
  attach_to(file, "a system", {{"Door", 0}}, notes);
  const std::int32_t strange = add_block(file, "BSStrangeThing", {std::byte{1}});
  attach_to(file, "another", {{"Lamp", 0}}, notes);
  const std::size_t blocks = file.blocks.size();
  REQUIRE(detach(file, *find_node(file, "Door"), notes));
  CHECK(file.blocks.size() == blocks);
  CHECK(file.type_of(strange) == "BSStrangeThing");
  CHECK(read_embedded(file)->size() == 1);
  CHECK(std::ranges::count(file.types, "NiIntegerExtraData") == 1);
  // Those of the lamp stand at the end and can go.
  REQUIRE(detach(file, *find_node(file, "Lamp"), notes));
  CHECK(file.blocks.size() == blocks - 2);
  CHECK(read_nif(write_nif(file)));
}

TEST_CASE("a node whose collision object is a block that will only be added gets its own") {
  Notes notes;
  NifFile tried = test::sample_nif();
  attach_to(tried, "a system", {{"Door", 0}}, notes);
  const std::int32_t added = node_named(tried, "Door").collision_object;
  NifFile file = test::sample_nif();
  REQUIRE(set_collision_object(file, *find_node(file, "Lamp"), added));
  attach_to(file, "a system", {{"Door", 0}, {"Lamp", 1}}, notes);
  const auto objects = read_collision_objects(file);
  REQUIRE(objects->size() == 2);
  CHECK((*objects)[0].block == node_named(file, "Door").collision_object);
  CHECK((*objects)[1].block == node_named(file, "Lamp").collision_object);
  CHECK((*objects)[1].flags == (*objects)[0].flags);
}

TEST_CASE("a node that is not there is named, with those that are") {
  NifFile file = test::sample_nif();
  const NifFile before = file;
  Notes notes;
  const std::vector<Attachment> where = {{"Window", 0}};
  const auto block = attach(file, packfile("a system"), EmbeddedKind::Physics, where, notes);
  REQUIRE_FALSE(block);
  CHECK(block.error().message.find("'Door'") != std::string::npos);
  CHECK(file == before);
}

TEST_CASE("a block that lies about the size of its packfile is an error") {
  NifFile file = test::sample_nif();
  add_block(file, "bhkPhysicsSystem", {std::byte{9}, std::byte{0}, std::byte{0}, std::byte{0}, std::byte{1}});
  CHECK_FALSE(read_embedded(file));
}

TEST_CASE("a tagfile of Starfield is refused by name") {
  NifFile file = test::sample_nif();
  Notes notes;
  const std::int32_t block = attach_to(file, "placeholder", {{"Door", 0}}, notes);
  REQUIRE(replace_embedded(file, block, as_bytes(std::string_view("\0\0\0\x20TAG0rest", 12))));
  const auto embedded = read_embedded(file);
  REQUIRE_FALSE(embedded);
  CHECK(embedded.error().message.find("Starfield") != std::string::npos);
}

TEST_CASE("every packfile of the game's NIFs is found, extracted and put back") {
  std::size_t found = 0;
  for (const auto& path : test::files_below(test::corpus(), ".nif")) {
    CAPTURE(path.string());
    const std::vector<std::byte> bytes = test::bytes_of(path);
    auto file = read_nif(bytes);
    REQUIRE(file);
    REQUIRE(read_nodes(*file));
    const auto embedded = read_embedded(*file);
    REQUIRE(embedded);
    CHECK_FALSE(embedded->empty());
    for (const EmbeddedPackfile& one : *embedded) {
      CHECK(as_text(one.bytes).starts_with("\x57\xE0\xE0\x57\x10\xC0\xC0\x10"));
      const std::vector<std::byte> copy(one.bytes.begin(), one.bytes.end());
      REQUIRE(replace_embedded(*file, one.block, copy));
      ++found;
    }
    CHECK(write_nif(*file) == bytes);
    const auto objects = read_collision_objects(*file);
    REQUIRE(objects);
    const auto nodes = read_nodes(*file);
    for (const CollisionObject& object : *objects) {
      const auto node = std::ranges::find(*nodes, object.target, &NifNode::block);
      REQUIRE(node != nodes->end());
      CHECK(node->collision_object == object.block);
    }
  }
  if (!test::corpus().empty()) CHECK(found > 20);
}

TEST_CASE("the bones of a skinned mesh are found by name") {
  const auto path = test::corpus() / "nif" / "LBoot.nif";
  if (test::corpus().empty() || !std::filesystem::exists(path)) return;
  const auto skins = read_skins(*read_nif(test::bytes_of(path)));
  REQUIRE(skins);
  REQUIRE(skins->size() == 1);
  CHECK_FALSE(skins->front().names.empty());
  for (const std::string& name : skins->front().names) CHECK_FALSE(name.empty());
}
