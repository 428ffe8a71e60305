// SPDX-License-Identifier: MIT
// Collision put into a NIF: meshes into the shapes that they were exported from, other files by its container.
#include <algorithm>
#include <tuple>

#include "core/try.h"
#include "havok/physics/physics.h"
#include "nif/node.h"
#include "ops/collision/bodies.h"
#include "ops/collision/collision.h"
#include "ops/collision/container.h"
#include "ops/collision/record.h"
#include "ops/collision/removal.h"
#include "ops/document/as_saved.h"
#include "ops/document/nif_edit.h"
#include "ops/table/define.h"

namespace marrow {
namespace {

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
  return container_of(*document.nif()).replace(document, options, context);
}

Result<BlockReport> attach_collision(Document& document, const AttachCollisionOptions& options, Context& context) {
  MARROW_CHECK(takes("collision attach", document, document.nif() != nullptr));
  if (!options.bodies.empty() && options.bodies.size() != options.nodes.size())
    return fail(ErrorCode::BadOption,
                "give one body for each node, or none; without any, the nodes get bodies 0, 1, 2 ...", kNoOffset,
                "body");
  return container_of(*document.nif()).attach(document, options, context);
}

}  // namespace marrow
