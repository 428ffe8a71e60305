// SPDX-License-Identifier: MIT
#include "ops/document/nif_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "core/try.h"
#include "havok/physics/physics.h"
#include "nif/bhk.h"
#include "nif/edit_shape.h"
#include "nif/embedded.h"
#include "nif/node.h"
#include "nif/shape.h"
#include "ops/body/rig.h"
#include "ops/document/origin.h"
#include "ops/document/packfile_values.h"

namespace marrow {
namespace {

template <class T>
bool same_bits(const T& a, const T& b) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  static_assert(std::is_trivially_copyable_v<T>);
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

bool has_same_vertices(const BodyShape& a, const BodyShape& b) {
  return same_bits(a.positions, b.positions) && same_bits(a.normals, b.normals) && same_bits(a.tangents, b.tangents) &&
         same_bits(a.bitangents, b.bitangents) && same_bits(a.uvs, b.uvs) && same_bits(a.colors, b.colors) &&
         same_bits(a.weights, b.weights);
}

// True if two shapes differ in what is not an attribute of their vertices. A damaged shape with numbers that are not
// finite is not equal to itself, and nobody has changed it.
bool differ_otherwise(const BodyShape& now, const BodyShape& before) {
  const auto rest = [](const BodyShape& shape) {
    return std::tie(shape.block, shape.type, shape.name, shape.parent, shape.local, shape.world, shape.material,
                    shape.bound, shape.is_skinned, shape.bones, shape.partitions, shape.segments, shape.levels);
  };
  if (!same_bits(now.triangles, before.triangles)) return true;
  return rest(now) != rest(before) && rest(before) == rest(before);
}

std::unexpected<Error> refuse(std::string message, const BodyShape& shape) {
  return fail(ErrorCode::Unrepresentable, std::move(message), Cure{"body replace"}, "shape '" + shape.name + "'");
}

template <class T>
bool has_infinite(const std::vector<T>& values) {
  return std::ranges::any_of(values, [](const T& value) {
    for (int i = 0; i < T::length(); ++i)
      if (!std::isfinite(value[i])) return true;
    return false;
  });
}

// The value of a vertex, if it has changed.
template <class T>
std::optional<T> changed(const std::vector<T>& now, const std::vector<T>& before, std::size_t vertex) {
  return before.empty() || same_bits(now[vertex], before[vertex]) ? std::nullopt : std::optional(now[vertex]);
}

Result<ShapeEdit> edit_of(const NifFile& nif, const BodyShape& before, const BodyShape& now) {
  if (differ_otherwise(now, before))
    return refuse("only attributes of its vertices can be changed as values; replace it by a mesh for other changes",
                  before);
  const bool has_same_attributes =
      now.positions.size() == before.positions.size() && now.normals.size() == before.normals.size() &&
      now.tangents.size() == before.tangents.size() && now.bitangents.size() == before.bitangents.size() &&
      now.uvs.size() == before.uvs.size() && now.colors.size() == before.colors.size() &&
      now.weights.size() == before.weights.size();
  if (!has_same_attributes)
    return refuse("its vertices have other attributes, or there are more or fewer of them", before);
  if (has_infinite(now.positions) || has_infinite(now.normals) || has_infinite(now.uvs) || has_infinite(now.colors))
    return refuse("its vertices have numbers that are not finite", before);
  MARROW_CHECK(validate(now));
  ShapeEdit edit{
      .vertices = std::vector<VertexEdit>(now.positions.size()), .triangles = before.triangles, .groups = {}};
  MARROW_TRY(edit.groups, triangle_groups(nif, before));
  for (std::size_t i = 0; i < edit.vertices.size(); ++i) {
    VertexEdit& vertex = edit.vertices[i];
    vertex.source = static_cast<std::uint16_t>(i);
    vertex.position = changed(now.positions, before.positions, i);
    vertex.normal = changed(now.normals, before.normals, i);
    vertex.uv = changed(now.uvs, before.uvs, i);
    vertex.color = changed(now.colors, before.colors, i);
    vertex.weights = changed(now.weights, before.weights, i);
    if (before.tangents.size() != edit.vertices.size() || before.bitangents.size() != edit.vertices.size()) continue;
    if (changed(now.tangents, before.tangents, i) || changed(now.bitangents, before.bitangents, i))
      vertex.tangents = {now.tangents[i], now.bitangents[i]};
  }
  return edit;
}

}  // namespace

Result<void> lay_shapes_over(NifFile& nif, const Document& document, const Limits& limits) {
  if (!has_parts(document, Parts::Bodies)) return {};
  MARROW_TRY(std::vector<BodyShape> shapes, read_shapes(nif, {.limits = limits}));
  // A file whose triangles are elsewhere has no bodies.
  if (std::ranges::all_of(shapes, [](const BodyShape& shape) { return shape.triangles.empty(); })) shapes.clear();
  const auto block_of = [](const DocumentBody& body) { return body.shape.block; };
  if (!std::ranges::equal(document.bodies, shapes, {}, block_of, &BodyShape::block))
    return fail(ErrorCode::Unrepresentable,
                "shapes were added to the document or removed from it, which saving cannot do for a NIF",
                Cure{"body new"}, "bodies");
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const BodyShape& now = document.bodies[i].shape;
    if (has_same_vertices(now, shapes[i]) && !differ_otherwise(now, shapes[i])) continue;
    MARROW_TRY(const ShapeEdit edit, edit_of(nif, shapes[i], now));
    MARROW_CHECK(edit_shape(nif, shapes[i], edit));
  }
  return {};
}

Result<void> refuse_other_parts(const Document& document) {
  const NifOrigin& origin = *origin_of<NifOrigin>(document);
  if (has_parts(document, Parts::Skeletons)) {
    MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(origin.nif));
    const Skeleton bones = nodes.empty() ? Skeleton{} : skeleton_of_nodes(nodes);
    if (!nodes.empty() && bones == bones &&
        std::ranges::find(document.skeletons, bones, &DocumentSkeleton::skeleton) == document.skeletons.end())
      return fail(ErrorCode::Unrepresentable,
                  "the bones of the document are not the nodes of its NIF any more, and "
                  "saving does not change nodes",
                  kNoOffset, "skeletons");
  }
  if (!has_parts(document, Parts::Collision) || bhk::keeps_blocks(origin.nif.stream) || !origin.packfiles) return {};
  MARROW_TRY(const std::vector<EmbeddedPackfile> all, read_embedded(origin.nif));
  std::size_t count = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    count += all[i].kind == EmbeddedKind::Cloth ? 1 : havok::find_physics((*origin.packfiles)[i]).size();
  return count == document.collision.size() ? Result<void>{} : Result<void>(other_systems());
}

}  // namespace marrow
