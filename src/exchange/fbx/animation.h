// SPDX-License-Identifier: MIT
// The clips of an FBX file: stacks of layers, each with curves for vectors of nodes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "exchange/fbx/curve.h"
#include "exchange/fbx/transform.h"
#include "marrow/model/motion_source.h"

namespace marrow::fbx {

/// A node whose vectors are evaluated.
struct AnimatedNode {
  const Object* model = nullptr;
  Vectors own;  ///< as the node itself states them
  RotationRule rule;
};

class Animation {
 public:
  static Result<Animation> make(const File& file, const Objects& objects, std::span<const AnimatedNode> nodes,
                                Notes& notes);

  const std::vector<SourceClip>& clips() const { return clips_; }
  /// Returns the transform of a node in a clip; as the node itself has it if there is no such clip.
  Place place(std::size_t clip, std::size_t node, double seconds) const;

 private:
  /// Curves of the three components of a vector; a missing one has the value in `otherwise`.
  struct Channel {
    std::array<std::shared_ptr<const Curve>, 3> curves;
    DVec3 otherwise{0.0};

    DVec3 at(double seconds) const;
  };
  struct Layer {
    std::unordered_map<std::size_t, Channel> channels;  // by node * kVectorCount + vector
    std::shared_ptr<const Curve> weight_curve;
    double weight = 1.0;
    std::int64_t mode = 0;
    bool adds_rotations_as_rotations = true, adds_scales_as_factors = true;

    double weight_at(double seconds) const;
  };

  class Builder;

  static DVec3 blended(const Layer& layer, std::size_t vector, const RotationRule& rule, const DVec3& base,
                       const DVec3& value, double seconds);

  std::vector<AnimatedNode> nodes_;
  std::vector<SourceClip> clips_;
  std::vector<std::vector<Layer>> layers_;  // per clip
};

/// Returns the frames per second that the file states.
double frames_per_second_of(const Objects& objects);

}  // namespace marrow::fbx
