// SPDX-License-Identifier: MIT
#include "ops/collision/check.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/try.h"
#include "geometry/mesh/compressed_mesh.h"
#include "havok/physics/measure.h"
#include "havok/physics/mesh.h"
#include "havok/physics/physics.h"
#include "havok/physics/rules.h"
#include "marrow/core/text.h"
#include "marrow/model/collision_names.h"
#include "nif/bhk.h"
#include "nif/bhk_check.h"
#include "nif/embedded.h"
#include "nif/legacy.h"
#include "nif/node.h"
#include "nif/references.h"
#include "ops/collision/collision.h"
#include "ops/collision/ragdoll_joints.h"
#include "ops/document/origin.h"

namespace marrow {
namespace {

constexpr std::uint32_t kEnabled = 0x40;
/// Of collision objects.
constexpr std::uint16_t kLinkFlags = 0x80;

float largest_coordinate(const geometry::Aabb& box) {
  float largest = 0.0f;
  for (int i = 0; i < 3; ++i) largest = std::max({largest, std::abs(box.min[i]), std::abs(box.max[i])});
  return largest;
}

const havok::Packfile& packfile_of(const Document& document, const DocumentCollision& entry) {
  const auto* nif = origin_of<NifOrigin>(document);
  return nif ? (*nif->packfiles)[entry.packfile] : *document.packfile();
}

/// Checks one entry of a file; places are written as `blocks[5].bodies[2]`.
class EntryChecker {
 public:
  EntryChecker(const Document& document, const DocumentCollision& entry, Findings& findings)
      : document_(document),
        packfile_(packfile_of(document, entry)),
        entry_(entry),
        system_(entry.system),
        findings_(findings) {}

  void check() {
    check_reading();
    check_numbers();
    for (std::size_t i = 0; i < system_.shapes.size(); ++i) check_shape(i);
    for (std::size_t i = 0; i < system_.bodies.size(); ++i) check_body(i);
    check_nodes();
    if (system_.ragdoll) check_ragdoll(*system_.ragdoll);
  }

 private:
  // The ragdoll in skeleton.hkx was written by another tool, with habits of its own.
  bool is_blob() const { return system_.game_units != 1.0f; }

  void check_ragdoll(const Ragdoll& ragdoll) {
    for (std::uint32_t body = 0; body < system_.bodies.size(); ++body) {
      const std::int32_t bone = bone_of_body(ragdoll, body);
      const std::string where = "bodies[" + std::to_string(body) + "]";
      if (bone == kNoBone) {
        add("W_RAGDOLL_BODY", Level::Warning, "no bone of the ragdoll has this body; a joint hangs it on one that has",
            where, add_joint(body));
        continue;
      }
      const bool is_root = ragdoll.skeleton.bones[static_cast<std::size_t>(bone)].parent == kNoBone;
      if (!is_root && std::ranges::none_of(system_.constraints, [&](const Constraint& each) {
            return each.body_a == body && is_joint_of_bone(ragdoll, each);
          }))
        add("W_RAGDOLL_JOINT", Level::Warning, "no joint hangs the body on that of its parent bone: it falls off",
            where, add_joint(body));
    }
  }

  void add(std::string code, Level level, std::string message, std::string where, std::optional<Cure> cure = {}) {
    if (entry_.block) where = "blocks[" + std::to_string(*entry_.block) + "]." + where;
    findings_.push_back({std::move(code), level, std::move(message), std::move(where), std::move(cure)});
  }

  // Returns the cure that runs an operation on a body.
  Cure cure_of(std::size_t body, std::string operation) const {
    Cure cure{std::move(operation), {{"body", std::to_string(body)}}};
    if (entry_.block) cure.options.push_back({"block", std::int64_t{*entry_.block}});
    return cure;
  }
  Cure add_joint(std::size_t body) const { return cure_of(body, "collision add-joint"); }

  // What reading the packfile and the system ran into. A bare packfile has been read by the caller, who has its
  // findings.
  void check_reading() {
    Findings found;
    if (document_.nif() && entry_.block)
      if (const auto embedded = find_embedded(*document_.nif(), *entry_.block))
        (void)havok::read_packfile(embedded->bytes, {.findings = &found});
    (void)havok::read_physics(packfile_, havok::find_physics(packfile_)[entry_.ordinal], {.findings = &found});
    for (Finding& f : found)
      add(std::move(f.code), f.level, std::move(f.message), std::move(f.where), std::move(f.cure));
  }

  // All numbers of the packfile, once for all of its systems.
  void check_numbers() {
    if (entry_.ordinal != 0) return;
    for (Finding& f : havok::check_numbers(packfile_, havok::physics_rules()))
      add(std::move(f.code), f.level, std::move(f.message), std::move(f.where));
  }

  void check_shape(std::size_t i) {
    const Shape& shape = system_.shapes[i];
    const std::string where = "shapes[" + std::to_string(i) + "]";
    if (std::holds_alternative<UnknownShape>(shape.geometry))
      add("W_SHAPE_CLASS", Level::Warning,
          "no file of the game has a shape of class " + std::string(type_name(shape)) +
              ", and nothing is known about it: it is not checked",
          where);
    if (std::holds_alternative<Polytope>(shape.geometry)) check_hull(shape, where);
    if (std::holds_alternative<MeshShape>(shape.geometry)) check_mesh(shape, where);
    if (const auto* compound = std::get_if<CompoundShape>(&shape.geometry)) check_compound(shape, *compound, where);
    const bool is_ball =
        std::holds_alternative<BallShape>(shape.geometry) || std::holds_alternative<CapsuleShape>(shape.geometry);
    if (is_ball && !(shape.convex_radius > 0.0f))
      add("E_RADIUS", Level::Error, "the " + std::string(type_name(shape)) + " has no radius", where);
  }

  void check_hull(const Shape& shape, const std::string& where) {
    const geometry::Hull hull = *havok::hull_of(shape);
    const geometry::Aabb box = geometry::bounds_of(hull.vertices);
    const float size = box.empty() ? 0.0f : glm::length(box.max - box.min);
    if (hull.vertices.size() < 4 || hull.faces.size() < 4 || !(size > 0.0f)) {
      add("E_HULL_DEGENERATE", Level::Error,
          "the hull has no volume: everything passes through it, or the game crashes", where);
      return;
    }
    if (!(shape.convex_radius >= 0.0f)) add("E_RADIUS", Level::Error, "the convex radius is negative", where);
    const float tolerance = 1e-3f * size + 1e-5f * largest_coordinate(box);
    for (std::size_t face = 0; face < hull.planes.size(); ++face)
      for (const geometry::Vec3& vertex : hull.vertices)
        if (!(glm::dot(hull.planes[face].normal, vertex) + hull.planes[face].offset <= tolerance)) {
          add("E_HULL_PLANE", Level::Error, "a vertex lies outside a face of its hull",
              where + ".planes[" + std::to_string(face) + "]", automatic_cure());
          return;
        }
    if (is_blob() && shape.mass && is_moved(shape) && !havok::has_right_mass(shape))
      add("W_SHAPE_MASS", Level::Warning,
          "the mass properties of the hull are not those of its solid: it weighs and turns wrongly once it moves",
          where + ".mass", automatic_cure());
  }

  // True if a body that is not static has the shape itself; elsewhere its mass properties are not used.
  bool is_moved(const Shape& shape) const {
    return std::ranges::any_of(system_.bodies, [&](const Body& body) {
      return system_.find_shape(body.shape) == &shape && motion_type(system_, body) != MotionType::Static;
    });
  }

  void check_mesh(const Shape& shape, const std::string& where) {
    const auto mesh = havok::read_compressed_mesh(packfile_, {shape.source.value});
    if (!mesh) return;
    if (shape.key_bits != mesh->bits_per_key)
      add("E_KEY_BITS", Level::Error,
          "the shape has " + std::to_string(shape.key_bits) + " key bits, but its mesh has " +
              std::to_string(mesh->bits_per_key) + ": hits are reported on wrong triangles",
          where + ".numShapeKeyBits", automatic_cure());
    for (const Note& note : havok::verify_mesh(*mesh))
      add("E_MESH", Level::Error, note.message, where + "." + note.path, automatic_cure());
    const auto& model = std::get<MeshShape>(shape.geometry);
    for (const MeshFace& face : model.faces)
      if (face.material >= model.materials.size()) {
        add("E_MESH_MATERIAL", Level::Error,
            "triangles use material " + std::to_string(face.material) + " of " + std::to_string(model.materials.size()),
            where, automatic_cure());
        break;
      }
  }

  void check_compound(const Shape& shape, const CompoundShape& compound, const std::string& where) {
    const std::size_t count = compound.instances.size();
    if (shape.key_bits != std::bit_width(count))
      add("E_KEY_BITS", Level::Error,
          "a compound of " + std::to_string(count) + " children needs " + std::to_string(std::bit_width(count)) +
              " key bits, but this one has " + std::to_string(shape.key_bits),
          where + ".numShapeKeyBits", automatic_cure());
    for (std::size_t i = 0; i < count; ++i) {
      const std::string child = where + ".instances[" + std::to_string(i) + "]";
      if (compound.instances[i].shape == ShapeId::None)
        add("E_NO_SHAPE", Level::Error, "the child has no shape", child);
      if ((compound.instances[i].flags & kEnabled) == 0)
        add("W_DISABLED", Level::Warning,
            "the child is not enabled (flag 0x40, which every child in the game's files has): nothing collides with it",
            child);
      check_place(compound.instances[i], child);
    }
    // No file of the game has a static compound to learn from, so that its tree is only warned about.
    for (const Note& note : havok::verify_tree(system_, compound))
      add(compound.is_static ? "W_TREE" : "E_TREE", compound.is_static ? Level::Warning : Level::Error,
          note.message + ": parts of the shape are not found", where + "." + note.path,
          compound.is_static ? std::nullopt : std::optional(automatic_cure()));
  }

  // How a child lies in its compound. Numbers that are not finite have been reported.
  void check_place(const ShapeInstance& instance, const std::string& where) {
    if (instance.scale.x == 0.0f || instance.scale.y == 0.0f || instance.scale.z == 0.0f)
      add("E_SCALE", Level::Error, "the child is scaled by 0: it has no volume, and nothing collides with it",
          where + ".scale");
    constexpr float kTolerance = 1e-3f;
    for (int i = 0; i < 3; ++i) {
      const Vec3& axis = instance.frame.rotation[i];
      const float skew = glm::dot(axis, instance.frame.rotation[(i + 1) % 3]);
      const bool is_wrong = std::abs(glm::length(axis) - 1.0f) > kTolerance || std::abs(skew) > kTolerance;
      if (!is_wrong) continue;
      add("E_ROTATION", Level::Error,
          "the rotation of the child is not one: its axes are not at right angles or not of length 1",
          where + ".transform");
      return;
    }
  }

  void check_layer(std::uint8_t layer, const std::string& where) {
    constexpr std::uint8_t kLayerCount = 64;  // the game keeps one bit per layer in a word of 64
    if (layer >= kLayerCount)
      add("E_LAYER", Level::Error,
          "there is no layer " + std::to_string(layer) +
              ": what collides with the body is undefined; give it a layer of the game",
          where, Cure{"collision set"});
  }

  // Rules that all bodies of the game's files keep.
  void check_habits(const Body& body, const std::string& where) {
    constexpr std::array<std::uint32_t, 4> kKnownFlags = {0, 0x10, 0x80, 0x10080};
    constexpr std::uint32_t kIgnored = 0xF;  // by the engine
    const std::uint32_t flags = body.flags & ~kIgnored;
    const auto is_known = [&](std::uint32_t value) {
      return std::ranges::find(kKnownFlags, value) != kKnownFlags.end();
    };
    if (!is_known(flags)) {
      const bool is_chosen = is_known(flags & ~body_flag::kDontCollide);
      add(is_chosen ? "I_BODY_FLAGS" : "W_BODY_FLAGS", is_chosen ? Level::Info : Level::Warning,
          "the flags are " + hex_text(body.flags, 5) +
              "; bodies of the game have 0 (static, keyframed), 0x10 (triggers), 0x80 (dynamic) or 0x10080 (bones of "
              "ragdolls)",
          where + ".flags");
    }
    const Motion* motion = system_.motion_of(body);
    if (motion && motion->inverse_mass == 0.0f && motion->properties != kNoMotionProperties)
      add("W_KEYFRAMED", Level::Warning,
          "a keyframed body has motion properties " + std::to_string(motion->properties) +
              "; in the game's files it has none (0xffff), which is how they mark what the game moves",
          where + ".motionPropertiesId");
  }

  void check_body(std::size_t i) {
    const Body& body = system_.bodies[i];
    const std::string where = "bodies[" + std::to_string(i) + "]";
    const Shape* shape = system_.find_shape(body.shape);
    // In skeleton.hkx Havok's own filter fills the field: 5 bits of layer, then the part of the ragdoll.
    if (is_blob()) check_layer(body.layer(), where + ".collisionFilterInfo");
    if (is_blob()) check_habits(body, where);
    if (!shape)
      return add("E_NO_SHAPE", Level::Error, "the body has no shape", where, cure_of(i, "collision set-shape"));
    if (!is_blob() || motion_type(system_, body) != MotionType::Dynamic) return;
    if ((body.flags & body_flag::kContactImpulseEvents) == 0)
      add("W_NO_IMPACT_EVENTS", Level::Warning,
          "the body moves but does not raise contact impulse events (flag 0x80): it makes no sound when it hits",
          where + ".flags", automatic_cure());
    if (!system_.motion_properties_of(body))
      add("E_MOTION_PROPERTIES", Level::Error, "a dynamic body without motion properties", where, automatic_cure());
    check_mass(body, where);
  }

  void check_mass(const Body& body, const std::string& where) {
    const auto error = havok::inertia_error(system_, body);
    if (!error) return;
    if (error->mass_factor > havok::kLargestInertiaError.mass_factor)
      add("W_MASS", Level::Warning,
          "the mass of " + float_text(mass_of(system_, body)) +
              " kg does not fit the shape: mass over volume is off by " +
              float_text(static_cast<float>(100.0 * error->mass_factor)) + " %",
          where + ".massFactor", automatic_cure());
    else if (error->inertia > havok::kLargestInertiaError.inertia)
      add("W_INERTIA", Level::Warning, "the inertia does not fit the shape: the body turns too easily or hardly at all",
          where + ".inverseInertia", automatic_cure());
  }

  void check_nodes() {
    for (const BodyNode& node : entry_.nodes)
      if (node.body >= system_.bodies.size())
        add("E_BODY_ID", Level::Error,
            "node '" + node.name + "' uses body " + std::to_string(node.body) + " of " +
                std::to_string(system_.bodies.size()) + ": the game crashes",
            "node '" + node.name + "'");
    // A system that no node uses is an orphaned block as a whole.
    if (!entry_.block || entry_.nodes.empty()) return;
    for (std::size_t i = 0; i < system_.bodies.size(); ++i)
      if (std::ranges::find(entry_.nodes, i, &BodyNode::body) == entry_.nodes.end())
        add("W_UNUSED_BODY", Level::Warning, "no node uses the body: it is not in the game",
            "bodies[" + std::to_string(i) + "]", cure_of(i, "collision remove-body"));
  }

  const Document& document_;
  const havok::Packfile& packfile_;
  const DocumentCollision& entry_;
  const CollisionSystem& system_;
  Findings& findings_;
};

// The links between nodes and bodies. Files of the game have the node itself as the target, and flags 0x80.
void check_links(const NifFile& nif, Findings& findings) {
  const auto objects = read_collision_objects(nif);
  const auto nodes = read_nodes(nif);
  if (!objects || !nodes) return;
  for (const CollisionObject& object : *objects) {
    const std::string where = "blocks[" + std::to_string(object.block) + "]";
    const auto user = std::ranges::find(*nodes, object.block, &NifNode::collision_object);
    if (object.target == kNoBlock)
      findings.push_back({"E_NO_TARGET", Level::Error,
                          "the collision object names no node: its body stays at the origin, or the game crashes",
                          where + ".target"});
    else if (user != nodes->end() && user->block != object.target)
      findings.push_back({"E_NO_TARGET", Level::Error,
                          "the collision object names block " + std::to_string(object.target) +
                              ", but it is on node '" + user->name + "': the body follows the wrong node",
                          where + ".target"});
    if (object.flags != kLinkFlags)
      findings.push_back({"W_LINK_FLAGS", Level::Warning,
                          "the flags of the collision object are " + hex_text(object.flags, 4) +
                              "; in every file of the game they are 0x0080, and without that bit the body is not used",
                          where + ".flags"});
  }
}

// A second physics system is rare, and whatever makes one by accident means one.
void check_systems(const Document& document, Findings& findings) {
  const auto count = std::ranges::count(document.collision, EmbeddedKind::Physics, &DocumentCollision::kind);
  if (count > 1)
    findings.push_back({"I_PHYSICS_SYSTEMS", Level::Info,
                        "the file has " + std::to_string(count) +
                            " physics systems; nearly all files of the game have one, which the nodes share",
                        "file"});
}

// The game looks at collision only if the flags of the root say so, and goes by them about what moves.
void check_flags(const NifFile& nif, Findings& findings) {
  const auto expected = expected_bsx_flags(nif, &probe_system);
  if (!expected || (*expected & bsx_flag::kHavok) == 0) return;
  const std::uint32_t present = bsx_flags(nif).value_or(0);
  if ((present & bsx_flag::kHavok) == 0)
    findings.push_back({"W_BSX_FLAGS", Level::Warning,
                        "no BSXFlags with the Havok bit (2): the game ignores the collision", "BSXFlags",
                        automatic_cure()});
  else if (present != *expected)
    findings.push_back(
        {"W_BSX_FLAGS", Level::Warning,
         "BSXFlags are " + hex_text(present, 4) + "; with these bodies the game's files have " + hex_text(*expected, 4),
         "BSXFlags", automatic_cure()});
}

// Collision of before Fallout 4 is not loaded, so that nothing collides with it.
void check_legacy(const NifFile& nif, Findings& findings) {
  const auto legacy = read_legacy_collision(nif);
  if (!legacy) return;
  for (const LegacyCollision& each : *legacy) {
    std::string what(nif.type_of(each.block));
    Cure cure{"collision attach"};
    if (each.node != kNoBlock) cure.options.push_back({"node", std::vector{each.node_name}});
    if (each.shape != kNoBlock) what += " with a " + std::string(nif.type_of(each.shape));
    findings.push_back({"W_OLD_COLLISION", Level::Warning,
                        (each.node == kNoBlock ? "a " : "node '" + each.node_name + "' has a ") + what +
                            ", from before Fallout 4, which the game does not load: nothing collides with it; build "
                            "collision from the visible shapes or a mesh, and attach it in its place",
                        "blocks[" + std::to_string(each.block) + "]", std::move(cure)});
  }
}

// Blocks that nothing leads to are loaded for nothing; of collision they are what an edit left behind.
void check_orphans(const NifFile& nif, Findings& findings) {
  std::vector<std::int32_t> orphans = orphaned_blocks(nif);
  // Only collision objects refer to systems, so that those without one are known in any file.
  const auto systems = read_embedded(nif);
  const auto objects = read_collision_objects(nif);
  if (systems && objects)
    for (const EmbeddedPackfile& system : *systems)
      if (system.kind != EmbeddedKind::Cloth && std::ranges::find(orphans, system.block) == orphans.end() &&
          std::ranges::find(*objects, system.block, &CollisionObject::system) == objects->end())
        orphans.push_back(system.block);
  for (const std::int32_t block : orphans)
    if (!bhk::keeps_blocks(nif.stream) || !nif.type_of(block).starts_with("bhk"))
      findings.push_back({"W_ORPHANED_BLOCK", Level::Warning,
                          "nothing leads to this " + std::string(nif.type_of(block)) + ": it is not in the game",
                          "blocks[" + std::to_string(block) + "]"});
}

}  // namespace

Findings check_collision(const Document& document) {
  Findings findings;
  if (document.nif() && bhk::keeps_blocks(document.nif()->stream)) {
    findings = bhk::check(*document.nif());
    check_orphans(*document.nif(), findings);
    return findings;
  }
  for (const DocumentCollision& entry : document.collision)
    if (entry.kind != EmbeddedKind::Cloth) EntryChecker(document, entry, findings).check();
  if (document.nif()) {
    check_links(*document.nif(), findings);
    check_systems(document, findings);
    check_flags(*document.nif(), findings);
    check_legacy(*document.nif(), findings);
    check_orphans(*document.nif(), findings);
  }
  return findings;
}

}  // namespace marrow
