// SPDX-License-Identifier: MIT
#include "anvil/games.h"

#include <array>

namespace marrow::anvil {
namespace {

// The table of availability has one column for games that share an engine.
constexpr std::size_t column_of(Game game) {
  constexpr std::array<std::size_t, 13> columns = {0, 0, 0, 0, 1, 2, 3, 4, 4, 5, 6, 6, 7};
  return columns[static_cast<std::size_t>(game) - static_cast<std::size_t>(Game::Ac1)];
}

// One letter per column: Yes, No, Renamed, Partial, Observed, Vestigial, X without effect.
//                                    AC1-R AC3 AC4 Rogue Unity Origins Odyssey Mirage
constexpr std::string_view kSinceAc1 = "YYYYYYVX";
constexpr std::string_view kLookAt = "YRNNNNNN";
constexpr std::string_view kSinceAc3 = "NYYYYYVX";
constexpr std::string_view kFullSet = "NYPYYYVX";
constexpr std::string_view kFullSetSeenInAc1 = "OYPYYYVX";
constexpr std::string_view kNobodyKnows = "PPPPPPPP";
constexpr std::size_t kColumns = kSinceAc1.size();

struct Row {
  ModifierType type;
  std::string_view columns;
};

// One row per modifier. Add a row here for every new one in model/modifier_list.h.
constexpr Row kRows[] = {
    {ModifierType::BallJoint, kSinceAc3},
    {ModifierType::Hinge, kSinceAc1},
    {ModifierType::HingeVector, kFullSet},
    {ModifierType::Pendulum, kSinceAc1},
    {ModifierType::SpringBox, kFullSetSeenInAc1},
    {ModifierType::PositionConstraint, kSinceAc3},
    {ModifierType::OrientationConstraint, kSinceAc3},
    {ModifierType::RotationConstraint, kFullSet},
    {ModifierType::SplineConstraint, kFullSet},
    {ModifierType::MaxLookAt, kSinceAc3},
    {ModifierType::AnvilLookAt, kSinceAc3},
    {ModifierType::LookAt, kLookAt},
    {ModifierType::Follow, kSinceAc1},
    {ModifierType::Roll, kSinceAc1},
    {ModifierType::Compress, kSinceAc1},
    {ModifierType::Stretch, kSinceAc1},
    {ModifierType::RotationExpression, kFullSet},
    {ModifierType::RotationPaste, kFullSetSeenInAc1},
    {ModifierType::Fx, kSinceAc1},
    {ModifierType::Unknown, kNobodyKnows},
};

constexpr std::string_view row_of(ModifierType type) {
  for (const Row& row : kRows)
    if (row.type == type) return row.columns;
  return {};
}

#define MARROW_ROW(name, ...)                                  \
  static_assert(row_of(ModifierType::name).size() == kColumns, \
                #name "Modifier has no availability per game: give it a row in anvil/games.cpp");
MARROW_MODIFIERS(MARROW_ROW)
#undef MARROW_ROW

}  // namespace

std::string_view to_string(Availability availability) {
  switch (availability) {
    case Availability::Yes: return "yes";
    case Availability::No: return "no";
    case Availability::Renamed: return "renamed";
    case Availability::Partial: return "not certain";
    case Availability::Observed: return "observed";
    case Availability::Vestigial: return "works, but vestigial";
    case Availability::NoEffect: return "no effect";
  }
  return "no";
}

Availability availability(Game game, ModifierType type) {
  switch (row_of(type)[column_of(game)]) {
    case 'Y': return Availability::Yes;
    case 'R': return Availability::Renamed;
    case 'P': return Availability::Partial;
    case 'O': return Availability::Observed;
    case 'V': return Availability::Vestigial;
    case 'X': return Availability::NoEffect;
    default: return Availability::No;
  }
}

bool has_wide_indices(Game game) { return game >= Game::Unity; }
std::uint32_t bone_limit(Game game) { return has_wide_indices(game) ? 65535 : 255; }
bool has_limit_lod_level(Game game) { return game >= Game::Unity; }
bool has_blend_weight(Game game) { return game > Game::Ac1; }
bool has_dependencies(Game game) { return game >= Game::Unity; }
bool has_reflex_system(Game game) { return game >= Game::Unity; }
bool has_reflex3_constraints(Game game) { return game >= Game::Origins; }

}  // namespace marrow::anvil
