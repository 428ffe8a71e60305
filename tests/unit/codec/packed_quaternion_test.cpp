// SPDX-License-Identifier: MIT
#include "marrow/codec/packed_quaternion.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace marrow::codec;

namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> out;
  for (const int value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

void check_near(const Quaternion& a, const Quaternion& b, double tolerance) {
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(a[i] - b[i]) <= tolerance);
}

}  // namespace

TEST_CASE("the 40-bit code of no rotation has 2047 in every part and leaves out w") {
  const auto packed = bytes({0xFF, 0xF7, 0x7F, 0xFF, 0x37});  // 7FF, 7FF, 7FF, omitted 3, positive
  CHECK(decode_quaternion(QuaternionEncoding::ThreeComp40, packed) == Quaternion{0, 0, 0, 1});
  std::vector<std::byte> out(5);
  encode_quaternion(QuaternionEncoding::ThreeComp40, {0, 0, 0, 1}, out);
  CHECK(out == packed);
}

TEST_CASE("the parts of a 40-bit code fill x y z w in order, skipping the omitted one") {
  // a = 2047 + 1000, b = 2047 - 500, c = 2047, omitted y, negative.
  const std::uint64_t bits = 3047ull | 1547ull << 12 | 2047ull << 24 | 1ull << 36 | 1ull << 38;
  std::vector<std::byte> packed(5);
  for (std::size_t i = 0; i < 5; ++i) packed[i] = static_cast<std::byte>(bits >> (8 * i));
  const Quaternion q = decode_quaternion(QuaternionEncoding::ThreeComp40, packed);
  const double step = std::sqrt(0.5) / 2047;
  CHECK(q[0] == doctest::Approx(1000 * step));
  CHECK(q[2] == doctest::Approx(-500 * step));
  CHECK(q[3] == 0.0f);
  CHECK(q[1] == doctest::Approx(-std::sqrt(1 - 1250000 * step * step)));
}

TEST_CASE("the 48-bit code keeps index and sign in the high bits of its words") {
  // Words 0x8000 | 16383, 16383 + 4000, 0x8000 | 16383: omitted 1, negative.
  const auto packed = bytes({0xFF, 0xBF, 0x9F, 0x4F, 0xFF, 0xBF});
  const Quaternion q = decode_quaternion(QuaternionEncoding::ThreeComp48, packed);
  CHECK(q[0] == 0.0f);
  CHECK(q[1] < -0.98f);
  CHECK(q[2] == doctest::Approx(4000 * std::sqrt(0.5) / 16383));
  CHECK(q[3] == 0.0f);
}

TEST_CASE("the polar code covers the whole octant and signs each component") {
  std::vector<std::byte> packed(4);
  for (const Quaternion& q : {Quaternion{1, 0, 0, 0}, Quaternion{0, 1, 0, 0}, Quaternion{0, 0, 1, 0},
                              Quaternion{-0.5f, 0.5f, -0.5f, 0.5f}, Quaternion{0, 0, 0, -1}}) {
    encode_quaternion(QuaternionEncoding::Polar32, q, packed);
    check_near(decode_quaternion(QuaternionEncoding::Polar32, packed), q, 0.0022);
  }
}

TEST_CASE("every 18-bit direction of the polar code decodes to a unit quaternion") {
  std::vector<std::byte> packed(4);
  for (std::uint32_t direction = 0; direction < (1u << 18); direction += 7) {
    const std::uint32_t code = direction | 700u << 18;
    for (std::size_t i = 0; i < 4; ++i) packed[i] = static_cast<std::byte>(code >> (8 * i));
    const Quaternion q = decode_quaternion(QuaternionEncoding::Polar32, packed);
    const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
    REQUIRE(std::abs(length - 1.0) < 1e-6);
  }
}

TEST_CASE("uncompressed rotations come back as they are stored") {
  std::vector<std::byte> packed(16);
  encode_quaternion(QuaternionEncoding::Uncompressed, {0.6f, 0, 0.8f, 0}, packed);
  check_near(decode_quaternion(QuaternionEncoding::Uncompressed, packed), {0.6f, 0, 0.8f, 0}, 1e-7);
}

TEST_CASE("codes are taken apart and put together without change") {
  for (const auto encoding : {QuaternionEncoding::ThreeComp40, QuaternionEncoding::ThreeComp48}) {
    const std::int32_t limit = three_component_limit(encoding);
    for (std::uint8_t omitted = 0; omitted < 4; ++omitted)
      for (const bool negative : {false, true}) {
        const ThreeComponentCode code{{-limit, limit, 17}, omitted, negative};
        std::vector<std::byte> packed(packed_bytes(encoding));
        pack_code(encoding, code, packed);
        CHECK(unpack_code(encoding, packed) == code);
      }
  }
}

TEST_CASE("three components that claim more than a whole leave nothing for the fourth") {
  const ThreeComponentCode code{{2047, 2047, 2047}, 0, false};
  const Quaternion q = dequantise(QuaternionEncoding::ThreeComp40, code);
  CHECK(q[0] == 0.0f);
  CHECK(std::isfinite(q[1]));
}

TEST_CASE("the two encodings without a description are named and refused") {
  CHECK_FALSE(is_supported(QuaternionEncoding::ThreeComp24));
  CHECK_FALSE(is_supported(QuaternionEncoding::Straight16));
  CHECK_FALSE(is_supported(static_cast<QuaternionEncoding>(9)));
  CHECK(to_string(QuaternionEncoding::ThreeComp24) == "THREECOMP24");
  CHECK(to_string(static_cast<QuaternionEncoding>(9)) == "unknown");
}

TEST_CASE("a zero quaternion is packed as no rotation") {
  std::vector<std::byte> packed(5);
  encode_quaternion(QuaternionEncoding::ThreeComp40, {0, 0, 0, 0}, packed);
  CHECK(decode_quaternion(QuaternionEncoding::ThreeComp40, packed) == Quaternion{0, 0, 0, 1});
}
