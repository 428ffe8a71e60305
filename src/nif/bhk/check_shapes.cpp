// SPDX-License-Identifier: MIT
// Hulls, meshes and MOPP codes.
#include <glm/geometric.hpp>

#include <algorithm>

#include "geometry/mesh/mopp.h"
#include "nif/bhk/checker.h"
#include "nif/bhk/mesh_data.h"
#include "nif/bhk/shape_reader.h"
#include "nif/bhk_check.h"

namespace marrow::bhk {
namespace {

constexpr std::uint32_t kNoMaterial = 0xFFFF;

std::string count_text(std::size_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

// Returns what a code should find: triangles of a mesh, children of a list. Nothing if that is not known.
std::optional<std::vector<geometry::MoppPoints>> expected_items(const CheckedFile& checked, std::int32_t child) {
  std::vector<geometry::MoppPoints> items;
  if (checked.is(child, "bhk_list_shape")) {
    CollisionSystem system;
    ShapeReader reader(checked.file, system, checked.limits);
    const auto id = reader.read(child);
    const Shape* list = id ? system.find_shape(*id) : nullptr;
    const auto* compound = list ? std::get_if<CompoundShape>(&list->geometry) : nullptr;
    if (!compound) return std::nullopt;
    for (const ShapeInstance& each : compound->instances) {
      geometry::MoppPoints& item = items.emplace_back();
      item.key = static_cast<std::uint32_t>(items.size() - 1);
      const Shape* shape = system.find_shape(each.shape);
      const geometry::Aabb box = shape ? bounds_of(system, *shape, each.frame) : geometry::Aabb{};
      if (box.empty()) continue;
      for (int corner = 0; corner < 8; ++corner)
        item.points.emplace_back((corner & 1) != 0 ? box.max.x : box.min.x, (corner & 2) != 0 ? box.max.y : box.min.y,
                                 (corner & 4) != 0 ? box.max.z : box.min.z);
    }
    return items;
  }
  // A mesh without its data is reported as that.
  if (checked.is(child, "bhk_compressed_mesh") || checked.is(child, "bhk_packed_shape")) {
    const auto record = nif::read_block(checked.file, child, checked.limits);
    if (!record || !(checked.is(record->reference("data"), "bhk_mesh_data") ||
                     checked.is(record->reference("data"), "bhk_packed_data")))
      return std::nullopt;
  }
  CollisionSystem system;
  ShapeReader reader(checked.file, system, checked.limits);
  const auto id = reader.read(child);
  const Shape* shape = id ? system.find_shape(*id) : nullptr;
  const auto* mesh = shape ? std::get_if<MeshShape>(&shape->geometry) : nullptr;
  if (!mesh || checked.is(child, "bhk_strips_shape")) return std::nullopt;
  for (const MeshFace& face : mesh->faces)
    items.push_back(
        {face.key,
         {mesh->vertices[face.corners[0]], mesh->vertices[face.corners[1]], mesh->vertices[face.corners[2]]}});
  return items;
}

}  // namespace

void check_hull(CheckedFile& checked, std::int32_t block, const nif::Record& record) {
  const auto vertices = record.values<std::array<float, 4>>("vertices");
  const auto planes = record.values<std::array<float, 4>>("planes");
  if (vertices.size() < 4 || planes.size() < 4)
    return checked.add("E_HULL", Level::Error, "the hull has fewer than four vertices or planes: it is not a solid",
                       block);
  float worst = 0.0f;
  for (const auto& p : planes)
    for (const auto& v : vertices) worst = std::max(worst, p[0] * v[0] + p[1] * v[1] + p[2] * v[2] + p[3]);
  if (worst > 0.002f)
    checked.add("W_HULL_PLANE", Level::Warning,
                "a vertex lies " + std::to_string(worst) + " Havok units outside of a plane of its hull", block);
}

void check_mesh_data(CheckedFile& checked, std::int32_t block, const nif::Record& record) {
  const std::size_t materials = record.size("materials"), transforms = record.size("transforms");
  const std::size_t big_vertices = record.size("big_vertices");
  const std::span<const std::byte> big = record.bytes("big_triangles");
  bool has_plain_big = false, is_bad_material = false, is_bad_index = false;
  for (std::size_t at = 0; at + kBigTriangleBytes <= big.size(); at += kBigTriangleBytes) {
    const BigTriangle triangle = big_triangle(big.subspan(at));
    for (const std::uint16_t corner : triangle.corners) is_bad_index |= corner >= big_vertices;
    has_plain_big |= triangle.material == kNoMaterial;
    is_bad_material |= triangle.material != kNoMaterial && triangle.material >= materials;
  }
  const std::vector<nif::Record>& chunks = record.records("chunks");
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const std::string name = "chunk " + std::to_string(i);
    const std::size_t vertices = chunks[i].size("vertices") / 3;
    const auto fault = for_each_triangle(chunks[i].values<std::uint16_t>("indices"),
                                         chunks[i].values<std::uint16_t>("strips"), [&](const ChunkTriangle& each) {
                                           return std::ranges::all_of(
                                               each.corners, [&](std::uint16_t corner) { return corner < vertices; });
                                         });
    if (fault == ChunkFault::Index || chunks[i].size("vertices") % 3 != 0)
      checked.add("E_MESH_INDEX", Level::Error, name + " has an index that is not there", block);
    if (fault == ChunkFault::Strips)
      checked.add("E_MESH_STRIPS", Level::Error, name + " has strips that are longer than its indices", block);
    if (chunks[i].get<std::uint16_t>("transform") >= transforms)
      checked.add("E_MESH_TRANSFORM", Level::Error, name + " has a transform that is not there", block);
    is_bad_material |= chunks[i].get<std::uint32_t>("material") >= materials;
  }
  if (is_bad_index) checked.add("E_MESH_INDEX", Level::Error, "a big triangle has a vertex that is not there", block);
  if (is_bad_material)
    checked.add("E_MESH_MATERIAL", Level::Error, "triangles have a material that is not there", block);
  if (has_plain_big) checked.add("W_MESH_MATERIAL", Level::Warning, "big triangles have no material", block);
  const auto mesh = decode_mesh(record);
  if (!mesh || mesh->vertices.empty()) return;
  const auto low = record.reals<4>("min"), high = record.reals<4>("max");
  float outside = 0.0f;
  for (const Vec3& v : mesh->vertices)
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      outside = std::max({outside, low[a] - v[axis], v[axis] - high[a]});
    }
  if (outside > 0.0015f)
    checked.add("W_MESH_BOUNDS", Level::Warning,
                "the mesh lies outside of its box by " + std::to_string(outside) + " Havok units", block);
}

void check_code(CheckedFile& checked, std::int32_t block, const nif::Record& record) {
  const std::uint64_t build = record.integer("build_type");
  if (build > 1)
    checked.add("I_MOPP_BUILD", Level::Info, "the build type of the MOPP code is " + std::to_string(build), block);
  geometry::MoppCode code;
  const auto origin = record.reals<3>("origin");
  code.origin = {origin[0], origin[1], origin[2]};
  code.scale = record.get<float>("code_scale");
  code.code.assign(record.bytes("code").begin(), record.bytes("code").end());
  const auto items = expected_items(checked, record.reference("shape"));
  if (!items) {
    if (const auto keys = geometry::mopp_keys(code); !keys)
      checked.add("E_MOPP_CODE", Level::Error, keys.error().message, block, automatic_cure());
    return;
  }
  const auto faults = geometry::check_mopp(code, *items);
  if (!faults)
    return checked.add("E_MOPP_CODE", Level::Error, faults.error().message + ": people fall through the floor", block,
                       automatic_cure());
  if (!faults->missing.empty() || !faults->extra.empty())
    checked.add("E_MOPP_KEYS", Level::Error,
                "the MOPP code lacks " + count_text(faults->missing.size(), "key") + " of its shape and has " +
                    count_text(faults->extra.size(), "key") + " too many: people fall through the floor",
                block, automatic_cure());
  if (!faults->unreached.empty())
    checked.add("E_MOPP_BOUNDS", Level::Error,
                "parts of " + count_text(faults->unreached.size(), "triangle") +
                    " cannot be found through the MOPP code: people fall through the floor",
                block, automatic_cure());
}

std::size_t rebuild_codes(NifFile& file, const Limits& limits) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < file.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    auto record = nif::read_block_of(file, block, "bhk_mopp_shape", limits);
    if (!record || !*record) continue;
    Findings findings;
    CheckedFile checked{file, limits, findings};
    check_code(checked, block, **record);
    if (std::ranges::none_of(findings, [](const Finding& each) { return each.level == Level::Error; })) continue;
    const auto items = expected_items(checked, (*record)->reference("shape"));
    if (!items) continue;
    std::vector<geometry::MoppItem> boxes;
    for (const geometry::MoppPoints& each : *items)
      if (!each.points.empty()) boxes.push_back({each.key, geometry::bounds_of(each.points)});
    const auto code = geometry::build_mopp(boxes);
    if (!code) continue;
    (*record)->set("code_size", static_cast<std::uint32_t>(code->code.size()));
    (*record)->set_reals<3>("origin", {code->origin.x, code->origin.y, code->origin.z});
    (*record)->set("code_scale", code->scale);
    (*record)->set<std::uint8_t>("build_type", 1);
    (*record)->set_values("code", code->code);
    if (nif::write_block(file, block, **record)) ++count;
  }
  return count;
}

}  // namespace marrow::bhk
