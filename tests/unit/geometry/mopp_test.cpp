// SPDX-License-Identifier: MIT
#include "geometry/mesh/mopp.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>

#include "geometry/mesh/chunk_mesh.h"

using namespace marrow;
using namespace marrow::geometry;

namespace {

struct Soup {
  std::vector<MoppPoints> triangles;
  std::vector<MoppItem> items;
};

Soup random_soup(std::size_t count, unsigned seed, float size) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> place(-10.0f, 10.0f), small(-size, size);
  Soup soup;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 at(place(random), place(random), 0.3f * place(random));
    MoppPoints& triangle = soup.triangles.emplace_back();
    // Keys with gaps, as chunks have them.
    triangle.key = static_cast<std::uint32_t>((i / 100 + 1) << 18 | (i % 2) << 17 | (i % 100) * 3);
    for (int k = 0; k < 3; ++k) triangle.points.push_back(at + Vec3(small(random), small(random), small(random)));
    soup.items.push_back({triangle.key, bounds_of(triangle.points)});
  }
  return soup;
}

bool overlap(const Aabb& a, const Aabb& b) {
  for (int i = 0; i < 3; ++i)
    if (a.max[i] < b.min[i] || b.max[i] < a.min[i]) return false;
  return true;
}

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

}  // namespace

TEST_CASE("no box query of a built code misses a triangle whose box it touches") {
  for (const std::size_t count : {1u, 2u, 7u, 300u, 3000u}) {
    const Soup soup = random_soup(count, 7, 0.4f);
    const auto code = build_mopp(soup.items);
    REQUIRE(code);
    const auto faults = check_mopp(*code, soup.triangles);
    REQUIRE(faults);
    CHECK(faults->empty());
    std::mt19937 random(3);
    std::uniform_real_distribution<float> place(-11.0f, 11.0f), size(0.01f, 2.0f);
    std::size_t wanted = 0, found_all = 0;
    for (int query = 0; query < 300; ++query) {
      const Vec3 at(place(random), place(random), 0.3f * place(random)), half(size(random));
      const Aabb box{at - half, at + half};
      const auto keys = query_mopp(*code, box);
      REQUIRE(keys);
      const std::set<std::uint32_t> found(keys->begin(), keys->end());
      CHECK(found.size() == keys->size());
      for (const MoppItem& item : soup.items)
        if (overlap(item.box, box)) {
          ++wanted;
          CHECK(found.contains(item.key));
        }
      found_all += found.size();
    }
    // A code that finds everything is no use: half again as much, and a few, is what real ones do.
    CHECK(found_all <= wanted * 3 / 2 + 300);
  }
}

TEST_CASE("triangles in one place do not make a deep tree") {
  std::vector<MoppItem> items;
  for (std::uint32_t i = 0; i < 5000; ++i) items.push_back({i, {Vec3(0.0f), Vec3(1.0f)}});
  const auto code = build_mopp(items);
  REQUIRE(code);
  const auto keys = mopp_keys(*code);
  REQUIRE(keys);
  CHECK(keys->size() == items.size());
}

TEST_CASE("every instruction of the worked example is read") {
  // The beginning of a real code as the format page explains it, with two leaves of its own.
  MoppCode code{Vec3(0.0f), 65536.0f,
                bytes_of({0x28, 0x00, 0xFF, 0x0B, 0, 4, 0, 5, 0x10, 0x6B, 0x46, 0x01, 0x47, 0x30})};
  const auto keys = mopp_keys(code);
  REQUIRE(keys);
  CHECK(*keys == std::vector<std::uint32_t>{0x4001C, 0x40005});
  const auto left = query_mopp(code, {Vec3(0.0f), Vec3(1.0f)});
  REQUIRE(left);
  CHECK(*left == std::vector<std::uint32_t>{0x4001C});
  const auto right = query_mopp(code, {Vec3(120.0f, 0.0f, 0.0f), Vec3(121.0f, 1.0f, 1.0f)});
  REQUIRE(right);
  CHECK(*right == std::vector<std::uint32_t>{0x40005});
}

TEST_CASE("code that loops, jumps out or is not known is refused") {
  const auto refused = [](std::initializer_list<int> values) {
    return !mopp_keys({Vec3(0.0f), 1.0f, bytes_of(values)});
  };
  CHECK(refused({}));
  CHECK(refused({0xEE}));
  CHECK(refused({0x0C, 0, 0}));
  CHECK(refused({0x60}));
  CHECK(refused({0x70, 0, 0, 0, 0}));                             // jumps to itself
  CHECK(refused({0x05, 0x20}));                                   // jumps out
  CHECK(refused({0x10, 0xFF, 0x00, 0xFF, 0x30}));                 // the right child is outside
  CHECK(refused({0x23, 0xFF, 0, 0, 0, 0, 0, 0x70, 0, 0, 0, 0}));  // a fan that meets itself again
  CHECK(refused({0x04, 0,    0, 0, 0x04, 0,    0, 0, 0x04, 0,    0, 0, 0x04, 0,   0,
                 0,    0x04, 0, 0, 0,    0x04, 0, 0, 0,    0x04, 0, 0, 0,    0x30}));  // scales too far
}

TEST_CASE("every cut of a code is refused or finds less, and never reads beyond its end") {
  const Soup soup = random_soup(200, 5, 0.5f);
  const auto code = build_mopp(soup.items);
  REQUIRE(code);
  for (std::size_t size = 0; size < code->code.size(); ++size) {
    MoppCode cut{
        code->origin, code->scale, {code->code.begin(), code->code.begin() + static_cast<std::ptrdiff_t>(size)}};
    cut.code.shrink_to_fit();
    const auto faults = check_mopp(cut, soup.triangles);
    const bool is_found = !faults || !faults->empty();
    CHECK(is_found);
  }
}

TEST_CASE("a code that does not fit its mesh is found out") {
  const Soup soup = random_soup(100, 9, 0.5f);
  const auto code = build_mopp(soup.items);
  REQUIRE(code);
  auto moved = soup.triangles;
  for (Vec3& p : moved[40].points) p += Vec3(3.0f, 0.0f, 0.0f);
  CHECK(check_mopp(*code, moved)->unreached == std::vector{moved[40].key});
  auto more = soup.triangles;
  more.push_back(more.front());
  more.back().key = 77;
  CHECK(check_mopp(*code, more)->missing == std::vector<std::uint32_t>{77});
  auto fewer = soup.triangles;
  fewer.pop_back();
  CHECK(check_mopp(*code, fewer)->extra == std::vector{soup.triangles.back().key});
}

TEST_CASE("a mesh on the grid keeps its triangles, materials and winding") {
  // A wavy sheet of two materials, larger than one chunk.
  TriangleMesh mesh;
  constexpr std::uint32_t kSide = 40;
  for (std::uint32_t y = 0; y <= kSide; ++y)
    for (std::uint32_t x = 0; x <= kSide; ++x)
      mesh.vertices.emplace_back(0.1f * static_cast<float>(x), 0.1f * static_cast<float>(y),
                                 0.05f * static_cast<float>((x * 7 + y * 3) % 5));
  for (std::uint32_t y = 0; y < kSide; ++y)
    for (std::uint32_t x = 0; x < kSide; ++x) {
      const std::uint32_t a = y * (kSide + 1) + x, b = a + 1, c = a + kSide + 1, d = c + 1;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
      for (int k = 0; k < 2; ++k) mesh.materials.push_back(x < kSide / 2 ? 0 : 1);
    }
  mesh.triangles.push_back({0, 0, 1});  // no area
  mesh.materials.push_back(0);
  const auto built = build_chunk_mesh(mesh);
  REQUIRE(built);
  CHECK(built->dropped == 1);
  CHECK(built->big_triangles.empty());
  std::size_t triangles = 0;
  for (const MeshChunk& chunk : built->chunks) {
    CHECK(chunk.vertices.size() <= 3 * 255);
    CHECK(chunk.welding.size() == chunk.indices.size());
    std::size_t used = 0;
    for (const std::uint16_t length : chunk.strips) {
      used += length;
      triangles += length - 2u;
    }
    CHECK((chunk.indices.size() - used) % 3 == 0);
    triangles += (chunk.indices.size() - used) / 3;
    CHECK(std::ranges::all_of(chunk.indices,
                              [&](std::uint16_t index) { return 3u * index + 2u < chunk.vertices.size(); }));
  }
  CHECK(triangles == mesh.triangles.size() - 1);
}

TEST_CASE("a triangle that is too long for a chunk is a big one") {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {100, 0, 0}, {0, 100, 0}, {1, 1, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 1, 3}};
  const auto built = build_chunk_mesh(mesh);
  REQUIRE(built);
  CHECK(built->big_triangles.size() == 2);
  CHECK(built->chunks.empty());
  mesh.vertices[1].x = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(build_chunk_mesh(mesh));
}
