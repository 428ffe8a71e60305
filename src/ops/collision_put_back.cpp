// SPDX-License-Identifier: MIT
#include "marrow/ops/collision_put_back.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/try.h"
#include "marrow/model/collision_names.h"
#include "ops/compare_surface.h"
#include "ops/object_names.h"
#include "ops/rebuild_shape.h"
#include "ops/shape_slot.h"

namespace marrow {
namespace {

/// An object of the file: all meshes of one name.
struct ReturnedObject {
  std::string name;
  std::vector<const DocumentMesh*> parts;
};

std::vector<ReturnedObject> objects_of(const Document& document) {
  std::vector<ReturnedObject> objects;
  std::map<std::string_view, std::size_t> known;
  for (const DocumentMesh& mesh : document.meshes) {
    if (mesh.mesh.triangles.empty()) continue;
    const auto [at, is_new] = known.try_emplace(mesh.name, objects.size());
    if (is_new) objects.push_back({mesh.name, {}});
    objects[at->second].parts.push_back(&mesh);
  }
  return objects;
}

// Programs store places as matrices, or in other units; this much is rounding.
bool is_same_place(const Transform& a, const Transform& b) {
  const float size = std::max({1.0f, std::abs(b.translation.x), std::abs(b.translation.y), std::abs(b.translation.z)});
  const auto apart = [](const Vec3& p, const Vec3& q) {
    return std::max({std::abs(p.x - q.x), std::abs(p.y - q.y), std::abs(p.z - q.z)});
  };
  return apart(a.translation, b.translation) <= 1e-5f * size && angle_degrees(a.rotation, b.rotation) <= 0.002f &&
         apart(a.scale, b.scale) <= 1e-5f * std::abs(b.scale.x);
}

class PutBack {
 public:
  PutBack(std::vector<DocumentCollision>& systems, const Document& exported, bool solid, Notes& notes)
      : before_(systems), systems_(systems), exported_(exported), solid_(solid), notes_(notes) {}

  Result<std::vector<ChangedBody>> run() {
    Notes ignored;  // shapes that cannot be shown were reported by the export
    MARROW_TRY(meshes_, shown_meshes(systems_, {.solid = solid_}, ignored));
    MARROW_CHECK(match_objects());
    for (std::size_t i = 0; i < meshes_.size(); ++i)
      if (object_of_[i]) {
        auto done = put(meshes_[i], *object_of_[i]);
        if (!done) return in_object(std::move(done.error()), meshes_[i].name);
      }
    MARROW_CHECK(add_new_objects());
    remove_missing_children();
    std::vector<ChangedBody> report;
    for (const auto& [body, name] : changed_) {
      CollisionSystem& system = systems_[body.first].system;
      MARROW_CHECK(finish_shapes(system, body.second));
      const Shape* shape = system.find_shape(system.bodies[body.second].shape);
      report.push_back({systems_[body.first].block, body.second, name, shape ? std::string(type_name(*shape)) : ""});
    }
    return report;
  }

 private:
  using BodyKey = std::pair<std::size_t, std::size_t>;  // system and body

  static BodyKey key_of(const ShapeSlot& slot) { return {slot.system, slot.body}; }

  static std::unexpected<Error> in_object(Error error, const std::string& name) {
    if (error.path.empty()) error.path = "object '" + name + "'";
    return std::unexpected(std::move(error));
  }

  void note(std::string message, const std::string& object) {
    notes_.push_back({std::move(message), kNoOffset, "object '" + object + "'"});
  }

  Result<void> match_objects() {
    objects_ = objects_of(exported_);
    std::vector<std::string> wanted, given;
    for (const CollisionMesh& mesh : meshes_) wanted.push_back(mesh.name);
    for (const ReturnedObject& object : objects_) given.push_back(object.name);
    const std::vector<std::optional<std::size_t>> found = match_names(wanted, given);
    object_of_.assign(meshes_.size(), nullptr);
    std::vector<bool> used(objects_.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i]) {
        object_of_[i] = &objects_[*found[i]];
        used[*found[i]] = true;
        present_.insert(key_of(meshes_[i].slot));
      }
    for (std::size_t i = 0; i < used.size(); ++i)
      if (!used[i]) new_objects_.push_back(&objects_[i]);
    if (!present_.empty()) return {};
    std::string names;
    for (std::size_t i = 0; i < std::min<std::size_t>(wanted.size(), 5); ++i) names += (i ? ", " : "") + wanted[i];
    return fail(ErrorCode::NotFound, "no object of the mesh is named like a shape of the file: " + names +
                                         (wanted.size() > 5 ? ", ..." : "") +
                                         "; export the file first, or use `build` and `attach`");
  }

  // Returns an object in the space of a node, in game units.
  Result<ReturnedSurface> surface_of(const ReturnedObject& object, const Transform& node, std::uint32_t otherwise) {
    ReturnedSurface surface;
    const Transform to_node = inverse(node);
    for (const DocumentMesh* part : object.parts) {
      const auto first = static_cast<std::uint32_t>(surface.vertices.size());
      const Transform& at = part->placement;
      const bool is_in_place = is_same_place(at, node);
      surface.is_in_place &= is_in_place;
      for (const Vec3& p : part->mesh.vertices) {
        const Vec3 world = at.translation + at.rotation * (at.scale * p);
        const Vec3 local = is_in_place ? p : to_node.rotation * (to_node.scale * (world - node.translation));
        if (!std::isfinite(local.x + local.y + local.z))
          return fail(ErrorCode::InvalidArgument, "a vertex is not a finite number");
        surface.vertices.push_back(local);
      }
      const bool is_mirrored = !is_in_place && at.scale.x * at.scale.y * at.scale.z < 0.0f;
      for (std::size_t i = 0; i < part->mesh.triangles.size(); ++i) {
        auto [a, b, c] = part->mesh.triangles[i];
        if (is_mirrored) std::swap(b, c);
        surface.triangles.push_back({first + a, first + b, first + c});
        surface.materials.push_back(material_of(*part, i, otherwise));
      }
    }
    return surface;
  }

  // Names that are not collision materials, as those of new objects in Blender, leave the material as it is.
  std::uint32_t material_of(const DocumentMesh& part, std::size_t triangle, std::uint32_t otherwise) {
    const std::size_t index = triangle < part.mesh.materials.size() ? part.mesh.materials[triangle] : 0;
    if (index >= exported_.materials.size()) return otherwise;
    const std::string name = without_copy_number(exported_.materials[index]);
    if (name.empty()) return otherwise;
    if (const auto found = find_material(name)) return *found;
    if (unknown_materials_.insert(name).second)
      notes_.push_back({"'" + name + "' is not a collision material; its faces keep the old one", kNoOffset, {}});
    return otherwise;
  }

  // What a change of space and the digits of a text file may move a vertex by.
  static float tolerance_of(const CollisionMesh& mesh) {
    const Vec3& t = mesh.placement.translation;
    float largest = std::max({std::abs(t.x), std::abs(t.y), std::abs(t.z)});
    for (const Vec3& v : mesh.vertices) largest = std::max({largest, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    return 1e-3f + 4e-6f * largest;
  }

  Result<void> put(const CollisionMesh& mesh, const ReturnedObject& object) {
    CollisionSystem& system = systems_[mesh.slot.system].system;
    const std::uint32_t otherwise = mesh.materials.empty() ? 0 : mesh.materials.front();
    MARROW_TRY(const ReturnedSurface surface, surface_of(object, mesh.placement, otherwise));
    const SurfaceMatch match = match_surface(mesh, surface, tolerance_of(mesh));
    MARROW_TRY(const bool has_changed,
               rebuild_shape(system, before_[mesh.slot.system].system, mesh, surface, match, solid_, notes_));
    if (!has_changed) return {};
    // Several nodes may use one body; what the first of them changed counts.
    const auto [at, is_new] = changed_slots_.try_emplace({key_of(mesh.slot), mesh.slot.path}, mesh.name);
    if (!is_new)
      note("the body is also that of '" + at->second + "', which has changed too; this one counts", mesh.name);
    changed_.try_emplace(key_of(mesh.slot), mesh.name);
    return {};
  }

  // An object that is named after a body belongs to it; others have no node to be on.
  Result<void> add_new_objects() {
    for (const ReturnedObject* object : new_objects_) {
      const CollisionMesh* owner = nullptr;
      for (const CollisionMesh& mesh : meshes_) {
        const std::string stem = mesh.slot.path.empty() ? mesh.name : mesh.name.substr(0, mesh.name.rfind(".child"));
        if (object->name.starts_with(stem + ".")) owner = &mesh;
      }
      if (!owner) {
        note("it is not a shape of the file, and is left out; `add-body` adds bodies", object->name);
        continue;
      }
      CollisionSystem& system = systems_[owner->slot.system].system;
      const std::uint32_t otherwise = owner->materials.empty() ? 0 : owner->materials.front();
      MARROW_TRY(const ReturnedSurface surface, surface_of(*object, owner->placement, otherwise));
      auto added = add_child(system, owner->slot.body, surface);
      if (!added) return in_object(std::move(added.error()), object->name);
      note("it was added to the body of '" + owner->name + "'", object->name);
      changed_.try_emplace(key_of(owner->slot), owner->name);
    }
    return {};
  }

  void remove_missing_children() {
    std::map<BodyKey, std::vector<std::uint32_t>> missing;
    std::set<std::pair<BodyKey, std::uint32_t>> there;
    for (std::size_t i = 0; i < meshes_.size(); ++i)
      if (object_of_[i] && !meshes_[i].slot.path.empty())
        there.emplace(key_of(meshes_[i].slot), meshes_[i].slot.path.front());
    for (std::size_t i = 0; i < meshes_.size(); ++i) {
      const ShapeSlot& slot = meshes_[i].slot;
      if (object_of_[i]) continue;
      if (!present_.contains(key_of(slot))) {
        if (kept_.insert(key_of(slot)).second)
          note("the mesh has no such object; the body stays as it is (`remove-body` removes bodies)", meshes_[i].name);
      } else if (!slot.path.empty() && !there.contains({key_of(slot), slot.path.front()})) {
        if (missing[key_of(slot)].empty() || missing[key_of(slot)].back() != slot.path.front())
          missing[key_of(slot)].push_back(slot.path.front());
        note("the mesh has no such object; the child is removed", meshes_[i].name);
        changed_.try_emplace(key_of(slot), meshes_[i].name);
      }
    }
    for (const auto& [body, children] : missing) remove_children(systems_[body.first].system, body.second, children);
  }

  const std::vector<DocumentCollision> before_;
  std::vector<DocumentCollision>& systems_;
  const Document& exported_;
  bool solid_;
  Notes& notes_;
  std::vector<CollisionMesh> meshes_;
  std::vector<ReturnedObject> objects_;
  std::vector<const ReturnedObject*> object_of_;  ///< by mesh
  std::vector<const ReturnedObject*> new_objects_;
  std::set<BodyKey> present_, kept_;
  std::map<BodyKey, std::string> changed_;
  std::map<std::pair<BodyKey, std::vector<std::uint32_t>>, std::string> changed_slots_;
  std::set<std::string> unknown_materials_;
};

}  // namespace

void describe(FieldList& fields, ChangedBody& body) {
  fields("block", body.block);
  fields("body", body.body);
  fields("name", body.name);
  fields("shape", body.shape);
}

Result<std::vector<ChangedBody>> put_back(std::vector<DocumentCollision>& systems, const Document& exported, bool solid,
                                          Notes& notes) {
  std::vector<DocumentCollision> changed = systems;
  MARROW_TRY(std::vector<ChangedBody> report, PutBack(changed, exported, solid, notes).run());
  systems = std::move(changed);
  return report;
}

}  // namespace marrow
