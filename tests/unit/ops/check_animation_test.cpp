// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>

#include "havok/animation/animation.h"
#include "havok/animation/skeleton.h"
#include "ops/files/check.h"
#include "ops/files/diff.h"
#include "support/clips.h"
#include "support/documents.h"
#include "support/random_blob.h"

using namespace marrow;
using havok::Packfile;

namespace {

std::vector<std::byte> bytes_of(const Packfile& file) { return havok::write_packfile(file).value(); }

Packfile spline_file() {
  const auto blob = test::random_blob(2, {.frames = 300, .tracks = 3, .floats = 1, .every_encoding = false});
  return havok::make_clip_file(test::waving_clip(3, 300), Game::SkyrimSe, &blob).value();
}

std::vector<std::string> codes(const Packfile& file, const CheckOptions& options = {}, Context context = {}) {
  std::vector<std::string> found;
  const auto report = check(bytes_of(file), "mod/a.hkx", options, context);
  for (const Finding& finding : report.value().findings)
    if (finding.level != Level::Info) found.push_back(finding.code);
  return found;
}

using Codes = std::vector<std::string>;

std::vector<Difference> differences_of(const Packfile& a, const Packfile& b) {
  Context context;
  return diff(test::loaded(a, Parts::None), test::loaded(b, Parts::None), {}, context).value().differences;
}

}  // namespace

TEST_CASE("a good clip has nothing wrong, with its skeleton and without") {
  const Packfile file = havok::make_clip_file(test::waving_clip(3, 30), Game::SkyrimSe).value();
  const Document skeleton = test::skeleton_document_of(3);
  CHECK(codes(file).empty());
  CHECK(codes(file, {.skeleton = &skeleton}).empty());
  CHECK(codes(file, {.game = Game::SkyrimLe}) == Codes{"E_POINTER_SIZE"});
}

TEST_CASE("a clip with more tracks than the skeleton has bones is an error, a paired one is not") {
  Clip clip = test::waving_clip(5, 30);
  const Document skeleton = test::skeleton_document_of(3);
  CHECK(codes(havok::make_clip_file(clip, Game::SkyrimSe).value(), {.skeleton = &skeleton}) == Codes{"E_TRACK_BONE"});
  clip.annotation_tracks[4].name = "2_Bone 1";
  CHECK(codes(havok::make_clip_file(clip, Game::SkyrimSe).value(), {.skeleton = &skeleton}).empty());
}

TEST_CASE("a clip for another body is found by the places of its bones, and the skeleton that fits is named") {
  Skeleton human = test::chain_skeleton(20), troll = test::chain_skeleton(12);
  for (Bone& bone : human.bones) bone.rest.translation *= 1.5f;
  const Packfile clip = havok::make_clip_file(test::waving_clip(12, 30), Game::SkyrimSe).value();
  const auto bytes_of_skeleton = [](const Skeleton& skeleton) {
    return bytes_of(havok::make_skeleton_file({&skeleton, 1}, Game::SkyrimSe).value());
  };
  const auto human_bytes = bytes_of_skeleton(human), troll_bytes = bytes_of_skeleton(troll);
  const Document given = test::loaded(human_bytes, Parts::Skeletons, "bodies/human.hkx"),
                 right = test::loaded(troll_bytes, Parts::Skeletons, "bodies/troll.hkx");
  const Lookup lookup(
      [&](const std::string& name, std::size_t) -> Result<test::Bytes> {
        if (name == "bodies/troll.hkx") return troll_bytes;
        return name == "bodies/human.hkx" ? Result<test::Bytes>(human_bytes) : fail(ErrorCode::NotFound, "");
      },
      [](const std::string& folder) {
        return folder == "bodies/" ? std::vector<std::string>{"human.hkx", "troll.hkx"} : std::vector<std::string>{};
      });
  Context context{.lookup = &lookup};
  const Findings findings = check(bytes_of(clip), "mod/a.hkx", {.skeleton = &given}, context).value().findings;
  const auto found = std::ranges::find(findings, "E_OTHER_SKELETON", &Finding::code);
  REQUIRE(found != findings.end());
  CHECK(found->message.ends_with("; bodies/troll.hkx fits it"));
  CHECK(codes(clip, {.skeleton = &right}, context).empty());
}

TEST_CASE("tracks that are bound to other bones than their names say are found") {
  Clip clip = test::waving_clip(3, 30);
  for (std::size_t i = 0; i < 3; ++i) clip.annotation_tracks[i].name = "Bone " + std::to_string(i);
  const Document skeleton = test::skeleton_document_of(3);
  CHECK(codes(havok::make_clip_file(clip, Game::SkyrimSe).value(), {.skeleton = &skeleton}).empty());
  std::swap(clip.annotation_tracks[1].name, clip.annotation_tracks[2].name);
  CHECK(codes(havok::make_clip_file(clip, Game::SkyrimSe).value(), {.skeleton = &skeleton}) == Codes{"W_TRACK_NAME"});
}

TEST_CASE("the rules of another game advise to retarget clips") {
  const auto bytes = bytes_of(havok::make_clip_file(test::waving_clip(3, 30), Game::SkyrimSe).value());
  for (const auto& [game, code] : {std::pair(Game::Fallout4, "E_VERSION"), std::pair(Game::Unity, "E_OTHER_GAME")}) {
    Context context;
    const Findings findings = check(bytes, "a.hkx", {.game = game}, context).value().findings;
    const auto found = std::ranges::find(findings, code, &Finding::code);
    REQUIRE(found != findings.end());
    CHECK(found->cure == Cure{"retarget"});
  }
}

TEST_CASE("events that are not sorted are worth knowing, and no fault: games ship such clips") {
  Clip clip = test::waving_clip(3, 30);
  clip.annotation_tracks[0].annotations = {{0.5f, "b"}, {0.1f, "a"}};
  const auto bytes = bytes_of(havok::make_clip_file(clip, Game::SkyrimSe).value());
  Context context;
  const CheckReport report = check(bytes, "a.hkx", {}, context).value();
  CHECK_FALSE(report.found());
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].code == "I_ANNOTATION_ORDER");
}

TEST_CASE("a local frame on a bone that is not there is an error") {
  Skeleton skeleton = test::chain_skeleton(3);
  skeleton.local_frames = {{"grip", 2, {}}};
  Packfile file = havok::make_skeleton_file({&skeleton, 1}, Game::SkyrimSe).value();
  CHECK(codes(file).empty());
  file.at(havok::find_skeletons(file)[0]).fields().element("localFrames", 0).set_integer("boneIndex", 3);
  CHECK(codes(file) == Codes{"E_LOCAL_FRAME"});
}

TEST_CASE("a track map of another length than the tracks is an error") {
  Clip clip = test::waving_clip(3, 30);
  clip.track_to_bone = {0, 1, 2};
  Packfile file = havok::make_clip_file(clip, Game::SkyrimSe).value();
  const auto binding = havok::find_binding(file, havok::find_animations(file)[0]);
  file.at(binding).fields().set_numbers<std::int16_t>("transformTrackToBoneIndices", std::vector<std::int16_t>{0});
  CHECK(codes(file) == Codes{"E_TRACK_MAP"});
}

TEST_CASE("a clip that nothing plays is an error") {
  Packfile file = havok::make_clip_file(test::waving_clip(3, 30), Game::SkyrimSe).value();
  const auto binding = havok::find_binding(file, havok::find_animations(file)[0]);
  file.at(binding).fields().set_pointer("animation", {});
  CHECK(codes(file) == Codes{"E_NO_BINDING"});
}

TEST_CASE("events past the end and without a text are reported") {
  Clip clip = test::waving_clip(3, 30);
  clip.annotation_tracks[0].annotations = {{5.0f, "late"}, {0.1f, ""}};
  CHECK(codes(havok::make_clip_file(clip, Game::SkyrimSe).value()) == Codes{"W_ANNOTATION_TIME", "W_ANNOTATION_EMPTY"});
}

TEST_CASE("rotations that jump or are not of unit length are reported, once per track") {
  Clip clip = test::waving_clip(3, 30);
  clip.transforms[3 * 10 + 1].rotation = make_quat(0, 1, 0, 0);
  CHECK(codes(havok::make_clip_file(clip, Game::SkyrimSe).value()) == Codes{"W_JUMP"});
  Clip short_clip = test::waving_clip(1, 2);
  short_clip.annotation_tracks.clear();
  Packfile file = havok::make_clip_file(short_clip, Game::SkyrimSe).value();
  std::vector<float> values(24, 0.0f);
  for (const std::size_t at : {7u, 8u, 9u, 10u, 19u, 20u, 21u, 22u}) values[at] = 1.0f;
  values[7] = 2.0f;
  file.at(havok::find_animations(file)[0]).fields().set_numbers<float>("transforms", values);
  CHECK(codes(file) == Codes{"E_NOT_UNIT"});
}

TEST_CASE("blocks of 256 frames instead of 255, and other broken laws of time, are errors") {
  Packfile file = spline_file();
  auto fields = file.at(havok::find_animations(file)[0]).fields();
  CHECK(codes(file).empty());
  fields.set_real("blockDuration", 256.0 / 30);
  CHECK(codes(file) == Codes{"E_BLOCK_STRIDE"});
  fields.set_real("blockDuration", 8.5);
  fields.set_real("duration", 12.0);
  CHECK(codes(file) == Codes{"E_DURATION"});
  fields.set_real("duration", 299.0 / 30);
  fields.set_integer("numBlocks", 3);
  CHECK(codes(file) == Codes{"E_BLOCK_COUNT"});
  fields.set_integer("numBlocks", 2);
  fields.set_numbers<std::uint8_t>("data", std::vector<std::uint8_t>(16));
  CHECK(codes(file) == Codes{"E_MOTION"});
}

TEST_CASE("bones without a name and parents after their children are reported") {
  Skeleton skeleton = test::chain_skeleton(3);
  skeleton.bones[1].name.clear();
  Packfile file = havok::make_skeleton_file({&skeleton, 1}, Game::SkyrimSe).value();
  CHECK(codes(file) == Codes{"W_EMPTY_NAME"});
  file.at(havok::find_skeletons(file)[0])
      .fields()
      .set_numbers<std::int16_t>("parentIndices", std::vector<std::int16_t>{-1, 2, 0});
  CHECK(codes(file) == Codes{"E_SKELETON", "W_EMPTY_NAME"});
}

TEST_CASE("a 32-bit file among 64-bit ones is an error") {
  const Packfile le = havok::make_clip_file(test::waving_clip(3, 30), Game::SkyrimLe).value();
  const auto narrow = bytes_of(le),
             wide = bytes_of(havok::make_clip_file(test::waving_clip(3, 30), Game::SkyrimSe).value());
  std::vector<std::string> folder = {"a.hkx"};
  const auto read = [&](const std::string& name, std::size_t) -> Result<test::Bytes> {
    return name == "mod/a.hkx" ? narrow : wide;
  };
  const auto list = [&](const std::string&) { return folder; };
  const Lookup alone(read, list);
  CHECK(codes(le, {}, {.lookup = &alone}).empty());
  folder = {"a.hkx", "b.hkx", "c.hkx"};
  const Lookup among(read, list);
  CHECK(codes(le, {}, {.lookup = &among}) == Codes{"E_POINTER_SIZE"});
}

TEST_CASE("clips that show the same are no difference, whatever game and encoding they are in") {
  const Clip clip = test::waving_clip(3, 30);
  const Packfile se = havok::make_clip_file(clip, Game::SkyrimSe).value();
  CHECK(differences_of(se, havok::make_clip_file(clip, Game::SkyrimLe).value()).empty());
  CHECK(differences_of(se, havok::make_clip_file(clip, Game::Fallout4).value()).empty());
  Clip other = clip;
  other.track_to_bone = {0, 1, 2};
  CHECK(differences_of(se, havok::make_clip_file(other, Game::SkyrimSe).value()).empty());
}

TEST_CASE("what differs between clips is reported in degrees, units, events and names") {
  const Clip clip = test::waving_clip(3, 30);
  const auto differences = [&](auto change) {
    Clip other = clip;
    change(other);
    return differences_of(havok::make_clip_file(clip, Game::SkyrimSe).value(),
                          havok::make_clip_file(other, Game::SkyrimSe).value());
  };
  const auto moved = differences([](Clip& c) { c.transforms[4].translation.x += 0.5f; });
  REQUIRE(moved.size() == 1);
  CHECK(moved[0].kind == "track");
  CHECK(moved[0].object == "tracks[1]");
  CHECK(moved[0].size.value() == doctest::Approx(0.5));
  CHECK(moved[0].unit == "units");
  const auto renamed = differences([](Clip& c) { c.annotation_tracks[0].annotations[0].text = "FootFront"; });
  CHECK(renamed.size() == 2);
  CHECK(differences([](Clip& c) { c.skeleton_name = "Other"; }).size() == 1);
  CHECK(differences([](Clip& c) { c.root_motion.reset(); }).size() == 1);
  CHECK(differences([](Clip& c) { c.blend_hint = BlendHint::AdditiveDeprecated; }).size() == 1);
}

TEST_CASE("skeletons are compared bone by bone") {
  Skeleton left = test::chain_skeleton(3), right = left;
  right.bones[2].rest.translation.z = 11;
  right.bones[1].name = "Spine";
  const auto file = [](const Skeleton& s, Game game) { return havok::make_skeleton_file({&s, 1}, game).value(); };
  CHECK(differences_of(file(left, Game::SkyrimSe), file(left, Game::Fallout4)).empty());
  const auto found = differences_of(file(left, Game::SkyrimSe), file(right, Game::SkyrimSe));
  CHECK(found.size() == 4);  // Bone 1 is gone, Bone 2 has another parent and place, Spine is new
}

TEST_CASE("local frames that differ are reported") {
  Skeleton skeleton = test::chain_skeleton(3);
  skeleton.local_frames = {{"grip", 1, {}}};
  const auto file = [&] { return havok::make_skeleton_file({&skeleton, 1}, Game::SkyrimSe).value(); };
  const Packfile before = file();
  CHECK(differences_of(before, before).empty());
  skeleton.local_frames[0].place.translation.x = 1.0f;
  skeleton.local_frames.push_back({"foot", 2, {}});
  const auto differences = differences_of(before, file());
  REQUIRE(differences.size() == 2);
  CHECK(differences[0].field == "local_frames[0].position");
  CHECK(differences[1] ==
        Difference{.kind = "skeleton", .object = "skeletons[0]", .field = "local_frames[1]", .right = "foot"});
}
