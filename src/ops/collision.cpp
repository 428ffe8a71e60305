// SPDX-License-Identifier: MIT
#include "marrow/ops/collision.h"

#include <algorithm>

#include "core/try.h"
#include "marrow/havok/physics.h"
#include "marrow/nif/node.h"
#include "marrow/model/collision_names.h"
#include "marrow/ops/collision_mesh.h"
#include "marrow/ops/collision_record.h"
#include "marrow/ops/convert.h"
#include "ops/define.h"
#include "ops/nif_edit.h"

namespace marrow {
namespace {

/// A packfile to put into a NIF. It is checked first: a broken or foreign one would crash the game.
struct Blob {
  EmbeddedKind kind = EmbeddedKind::Physics;
  std::size_t bodies = 0;
  std::vector<std::byte> bytes;
};

Result<Blob> open_blob(const Document& document) {
  const havok::Packfile* file = document.packfile();
  if (!file)
    return in_file({ErrorCode::WrongKind, "a NIF holds packfiles, not a " + std::string(title(document.format))},
                   document.name);
  const auto open = [&]() -> Result<Blob> {
    Blob blob;
    MARROW_TRY(blob.kind, embedded_kind(*file));
    MARROW_TRY(blob.bytes, havok::write_packfile(*file));
    if (blob.kind == EmbeddedKind::Cloth) return blob;
    const auto systems = havok::find_physics(*file);
    if (systems.size() != 1 || file->root != systems.front())
      return fail(ErrorCode::InvalidArgument,
                  "the root of a packfile in a NIF must be the physics system, as in files from `build` and `extract`");
    MARROW_TRY(const CollisionSystem system, havok::read_physics(*file, systems.front()));
    blob.bodies = system.bodies.size();
    return blob;
  };
  auto blob = open();
  if (!blob) return in_file(std::move(blob.error()), document.name);
  return blob;
}

// Returns a packfile whose bodies record the places of the nodes that they go on. What is there already, but for
// rounding, stays.
Result<std::vector<std::byte>> placed_on_nodes(havok::Packfile file, const NifFile& nif,
                                               std::span<const Attachment> attachments, Notes& notes) {
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(nif));
  const havok::ObjectId target = havok::find_physics(file).front();
  MARROW_TRY(CollisionSystem system, havok::read_physics(file, target));
  std::vector<bool> is_placed(system.bodies.size());
  for (const Attachment& attachment : attachments) {
    MARROW_TRY(const std::int32_t block, find_node(nif, attachment.node));
    if (is_placed[attachment.body]) continue;
    is_placed[attachment.body] = true;
    CollisionSystem placed = system;
    place_body(placed, attachment.body, std::ranges::find(nodes, block, &NifNode::block)->world);
    const Body &now = system.bodies[attachment.body], &then = placed.bodies[attachment.body];
    const Vec3 moved = glm::abs(Vec3(now.position) - Vec3(then.position));
    if (std::max({moved.x, moved.y, moved.z}) > 1e-4f || angle_degrees(now.orientation, then.orientation) > 0.01f)
      system = std::move(placed);
  }
  MARROW_CHECK(havok::write_physics(system, file, target, &notes));
  return havok::write_packfile(file);
}

Result<NifOrigin*> nif_origin(Document& document, std::string_view operation) {
  auto* origin = std::get_if<NifOrigin>(&document.origin);
  MARROW_CHECK(takes(operation, document, origin != nullptr));
  return origin;
}

std::string known_blocks(const std::vector<EmbeddedPackfile>& all) {
  std::string known;
  for (const EmbeddedPackfile& one : all)
    known += (known.empty() ? "" : ", ") + std::to_string(one.block) + " (" + std::string(to_string(one.kind)) + ")";
  return known;
}

// Returns the requested block, or the only one that holds a packfile of the kind.
Result<EmbeddedPackfile> choose_block(const NifFile& nif, std::optional<std::int32_t> block,
                                      std::optional<EmbeddedKind> kind) {
  if (block) return find_embedded(nif, *block);
  MARROW_TRY(std::vector<EmbeddedPackfile> all, read_embedded(nif));
  if (kind) std::erase_if(all, [&](const EmbeddedPackfile& one) { return one.kind != *kind; });
  if (all.size() == 1) return all.front();
  if (all.empty()) return fail(ErrorCode::NoCollision, "the NIF contains no such packfile; `attach` adds one");
  return fail(ErrorCode::NeedsChoice, "the NIF contains several packfiles; name the block: " + known_blocks(all),
              kNoOffset, "block");
}

Result<void> check_users(const NifFile& nif, std::int32_t block, const Blob& blob) {
  MARROW_TRY(const std::vector<CollisionObject> objects, read_collision_objects(nif));
  for (const CollisionObject& object : objects)
    if (object.system == block && object.body >= blob.bodies)
      return fail(ErrorCode::InvalidArgument, "a node uses body " + std::to_string(object.body) + " of block " +
                                                  std::to_string(block) + ", but the new system has " +
                                                  std::to_string(blob.bodies) + " bodies; use `attach` instead");
  return {};
}

// Returns the systems that a mesh is to be put back into: the block that was named, those that its record names if the
// file has them, else all.
Result<std::vector<std::size_t>> target_systems(const Document& document, std::optional<std::int32_t> block,
                                                const std::optional<CollisionRecord>& record) {
  if (block) {
    MARROW_TRY(const std::size_t chosen, find_system(document, block));
    return std::vector{chosen};
  }
  std::vector<std::size_t> all, recorded;
  for (std::size_t i = 0; i < document.collision.size(); ++i) {
    if (document.collision[i].kind == EmbeddedKind::Cloth) continue;
    all.push_back(i);
    if (record && std::ranges::any_of(record->systems, [&](const RecordedSystem& each) {
          return each.collision.block == document.collision[i].block && each.collision.kind == document.collision[i].kind;
        }))
      recorded.push_back(i);
  }
  return record && recorded.size() == record->systems.size() ? recorded : all;
}

Result<ReplaceReport> replace_shapes(Document& document, const ReplaceCollisionOptions& options, Context& context) {
  MARROW_CHECK(takes("collision replace", document, document.packfile() || document.nif()));
  MARROW_TRY(const std::optional<CollisionRecord> record, record_of(*options.blob, context.limits));
  MARROW_TRY(const std::vector<std::size_t> targets, target_systems(document, options.block, record));
  std::vector<DocumentCollision> systems;
  for (const std::size_t i : targets) systems.push_back(document.collision[i]);
  if (systems.empty()) return fail(ErrorCode::NoCollision, "the file contains no collision; `build` and `attach` add some");
  auto changed = put_back(systems, *options.blob, record && record->solid, context.notes);
  if (!changed) return in_file(std::move(changed.error()), options.blob->name);
  for (std::size_t i = 0; i < targets.size(); ++i) document.collision[targets[i]] = std::move(systems[i]);
  return ReplaceReport{.block = {}, .changed = std::move(*changed)};
}

// Returns the bodies of one system that are meant: by number, by node, or all.
std::vector<std::size_t> selected(const DocumentCollision& collision, const SetCollisionOptions& options) {
  std::vector<std::size_t> bodies = options.bodies;
  for (const BodyNode& node : collision.nodes)
    if (std::ranges::find(options.nodes, node.name) != options.nodes.end()) bodies.push_back(node.body);
  if (options.bodies.empty() && options.nodes.empty())
    for (std::size_t i = 0; i < collision.system.bodies.size(); ++i) bodies.push_back(i);
  std::ranges::sort(bodies);
  bodies.erase(std::ranges::unique(bodies).begin(), bodies.end());
  return bodies;
}

// Returns the systems to edit: the one that was named, those with the nodes that were named, or all. A number of a body
// needs one system.
Result<std::vector<std::size_t>> edited_systems(const Document& document, const SetCollisionOptions& options) {
  if (options.block || !options.bodies.empty()) {
    MARROW_TRY(const std::size_t chosen, find_system(document, options.block));
    if (document.collision[chosen].kind == EmbeddedKind::Cloth)
      return fail(ErrorCode::Unsupported, "cloth cannot be edited, only listed and kept");
    return std::vector{chosen};
  }
  for (const std::string& name : options.nodes)
    if (std::ranges::none_of(document.collision, [&](const DocumentCollision& each) {
          return std::ranges::find(each.nodes, name, &BodyNode::name) != each.nodes.end();
        }))
      return fail(ErrorCode::NotFound, "no node '" + name + "' has a body");
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < document.collision.size(); ++i)
    if (document.collision[i].kind != EmbeddedKind::Cloth) all.push_back(i);
  if (all.empty()) return fail(ErrorCode::NoCollision, "the file contains no bodies");
  return all;
}

template <class T>
Result<T> named(Result<T> found, const char* option) {
  if (!found) return fail(ErrorCode::BadOption, found.error().message, kNoOffset, option);
  return found;
}

Result<BodyEdit> edit_of(const SetCollisionOptions& options) {
  BodyEdit edit = options.edit;
  if (options.material) {
    MARROW_TRY(edit.material, named(find_material(*options.material), "material"));
  }
  if (options.layer) {
    MARROW_TRY(edit.layer, named(find_layer(*options.layer), "layer"));
  }
  if (options.response) edit.collides = *options.response == CollisionResponse::Contact;
  return edit;
}

constexpr FieldText kBlock{.help = "which system of a NIF, if there are several", .placeholder = "N", .min = 0};

}  // namespace

void describe(FieldList& fields, BlockOptions& options) { fields("block", options.block, kBlock); }

void describe(FieldList& fields, ExportCollisionOptions& options) {
  fields("block", options.block, {.help = "only this system of the NIF", .placeholder = "N", .min = 0});
  fields("solid", options.save.solid,
         {.help = "show hulls grown by their convex radius, as the game sees them, instead of their vertices"});
  fields("show", options.save.show,
         {.help = "for looking at: coloured by material and body, see-through, over the visible shapes of the NIF; .glb"});
  fields("units", options.save.units, {.help = "length unit of glTF files", .placeholder = "UNITS"});
}

void describe(FieldList& fields, ExportCollisionReport& report) { fields("shapes", report.shapes); }

void describe(FieldList& fields, ReplaceCollisionOptions& options) {
  fields.input("blob", options.blob,
               {.help = "a packfile, or an export of the file as .glb, .gltf or .obj, edited or not", .placeholder = "BLOB",
                .required = true, .positional = true, .parts = Parts::None});
  fields("block", options.block, kBlock);
}

void describe(FieldList& fields, AttachCollisionOptions& options) {
  fields.input("blob", options.blob,
               {.help = "the packfile", .placeholder = "BLOB", .required = true, .positional = true,
                .parts = Parts::None});
  fields("node", options.nodes,
         {.help = "a node; several may share the system", .placeholder = "NAME", .required = true});
  fields("body", options.bodies,
         {.help = "the body of each node, in the same order", .placeholder = "N", .min = 0,
          .otherwise = "0, 1, 2 ..."});
}

void describe(FieldList& fields, ReplaceReport& report) {
  fields("block", report.block);
  fields("changed", report.changed, {.help = "bodies that a mesh has changed"});
}

void describe(FieldList& fields, BlockReport& report) { fields("block", report.block); }
void describe(FieldList& fields, ExtractReport& report) {
  fields("block", report.block);
  fields("blocks", report.blocks);
}

void describe(FieldList& fields, SetCollisionOptions& options) {
  BodyEdit& edit = options.edit;
  fields("block", options.block, kBlock);
  fields("body", options.bodies,
         {.help = "only this body; may be given again", .placeholder = "N", .min = 0, .otherwise = "all of all systems"});
  fields("node", options.nodes, {.help = "only the body of this node; may be given again", .placeholder = "NAME"});
  fields("motion", edit.motion, {.help = "how it moves", .placeholder = "KIND"});
  fields("mass", edit.mass_kg,
         {.help = "mass of a dynamic body; inertia is updated",
          .unit = "kilograms",
          .placeholder = "KG",
          .min = 0,
          .above_min = true});
  fields("friction", edit.friction, {.help = "0 is ice; the game's usual value is 0.5", .placeholder = "F", .min = 0});
  fields("restitution", edit.restitution,
         {.help = "0 does not bounce; the game's usual value is 0.4", .placeholder = "R", .min = 0});
  fields("linear_damping", edit.linear_damping,
         {.help = "the game's usual value is 0.1", .placeholder = "D", .min = 0});
  fields("angular_damping", edit.angular_damping,
         {.help = "the game's usual value is 0.05", .placeholder = "D", .min = 0});
  fields("gravity_factor", edit.gravity_factor, {.help = "1 falls, 0 floats", .placeholder = "G"});
  fields("max_linear_speed", edit.max_linear_speed,
         {.help = "the game's usual value is 104.375", .unit = "Havok units per second", .placeholder = "V", .min = 0});
  fields("max_angular_speed", edit.max_angular_speed,
         {.help = "the game's usual value is 31.57", .unit = "radians per second", .placeholder = "V", .min = 0});
  fields("material", options.material,
         {.help = "material of the whole shape: wood, Material_Wood, or a CRC in hex", .placeholder = "NAME"});
  fields("layer", options.layer, {.help = "STATIC, CLUTTER, WEAPON ... or a number", .placeholder = "NAME"});
  fields("collision_response", options.response,
         {.help = "contact, or none: other bodies pass through", .placeholder = "KIND"});
  fields("enter_keyframed", edit.enter_keyframed,
         {.help = "enters the world keyframed, as ragdoll bones do", .placeholder = "ON"});
  fields("impact_events", edit.impact_events, {.help = "makes a sound when it hits something", .placeholder = "ON"});
  fields("position", edit.position, {.help = "position of the body", .unit = "Havok units", .placeholder = "X,Y,Z"});
  fields("rotation", edit.rotation, {.help = "rotation of the body, a unit quaternion", .placeholder = "X,Y,Z,W"});
}

void describe(FieldList& fields, SetCollisionReport& report) {
  fields("bodies", report.bodies, {.help = "number of bodies that were changed"});
}

Result<std::size_t> find_system(const Document& document, std::optional<std::int32_t> block) {
  std::string known;
  std::vector<std::size_t> with_bodies;
  for (std::size_t i = 0; i < document.collision.size(); ++i) {
    const DocumentCollision& collision = document.collision[i];
    if (block && collision.block == block) return i;
    if (collision.kind != EmbeddedKind::Cloth) with_bodies.push_back(i);
    if (collision.block)
      known += (known.empty() ? "" : ", ") + std::to_string(*collision.block) + " (" +
               std::string(to_string(collision.kind)) + ")";
  }
  if (!block && with_bodies.size() == 1) return with_bodies.front();
  if (document.collision.empty()) return fail(ErrorCode::NoCollision, "the file contains no collision");
  if (!document.nif()) return fail(ErrorCode::BadOption, "a bare packfile has no blocks", kNoOffset, "block");
  if (block)
    return fail(ErrorCode::NotFound, "block " + std::to_string(*block) + " contains no collision; these do: " + known);
  return fail(ErrorCode::NeedsChoice, "there are several systems; name the block: " + known, kNoOffset, "block");
}

Result<SystemTraits> probe_system(std::span<const std::byte> bytes) {
  MARROW_TRY(const havok::Packfile packfile, havok::read_packfile(bytes));
  MARROW_TRY(const CollisionSystem system, havok::read_physics(packfile, packfile.root));
  return traits_of(system);
}

Result<EmbeddedKind> embedded_kind(const havok::Packfile& packfile) {
  if (!packfile.find_all("hknpRagdollData").empty()) return EmbeddedKind::Ragdoll;
  if (!packfile.find_all("hknpPhysicsSystemData").empty()) return EmbeddedKind::Physics;
  for (const havok::Object& object : packfile.objects)
    if (object.class_name().starts_with("hcl")) return EmbeddedKind::Cloth;
  return fail(ErrorCode::NoCollision, "the packfile contains no physics system, ragdoll or cloth");
}

Result<ExportCollisionReport> export_collision(Document& document, const ExportCollisionOptions& options,
                                               Context& context) {
  MARROW_CHECK(takes("collision export", document, document.packfile() || document.nif()));
  if (options.block) {
    MARROW_TRY(const std::size_t chosen, find_system(document, options.block));
    document.collision = {DocumentCollision(std::move(document.collision[chosen]))};
  }
  Notes shown_again;  // discarded: saving reports them
  MARROW_TRY(const std::vector<CollisionMesh> meshes,
             shown_meshes(document, {.solid = options.save.solid}, shown_again));
  (void)context;
  return ExportCollisionReport{meshes.size()};
}

Result<ExtractReport> extract_collision(const Document& document, const BlockOptions& options, Context&) {
  MARROW_CHECK(takes("collision extract", document, document.nif() != nullptr));
  std::vector<EmbeddedPackfile> all;
  if (options.block) {
    MARROW_TRY(const EmbeddedPackfile one, find_embedded(*document.nif(), *options.block));
    all.push_back(one);
  } else {
    MARROW_TRY(all, read_embedded(*document.nif()));
  }
  if (all.empty()) return fail(ErrorCode::NoCollision, "the NIF contains no packfile");
  ExtractReport report;
  for (const EmbeddedPackfile& one : all) {
    report.blocks.push_back(one.block);
    report.files.push_back({all.size() > 1 ? "block" + std::to_string(one.block) : "", ".hkx",
                            {one.bytes.begin(), one.bytes.end()}});
  }
  if (all.size() == 1) report.block = all.front().block;
  return report;
}

Result<ReplaceReport> replace_collision(Document& document, const ReplaceCollisionOptions& options, Context& context) {
  if (!options.blob->meshes.empty()) return replace_shapes(document, options, context);
  MARROW_TRY(NifOrigin* origin, nif_origin(document, "collision replace"));
  MARROW_TRY(const Blob blob, open_blob(*options.blob));
  MARROW_TRY(const EmbeddedPackfile old, choose_block(origin->nif, options.block, blob.kind));
  if (old.kind != blob.kind)
    return fail(ErrorCode::InvalidArgument, "block " + std::to_string(old.block) + " holds a " +
                                                std::string(to_string(old.kind)) + " system, but the packfile is a " +
                                                std::string(to_string(blob.kind)));
  const std::int32_t target = old.block;
  if (blob.kind != EmbeddedKind::Cloth) MARROW_CHECK(check_users(origin->nif, target, blob));
  MARROW_TRY(const std::uint32_t flags, expected_bsx_flags(origin->nif, &probe_system));
  MARROW_CHECK(replace_embedded(origin->nif, target, blob.bytes));
  MARROW_CHECK(follow_with_flags(origin->nif, flags, context.notes));
  MARROW_CHECK(reread_packfiles(document, *origin, context.limits));
  return ReplaceReport{target, {}};
}

Result<BlockReport> attach_collision(Document& document, const AttachCollisionOptions& options, Context& context) {
  MARROW_TRY(NifOrigin* origin, nif_origin(document, "collision attach"));
  if (!options.bodies.empty() && options.bodies.size() != options.nodes.size())
    return fail(ErrorCode::BadOption,
                "give one body for each node, or none; without any, the nodes get bodies 0, 1, 2 ...", kNoOffset,
                "body");
  MARROW_TRY(Blob blob, open_blob(*options.blob));
  if (blob.kind == EmbeddedKind::Cloth)
    return fail(ErrorCode::Unsupported, "cloth cannot be attached, only listed and kept");
  std::vector<Attachment> attachments;
  for (std::size_t i = 0; i < options.nodes.size(); ++i)
    attachments.push_back(
        {options.nodes[i], options.bodies.empty() ? static_cast<std::uint32_t>(i) : options.bodies[i]});
  for (const Attachment& attachment : attachments)
    if (attachment.body >= blob.bodies)
      return fail(ErrorCode::InvalidArgument, "the packfile has no body " + std::to_string(attachment.body) +
                                                  ": it has " + std::to_string(blob.bodies) + ", from 0");
  if (blob.kind == EmbeddedKind::Physics) {
    MARROW_TRY(blob.bytes, placed_on_nodes(*options.blob->packfile(), origin->nif, attachments, context.notes));
  }
  MARROW_TRY(const std::int32_t block,
             attach(origin->nif, blob.bytes, blob.kind, attachments, context.notes, &probe_system));
  MARROW_CHECK(reread_packfiles(document, *origin, context.limits));
  return BlockReport{block};
}

Result<SetCollisionReport> set_collision(Document& document, const SetCollisionOptions& options, Context& context) {
  MARROW_CHECK(takes("collision set", document, document.packfile() || document.nif()));
  MARROW_TRY(const BodyEdit edit, edit_of(options));
  MARROW_TRY(const std::vector<std::size_t> systems, edited_systems(document, options));
  SetCollisionReport report;
  bool has_new_traits = false;
  for (const std::size_t i : systems) {
    DocumentCollision& collision = document.collision[i];
    const SystemTraits before = traits_of(collision.system);
    for (const std::size_t body : selected(collision, options)) {
      MARROW_CHECK(edit_body(collision.system, body, edit, context.notes));
      ++report.bodies;
    }
    has_new_traits |= traits_of(collision.system) != before;
  }
  if (auto* origin = std::get_if<NifOrigin>(&document.origin); origin && has_new_traits)
    MARROW_CHECK(store_systems(document, *origin, context, context.notes));
  return report;
}

}  // namespace marrow
