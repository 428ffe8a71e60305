// SPDX-License-Identifier: MIT
// MOPP code against brute force: 100,000 boxes and 100,000 rays, every triangle looked at.
#include <doctest/doctest.h>

#include <random>

#include "geometry/mesh/mopp.h"
#include "support/mopp_queries.h"

using namespace marrow;
using namespace marrow::geometry;

namespace {

struct TriangleSoup {
  std::vector<test::Triangle> triangles;
  std::vector<MoppItem> items;
};

// Triangles of all sizes and directions, some of them thin, on keys with gaps.
TriangleSoup soup_of(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> place(-10.0f, 10.0f), one(-1.0f, 1.0f), power(-2.0f, 0.5f);
  TriangleSoup soup;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 at(place(random), place(random), 0.2f * place(random));
    const float size = std::pow(10.0f, power(random));
    test::Triangle& triangle = soup.triangles.emplace_back();
    for (Vec3& corner : triangle) corner = at + size * Vec3(one(random), one(random), 0.3f * one(random));
    soup.items.push_back({static_cast<std::uint32_t>((i / 60 + 1) << 18 | (i % 60) * 3), bounds_of(triangle)});
  }
  return soup;
}

}  // namespace

TEST_CASE("no box and no ray of 100,000 each misses a triangle that it touches") {
  constexpr std::size_t kSizes[] = {1, 5, 60, 250};
  constexpr int kQueries = 25'000;  // of each kind, for each soup
  std::size_t touched = 0, met = 0, missed = 0, differing = 0, found_by_rays = 0;
  for (const std::size_t size : kSizes) {
    const TriangleSoup soup = soup_of(size, static_cast<unsigned>(size));
    const auto code = build_mopp(soup.items);
    REQUIRE(code);
    std::mt19937 random(11);
    std::uniform_real_distribution<float> place(-11.0f, 11.0f), power(-3.0f, 0.3f);
    const auto point = [&] { return Vec3(place(random), place(random), 0.25f * place(random)); };
    for (int i = 0; i < kQueries; ++i) {
      // Half of the queries are aimed at a triangle.
      const Vec3 aim = soup.triangles[random() % size][0] + 0.01f * point();
      const Vec3 at = i % 2 == 0 ? aim : point(),
                 half(std::pow(10.0f, power(random)), std::pow(10.0f, power(random)), std::pow(10.0f, power(random)));
      const Aabb box{at - half, at + half};
      const std::set<std::uint32_t> found = test::keys_in_box(*code, box);
      const auto ours = query_mopp(*code, box);
      differing += !ours || std::set(ours->begin(), ours->end()) != found;
      const Vec3 from = point(),
                 to = i % 2 == 0 ? from + 1.5f * (aim - from) : from + Vec3(0.0f, 0.0f, -6.0f);  // straight down
      const std::set<std::uint32_t> on_ray = test::keys_on_ray(*code, from, to);
      found_by_rays += on_ray.size();
      for (std::size_t k = 0; k < size; ++k) {
        if (test::touches(soup.triangles[k], box)) {
          ++touched;
          missed += !found.contains(soup.items[k].key);
        }
        if (test::meets(soup.triangles[k], from, to)) {
          ++met;
          missed += !on_ray.contains(soup.items[k].key);
        }
      }
    }
  }
  CHECK(missed == 0);
  CHECK(differing == 0);
  // What the test asks is there to be missed, and a ray does not find everything.
  CHECK(touched > 10'000);
  CHECK(met > 5'000);
  CHECK(found_by_rays < 20 * met);
  MESSAGE(touched, " boxes touch a triangle, ", met, " rays meet one, ", found_by_rays, " keys found by rays");
}

TEST_CASE("a code with a bound that is too tight is caught by the same queries") {
  const TriangleSoup soup = soup_of(60, 60);
  auto code = build_mopp(soup.items);
  REQUIRE(code);
  // The greatest coordinate of the first cut, a fifth smaller.
  REQUIRE(static_cast<std::uint8_t>(code->code[0]) == 0x28);
  code->code[2] = static_cast<std::byte>(static_cast<std::uint8_t>(code->code[2]) * 4 / 5);
  std::size_t missed = 0;
  for (std::size_t k = 0; k < soup.triangles.size(); ++k)
    for (const Vec3& corner : soup.triangles[k]) {
      const Vec3 half(0.001f);
      missed += !test::keys_in_box(*code, {corner - half, corner + half}).contains(soup.items[k].key);
    }
  CHECK(missed > 0);
}

TEST_CASE("a code grows as its triangles do, not faster") {
  std::vector<std::size_t> sizes;
  for (const std::size_t count : {500u, 5000u, 50000u}) {
    const TriangleSoup soup = soup_of(count, 3);
    const auto code = build_mopp(soup.items);
    REQUIRE(code);
    sizes.push_back(code->code.size() / count);
    CHECK(mopp_keys(*code)->size() == count);
  }
  // 10 to 12 bytes for a triangle in real codes; sixteen here, with keys that are farther apart.
  for (const std::size_t bytes : sizes) CHECK(bytes <= 20);
}
