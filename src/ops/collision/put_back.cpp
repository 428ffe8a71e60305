// SPDX-License-Identifier: MIT
#include "ops/collision/put_back.h"

#include <glm/common.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/try.h"
#include "marrow/model/collision_names.h"
#include "ops/collision/rebuild_shape.h"
#include "ops/collision/returned_objects.h"
#include "ops/collision/shape_slot.h"
#include "ops/document/object_names.h"

namespace marrow {
namespace {

class PutBack {
 public:
  PutBack(std::vector<DocumentCollision>& systems, const Document& exported, const PutBackOptions& options,
          Notes& notes)
      : before_(systems), systems_(systems), exported_(exported), options_(options), notes_(notes) {}

  Result<PutBackReport> run() {
    Notes ignored;  // shapes that cannot be shown were reported by the export
    MARROW_TRY(shapes_, shown_meshes(systems_, {.solid = options_.solid}, ignored));
    match_ = match_objects(shapes_, exported_);
    MARROW_CHECK(check_match());
    for (std::size_t i = 0; i < shapes_.size(); ++i)
      if (match_.of_shape[i]) {
        auto done = put(i, *match_.of_shape[i]);
        if (!done) return in_object(std::move(done.error()), shapes_[i].name);
      }
    MARROW_CHECK(add_new_objects());
    for (const auto& [object, message] : match_.messages)
      if (!said_.contains(match_.objects[object].name)) note(message, match_.objects[object].name);
    find_missing();
    for (const auto& [body, name] : changed_) {
      CollisionSystem& system = systems_[body.first].system;
      MARROW_CHECK(finish_shapes(system, body.second));
      const Shape* shape = system.find_shape(system.bodies[body.second].shape);
      report_.changed.push_back(
          {systems_[body.first].block, body.second, name, shape ? std::string(type_name(*shape)) : ""});
    }
    return std::move(report_);
  }

 private:
  using BodyKey = std::pair<std::size_t, std::size_t>;  // system and body

  static BodyKey key_of(const ShapeSlot& slot) { return {slot.system, slot.body}; }

  static std::unexpected<Error> in_object(Error error, const std::string& name) {
    if (error.path.empty()) error.path = "object '" + name + "'";
    return std::unexpected(std::move(error));
  }

  void note(std::string message, const std::string& object, std::optional<Cure> cure = {}) {
    said_.insert(object);
    notes_.push_back({std::move(message), kNoOffset, "object '" + object + "'", {}, std::move(cure)});
  }

  // What the matching found out about an object comes before what has become of it.
  std::string told(std::size_t object, std::string message) const {
    for (const auto& [about, said] : match_.messages)
      if (about == object) return said + "; " + message;
    return message;
  }

  Result<void> check_match() const {
    if (std::ranges::any_of(match_.of_shape, [](const auto& object) { return object.has_value(); })) return {};
    std::string names;
    for (std::size_t i = 0; i < std::min<std::size_t>(shapes_.size(), 5); ++i)
      names += (i ? ", " : "") + shapes_[i].name;
    return fail(ErrorCode::NotFound,
                "no object of the mesh is named like a shape of the file: " + names +
                    (shapes_.size() > 5 ? ", ..." : "") + "; the names are those of an export of the file",
                Cure{"collision export"});
  }

  // Returns an object in the space of a node, in game units.
  Result<ReturnedSurface> surface_of(const ReturnedObject& object, const CollisionMesh& shape) {
    ReturnedSurface surface = surface_in(object, shape.placement);
    for (const Vec3& vertex : surface.vertices)
      if (!std::isfinite(vertex.x + vertex.y + vertex.z))
        return fail(ErrorCode::InvalidArgument, "a vertex is not a finite number");
    const std::uint32_t otherwise = shape.materials.empty() ? 0 : shape.materials.front();
    for (const ReturnedObject::Part& part : object.parts)
      for (const std::uint32_t triangle : part.triangles)
        surface.materials.push_back(material_of(*part.mesh, triangle, otherwise));
    return surface;
  }

  // Names that are not collision materials, as those of new objects in Blender, leave the material as it is.
  std::uint32_t material_of(const DocumentMesh& part, std::size_t triangle, std::uint32_t otherwise) {
    const std::size_t index = triangle < part.mesh.materials.size() ? part.mesh.materials[triangle] : 0;
    if (index >= exported_.materials.size()) return otherwise;
    const std::string name = without_copy_number(exported_.materials[index]);
    if (name.empty()) return otherwise;
    if (const auto found = find_material(name, systems_.front().system.game)) return *found;
    if (unknown_materials_.insert(name).second)
      notes_.push_back({"'" + name + "' is not a collision material; its faces keep the old one", kNoOffset, {}});
    return otherwise;
  }

  Result<void> put(std::size_t shape, std::size_t object) {
    const CollisionMesh& mesh = shapes_[shape];
    MARROW_TRY(const ReturnedSurface surface, surface_of(match_.objects[object], mesh));
    const SurfaceMatch match = match_surface(mesh, surface, rounding_of(mesh));
    MARROW_TRY(const RebuiltShape rebuilt,
               rebuild_shape(systems_[mesh.slot.system].system, before_[mesh.slot.system].system, mesh, surface, match,
                             options_.solid));
    if (!rebuilt.has_changed) return {};
    // Several nodes may use one body; what the last of them changed counts.
    const auto [at, is_new] = changed_slots_.try_emplace({key_of(mesh.slot), mesh.slot.path}, mesh.name);
    std::string message = "it has changed: " + rebuilt.what;
    if (!is_new) message += "; the body is also that of '" + at->second + "', which has changed too; this one counts";
    note(told(object, std::move(message)), match_.objects[object].name);
    changed_.try_emplace(key_of(mesh.slot), mesh.name);
    return {};
  }

  // Returns where a copy stands whose meshes are those of its original, in the space of the original.
  std::optional<Frame> place_of_copy(const ReturnedObject& object, const CollisionMesh& original) const {
    ReturnedObject unmoved = object;
    std::vector<DocumentMesh> meshes;
    meshes.reserve(object.parts.size());
    const Transform& at = object.parts.front().mesh->placement;
    for (ReturnedObject::Part& part : unmoved.parts) {
      if (part.mesh->placement != at) return std::nullopt;
      meshes.push_back(*part.mesh);
      meshes.back().placement = original.placement;
      part.mesh = &meshes.back();
    }
    ReturnedSurface surface = surface_in(unmoved, original.placement);
    surface.materials.assign(surface.triangles.size(), 0);
    const OldTriangles old = find_old_triangles(original, surface, 0.0f);
    if (!old.has_all || std::ranges::find(old.is_old, false) != old.is_old.end()) return std::nullopt;
    const Vec3 scale = glm::abs(at.scale / original.placement.scale - Vec3(1.0f));
    if (!(std::max({scale.x, scale.y, scale.z}) <= 1e-5f)) return std::nullopt;
    const Transform back = inverse(original.placement);
    const Vec3 moved = back.rotation * (back.scale * (at.translation - original.placement.translation));
    const Quat turn = glm::normalize(back.rotation * at.rotation);
    return Frame{angle_degrees(turn, make_quat(0, 0, 0, 1)) <= 0.002f ? glm::mat3(1.0f) : glm::mat3_cast(turn), moved};
  }

  // What is copied as it is: a mesh, and a box, which only another place can turn.
  bool is_kept(const CollisionMesh& shape) const {
    const CollisionSystem& system = before_[shape.slot.system].system;
    const auto placed = find_slot(system, shape.slot);
    if (!placed || shape.slot.solid) return false;
    const ShapeGeometry& geometry = system.find_shape(placed->shape)->geometry;
    return std::holds_alternative<MeshShape>(geometry) || std::holds_alternative<BoxShape>(geometry);
  }

  // A copy belongs to the body of its original, and so does what is named after a body; others have no node to be on.
  Result<void> add_new_objects() {
    for (const std::size_t object : match_.unknown)
      note("it is not a shape of the file, and is left out", match_.objects[object].name, Cure{"collision add-body"});
    for (const AddedObject& added : match_.added) {
      const CollisionMesh& owner = shapes_[added.owner];
      const ReturnedObject& object = match_.objects[added.object];
      CollisionSystem& system = systems_[owner.slot.system].system;
      NewChild child{.surface = {}, .model = added.is_copy ? &owner : nullptr};
      MARROW_TRY(child.surface, surface_of(object, owner));
      // A mesh in another place is the same mesh; building it anew would round its vertices once more.
      if (added.is_copy && is_kept(owner) && same_materials(child.surface, owner))
        child.moved = place_of_copy(object, owner);
      auto kind = add_child(system, before_[owner.slot.system].system, owner.slot.body, child, options_.solid);
      if (!kind) return in_object(std::move(kind.error()), object.name);
      note((added.is_copy ? "a copy of '" + owner.name + "', added to its body as a " + *kind
                          : "it was added to the body of '" + owner.name + "' as a " + *kind),
           object.name);
      changed_.try_emplace(key_of(owner.slot), owner.name);
    }
    return {};
  }

  static bool same_materials(const ReturnedSurface& surface, const CollisionMesh& original) {
    std::vector<std::uint32_t> now = surface.materials, then = original.materials;
    std::ranges::sort(now);
    std::ranges::sort(then);
    return now == then;
  }

  // Bodies, nodes of bodies, and children whose objects are all gone.
  void find_missing() {
    std::set<std::size_t> systems;
    std::set<BodyKey> bodies;
    std::set<std::pair<BodyKey, std::optional<std::size_t>>> nodes;
    std::set<std::pair<BodyKey, std::uint32_t>> children;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      if (!match_.of_shape[i]) continue;
      const ShapeSlot& slot = shapes_[i].slot;
      systems.insert(slot.system);
      bodies.insert(key_of(slot));
      nodes.emplace(key_of(slot), shapes_[i].node);
      if (!slot.path.empty()) children.emplace(key_of(slot), slot.path.front());
    }
    std::map<BodyKey, std::vector<std::uint32_t>> missing;
    std::set<std::pair<BodyKey, std::optional<std::size_t>>> told;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const CollisionMesh& shape = shapes_[i];
      const BodyKey body = key_of(shape.slot);
      if (match_.of_shape[i]) continue;
      if (!bodies.contains(body)) {
        if (told.emplace(body, shape.node).second) lose_body(shape, systems.contains(body.first));
      } else if (!nodes.contains({body, shape.node})) {
        if (told.emplace(body, shape.node).second) lose_node(shape);
      } else if (!shape.slot.path.empty() && !children.contains({body, shape.slot.path.front()})) {
        lose_child(shape, missing[body]);
      }
    }
    for (const auto& [body, gone] : missing) remove_children(systems_[body.first].system, body.second, gone);
  }

  void lose_body(const CollisionMesh& shape, bool has_siblings) {
    const BodyKey body = key_of(shape.slot);
    if (options_.keep_missing || (!has_siblings && !options_.all_exported))
      return note("the mesh has no such object; the body stays as it is", shape.name,
                  Cure{"collision remove-body", {{"body", std::to_string(shape.slot.body)}}});
    if (is_bone(body))
      return note("the mesh has no such object; the body stays, since a bone of the ragdoll uses it", shape.name);
    note("the mesh has no such object; its body is removed (the option keep_missing keeps such bodies)", shape.name);
    if (gone_bodies_.insert(body).second) report_.gone.push_back({body.first, body.second, shape.name});
  }

  // A ragdoll that is blocks has no list of bones: all of its bodies are some.
  bool is_bone(const BodyKey& body) const {
    const auto& ragdoll = systems_[body.first].system.ragdoll;
    if (!ragdoll) return systems_[body.first].kind == EmbeddedKind::Ragdoll;
    const auto number = static_cast<std::int32_t>(body.second);
    return std::ranges::find(ragdoll->bone_to_body, number) != ragdoll->bone_to_body.end();
  }

  void lose_node(const CollisionMesh& shape) {
    if (options_.keep_missing) return note("the mesh has no such object; the node keeps its collision", shape.name);
    note("the mesh has no such object; its node has no collision now, other nodes keep the body", shape.name);
    report_.gone.push_back({shape.slot.system, shape.slot.body, shape.name, shape.node});
  }

  void lose_child(const CollisionMesh& shape, std::vector<std::uint32_t>& missing) {
    if (options_.keep_missing) return note("the mesh has no such object; the child stays as it is", shape.name);
    if (missing.empty() || missing.back() != shape.slot.path.front()) missing.push_back(shape.slot.path.front());
    note("the mesh has no such object; the child is removed", shape.name);
    changed_.try_emplace(key_of(shape.slot), shape.name);
  }

  const std::vector<DocumentCollision> before_;
  std::vector<DocumentCollision>& systems_;
  const Document& exported_;
  const PutBackOptions& options_;
  Notes& notes_;
  std::vector<CollisionMesh> shapes_;
  ObjectMatch match_;
  PutBackReport report_;
  std::set<BodyKey> gone_bodies_;
  std::map<BodyKey, std::string> changed_;
  std::map<std::pair<BodyKey, std::vector<std::uint32_t>>, std::string> changed_slots_;
  std::set<std::string> unknown_materials_, said_;
};

}  // namespace

void describe(FieldList& fields, ChangedBody& body) {
  fields("block", body.block);
  fields("body", body.body);
  fields("name", body.name);
  fields("shape", body.shape);
}

Result<PutBackReport> put_back(std::vector<DocumentCollision>& systems, const Document& exported,
                               const PutBackOptions& options, Notes& notes) {
  std::vector<DocumentCollision> changed = systems;
  MARROW_TRY(PutBackReport report, PutBack(changed, exported, options, notes).run());
  systems = std::move(changed);
  return report;
}

}  // namespace marrow
