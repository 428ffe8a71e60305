// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "anvil/skeleton.h"
#include "core/json.h"
#include "marrow/core/file.h"
#include "marrow/geometry/solids/shapes.h"
#include "marrow/marrow.h"
#include "marrow/model/modifiers.h"
#include "marrow/ops/document/load.h"
#include "support/corpus.h"
#include "support/documents.h"
#include "support/nif_sample.h"

using namespace marrow;
using test::Bytes;
namespace fs = std::filesystem;

namespace {

/// A folder that is gone when the test is over.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("marrow_file_" + std::to_string(std::random_device{}()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const char* name) const { return (path_ / name).string(); }
  std::string put(const char* name, std::span<const std::byte> bytes) const {
    REQUIRE(write_file(path_ / name, bytes));
    return *this / name;
  }
  Bytes get(const char* name) const { return read_file(path_ / name).value(); }

 private:
  fs::path path_;
};

geometry::TriangleMesh pyramid() {
  return {.vertices = {{-10, -10, 0}, {10, -10, 0}, {10, 10, 0}, {-10, 10, 0}, {0, 0, 30}},
          .triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}},
          .materials = {}};
}

std::string rig_path() { return "examples/anvil/addon_hair_strand.xml"; }

/// The name of a bone that has a ball joint.
std::string swinging_bone(const File& rig) {
  for (const anvil::Bone& bone : rig.document().anvil()->bones)
    for (const anvil::Modifier& modifier : bone.modifiers)
      if (modifier.type() == ModifierType::BallJoint) return bone.name.text;
  return {};
}

}  // namespace

TEST_CASE("a file that nobody changed is saved as it was") {
  const Folder folder;
  const Bytes clip = test::saved(test::clip_document(5, 40));
  auto file = load_file(folder.put("walk.hkx", clip));
  REQUIRE(file);
  CHECK(file->document().clips.size() == 1);
  REQUIRE(save_file(*file, folder / "again.hkx"));
  CHECK(folder.get("again.hkx") == clip);
}

TEST_CASE("the extension of a file chooses its format") {
  const Folder folder;
  auto file = load_file(folder.put("walk.hkx", test::saved(test::clip_document(5, 40))));
  REQUIRE(file);
  REQUIRE(save_file(*file, folder / "walk.xml"));
  CHECK(detect(folder.get("walk.xml")) == Format::Xml);
  REQUIRE(save_file(*file, folder / "le.hkx", {.game = Game::SkyrimLe}));
  CHECK(load_file(folder / "le.hkx")->document().game == Game::SkyrimLe);
}

TEST_CASE("a missing and a damaged file are errors that name the file, and nothing is written") {
  const Folder folder;
  const auto missing = load_file(folder / "none.hkx");
  REQUIRE(!missing);
  CHECK(missing.error().file == folder / "none.hkx");
  Bytes bytes = test::saved(test::clip_document(5, 40));
  bytes.resize(bytes.size() / 2);
  const auto damaged = load_file(folder.put("half.hkx", bytes));
  REQUIRE(!damaged);
  CHECK(damaged.error().file == folder / "half.hkx");

  auto file = load_file(folder.put("walk.hkx", test::saved(test::clip_document(5, 40))));
  REQUIRE(file);
  CHECK(!save_file(*file, folder / "walk.nif"));
  CHECK(!fs::exists(folder / "walk.nif"));
}

TEST_CASE("collision is added to a node of a NIF with one call") {
  const Folder folder;
  const std::string path = folder.put("chair.nif", write_nif(test::sample_nif()));
  auto nif = load_file(path);
  REQUIRE(nif);
  const auto added =
      add_collision(*nif, pyramid(), {.node = "Door", .shape = BuildShape::Hull, .material = "wood", .mass_kg = 8.0f});
  REQUIRE_MESSAGE(added.has_value(), (added ? "" : describe(added.error())));
  REQUIRE(save_file(*nif, folder / "out.nif"));

  const auto back = load_file(folder / "out.nif");
  REQUIRE(back);
  REQUIRE(back->document().collision.size() == 1);
  const DocumentCollision& collision = back->document().collision.front();
  REQUIRE(collision.system.bodies.size() == 1);
  CHECK(collision.nodes.front().name == "Door");
  CHECK(mass_of(collision.system, collision.system.bodies.front()) == doctest::Approx(8.0f));

  const Document before = nif->document();
  for (const char* node : {"Door", "No such node"}) {
    CHECK(!add_collision(*nif, pyramid(), {.node = node}));
    CHECK(nif->document() == before);  // a failure changes nothing
  }
}

TEST_CASE("a modifier is found by its type, and what is changed in it is saved") {
  const Folder folder;
  auto rig = load_file(rig_path());
  REQUIRE(rig);
  const std::string bone = swinging_bone(*rig);
  REQUIRE(!bone.empty());
  auto* joint = rig->modifier<BallJointModifier>(bone);
  REQUIRE(joint);
  joint->mass = 2.5f;
  REQUIRE(save_file(*rig, folder / "out.xml"));
  auto back = load_file(folder / "out.xml");
  REQUIRE(back);
  CHECK(back->modifier<BallJointModifier>(bone)->mass == 2.5f);
  CHECK(back->modifier<PendulumModifier>(bone) == nullptr);
  CHECK(back->modifier<BallJointModifier>("No such bone") == nullptr);
  // Nothing else has changed.
  const auto original = load_file(rig_path());
  REQUIRE(original);
  const auto report = run(*back, "diff", "{}", {{"b", *original}});
  REQUIRE_MESSAGE(report.has_value(), (report ? "" : describe(report.error())));
  CHECK(report->found);
  CHECK(parse_json(report->report)->find("differences")->size() == 1);
}

TEST_CASE("a document that is shared is not changed by a modifier of its copy") {
  auto rig = load_file(rig_path());
  REQUIRE(rig);
  const std::string bone = swinging_bone(*rig);
  File copy{Document(rig->document())};
  copy.modifier<BallJointModifier>(bone)->mass = 77.0f;
  CHECK(rig->modifier<BallJointModifier>(bone)->mass != 77.0f);
  CHECK(copy.modifier<BallJointModifier>(bone)->mass == 77.0f);
}

TEST_CASE("every operation is run by name on a file in memory") {
  const Folder folder;
  auto clip = load_file(folder.put("walk.hkx", test::saved(test::clip_document(5, 40))));
  REQUIRE(clip);
  const auto trimmed = run(*clip, "clip trim", R"({"from":0.5})");
  REQUIRE_MESSAGE(trimmed.has_value(), (trimmed ? "" : describe(trimmed.error())));
  CHECK(clip->document().clips.front().clip.frame_count < 40);
  const auto dumped = run(*clip, "dump");
  REQUIRE(dumped);
  REQUIRE(dumped->files.size() == 1);
  CHECK(dumped->files.front().name == "walk.txt");

  const Document before = clip->document();
  const auto wrong = run(*clip, "clip trim", R"({"from":"soon"})");
  REQUIRE(!wrong);
  CHECK(wrong.error().code == ErrorCode::BadOption);
  CHECK(run(*clip, "clip rtim").error().code == ErrorCode::NotFound);
  CHECK(run(*clip, "dump", "{}", {{"bone", *clip}}).error().code == ErrorCode::InvalidArgument);
  CHECK(clip->document() == before);
}
