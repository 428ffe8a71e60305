// SPDX-License-Identifier: MIT
// How the games and tools of this field name bones. Data, so that a naming is added by adding names.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "marrow/model/skeleton.h"

namespace marrow {

/// A part of a body, as an index into the table; left and right are two parts.
using Part = std::size_t;

/// The bones of a skeleton as parts of a body. One name may be two parts in two namings (`Spine1`), so the naming is
/// found out first: the one that knows most of the names. Case and what a program puts in front (`mixamorig:`,
/// `Character1_`, `DEF-`) do not matter.
struct BodyParts {
  std::vector<std::optional<Part>> parts;  ///< by bone
  std::vector<bool> is_guessed;            ///< by bone: found by structure, not by name
  std::optional<std::size_t> naming;       ///< which of the known ones; nothing if too few names are known
};

/// Finds parts by name, and what names leave open by the structure of the body (structure.h).
BodyParts find_parts(const Skeleton& skeleton);

/// Returns the name of a naming for people, `CMU`.
std::string_view naming_title(std::size_t naming);

/// Returns the part of a name of the table, `thighL`.
std::optional<Part> part_named(std::string_view name);
/// True for the bones that carry a body and act: thigh, calf, foot, upper arm, forearm, hand.
bool is_limb_part(Part part);

/// Parts that retargeting has to know by themselves.
enum class Role : std::uint8_t {
  None,
  Root,      ///< stands on the ground and carries root motion
  Hips,      ///< carries the body; moves freely
  Thigh,     ///< begins a leg: thigh, calf and foot follow each other
  UpperArm,  ///< begins an arm: upper arm, forearm and hand follow each other
  Limb,      ///< keeps its length: turns, does not move
  Prop,      ///< a weapon, a camera: moves freely
};

Role role_of(Part part);
/// The part that this one points at, where a body has one: a thigh at its calf, a hand at its middle finger.
std::optional<Part> aim_of(Part part);

/// Whether a bone is a helper or a thing carried, which must not be guessed at.
bool is_helper_name(std::string_view bone_name);

}  // namespace marrow
