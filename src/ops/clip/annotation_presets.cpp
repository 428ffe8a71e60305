// SPDX-License-Identifier: MIT
// Events that authors of clips write again and again. The names are those of the games and of the frameworks that most
// mods build on; the times are places to start from.
#include <algorithm>
#include <array>

#include "marrow/core/text.h"
#include "ops/clip/annotations.h"

namespace marrow {
namespace {

struct PresetRow {
  std::string_view name, summary, text;
};

constexpr std::array kPresets = {
    PresetRow{"attack", "Skyrim: a swing of the right hand",
              "20% weaponSwing\n30% preHitFrame\n35% HitFrame\n"
              "60% AttackWinStart\n85% AttackWinEnd\n100% attackStop\n"},
    PresetRow{"attack-left", "Skyrim: a swing of the left hand",
              "20% weaponLeftSwing\n30% preHitFrame\n35% HitFrame\n60% AttackWinStartLeft\n100% attackStop\n"},
    PresetRow{"draw", "Skyrim: a weapon is drawn", "0% BeginWeaponDraw\n50% weaponDraw\n"},
    PresetRow{"footsteps", "Skyrim and Fallout 4: a cycle of two steps",
              "0% FootLeft\n0% SyncLeft\n50% FootRight\n50% SyncRight\n"},
    PresetRow{"idle-end", "Skyrim: an idle that ends by itself", "100% IdleStop\n"},
    PresetRow{"killmove", "Skyrim: a paired kill",
              "0% KillMoveStart\n0% StartAnimatedCamera\n70% KillActor\n100% KillMoveEnd\n100% PairEnd\n"},
    PresetRow{"mco", "Skyrim, Attack MCO: an attack that can be chained",
              "20% weaponSwing\n35% HitFrame\n50% MCO_WinOpen\n50% MCO_PowerWinOpen\n80% MCO_WinClose\n"
              "80% MCO_PowerWinClose\n80% MCO_Recovery\n100% attackStop\n"},
    PresetRow{"reload", "Fallout 4: a weapon is reloaded", "80% reloadComplete\n100% reloadEnd\n"},
    PresetRow{"sheathe", "Skyrim: a weapon is put away", "0% BeginWeaponSheathe\n50% weaponSheathe\n"},
};

}  // namespace

void describe(FieldList& fields, EventPreset& preset) {
  fields("name", preset.name);
  fields("summary", preset.summary);
  fields("text", preset.text, {.help = "events in the form that can be imported"});
}

void describe(FieldList& fields, EventPresetsOptions& options) {
  fields("match", options.match,
         {.help = "only presets whose name matches", .placeholder = "PATTERN", .positional = true});
}

void describe(FieldList& fields, EventPresetsReport& report) { fields("presets", report.presets); }

EventPresetsReport event_presets(const EventPresetsOptions& options) {
  EventPresetsReport report;
  for (const PresetRow& row : kPresets)
    if (matches(options.match, row.name))
      report.presets.push_back({std::string(row.name), std::string(row.summary), std::string(row.text)});
  return report;
}

std::string_view event_preset(std::string_view name) {
  static const std::string kNames = [] {
    std::string names;
    for (const PresetRow& row : kPresets) (names += names.empty() ? "" : ", ") += row.name;
    return names;
  }();
  if (name.empty()) return kNames;
  const auto found =
      std::ranges::find_if(kPresets, [&](const PresetRow& row) { return equal_ignoring_case(row.name, name); });
  return found == kPresets.end() ? std::string_view() : found->text;
}

}  // namespace marrow
