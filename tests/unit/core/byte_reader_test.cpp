// SPDX-License-Identifier: MIT
#include "marrow/core/byte_reader.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/byte_writer.h"

using namespace marrow;

TEST_CASE("numbers come back as they were written") {
  ByteWriter writer;
  writer.u8(0xFE);
  writer.u16(0xBEEF);
  writer.u32(0xDEADBEEF);
  writer.u64(0x0123456789ABCDEF);
  writer.f32(-0.0f);
  writer.text("bone");
  writer.u8(0);
  ByteReader reader(writer.view());
  CHECK(reader.u8() == 0xFE);
  CHECK(reader.u16() == 0xBEEF);
  CHECK(reader.u32() == 0xDEADBEEF);
  CHECK(reader.u64() == 0x0123456789ABCDEF);
  CHECK(std::signbit(reader.f32()));
  CHECK(reader.c_string() == "bone");
  CHECK(reader.remaining() == 0);
  CHECK(reader.ok());
}

TEST_CASE("numbers are little-endian") {
  ByteWriter writer;
  writer.u32(0x04030201);
  for (std::size_t i = 0; i < 4; ++i) CHECK(writer.view()[i] == std::byte(i + 1));
}

TEST_CASE("the first error sticks, with its offset, and nothing moves after it") {
  const std::vector<std::byte> bytes(6);
  ByteReader reader(bytes, 100);
  reader.u32();
  CHECK(reader.u32() == 0);
  CHECK(reader.u8() == 0);
  CHECK(reader.position() == 4);
  REQUIRE_FALSE(reader.status());
  CHECK(reader.status().error().code == ErrorCode::Truncated);
  CHECK(reader.status().error().offset == 104);
  reader.set_error(ErrorCode::Malformed, "later");
  CHECK(reader.status().error().code == ErrorCode::Truncated);
}

TEST_CASE("a huge count is refused without reading") {
  const std::vector<std::byte> bytes(8);
  ByteReader reader(bytes);
  CHECK(reader.bytes(SIZE_MAX).empty());
  CHECK_FALSE(reader.ok());
}

TEST_CASE("a string without an end is an error, not an over-read") {
  const std::vector<std::byte> bytes(3, std::byte{'a'});
  ByteReader reader(bytes);
  CHECK(reader.c_string().empty());
  CHECK_FALSE(reader.ok());
}

TEST_CASE("seek may reach the end and not pass it") {
  const std::vector<std::byte> bytes(3);
  ByteReader reader(bytes);
  reader.seek(3);
  CHECK(reader.ok());
  reader.seek(4);
  CHECK_FALSE(reader.ok());
}

TEST_CASE("padding reaches the next multiple and is nothing on one") {
  ByteWriter writer;
  writer.u8(1);
  writer.pad_to(16, 0x7F);
  CHECK(writer.size() == 16);
  CHECK(writer.view()[15] == std::byte{0x7F});
  writer.pad_to(16);
  CHECK(writer.size() == 16);
  writer.patch(4, std::uint32_t{7});
  CHECK(load<std::uint32_t>(writer.view(), 4) == 7);
}
