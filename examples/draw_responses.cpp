// SPDX-License-Identifier: MIT
// Draws how each bone modifier responds: reads the example of every page in docs/modifiers, puts it on a small rig,
// runs it at 240 and at 30 frames per second and writes an SVG file.
//
//     example_draw_responses docs/modifiers docs/modifiers/plots
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numbers>
#include <string>

#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "marrow/motion/evaluate.h"
#include "marrow/motion/sidecar.h"

using namespace marrow;

namespace {

constexpr double kSeconds = 4.0;
constexpr double kPi = std::numbers::pi;

// What moves the rig. Everything starts where it rests.
enum class Drive { Shake, Orbit, Twist };
enum class Measure { Turn, Place, Scale };

struct Response {
  const char* page;
  const char* bone;  // whose motion is drawn
  Drive drive;
  Measure measure;
};

constexpr Response kResponses[] = {
    {"ball-joint", "Hang", Drive::Shake, Measure::Turn},
    {"hinge", "Hang", Drive::Shake, Measure::Turn},
    {"pendulum", "Hang", Drive::Shake, Measure::Turn},
    {"spring-box", "Hang", Drive::Shake, Measure::Place},
    {"hinge-vector", "Aim", Drive::Orbit, Measure::Turn},
    {"position-constraint", "Side", Drive::Orbit, Measure::Place},
    {"orientation-constraint", "Side", Drive::Orbit, Measure::Turn},
    {"rotation-constraint", "Side", Drive::Orbit, Measure::Turn},
    {"spline-constraint", "Side", Drive::Orbit, Measure::Place},
    {"max-look-at", "Side", Drive::Orbit, Measure::Turn},
    {"anvil-look-at", "Aim", Drive::Orbit, Measure::Turn},
    {"look-at", "Aim", Drive::Orbit, Measure::Turn},
    {"follow", "Side", Drive::Orbit, Measure::Place},
    {"compress", "Side", Drive::Orbit, Measure::Turn},
    {"stretch", "Side", Drive::Orbit, Measure::Scale},
    {"rotation-paste", "Side", Drive::Orbit, Measure::Turn},
    {"roll", "Cuff", Drive::Twist, Measure::Turn},
    {"rotation-expression", "Side", Drive::Twist, Measure::Turn},
};

Quat turn_about(Vec3 axis, double degrees) { return glm::angleAxis(static_cast<float>(degrees * kPi / 180.0), axis); }

// Metres, Z up, bones along X as in Anvil; docs/modifiers/README.md describes it.
Skeleton make_skeleton() {
  Skeleton skeleton;
  skeleton.name = "Root";
  const auto add = [&](const char* name, std::int32_t parent, Vec3 place, Quat turn = make_quat(0, 0, 0, 1)) {
    Bone bone;
    bone.name = name;
    bone.parent = parent;
    bone.rest = {place, turn};
    skeleton.bones.push_back(bone);
    return static_cast<std::int32_t>(skeleton.bones.size()) - 1;
  };
  const std::int32_t root = add("Root", kNoBone, {0, 0, 1.5f});
  const std::int32_t hang = add("Hang", root, {0.2f, 0, 0}, turn_about({0, 1, 0}, 90));
  add("HangTip", hang, {0.25f, 0, 0});
  add("Aim", root, {0, 0, 0});
  add("Side", root, {0, 0.3f, 0});
  add("Target", root, {0.5f, 0, 0});
  add("Post", root, {0, -0.4f, 0});
  const std::int32_t twist = add("Twist", root, {0.3f, 0, 0.2f});
  add("Cuff", twist, {0.2f, 0, 0});
  return skeleton;
}

double shake_cm(double t) { return 8.0 * std::sin(2.0 * kPi * t); }
double turn_degrees(double t) { return 60.0 * std::sin(kPi * t); }

std::vector<Transform> driven_pose(const Skeleton& skeleton, Drive drive, double t) {
  std::vector<Transform> pose;
  for (const Bone& bone : skeleton.bones) pose.push_back(bone.rest);
  const auto bone = [&](const char* name) -> Transform& {
    return pose[static_cast<std::size_t>(*find_bone(skeleton, name))];
  };
  if (drive == Drive::Shake) bone("Root").translation.x += static_cast<float>(0.01 * shake_cm(t));
  if (drive == Drive::Twist) bone("Twist").rotation = turn_about({1, 0, 0}, turn_degrees(t));
  if (drive == Drive::Orbit) {
    const Quat turn = turn_about({0, 0, 1}, turn_degrees(t));
    bone("Target").rotation = turn;
    bone("Target").translation = turn * bone("Target").translation;
  }
  return pose;
}

using Row = std::array<double, 3>;

// Degrees about the bone's own axes, centimetres along the parent's, or scale, from where the run starts.
Row measured(const Response& response, const Transform& start, const Transform& now, const Vec3& stretch) {
  if (response.measure == Measure::Scale) return {stretch.x, stretch.y, stretch.z};
  if (response.measure == Measure::Place) {
    const Vec3 moved = 100.0f * (now.translation - start.translation);
    return {moved.x, moved.y, moved.z};
  }
  glm::dquat turn = glm::conjugate(glm::dquat(start.rotation)) * glm::dquat(now.rotation);
  if (turn.w < 0.0) turn = -turn;
  const glm::dvec3 axis(turn.x, turn.y, turn.z);
  const double sine = glm::length(axis), degrees = 2.0 * std::atan2(sine, turn.w) * 180.0 / kPi;
  const glm::dvec3 v = sine > 1e-9 ? axis * (degrees / sine) : glm::dvec3(0.0);
  return {v.x, v.y, v.z};
}

std::vector<Row> run(const Response& response, const Rig& rig, const motion::CompiledRig& compiled, double rate) {
  motion::State state(compiled);
  const auto bone = static_cast<std::size_t>(*find_bone(rig.skeleton, response.bone));
  std::vector<Row> rows;
  Transform start;
  std::vector<Transform> out(compiled.bone_count());
  std::vector<Vec3> stretch(compiled.bone_count());
  for (int i = 0; i <= static_cast<int>(kSeconds * rate); ++i) {
    const auto pose = driven_pose(rig.skeleton, response.drive, i / rate);
    const motion::EvaluateJob job{.rig = &compiled,
                                  .state = &state,
                                  .delta_seconds = i == 0 ? 0.0 : 1.0 / rate,
                                  .input = pose,
                                  .output = out,
                                  .stretch = stretch};
    job.run();
    if (i == 0) start = out[bone];
    rows.push_back(measured(response, start, out[bone], stretch[bone]));
  }
  return rows;
}

// A box of a drawing with a scale of its own.
struct Panel {
  double top, bottom, low, high;
  double y(double value) const { return bottom - (value - low) / (high - low) * (bottom - top); }
};

class Drawing {
 public:
  static constexpr double kWidth = 720, kLeft = 58, kRight = 18;

  void line(double x1, double y1, double x2, double y2, const char* colour) {
    body_ += "<path d=\"M" + number(x1) + " " + number(y1) + "L" + number(x2) + " " + number(y2) + "\" stroke=\"" +
             colour + "\"/>\n";
  }
  void words(double x, double y, const std::string& text, const char* anchor, const char* colour,
             const char* more = "") {
    body_ += "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\" fill=\"" + colour +
             "\"" + more + ">" + text + "</text>\n";
  }
  void curve(const Panel& panel, const std::vector<double>& values, const char* colour, double width) {
    body_ += "<polyline fill=\"none\" stroke=\"" + std::string(colour) + "\" stroke-width=\"" + number(width) +
             "\" points=\"";
    for (std::size_t i = 0; i < values.size(); ++i)
      body_ += number(x_of(i, values.size())) + "," + number(panel.y(values[i])) + " ";
    body_ += "\"/>\n";
  }
  void dots(const Panel& panel, const std::vector<double>& values, const char* colour) {
    for (std::size_t i = 0; i < values.size(); ++i)
      body_ += "<circle r=\"2\" fill=\"" + std::string(colour) + "\" cx=\"" + number(x_of(i, values.size())) +
               "\" cy=\"" + number(panel.y(values[i])) + "\"/>\n";
  }
  void axes(const Panel& panel, const std::string& unit, int ticks, bool times) {
    const double step = tick((panel.high - panel.low) / ticks);
    for (double v = std::ceil(panel.low / step - 1e-9) * step; v <= panel.high + 1e-9 * step; v += step) {
      line(kLeft, panel.y(v), kWidth - kRight, panel.y(v), std::abs(v) < 1e-9 * step ? "#aab1bb" : "#e3e6ea");
      words(kLeft - 7, panel.y(v) + 4, number(v), "end", "#57606a");
    }
    for (int t = 0; t <= static_cast<int>(kSeconds); ++t) {
      const double x = kLeft + t / kSeconds * (kWidth - kLeft - kRight);
      line(x, panel.top, x, panel.bottom, "#e3e6ea");
      if (times) words(x, panel.bottom + 16, number(t), "middle", "#57606a");
    }
    if (times) words((kLeft + kWidth - kRight) / 2, panel.bottom + 32, "seconds", "middle", "#57606a");
    const std::string at = number(14) + " " + number((panel.top + panel.bottom) / 2);
    body_ += "<text transform=\"translate(" + at + ") rotate(-90)\" text-anchor=\"middle\" fill=\"#57606a\">" + unit +
             "</text>\n";
  }
  std::string finish() const {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 330\" font-family=\"sans-serif\" "
           "font-size=\"12\">\n<rect width=\"720\" height=\"330\" fill=\"#ffffff\"/>\n" +
           body_ + "</svg>\n";
  }

 private:
  static double x_of(std::size_t i, std::size_t count) {
    return kLeft + static_cast<double>(i) / static_cast<double>(count - 1) * (kWidth - kLeft - kRight);
  }
  // 1, 2 or 5 times a power of ten, at least so much.
  static double tick(double rough) {
    const double scale = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
      if (factor * scale >= rough) return factor * scale;
    return 10.0 * scale;
  }
  static std::string number(double value) {
    return float_text(static_cast<float>(std::round(value * 100.0) / 100.0 + 0.0));
  }

  std::string body_;
};

std::vector<double> column(const std::vector<Row>& rows, std::size_t index) {
  std::vector<double> values;
  for (const Row& row : rows) values.push_back(row[index]);
  return values;
}

std::string draw(const Response& response, const std::vector<Row>& fine, const std::vector<Row>& coarse) {
  constexpr const char* kColours[] = {"#c2410c", "#15803d", "#1d4ed8"};
  Drawing drawing;
  const bool shaken = response.drive == Drive::Shake;
  const double most_driven = shaken ? 8.0 : 60.0;
  const Panel in{28, 78, -1.25 * most_driven, 1.25 * most_driven};
  drawing.axes(in, shaken ? "cm" : "degrees", shaken ? 2 : 3, false);
  std::vector<double> driven;
  for (int i = 0; i <= 240; ++i) driven.push_back(shaken ? shake_cm(i / 60.0) : turn_degrees(i / 60.0));
  drawing.curve(in, driven, "#57606a", 1.4);
  drawing.words(Drawing::kLeft, 18,
                shaken                           ? "in: Root, along X"
                : response.drive == Drive::Orbit ? "in: Target, about Z of Root"
                                                 : "in: Twist, about its X",
                "start", "#57606a");

  double low = response.measure == Measure::Scale ? 1.0 : 0.0, high = low;
  for (const Row& row : fine)
    for (const double value : row) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  const double margin = std::max(0.06 * (high - low), 1e-3);
  const Panel out{112, 290, low - margin, high + margin};
  constexpr const char* kUnits[] = {"degrees", "cm", "scale"};
  drawing.axes(out, kUnits[static_cast<std::size_t>(response.measure)], 5, true);
  constexpr const char* kSaid[] = {"turned about its own axes", "moved along the axes of its parent",
                                   "scaled along its axes"};
  drawing.words(Drawing::kLeft, 102,
                "out: " + std::string(response.bone) + ", " + kSaid[static_cast<std::size_t>(response.measure)] +
                    "; line 240, dots 30 frames per second",
                "start", "#57606a");
  double legend = Drawing::kWidth - Drawing::kRight;
  for (std::size_t axis = 3; axis-- > 0;) {
    const auto values = column(fine, axis);
    const auto [least, most] = std::ranges::minmax(values);
    // What hardly moves is not worth a line, unless nothing else does.
    if (most - least < 0.01 * (high - low)) continue;
    drawing.curve(out, values, kColours[axis], 1.6);
    drawing.dots(out, column(coarse, axis), kColours[axis]);
    drawing.words(legend, 102, std::string(1, "XYZ"[axis]), "end", kColours[axis], " font-weight=\"bold\"");
    legend -= 20;
  }
  return drawing.finish();
}

// The JSON of a page: the block that is fenced as such.
std::string example_of(std::string_view page) {
  constexpr std::string_view kOpen = "```json\n", kClose = "```";
  const std::size_t begin = page.find(kOpen);
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = page.substr(begin + kOpen.size());
  return std::string(rest.substr(0, rest.find(kClose)));
}

Result<void> draw_page(const Response& response, const std::filesystem::path& pages,
                       const std::filesystem::path& folder) {
  auto page = read_file((pages / response.page).replace_extension(".md"));
  if (!page) return std::unexpected(page.error());
  Rig rig;
  rig.skeleton = make_skeleton();
  const std::string json = example_of(as_text(*page));
  if (auto applied = motion::apply_sidecar(as_bytes(json), rig); !applied) return std::unexpected(applied.error());
  Notes notes;
  const auto compiled = motion::CompiledRig::compile(rig, {}, &notes);
  if (!compiled) return std::unexpected(compiled.error());
  if (!notes.empty()) return fail(ErrorCode::Malformed, notes[0].message, kNoOffset, notes[0].path);
  const auto fine = run(response, rig, *compiled, 240), coarse = run(response, rig, *compiled, 30);
  if (std::ranges::all_of(fine, [&](const Row& row) { return row == fine[0]; }))
    return fail(ErrorCode::Malformed, "the example moves nothing");
  const std::string text = draw(response, fine, coarse);
  return write_file((folder / response.page).replace_extension(".svg"), as_bytes(text));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: example_draw_responses PAGES FOLDER\n");
    return 2;
  }
  int failures = 0;
  for (const Response& response : kResponses)
    if (const auto drawn = draw_page(response, argv[1], argv[2]); !drawn) {
      std::fprintf(stderr, "%s: %s\n", response.page, describe(drawn.error()).c_str());
      ++failures;
    }
  return failures == 0 ? 0 : 1;
}
