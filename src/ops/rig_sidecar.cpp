// SPDX-License-Identifier: MIT
#include "ops/rig_sidecar.h"

#include <string>

#include "marrow/anvil/from_rig.h"
#include "marrow/motion/presets.h"

namespace marrow {

std::string_view find_preset(std::string_view name) {
  static const std::string all = [] {
    std::string names;
    for (const motion::Preset& preset : motion::presets()) (names += names.empty() ? "" : ", ") += preset.name;
    return names;
  }();
  if (name.empty()) return all;
  for (const motion::Preset& preset : motion::presets())
    if (preset.name == name) return preset.json;
  return {};
}

void run_as_in_game(const anvil::Skeleton& skeleton, const std::optional<Game>& game, Rig& rig, Context& context) {
  anvil::number_added(skeleton, rig);
  if (!game) return;
  for (const std::string& note : anvil::drop_unavailable(rig, *game)) context.note(note);
}

}  // namespace marrow
