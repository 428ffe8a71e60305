// SPDX-License-Identifier: MIT
#include "image/dds.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <string>

using namespace marrow;
using image::PixelFormat;

namespace {

std::vector<std::byte> bytes_of_hex(std::string_view hex) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  return bytes;
}

void append(std::vector<std::byte>& out, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i) & 255));
}

constexpr std::uint32_t kFour = 4;
std::uint32_t four(const char* text) {
  std::uint32_t value = 0;
  std::memcpy(&value, text, 4);
  return value;
}

/// A header as modding tools write it.
std::vector<std::byte> header(std::uint32_t width, std::uint32_t height, std::uint32_t mips, std::uint32_t flags,
                              std::uint32_t characters, std::uint32_t bits = 0,
                              std::array<std::uint32_t, 4> masks = {}) {
  std::vector<std::byte> out;
  for (const std::uint32_t value : {four("DDS "), 124u, 0x1007u, height, width, 0u, 0u, mips}) append(out, value);
  for (int i = 0; i < 11; ++i) append(out, 0);
  for (const std::uint32_t value : {32u, flags, characters, bits, masks[0], masks[1], masks[2], masks[3]})
    append(out, value);
  for (int i = 0; i < 5; ++i) append(out, 0);
  return out;
}

std::vector<std::byte> dx10(std::uint32_t width, std::uint32_t height, std::uint32_t mips, std::uint32_t format) {
  std::vector<std::byte> out = header(width, height, mips, kFour, four("DX10"));
  for (const std::uint32_t value : {format, 3u, 0u, 1u, 0u}) append(out, value);
  return out;
}

/// A block and four of its pixels, as another decoder has them.
struct Golden {
  PixelFormat format;
  std::string_view block;
  std::array<int, 16> pixels;  // 0, 5, 10 and 15
};

// Pixels by Pillow 9.4, which cuts where this decoder rounds: one is allowed between them, but not in BC7.
constexpr Golden kGolden[] = {
    {PixelFormat::Bc1, "00f81f00e7eee761", {85, 0, 170, 255, 85, 0, 170, 255, 170, 0, 85, 255, 0, 0, 255, 255}},
    {PixelFormat::Bc1, "1f0000f85ef35f30", {127, 0, 127, 255, 0, 0, 255, 255, 255, 0, 0, 255, 0, 0, 255, 255}},
    {PixelFormat::Bc2,
     "e49b482e15cae75007201e12617b0fed",
     {16, 65, 247, 68, 27, 21, 120, 68, 33, 0, 57, 170, 21, 43, 183, 85}},
    {PixelFormat::Bc3,
     "f010a7e1647796ff022bea8ed02a82a1",
     {41, 97, 16, 48, 74, 139, 38, 16, 41, 97, 16, 16, 74, 139, 38, 48}},
    {PixelFormat::Bc3,
     "10f075930f2337cd3794c52208006d6b",
     {148, 134, 189, 195, 148, 134, 189, 255, 109, 119, 139, 150, 33, 89, 41, 0}},
    {PixelFormat::Bc5,
     "1af0c0cbd625658aac2c9faa07d13c44",
     {26, 62, 0, 255, 197, 62, 0, 255, 154, 135, 0, 255, 154, 153, 0, 255}},
    {PixelFormat::Bc6h,
     "24292e3b83d5a9c6eae1ec2a0f9e2cf6",
     {7, 255, 53, 255, 5, 255, 60, 255, 6, 255, 53, 255, 7, 255, 53, 255}},
    {PixelFormat::Bc6h,
     "e19454839fc36a9b488bfe66d23a02c1",
     {2, 41, 234, 255, 1, 72, 186, 255, 6, 8, 255, 255, 0, 207, 113, 255}},
    {PixelFormat::Bc6h,
     "626e4577b15ca1a1636f6331447a432d",
     {87, 7, 0, 255, 73, 7, 0, 255, 82, 7, 0, 255, 86, 7, 0, 255}},
    {PixelFormat::Bc6h,
     "c633e32717c551c5f156fd1ddbfdd791",
     {0, 219, 115, 255, 0, 219, 115, 255, 0, 196, 115, 255, 0, 207, 116, 255}},
    {PixelFormat::Bc6h,
     "8af8ceaf2ff771cc196f44c58c1d7905",
     {205, 128, 238, 255, 209, 127, 231, 255, 197, 124, 229, 255, 196, 123, 236, 255}},
    {PixelFormat::Bc6h,
     "6e10503fded025aeda47694bc5f7a9d3",
     {1, 7, 255, 255, 1, 10, 255, 255, 3, 6, 255, 255, 3, 6, 255, 255}},
    {PixelFormat::Bc6h,
     "12cda27d0985a960af9de136c168aa96",
     {52, 2, 255, 255, 250, 1, 255, 255, 94, 2, 255, 255, 189, 1, 255, 255}},
    {PixelFormat::Bc6h,
     "b6a82eb888ed3fe7457a208756ab4a3e",
     {2, 21, 19, 255, 0, 19, 52, 255, 1, 97, 58, 255, 3, 33, 64, 255}},
    {PixelFormat::Bc6h,
     "1a4acefe34f0b0d2d090f8edd1de3c3a",
     {7, 255, 193, 255, 7, 255, 252, 255, 7, 255, 252, 255, 13, 255, 156, 255}},
    {PixelFormat::Bc6h,
     "3e7bd6ec2c74ba9eac6f1452ce1daf5a",
     {15, 255, 255, 255, 0, 18, 255, 255, 209, 255, 86, 255, 24, 2, 255, 255}},
    {PixelFormat::Bc6h,
     "e39df1e4fa5cf968c4d625188db98c09",
     {9, 255, 12, 255, 9, 255, 12, 255, 255, 255, 2, 255, 1, 208, 19, 255}},
    {PixelFormat::Bc6h,
     "87d2d9f54585a0e7c14b688fe6cf45c5",
     {7, 171, 255, 255, 16, 57, 255, 255, 49, 12, 255, 255, 32, 20, 255, 255}},
    {PixelFormat::Bc6h,
     "6b51ce67f355b37a2fafd84df4839d0b",
     {46, 255, 16, 255, 39, 255, 15, 255, 50, 255, 16, 255, 53, 255, 16, 255}},
    {PixelFormat::Bc6h,
     "2f8d22ede6c3c513458b9efdb8f20a4c",
     {255, 3, 3, 255, 255, 3, 3, 255, 255, 3, 3, 255, 255, 3, 3, 255}},
    {PixelFormat::Bc7,
     "638a7484707800c9017afc28aa87b135",
     {71, 102, 112, 255, 66, 93, 121, 255, 151, 177, 32, 255, 80, 70, 199, 255}},
    {PixelFormat::Bc7,
     "0aa06aca50625251aafb96bdd492bbff",
     {135, 60, 82, 255, 183, 113, 244, 255, 203, 82, 251, 255, 175, 124, 242, 255}},
    {PixelFormat::Bc7,
     "7c7fb9a65b402023349e39e7f61453d3",
     {255, 0, 140, 255, 143, 121, 156, 255, 200, 122, 200, 255, 143, 121, 156, 255}},
    {PixelFormat::Bc7,
     "f81bb081cbc88180bca75daa6842d740",
     {12, 70, 222, 255, 2, 16, 186, 255, 32, 27, 174, 255, 2, 16, 186, 255}},
    {PixelFormat::Bc7,
     "90524066c095765e07f144898ad681cb",
     {111, 123, 35, 117, 53, 108, 14, 166, 16, 99, 0, 93, 35, 104, 7, 117}},
    {PixelFormat::Bc7,
     "e04718503c156392b63dcfa80df757bf",
     {128, 151, 152, 177, 96, 197, 156, 197, 111, 175, 156, 187, 96, 197, 160, 197}},
    {PixelFormat::Bc7,
     "409ee09172c8d048c76e904be2593680",
     {97, 41, 43, 195, 52, 61, 71, 171, 52, 61, 71, 171, 59, 58, 67, 175}},
    {PixelFormat::Bc7,
     "80dd3d4da5098a498ccc8ca47429f666",
     {145, 101, 58, 171, 97, 13, 76, 92, 81, 40, 32, 146, 145, 101, 58, 171}},
};

}  // namespace

TEST_CASE("blocks decode to what another decoder makes of them") {
  for (const Golden& golden : kGolden) {
    const std::vector<std::byte> block = bytes_of_hex(golden.block);
    REQUIRE(block.size() == image::block_bytes(golden.format));
    std::array<std::uint8_t, 64> pixels{};
    image::decode_block(golden.format, block, pixels);
    const int allowed = golden.format == PixelFormat::Bc7 ? 0 : 1;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t c = 0; c < 4; ++c) {
        INFO(golden.block << " pixel " << 5 * i << " channel " << c);
        CHECK(std::abs(int{pixels[20 * i + c]} - golden.pixels[4 * i + c]) <= allowed);
      }
  }
}

TEST_CASE("levels of signed blocks go from -1 to 1") {
  // Ends -127 and 127; indices 0, 1, 2, 3 in turn. -1 is 0, 1 is 255; six steps lie between: 6/7 of the way from -1.
  std::array<std::uint8_t, 64> pixels{};
  const auto block = bytes_of_hex(
      "7f81"
      "88c6fa88c6fa");
  image::decode_block(PixelFormat::Bc4Signed, block, pixels);
  CHECK(pixels[0] == 255);   // index 0: 127
  CHECK(pixels[4] == 0);     // index 1: -127
  CHECK(pixels[8] == 219);   // index 2: (6 * 127 - 127) / 7 = 90.7, of 254 above -127: 0.857
  CHECK(pixels[12] == 182);  // index 3: (5 * 127 - 2 * 127) / 7
  CHECK(pixels[1] == pixels[0]);
}

TEST_CASE("a reserved mode is transparent black in BC7 and black in BC6H") {
  std::array<std::uint8_t, 64> pixels{};
  pixels.fill(9);
  image::decode_block(PixelFormat::Bc7, bytes_of_hex("00112233445566778899aabbccddeeff"), pixels);
  CHECK(std::ranges::all_of(pixels, [](std::uint8_t byte) { return byte == 0; }));
  image::decode_block(PixelFormat::Bc6h, bytes_of_hex("13112233445566778899aabbccddeeff"), pixels);
  CHECK(pixels[0] == 0);
  CHECK(pixels[3] == 255);
}

TEST_CASE("a texture of pixels is read by its masks") {
  std::vector<std::byte> file = header(2, 1, 1, 0x41, 0, 32, {0xFF0000, 0xFF00, 0xFF, 0xFF000000});
  for (const int byte : {10, 20, 30, 40, 50, 60, 70, 80}) file.push_back(static_cast<std::byte>(byte));
  const auto picture = image::read_dds(file);
  REQUIRE(picture.has_value());
  CHECK(picture->pixels == std::vector<std::uint8_t>{30, 20, 10, 40, 70, 60, 50, 80});
  SUBCASE("five bits become eight") {
    std::vector<std::byte> small = header(1, 1, 1, 0x40, 0, 16, {0xF800, 0x7E0, 0x1F, 0});
    small.push_back(std::byte{0x1F});
    small.push_back(std::byte{0xF8});
    const auto magenta = image::read_dds(small);
    REQUIRE(magenta.has_value());
    CHECK(magenta->pixels == std::vector<std::uint8_t>{255, 0, 255, 255});
  }
}

TEST_CASE("a smaller mip is taken of a texture that is too large") {
  std::vector<std::byte> file = dx10(8, 8, 4, 71);
  const auto block = [&](const char* hex) {
    const auto bytes = bytes_of_hex(hex);
    file.insert(file.end(), bytes.begin(), bytes.end());
  };
  for (int i = 0; i < 4; ++i) block("00f800f800000000");  // red, 8 x 8
  block("e007e00700000000");                              // green, 4 x 4
  block("1f001f0000000000");                              // blue, 2 x 2
  block("ffffffff00000000");                              // white, 1 x 1
  const auto whole = image::read_dds(file);
  REQUIRE(whole.has_value());
  CHECK(whole->width == 8);
  CHECK(whole->pixels[0] == 255);
  const auto half = image::read_dds(file, {.max_size = 4});
  REQUIRE(half.has_value());
  CHECK(half->width == 4);
  CHECK(half->pixels[1] == 255);
  const auto quarter = image::read_dds(file, {.max_size = 3});
  REQUIRE(quarter.has_value());
  CHECK(quarter->width == 2);
  CHECK(quarter->pixels.size() == 16);
  CHECK(quarter->pixels[2] == 255);
}

TEST_CASE("every prefix of a texture is an error, and so are headers that lie") {
  std::vector<std::byte> file = dx10(4, 4, 1, 98);
  file.resize(file.size() + 16, std::byte{0x55});
  REQUIRE(image::read_dds(file).has_value());
  for (std::size_t size = 0; size < file.size(); ++size) {
    const std::vector<std::byte> cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK_FALSE(image::read_dds(cut).has_value());
  }
  std::vector<std::byte> longer = file;
  longer.push_back(std::byte{1});
  CHECK(image::read_dds(longer).has_value());
  auto wrong = image::read_dds(dx10(4, 4, 1, 130));
  REQUIRE_FALSE(wrong.has_value());
  CHECK(wrong.error().code == ErrorCode::Unsupported);
  wrong = image::read_dds(dx10(65536, 65536, 1, 71));
  REQUIRE_FALSE(wrong.has_value());
  CHECK(wrong.error().code == ErrorCode::Truncated);
  wrong = image::read_dds(dx10(0, 4, 1, 71));
  REQUIRE_FALSE(wrong.has_value());
  CHECK(wrong.error().code == ErrorCode::Malformed);
  wrong = image::read_dds(bytes_of_hex("89504e47"));
  REQUIRE_FALSE(wrong.has_value());
  CHECK(wrong.error().code == ErrorCode::BadMagic);
}

TEST_CASE("a normal map of two channels becomes whole") {
  image::Image map = image::blank(2, 1);
  map.pixels = {128, 128, 0, 255, 255, 128, 0, 255};
  image::complete_normals(map);
  CHECK(map.pixels[2] == 255);
  CHECK(map.pixels[6] >= 127);
  CHECK(map.pixels[6] <= 136);
  image::flip_green(map);
  CHECK(map.pixels[1] == 127);
}
