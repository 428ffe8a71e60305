// SPDX-License-Identifier: MIT
#include "marrow/havok/packfile.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "marrow/core/byte_writer.h"
#include "marrow/havok/compare.h"
#include "marrow/havok/game.h"
#include "support/sample_packfile.h"

using namespace marrow;
using namespace marrow::havok;
using marrow::test::sample_behaviour;
using marrow::test::sample_packfile;

namespace {

std::vector<std::byte> written(const Packfile& file) {
  auto bytes = write_packfile(file);
  REQUIRE_MESSAGE(bytes.has_value(), describe(bytes.error()));
  return std::move(*bytes);
}

Packfile read_back(std::span<const std::byte> bytes) {
  auto file = read_packfile(bytes);
  REQUIRE_MESSAGE(file.has_value(), describe(file.error()));
  return std::move(*file);
}

template <Scalar T>
void poke(std::vector<std::byte>& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

// Where things lie in a file of version 8: header, three section headers, then the class names.
constexpr std::size_t kDataHeader = 0x40 + 2 * 0x30;
std::size_t data_start(std::span<const std::byte> bytes) { return load<std::uint32_t>(bytes, kDataHeader + 0x14); }
std::size_t table(std::span<const std::byte> bytes, std::size_t which) {
  return data_start(bytes) + load<std::uint32_t>(bytes, kDataHeader + 0x18 + 4 * which);
}

}  // namespace

TEST_CASE("an empty root container is written as these 336 bytes") {
  Packfile file = make_packfile(*builtin_schema(kVersion2010), 4);
  file.root = file.add("hkRootLevelContainer");
  ByteWriter golden;
  for (const std::uint32_t word : {0x57E0E057u, 0x10C0C010u, 0u, 8u, 0x01000104u, 3u, 2u, 0u, 0u, 0x4Bu})
    golden.u32(word);
  golden.text("hk_2010.2.0-r1");
  golden.u16(0xFF00);
  golden.u32(0);
  golden.u32(0xFFFFFFFF);
  const auto section = [&](std::string_view tag, std::array<std::uint32_t, 7> words) {
    golden.text(tag);
    golden.fill(19 - tag.size());
    golden.u8(0xFF);
    for (const std::uint32_t word : words) golden.u32(word);
  };
  section("__classnames__", {0xD0, 0x60, 0x60, 0x60, 0x60, 0x60, 0x60});
  section("__types__", {0x130, 0, 0, 0, 0, 0, 0});
  section("__data__", {0x130, 0x10, 0x10, 0x10, 0x20, 0x20, 0x20});
  const auto name = [&](std::uint32_t signature, std::string_view text) {
    golden.u32(signature);
    golden.u8(9);
    golden.text(text);
    golden.u8(0);
  };
  name(0x75585EF6, "hkClass");
  name(0x5C7EA4C2, "hkClassMember");
  name(0x8A3609CF, "hkClassEnum");
  name(0xCE6F8A6C, "hkClassEnumItem");
  name(0x2772C11E, "hkRootLevelContainer");
  golden.pad_to(16, 0xFF);
  for (const std::uint32_t word : {0u, 0u, 0x80000000u, 0u, 0u, 0u, 0x4Bu, 0xFFFFFFFFu}) golden.u32(word);
  CHECK(std::ranges::equal(written(file), golden.view()));
}

TEST_CASE("what is written reads back as an equal value, in every version and size") {
  for (const bool with_opaque : {false, true})
    for (const auto& [version, size] :
         {std::pair{kVersion2010, 4u}, {kVersion2010, 8u}, {kVersion2014, 8u}, {kVersion2014, 4u}}) {
      CAPTURE(version);
      CAPTURE(size);
      const std::vector<std::byte> bytes = written(sample_packfile(version, size, with_opaque));
      const Packfile back = read_back(bytes);
      CHECK(compare(sample_packfile(version, size, with_opaque), back).empty());
      CHECK(back.pointer_size == size);
      CHECK(written(back) == bytes);
      CHECK(read_back(written(back)) == back);
    }
}

TEST_CASE("objects follow depth first in the order of their pointers, and class names in the order of first object") {
  const Packfile back = read_back(written(sample_behaviour(8)));
  std::vector<std::string_view> order;
  for (const Object& object : back.objects) order.push_back(object.class_name());
  const std::vector<std::string_view> expected = {
      "hkRootLevelContainer",  "hkbBehaviorGraph",      "hkbStateMachine",          "hkbStateMachineStateInfo",
      "hkbClipGenerator",      "hkbVariableBindingSet", "hkbStateMachineStateInfo", "hkbClipGenerator",
      "hkbVariableBindingSet", "hkbBehaviorGraphData",  "hkbVariableValueSet",      "hkbBehaviorGraphStringData"};
  CHECK(order == expected);
}

TEST_CASE("32 bit to 64 bit and back is the same file, behaviours too") {
  for (const Packfile& file : {sample_packfile(kVersion2010, 4), sample_behaviour(4)}) {
    const std::vector<std::byte> le = written(file);
    const auto se = with_pointer_size_of(read_back(le), Game::SkyrimSe);
    REQUIRE(se);
    CHECK(written(*se)[16] == std::byte{8});
    const auto back = with_pointer_size_of(read_back(written(*se)), Game::SkyrimLe);
    REQUIRE(back);
    CHECK(written(*back) == le);
  }
}

TEST_CASE("an object of unknown class moves and is rewritten, but does not change its pointer size") {
  Packfile file = sample_packfile(kVersion2010, 8, true);
  const Packfile back = read_back(written(file));
  const auto found = std::ranges::find_if(back.objects, [](const Object& object) { return !object.type; });
  REQUIRE(found != back.objects.end());
  CHECK(found->opaque.bytes.size() == 48);
  CHECK(found->opaque.local_fixups == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 32}});
  REQUIRE(found->opaque.global_fixups.size() == 1);
  CHECK(back.at(found->opaque.global_fixups[0].second).class_name() == "hkaSkeleton");
  const auto smaller = with_pointer_size_of(back, Game::SkyrimLe);
  REQUIRE_FALSE(smaller);
  CHECK(smaller.error().code == ErrorCode::Unrepresentable);
}

TEST_CASE("the padding byte of a file is kept") {
  Packfile file = sample_packfile(kVersion2010, 4);
  file.padding = 0x7F;
  const std::vector<std::byte> bytes = written(file);
  CHECK(read_back(bytes).padding == 0x7F);
  CHECK(written(read_back(bytes)) == bytes);
}

TEST_CASE("objects that nothing points to are kept, behind the others") {
  Packfile file = sample_packfile(kVersion2010, 8);
  const ObjectId stray = file.add("hkMemoryResourceContainer");
  file.at(stray).fields().set_text("name", "stray");
  const Packfile back = read_back(written(file));
  REQUIRE(back.objects.size() == file.objects.size());
  CHECK(back.objects.back().fields().text("name") == "stray");
}

TEST_CASE("an object that points to itself, or a ring of objects, is written once") {
  Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
  file.root = file.add("hkMemoryResourceContainer");
  file.at(file.root).fields().set_pointers("children", std::array<ObjectId, 1>{file.root});
  const Packfile back = read_back(written(file));
  CHECK(back.objects.size() == 1);
  CHECK(back.objects[0].fields().array("children").pointer(0) == back.root);
}

TEST_CASE("a chain of a hundred thousand objects takes no stack") {
  Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
  constexpr std::uint32_t count = 100'000;
  for (std::uint32_t i = 0; i < count; ++i) file.add("hkMemoryResourceContainer");
  for (std::uint32_t i = 0; i + 1 < count; ++i)
    file.objects[i].fields().set_pointers("children", std::array<ObjectId, 1>{ObjectId{i + 1}});
  file.root = {0};
  const Packfile back = read_back(written(file));
  CHECK(back.objects.size() == count);
  CHECK(compare(file, back).empty());
}

TEST_CASE("every prefix of a good file is refused with an error, never a crash") {
  for (const auto& [version, size] : {std::pair{kVersion2010, 4u}, {kVersion2014, 8u}}) {
    const std::vector<std::byte> bytes = written(sample_packfile(version, size, true));
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      // A buffer of the exact size, so that a sanitizer sees any read past its end.
      const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
      const auto result = read_packfile(cut);
      REQUIRE_FALSE_MESSAGE(result.has_value(), "a prefix of " << length << " bytes was taken");
      CHECK_FALSE(result.error().message.empty());
    }
  }
}

TEST_CASE("any single wrong byte gives a file or an error, and what reads can be written") {
  const std::vector<std::byte> bytes = written(sample_packfile(kVersion2010, 4, true));
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (const unsigned value : {0x00u, 0x7Fu, 0x80u, 0xFFu}) {
      std::vector<std::byte> damaged = bytes;
      damaged[at] = static_cast<std::byte>(value);
      if (const auto file = read_packfile(damaged, {.limits = {.max_expanded_bytes = 1 << 20}}))
        (void)write_packfile(*file);
    }
}

TEST_CASE("what is not supported is refused by name") {
  const std::vector<std::byte> good = written(sample_packfile(kVersion2010, 8));
  const auto refusal = [&](std::size_t at, std::uint8_t value) {
    std::vector<std::byte> bytes = good;
    bytes[at] = std::byte{value};
    const auto result = read_packfile(bytes);
    REQUIRE_FALSE(result);
    CHECK(result.error().code == ErrorCode::Unsupported);
    return result.error().message;
  };
  CHECK(refusal(0x11, 0).find("big-endian") != std::string::npos);
  CHECK(refusal(0x12, 1).find("reused padding") != std::string::npos);
  CHECK(refusal(0x10, 16).find("pointer size") != std::string::npos);
  CHECK(refusal(0x0C, 9).find("file version") != std::string::npos);
  CHECK(refusal(0x28 + 6, '2').find("hk_2012.2.0-r1") != std::string::npos);
  std::vector<std::byte> tagfile(64);
  std::memcpy(tagfile.data() + 4, "TAG0", 4);
  CHECK(read_packfile(tagfile).error().message.find("TAG0") != std::string::npos);
  CHECK(read_packfile({}).error().code == ErrorCode::Truncated);
  CHECK(read_packfile(std::vector<std::byte>(64)).error().code == ErrorCode::BadMagic);
}

TEST_CASE("fixups that lead nowhere are refused with their offset") {
  const std::vector<std::byte> good = written(sample_packfile(kVersion2010, 8));
  const auto error_after = [&](std::size_t at, std::uint32_t value) {
    std::vector<std::byte> bytes = good;
    poke(bytes, at, value);
    const auto result = read_packfile(bytes);
    REQUIRE_FALSE(result);
    CHECK(result.error().offset != kNoOffset);
    return result.error();
  };
  CHECK(error_after(table(good, 0) + 4, 0x7FFFFFF0).message.find("local fixup") != std::string::npos);
  CHECK(error_after(table(good, 0), 0x7FFFFFF0).message.find("local fixup") != std::string::npos);
  CHECK(error_after(table(good, 1) + 8, 0x7FFFFFF0).message.find("global fixup") != std::string::npos);
  CHECK(error_after(table(good, 1) + 8, 4).message.find("no object starts") != std::string::npos);
  CHECK(error_after(table(good, 1) + 4, 0).message.find("global fixup") != std::string::npos);
  CHECK(error_after(table(good, 2) + 8, 3).message.find("virtual fixup") != std::string::npos);
  CHECK(error_after(table(good, 2), 0x7FFFFFF0).message.find("virtual fixup") != std::string::npos);
}

TEST_CASE("counts that the bytes cannot hold are refused before anything is allocated, with the field's name") {
  const std::vector<std::byte> good = written(sample_packfile(kVersion2010, 8));
  std::vector<std::byte> bytes = good;
  poke(bytes, data_start(good) + 8, 0x7FFFFFFFu);  // namedVariants of the root, which lies at the start
  const auto result = read_packfile(bytes);
  REQUIRE_FALSE(result);
  CHECK(result.error().code == ErrorCode::Truncated);
  CHECK(result.error().path == "__data__.objects[0].namedVariants");
  CHECK(read_packfile(good, {.limits = {.max_expanded_bytes = 100}}).error().code == ErrorCode::LimitExceeded);
  CHECK(read_packfile(good, {.limits = {.max_objects = 2}}).error().code == ErrorCode::LimitExceeded);
}

TEST_CASE("wrong signatures, odd strings and misaligned objects are findings, and writing mends the last two") {
  const std::vector<std::byte> good = written(sample_packfile(kVersion2010, 8));
  const auto codes = [](std::span<const std::byte> bytes) {
    Findings findings;
    REQUIRE(read_packfile(bytes, {.findings = &findings}));
    std::vector<std::string> found;
    for (const Finding& finding : findings) found.push_back(finding.code);
    return found;
  };
  CHECK(codes(good).empty());
  std::vector<std::byte> bytes = good;
  // A string one byte further on: it loses its first letter, and lies at an odd offset.
  const std::size_t fixup = table(good, 0) + 8;
  poke(bytes, fixup + 4, load<std::uint32_t>(good, fixup + 4) + 1);
  CHECK(codes(bytes) == std::vector<std::string>{"E_ODD_STRING"});
  CHECK(codes(written(read_back(bytes))).empty());
  bytes = good;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  poke(bytes, text.find("hkaSkeleton") - 5, 0xDEADBEEFu);
  CHECK(codes(bytes) == std::vector<std::string>{"E_SIGNATURE"});
}
