// SPDX-License-Identifier: MIT
// Packfiles and meshes put into a NIF.
#include <algorithm>
#include <tuple>

#include "core/try.h"
#include "havok/physics/physics.h"
#include "nif/bhk.h"
#include "marrow/nif/node.h"
#include "ops/collision/bodies.h"
#include "ops/collision/collision.h"
#include "ops/collision/record.h"
#include "ops/collision/removal.h"
#include "ops/document/as_saved.h"
#include "ops/document/nif_edit.h"
#include "ops/table/define.h"

namespace marrow {
namespace {

/// A packfile to put into a NIF. It is checked first: a broken or foreign one would crash the game.
struct Blob {
  EmbeddedKind kind = EmbeddedKind::Physics;
  std::size_t bodies = 0;
  std::shared_ptr<const havok::Packfile> file = {};
  std::vector<std::byte> bytes;
  std::vector<Attachment> bones = {};  ///< of a ragdoll with names: the node of each body
};

// Moves the names of a ragdoll's bones into `bones`, since NIF files have none. They stay if one bone has no name.
Result<void> take_bone_names(Blob& blob, havok::Packfile file) {
  const havok::ObjectId target = havok::find_physics(file).front();
  MARROW_TRY(CollisionSystem system, havok::read_physics(file, target));
  std::vector<Bone>& bones = system.ragdoll->skeleton.bones;
  if (bones.empty() || bones.size() != system.ragdoll->bone_to_body.size() ||
      std::ranges::any_of(bones, [](const Bone& bone) { return bone.name.empty(); }))
    return {};
  for (std::size_t i = 0; i < bones.size(); ++i)
    blob.bones.push_back({std::move(bones[i].name), static_cast<std::uint32_t>(system.ragdoll->bone_to_body[i])});
  for (Bone& bone : bones) bone.name.clear();
  MARROW_CHECK(havok::write_physics(system, file, target));
  MARROW_TRY(blob.bytes, havok::write_packfile(file));
  return {};
}

Result<Blob> open_blob(const Document& document, Context& context) {
  MARROW_TRY(const std::shared_ptr<const havok::Packfile> file, packfile_as_saved(document, context));
  if (!file)
    return in_file({ErrorCode::WrongKind, "a NIF holds packfiles, not a " + std::string(title(document.format))},
                   document.name);
  const auto open = [&]() -> Result<Blob> {
    Blob blob;
    blob.file = file;
    MARROW_TRY(blob.kind, embedded_kind(*file));
    MARROW_TRY(blob.bytes, havok::write_packfile(*file));
    if (blob.kind == EmbeddedKind::Cloth) return blob;
    const auto systems = havok::find_physics(*file);
    if (systems.size() != 1 || file->root != systems.front())
      return fail(ErrorCode::InvalidArgument, "the root of a packfile in a NIF must be the physics system",
                  Cure{"collision build"});
    MARROW_TRY(const CollisionSystem system, havok::read_physics(*file, systems.front()));
    blob.bodies = system.bodies.size();
    if (system.ragdoll) MARROW_CHECK(take_bone_names(blob, *file));
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
  if (all.empty()) return fail(ErrorCode::NoCollision, "the NIF contains no such packfile", Cure{"collision attach"});
  return fail(ErrorCode::NeedsChoice, "the NIF contains several packfiles; name the block: " + known_blocks(all),
              kNoOffset, "block");
}

Result<void> check_users(const NifFile& nif, std::int32_t block, const Blob& blob) {
  MARROW_TRY(const std::vector<CollisionObject> objects, read_collision_objects(nif));
  for (const CollisionObject& object : objects)
    if (object.system == block && object.body >= blob.bodies)
      return fail(ErrorCode::InvalidArgument,
                  "a node uses body " + std::to_string(object.body) + " of block " + std::to_string(block) +
                      ", but the new system has " + std::to_string(blob.bodies) + " bodies",
                  Cure{"collision attach"});
  return {};
}

// Puts a ragdoll on the nodes of its bones, in the place of the ragdoll in `old`, which goes with its nodes.
Result<std::int32_t> replace_ragdoll(NifFile& nif, std::int32_t old, const Blob& blob, Notes& notes) {
  NifFile edited = nif;
  Notes steps;  // of the container, that are of no interest one by one
  MARROW_TRY(const std::int32_t block, attach(edited, blob.bytes, blob.kind, blob.bones, steps, &probe_system));
  if (block != old) {
    MARROW_TRY(const std::vector<CollisionObject> objects, read_collision_objects(edited));
    for (const CollisionObject& object : objects)
      if (object.system == old) MARROW_CHECK(set_body(edited, object.block, kGoneBody));
    MARROW_TRY(const std::vector<std::string> gone, detach_all(edited, &is_marked_gone, steps, steps));
    for (const std::string& name : gone)
      notes.push_back({"node '" + name + "' has no body in the new ragdoll, and no collision now", kNoOffset, {}});
  }
  note_flags(bsx_flags(nif), edited, notes);
  nif = std::move(edited);
  MARROW_TRY(const std::vector<EmbeddedPackfile> all, read_embedded(nif));
  const auto own = std::ranges::find_if(
      all, [&](const EmbeddedPackfile& each) { return std::ranges::equal(each.bytes, blob.bytes); });
  return own->block;
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
          return each.collision.block == document.collision[i].block &&
                 each.collision.kind == document.collision[i].kind;
        }))
      recorded.push_back(i);
  }
  return record && recorded.size() == record->systems.size() ? recorded : all;
}

// Takes bodies out whose objects are gone, from the last to the first, so that the numbers of the others hold until
// their turn. The numbers in `changed` follow.
Result<void> remove_gone(Document& document, std::vector<GoneBody> gone, std::vector<ChangedBody>& changed,
                         Context& context) {
  std::ranges::sort(gone, std::ranges::greater{},
                    [](const GoneBody& each) { return std::tuple(each.system, each.node.has_value(), each.body); });
  // Nodes are found by name: their numbers change with the first that loses its body.
  std::vector<std::string> names;
  for (const GoneBody& each : gone)
    names.push_back(each.node ? document.collision[each.system].nodes[*each.node].name : std::string());
  for (std::size_t i = 0; i < gone.size(); ++i) {
    const GoneBody& each = gone[i];
    if (each.node) {
      Notes steps;
      MARROW_CHECK(store_systems(document, context, steps));
      NifFile nif = *document.nif();
      MARROW_TRY(const std::int32_t node, find_node(nif, names[i]));
      MARROW_CHECK(detach(nif, node, steps, &probe_system));
      MARROW_CHECK(take_container(document, std::move(nif), context));
      continue;
    }
    const std::optional<std::int32_t> block = document.collision[each.system].block;
    MARROW_CHECK(remove_body_at(document, {each.system, each.body}, context));
    for (ChangedBody& body : changed)
      if (body.block == block && body.body > each.body) --body.body;
  }
  return {};
}

Result<ReplaceReport> replace_shapes(Document& document, const ReplaceCollisionOptions& options, Context& context) {
  MARROW_CHECK(takes("collision replace", document, document.packfile() || document.nif()));
  MARROW_TRY(const std::optional<CollisionRecord> record, record_of(*options.blob, context.limits));
  MARROW_TRY(const std::vector<std::size_t> targets, target_systems(document, options.block, record));
  std::vector<DocumentCollision> systems;
  for (const std::size_t i : targets) systems.push_back(document.collision[i]);
  if (systems.empty())
    return fail(ErrorCode::NoCollision, "the file contains no collision to replace", Cure{"collision attach"});
  const PutBackOptions how{.solid = record && record->solid,
                           .keep_missing = options.keep_missing,
                           .all_exported = record && record->systems.size() == targets.size()};
  auto back = put_back(systems, *options.blob, how, context.notes);
  if (!back) return in_file(std::move(back.error()), options.blob->name);
  ReplaceReport report{.block = {}, .changed = std::move(back->changed)};
  for (GoneBody& gone : back->gone) {
    report.removed.push_back(gone.name);
    gone.system = targets[gone.system];
  }
  for (std::size_t i = 0; i < targets.size(); ++i) document.collision[targets[i]] = std::move(systems[i]);
  MARROW_CHECK(remove_gone(document, std::move(back->gone), report.changed, context));
  return report;
}

}  // namespace

Result<ReplaceReport> replace_collision(Document& document, const ReplaceCollisionOptions& options, Context& context) {
  if (!options.blob->meshes.empty()) return replace_shapes(document, options, context);
  MARROW_CHECK(takes("collision replace", document, document.nif() != nullptr));
  MARROW_TRY(const Blob blob, open_blob(*options.blob, context));
  MARROW_TRY(NifFile nif, nif_as_saved(document, context));
  MARROW_TRY(const EmbeddedPackfile old, choose_block(nif, options.block, blob.kind));
  if (old.kind != blob.kind)
    return fail(ErrorCode::InvalidArgument, "block " + std::to_string(old.block) + " holds a " +
                                                std::string(to_string(old.kind)) + " system, but the packfile is a " +
                                                std::string(to_string(blob.kind)));
  if (!blob.bones.empty()) {
    MARROW_TRY(const std::int32_t block, replace_ragdoll(nif, old.block, blob, context.notes));
    MARROW_CHECK(take_container(document, std::move(nif), context));
    return ReplaceReport{block, {}};
  }
  const std::int32_t target = old.block;
  if (blob.kind != EmbeddedKind::Cloth) MARROW_CHECK(check_users(nif, target, blob));
  MARROW_TRY(const std::uint32_t flags, expected_bsx_flags(nif, &probe_system));
  MARROW_CHECK(replace_embedded(nif, target, blob.bytes));
  MARROW_CHECK(follow_with_flags(nif, flags, context.notes));
  MARROW_CHECK(take_container(document, std::move(nif), context));
  return ReplaceReport{target, {}};
}

namespace {

// Hangs bodies of another NIF that keeps collision as blocks on nodes.
Result<BlockReport> attach_blocks(Document& document, const AttachCollisionOptions& options, Context& context) {
  Document other = *options.blob;
  if (!other.nif() || !bhk::keeps_blocks(other.nif()->stream))
    return in_file({ErrorCode::WrongKind, "a NIF of Skyrim takes collision from a NIF of Skyrim; build one, or convert it"},
                   other.name);
  MARROW_CHECK(read_parts(other, Parts::Collision, context));
  if (other.collision.empty())
    return in_file({ErrorCode::NoCollision, "the file contains no collision"}, other.name);
  if (options.nodes.empty())
    return fail(ErrorCode::BadOption, "say which nodes get the bodies", kNoOffset, "node");
  const DocumentCollision& from = other.collision.front();
  std::vector<std::uint32_t> taken;  // bodies of the other file, in the order of the nodes
  for (std::size_t i = 0; i < options.nodes.size(); ++i) {
    taken.push_back(options.bodies.empty() ? static_cast<std::uint32_t>(i) : options.bodies[i]);
    if (taken.back() >= from.system.bodies.size())
      return fail(ErrorCode::InvalidArgument, "the file has no body " + std::to_string(taken.back()) + ": it has " +
                                                  std::to_string(from.system.bodies.size()) + ", from 0");
    for (std::size_t k = 0; k < document.collision.size(); ++k) {
      const auto node = std::ranges::find(document.collision[k].nodes, options.nodes[i], &BodyNode::name);
      if (node == document.collision[k].nodes.end()) continue;
      MARROW_CHECK(remove_body_at(document, {k, node->body}, context));
      break;
    }
  }
  auto target = std::ranges::find(document.collision, from.kind, &DocumentCollision::kind);
  if (target == document.collision.end()) {
    DocumentCollision fresh{.kind = from.kind};
    fresh.system.game = from.system.game;
    target = document.collision.insert(target, std::move(fresh));
  }
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(*document.nif()));
  std::vector<std::uint32_t> added;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    MARROW_TRY(const std::int32_t block, find_node(*document.nif(), options.nodes[i]));
    const auto node = std::ranges::find(nodes, block, &NifNode::block);
    MARROW_TRY(const std::size_t body, add_body(target->system, from.system, taken[i]));
    place_body(target->system, body, node->world);
    target->nodes.push_back({static_cast<std::uint32_t>(body), node->name, node->world, block});
    added.push_back(static_cast<std::uint32_t>(body));
  }
  for (Constraint joint : from.system.constraints) {
    const auto a = std::ranges::find(taken, joint.body_a), b = std::ranges::find(taken, joint.body_b);
    if (a == taken.end() || (joint.body_b != kNoBody && b == taken.end()) ||
        std::holds_alternative<ChainJoint>(joint.joint)) {
      context.note("a joint is left out, since not all of its bodies were attached");
      continue;
    }
    joint.source = {};
    joint.body_a = added[static_cast<std::size_t>(a - taken.begin())];
    if (joint.body_b != kNoBody) joint.body_b = added[static_cast<std::size_t>(b - taken.begin())];
    for_each_motor(joint.joint, [&](MotorId& id) {
      const auto number = static_cast<std::size_t>(id);
      if (number < from.system.motors.size()) id = target->system.add_motor(from.system.motors[number]);
    });
    target->system.constraints.push_back(std::move(joint));
  }
  MARROW_CHECK(store_systems(document, context, context.notes));
  for (const DocumentCollision& each : document.collision)
    if (each.kind == from.kind) return BlockReport{each.block.value_or(kNoBlock)};
  return BlockReport{};
}

}  // namespace

Result<BlockReport> attach_collision(Document& document, const AttachCollisionOptions& options, Context& context) {
  MARROW_CHECK(takes("collision attach", document, document.nif() != nullptr));
  if (!options.bodies.empty() && options.bodies.size() != options.nodes.size())
    return fail(ErrorCode::BadOption,
                "give one body for each node, or none; without any, the nodes get bodies 0, 1, 2 ...", kNoOffset,
                "body");
  if (bhk::keeps_blocks(document.nif()->stream)) return attach_blocks(document, options, context);
  MARROW_TRY(Blob blob, open_blob(*options.blob, context));
  if (blob.kind == EmbeddedKind::Cloth)
    return fail(ErrorCode::Unsupported, "cloth cannot be attached, only listed and kept");
  if (options.nodes.empty() && blob.bones.empty())
    return fail(ErrorCode::BadOption,
                "say which nodes get the bodies; only a ragdoll with names of bones finds its own", kNoOffset, "node");
  std::vector<Attachment> attachments;
  if (options.nodes.empty()) attachments = blob.bones;
  for (std::size_t i = 0; i < options.nodes.size(); ++i)
    attachments.push_back(
        {options.nodes[i], options.bodies.empty() ? static_cast<std::uint32_t>(i) : options.bodies[i]});
  for (const Attachment& attachment : attachments)
    if (attachment.body >= blob.bodies)
      return fail(ErrorCode::InvalidArgument, "the packfile has no body " + std::to_string(attachment.body) +
                                                  ": it has " + std::to_string(blob.bodies) + ", from 0");
  if (blob.kind == EmbeddedKind::Physics) {
    MARROW_TRY(blob.bytes, placed_on_nodes(*blob.file, *document.nif(), attachments, context.notes));
  }
  MARROW_TRY(NifFile nif, nif_as_saved(document, context));
  MARROW_TRY(const std::int32_t block, attach(nif, blob.bytes, blob.kind, attachments, context.notes, &probe_system));
  MARROW_CHECK(take_container(document, std::move(nif), context));
  return BlockReport{block};
}

}  // namespace marrow
