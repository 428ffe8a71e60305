// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "marrow/model/rig.h"
#include "motion/simulate.h"

namespace marrow {

/// One line of a box, and the values that it stays between.
struct PlotLine {
  std::string name;  ///< `Y`
  std::vector<double> values = {};
  double low = 0.0, high = 0.0;
  bool is_limited = false;
};

/// What is drawn of one modifier.
struct PlotBox {
  std::int32_t bone = 0;
  std::int64_t modifier = -1;  ///< -1: the bone's own motion
  std::string title = {}, unit = {};
  std::vector<PlotLine> lines = {};
  std::vector<bool> is_held = {};  ///< by frame: at a limit
};

/// Collects what bones do during a run, and draws it: one box per modifier with its angles, or its way, and the limits
/// that it has. A bone without modifiers is drawn as it turns from rest.
class MotionPlot {
 public:
  MotionPlot(const Rig& rig, const motion::CompiledRig& compiled, std::span<const std::int32_t> bones);

  /// Adds a frame: what every modifier did in it.
  void add(std::span<const motion::Trace> traces);
  /// Returns the drawing as SVG. `result` is the clip of the run.
  std::string svg(const Clip& result, double frames_per_second);

 private:
  void describe_limits(PlotBox& box, const Modifier& modifier) const;

  const Rig& rig_;
  std::vector<PlotBox> boxes_;
};

}  // namespace marrow
