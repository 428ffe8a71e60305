// SPDX-License-Identifier: MIT
#include "nif/bhk/shape_reader.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

#include "core/try.h"
#include "geometry/hull/hull.h"
#include "nif/shape.h"

namespace marrow::bhk {
namespace {

/// Shapes of real files are nested four deep.
constexpr std::uint32_t kDeepest = 64;

std::string place(std::int32_t block) { return "blocks[" + std::to_string(block) + "]"; }

Vec3 vec3(const std::array<float, 3>& v) { return {v[0], v[1], v[2]}; }

template <std::size_t N>
std::vector<Vec4> vectors(const nif::Record& record, std::string_view field) {
  const std::vector<float> numbers = record.values<float>(field);
  std::vector<Vec4> out;
  for (std::size_t i = 0; i + N <= numbers.size(); i += N)
    out.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2], N > 3 ? numbers[i + N - 1] : 0.0f);
  return out;
}

MeshMaterial mesh_material(std::uint32_t crc, std::uint32_t filter) { return {filter, crc}; }

// Triangles whose corners are strips or triples of the same vertices.
Result<MeshShape> packed_mesh(const NifFile& file, const nif::Record& shape, const Limits& limits) {
  MARROW_TRY(const auto data, nif::read_block_of(file, shape.reference("data"), "hkPackedNiTriStripsData", limits));
  MeshShape mesh;
  if (!data) return mesh;
  const std::array<float, 4> scale = shape.reals<4>("scale");
  if (data->integer("is_compressed") == 0)
    for (const Vec4& v : vectors<3>(*data, "vertices"))
      mesh.vertices.emplace_back(v.x * scale[0], v.y * scale[1], v.z * scale[2]);
  else
    return fail(ErrorCode::Unsupported, "the vertices of a packed mesh are compressed, which no known file has");
  std::vector<std::uint16_t> material_of;
  for (const auto& [filter, count, crc] : data->values<std::array<std::uint32_t, 3>>("sub_shapes")) {
    if (count > mesh.vertices.size()) return fail(ErrorCode::Malformed, "a part of the mesh has too many vertices");
    material_of.resize(std::min(material_of.size() + count, mesh.vertices.size()),
                       static_cast<std::uint16_t>(mesh.materials.size()));
    mesh.materials.push_back(mesh_material(crc, filter));
  }
  std::uint32_t key = 0;
  for (const auto& [a, b, c, welding] : data->values<std::array<std::uint16_t, 4>>("triangles")) {
    if (std::max({a, b, c}) >= mesh.vertices.size())
      return fail(ErrorCode::Malformed, "triangle " + std::to_string(key) + " has a vertex that is not there");
    mesh.faces.push_back({{a, b, c}, a < material_of.size() ? material_of[a] : std::uint16_t{0}, key++});
  }
  return mesh;
}

// Strips as visible shapes have them, in game units times a scale.
Result<MeshShape> strips_mesh(const NifFile& file, const nif::Record& shape, const Limits& limits) {
  MeshShape mesh;
  mesh.materials.push_back(mesh_material(shape.get<std::uint32_t>("material"), 0));
  const std::array<float, 4> scale = shape.reals<4>("scale");
  for (const std::int32_t block : shape.values<std::int32_t>("strips")) {
    MARROW_TRY(const auto data, nif::read_block_of(file, block, "NiTriStripsData", limits));
    if (!data || !data->has("positions") || !data->has("points")) continue;
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (const Vec4& v : vectors<3>(*data, "positions"))
      mesh.vertices.push_back(Vec3(v.x * scale[0], v.y * scale[1], v.z * scale[2]) / kGameUnitsPerHavokUnit);
    const auto count = static_cast<std::uint32_t>(mesh.vertices.size()) - first;
    const std::vector<std::uint16_t> points = data->values<std::uint16_t>("points");
    std::size_t at = 0;
    for (const std::uint16_t length : data->values<std::uint16_t>("strip_lengths")) {
      for (std::size_t k = 0; k + 2 < length && at + k + 2 < points.size(); ++k) {
        std::array<std::uint32_t, 3> corners = {points[at + k], points[at + k + 1], points[at + k + 2]};
        if (std::max({corners[0], corners[1], corners[2]}) >= count)
          return fail(ErrorCode::Malformed, "a strip has a vertex that is not there");
        if (corners[0] == corners[1] || corners[1] == corners[2] || corners[0] == corners[2]) continue;
        if (k % 2 != 0) std::swap(corners[0], corners[2]);
        for (std::uint32_t& corner : corners) corner += first;
        mesh.faces.push_back({corners, 0, static_cast<std::uint32_t>(mesh.faces.size())});
      }
      at += length;
    }
  }
  return mesh;
}

std::uint32_t main_material(const MeshShape& mesh) {
  std::vector<std::size_t> counts(mesh.materials.size());
  for (const MeshFace& face : mesh.faces)
    if (face.material < counts.size()) ++counts[face.material];
  if (counts.empty()) return 0;
  return mesh.materials[static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin())].crc;
}

bool is_finite(const MeshShape& mesh) {
  return std::ranges::all_of(mesh.vertices, [](const Vec3& v) { return std::isfinite(v.x + v.y + v.z); });
}

}  // namespace

Frame frame_of(const std::array<float, 16>& c) {
  return {glm::mat3(Vec3(c[0], c[1], c[2]), Vec3(c[4], c[5], c[6]), Vec3(c[8], c[9], c[10])), {c[12], c[13], c[14]}};
}

std::array<float, 16> columns_of(const Frame& frame) {
  std::array<float, 16> c{};
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row) c[static_cast<std::size_t>(4 * column + row)] = frame.rotation[column][row];
  for (int row = 0; row < 3; ++row) c[static_cast<std::size_t>(12 + row)] = frame.translation[row];
  return c;
}

Polytope polytope_of(std::vector<Vec3> vertices, std::vector<Vec4> outer_planes) {
  Polytope polytope{.vertices = std::move(vertices), .outer_planes = std::move(outer_planes)};
  // Faces are numbered with bytes; a larger hull is drawn from its points.
  if (polytope.vertices.size() > 255) return polytope;
  auto hull = geometry::build_hull(polytope.vertices, {.convex_radius = 0.0f, .flat_thickness = 0.0f});
  if (!hull) return polytope;
  // Corners are the file's own points.
  std::vector<std::uint8_t> number;
  for (const Vec3& corner : hull->vertices) {
    const auto nearest = std::ranges::min_element(polytope.vertices, {},
                                                  [&](const Vec3& v) { return glm::dot(v - corner, v - corner); });
    number.push_back(static_cast<std::uint8_t>(nearest - polytope.vertices.begin()));
  }
  for (const std::uint8_t index : hull->indices) polytope.indices.push_back(number[index]);
  for (const geometry::HullFace& face : hull->faces)
    polytope.faces.push_back({face.first_index, face.index_count, face.min_half_angle});
  for (const geometry::Plane& plane : hull->planes) polytope.planes.emplace_back(plane.normal, plane.offset);
  return polytope;
}

namespace {

// Of a list inside a list, the corners of its own box: a walk over shared children could take for ever.
geometry::Aabb box_of_child(const CollisionSystem& system, const Shape& shape, const Frame& frame) {
  const auto* compound = std::get_if<CompoundShape>(&shape.geometry);
  if (!compound) return bounds_of(system, shape, frame);
  geometry::Aabb box;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p((corner & 1) != 0 ? compound->max.x : compound->min.x,
                 (corner & 2) != 0 ? compound->max.y : compound->min.y,
                 (corner & 4) != 0 ? compound->max.z : compound->min.z);
    geometry::include(box, frame.rotation * p + frame.translation);
  }
  return box;
}

}  // namespace

geometry::Aabb bounds_of(const CollisionSystem& system, const Shape& shape, const Frame& frame) {
  geometry::Aabb box;
  const auto add = [&](const Vec3& p) { geometry::include(box, frame.rotation * p + frame.translation); };
  float radius = shape.convex_radius;
  if (const auto* own = std::get_if<BoxShape>(&shape.geometry)) {
    const Vec3& half = own->half_extents;
    for (int corner = 0; corner < 8; ++corner)
      add({(corner & 1) != 0 ? half.x : -half.x, (corner & 2) != 0 ? half.y : -half.y,
           (corner & 4) != 0 ? half.z : -half.z});
  }
  if (const auto* ball = std::get_if<BallShape>(&shape.geometry)) add(ball->center);
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape.geometry)) {
    add(capsule->a);
    add(capsule->b);
    radius = radius_of(shape, *capsule);
  }
  if (const auto* cylinder = std::get_if<CylinderShape>(&shape.geometry)) {
    add(cylinder->a);
    add(cylinder->b);
    radius += cylinder->radius;
  }
  if (const auto* hull = std::get_if<Polytope>(&shape.geometry))
    for (const Vec3& v : hull->vertices) add(v);
  if (const auto* mesh = std::get_if<MeshShape>(&shape.geometry)) {
    for (const Vec3& v : mesh->vertices) add(v);
    radius = 0.0f;
  }
  if (const auto* moved = std::get_if<MovedShape>(&shape.geometry))
    if (const Shape* core = system.find_shape(moved->core))
      return bounds_of(
          system, *core,
          {frame.rotation * moved->frame.rotation, frame.rotation * moved->frame.translation + frame.translation});
  if (const auto* compound = std::get_if<CompoundShape>(&shape.geometry)) {
    for (const ShapeInstance& each : compound->instances)
      if (const Shape* child = system.find_shape(each.shape))
        geometry::include(box, box_of_child(system, *child,
                                            {frame.rotation * each.frame.rotation,
                                             frame.rotation * each.frame.translation + frame.translation}));
    return box;
  }
  if (box.empty()) return box;
  return {box.min - Vec3(radius), box.max + Vec3(radius)};
}

// Codes only find what their child has, and transforms only move it.
Result<ShapeReader::Resolved> ShapeReader::resolve(std::int32_t block) {
  Resolved at{.block = block};
  for (std::uint32_t depth = 0; depth <= kDeepest; ++depth) {
    const nif::RecordType* type = nif::type_of(file_, at.block);
    const bool is_code = type && type->is_a("bhk_mopp_shape");
    if (!is_code && !(type && type->is_a("bhk_transform_shape"))) return at;
    MARROW_TRY(const nif::Record record, nif::read_block(file_, at.block, limits_));
    if (!is_code) {
      const Frame own = frame_of(record.reals<16>("transform"));
      at.frame = {at.frame.rotation * own.rotation, at.frame.rotation * own.translation + at.frame.translation};
      at.is_moved = true;
    }
    at.block = record.reference("shape");
  }
  return fail(ErrorCode::LimitExceeded, "shapes are nested more than " + std::to_string(kDeepest) + " deep", kNoOffset,
              place(block));
}

Result<ShapeId> ShapeReader::read(std::int32_t block) {
  MARROW_TRY(const Resolved at, resolve(block));
  MARROW_TRY(const ShapeId core, read(at.block, 0));
  if (!at.is_moved || core == ShapeId::None) return core;
  const Shape& inner = *system_.find_shape(core);
  Shape shape{.convex_radius = inner.convex_radius, .material = inner.material, .geometry = MovedShape{core, at.frame}};
  shape.source.value = static_cast<std::uint32_t>(block);
  return system_.add_shape(std::move(shape));
}

Result<ShapeId> ShapeReader::read(std::int32_t block, std::uint32_t depth) {
  if (!file_.has_block(block)) return ShapeId::None;
  if (depth > kDeepest)
    return fail(ErrorCode::LimitExceeded, "shapes are nested more than " + std::to_string(kDeepest) + " deep",
                kNoOffset, place(block));
  if (const auto found = known_.find(block); found != known_.end()) {
    if (found->second == ShapeId::None)
      return fail(ErrorCode::Malformed, "a shape contains itself", kNoOffset, place(block));
    return found->second;
  }
  known_[block] = ShapeId::None;
  auto shape = read_shape(block, depth);
  if (!shape) {
    if (shape.error().path.empty()) shape.error().path = place(block);
    return std::unexpected(std::move(shape.error()));
  }
  shape->source.value = static_cast<std::uint32_t>(block);
  const ShapeId id = system_.add_shape(std::move(*shape));
  known_[block] = id;
  return id;
}

Result<Shape> ShapeReader::list(const nif::Record& record, std::uint32_t depth) {
  Shape shape{.material = record.get<std::uint32_t>("material")};
  CompoundShape compound;
  for (const std::int32_t child : record.values<std::int32_t>("shapes")) {
    MARROW_TRY(const Resolved at, resolve(child));
    MARROW_TRY(ShapeId id, read(at.block, depth + 1));
    // A child that is missing keeps its number.
    if (id == ShapeId::None) id = system_.add_shape({.geometry = UnknownShape{"none"}});
    compound.instances.push_back({.shape = id, .frame = at.frame});
  }
  shape.geometry = compound;
  const geometry::Aabb box = bounds_of(system_, shape);
  if (!box.empty()) {
    compound.min = box.min;
    compound.max = box.max;
  }
  shape.geometry = std::move(compound);
  return shape;
}

Result<Shape> ShapeReader::read_shape(std::int32_t block, std::uint32_t depth) {
  const std::string_view type = file_.type_of(block);
  if (!nif::type_of(file_, block)) return Shape{.geometry = UnknownShape{std::string(type)}};
  MARROW_TRY(const nif::Record record, nif::read_block(file_, block, limits_));
  if (record.type().is_a("bhk_list_shape")) return list(record, depth);
  if (type == "bhkCompressedMeshShape" || type == "bhkPackedNiTriStripsShape" || type == "bhkNiTriStripsShape") {
    MeshShape mesh;
    if (type == "bhkCompressedMeshShape") {
      MARROW_TRY(const auto data,
                 nif::read_block_of(file_, record.reference("data"), "bhkCompressedMeshShapeData", limits_));
      if (data) {
        MARROW_TRY(mesh, decode_mesh(*data));
      }
    } else if (type == "bhkPackedNiTriStripsShape") {
      MARROW_TRY(mesh, packed_mesh(file_, record, limits_));
    } else {
      MARROW_TRY(mesh, strips_mesh(file_, record, limits_));
    }
    if (!is_finite(mesh)) return fail(ErrorCode::Malformed, "a vertex of the mesh is not a finite number");
    Shape shape{.convex_radius = record.get<float>("radius"), .material = main_material(mesh)};
    shape.geometry = std::move(mesh);
    return shape;
  }
  if (!record.type().is_a("bhk_convex_shape")) return Shape{.geometry = UnknownShape{std::string(type)}};
  Shape shape{.convex_radius = record.get<float>("radius"), .material = record.get<std::uint32_t>("material")};
  if (type == "bhkBoxShape") {
    shape.geometry = BoxShape{vec3(record.reals<3>("half_extents"))};
  } else if (type == "bhkSphereShape") {
    shape.geometry = BallShape{};
  } else if (type == "bhkCapsuleShape") {
    shape.geometry = CapsuleShape{vec3(record.reals<3>("a")), vec3(record.reals<3>("b")), 1.0f};
  } else if (type == "bhkCylinderShape") {
    const auto a = record.reals<4>("a"), b = record.reals<4>("b");
    shape.geometry = CylinderShape{{a[0], a[1], a[2]}, {b[0], b[1], b[2]}, record.get<float>("cylinder_radius")};
  } else if (type == "bhkConvexVerticesShape") {
    std::vector<Vec3> points;
    for (const Vec4& v : vectors<4>(record, "vertices")) points.emplace_back(v);
    shape.geometry = polytope_of(std::move(points), vectors<4>(record, "planes"));
  } else {
    shape.geometry = UnknownShape{std::string(type)};
  }
  return shape;
}

}  // namespace marrow::bhk
