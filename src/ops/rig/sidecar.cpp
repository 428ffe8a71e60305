// SPDX-License-Identifier: MIT
#include "ops/rig/sidecar.h"

#include <string>

#include "anvil/from_rig.h"
#include "motion/presets.h"

namespace marrow {

namespace {

std::string names_of(std::span<const motion::Preset> presets) {
  std::string names;
  for (const motion::Preset& preset : presets) (names += names.empty() ? "" : ", ") += preset.name;
  return names;
}

std::string_view json_of(std::span<const motion::Preset> presets, std::string_view name) {
  for (const motion::Preset& preset : presets)
    if (preset.name == name) return preset.json;
  return {};
}

}  // namespace

std::string_view find_preset(std::string_view name) {
  static const std::string all = names_of(motion::presets());
  return name.empty() ? std::string_view(all) : json_of(motion::presets(), name);
}

std::string_view find_colliders(std::string_view name) {
  static const std::string all = names_of(motion::collider_presets());
  return name.empty() ? std::string_view(all) : json_of(motion::collider_presets(), name);
}

void run_as_in_game(const anvil::Skeleton& skeleton, std::span<const ModifierOrigin> origins,
                    const std::optional<Game>& game, Rig& rig, Context& context) {
  for (const std::string& note : anvil::align_with_axis(rig)) context.note(note);
  anvil::number_added(skeleton, rig, origins);
  if (!game) return;
  for (const std::string& note : anvil::drop_unavailable(rig, *game)) context.note(note);
}

}  // namespace marrow
