// SPDX-License-Identifier: MIT
#pragma once

#include "ops/clip/edit.h"

namespace marrow {

enum class OffsetSpace : std::uint8_t { Parent, Bone, Model };
template <>
struct ChoiceWords<OffsetSpace> {
  static constexpr std::array<std::string_view, 3> words = {"parent", "bone", "model"};
};

struct OffsetOptions {
  std::string bone = {};
  std::optional<Vec3> turn = {};  ///< degrees about x, then y, then z
  std::optional<Vec3> move = {};  ///< units
  OffsetSpace space = OffsetSpace::Parent;
  bool model = false;  ///< the same as `space` model
  const Skeleton* skeleton = nullptr;
  ClipEditOptions edit = {};
};

struct PoseOptions {
  std::optional<std::int32_t> frame = {};
  std::optional<double> time = {};     ///< seconds
  const Skeleton* skeleton = nullptr;  ///< goes along, for formats that need one
  ClipEditOptions edit = {};
};

struct SetPoseOptions {
  const Document* pose = nullptr;  ///< its first frame
  ClipRange range = {};
  double fade = 0.2;                    ///< seconds on either side of the range
  std::vector<std::string> bones = {};  ///< patterns; empty: all
  const Skeleton* skeleton = nullptr;
  ClipEditOptions edit = {};
};

void describe(FieldList& fields, OffsetOptions& options);
void describe(FieldList& fields, PoseOptions& options);
void describe(FieldList& fields, SetPoseOptions& options);

/// Turns and moves a bone by the same amount throughout. Done on control points, except in model space.
Result<ClipEditReport> offset_bone(Document& document, const OffsetOptions& options, Context& context);
/// Leaves one pose of a clip, as a clip of two equal frames. Events and root motion are dropped.
Result<ClipEditReport> take_pose(Document& document, const PoseOptions& options, Context& context);
/// Puts a pose into a range of a clip. The motion fades into it and out of it outside of the range.
Result<ClipEditReport> set_pose(Document& document, const SetPoseOptions& options, Context& context);

}  // namespace marrow
