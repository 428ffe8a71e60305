// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "exchange/bvh/read.h"

using namespace marrow;

namespace {

constexpr std::string_view kArm = R"(hierarchy
ROOT Hips Upper {
  OFFSET 1 2 3
  CHANNELS 6 Zrotation Xrotation Yrotation Xposition Yposition Zposition
  JOINT	Arm
  {
    OFFSET 0 10 0
    CHANNELS 3 Xrotation Yrotation Zrotation
    End Site
    { OFFSET 0 5 0 }
  }
}
MOTION
Frames:	3
Frame Time: .5
90 0 0  4 5 6   0 0 0
90 90 0 8 5 6   0 90 0
90 90 0 8 5 -9.2e-007   0 90 0
)";

Result<std::shared_ptr<const MotionSource>> read(std::string_view text) {
  Notes notes;
  return bvh::read_bvh(text, {}, notes);
}

}  // namespace

TEST_CASE("joints of a BVH are bones with the names and offsets of the file") {
  const auto source = read(kArm);
  REQUIRE(source);
  const MotionSource& bvh = **source;
  REQUIRE(bvh.bones.size() == 2);
  CHECK(bvh.bones[0].name == "Hips Upper");
  CHECK(bvh.bones[1].name == "Arm");
  CHECK(bvh.bones[1].parent == 0);
  CHECK(bvh.bones[1].bind.translation == Vec3(0, 10, 0));
  REQUIRE(bvh.clips.size() == 1);
  CHECK(bvh.clips[0].frame_count == 3);
  CHECK(bvh.clips[0].duration_seconds() == doctest::Approx(1.0));
}

TEST_CASE("rotations multiply in the order of the channels, and positions replace the offset") {
  const auto source = read(kArm);
  REQUIRE(source);
  SourcePose pose;
  (*source)->evaluate(0, 0.5, pose);
  CHECK(pose.local[0].translation == Vec3(8, 5, 6));
  // Rz(90) Rx(90): x goes to y, y to z, z to x.
  const Quat& turn = pose.local[0].rotation;
  CHECK(glm::distance(turn * Vec3(1, 0, 0), Vec3(0, 1, 0)) < 1e-6f);
  CHECK(glm::distance(turn * Vec3(0, 1, 0), Vec3(0, 0, 1)) < 1e-6f);
  CHECK(pose.local[1].translation == Vec3(0, 10, 0));
  CHECK(glm::distance(pose.local[1].rotation * Vec3(0, 0, 1), Vec3(1, 0, 0)) < 1e-6f);
}

TEST_CASE("between frames of a BVH positions are linear and rotations take the shorter way") {
  const auto source = read(kArm);
  REQUIRE(source);
  SourcePose pose;
  (*source)->evaluate(0, 0.25, pose);
  CHECK(glm::distance(pose.local[0].translation, Vec3(6, 5, 6)) < 1e-6f);
  CHECK(angle_degrees(pose.local[1].rotation, glm::angleAxis(std::numbers::pi_v<float> / 4, Vec3(0, 1, 0))) < 1e-4f);
}

TEST_CASE("a BVH becomes a skeleton with Z up in game units") {
  const auto source = read(kArm);
  REQUIRE(source);
  Notes notes;
  const Skeleton skeleton = skeleton_from(**source, {}, notes);
  CHECK(glm::distance(skeleton.bones[0].rest.translation, Vec3(1, -3, 2) / 1.428f) < 1e-5f);
  CHECK(glm::distance(skeleton.bones[1].rest.translation, Vec3(0, 10, 0) / 1.428f) < 1e-5f);
  const auto clip = clip_from(**source, 0, 30.0, {}, {});
  REQUIRE(clip);
  CHECK(clip->frame_count == 31);
  CHECK(glm::distance(clip->frame(0)[0].translation, Vec3(4, -6, 5) / 1.428f) < 1e-5f);
}

TEST_CASE("a BVH that is cut short or wrong is refused with its line") {
  for (std::size_t length = 0; length + 3 < kArm.size(); ++length) {
    const auto source = read(kArm.substr(0, length));
    // A number that is cut is still a number.
    if (source) CHECK(length + 16 > kArm.size());
  }
  const auto replaced = [](std::string_view from, std::string_view to) {
    std::string text(kArm);
    text.replace(text.find(from), from.size(), to);
    return read(text);
  };
  for (const auto& [from, to] : {std::pair{".5\n", "0\n"},
                                 {".5\n", "-1\n"},
                                 {"Zrotation", "Wrotation"},
                                 {"90 0 0", "nan 0 0"},
                                 {"90 0 0", "inf 0 0"},
                                 {"Frames:\t3", "Frames:\t4000000000"},
                                 {"CHANNELS 6", "CHANNELS 4000000000"},
                                 {"{\n    OFFSET 0 10", "OFFSET 0 10"}}) {
    const auto source = replaced(from, to);
    REQUIRE_FALSE(source);
    CHECK(source.error().path.starts_with("line "));
  }
  CHECK(replaced("Frames:\t3", "Frames:\t0").value()->clips.empty());
}

TEST_CASE("positions that stay at 0 under an offset are noted, and so are numbers too many") {
  std::string text(kArm);
  for (const char* row : {"4 5 6 ", "8 5 6 ", "8 5 -9.2e-007 "})
    text.replace(text.find(row), std::string_view(row).size(), "0 0 0 ");
  Notes notes;
  REQUIRE(bvh::read_bvh(text + "7 8 9\n", {}, notes));
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].message.contains("more numbers"));
  CHECK(notes[1].message.contains("Hips Upper"));
}

TEST_CASE("braces and colons of a BVH may touch what is beside them, or stand apart") {
  const auto right = read(kArm);
  REQUIRE(right);
  const auto changed = [](std::initializer_list<std::pair<std::string_view, std::string_view>> all) {
    std::string text(kArm);
    for (const auto& [from, to] : all)
      for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
  };
  const std::string head = changed({{"\n", " "}});
  const std::string one_line = head.substr(0, head.find("MOTION")) + std::string(kArm.substr(kArm.find("MOTION")));
  for (const std::string& text :
       {changed({{"Upper {\n", "Upper{"}}), changed({{"0 5 0 }", "0 5 0}"}}), changed({{"}\n  }\n}", "}}}"}}),
        changed({{"Frames:", "Frames : "}, {"Frame Time:", "Frame Time :"}}),
        changed({{"Frame Time: ", "FRAME TIME:"}}), one_line}) {
    REQUIRE(text != kArm);
    const auto source = read(text);
    REQUIRE_MESSAGE(source, text);
    REQUIRE((*source)->bones.size() == 2);
    CHECK((*source)->bones[0].name == "Hips Upper");
    CHECK((*source)->bones[1].name == "Arm");
    SourcePose a, b;
    (*right)->evaluate(0, 0.5, a);
    (*source)->evaluate(0, 0.5, b);
    CHECK(a.local == b.local);
  }
}
