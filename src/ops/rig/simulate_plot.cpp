// SPDX-License-Identifier: MIT
#include "ops/rig/simulate_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <numbers>

#include "marrow/core/text.h"
#include "model/modifiers_fields.h"

namespace marrow {
namespace {

constexpr double kPlotDegrees = 180.0 / std::numbers::pi;
constexpr double kWidth = 960, kLeft = 64, kRight = 92, kTop = 34, kHeight = 150, kGap = 52, kBottom = 44;
constexpr std::array<std::string_view, 3> kColours = {"#c2410c", "#15803d", "#1d4ed8"};
constexpr std::string_view kInk = "#24292f", kFaint = "#6e7781", kGrid = "#e6e9ed", kZero = "#aeb6bf",
                           kHeld = "#f3b13c";

glm::dquat precise(const Quat& q) { return glm::normalize(glm::dquat(q.w, q.x, q.y, q.z)); }

glm::dvec3 degrees_of(glm::dquat turn) {
  if (turn.w < 0.0) turn = -turn;
  const glm::dvec3 axis(turn.x, turn.y, turn.z);
  const double sine = glm::length(axis);
  return sine > 1e-12 ? axis * (2.0 * std::atan2(sine, turn.w) * kPlotDegrees / sine) : glm::dvec3(0.0);
}

std::string plot_number(double value) {
  return float_text(static_cast<float>(std::round(value * 100.0) / 100.0 + 0.0));
}

// What XML has no place for is written as `printable` does; `]]>` is not text either.
std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text))
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  return out;
}

// 1, 2 or 5 times a power of ten, at least so much.
double tick_step(double rough) {
  const double scale = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * scale >= rough) return factor * scale;
  return 10.0 * scale;
}

// The turn of a ball joint in its own frame, in which its cone is: about Y and Z.
glm::dquat joint_frame(const BallJointModifier& joint, const glm::dquat& along) {
  const auto about = [](const glm::dvec3& axis, float degrees) {
    return glm::angleAxis(static_cast<double>(degrees) / kPlotDegrees, axis);
  };
  return about({0, 0, 1}, joint.local_yaw_offset) * about({0, 1, 0}, joint.local_pitch_offset) *
         about({1, 0, 0}, joint.local_roll_offset) * along;
}

// The values that a box shows, and where it stands.
struct PlotRange {
  double low = 0.0, high = 0.0;    // of the motion
  double least = 0.0, most = 0.0;  // of the box
  double top = 0.0, bottom = kHeight;

  double y(double value) const { return bottom - (value - least) / (most - least) * (bottom - top); }
  // A limit is shown if the motion comes anywhere near it.
  bool shows(const PlotLine& line, double limit) const {
    const double span = std::max(high - low, 1.0);
    return line.is_limited && limit > low - 1.5 * span && limit < high + 1.5 * span;
  }
};

// A drawing that grows downward, box by box.
class PlotDrawing {
 public:
  PlotDrawing(std::size_t boxes, double seconds)
      : seconds_(seconds), height_(kTop + static_cast<double>(boxes) * (kHeight + kGap) + kBottom - 18) {}

  double x(double t) const { return kLeft + (seconds_ > 0.0 ? t / seconds_ : 0.0) * (kWidth - kLeft - kRight); }

  void line(double x1, double y1, double x2, double y2, std::string_view colour, std::string_view more = "") {
    body_ += "<path d=\"M" + plot_number(x1) + " " + plot_number(y1) + "L" + plot_number(x2) + " " + plot_number(y2) +
             "\" stroke=\"" + std::string(colour) + "\"" + std::string(more) + "/>\n";
  }
  void box(double x1, double y1, double width, double height, std::string_view colour) {
    body_ += "<rect x=\"" + plot_number(x1) + "\" y=\"" + plot_number(y1) + "\" width=\"" + plot_number(width) +
             "\" height=\"" + plot_number(height) + "\" fill=\"" + std::string(colour) + "\"/>\n";
  }
  void words(double at_x, double at_y, std::string_view text, std::string_view anchor, std::string_view colour,
             std::string_view more = "") {
    body_ += "<text x=\"" + plot_number(at_x) + "\" y=\"" + plot_number(at_y) + "\" text-anchor=\"" +
             std::string(anchor) + "\" fill=\"" + std::string(colour) + "\"" + std::string(more) + ">" +
             xml_text(text) + "</text>\n";
  }
  void curve(const std::vector<double>& values, double step, const PlotRange& range, std::string_view colour) {
    body_ += "<polyline fill=\"none\" stroke=\"" + std::string(colour) +
             "\" stroke-width=\"1.8\" stroke-linejoin=\"round\" points=\"";
    for (std::size_t i = 0; i < values.size(); ++i)
      body_ += plot_number(x(static_cast<double>(i) * step)) + "," + plot_number(range.y(values[i])) + " ";
    body_ += "\"/>\n";
  }
  std::string finish() const {
    const std::string size = plot_number(kWidth) + " " + plot_number(height_);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size +
           "\" font-family=\"Helvetica,Arial,sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
           "fill=\"#ffffff\"/>\n" +
           body_ + "</svg>\n";
  }

 private:
  double seconds_, height_;
  std::string body_;
};

PlotRange range_of(const PlotBox& box, double top) {
  PlotRange range{.top = top, .bottom = top + kHeight};
  for (const PlotLine& line : box.lines)
    for (const double value : line.values) {
      range.low = std::min(range.low, value);
      range.high = std::max(range.high, value);
    }
  range.least = range.low;
  range.most = range.high;
  for (const PlotLine& line : box.lines)
    for (const double limit : {line.low, line.high})
      if (range.shows(line, limit)) {
        range.least = std::min(range.least, limit);
        range.most = std::max(range.most, limit);
      }
  // What stands still is a line in the middle, not a magnified nothing.
  const double margin = range.most - range.least < 1.0 ? 0.5 : 0.08 * (range.most - range.least);
  range.least -= margin;
  range.most += margin;
  return range;
}

void draw_axes(PlotDrawing& drawing, const PlotRange& range, double seconds) {
  const double y_step = tick_step((range.most - range.least) / 5.0), x_step = tick_step(seconds / 8.0);
  for (double v = std::ceil(range.least / y_step) * y_step; v <= range.most; v += y_step) {
    const bool is_zero = std::abs(v) < 1e-9 * y_step;
    drawing.line(kLeft, range.y(v), kWidth - kRight, range.y(v), is_zero ? kZero : kGrid);
    drawing.words(kLeft - 8, range.y(v) + 4, plot_number(v), "end", kFaint);
  }
  for (double t = 0.0; t <= seconds * (1.0 + 1e-9); t += x_step) {
    drawing.line(drawing.x(t), range.top, drawing.x(t), range.bottom, kGrid);
    drawing.words(drawing.x(t), range.bottom + 16, plot_number(t), "middle", kFaint);
  }
}

// A band along the bottom for the frames at a limit.
void draw_held(PlotDrawing& drawing, const PlotBox& box, const PlotRange& range, double step) {
  const double width = drawing.x(step) - drawing.x(0.0);
  for (std::size_t i = 0; i < box.is_held.size(); ++i) {
    if (!box.is_held[i]) continue;
    const double from = drawing.x(static_cast<double>(i) * step) - 0.5 * width;
    const double left = std::max(from, kLeft), right = std::min(from + width + 0.3, kWidth - kRight);
    drawing.box(left, range.bottom - 4, right - left, 4, kHeld);
  }
}

void draw_lines(PlotDrawing& drawing, const PlotBox& box, const PlotRange& range, double step) {
  const double beside = kWidth - kRight + 10;
  drawing.words(kLeft, range.top - 10, box.title, "start", kInk, " font-weight=\"bold\"");
  drawing.words(kWidth - kRight, range.top - 10, box.unit, "end", kFaint);
  double label = range.top + 12;
  for (const PlotLine& line : box.lines) {
    const std::string_view colour = kColours[std::min<std::size_t>(std::string_view("XYZ").find(line.name), 2)];
    for (const double limit : {line.low, line.high})
      if (range.shows(line, limit))
        drawing.line(kLeft, range.y(limit), kWidth - kRight, range.y(limit), colour,
                     " stroke-dasharray=\"5 4\" opacity=\"0.7\"");
    drawing.curve(line.values, step, range, colour);
    std::string words = line.name;
    if (line.is_limited && line.low == -line.high) words += " ±" + plot_number(line.high);
    if (line.is_limited && line.low != -line.high)
      words += " " + plot_number(line.low) + " to " + plot_number(line.high);
    drawing.words(beside, label, words, "start", colour, " font-weight=\"bold\"");
    label += 17;
  }
  if (std::ranges::find(box.is_held, true) == box.is_held.end()) return;
  drawing.box(beside, label - 6, 10, 4, kHeld);
  drawing.words(beside + 14, label, "at a limit", "start", kFaint);
}

}  // namespace

MotionPlot::MotionPlot(const Rig& rig, const motion::CompiledRig& compiled, std::span<const std::int32_t> bones)
    : rig_(rig) {
  for (const std::int32_t bone : bones) {
    const std::string& name = rig.skeleton.bones[static_cast<std::size_t>(bone)].name;
    const std::size_t before = boxes_.size();
    for (const std::uint32_t index : compiled.schedule()) {
      const Modifier& modifier = rig.modifiers[index];
      if (modifier.owner.target != static_cast<std::uint64_t>(bone)) continue;
      PlotBox box{.bone = bone, .modifier = index, .title = name + ": " + std::string(class_name(modifier))};
      describe_limits(box, modifier);
      boxes_.push_back(std::move(box));
    }
    if (boxes_.size() == before)
      boxes_.push_back({.bone = bone,
                        .title = name + ": turn from rest, no modifier",
                        .unit = "degrees",
                        .lines = {{"X"}, {"Y"}, {"Z"}}});
  }
}

// What is drawn of a modifier, and between which values it stays.
void MotionPlot::describe_limits(PlotBox& box, const Modifier& modifier) const {
  box.unit = "degrees";
  if (const auto* joint = std::get_if<BallJointModifier>(&modifier.data)) {
    box.title += ", swing in its cone";
    for (const auto& [name, scale] : {std::pair("Y", joint->constraint_scale_y), {"Z", joint->constraint_scale_z}}) {
      const double most = static_cast<double>(std::abs(joint->constraint_angle * scale));
      box.lines.push_back({.name = name, .low = -most, .high = most, .is_limited = most < 180.0});
    }
  } else if (const auto* hinge = std::get_if<HingeModifier>(&modifier.data)) {
    const int axis = std::clamp(static_cast<int>(hinge->axis_constraint_type), 0, 2);
    box.title += ", turn about " + std::string(1, "XYZ"[axis]);
    PlotLine line{.name = std::string(1, "XYZ"[axis]), .low = -1e9, .high = 1e9};
    for (const Hinge& each : hinge->constraints) {
      // A range that follows another bone is not the same in every frame.
      if (!each.constraint_associated_bone.is_null()) continue;
      line.low = std::max(line.low, static_cast<double>(each.min_angle) * kPlotDegrees);
      line.high = std::min(line.high, static_cast<double>(each.max_angle) * kPlotDegrees);
      line.is_limited = true;
    }
    box.lines.push_back(std::move(line));
  } else if (const ModifierType type = modifier.type();
             type == ModifierType::SpringBox || type == ModifierType::PositionConstraint) {
    box.title += ", way along the axes of the world";
    box.unit = "cm";
    box.lines = {{"X"}, {"Y"}, {"Z"}};
  } else {
    box.title += ", turn from its input";
    box.lines = {{"X"}, {"Y"}, {"Z"}};
  }
}

void MotionPlot::add(std::span<const motion::Trace> traces) {
  for (PlotBox& box : boxes_) {
    if (box.modifier < 0) continue;
    const motion::Trace& trace = traces[static_cast<std::size_t>(box.modifier)];
    const Modifier& modifier = rig_.modifiers[static_cast<std::size_t>(box.modifier)];
    box.is_held.push_back(trace.ran && trace.limit != motion::LimitHit::None);
    const glm::dquat turn = glm::conjugate(precise(trace.input.rotation)) * precise(trace.target.rotation);
    if (const auto* joint = std::get_if<BallJointModifier>(&modifier.data)) {
      const glm::dquat along = rig_.along_bone.empty() ? glm::dquat(1, 0, 0, 0)
                                                       : precise(rig_.along_bone[static_cast<std::size_t>(box.bone)]);
      const glm::dvec3 swing = degrees_of(glm::conjugate(joint_frame(*joint, along)) * turn * along);
      box.lines[0].values.push_back(trace.ran ? swing.y : 0.0);
      box.lines[1].values.push_back(trace.ran ? swing.z : 0.0);
    } else if (const auto* hinge = std::get_if<HingeModifier>(&modifier.data)) {
      const int axis = std::clamp(static_cast<int>(hinge->axis_constraint_type), 0, 2);
      box.lines[0].values.push_back(trace.ran ? degrees_of(turn)[axis] : 0.0);
    } else {
      const glm::dvec3 value =
          box.unit == "cm" ? 100.0 * glm::dvec3(trace.target.translation - trace.input.translation) : degrees_of(turn);
      for (int i = 0; i < 3; ++i) box.lines[static_cast<std::size_t>(i)].values.push_back(trace.ran ? value[i] : 0.0);
    }
  }
}

std::string MotionPlot::svg(const Clip& result, double frames_per_second) {
  const double step = 1.0 / frames_per_second, seconds = step * std::max(result.frame_count - 1, 1);
  PlotDrawing drawing(boxes_.size(), seconds);
  double top = kTop;
  for (PlotBox& box : boxes_) {
    for (std::int32_t frame = 0; box.modifier < 0 && frame < result.frame_count; ++frame) {
      const auto bone = static_cast<std::size_t>(box.bone);
      const glm::dvec3 turn = degrees_of(glm::conjugate(precise(rig_.skeleton.bones[bone].rest.rotation)) *
                                         precise(result.frame(frame)[bone].rotation));
      for (int i = 0; i < 3; ++i) box.lines[static_cast<std::size_t>(i)].values.push_back(turn[i]);
    }
    const PlotRange range = range_of(box, top);
    draw_axes(drawing, range, seconds);
    draw_held(drawing, box, range, step);
    draw_lines(drawing, box, range, step);
    top = range.bottom + kGap;
  }
  drawing.words((kLeft + kWidth - kRight) / 2, top - kGap + 34, "seconds", "middle", kFaint);
  return drawing.finish();
}

}  // namespace marrow
