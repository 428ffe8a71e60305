// SPDX-License-Identifier: MIT
#include "nif/bhk/shape_writer.h"

#include <algorithm>
#include <unordered_set>

#include "core/byte_writer.h"
#include "core/try.h"
#include "geometry/mesh/chunk_mesh.h"
#include "geometry/mesh/mopp.h"
#include "nif/bhk/mesh_data.h"
#include "nif/bhk/shape_reader.h"

namespace marrow::bhk {

/// What MOPP code finds by a key.
struct KeyedPoints : geometry::MoppPoints {};

namespace {

constexpr std::array<std::uint32_t, 3> kEmptyProperty = {0, 0, 0x80000000};
constexpr float kMeshRadius = 0.005f, kBigVertexW = 1000.0f;

bool is_identity(const Frame& frame) { return frame == Frame{}; }

std::vector<std::int32_t> children_of(const NifFile& file, std::int32_t block) {
  const nif::RecordType* type = nif::type_of(file, block);
  std::vector<std::int32_t> children;
  const bool is_shape = type && file.type_of(block).find("Shape") != std::string_view::npos;
  if (!is_shape) return children;
  const auto record = nif::read_block(file, block);
  if (!record) return children;
  for (const char* field : {"shape", "data"})
    if (record->has(field) && type->find(field)->kind == nif::Kind::Ref) children.push_back(record->reference(field));
  for (const char* field : {"shapes", "strips"})
    if (record->has(field) && type->find(field)->kind == nif::Kind::Ref)
      for (const std::int32_t child : record->values<std::int32_t>(field)) children.push_back(child);
  std::erase_if(children, [&](std::int32_t child) { return !file.has_block(child); });
  return children;
}

void set_property(nif::Record& record, std::string_view field) {
  for (std::size_t i = 0; i < 3; ++i) record.set(field, kEmptyProperty[i], i);
}

std::vector<Vec3> corners_of(const geometry::Aabb& box) {
  std::vector<Vec3> corners;
  for (int corner = 0; corner < 8; ++corner)
    corners.emplace_back((corner & 1) != 0 ? box.max.x : box.min.x, (corner & 2) != 0 ? box.max.y : box.min.y,
                         (corner & 4) != 0 ? box.max.z : box.min.z);
  return corners;
}

std::array<float, 3> array_of(const Vec3& v) { return {v.x, v.y, v.z}; }
std::array<float, 4> array_of(const Vec3& v, float w) { return {v.x, v.y, v.z, w}; }

Frame joined(const Frame& outer, const Frame& inner) {
  return {outer.rotation * inner.rotation, outer.rotation * inner.translation + outer.translation};
}

// True for two meshes with the same triangles, whose lists of materials are equally long.
bool differs_in_materials(const Shape& a, const Shape& b) {
  const auto *x = std::get_if<MeshShape>(&a.geometry), *y = std::get_if<MeshShape>(&b.geometry);
  if (!x || !y || x->materials.empty() || x->materials.size() != y->materials.size()) return false;
  MeshShape other = *x;
  other.materials = y->materials;
  return a.convex_radius == b.convex_radius && other == *y;
}

}  // namespace

std::vector<std::int32_t> shape_blocks(const NifFile& file, std::int32_t top) {
  std::vector<std::int32_t> found;
  std::unordered_set<std::int32_t> seen;
  std::vector<std::pair<std::int32_t, bool>> open = {{top, false}};
  while (!open.empty()) {
    const auto [block, is_done] = open.back();
    open.pop_back();
    if (is_done) {
      found.push_back(block);
      continue;
    }
    if (!file.has_block(block) || !seen.insert(block).second) continue;
    open.emplace_back(block, true);
    const std::vector<std::int32_t> children = children_of(file, block);
    for (auto child = children.rbegin(); child != children.rend(); ++child) open.emplace_back(*child, false);
  }
  return found;
}

bool same_shape(const CollisionSystem& a, ShapeId a_shape, const CollisionSystem& b, ShapeId b_shape) {
  const Shape *x = a.find_shape(a_shape), *y = b.find_shape(b_shape);
  if (!x || !y) return x == y;
  if (x->source.value != y->source.value || x->geometry.index() != y->geometry.index()) return false;
  if (x->material != y->material || x->convex_radius != y->convex_radius) return false;
  if (const auto* list = std::get_if<CompoundShape>(&x->geometry)) {
    const auto& other = std::get<CompoundShape>(y->geometry);
    if (list->instances.size() != other.instances.size()) return false;
    for (std::size_t i = 0; i < list->instances.size(); ++i)
      if (list->instances[i].frame != other.instances[i].frame ||
          list->instances[i].scale != other.instances[i].scale ||
          !same_shape(a, list->instances[i].shape, b, other.instances[i].shape))
        return false;
    return true;
  }
  if (const auto* moved = std::get_if<MovedShape>(&x->geometry)) {
    const auto& other = std::get<MovedShape>(y->geometry);
    return moved->frame == other.frame && same_shape(a, moved->core, b, other.core);
  }
  return x->geometry == y->geometry;
}

void ShapeWriter::reuse(std::int32_t old_top, const CollisionSystem& before) {
  before_ = &before;
  pool_ = old_ = shape_blocks(file_, old_top);
}

// Returns the record of an old block of the type, or of a new one.
Result<nif::Record> ShapeWriter::take(std::string_view type, std::int32_t& block, std::int32_t wanted) {
  auto found =
      std::ranges::find_if(pool_, [&](std::int32_t each) { return each == wanted && file_.type_of(each) == type; });
  if (found == pool_.end())
    found = std::ranges::find_if(pool_, [&](std::int32_t each) { return file_.type_of(each) == type; });
  if (found == pool_.end()) {
    block = kNoBlock;
    return nif::new_record(file_, type);
  }
  block = *found;
  pool_.erase(found);
  return nif::read_block(file_, block);
}

Result<std::int32_t> ShapeWriter::store(const nif::Record& record, std::int32_t block) {
  if (block == kNoBlock) {
    has_added_ = true;
    return nif::append_block(file_, record);
  }
  MARROW_CHECK(nif::write_block(file_, block, record));
  return block;
}

Result<std::int32_t> ShapeWriter::unchanged(ShapeId id, const Frame& frame) {
  const Shape* shape = system_.find_shape(id);
  if (!before_ || !shape || !shape->source.is_set()) return kNoBlock;
  const auto leaf = static_cast<std::int32_t>(shape->source.value);
  const auto was = std::ranges::find_if(before_->shapes,
                                        [&](const Shape& each) { return each.source.value == shape->source.value; });
  if (was == before_->shapes.end() || std::ranges::find(pool_, leaf) == pool_.end()) return kNoBlock;
  const auto was_id = static_cast<ShapeId>(was - before_->shapes.begin());
  const bool is_same = same_shape(system_, id, *before_, was_id);
  if (!is_same && !differs_in_materials(*shape, *was)) return kNoBlock;
  // What stands above it in the file: code, transforms.
  std::int32_t top = leaf;
  Frame found;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (const std::int32_t each : old_) {
      const nif::RecordType* type = nif::type_of(file_, each);
      const bool is_code = type && type->is_a("bhk_mopp_shape");
      if (!is_code && !(type && type->is_a("bhk_transform_shape"))) continue;
      const auto record = nif::read_block(file_, each);
      if (!record || record->reference("shape") != top || std::ranges::find(pool_, each) == pool_.end()) continue;
      if (!is_code) found = joined(frame_of(record->reals<16>("transform")), found);
      top = each;
      goes_on = true;
      break;
    }
    if (top == leaf) break;
  }
  if (found != frame) return kNoBlock;
  for (const std::int32_t block : shape_blocks(file_, top)) std::erase(pool_, block);
  if (!is_same) MARROW_CHECK(set_materials(leaf, std::get<MeshShape>(shape->geometry)));
  return top;
}

Result<void> ShapeWriter::set_materials(std::int32_t block, const MeshShape& mesh) {
  MARROW_TRY(nif::Record record, nif::read_block(file_, block));
  if (record.has("strips")) {
    record.set("material", mesh.materials.front().crc);
    return nif::write_block(file_, block, record);
  }
  const std::int32_t data_block = record.reference("data");
  MARROW_TRY(nif::Record data, nif::read_block(file_, data_block));
  std::vector<std::uint32_t> stored;
  if (data.has("sub_shapes")) {
    auto parts = data.values<std::array<std::uint32_t, 3>>("sub_shapes");
    for (std::size_t i = 0; i < parts.size(); ++i)
      stored.insert(stored.end(), {mesh.materials[i].filter, parts[i][1], mesh.materials[i].crc});
    data.set_values("sub_shapes", stored);
  } else {
    for (const MeshMaterial& each : mesh.materials) stored.insert(stored.end(), {each.crc, each.filter});
    data.set_values("materials", stored);
  }
  return nif::write_block(file_, data_block, data);
}

Result<std::int32_t> ShapeWriter::write(ShapeId shape) { return put_moved(shape, {}); }

// Writes a shape at a place: below a transform if that is not the origin.
Result<std::int32_t> ShapeWriter::put_moved(ShapeId id, const Frame& frame) {
  const Shape* shape = system_.find_shape(id);
  if (!shape) return kNoBlock;
  if (const auto* moved = std::get_if<MovedShape>(&shape->geometry))
    return put_moved(moved->core, joined(frame, moved->frame));
  MARROW_TRY(const std::int32_t same, unchanged(id, frame));
  if (same != kNoBlock) return same;
  Frame place = frame;
  if (const auto* ball = std::get_if<BallShape>(&shape->geometry)) place = joined(frame, {.translation = ball->center});
  MARROW_TRY(const std::int32_t child, put(id));
  if (is_identity(place)) return child;
  const bool is_convex =
      !std::holds_alternative<MeshShape>(shape->geometry) && !std::holds_alternative<CompoundShape>(shape->geometry);
  std::int32_t block = kNoBlock;
  MARROW_TRY(nif::Record record, take(is_convex ? "bhkConvexTransformShape" : "bhkTransformShape", block));
  record.set("shape", child);
  record.set("material", shape->material);
  record.set("radius", shape->convex_radius);
  record.set_reals<16>("transform", columns_of(place));
  return store(record, block);
}

Result<std::int32_t> ShapeWriter::put(ShapeId id) {
  const Shape& shape = *system_.find_shape(id);
  if (std::holds_alternative<MeshShape>(shape.geometry)) return put_mesh(shape);
  if (std::holds_alternative<CompoundShape>(shape.geometry)) return put_list(shape);
  return put_convex(shape);
}

Result<std::int32_t> ShapeWriter::put_convex(const Shape& shape) {
  const std::int32_t wanted = shape.source.is_set() ? static_cast<std::int32_t>(shape.source.value) : kNoBlock;
  std::int32_t block = kNoBlock;
  const auto start = [&](std::string_view type) -> Result<nif::Record> {
    MARROW_TRY(nif::Record record, take(type, block, wanted));
    record.set("material", shape.material);
    record.set("radius", shape.convex_radius);
    return record;
  };
  if (const auto* box = std::get_if<BoxShape>(&shape.geometry)) {
    MARROW_TRY(nif::Record record, start("bhkBoxShape"));
    record.set_reals<3>("half_extents", array_of(box->half_extents));
    record.set("half_extents_w", shape.convex_radius);
    return store(record, block);
  }
  if (std::holds_alternative<BallShape>(shape.geometry)) {
    MARROW_TRY(const nif::Record record, start("bhkSphereShape"));
    return store(record, block);
  }
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape.geometry)) {
    MARROW_TRY(nif::Record record, start("bhkCapsuleShape"));
    const float radius = radius_of(shape, *capsule);
    for (const char* field : {"radius", "a_radius", "b_radius"}) record.set(field, radius);
    record.set_reals<3>("a", array_of(capsule->a));
    record.set_reals<3>("b", array_of(capsule->b));
    return store(record, block);
  }
  if (const auto* cylinder = std::get_if<CylinderShape>(&shape.geometry)) {
    MARROW_TRY(nif::Record record, start("bhkCylinderShape"));
    record.set_reals<4>("a", array_of(cylinder->a, 0.0f));
    record.set_reals<4>("b", array_of(cylinder->b, 0.0f));
    record.set("cylinder_radius", cylinder->radius);
    return store(record, block);
  }
  const auto* hull = std::get_if<Polytope>(&shape.geometry);
  if (!hull)
    return fail(ErrorCode::Unrepresentable,
                "a shape of type '" + std::string(type_name(shape)) + "' cannot be written as a block of Skyrim");
  if (hull->vertices.size() < 4 || (hull->planes.size() < 4 && hull->outer_planes.size() < 4))
    return fail(ErrorCode::Unrepresentable, "a hull needs four vertices and four faces");
  MARROW_TRY(nif::Record record, start("bhkConvexVerticesShape"));
  set_property(record, "vertices_property");
  set_property(record, "planes_property");
  std::vector<std::array<float, 4>> vertices, planes;
  for (const Vec3& v : hull->vertices) vertices.push_back(array_of(v, 0.0f));
  for (const Vec4& plane : hull->outer_planes) planes.push_back(array_of(Vec3(plane), plane.w));
  if (planes.empty())
    for (const Vec4& plane : hull->planes) planes.push_back(array_of(Vec3(plane), plane.w - shape.convex_radius));
  record.set_values("vertices", vertices);
  record.set_values("planes", planes);
  return store(record, block);
}

Result<std::int32_t> ShapeWriter::put_list(const Shape& shape) {
  const auto& compound = std::get<CompoundShape>(shape.geometry);
  if (compound.instances.empty()) return fail(ErrorCode::Unrepresentable, "a list without a child");
  const std::int32_t wanted = shape.source.is_set() ? static_cast<std::int32_t>(shape.source.value) : kNoBlock;
  const bool had_code = std::ranges::any_of(old_, [&](std::int32_t each) {
    const auto record = nif::read_block_of(file_, each, "bhk_mopp_shape");
    return record && *record && (*record)->reference("shape") == wanted && wanted != kNoBlock;
  });
  std::vector<std::int32_t> children;
  std::vector<KeyedPoints> items;
  for (const ShapeInstance& instance : compound.instances) {
    if (instance.scale != Vec3(1.0f))
      return fail(ErrorCode::Unrepresentable, "a child of a list cannot be scaled; bake the scale into its shape");
    MARROW_TRY(const std::int32_t child, put_moved(instance.shape, instance.frame));
    const Shape* own = system_.find_shape(instance.shape);
    const geometry::Aabb box = own ? bounds_of(system_, *own, instance.frame) : geometry::Aabb{};
    if (!box.empty()) {
      KeyedPoints& item = items.emplace_back();
      item.key = static_cast<std::uint32_t>(children.size());
      item.points = corners_of(box);
    }
    children.push_back(child);
  }
  std::int32_t block = kNoBlock;
  MARROW_TRY(nif::Record record, take("bhkListShape", block, wanted));
  record.set_values("shapes", children);
  record.set("material", shape.material);
  set_property(record, "children_property");
  set_property(record, "filters_property");
  if (record.size("filters") != children.size())
    record.set_values("filters", std::vector<std::uint32_t>(children.size(), 0u));
  MARROW_TRY(const std::int32_t list, store(record, block));
  return had_code ? put_code(list, items, 0.0f) : Result<std::int32_t>(list);
}

Result<std::int32_t> ShapeWriter::put_code(std::int32_t child, const std::vector<KeyedPoints>& items, float margin) {
  std::vector<geometry::MoppItem> boxes;
  for (const KeyedPoints& each : items) boxes.push_back({each.key, geometry::bounds_of(each.points)});
  MARROW_TRY(const geometry::MoppCode code, geometry::build_mopp(boxes, margin));
  const std::vector<geometry::MoppPoints> points(items.begin(), items.end());
  MARROW_TRY(const geometry::MoppFaults faults, geometry::check_mopp(code, points));
  if (!faults.empty()) return fail(ErrorCode::Unrepresentable, "the MOPP code of the shape does not reach all of it");
  std::int32_t block = kNoBlock;
  MARROW_TRY(nif::Record record, take("bhkMoppBvTreeShape", block));
  record.set("shape", child);
  record.set("scale", 1.0f);
  record.set("code_size", static_cast<std::uint32_t>(code.code.size()));
  record.set_reals<3>("origin", array_of(code.origin));
  record.set("code_scale", code.scale);
  record.set<std::uint8_t>("build_type", 1);
  record.set_values("code", code.code);
  return store(record, block);
}

Result<std::int32_t> ShapeWriter::put_mesh(const Shape& shape) {
  const auto& mesh = std::get<MeshShape>(shape.geometry);
  if (!mesh.solids.empty() || mesh.undecoded_count != 0)
    return fail(ErrorCode::Unrepresentable, "a mesh with solids merged into it cannot be written as a block of Skyrim");
  // Materials that are used, each with its filter once.
  std::vector<MeshMaterial> materials;
  geometry::TriangleMesh triangles{.vertices = mesh.vertices, .triangles = {}, .materials = {}};
  for (const MeshFace& face : mesh.faces) {
    const MeshMaterial own =
        face.material < mesh.materials.size() ? mesh.materials[face.material] : MeshMaterial{filter_, shape.material};
    auto at = std::ranges::find(materials, own);
    if (at == materials.end()) at = materials.insert(at, own);
    triangles.triangles.push_back(face.corners);
    triangles.materials.push_back(static_cast<std::uint16_t>(at - materials.begin()));
  }
  MARROW_TRY(const geometry::ChunkMesh built, geometry::build_chunk_mesh(triangles));
  if (built.dropped > 0)
    notes_.push_back({std::to_string(built.dropped) + " triangles of a mesh have no area on its grid of 0.07 game "
                                                      "units, and are left out",
                      kNoOffset,
                      {}});
  std::int32_t block = kNoBlock;
  MARROW_TRY(nif::Record data, take("bhkCompressedMeshShapeData", block));
  constexpr std::array<std::uint32_t, 4> kBits = {17, 18, 0x3FFFF, 0x1FFFF};
  for (std::size_t i = 0; i < 4; ++i) data.set("bits", kBits[i], i);
  data.set("error", geometry::kChunkStep);
  data.set_reals<4>("min", array_of(built.min, 0.0f));
  data.set_reals<4>("max", array_of(built.max, built.big_triangles.empty() ? 0.0f : 1.0f));
  data.set<std::uint8_t>("welding_type", 0);
  data.set<std::uint8_t>("material_type", 1);
  std::vector<std::uint32_t> stored;
  for (const MeshMaterial& each : materials) stored.insert(stored.end(), {each.crc, each.filter});
  data.set_values("materials", stored);
  data.set_values("transforms", std::array<float, 8>{0, 0, 0, 1, 0, 0, 0, 1});
  std::vector<std::array<float, 4>> big_vertices;
  for (const Vec3& v : built.big_vertices) big_vertices.push_back(array_of(v, kBigVertexW));
  data.set_values("big_vertices", big_vertices);
  ByteWriter big;
  std::vector<KeyedPoints> items;
  for (const geometry::BigMeshTriangle& each : built.big_triangles) {
    KeyedPoints& item = items.emplace_back();
    item.key = static_cast<std::uint32_t>(items.size() - 1);
    for (const std::uint16_t corner : each.corners) {
      big.u16(corner);
      item.points.push_back(built.big_vertices[corner]);
    }
    big.u32(each.material);
    big.u16(each.welding);
  }
  data.bytes("big_triangles") = big.take();
  std::vector<nif::Record>& chunks = data.records("chunks");
  chunks.clear();
  const nif::RecordType& chunk_type = *data.type().find("chunks")->record;
  for (std::size_t i = 0; i < built.chunks.size(); ++i) {
    const geometry::MeshChunk& each = built.chunks[i];
    nif::Record& chunk = chunks.emplace_back(chunk_type);
    chunk.set_reals<4>("translation", array_of(each.origin, 0.0f));
    chunk.set<std::uint32_t>("material", each.material);
    chunk.set<std::uint16_t>("reference", 0xFFFF);
    chunk.set_values("vertices", each.vertices);
    chunk.set_values("indices", each.indices);
    chunk.set_values("strips", each.strips);
    chunk.set_values("welding", each.welding);
    for_each_triangle(each.indices, each.strips, [&](const ChunkTriangle& triangle) {
      KeyedPoints& item = items.emplace_back();
      item.key = chunk_key(static_cast<std::uint32_t>(i), triangle);
      for (const std::uint16_t corner : triangle.corners) {
        Vec3 p = each.origin;
        for (int axis = 0; axis < 3; ++axis)
          p[axis] +=
              geometry::kChunkStep * static_cast<float>(each.vertices[3u * corner + static_cast<std::size_t>(axis)]);
        item.points.push_back(p);
      }
      return true;
    });
  }
  MARROW_TRY(const std::int32_t data_block, store(data, block));
  MARROW_TRY(nif::Record record, take("bhkCompressedMeshShape", block));
  const bool is_new = block == kNoBlock;
  if (is_new) {
    record.set("target", file_.roots.empty() ? kNoBlock : file_.roots.front());
    for (const char* field : {"radius", "radius_copy"}) record.set(field, kMeshRadius);
    for (const char* field : {"scale", "scale_copy"}) record.set_reals<4>(field, {1.0f, 1.0f, 1.0f, 0.0f});
  }
  record.set("data", data_block);
  MARROW_TRY(const std::int32_t mesh_block, store(record, block));
  return put_code(mesh_block, items, 0.005f);
}

}  // namespace marrow::bhk
