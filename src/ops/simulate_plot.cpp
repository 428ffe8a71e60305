// SPDX-License-Identifier: MIT
#include "ops/simulate_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <numbers>

#include "marrow/core/text.h"
#include "marrow/model/modifiers_fields.h"

namespace marrow {
namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;
constexpr double kWidth = 960, kLeft = 64, kRight = 92, kTop = 34, kHeight = 150, kGap = 52, kBottom = 44;
constexpr std::array<std::string_view, 3> kColours = {"#c2410c", "#15803d", "#1d4ed8"};
constexpr std::string_view kInk = "#24292f", kFaint = "#6e7781", kGrid = "#e6e9ed", kHeld = "#f3b13c";

glm::dquat precise(const Quat& q) { return glm::normalize(glm::dquat(q.w, q.x, q.y, q.z)); }

glm::dvec3 degrees_of(glm::dquat turn) {
  if (turn.w < 0.0) turn = -turn;
  const glm::dvec3 axis(turn.x, turn.y, turn.z);
  const double sine = glm::length(axis);
  return sine > 1e-12 ? axis * (2.0 * std::atan2(sine, turn.w) * kDegrees / sine) : glm::dvec3(0.0);
}

std::string plot_number(double value) { return float_text(static_cast<float>(std::round(value * 100.0) / 100.0 + 0.0)); }

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (static_cast<unsigned char>(c) >= 0x20)
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
    return glm::angleAxis(static_cast<double>(degrees) / kDegrees, axis);
  };
  return about({0, 0, 1}, joint.local_yaw_offset) * about({0, 1, 0}, joint.local_pitch_offset) *
         about({1, 0, 0}, joint.local_roll_offset) * along;
}

// A drawing that grows downward, box by box.
class PlotDrawing {
 public:
  PlotDrawing(std::size_t boxes, double seconds)
      : seconds_(seconds), height_(kTop + static_cast<double>(boxes) * (kHeight + kGap) + kBottom - 18) {}

  double x(double t) const { return kLeft + (seconds_ > 0.0 ? t / seconds_ : 0.0) * (kWidth - kLeft - kRight); }

  void line(double x1, double y1, double x2, double y2, std::string_view colour, std::string_view more = "") {
    body_ += "<path d=\"M" + plot_number(x1) + " " + plot_number(y1) + "L" + plot_number(x2) + " " + plot_number(y2) + "\" stroke=\"" +
             std::string(colour) + "\"" + std::string(more) + "/>\n";
  }
  void box(double x1, double y1, double width, double height, std::string_view colour) {
    body_ += "<rect x=\"" + plot_number(x1) + "\" y=\"" + plot_number(y1) + "\" width=\"" + plot_number(width) + "\" height=\"" +
             plot_number(height) + "\" fill=\"" + std::string(colour) + "\"/>\n";
  }
  void words(double at_x, double at_y, std::string_view text, std::string_view anchor, std::string_view colour,
             std::string_view more = "") {
    body_ += "<text x=\"" + plot_number(at_x) + "\" y=\"" + plot_number(at_y) + "\" text-anchor=\"" + std::string(anchor) +
             "\" fill=\"" + std::string(colour) + "\"" + std::string(more) + ">" + xml_text(text) + "</text>\n";
  }
  void curve(const std::vector<double>& values, double step, auto&& y, std::string_view colour) {
    body_ += "<polyline fill=\"none\" stroke=\"" + std::string(colour) +
             "\" stroke-width=\"1.8\" stroke-linejoin=\"round\" points=\"";
    for (std::size_t i = 0; i < values.size(); ++i)
      body_ += plot_number(x(static_cast<double>(i) * step)) + "," + plot_number(y(values[i])) + " ";
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

}  // namespace

MotionPlot::MotionPlot(const Rig& rig, const motion::CompiledRig& compiled, std::span<const std::int32_t> bones)
    : rig_(rig) {
  for (const std::int32_t bone : bones) {
    const std::string& name = rig.skeleton.bones[static_cast<std::size_t>(bone)].name;
    const std::size_t before = boxes_.size();
    for (const std::uint32_t index : compiled.schedule()) {
      const Modifier& modifier = rig.modifiers[index];
      if (modifier.owner.target != static_cast<std::uint64_t>(bone)) continue;
      Box box{.bone = bone, .modifier = index, .title = name + ": " + std::string(class_name(modifier))};
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
void MotionPlot::describe_limits(Box& box, const Modifier& modifier) const {
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
    Line line{.name = std::string(1, "XYZ"[axis]), .low = -1e9, .high = 1e9};
    for (const Hinge& each : hinge->constraints) {
      // A range that follows another bone is not the same in every frame.
      if (!each.constraint_associated_bone.is_null()) continue;
      line.low = std::max(line.low, static_cast<double>(each.min_angle) * kDegrees);
      line.high = std::min(line.high, static_cast<double>(each.max_angle) * kDegrees);
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
  for (Box& box : boxes_) {
    if (box.modifier < 0) continue;
    const motion::Trace& trace = traces[static_cast<std::size_t>(box.modifier)];
    const Modifier& modifier = rig_.modifiers[static_cast<std::size_t>(box.modifier)];
    box.is_held.push_back(trace.ran && trace.limit != motion::LimitHit::None);
    const glm::dquat turn = glm::conjugate(precise(trace.input.rotation)) * precise(trace.target.rotation);
    if (const auto* joint = std::get_if<BallJointModifier>(&modifier.data)) {
      const glm::dquat along =
          rig_.along_bone.empty() ? glm::dquat(1, 0, 0, 0) : precise(rig_.along_bone[static_cast<std::size_t>(box.bone)]);
      const glm::dvec3 swing = degrees_of(glm::conjugate(joint_frame(*joint, along)) * turn * along);
      box.lines[0].values.push_back(trace.ran ? swing.y : 0.0);
      box.lines[1].values.push_back(trace.ran ? swing.z : 0.0);
    } else if (const auto* hinge = std::get_if<HingeModifier>(&modifier.data)) {
      const int axis = std::clamp(static_cast<int>(hinge->axis_constraint_type), 0, 2);
      box.lines[0].values.push_back(trace.ran ? degrees_of(turn)[axis] : 0.0);
    } else {
      const glm::dvec3 value = box.unit == "cm"
                                   ? 100.0 * glm::dvec3(trace.target.translation - trace.input.translation)
                                   : degrees_of(turn);
      for (int i = 0; i < 3; ++i)
        box.lines[static_cast<std::size_t>(i)].values.push_back(trace.ran ? value[i] : 0.0);
    }
  }
}

std::string MotionPlot::svg(const Clip& result, double frames_a_second) {
  const double step = 1.0 / frames_a_second, seconds = step * std::max(result.frame_count - 1, 1);
  PlotDrawing drawing(boxes_.size(), seconds);
  double top = kTop;
  for (Box& box : boxes_) {
    for (std::int32_t frame = 0; box.modifier < 0 && frame < result.frame_count; ++frame) {
      const auto bone = static_cast<std::size_t>(box.bone);
      const glm::dvec3 turn = degrees_of(glm::conjugate(precise(rig_.skeleton.bones[bone].rest.rotation)) *
                                         precise(result.frame(frame)[bone].rotation));
      for (int i = 0; i < 3; ++i) box.lines[static_cast<std::size_t>(i)].values.push_back(turn[i]);
    }
    double low = 0.0, high = 0.0;
    for (const Line& line : box.lines)
      for (const double value : line.values) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
    // A limit is shown if the motion comes anywhere near it.
    const double span = std::max(high - low, 1.0);
    const auto is_shown = [&](double limit) { return limit > low - 1.5 * span && limit < high + 1.5 * span; };
    for (const Line& line : box.lines)
      for (const double limit : {line.low, line.high})
        if (line.is_limited && is_shown(limit)) {
          low = std::min(low, limit);
          high = std::max(high, limit);
        }
    const double margin = std::max(0.08 * (high - low), 0.05), bottom = top + kHeight;
    low -= margin;
    high += margin;
    const auto y = [&](double value) { return bottom - (value - low) / (high - low) * kHeight; };

    for (std::size_t i = 0; i < box.is_held.size(); ++i)
      if (box.is_held[i]) {
        const double at = static_cast<double>(i) * step;
        drawing.box(drawing.x(at) - 0.5 * (drawing.x(step) - drawing.x(0)), bottom - 4, drawing.x(step) - drawing.x(0) + 0.3, 4,
                    kHeld);
      }
    const double y_step = tick_step((high - low) / 5.0), x_step = tick_step(seconds / 8.0);
    for (double v = std::ceil(low / y_step) * y_step; v <= high; v += y_step) {
      drawing.line(kLeft, y(v), kWidth - kRight, y(v), std::abs(v) < 1e-9 * y_step ? "#aeb6bf" : kGrid);
      drawing.words(kLeft - 8, y(v) + 4, plot_number(v), "end", kFaint);
    }
    for (double t = 0.0; t <= seconds * (1.0 + 1e-9); t += x_step) {
      drawing.line(drawing.x(t), top, drawing.x(t), bottom, kGrid);
      drawing.words(drawing.x(t), bottom + 16, plot_number(t), "middle", kFaint);
    }
    drawing.words(kLeft, top - 10, box.title, "start", kInk, " font-weight=\"bold\"");
    drawing.words(kWidth - kRight, top - 10, box.unit, "end", kFaint);
    double label = top + 12;
    for (const Line& line : box.lines) {
      const std::size_t axis = std::string_view("XYZ").find(line.name);
      const std::string_view colour = kColours[std::min<std::size_t>(axis, 2)];
      for (const double limit : {line.low, line.high})
        if (line.is_limited && is_shown(limit))
          drawing.line(kLeft, y(limit), kWidth - kRight, y(limit), colour, " stroke-dasharray=\"5 4\" opacity=\"0.7\"");
      drawing.curve(line.values, step, y, colour);
      std::string words = line.name;
      if (line.is_limited)
        words += line.low == -line.high ? " ±" + plot_number(line.high) : " " + plot_number(line.low) + " to " + plot_number(line.high);
      drawing.words(kWidth - kRight + 10, label, words, "start", colour, " font-weight=\"bold\"");
      label += 17;
    }
    if (std::ranges::find(box.is_held, true) != box.is_held.end()) {
      drawing.box(kWidth - kRight + 10, label - 6, 10, 4, kHeld);
      drawing.words(kWidth - kRight + 24, label, "at a limit", "start", kFaint);
    }
    top = bottom + kGap;
  }
  drawing.words((kLeft + kWidth - kRight) / 2, top - kGap + 34, "seconds", "middle", kFaint);
  return drawing.finish();
}

}  // namespace marrow
