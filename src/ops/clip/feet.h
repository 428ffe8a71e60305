// SPDX-License-Identifier: MIT
#pragma once

#include "ops/clip/edit.h"

namespace marrow {

struct FeetOptions {
  std::vector<std::string> feet = {};  ///< end bones of the legs, if they are not found by name
  bool all = false;                    ///< lock feet of a body that lies or sits too
  bool height = false;                 ///< hold the height as well
  double fade = 0.2;                   ///< seconds
  double max_turn = 30.0;              ///< degrees; a contact that turns some bone further is left alone
  double max_hips = 5.0;               ///< units
  const Skeleton* skeleton = nullptr;
  ClipEditOptions edit = {};
};

/// One time that a foot stands.
struct ContactReport {
  std::string bone = {};  ///< the one that stands: toe or foot
  std::int32_t from_frame = 0, to_frame = 0;
  double drift_before = 0, drift_after = 0;  ///< units over the ground
  std::string state = {};                    ///< locked, still, lying, turns far
};

struct FeetClip {
  EditedClip clip = {};
  std::vector<ContactReport> contacts = {};
  double drift_before = 0, drift_after = 0;                ///< largest of the contacts that were locked
  double hips_moved = 0;                                   ///< units
  double turned_degrees = 0;                               ///< most that a bone of a leg was turned at a frame
  double acceleration_before = 0, acceleration_after = 0;  ///< largest of the legs, degrees per frame and frame
  std::optional<Vec3> treadmill = {};                      ///< units per second that the ground moves
  bool is_loop = false;
};

struct FeetReport {
  std::vector<FeetClip> clips = {};
};

void describe(FieldList& fields, FeetOptions& options);
void describe(FieldList& fields, ContactReport& contact);
void describe(FieldList& fields, FeetClip& clip);
void describe(FieldList& fields, FeetReport& report);

/// Finds when feet stand on the ground and keeps them from sliding then. Everything but the legs stays, and the hips
/// move only if a foot is out of reach.
Result<FeetReport> lock_feet(Document& document, const FeetOptions& options, Context& context);

}  // namespace marrow
