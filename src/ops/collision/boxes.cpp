// SPDX-License-Identifier: MIT
#include "ops/collision/boxes.h"

#include <glm/gtc/quaternion.hpp>

#include <map>

#include "core/try.h"
#include "geometry/mesh/compressed_mesh.h"
#include "havok/physics/mesh.h"
#include "nif/bhk.h"
#include "ops/document/as_saved.h"
#include "ops/document/origin.h"

namespace marrow {
namespace {

// Shapes refer to shapes; a file may make that a circle.
constexpr int kMostNesting = 16;

const havok::Packfile* file_of_system(const Document& document, const DocumentCollision& entry) {
  if (document.packfile()) return document.packfile();
  const auto* nif = origin_of<NifOrigin>(document);
  return nif && nif->packfiles && entry.packfile < nif->packfiles->size() ? &(*nif->packfiles)[entry.packfile]
                                                                          : nullptr;
}

// How far below the root each node is. `right_of` returns 0 for a leaf; the left child follows its parent.
template <class RightOf>
std::vector<std::int64_t> depths_of(std::size_t count, RightOf&& right_of) {
  std::vector<std::int64_t> depths(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t right = right_of(i);
    if (right == 0) continue;
    for (const std::size_t child : {i + 1, i + right})
      if (child > i && child < count) depths[child] = depths[i] + 1;
  }
  return depths;
}

class BoxCollector {
 public:
  BoxCollector(const Document& document, const DocumentCollision& entry, std::int64_t deepest,
               std::vector<CollisionBox>& boxes)
      : entry_(entry), file_(file_of_system(document, entry)), deepest_(deepest), boxes_(boxes) {
    if (document.nif() && bhk::keeps_blocks(document.nif()->stream)) codes_ = bhk::read_codes(*document.nif());
  }

  std::size_t system = 0, body = 0;

  Result<void> add(const Shape& shape, const Frame& frame, const Vec3& scale, int nesting = 0) {
    if (nesting > kMostNesting) return {};
    if (const auto* moved = std::get_if<MovedShape>(&shape.geometry)) {
      const Shape* core = entry_.system.find_shape(moved->core);
      const Frame placed{frame.rotation * moved->frame.rotation,
                         frame.rotation * (scale * moved->frame.translation) + frame.translation};
      return core ? add(*core, placed, scale, nesting + 1) : Result<void>{};
    }
    MARROW_CHECK(add_code(shape, frame, scale));
    if (const auto* compound = std::get_if<CompoundShape>(&shape.geometry)) {
      add_compound(*compound, frame, scale);
      for (const ShapeInstance& instance : compound->instances) {
        const Frame placed{frame.rotation * instance.frame.rotation,
                           frame.rotation * (scale * instance.frame.translation) + frame.translation};
        if (const Shape* child = entry_.system.find_shape(instance.shape))
          MARROW_CHECK(add(*child, placed, scale * instance.scale, nesting + 1));
      }
    } else if (std::holds_alternative<MeshShape>(shape.geometry) && file_ && shape.source.is_set()) {
      MARROW_TRY(const geometry::CompressedMesh mesh, havok::read_compressed_mesh(*file_, {shape.source.value}));
      MARROW_CHECK(add_mesh(mesh, frame, scale));
    }
    return {};
  }

 private:
  void add_compound(const CompoundShape& compound, const Frame& frame, const Vec3& scale) {
    std::vector<std::int64_t> depths(compound.nodes.size(), 0);
    for (std::size_t i = 1; i < compound.nodes.size(); ++i) {
      const CompoundNode& node = compound.nodes[i];
      if (node.parent > 0 && node.parent < i) depths[i] = depths[node.parent] + 1;
      put({node.min, node.max}, depths[i], frame, scale);
    }
  }
  // The tree of blocks is the code above a mesh or list.
  Result<void> add_code(const Shape& shape, const Frame& frame, const Vec3& scale) {
    const auto code = codes_.find(static_cast<std::int32_t>(shape.source.value));
    if (!shape.source.is_set() || code == codes_.end()) return {};
    MARROW_TRY(const std::vector<geometry::MoppBox> boxes, geometry::mopp_boxes(code->second));
    for (const geometry::MoppBox& each : boxes) put(each.box, each.depth, frame, scale);
    return {};
  }
  Result<void> add_mesh(const geometry::CompressedMesh& mesh, const Frame& frame, const Vec3& scale) {
    MARROW_TRY(const geometry::MeshBoxes boxes, geometry::decode_boxes(mesh));
    const auto top = depths_of(boxes.top.size(), [&](std::size_t i) -> std::size_t {
      const std::uint16_t data = mesh.top_nodes[i].data;
      return (data & 0x8000u) != 0 ? (data & 0x7FFFu) * std::size_t{2} : 0;
    });
    for (std::size_t i = 0; i < boxes.top.size(); ++i) put(boxes.top[i], top[i], frame, scale);
    for (std::size_t s = 0; s < boxes.sections.size() && s < mesh.sections.size(); ++s) {
      const geometry::CompressedMesh::Section& section = mesh.sections[s];
      const std::int64_t above = section.leaf_index < top.size() ? top[section.leaf_index] : 0;
      const auto below = depths_of(boxes.sections[s].size(), [&](std::size_t i) -> std::size_t {
        const std::uint8_t data = section.nodes[i].data;
        return (data & 1u) != 0 ? data & 0xFEu : 0;
      });
      // The root of a section is the leaf above it.
      for (std::size_t i = 1; i < below.size(); ++i) put(boxes.sections[s][i], above + below[i], frame, scale);
    }
    return {};
  }
  void put(const geometry::Aabb& box, std::int64_t depth, const Frame& frame, const Vec3& scale) {
    if (depth > deepest_) return;
    const float units = entry_.system.game_units;
    CollisionBox out{.system = system, .body = body, .depth = depth};
    out.centre = (frame.rotation * (scale * ((box.min + box.max) * 0.5f)) + frame.translation) * units;
    out.size = glm::abs(scale * (box.max - box.min)) * units;
    out.rotation = glm::normalize(glm::quat_cast(frame.rotation));
    boxes_.push_back(out);
  }

  const DocumentCollision& entry_;
  const havok::Packfile* file_;
  std::map<std::int32_t, geometry::MoppCode> codes_;
  std::int64_t deepest_;
  std::vector<CollisionBox>& boxes_;
};

}  // namespace

Result<CollisionBoxesReport> list_collision_boxes(const Document& given, const CollisionBoxesOptions& options,
                                                  Context& context) {
  // The trees are not values: they are in the packfile, or in MOPP code.
  MARROW_TRY(Document document, as_saved(given, context));
  MARROW_CHECK(read_parts(document, Parts::Collision, context));
  if (document.collision.empty()) return fail(ErrorCode::NoCollision, "has no collision");
  CollisionBoxesReport report;
  for (std::size_t s = 0; s < document.collision.size(); ++s) {
    const DocumentCollision& entry = document.collision[s];
    BoxCollector collector(document, entry, options.depth, report.boxes);
    for (std::size_t b = 0; b < entry.system.bodies.size(); ++b) {
      collector.system = s;
      collector.body = b;
      if (const Shape* shape = entry.system.find_shape(entry.system.bodies[b].shape))
        MARROW_CHECK(collector.add(*shape, entry.system.bodies[b].shape_frame(), Vec3(1.0f)));
    }
  }
  return report;
}

void describe(FieldList& fields, CollisionBoxesOptions& options) {
  fields("depth", options.depth,
         {.help = "leave out boxes further below the root", .placeholder = "N", .min = 0, .max = 64});
}
void describe(FieldList& fields, CollisionBox& box) {
  fields("system", box.system);
  fields("body", box.body);
  fields("depth", box.depth);
  fields("centre", box.centre);
  fields("size", box.size);
  fields("rotation", box.rotation);
}
void describe(FieldList& fields, CollisionBoxesReport& report) { fields("boxes", report.boxes); }

}  // namespace marrow
