// SPDX-License-Identifier: MIT
#include "ops/body/diff.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <glm/geometric.hpp>

#include "marrow/core/text.h"
#include "nif/shape.h"

namespace marrow {
namespace {

template <class V>
std::string text_of(const V& value) {
  std::string text = "(";
  for (int i = 0; i < V::length(); ++i) text += (i == 0 ? "" : " ") + float_text(value[i]);
  return text + ")";
}

double degrees_between(const Vec3& a, const Vec3& b) {
  const float lengths = glm::length(a) * glm::length(b);
  if (!(lengths > 0.0f)) return 0.0;
  return static_cast<double>(std::acos(std::clamp(glm::dot(a, b) / lengths, -1.0f, 1.0f))) * 180.0 / 3.14159265358979;
}

using NamedWeights = std::map<std::string, float>;

NamedWeights weights_of(const BodyShape& shape, std::size_t vertex) {
  NamedWeights weights;
  for (std::size_t k = 0; k < 4; ++k)
    if (const float weight = shape.weights[vertex].weights[k]; weight > 0.0f)
      if (const std::size_t bone = shape.weights[vertex].bones[k]; bone < shape.bones.size())
        weights[to_lower(shape.bones[bone].name)] += weight;
  return weights;
}

std::string text_of(const NamedWeights& weights) {
  std::string text;
  for (const auto& [bone, weight] : weights) text += (text.empty() ? "" : ", ") + bone + " " + float_text(weight);
  return text.empty() ? "none" : text;
}

double apart(const NamedWeights& a, const NamedWeights& b) {
  double most = 0.0;
  for (const auto& [bone, weight] : a) {
    const auto other = b.find(bone);
    most = std::max(most, std::abs(static_cast<double>(weight - (other == b.end() ? 0.0f : other->second))));
  }
  for (const auto& [bone, weight] : b)
    if (!a.contains(bone)) most = std::max(most, static_cast<double>(weight));
  return most;
}

/// Compares one shape with what it is in the other file.
class ShapeDiff {
 public:
  ShapeDiff(const BodyShape& a, const BodyShape& b, std::vector<Difference>& out) : a_(a), b_(b), out_(out) {}

  void run() {
    const auto distance = [](const auto& x, const auto& y) { return static_cast<double>(glm::distance(x, y)); };
    attribute("positions", "units", a_.positions, b_.positions, distance);
    attribute("normals", "degrees", a_.normals, b_.normals, degrees_between);
    attribute("tangents", "degrees", a_.tangents, b_.tangents, degrees_between);
    attribute("uvs", "", a_.uvs, b_.uvs, distance);
    attribute("colors", "", a_.colors, b_.colors, distance);
    weights();
    if (a_.triangles != b_.triangles) {
      std::size_t other = 0;
      for (std::size_t i = 0; i < std::min(a_.triangles.size(), b_.triangles.size()); ++i)
        other += a_.triangles[i] != b_.triangles[i];
      add("triangles", std::to_string(a_.triangles.size()),
          std::to_string(b_.triangles.size()) + ", " + std::to_string(other) + " with other corners");
    }
    if (names(a_) != names(b_)) add("bones", names(a_), names(b_));
  }

 private:
  static std::string names(const BodyShape& shape) {
    std::string text;
    for (const BodyBone& bone : shape.bones) text += (text.empty() ? "" : ", ") + bone.name;
    return text;
  }

  Difference& add(std::string field, std::string left, std::string right) {
    return out_.emplace_back(Difference{.kind = "shape",
                                        .object = "shape '" + a_.name + "', blocks[" + std::to_string(a_.block) + "]",
                                        .field = std::move(field),
                                        .left = std::move(left),
                                        .right = std::move(right)});
  }

  // `distance(i)` of vertices, `text(shape, i)` of one of them.
  template <class Distance, class Text>
  void worst_vertex(std::string field, std::string unit, std::size_t count, Distance distance, Text text) {
    std::size_t differing = 0, worst = 0;
    double most = -1.0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::optional<double> size = distance(i);
      if (!size) continue;
      ++differing;
      if (*size > most) most = *size, worst = i;
    }
    if (differing == 0) return;
    Difference& row =
        add(std::move(field), "vertex " + std::to_string(worst) + ": " + text(a_, worst),
            text(b_, worst) + "; " + std::to_string(differing) + " of " + std::to_string(count) + " differ");
    row.size = most;
    row.unit = std::move(unit);
  }

  template <class V, class Distance>
  void attribute(std::string field, std::string unit, const std::vector<V>& a, const std::vector<V>& b,
                 Distance distance) {
    if (a.size() != b.size()) {
      add(std::move(field), std::to_string(a.size()), std::to_string(b.size()));
      return;
    }
    worst_vertex(
        std::move(field), std::move(unit), a.size(),
        [&](std::size_t i) { return a[i] == b[i] ? std::nullopt : std::optional<double>(distance(a[i], b[i])); },
        [&](const BodyShape& shape, std::size_t i) { return text_of(&shape == &a_ ? a[i] : b[i]); });
  }

  void weights() {
    if (a_.weights.size() != b_.weights.size()) {
      add("weights", std::to_string(a_.weights.size()), std::to_string(b_.weights.size()));
      return;
    }
    worst_vertex(
        "weights", "", a_.weights.size(),
        [&](std::size_t i) {
          const NamedWeights was = weights_of(a_, i), is = weights_of(b_, i);
          return was == is ? std::nullopt : std::optional(apart(was, is));
        },
        [](const BodyShape& shape, std::size_t i) { return text_of(weights_of(shape, i)); });
  }

  const BodyShape& a_;
  const BodyShape& b_;
  std::vector<Difference>& out_;
};

}  // namespace

void diff_shape(const BodyShape& a, const BodyShape& b, std::vector<Difference>& out) { ShapeDiff(a, b, out).run(); }

void diff_shapes(const NifFile& a, const NifFile& b, const Limits& limits, std::vector<Difference>& out) {
  const auto left = read_shapes(a, {.limits = limits}), right = read_shapes(b, {.limits = limits});
  if (!left || !right) return;
  for (const BodyShape& shape : *left)
    if (const auto other = std::ranges::find(*right, shape.block, &BodyShape::block); other != right->end())
      ShapeDiff(shape, *other, out).run();
}

}  // namespace marrow
