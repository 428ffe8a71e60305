// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstring>

#include "havok/packfile/packfile.h"
#include "havok/text/xml.h"
#include "marrow/core/byte_reader.h"

using namespace marrow;
using namespace marrow::havok;

namespace {

// A project as the games have them: the root, the project, its strings.
Packfile project() {
  Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
  file.root = file.add("hkRootLevelContainer");
  const ObjectId data = file.add("hkbProjectData"), strings = file.add("hkbProjectStringData");
  file.at(data).fields().set_pointer("stringData", strings);
  file.at(strings).fields().set_text("animationPath", std::string());
  Fields root = file.at(file.root).fields();
  root.reset_array("namedVariants", 1);
  Fields variant = root.element("namedVariants", 0);
  variant.set_text("name", "hkbProjectData");
  variant.set_text("className", "hkbProjectData");
  variant.set_pointer("variant", data);
  return file;
}

std::vector<std::byte> bytes_of_file(const Packfile& file) {
  auto bytes = write_packfile(file);
  REQUIRE_MESSAGE(bytes.has_value(), describe(bytes.error()));
  return std::move(*bytes);
}

constexpr std::size_t kSectionHeader = 0x40 + 2 * 0x30;
std::size_t objects_start(std::span<const std::byte> bytes) {
  return load<std::uint32_t>(bytes, kSectionHeader + 0x14);
}

}  // namespace

TEST_CASE("the objects of a project are numbered as patches number them") {
  const auto xml = write_xml(project());
  REQUIRE(xml);
  const std::string_view text = as_text(*xml);
  // Six classes and one enumeration come first: the root is 8, and written last.
  const std::size_t strings = text.find("name=\"#0009\" class=\"hkbProjectStringData\"");
  const std::size_t data = text.find("name=\"#0010\" class=\"hkbProjectData\"");
  const std::size_t root = text.find("name=\"#0008\" class=\"hkRootLevelContainer\"");
  CHECK(root != std::string_view::npos);
  CHECK(strings < data);
  CHECK(data < root);
  const auto back = read_xml(*xml);
  REQUIRE(back);
  CHECK(bytes_of_file(*back) == bytes_of_file(project()));
}

TEST_CASE("each object of a file with node ids is preceded by its number, and the file comes back byte for byte") {
  Packfile file = project();
  file.has_node_ids = true;
  const std::vector<std::byte> bytes = bytes_of_file(file);
  CHECK(load<std::uint64_t>(bytes, objects_start(bytes)) == 8);
  const auto back = read_packfile(bytes);
  REQUIRE(back);
  CHECK(back->has_node_ids);
  CHECK(back->unread_fixups == 0);
  CHECK(back->at(back->root).name() == "#0008");
  CHECK(back->objects.size() == 3);
  CHECK(bytes_of_file(*back) == bytes);
  Packfile plain = *back;
  plain.has_node_ids = false;
  CHECK(bytes_of_file(plain) == bytes_of_file(project()));
  CHECK_FALSE(read_packfile(bytes_of_file(plain))->has_node_ids);
}

TEST_CASE("a file with node ids that is cut or damaged is refused, not read as another") {
  Packfile file = project();
  file.has_node_ids = true;
  const std::vector<std::byte> bytes = bytes_of_file(file);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const auto read = read_packfile(cut);
    CHECK((!read || read->has_node_ids));
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::vector<std::byte> damaged = bytes;
    damaged[at] ^= std::byte{0x80};
    if (const auto read = read_packfile(damaged)) static_cast<void>(write_packfile(*read));
  }
}

TEST_CASE("two objects of one number cannot be written with node ids") {
  Packfile file = project();
  file.has_node_ids = true;
  for (Object& object : file.objects) object.set_name("#0007");
  CHECK(write_packfile(file).error().code == ErrorCode::Unrepresentable);
  file.pointer_size = 4;
  CHECK(write_packfile(file).error().code == ErrorCode::Unrepresentable);
}

TEST_CASE("fixups that belong to no field are counted") {
  std::vector<std::byte> bytes = bytes_of_file(project());
  CHECK(read_packfile(bytes)->unread_fixups == 0);
  // The first local fixup is that of the root's array; from now on it starts in a member that holds no pointer.
  const std::size_t table = objects_start(bytes) + load<std::uint32_t>(bytes, kSectionHeader + 0x18);
  const std::uint32_t last = 8;
  std::vector<std::byte> moved = bytes;
  std::memcpy(moved.data() + table + 8 * 3, &last, sizeof last);
  const auto read = read_packfile(moved);
  REQUIRE(read);
  CHECK(read->unread_fixups == 1);
}

TEST_CASE("three numbers of a transform's translation mean a point, whose fourth is 1") {
  Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
  file.root = file.add("hkpConvexTransformShape");
  const auto xml = write_xml(file, {.style = XmlStyle::Plain});
  REQUIRE(xml);
  const auto back = read_xml(*xml);
  REQUIRE(back);
  const auto values = back->at(back->root).fields().floats("transform");
  REQUIRE(values.size() == 16);
  CHECK(values[15] == 1.0f);
  CHECK(values[3] == 0.0f);
  // Exact XML says what is there.
  const auto exact = read_xml(*write_xml(file));
  REQUIRE(exact);
  CHECK(exact->at(exact->root).fields().floats("transform")[15] == 0.0f);
}
