// SPDX-License-Identifier: MIT
#include "nif/record.h"

#include <doctest/doctest.h>

#include "core/byte_writer.h"
#include "support/corpus.h"
#include "support/nif_sample.h"

using namespace marrow;

namespace {

constexpr std::string_view kTable = R"(
struct pair
  a u8
  b f32
struct row
  n u16
  values u16[n] if up.has_values
Thing
  has_values u8
  wide u32 if stream>=130
  narrow u16 if stream<130
  rows row[]
  pairs pair[u16]
  lengths u16[2*(has_values&1)]
  points u8[sum(lengths)]
  link ref
  text char[]
  extra f32 if wide==0x7F7FFFFF
More : Thing
  tail u8*3
)";

std::vector<std::byte> thing_bytes() {
  ByteWriter writer;
  writer.u8(1);
  writer.u32(0x7F7FFFFF);
  writer.u32(2);  // rows
  writer.u16(1), writer.u16(500);
  writer.u16(2), writer.u16(600), writer.u16(700);
  writer.u16(1), writer.u8(9), writer.f32(0.5f);  // pairs
  writer.u16(1), writer.u16(2);                   // lengths
  writer.u8(10), writer.u8(11), writer.u8(12);    // points
  writer.i32(7);
  writer.u32(3), writer.text("abc");
  writer.f32(2.5f);
  for (std::uint8_t tail = 1; tail <= 3; ++tail) writer.u8(tail);
  return writer.take();
}

nif::Schema schema_of(std::uint32_t stream) {
  std::string problem;
  nif::Schema schema(kTable, stream, problem);
  CHECK(problem == "");
  return schema;
}

}  // namespace

TEST_CASE("a record is read by its rows: conditions, counts, sums, lists and the record around") {
  const nif::Schema schema = schema_of(130);
  const nif::RecordType* type = schema.find("More");
  REQUIRE(type);
  CHECK(type->is_a("Thing"));
  CHECK(schema.find("row") == nullptr);
  const std::vector<std::byte> bytes = thing_bytes();
  std::vector<std::size_t> references;
  const auto record = nif::read_record(*type, bytes, {}, &references);
  REQUIRE(record);
  CHECK(record->integer("wide") == 0x7F7FFFFF);
  REQUIRE(record->records("rows").size() == 2);
  CHECK(record->records("rows")[1].values<std::uint16_t>("values") == std::vector<std::uint16_t>{600, 700});
  CHECK(record->size("pairs") == 1);
  CHECK(load<float>(record->bytes("pairs"), type->find("pairs")->record->offset_of("b")) == 0.5f);
  CHECK(record->size("points") == 3);
  CHECK(record->reference("link") == 7);
  CHECK(record->text("text") == "abc");
  CHECK(record->get<float>("extra") == 2.5f);
  CHECK(record->get<std::uint8_t>("tail", 2) == 3);
  REQUIRE(references.size() == 1);
  CHECK(load<std::int32_t>(bytes, references[0]) == 7);
  CHECK(nif::write_record(*record) == bytes);
  CHECK_FALSE(record->has("narrow"));
  CHECK(schema_of(83).find("More")->find("narrow"));
}

TEST_CASE("every prefix of a record is an error, and what follows is kept") {
  const nif::Schema schema = schema_of(130);
  std::vector<std::byte> bytes = thing_bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK_FALSE(nif::read_record(*schema.find("More"), cut));
  }
  bytes.push_back(std::byte{42});
  const auto record = nif::read_record(*schema.find("More"), bytes);
  REQUIRE(record);
  CHECK(record->rest.size() == 1);
  CHECK(nif::write_record(*record) == bytes);
}

TEST_CASE("a count is held against the bytes that are left, and lists against the memory") {
  const nif::Schema schema = schema_of(130);
  ByteWriter writer;
  writer.u8(0), writer.u32(0), writer.u32(0xFFFFFFFF), writer.fill(64);
  const auto huge = nif::read_record(*schema.find("Thing"), writer.view());
  REQUIRE_FALSE(huge);
  CHECK(huge.error().code == ErrorCode::Truncated);
  ByteWriter rows;
  rows.u8(0), rows.u32(0), rows.u32(1000), rows.fill(4000);
  const auto large = nif::read_record(*schema.find("Thing"), rows.view(), {.max_expanded_bytes = 1000});
  REQUIRE_FALSE(large);
  CHECK(large.error().code == ErrorCode::LimitExceeded);
}

TEST_CASE("an array that contradicts its count is not written") {
  const nif::Schema schema = schema_of(130);
  auto record = nif::read_record(*schema.find("More"), thing_bytes());
  REQUIRE(record);
  record->records("rows")[0].set_values("values", std::vector<std::uint16_t>{1, 2, 3});
  const auto written = nif::write_record(*record);
  REQUIRE_FALSE(written);
  CHECK(written.error().code == ErrorCode::Unrepresentable);
  CHECK(written.error().path == "values");
  record->records("rows")[0].set_integer("n", 3);
  CHECK(nif::write_record(*record));
}

TEST_CASE("mistakes in a table are reported by line") {
  for (const auto& [table, line] : {std::pair("Thing\n  a u99\n", "line 2"), std::pair("Thing : Nothing\n", "line 1"),
                                    std::pair("Thing\n  a u8[b]\n", "line 2"), std::pair("  a u8\n", "line 1"),
                                    std::pair("Thing\n  a u8 if (1\n", "line 2")}) {
    std::string problem;
    const nif::Schema schema(table, 130, problem);
    CHECK(problem.find(line) != std::string::npos);
  }
}

TEST_CASE("the tables of the three games have no mistakes") {
  for (const std::uint32_t stream : {83u, 100u, 130u}) {
    std::string problem;
    const nif::Schema schema(nif::block_table(), stream, problem);
    CHECK(problem == "");
    CHECK(schema.types().size() > 80);
  }
}

TEST_CASE("a block that ends early names itself and its type") {
  NifFile file = test::sample_nif();
  file.blocks[1].bytes.resize(20);
  const auto record = nif::read_block(file, 1);
  REQUIRE_FALSE(record);
  CHECK(record.error().path == "blocks[1]");
  CHECK(record.error().message.find("NiNode") != std::string::npos);
  CHECK_FALSE(nif::rewrite_blocks(file));
}

TEST_CASE("real files go back byte for byte through the tables") {
  std::size_t count = 0;
  for (const auto& path : test::files_below(test::corpus(), ".nif")) {
    CAPTURE(path.string());
    const std::vector<std::byte> bytes = test::bytes_of(path);
    auto file = read_nif(bytes);
    REQUIRE(file);
    REQUIRE(nif::rewrite_blocks(*file));
    CHECK(write_nif(*file) == bytes);
    ++count;
  }
  MESSAGE(count << " files");
}
