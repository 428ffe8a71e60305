// SPDX-License-Identifier: MIT
#include "havok/packfile/packfile.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>

#include "core/byte_writer.h"
#include "havok/object/compare.h"
#include "havok/object/game.h"
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
  CHECK(found->opaque().bytes.size() == 48);
  CHECK(found->opaque().local_fixups == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 32}});
  REQUIRE(found->opaque().global_fixups.size() == 1);
  CHECK(back.at(found->opaque().global_fixups[0].second).class_name() == "hkaSkeleton");
  const auto smaller = with_pointer_size_of(back, Game::SkyrimLe);
  REQUIRE_FALSE(smaller);
  CHECK(smaller.error().code == ErrorCode::Unrepresentable);
}

TEST_CASE("the fill of every kind of gap is found and kept") {
  for (Packfile file : {sample_packfile(kVersion2010, 4), sample_packfile(kVersion2010, 8, true),
                        sample_packfile(kVersion2014, 8), sample_behaviour(4), sample_behaviour(8)})
    for (unsigned mask = 0; mask < 16; ++mask) {
      CAPTURE(mask);
      file.padding.bodies = mask & 1 ? 0x7F : 0;
      file.padding.arrays = mask & 2 ? 0x7F : 0;
      file.padding.strings = mask & 4 ? 0x7F : 0;
      file.padding.class_names = mask & 8 ? 0x7F : 0xFF;
      const std::vector<std::byte> bytes = written(file);
      const Packfile back = read_back(bytes);
      CHECK(back.padding == file.padding);
      CHECK(written(back) == bytes);
    }
}

TEST_CASE("a file that is padded with 7F comes back byte for byte: bodies, arrays, strings and class names") {
  // Taken from the file as it is stored: whatever lies between the end of a thing and the next multiple of 16.
  for (const Packfile& file :
       {sample_packfile(kVersion2010, 4), sample_packfile(kVersion2010, 8), sample_behaviour(4), sample_behaviour(8)}) {
    std::vector<std::byte> bytes = written(file);
    const std::size_t data = data_start(bytes), end = table(bytes, 0);
    std::vector<bool> used(bytes.size());
    const auto use = [&](std::size_t at, std::size_t size) {
      std::fill_n(used.begin() + std::ptrdiff_t(at), size, true);
    };
    const std::function<void(const Element&, const Array&)> use_array = [&](const Element& element,
                                                                            const Array& array) {
      if (array.source_offset() == 0) return;
      use(array.source_offset(), array.count() * element.file_size[file.layout().index()]);
      for (std::uint32_t i = 0; i < array.count(); ++i)
        for (const Step& step : element.steps[0])
          if (step.element) use_array(*step.element, array.refs()[i * element.ref_count + step.ref].array());
    };
    for (const Object& object : read_back(bytes).objects) use_array(object.type->layout, object.body());
    // What a local fixup leads to and no array claims is a string.
    for (std::size_t at = end; at < table(bytes, 1) && load<std::uint32_t>(bytes, at) != 0xFFFFFFFF; at += 8) {
      const std::size_t to = data + load<std::uint32_t>(bytes, at + 4);
      if (!used[to]) use(to, std::string_view(reinterpret_cast<const char*>(&bytes[to])).size() + 1);
    }
    std::size_t gaps = 0;
    for (std::size_t at = data; at < end; ++at)
      if (!used[at]) bytes[at] = std::byte{0x7F}, ++gaps;
    CHECK(gaps > 50);
    for (std::size_t at = data; bytes[at - 1] == std::byte{0xFF}; --at) bytes[at - 1] = std::byte{0x7F};
    CHECK(written(read_back(bytes)) == bytes);
  }
}

TEST_CASE("a small file has gaps only after strings, and its fill is found there") {
  Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
  file.root = file.add("hkMemoryResourceContainer");  // 64 bytes: no gap after it
  file.at(file.root).fields().set_text("name", "ab");
  std::vector<std::byte> bytes = written(file);
  const std::size_t text = data_start(bytes) + 64;
  REQUIRE(bytes[text] == std::byte{'a'});
  for (std::size_t at = text + 3; at < text + 16; ++at) bytes[at] = std::byte{0x7F};
  const Packfile back = read_back(bytes);
  CHECK(back.padding == Padding(0x7F));
  CHECK(written(back) == bytes);
}

TEST_CASE("a string that is not there is followed by padding, too") {
  Packfile file = make_packfile(*builtin_schema(kVersion2014), 8);
  file.root = file.add("hkRootLevelContainer");
  // Three records of 24 bytes at 0x10. With a name, the first string is right behind them, at 0x58; without one, at the
  // next multiple of 16, as in the game's cloth.
  for (const bool has_name : {true, false}) {
    file.at(file.root).fields().reset_array("namedVariants", 3);
    for (std::uint32_t i = 0; i < 3; ++i) {
      Fields variant = file.at(file.root).fields().element("namedVariants", i);
      if (has_name) variant.set_text("name", "hclClothData");
      variant.set_text("className", "hclClothData");
    }
    const std::vector<std::byte> bytes = written(file);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::size_t data = load<std::uint32_t>(bytes, text.find("__data__") + 0x14);  // a file of version 11
    CHECK(text.find("hclClothData", data) - data == (has_name ? 0x58 : 0x60));
    CHECK(written(read_back(bytes)) == bytes);
  }
}

TEST_CASE("what a tool packs closer than Havok does is not taken for padding") {
  Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
  file.root = file.add("hkaSkeleton");
  const std::vector<std::string> names(40, "fourteen bytes");
  file.at(file.root).fields().set_texts("floatSlots", names);
  std::vector<std::byte> bytes = written(file);
  // Closes the ranks: string i moves i bytes towards the first.
  std::size_t first = 0, moved = 0;
  for (std::size_t at = table(bytes, 0); at < table(bytes, 1); at += 8) {
    const std::uint32_t to = load<std::uint32_t>(bytes, at + 4);
    if (to == 0xFFFFFFFF || bytes[data_start(bytes) + to] != std::byte{'f'}) continue;
    if (moved == 0) first = to;
    REQUIRE(to == first + 16 * moved);
    poke(bytes, at + 4, static_cast<std::uint32_t>(to - moved++));
  }
  REQUIRE(moved == names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    std::memcpy(bytes.data() + data_start(bytes) + first + 15 * i, names[i].c_str(), 15);
  std::fill_n(bytes.begin() + std::ptrdiff_t(data_start(bytes) + first + 15 * names.size()), names.size(),
              std::byte{0});
  const Packfile back = read_back(bytes);
  CHECK(back.padding == Padding());
  CHECK(compare(back, file).empty());
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
      const auto file = read_packfile(damaged, {.limits = {.max_expanded_bytes = 1 << 20}});
      if (!file) {
        CHECK_FALSE(file.error().message.empty());
        continue;
      }
      // What is written means what was read: it reads as the same objects.
      const auto again = write_packfile(*file);
      REQUIRE_MESSAGE(again, "byte ", at, " = ", value, ": ", again.error().message);
      const auto same = read_packfile(*again);
      REQUIRE_MESSAGE(same, "byte ", at, " = ", value, ": ", same.error().message);
      CHECK(same->objects.size() == file->objects.size());
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
  CHECK(refusal(0x11, 2).find("byte order") != std::string::npos);
  CHECK(refusal(0x12, 2).find("reuse of padding") != std::string::npos);
  CHECK(refusal(0x13, 0).find("empty base") != std::string::npos);
  CHECK(refusal(0x10, 16).find("pointer size") != std::string::npos);
  CHECK(refusal(0x0C, 9).find("file version") != std::string::npos);
  CHECK(refusal(0x28 + 6, 'x').find("hk_201x.2.0-r1") != std::string::npos);
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
