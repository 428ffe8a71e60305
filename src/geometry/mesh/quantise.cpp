// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "geometry/mesh/build.h"

namespace marrow::geometry {

namespace {

/// Bits a component, from the low end: x, y, z.
template <class Integer>
struct Layout {
  std::array<int, 3> bits;

  Integer limit(int axis) const { return (Integer{1} << bits[static_cast<std::size_t>(axis)]) - 1; }
  int shift(int axis) const { return axis == 0 ? 0 : axis == 1 ? bits[0] : bits[0] + bits[1]; }
  Integer component(Integer value, int axis) const { return (value >> shift(axis)) & limit(axis); }
};

constexpr Layout<std::uint32_t> kPacked{{11, 11, 10}};
constexpr Layout<std::uint64_t> kShared{{21, 21, 22}};

/// floor(clamp01((p - low) / extent) * limit + 0.5), in double; 0 if there is no extent.
template <class Integer>
Integer step_of(float position, float low, float high, Integer limit) {
  const double extent = static_cast<double>(high) - static_cast<double>(low);
  if (!(extent > 0.0)) return 0;
  const double part = std::clamp((static_cast<double>(position) - static_cast<double>(low)) / extent, 0.0, 1.0);
  return static_cast<Integer>(std::floor(part * static_cast<double>(limit) + 0.5));
}

float shared_component(std::uint64_t step, float low, float high, std::uint64_t limit) {
  const float scale = (high - low) / static_cast<float>(limit);
  return low + static_cast<float>(step) * scale;
}

bool has_area(const std::array<Vec3, 3>& triangle) {
  const Vec3 normal = glm::cross(triangle[1] - triangle[0], triangle[2] - triangle[0]);
  return !(glm::dot(normal, normal) < 1e-14f);
}

/// Whether a stored triangle has an area and faces where the original does, within 5 degrees.
bool keeps_shape(const std::array<Vec3, 3>& original, const std::array<Vec3, 3>& stored) {
  if (!has_area(stored)) return false;
  const auto normal = [](const std::array<Vec3, 3>& t) {
    return glm::cross(glm::dvec3(t[1]) - glm::dvec3(t[0]), glm::dvec3(t[2]) - glm::dvec3(t[0]));
  };
  constexpr double kCosine = 0.99619469809174555;  // of 5 degrees
  const glm::dvec3 a = normal(original);
  const glm::dvec3 b = normal(stored);
  return glm::dot(a, b) >= kCosine * std::sqrt(glm::dot(a, a) * glm::dot(b, b));
}

void choose_scale(SectionPlan& section, const Aabb& range, const Vec3& lowest) {
  section.base = range.empty() ? lowest : range.min;
  section.scale = Vec3(0.0f);
  if (range.empty()) return;
  for (int axis = 0; axis < 3; ++axis) {
    const float limit = static_cast<float>(kPacked.limit(axis));
    float scale = (range.max[axis] - range.min[axis]) / limit;
    // No stored vertex may leave the range: domains and boxes are made from it.
    while (scale > 0.0f && range.min[axis] + limit * scale > range.max[axis]) scale = std::nextafter(scale, 0.0f);
    section.scale[axis] = scale;
  }
}

/// Corners of the triangles of a primitive, as positions in its `corners`.
constexpr std::array<std::array<std::size_t, 3>, 2> kTriangleCorners = {{{0, 1, 2}, {0, 2, 3}}};

}  // namespace

Aabb packed_range(const TriangleMesh& prepared, const SectionPlan& section) {
  Aabb range;
  for (std::uint32_t vertex : section.packed) include(range, prepared.vertices[vertex]);
  return range;
}

std::uint32_t quantise_packed(const Vec3& position, const SectionPlan& section, const Aabb& range) {
  std::uint32_t packed = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (section.scale[axis] == 0.0f) continue;
    packed |= step_of(position[axis], range.min[axis], range.max[axis], kPacked.limit(axis)) << kPacked.shift(axis);
  }
  return packed;
}

std::uint64_t quantise_shared(const Vec3& position, const Aabb& domain) {
  std::uint64_t shared = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::uint64_t limit = kShared.limit(axis);
    std::uint64_t step = step_of(position[axis], domain.min[axis], domain.max[axis], limit);
    while (step > 0 && shared_component(step, domain.min[axis], domain.max[axis], limit) > domain.max[axis]) --step;
    shared |= step << kShared.shift(axis);
  }
  return shared;
}

Vec3 packed_position(std::uint32_t packed, const SectionPlan& section) {
  Vec3 position;
  for (int axis = 0; axis < 3; ++axis)
    position[axis] = section.base[axis] + static_cast<float>(kPacked.component(packed, axis)) * section.scale[axis];
  return position;
}

Vec3 shared_position(std::uint64_t shared, const Aabb& domain) {
  Vec3 position;
  for (int axis = 0; axis < 3; ++axis)
    position[axis] =
        shared_component(kShared.component(shared, axis), domain.min[axis], domain.max[axis], kShared.limit(axis));
  return position;
}

namespace {

/// Works through sections one by one; scratch memory is kept between them.
class Quantiser {
 public:
  Quantiser(const TriangleMesh& prepared, const std::vector<MeshPrimitive>& primitives, MeshPlan& plan)
      : prepared_(prepared), primitives_(primitives), plan_(plan), place_(prepared.vertices.size()) {}

  void run(SectionPlan& section) {
    vertices_ = section.packed;
    vertices_.insert(vertices_.end(), section.shared.begin(), section.shared.end());
    is_packed_.assign(vertices_.size(), false);
    std::fill_n(is_packed_.begin(), section.packed.size(), true);
    stored_.resize(vertices_.size());
    Aabb bounds;
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      place_[vertices_[i]] = static_cast<std::uint8_t>(i);
      include(bounds, prepared_.vertices[vertices_[i]]);
      if (!is_packed_[i]) store_as_shared(i);
    }
    while (true) {
      const Aabb range = packed_range(prepared_, section);
      choose_scale(section, range, bounds.min);
      for (std::size_t i = 0; i < vertices_.size(); ++i)
        if (is_packed_[i])
          stored_[i] = packed_position(quantise_packed(prepared_.vertices[vertices_[i]], section, range), section);
      const std::size_t promoted = promote_misshapen(section);
      if (promoted == 0) break;
      plan_.promoted_vertices += static_cast<std::uint32_t>(promoted);
      section.packed.clear();
      section.shared.clear();
      for (std::size_t i = 0; i < vertices_.size(); ++i)
        (is_packed_[i] ? section.packed : section.shared).push_back(vertices_[i]);
    }
    plan_.collapsed.insert(plan_.collapsed.end(), collapsed_.begin(), collapsed_.end());
  }

 private:
  void store_as_shared(std::size_t i) {
    stored_[i] = shared_position(quantise_shared(prepared_.vertices[vertices_[i]], plan_.domain), plan_.domain);
  }

  /// Stores the vertices of triangles that lose their shape in high precision. Returns how many; if there is none to
  /// improve and the area is gone, the triangle is collapsed.
  std::size_t promote_misshapen(const SectionPlan& section) {
    std::size_t promoted = 0;
    collapsed_.clear();
    for (std::uint32_t number : section.primitives) {
      const MeshPrimitive& primitive = primitives_[number];
      for (std::size_t t = 0; t < (primitive.is_quad() ? 2u : 1u); ++t) {
        std::array<Vec3, 3> original;
        std::array<Vec3, 3> decoded;
        std::array<std::size_t, 3> at;
        for (std::size_t k = 0; k < 3; ++k) {
          const std::uint32_t vertex = primitive.corners[kTriangleCorners[t][k]];
          at[k] = place_[vertex];
          original[k] = prepared_.vertices[vertex];
          decoded[k] = stored_[at[k]];
        }
        if (keeps_shape(original, decoded)) continue;
        std::size_t moved = 0;
        for (std::size_t i : at) {
          if (!is_packed_[i]) continue;
          is_packed_[i] = false;
          store_as_shared(i);
          ++moved;
        }
        promoted += moved;
        if (moved == 0 && !has_area(decoded)) collapsed_.push_back(primitive.triangles[t]);
      }
    }
    return promoted;
  }

  const TriangleMesh& prepared_;
  const std::vector<MeshPrimitive>& primitives_;
  MeshPlan& plan_;
  std::vector<std::uint8_t> place_;      ///< of each vertex of the mesh in `vertices_`, for those of this section
  std::vector<std::uint32_t> vertices_;  ///< of the section; those below were its packed ones at first
  std::vector<bool> is_packed_;
  std::vector<Vec3> stored_;  ///< where each will be after decoding
  std::vector<std::uint32_t> collapsed_;
};

}  // namespace

void quantise_sections(const TriangleMesh& prepared, const std::vector<MeshPrimitive>& primitives, MeshPlan& plan) {
  Quantiser quantiser(prepared, primitives, plan);
  for (SectionPlan& section : plan.sections) quantiser.run(section);
}

}  // namespace marrow::geometry
