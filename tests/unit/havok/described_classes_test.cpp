// SPDX-License-Identifier: MIT
// Packfiles that describe their own classes: read by what they say, as far as it holds.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <string>

#include "havok/object/schema.h"
#include "havok/packfile/packfile.h"
#include "havok/text/dump.h"

using namespace marrow;
using namespace marrow::havok;

namespace {

constexpr std::array<std::string_view, 8> kAllLayouts = {"4001", "4011", "4101", "4111",
                                                         "8001", "8011", "8101", "8111"};
constexpr std::string_view kThings = R"(class hkBaseObject 0xe0708a00 vtable
class hkReferencedObject : hkBaseObject 0x3b1c1113
  uint16 memSizeAndFlags ignored
  int16 referenceCount ignored
class testPart 0x0
  int16 id
  vector4 place
class testThing : hkReferencedObject 0x22222222
  enum Mood { CALM=0, WILD=3 }
  real weight
  string label
  array<int32> numbers
  array<testPart> parts
  testThing* next
  enum:int8:Mood mood
  hkClass* kin ignored
class hkClass 0x75585ef6
  int32 size
)";

using Bytes = std::vector<std::byte>;

/// Writes a section of types as Havok's own writer did: hkClass objects, their members and texts, tables behind them.
class TypesWriter {
 public:
  TypesWriter(const Schema& schema, FileLayout layout) : schema_(schema), layout_(layout), p_(layout.pointer_size) {}

  bool has_attributes = true;

  std::uint32_t describe(const Class& type, std::uint32_t parent) {
    align(16);
    const auto at = position();
    const std::size_t index = layout_.index();
    name_later(at, type.name);
    if (parent != kNone) globals_.push_back({at + p_, parent});
    zeros(2 * p_);
    number<std::uint32_t>(type.layout.file_size[index]);
    number<std::uint32_t>(0);
    zeros(2 * p_);  // enums
    const auto members = position();
    zeros(p_);
    number(static_cast<std::uint32_t>(type.members.size()));
    align(p_);
    zeros(2 * p_ + 8);
    align(16);
    locals_.push_back({members, position()});
    for (const Member& each : type.members) describe_member(each, each.file_offset[index]);
    for (const auto& [slot, text] : names_) {
      locals_.push_back({slot, position()});
      for (const char c : text) bytes_.push_back(static_cast<std::byte>(c));
      bytes_.push_back(std::byte{0});
    }
    names_.clear();
    places_[type.name] = at;
    for (const auto& [slot, to] : later_)
      if (to == type.name) globals_.push_back({slot, at});
    classes_.push_back(at);
    return at;
  }

  void lead(std::uint32_t slot, std::uint32_t to) { globals_.push_back({slot, to}); }

  TypeSection finish() {
    align(16);
    TypeSection section;
    section.offsets[0] = position();
    for (const auto& [from, to] : locals_) number(from), number(to);
    section.offsets[1] = position();
    for (const auto& [from, to] : globals_) number(from), number<std::uint32_t>(1), number(to);
    section.offsets[2] = position();
    for (const std::uint32_t at : classes_) number(at), number<std::uint32_t>(0), number<std::uint32_t>(5);
    section.offsets[3] = section.offsets[4] = section.offsets[5] = position();
    section.bytes = bytes_;
    return section;
  }

  static constexpr std::uint32_t kNone = UINT32_MAX;

 private:
  std::uint32_t position() const { return static_cast<std::uint32_t>(bytes_.size()); }
  void zeros(std::size_t count) { bytes_.resize(bytes_.size() + count); }
  void align(std::size_t to) { zeros((to - bytes_.size() % to) % to); }
  template <class T>
  void number(T value) {
    if constexpr (sizeof(T) > 1)
      if (layout_.is_big_endian) value = std::byteswap(value);
    const auto raw = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
    bytes_.insert(bytes_.end(), raw.begin(), raw.end());
  }
  void name_later(std::uint32_t slot, std::string text) { names_.push_back({slot, std::move(text)}); }

  static std::pair<std::uint8_t, std::uint8_t> stated_kinds(const Type& type) {
    switch (type.kind) {
      case Kind::UInt16: return {6, 0};
      case Kind::Int16: return {5, 0};
      case Kind::Int32: return {7, 0};
      case Kind::Real: return {11, 0};
      case Kind::Vector4: return {12, 0};
      case Kind::Text: return {33, 0};
      case Kind::Pointer: return {20, 25};
      case Kind::Int8: return {24, 3};
      case Kind::Array: return {22, type.element == Kind::Record ? 25 : 7};
      default: REQUIRE(false); return {};
    }
  }

  void describe_member(const Member& member, std::uint32_t offset) {
    const auto at = position();
    name_later(at, member.name);
    if (member.type.record) later_.push_back({at + p_, member.type.record->name});
    if (member.type.record && places_.contains(member.type.record->name))
      globals_.push_back({at + p_, places_[member.type.record->name]});
    zeros(3 * p_);
    const auto [kind, element] = stated_kinds(member.type);
    number(kind);
    number(element);
    number<std::uint16_t>(0);
    number<std::uint16_t>(member.is_ignored ? 0x400 : 0);
    number(static_cast<std::uint16_t>(offset));
    if (has_attributes) zeros(p_);
  }

  const Schema& schema_;
  FileLayout layout_;
  std::uint32_t p_;
  Bytes bytes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> locals_, globals_;
  std::vector<std::pair<std::uint32_t, std::string>> names_, later_;
  std::map<std::string, std::uint32_t> places_;
  std::vector<std::uint32_t> classes_;
};

const Schema& things() {
  static const auto schema = Schema::parse(kThings, std::string(kVersion2010)).value();
  return *schema;
}

Packfile file_of_things(FileLayout layout, bool has_attributes = true) {
  Packfile file = make_packfile(things(), layout.pointer_size);
  file.is_big_endian = layout.is_big_endian;
  file.reuses_padding = layout.reuses_padding;
  const ObjectId first = file.add("testThing"), second = file.add("testThing");
  file.root = first;
  Fields fields = file.at(first).fields();
  fields.set_real("weight", 2.5f);
  fields.set_text("label", "anvil");
  fields.set_pointer("next", second);
  fields.set_integer("mood", 3);
  const std::array<std::int32_t, 3> numbers = {1, -2, 70000};
  fields.set_numbers("numbers", std::span<const std::int32_t>(numbers));
  fields.reset_array("parts", 2);
  fields.element("parts", 1).set_integer("id", -7);
  file.at(second).fields().set_real("weight", -1.0f);
  TypesWriter types(things(), layout);
  types.has_attributes = has_attributes;
  const auto in_layout = [&](std::string_view name) -> const Class& { return *things().find(name, layout); };
  const auto base = types.describe(in_layout("hkBaseObject"), TypesWriter::kNone);
  const auto referenced = types.describe(in_layout("hkReferencedObject"), base);
  types.describe(in_layout("testPart"), TypesWriter::kNone);
  types.describe(in_layout("hkClass"), TypesWriter::kNone);
  types.describe(in_layout("testThing"), referenced);
  file.types = types.finish();
  file.class_list = {{"hkClass", 0x75585ef6}, {"hkClassMember", 0x5c7ea4c2}, {"testThing", 0x22222222}};
  return file;
}

FileLayout layout_of(std::string_view digits) { return parse_layout(digits).value(); }

}  // namespace

TEST_CASE("a class that only the file describes is read, in every layout, and the file comes back byte for byte") {
  for (const std::string_view digits : kAllLayouts)
    for (const bool has_attributes : {true, false}) {
      CAPTURE(digits);
      CAPTURE(has_attributes);
      const Bytes bytes = write_packfile(file_of_things(layout_of(digits), has_attributes)).value();
      const Packfile file = read_packfile(bytes).value();
      REQUIRE(file.objects.size() == 2);
      REQUIRE(file.own_schema);
      const Object& thing = file.at(file.root);
      REQUIRE(thing.type);
      CHECK(thing.class_name() == "testThing");
      CHECK(thing.type->is_a("hkReferencedObject"));
      CHECK(thing.fields().real("weight") == 2.5f);
      CHECK(thing.fields().text("label") == "anvil");
      CHECK(thing.fields().integer("mood") == 3);
      REQUIRE(thing.fields().array("parts").size() == 2);
      CHECK(thing.fields().array("parts").record(1).integer("id") == -7);
      const ObjectId next = thing.fields().pointer("next");
      REQUIRE(!next.is_null());
      CHECK(file.at(next).fields().real("weight") == -1.0f);
      CHECK(write_packfile(file).value() == bytes);
    }
}

TEST_CASE("what only the file describes can be written in another layout, dumped and exported") {
  const Packfile file = read_packfile(write_packfile(file_of_things(layout_of("4011"))).value()).value();
  const Bytes other = write_packfile(with_layout(file, layout_of("8101")).value()).value();
  Packfile wanted = file_of_things(layout_of("8101"));
  wanted.types = {};
  CHECK(other == write_packfile(wanted).value());
  // Without the descriptions nobody knows the class any more: it is kept as bytes.
  CHECK(!read_packfile(other).value().at(file.root).type);
  CHECK(dump_json(file).find("\"weight\"") != std::string::npos);
}

TEST_CASE("a description that does not fit is not believed") {
  const FileLayout layout = layout_of("8101");
  const Bytes bytes = write_packfile(file_of_things(layout)).value();
  const Packfile good = read_packfile(bytes).value();
  const std::size_t start = 0x40 + 3 * 48;  // class names, then types
  std::size_t lost = 0;
  for (std::size_t at = start; at < start + 64 + good.types.bytes.size(); ++at)
    for (const std::uint8_t value : {std::uint8_t{0}, std::uint8_t{0x7F}, std::uint8_t{0xFF}, std::uint8_t{1}}) {
      Bytes damaged = bytes;
      damaged[at] = static_cast<std::byte>(value);
      const auto file = read_packfile(damaged);
      if (!file) continue;
      lost += !file->own_schema;
      const auto written = write_packfile(*file);
      if (written && file->own_schema) CHECK(*written == damaged);
    }
  CHECK(lost > 100);
}

TEST_CASE("a class that derives from itself, or whose base is missing, is kept as bytes") {
  const FileLayout layout = layout_of("8101");
  for (const bool derives : {true, false}) {
    Packfile file = file_of_things(layout);
    TypesWriter types(things(), layout);
    const auto thing = types.describe(*things().find("testThing", layout), TypesWriter::kNone);
    if (derives) types.lead(thing + 8, thing);
    file.types = types.finish();
    const Bytes bytes = write_packfile(file).value();
    const auto back = read_packfile(bytes);
    REQUIRE(back);
    CHECK(!back->own_schema);
    CHECK(write_packfile(*back).value() == bytes);
  }
}
