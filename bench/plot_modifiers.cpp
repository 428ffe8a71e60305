// SPDX-License-Identifier: MIT
// Draws how each modifier responds, as SVG: docs/modifiers/plots. Usage: plot_modifiers FOLDER
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numbers>
#include <string>

#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "support/motion_rig.h"

using namespace marrow;
using namespace marrow::motion;
using namespace marrow::motion::support;

namespace {

constexpr double kSeconds = 4.0;
constexpr double kTwoPi = 2.0 * std::numbers::pi;

enum class Measure { Rotation, Position, Scale };

struct Plot {
  const char* slug;
  ModifierType type;
  Measure measure;
  bool shaken;  // the root is shaken; else the arm that targets hang on is turned
};

constexpr Plot kPlots[] = {
    {"ball-joint", ModifierType::BallJoint, Measure::Rotation, true},
    {"hinge", ModifierType::Hinge, Measure::Rotation, true},
    {"hinge-vector", ModifierType::HingeVector, Measure::Rotation, false},
    {"pendulum", ModifierType::Pendulum, Measure::Rotation, true},
    {"spring-box", ModifierType::SpringBox, Measure::Position, true},
    {"position-constraint", ModifierType::PositionConstraint, Measure::Position, false},
    {"orientation-constraint", ModifierType::OrientationConstraint, Measure::Rotation, false},
    {"rotation-constraint", ModifierType::RotationConstraint, Measure::Rotation, false},
    {"spline-constraint", ModifierType::SplineConstraint, Measure::Position, false},
    {"max-look-at", ModifierType::MaxLookAt, Measure::Rotation, false},
    {"anvil-look-at", ModifierType::AnvilLookAt, Measure::Rotation, false},
    {"look-at", ModifierType::LookAt, Measure::Rotation, false},
    {"follow", ModifierType::Follow, Measure::Position, false},
    {"roll", ModifierType::Roll, Measure::Rotation, false},
    {"compress", ModifierType::Compress, Measure::Rotation, false},
    {"stretch", ModifierType::Stretch, Measure::Scale, false},
    {"rotation-expression", ModifierType::RotationExpression, Measure::Rotation, false},
    {"rotation-paste", ModifierType::RotationPaste, Measure::Rotation, false},
};

double shake(double t) { return 0.08 * std::sin(kTwoPi * t); }
double turn_degrees(double t) { return 60.0 * std::sin(kTwoPi * 0.75 * t); }

// Bones 1 and 3 of a specimen are what targets hang on.
void drive(const Plot& plot, double t, std::vector<Transform>& pose) {
  if (plot.shaken) {
    pose[0].translation.x += static_cast<float>(shake(t));
    return;
  }
  const auto turn = axis_angle({1, 1, 0}, static_cast<float>(turn_degrees(t)));
  for (const std::size_t bone : {1u, 3u}) {
    pose[bone].translation = turn * pose[bone].translation;
    pose[bone].rotation = turn * pose[bone].rotation;
  }
}

std::vector<double> response(const Plot& plot, double rate) {
  const Specimen s = specimen(plot.type);
  const auto rig = Rig::compile(s.builder.description);
  State state(*rig);
  std::vector<double> values;
  const auto owner = static_cast<std::size_t>(s.owner);
  const Transform rest = s.builder.rest()[owner];
  for (int i = 0; i <= static_cast<int>(kSeconds * rate); ++i) {
    auto pose = s.builder.rest();
    drive(plot, i / rate, pose);
    auto out = pose;
    std::vector<Vec3> stretch(pose.size());
    const EvaluateJob job{.rig = &*rig,
                          .state = &state,
                          .delta_seconds = i == 0 ? 0.0 : 1.0 / rate,
                          .input = pose,
                          .output = out,
                          .stretch = stretch};
    job.run();
    if (plot.measure == Measure::Rotation)
      values.push_back(static_cast<double>(angle_degrees(out[owner].rotation, rest.rotation)));
    else if (plot.measure == Measure::Position)
      values.push_back(100.0 * glm::length(out[owner].translation - rest.translation));
    else
      values.push_back(static_cast<double>(std::max({stretch[owner].x, stretch[owner].y, stretch[owner].z})));
  }
  return values;
}

class Svg {
 public:
  static constexpr double kWidth = 720, kHeight = 260, kLeft = 52, kRight = 16, kTop = 30, kBottom = 34;

  Svg(double low, double high, const std::string& label, const std::string& drive_label) : low_(low), high_(high) {
    text_ =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 260\" font-family=\"sans-serif\" "
        "font-size=\"12\">\n"
        "<rect width=\"720\" height=\"260\" fill=\"#ffffff\"/>\n";
    const double step = tick(high - low);
    for (double v = std::ceil(low / step) * step; v <= high + 1e-9; v += step) {
      line(kLeft, y(v), kWidth - kRight, y(v), "#e3e6ea");
      label_at(kLeft - 6, y(v) + 4, number(v), "end", "#57606a");
    }
    for (int t = 0; t <= static_cast<int>(kSeconds); ++t) {
      line(x(t), kTop, x(t), kHeight - kBottom, "#e3e6ea");
      label_at(x(t), kHeight - kBottom + 16, number(t) + (t == 0 ? " s" : ""), "middle", "#57606a");
    }
    label_at(kLeft, 18, label, "start", "#1f4e9c");
    label_at(kWidth - kRight, 18, drive_label, "end", "#8a9099");
  }
  void curve(const std::vector<double>& values, double rate, const char* colour, double width) {
    text_ += "<polyline fill=\"none\" stroke=\"" + std::string(colour) + "\" stroke-width=\"" + number(width) +
             "\" points=\"";
    for (std::size_t i = 0; i < values.size(); ++i)
      text_ += number(x(static_cast<double>(i) / rate)) + "," + number(y(values[i])) + " ";
    text_ += "\"/>\n";
  }
  void dots(const std::vector<double>& values, double rate) {
    for (std::size_t i = 0; i < values.size(); ++i)
      text_ += "<circle r=\"1.8\" fill=\"#d1571f\" cx=\"" + number(x(static_cast<double>(i) / rate)) + "\" cy=\"" +
               number(y(values[i])) + "\"/>\n";
  }
  std::string finish() { return text_ + "</svg>\n"; }

 private:
  static double tick(double span) {
    const double rough = span / 5, scale = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
      if (factor * scale >= rough) return factor * scale;
    return 10.0 * scale;
  }
  static std::string number(double value) { return float_text(static_cast<float>(std::round(value * 100) / 100)); }
  double x(double t) const { return kLeft + t / kSeconds * (kWidth - kLeft - kRight); }
  double y(double v) const { return kHeight - kBottom - (v - low_) / (high_ - low_) * (kHeight - kTop - kBottom); }
  void line(double x1, double y1, double x2, double y2, const char* colour) {
    text_ += "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" + number(y2) +
             "\" stroke=\"" + colour + "\"/>\n";
  }
  void label_at(double px, double py, const std::string& text, const char* anchor, const char* colour) {
    text_ += "<text x=\"" + number(px) + "\" y=\"" + number(py) + "\" text-anchor=\"" + anchor + "\" fill=\"" + colour +
             "\">" + text + "</text>\n";
  }

  double low_, high_;
  std::string text_;
};

std::string draw(const Plot& plot) {
  const auto fine = response(plot, 240), coarse = response(plot, 30);
  const auto [least, most] = std::minmax_element(fine.begin(), fine.end());
  const double low = plot.measure == Measure::Scale ? std::min(0.9, *least) : 0.0;
  const double high = std::max(*most * 1.08, low + 0.1);
  const std::string unit = plot.measure == Measure::Rotation   ? "turn from rest, degrees"
                           : plot.measure == Measure::Position ? "distance from rest, cm"
                                                               : "scale along the bone";
  Svg svg(low, high, unit + ": 240 fps (line), 30 fps (dots)",
          plot.shaken ? "grey: root, 8 cm at 1 Hz" : "grey: targets, 60 degrees at 0.75 Hz");
  std::vector<double> driver;
  for (int i = 0; i <= static_cast<int>(kSeconds * 60); ++i) {
    const double share = plot.shaken ? shake(i / 60.0) / 0.08 : turn_degrees(i / 60.0) / 60.0;
    driver.push_back(low + (high - low) * (0.5 + 0.45 * share));
  }
  svg.curve(driver, 60, "#c9ced6", 1.0);
  svg.curve(fine, 240, "#1f4e9c", 1.6);
  svg.dots(coarse, 30);
  return svg.finish();
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "docs/modifiers/plots";
  for (const Plot& plot : kPlots) {
    const auto path = folder / (std::string(plot.slug) + ".svg");
    const std::string text = draw(plot);
    if (const auto written = write_file(path, as_bytes(text)); !written) {
      std::fprintf(stderr, "%s: %s\n", path.string().c_str(), describe(written.error()).c_str());
      return 1;
    }
  }
  return 0;
}
