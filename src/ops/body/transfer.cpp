// SPDX-License-Identifier: MIT
#include "ops/body/transfer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "marrow/core/text.h"

namespace marrow {
namespace {

constexpr std::uint32_t kFacesOfBox = 8;
constexpr float kSameWay = 0.5f;                    // cosine of 60 degrees
constexpr float kMuchFarther = 3.0f, kNear = 2.0f;  // times, and units

// The place of a triangle that is nearest to a point, as shares of its corners (Ericson, Real-Time Collision Detection,
// 5.1.5: the regions of the corners, the edges and the inside in turn).
Vec3 nearest_shares(const std::array<Vec3, 3>& corners, const Vec3& point) {
  const Vec3 ab = corners[1] - corners[0], ac = corners[2] - corners[0], ap = point - corners[0];
  const float d1 = glm::dot(ab, ap), d2 = glm::dot(ac, ap);
  if (d1 <= 0.0f && d2 <= 0.0f) return {1, 0, 0};
  const Vec3 bp = point - corners[1];
  const float d3 = glm::dot(ab, bp), d4 = glm::dot(ac, bp);
  if (d3 >= 0.0f && d4 <= d3) return {0, 1, 0};
  const float vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f && d1 - d3 > 0.0f) return {1.0f - d1 / (d1 - d3), d1 / (d1 - d3), 0};
  const Vec3 cp = point - corners[2];
  const float d5 = glm::dot(ab, cp), d6 = glm::dot(ac, cp);
  if (d6 >= 0.0f && d5 <= d6) return {0, 0, 1};
  const float vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f && d2 - d6 > 0.0f) return {1.0f - d2 / (d2 - d6), 0, d2 / (d2 - d6)};
  const float va = d3 * d6 - d5 * d4, along = (d4 - d3) + (d5 - d6);
  if (va <= 0.0f && d4 - d3 >= 0.0f && d5 - d6 >= 0.0f && along > 0.0f)
    return {0, 1.0f - (d4 - d3) / along, (d4 - d3) / along};
  const float sum = va + vb + vc;
  if (!(sum > 0.0f)) return {1, 0, 0};  // no area
  return {va / sum, vb / sum, vc / sum};
}

float distance_to_box(const Vec3& low, const Vec3& high, const Vec3& point) {
  const Vec3 away = glm::max(glm::max(low - point, point - high), Vec3(0.0f));
  return glm::dot(away, away);
}

}  // namespace

NamedWeights strongest_four(NamedWeights weights) {
  std::ranges::stable_sort(weights, std::ranges::greater(), &std::pair<std::uint32_t, float>::second);
  if (weights.size() > 4) weights.resize(4);
  float sum = 0.0f;
  for (const auto& [bone, weight] : weights) sum += weight;
  for (auto& [bone, weight] : weights) weight = sum > 0.0f ? weight / sum : 0.0f;
  return weights;
}

double weight_difference(const NamedWeights& a, const NamedWeights& b) {
  const auto of = [](const NamedWeights& all, std::uint32_t bone) {
    double sum = 0.0;
    for (const auto& [each, weight] : all)
      if (each == bone) sum += static_cast<double>(weight);
    return sum;
  };
  double sum = 0.0;
  for (const auto& [bone, weight] : a) sum += std::abs(static_cast<double>(weight) - of(b, bone));
  for (const auto& [bone, weight] : b)
    if (of(a, bone) == 0.0) sum += static_cast<double>(weight);
  return sum / 2.0;
}

void WeightedSurface::add(const BodyShape& shape, std::span<const Vec3> positions) {
  std::vector<std::uint32_t> number;
  for (const BodyBone& bone : shape.bones) {
    const auto same =
        std::ranges::find_if(bones_, [&](const std::string& known) { return equal_ignoring_case(known, bone.name); });
    number.push_back(static_cast<std::uint32_t>(same - bones_.begin()));
    if (same == bones_.end()) bones_.push_back(bone.name);
  }
  const auto first = static_cast<std::uint32_t>(weights_.size());
  for (const VertexWeights& stored : shape.weights) {
    NamedWeights& named = weights_.emplace_back();
    for (std::size_t k = 0; k < 4; ++k)
      if (stored.weights[k] > 0.0f && stored.bones[k] < number.size())
        named.emplace_back(number[stored.bones[k]], stored.weights[k]);
    named = strongest_four(std::move(named));
  }
  for (const auto& triangle : shape.triangles) {
    Face face{};
    for (std::size_t k = 0; k < 3; ++k) {
      face.corners[k] = positions[triangle[k]];
      face.vertices[k] = first + triangle[k];
    }
    const Vec3 normal = glm::cross(face.corners[1] - face.corners[0], face.corners[2] - face.corners[0]);
    const float length = glm::length(normal);
    if (!(length > 0.0f) || !std::isfinite(length)) continue;
    face.normal = normal / length;
    faces_.push_back(face);
  }
}

void WeightedSurface::build() {
  boxes_.clear();
  if (faces_.empty()) return;
  boxes_.push_back({{}, {}, 0, static_cast<std::uint32_t>(faces_.size())});
  // Halves until a box has few faces; each round makes two boxes of one, so this ends.
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    Vec3 low(std::numeric_limits<float>::max()), high(-std::numeric_limits<float>::max());
    const std::uint32_t first = boxes_[i].first, count = boxes_[i].count;
    for (std::uint32_t k = first; k < first + count; ++k)
      for (const Vec3& corner : faces_[k].corners) {
        low = glm::min(low, corner);
        high = glm::max(high, corner);
      }
    boxes_[i].low = low;
    boxes_[i].high = high;
    if (count <= kFacesOfBox) continue;
    const Vec3 size = high - low;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const auto begin = faces_.begin() + first;
    const auto middle_of = [axis](const Face& face) {
      return face.corners[0][axis] + face.corners[1][axis] + face.corners[2][axis];
    };
    const std::uint32_t half = count / 2;
    std::ranges::nth_element(begin, begin + half, begin + count, {}, middle_of);
    boxes_[i].first = static_cast<std::uint32_t>(boxes_.size());
    boxes_[i].count = 0;
    boxes_.push_back({{}, {}, first, half});
    boxes_.push_back({{}, {}, first + half, count - half});
  }
}

WeightedSurface::Hit WeightedSurface::nearest(const Vec3& place, const Vec3* normal) const {
  Hit best{.square = std::numeric_limits<float>::infinity()};
  std::vector<std::uint32_t> open = {0};
  while (!open.empty()) {
    const Box& box = boxes_[open.back()];
    open.pop_back();
    if (distance_to_box(box.low, box.high, place) >= best.square) continue;
    if (box.count == 0) {
      const Box &left = boxes_[box.first], &right = boxes_[box.first + 1];
      const bool left_first =
          distance_to_box(left.low, left.high, place) <= distance_to_box(right.low, right.high, place);
      // The nearer one is looked into first: it comes last.
      open.push_back(left_first ? box.first + 1 : box.first);
      open.push_back(left_first ? box.first : box.first + 1);
      continue;
    }
    for (std::uint32_t i = box.first; i < box.first + box.count; ++i) {
      const Face& face = faces_[i];
      if (normal && glm::dot(face.normal, *normal) < kSameWay) continue;
      const Vec3 shares = nearest_shares(face.corners, place);
      const Vec3 away = shares.x * face.corners[0] + shares.y * face.corners[1] + shares.z * face.corners[2] - place;
      if (const float square = glm::dot(away, away); square < best.square) best = {i, shares, square};
    }
  }
  return best;
}

SurfacePoint WeightedSurface::at(const Vec3& place, const Vec3& normal) const {
  const Hit any = nearest(place, nullptr), facing = nearest(place, &normal);
  const float distance = std::sqrt(any.square);
  const bool agrees = std::sqrt(facing.square) <= kMuchFarther * distance + kNear;
  const Hit& hit = agrees ? facing : any;
  SurfacePoint out{.distance = std::sqrt(hit.square), .agrees = agrees};
  for (int k = 0; k < 3; ++k)
    for (const auto& [bone, weight] : weights_[faces_[hit.face].vertices[static_cast<std::size_t>(k)]]) {
      const float share = weight * hit.shares[k];
      const auto same = std::ranges::find(out.weights, bone, &std::pair<std::uint32_t, float>::first);
      if (same != out.weights.end())
        same->second += share;
      else if (share > 0.0f)
        out.weights.emplace_back(bone, share);
    }
  out.weights = strongest_four(std::move(out.weights));
  return out;
}

}  // namespace marrow
