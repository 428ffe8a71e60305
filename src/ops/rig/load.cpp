// SPDX-License-Identifier: MIT
#include "anvil/to_model.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/motion/sidecar.h"
#include "ops/rig/merge.h"
#include "ops/rig/sidecar.h"
#include "ops/rig/simulate.h"

namespace marrow {
namespace {

// `skeleton` becomes the one that the rig is of.
Result<Rig> load_anvil_rig(const RigOptions& options, anvil::Skeleton& skeleton, Context& context) {
  std::vector<const Document*> stack = {options.skeleton};
  stack.insert(stack.end(), options.addons.begin(), options.addons.end());
  skeleton = *options.skeleton->anvil();
  if (stack.size() == 1) return anvil::to_model(skeleton);
  MARROW_TRY(const StackMerge merged, merge_stack(stack, {.game = options.game}));
  for (const Finding& finding : merged.merge.findings) {
    if (!merged.merge.succeeded() && finding.level == Level::Error)
      return fail(ErrorCode::Malformed, finding.code + ": " + finding.message, kNoOffset, finding.where);
    if (finding.level != Level::Info) context.note(finding.code + ": " + finding.message, finding.where);
  }
  skeleton = merged.merge.skeleton;
  return anvil::to_model(skeleton);
}

Result<Rig> load_other_rig(const RigOptions& options) {
  if (!options.addons.empty())
    return in_file({ErrorCode::WrongKind, "addons can only be merged into Anvil skeletons; use a sidecar for others"},
                   options.addons.front()->name);
  const auto found = main_skeleton(*options.skeleton);
  if (!found && options.skeleton->packfile())
    return in_file({ErrorCode::NoSkeleton, "the file contains no skeleton; pass an animation as the clip"},
                   options.skeleton->name);
  MARROW_TRY(const DocumentSkeleton* skeleton, found);
  Rig rig;
  rig.skeleton = skeleton->skeleton;
  rig.metres_per_unit = options.skeleton->metres_per_unit;
  rig.along_bone = motion::directions_along_bones(rig.skeleton);
  return rig;
}

// Applies a sidecar, if there is one, and keeps `origins` those of the rig's modifiers.
Result<void> add_sidecar(std::string_view text, std::string_view role, const RigOptions& options, Rig& rig,
                         std::vector<ModifierOrigin>& origins) {
  if (text.empty()) return {};
  auto applied = motion::apply_sidecar(as_bytes(text), rig, options.bones, same_class(options.add));
  if (!applied) return in_file(std::move(applied.error()), std::string(role));
  for (ModifierOrigin& each : *applied)
    if (each.before != ModifierOrigin::kNew) {
      const ModifierOrigin& first = origins[each.before];
      each = {first.before, first.is_given || each.is_given};
    }
  origins = std::move(*applied);
  return {};
}

}  // namespace

Result<Rig> load_rig(const RigOptions& options, Context& context) {
  if (!options.skeleton) return fail(ErrorCode::BadOption, "is missing", kNoOffset, "skeleton");
  const bool is_anvil_rig = is_anvil(options.skeleton->format);
  anvil::Skeleton skeleton;
  auto rig = is_anvil_rig ? load_anvil_rig(options, skeleton, context) : load_other_rig(options);
  if (!rig) return in_file(std::move(rig.error()), options.skeleton->name);
  if (auto valid = validate(rig->skeleton); !valid) return in_file(std::move(valid.error()), options.skeleton->name);
  std::vector<ModifierOrigin> origins(rig->modifiers.size());
  for (std::size_t i = 0; i < origins.size(); ++i) origins[i].before = i;
  MARROW_CHECK(add_sidecar(options.modifiers, "modifiers", options, *rig, origins));
  MARROW_CHECK(add_sidecar(options.colliders, "collide", options, *rig, origins));
  if (is_anvil_rig) run_as_in_game(skeleton, origins, options.game, *rig, context);
  if (!options.common.empty()) {
    auto filled = motion::apply_common_data(as_bytes(options.common), *rig);
    if (!filled) return in_file(std::move(filled.error()), "common");
    if (*filled == 0) context.note("no ball joint refers to the shared data");
  }
  return rig;
}

}  // namespace marrow
