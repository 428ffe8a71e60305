// SPDX-License-Identifier: MIT
// Collision that is blocks of the NIF themselves.
#include <algorithm>
#include <set>

#include "core/try.h"
#include "nif/bhk.h"
#include "nif/record.h"
#include "nif/references.h"
#include "ops/collision/bodies.h"
#include "ops/collision/container.h"
#include "ops/document/nif_edit.h"
#include "ops/document/origin.h"

namespace marrow {
namespace {

Result<BodyReport> add_block_body(Document& document, std::optional<std::size_t> target, const CollisionSystem& built,
                                  const NifNode& node, Context& context) {
  if (!target) {
    target = document.collision.size();
    document.collision.emplace_back().system.game = built.game;
  }
  DocumentCollision& collision = document.collision[*target];
  MARROW_TRY(const std::size_t added, add_body(collision.system, built, 0));
  collision.nodes.push_back({static_cast<std::uint32_t>(added), node.name, node.world, node.block});
  const std::string name = node.name;
  MARROW_CHECK(store_systems(document, context, context.notes));
  MARROW_TRY(const BodyPlace place, find_body(document, name, std::nullopt));
  return BodyReport{document.collision[place.system].block, place.body};
}

// Takes a body out, with its blocks. Returns the names of its nodes.
Result<std::vector<std::string>> remove_block_body(Document& document, const BodyPlace& place, Context& context) {
  DocumentCollision& collision = document.collision[place.system];
  std::vector<std::string> names;
  for (const BodyNode& node : collision.nodes)
    if (node.body == place.body) names.push_back(node.name);
  if (collision.system.bodies.size() == 1) {
    collision.system = {.game = collision.system.game};
    collision.nodes.clear();
  } else {
    MARROW_CHECK(remove_body(collision.system, place.body, context.notes));
    std::erase_if(collision.nodes, [&](const BodyNode& node) { return node.body == place.body; });
    for (BodyNode& node : collision.nodes)
      if (node.body > place.body) --node.body;
  }
  MARROW_CHECK(store_systems(document, context, context.notes));
  return names;
}

Result<void> remove_body_from_blocks(Document& document, const BodyPlace& place, Context& context) {
  MARROW_CHECK(remove_block_body(document, place, context));
  return {};
}

// Finds the body of a node, by its name or block.
template <class Value>
std::optional<BodyPlace> body_on_node(const Document& document, Value BodyNode::* member, const Value& value) {
  for (std::size_t i = 0; i < document.collision.size(); ++i)
    for (const BodyNode& node : document.collision[i].nodes)
      if (node.*member == value) return BodyPlace{i, node.body};
  return std::nullopt;
}

// Takes bodies off nodes, or off all of them.
Result<DetachCollisionReport> detach_blocks(Document& document, const DetachCollisionOptions& options,
                                            Context& context) {
  DetachCollisionReport report;
  std::vector<std::string> wanted = options.nodes;
  if (wanted.empty()) {
    for (DocumentCollision& collision : document.collision) {
      for (const BodyNode& node : collision.nodes) report.nodes.push_back(node.name);
      collision.system = {.game = collision.system.game};
      collision.nodes.clear();
    }
    if (report.nodes.empty()) return fail(ErrorCode::NoCollision, "no node of the file has collision");
    MARROW_CHECK(store_systems(document, context, context.notes));
    return report;
  }
  for (const std::string& name : wanted) {
    const auto place = body_on_node(document, &BodyNode::name, name);
    if (!place) return fail(ErrorCode::NotFound, "node '" + name + "' has no collision");
    MARROW_CHECK(remove_block_body(document, *place, context));
    report.nodes.push_back(name);
  }
  return report;
}

/// Which body of another file goes on which node.
struct Hung {
  std::string node;
  std::uint32_t body;
  std::size_t nth = 0;  ///< of the nodes with this name
};

// Returns which of the nodes of its name a node is.
std::size_t place_among_namesakes(const std::vector<NifNode>& nodes, const BodyNode& node) {
  std::size_t nth = 0;
  for (const NifNode& each : nodes) {
    if (each.block == node.block) return nth;
    if (each.name == node.name) ++nth;
  }
  return 0;
}

// Returns what goes where: as the options say, else on the nodes of the same names.
Result<std::vector<Hung>> hung_bodies(const DocumentCollision& from, const AttachCollisionOptions& options) {
  std::vector<Hung> hung;
  std::vector<NifNode> nodes;
  if (options.blob && options.blob->nif()) {
    MARROW_TRY(nodes, read_nodes(*options.blob->nif()));
  }
  if (options.nodes.empty())
    for (const BodyNode& node : from.nodes) hung.push_back({node.name, node.body, place_among_namesakes(nodes, node)});
  for (std::size_t i = 0; i < options.nodes.size(); ++i)
    hung.push_back({options.nodes[i], options.bodies.empty() ? static_cast<std::uint32_t>(i) : options.bodies[i]});
  if (hung.empty())
    return fail(ErrorCode::BadOption,
                "say which nodes get the bodies; only a NIF, or a ragdoll with names of bones, finds its own",
                kNoOffset, "node");
  for (const Hung& each : hung)
    if (each.body >= from.system.bodies.size())
      return fail(ErrorCode::InvalidArgument, "the file has no body " + std::to_string(each.body) + ": it has " +
                                                  std::to_string(from.system.bodies.size()) + ", from 0");
  return hung;
}

// Adds the joints between bodies that were hung; `added` has the new number of each.
void add_joints(const DocumentCollision& from, const std::vector<Hung>& hung, const std::vector<std::uint32_t>& added,
                CollisionSystem& to, Context& context) {
  const auto now = [&](std::uint32_t body) {
    const auto found = std::ranges::find(hung, body, &Hung::body);
    return found == hung.end() ? kNoBody : added[static_cast<std::size_t>(found - hung.begin())];
  };
  for (Constraint joint : from.system.constraints) {
    const bool is_to_world = joint.body_b == kNoBody;
    joint.body_a = now(joint.body_a);
    if (!is_to_world) joint.body_b = now(joint.body_b);
    bool is_whole = joint.body_a != kNoBody && (is_to_world || joint.body_b != kNoBody);
    if (auto* chain = std::get_if<ChainJoint>(&joint.joint))
      for (std::uint32_t& body : chain->bodies) {
        body = now(body);
        is_whole &= body != kNoBody;
      }
    if (!is_whole) {
      context.note("a joint is left out, since not all of its bodies were attached");
      continue;
    }
    joint.source = {};
    for_each_motor(joint.joint, [&](MotorId& id) {
      const auto number = static_cast<std::size_t>(id);
      if (number >= from.system.motors.size()) return;
      Motor motor = from.system.motors[number];
      motor.source = {};
      id = to.add_motor(std::move(motor));
    });
    to.constraints.push_back(std::move(joint));
  }
}

// Returns the node that a body goes on: of several with its name the one that it was on.
Result<std::int32_t> node_for(const NifFile& nif, const Hung& hung) {
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(nif));
  std::size_t nth = 0;
  for (const NifNode& node : nodes)
    if (node.name == hung.node && nth++ == hung.nth) return node.block;
  return find_node(nif, hung.node);
}

// Hangs bodies of another system on nodes, which lose what they have.
Result<BlockReport> hang(Document& document, const DocumentCollision& from, const std::vector<Hung>& hung,
                         Context& context) {
  for (const Hung& each : hung) {
    MARROW_TRY(const std::int32_t block, node_for(*document.nif(), each));
    if (const auto place = body_on_node(document, &BodyNode::block, block))
      MARROW_CHECK(remove_block_body(document, *place, context));
  }
  auto target = std::ranges::find(document.collision, from.kind, &DocumentCollision::kind);
  if (target == document.collision.end()) {
    DocumentCollision fresh{.kind = from.kind};
    fresh.system.game = from.system.game;
    target = document.collision.insert(target, std::move(fresh));
  }
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(*document.nif()));
  std::vector<std::uint32_t> added;
  for (const Hung& each : hung) {
    MARROW_TRY(const std::int32_t block, node_for(*document.nif(), each));
    const auto node = std::ranges::find(nodes, block, &NifNode::block);
    MARROW_TRY(const std::size_t body, add_body(target->system, from.system, each.body));
    place_body(target->system, body, node->world);
    target->nodes.push_back({static_cast<std::uint32_t>(body), node->name, node->world, block});
    added.push_back(static_cast<std::uint32_t>(body));
  }
  add_joints(from, hung, added, target->system, context);
  MARROW_CHECK(store_systems(document, context, context.notes));
  for (const DocumentCollision& each : document.collision)
    if (each.kind == from.kind) return BlockReport{each.block.value_or(kNoBlock)};
  return BlockReport{};
}

Result<BlockReport> attach_blocks(Document& document, const AttachCollisionOptions& options, Context& context) {
  MARROW_TRY(const std::vector<DocumentCollision> systems,
             collision_for(kCollisionInBlocks.game, *options.blob, context));
  BlockReport report;
  for (std::size_t i = 0; i < systems.size(); ++i) {
    if (i > 0 && !options.nodes.empty()) {
      context.note("the file has " + std::to_string(systems.size()) + " systems; the nodes get bodies of the first");
      break;
    }
    MARROW_TRY(const std::vector<Hung> hung, hung_bodies(systems[i], options));
    MARROW_TRY(const BlockReport each, hang(document, systems[i], hung, context));
    if (i == 0) report = each;
  }
  return report;
}

// Nodes that the new system has no body for lose theirs.
Result<ReplaceReport> replace_blocks(Document& document, const ReplaceCollisionOptions& options, Context& context) {
  MARROW_TRY(const std::vector<DocumentCollision> systems,
             collision_for(kCollisionInBlocks.game, *options.blob, context));
  const DocumentCollision& from = systems.front();
  if (systems.size() > 1)
    context.note("the file has " + std::to_string(systems.size()) + " systems; the first, a " +
                 std::string(to_string(from.kind)) + " system, replaces that of the NIF");
  const auto old = std::ranges::find_if(document.collision, [&](const DocumentCollision& each) {
    return options.block ? each.block == options.block : each.kind == from.kind;
  });
  if (old == document.collision.end() || old->kind != from.kind)
    return fail(ErrorCode::NoCollision, "the NIF has no " + std::string(to_string(from.kind)) + " system to replace",
                Cure{"collision attach"});
  MARROW_TRY(const std::vector<Hung> hung, hung_bodies(from, {.blob = options.blob}));
  const std::vector<BodyNode> nodes = old->nodes;
  for (const BodyNode& node : nodes) {
    if (std::ranges::find(hung, node.name, &Hung::node) != hung.end()) continue;
    if (const auto place = body_on_node(document, &BodyNode::block, node.block))
      MARROW_CHECK(remove_block_body(document, *place, context));
    context.note("node '" + node.name + "' has no body in the new system, and no collision now");
  }
  MARROW_TRY(const BlockReport report, hang(document, from, hung, context));
  return ReplaceReport{.block = report.block};
}

// Returns the blocks that collision objects lead to, and those that say where nodes are.
Result<std::vector<std::int32_t>> nodes_and_collision(const NifFile& nif) {
  std::set<std::int32_t> kept;
  std::vector<std::int32_t> open;
  for (std::size_t i = 0; i < nif.blocks.size(); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    if (is_node(nif, block) || nif.type_of(block) == "BSXFlags") kept.insert(block);
    if (bhk::is_collision_object(nif.type_of(block))) open.push_back(block);
  }
  while (!open.empty()) {
    const std::int32_t block = open.back();
    open.pop_back();
    if (!kept.insert(block).second || is_node(nif, block)) continue;
    const auto places = find_references(nif, block);
    if (!places)
      return fail(ErrorCode::Unsupported, "what a " + std::string(nif.type_of(block)) + " refers to is not known",
                  kNoOffset, "blocks[" + std::to_string(block) + "]");
    for (const std::size_t place : *places) {
      ByteReader reader(nif.blocks[static_cast<std::size_t>(block)].bytes);
      reader.skip(place);
      if (const std::int32_t to = reader.i32(); nif.has_block(to) && !kept.contains(to)) open.push_back(to);
    }
  }
  return std::vector(kept.begin(), kept.end());
}

// A NIF with the nodes and the systems that are meant, byte for byte.
Result<ExtractReport> extract_blocks(const Document& given, const BlockOptions& options, Context& context) {
  Document document = given;
  MARROW_CHECK(read_parts(document, Parts::Collision, context));
  ExtractReport report;
  Notes steps;
  for (std::size_t i = document.collision.size(); i-- > 0;) {
    DocumentCollision& each = document.collision[i];
    if (!options.block || each.block == options.block) {
      report.blocks.insert(report.blocks.begin(), each.block.value_or(kNoBlock));
      continue;
    }
    each.system = {.game = each.system.game};
    each.nodes.clear();
  }
  if (report.blocks.empty())
    return options.block ? Result<ExtractReport>(fail(ErrorCode::NotFound, "block " + std::to_string(*options.block) +
                                                                               " is not the first collision object of "
                                                                               "a system; `list` names them"))
                         : fail(ErrorCode::NoCollision, "the NIF contains no collision");
  if (report.blocks.size() < document.collision.size()) MARROW_CHECK(store_systems(document, context, steps));
  MARROW_TRY(NifFile nif, nif_as_saved(document, context));
  MARROW_TRY(const std::vector<std::int32_t> kept, nodes_and_collision(nif));
  MARROW_CHECK(reorder_blocks(nif, kept));
  report.files.push_back({"", ".nif", write_nif(nif)});
  if (report.blocks.size() == 1) report.block = report.blocks.front();
  return report;
}

}  // namespace

const CollisionContainer kCollisionInBlocks = {
    .game = CollisionGame::Skyrim,
    .add_body = &add_block_body,
    .remove_body = &remove_body_from_blocks,
    .detach = &detach_blocks,
    .attach = &attach_blocks,
    .replace = &replace_blocks,
    .make = &make_collision_nif,
    .extract = &extract_blocks,
};

}  // namespace marrow
