// SPDX-License-Identifier: MIT
// Binary tagfiles, built here byte by byte.
#include "havok/tag/tagfile.h"

#include <doctest/doctest.h>

#include <bit>
#include <string>

#include "core/byte_writer.h"
#include "havok/text/dump.h"

using namespace marrow;
using namespace marrow::havok;

namespace {

using Bytes = std::vector<std::byte>;

std::string section(std::string_view tag, const std::string& content, bool is_leaf = true) {
  ByteWriter out;
  out.u32(std::byteswap(static_cast<std::uint32_t>(content.size() + 8) | (is_leaf ? 0x40000000u : 0u)));
  out.text(tag);
  out.text(content);
  return std::string(as_text(out.view()));
}

std::string words(std::initializer_list<std::uint32_t> values) {
  ByteWriter out;
  for (const std::uint32_t value : values) out.u32(value);
  return std::string(as_text(out.view()));
}

// Numbers below 0x4000, packed.
std::string packed(std::initializer_list<unsigned> values) {
  std::string out;
  for (const unsigned value : values) {
    if (value >= 0x80) out += static_cast<char>(0x80 | value >> 8);
    out += static_cast<char>(value & 0xFF);
  }
  return out;
}

std::string zero_ended(std::initializer_list<std::string_view> names) {
  std::string out;
  for (const std::string_view name : names) (out += name) += '\0';
  return out;
}

/// A tagfile with one named object, which has an array of floats and a vector. Its parts can be replaced.
struct Tagfile {
  std::string version = "20150100";
  std::string type_names = zero_ended({"hkRootLevelContainer", "hkArray", "hkRootLevelContainer::NamedVariant",
                                       "hkStringPtr", "hkRefVariant", "Thing", "float", "hkVector4f", "char"});
  std::string member_names = zero_ended({"namedVariants", "name", "className", "variant", "values", "place"});
  std::string names = packed({11, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 1, 0, 6, 0, 7, 0, 8, 0});
  std::string bodies = packed({1, 0, 0x29, 7, 16, 8, 1, 0, 0x20, 0, 2}) + packed({2, 0, 0xB, 8, 3, 16, 8}) +
                       packed({3, 0, 0x29, 7, 24, 8, 3, 1, 0x20, 0, 4, 2, 0x20, 8, 4, 3, 0x20, 16, 5}) +
                       packed({4, 0, 9, 3, 8, 8}) + packed({5, 0, 0xB, 6, 6, 8, 8}) +
                       packed({6, 0, 0x29, 7, 32, 16, 2, 4, 0x20, 0, 7, 5, 0x20, 16, 9}) +
                       packed({7, 0, 0xB, 8, 8, 16, 8}) + packed({8, 0, 9, 5, 4, 4}) +
                       packed({9, 0, 0xB, 0x428, 8, 16, 16}) + packed({10, 0, 9, 0x2004, 1, 1});
  std::string items = words({0, 0,          0,  0x10000001, 0,          1,  0x20000003, 16,         1,  0x10000006, 64,
                             1, 0x2000000A, 40, 5,          0x2000000A, 46, 6,          0x20000008, 96, 3});
  std::string patches = words({2, 1, 0, 4, 2, 16, 24, 5, 1, 32, 7, 1, 64});

  std::string types() const {
    return section(
        "TYPE",
        section("TSTR", type_names) + section("TNAM", names) + section("FSTR", member_names) + section("TBOD", bodies),
        false);
  }
  static std::string data() {
    ByteWriter out;
    out.fill(112);
    out.patch(0, std::uint64_t{2});
    out.patch(16, std::uint64_t{4});
    out.patch(24, std::uint64_t{5});
    out.patch(32, std::uint64_t{3});
    std::memcpy(out.view().data() + 40, "Name", 4);
    std::memcpy(out.view().data() + 46, "Thing", 5);
    out.patch(64, std::uint64_t{6});
    for (int i = 0; i < 4; ++i) out.patch(static_cast<std::size_t>(80 + 4 * i), 10.0f + static_cast<float>(i));
    for (int i = 0; i < 3; ++i) out.patch(static_cast<std::size_t>(96 + 4 * i), 0.5f * static_cast<float>(i));
    return std::string(as_text(out.view()));
  }
  Bytes bytes(std::string type_section = {}) const {
    if (type_section.empty()) type_section = types();
    const std::string file = section("TAG0",
                                     section("SDKV", version) + section("DATA", data()) + type_section +
                                         section("INDX", section("ITEM", items) + section("PTCH", patches), false),
                                     false);
    const auto all = as_bytes(file);
    return {all.begin(), all.end()};
  }
};

std::string refusal(const Tagfile& file) {
  const auto read = havok::read_tagfile(file.bytes());
  REQUIRE_FALSE(read);
  return read.error().message;
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a tagfile is read by its own types and written again byte for byte") {
  const Bytes bytes = Tagfile().bytes();
  const Packfile file = havok::read_tagfile(bytes).value();
  REQUIRE(file.objects.size() == 2);
  CHECK(file.schema->version() == "20150100");
  const Object& thing = file.objects[1];
  CHECK(thing.class_name() == "Thing");
  CHECK(thing.fields().array("values").numbers<float>()[2] == 1.0f);
  CHECK(thing.fields().floats("place") == std::vector<float>{10, 11, 12, 13});
  const FieldsView variant = file.at(file.root).fields().array("namedVariants").record(0);
  CHECK(variant.text("name") == "Name");
  CHECK(variant.pointer("variant") == ObjectId{1});
  CHECK(write_tagfile(file).value() == bytes);
  CHECK(holds(dump_text(file), "Thing"));
  // A change is written as any other value.
  Packfile changed = file;
  changed.objects[1].fields().set_numbers<float>("values", std::vector<float>{1, 2, 3, 4, 5});
  const Packfile back = havok::read_tagfile(write_tagfile(changed).value()).value();
  CHECK(back.objects[1].fields().array("values").size() == 5);
}

TEST_CASE("packfiles have no types to write a tagfile with, and tagfiles no layout") {
  Packfile packfile = make_packfile(*builtin_schema(kVersion2014), 8);
  packfile.root = packfile.add("hkRootLevelContainer");
  CHECK(write_tagfile(packfile).error().code == ErrorCode::WrongKind);
  CHECK(write_packfile(havok::read_tagfile(Tagfile().bytes()).value()).error().code == ErrorCode::WrongKind);
  CHECK_FALSE(with_layout(havok::read_tagfile(Tagfile().bytes()).value(), {4, false, false}));
}

TEST_CASE("types may be in a compendium, which has to be the one that the file names") {
  const Tagfile file;
  const std::string id = "01234567", other = "76543210";
  const Bytes bytes = file.bytes(section("TCRF", id));
  CHECK(holds(havok::read_tagfile(bytes).error().message, "compendium"));
  const auto compendium = [&](const std::string& own) {
    return section("TCM0", section("TCID", own) + file.types(), false);
  };
  const std::string right = compendium(id), wrong = compendium(other);
  const Packfile read = havok::read_tagfile(bytes, as_bytes(right)).value();
  CHECK(read.objects.size() == 2);
  CHECK(write_tagfile(read).value() == bytes);
  CHECK_FALSE(havok::read_tagfile(bytes, as_bytes(wrong)));
  CHECK(havok::read_tagfile(as_bytes(right)).error().code == ErrorCode::WrongKind);
}

TEST_CASE("types that contain or derive from themselves, and members outside, are refused") {
  Tagfile file;
  const std::string good = file.bodies;
  const auto with = [&](std::string body) {
    Tagfile changed;
    // Type 6 comes with another body: it is the sixth, and the others stay.
    const std::string thing = packed({6, 0, 0x29, 7, 32, 16, 2, 4, 0x20, 0, 7, 5, 0x20, 16, 9});
    const std::size_t at = good.find(thing);
    changed.bodies = good.substr(0, at) + body + good.substr(at + thing.size());
    return changed;
  };
  CHECK(holds(refusal(with(packed({6, 0, 0x29, 7, 32, 16, 1, 4, 0x20, 0, 6}))), "contains itself"));
  CHECK(holds(refusal(with(packed({6, 6, 0x29, 7, 32, 16, 0}))), "derives from itself"));
  CHECK(holds(refusal(with(packed({6, 0, 0x29, 7, 32, 16, 1, 4, 0x20, 24, 9}))), "outside"));
  // A third member where two are stated is taken for the next type, 5.
  CHECK(holds(refusal(with(packed({6, 0, 0x29, 7, 32, 16, 2, 4, 0x20, 0, 9, 5, 0x20, 0, 9, 5, 0x20, 0, 9}))),
              "is there twice"));
  CHECK(holds(refusal(with(packed({6, 0, 0x29, 7, 32, 16, 1, 4, 0x20, 0, 99}))), "out of range"));
  CHECK(holds(refusal(with(packed({6, 0, 0xA9, 7}))), "not known"));
}

TEST_CASE("items and references outside the data are refused") {
  Tagfile file;
  file.items = words({0, 0, 0, 0x10000001, 0, 1, 0x20000003, 16, 0x7FFFFFFF});
  CHECK(holds(refusal(file), "outside the data"));
  file.items = words({0, 0, 0, 0x10000001, 0, 1});
  file.patches = {};
  CHECK(holds(refusal(file), "no item"));
  file.items = words({0, 0, 0, 0x100000FF, 0, 1});
  CHECK(holds(refusal(file), "does not exist"));
  file = Tagfile();
  file.patches = words({2, 1, 200});
  CHECK(holds(refusal(file), "outside the data"));
  file.patches = words({2, 0x7FFFFFFF, 0});
  CHECK(holds(refusal(file), "does not fit"));
}

TEST_CASE("every prefix of a tagfile is refused, and any wrong byte is bounded") {
  const Bytes bytes = Tagfile().bytes();
  for (std::size_t length = 0; length < bytes.size(); ++length)
    CHECK_FALSE(havok::read_tagfile(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length))));
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (const unsigned value : {0x00u, 0x01u, 0x7Fu, 0x80u, 0xFFu}) {
      Bytes damaged = bytes;
      damaged[at] = static_cast<std::byte>(value);
      const auto file = havok::read_tagfile(damaged, {}, {.limits = {.max_expanded_bytes = 1 << 20}});
      if (!file) continue;
      if (const auto again = write_tagfile(*file))
        CHECK_MESSAGE(havok::read_tagfile(*again), "byte ", at, " = ", value);
    }
  CHECK(havok::read_tagfile(bytes, {}, {.limits = {.max_expanded_bytes = 64}}).error().message.size() > 0);
  CHECK(havok::read_tagfile(bytes, {}, {.limits = {.max_objects = 2}}).error().code == ErrorCode::LimitExceeded);
}
