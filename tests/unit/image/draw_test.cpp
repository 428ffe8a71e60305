// SPDX-License-Identifier: MIT
#include "image/draw.h"

#include <doctest/doctest.h>

#include <array>

#include "core/compression.h"
#include "core/crc32.h"
#include "image/png.h"
#include "marrow/core/byte_reader.h"

using namespace marrow;
using image::DrawMesh;
using image::DrawOptions;
using image::Image;

namespace {

using Corners = std::array<std::uint16_t, 3>;

/// A square that faces the camera at turn 0, tilt 0, at a distance along +Y.
struct Square {
  std::vector<glm::vec3> positions, normals;
  std::vector<Corners> triangles = {{0, 1, 2}, {0, 2, 3}};

  explicit Square(float size, float y) {
    // Seen from +Y with Z up, x runs to the left: counter-clockwise from there.
    positions = {{size, y, -size}, {-size, y, -size}, {-size, y, size}, {size, y, size}};
    normals.assign(4, {0, 1, 0});
  }
  DrawMesh mesh(const glm::vec3& color) const {
    return {.positions = positions, .normals = normals, .triangles = triangles, .color = color};
  }
};

constexpr DrawOptions kFront{.width = 40, .height = 40, .turn_degrees = 0, .tilt_degrees = 0};

Image drawn(std::vector<DrawMesh> meshes, const DrawOptions& options = kFront) {
  const auto picture = image::draw(meshes, options);
  REQUIRE_MESSAGE(picture.has_value(), picture.error().message);
  return *picture;
}

bool is_red(const std::uint8_t* pixel) { return pixel[0] > 100 && pixel[1] < 40 && pixel[2] < 40; }
bool is_white(const std::uint8_t* pixel) { return pixel[0] == 255 && pixel[1] == 255 && pixel[2] == 255; }

std::uint32_t big(std::span<const std::byte> bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
  return value;
}

}  // namespace

TEST_CASE("a square fills the picture but for its margin") {
  const Square square(1, 0);
  const Image picture = drawn({square.mesh({1, 0, 0})});
  CHECK(is_red(picture.at(20, 20)));
  CHECK(is_red(picture.at(4, 4)));
  CHECK(is_red(picture.at(35, 35)));
  CHECK(is_white(picture.at(1, 20)));
  CHECK(is_white(picture.at(20, 38)));
}

TEST_CASE("what is nearer hides what lies behind it, in any order") {
  const Square back(1, 0), front(0.5f, 1);
  for (const bool front_first : {false, true}) {
    const DrawMesh near = front.mesh({1, 0, 0}), far = back.mesh({0, 0, 1});
    const Image picture = drawn(front_first ? std::vector{near, far} : std::vector{far, near});
    CHECK(is_red(picture.at(20, 20)));
    CHECK(picture.at(5, 5)[2] > 100);
    CHECK(picture.at(5, 5)[0] < 40);
  }
}

TEST_CASE("what faces away is not drawn unless it has two sides") {
  const Square square(1, 0);
  DrawMesh mesh = square.mesh({1, 0, 0});
  DrawOptions behind = kFront;
  behind.turn_degrees = 180;
  CHECK(is_white(drawn({mesh}, behind).at(20, 20)));
  mesh.is_double_sided = true;
  CHECK(is_red(drawn({mesh}, behind).at(20, 20)));
}

TEST_CASE("every sample of a shared edge is drawn once") {
  // Two halves of a square, each half opaque: a line that is drawn twice would be darker.
  const Square square(1, 0);
  const std::vector<glm::vec4> half(4, {1, 1, 1, 0.5f});
  DrawMesh mesh = square.mesh({0, 0, 0});
  mesh.colors = half;
  mesh.is_blended = true;
  const Image picture = drawn({mesh});
  const int first = picture.at(10, 30)[0];
  for (std::uint32_t i = 5; i < 35; ++i) CHECK(int{picture.at(i, i)[0]} == first);
  for (std::uint32_t i = 5; i < 35; ++i) CHECK(int{picture.at(i, 39 - i)[0]} == first);
}

TEST_CASE("edges are smooth and a picture without a background is transparent") {
  const Square square(1, 0);
  DrawOptions options = kFront;
  options.background = glm::vec4(0.0f);
  options.width = 41;
  options.height = 41;
  const Image picture = drawn({square.mesh({1, 1, 1})}, options);
  CHECK(picture.at(0, 0)[3] == 0);
  CHECK(picture.at(20, 20)[3] == 255);
  bool has_edge = false;
  for (std::uint32_t x = 0; x < 20; ++x) has_edge |= picture.at(x, 20)[3] > 0 && picture.at(x, 20)[3] < 255;
  CHECK(has_edge);
}

TEST_CASE("a texture is drawn where its coordinates say") {
  Square square(1, 0);
  Image texture = image::blank(2, 2);
  texture.pixels = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 0};
  // Corners in order: bottom left as it is seen, bottom right, top right, top left; V points down the picture.
  const std::vector<glm::vec2> uvs = {{0.25f, 0.75f}, {0.75f, 0.75f}, {0.75f, 0.25f}, {0.25f, 0.25f}};
  DrawMesh mesh = square.mesh({1, 1, 1});
  mesh.texture = &texture;
  mesh.uvs = uvs;
  const Image picture = drawn({mesh});
  CHECK(picture.at(4, 4)[0] > 2 * picture.at(4, 4)[1]);
  CHECK(picture.at(35, 4)[1] > 100);
  CHECK(picture.at(4, 35)[2] > 100);
  mesh.cut = 0.5f;
  CHECK(is_white(drawn({mesh}).at(35, 35)));
}

TEST_CASE("a drawing of polygons has one path per visible triangle, the nearest last") {
  const Square back(1, 0), front(0.5f, 1);
  const std::vector<DrawMesh> meshes = {front.mesh({1, 0, 0}), back.mesh({0, 0, 1})};
  const auto svg = image::draw_svg(meshes, kFront);
  REQUIRE(svg.has_value());
  std::size_t count = 0;
  for (std::size_t at = 0; (at = svg->find("<path", at)) != std::string::npos; ++at) ++count;
  CHECK(count == 4);
  CHECK(svg->rfind("fill=\"#") > svg->find("fill=\"#0000"));
  CHECK(svg->substr(svg->rfind("<path"), 16).find("fill=\"#0000") == std::string::npos);
}

TEST_CASE("a mesh that cannot be drawn is an error") {
  Square square(1, 0);
  square.triangles.push_back({0, 1, 9});
  const std::vector<DrawMesh> meshes = {square.mesh({1, 1, 1})};
  CHECK_FALSE(image::draw(meshes, kFront).has_value());
  DrawOptions huge = kFront;
  huge.width = 100'000;
  CHECK_FALSE(image::draw({}, huge).has_value());
  CHECK(image::draw({}, kFront).has_value());
}

TEST_CASE("a PNG holds the pixels, in chunks whose sums are right") {
  Image picture = image::blank(5, 3);
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) picture.pixels[i] = static_cast<std::uint8_t>(37 * i);
  for (const bool is_opaque : {false, true}) {
    if (is_opaque) image::drop_opacity(picture);
    const auto png = image::write_png(picture);
    REQUIRE(png.has_value());
    CHECK(as_text(*png).substr(1, 3) == "PNG");
    std::vector<std::byte> packed;
    for (std::size_t at = 8; at + 12 <= png->size();) {
      const std::uint32_t size = big(*png, at);
      REQUIRE(at + 12 + size <= png->size());
      CHECK(big(*png, at + 8 + size) == crc32(as_text(*png).substr(at + 4, 4 + size)));
      if (as_text(*png).substr(at + 4, 4) == "IDAT")
        packed.assign(png->begin() + static_cast<std::ptrdiff_t>(at + 8),
                      png->begin() + static_cast<std::ptrdiff_t>(at + 8 + size));
      if (as_text(*png).substr(at + 4, 4) == "IHDR") {
        CHECK(big(*png, at + 8) == 5);
        CHECK(big(*png, at + 12) == 3);
      }
      at += 12 + size;
    }
    const std::size_t channels = is_opaque ? 3 : 4, row = 5 * channels;
    std::vector<std::byte> rows;
    REQUIRE(unpack(Packing::Zlib, packed, 3 * (row + 1), 1000, rows).has_value());
    // Undoes the filters by the rules of the format.
    std::vector<int> before(row, 0);
    for (std::size_t y = 0; y < 3; ++y) {
      const int filter = std::to_integer<int>(rows[y * (row + 1)]);
      std::vector<int> now(row);
      for (std::size_t i = 0; i < row; ++i) {
        const int a = i >= channels ? now[i - channels] : 0, b = before[i],
                  c = i >= channels ? before[i - channels] : 0;
        const int p = a + b - c, pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
        const int guess = filter == 0            ? 0
                          : filter == 1          ? a
                          : filter == 2          ? b
                          : filter == 3          ? (a + b) / 2
                          : pa <= pb && pa <= pc ? a
                          : pb <= pc             ? b
                                                 : c;
        now[i] = (std::to_integer<int>(rows[y * (row + 1) + 1 + i]) + guess) & 255;
        CHECK(now[i] ==
              int{picture.at(static_cast<std::uint32_t>(i / channels), static_cast<std::uint32_t>(y))[i % channels]});
      }
      before = now;
    }
  }
  CHECK_FALSE(image::write_png(Image{}).has_value());
}
