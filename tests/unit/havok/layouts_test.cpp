// SPDX-License-Identifier: MIT
// Every layout of a header with every version: the same clip and skeleton, written and read back by each path.
#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "havok/animation/animation.h"
#include "havok/animation/make_file.h"
#include "havok/animation/skeleton.h"
#include "havok/object/compare.h"
#include "havok/object/game.h"
#include "havok/object/transcribe.h"
#include "havok/object/version.h"
#include "havok/text/dump.h"
#include "havok/text/json.h"
#include "havok/text/xml.h"

using namespace marrow;
using namespace marrow::havok;

namespace {

constexpr std::array<std::string_view, 8> kLayouts = {"4001", "4011", "4101", "4111", "8001", "8011", "8101", "8111"};

using Bytes = std::vector<std::byte>;

Clip sample_clip() {
  Clip clip;
  clip.skeleton_name = "Root";
  clip.frame_count = 4;
  clip.duration_seconds = 0.1f;
  clip.track_count = 2;
  for (int i = 0; i < 8; ++i)
    clip.transforms.push_back({{0.5f * static_cast<float>(i), 1.0f, -2.0f}, make_quat(0, 0, 0, 1), Vec3(1.0f)});
  clip.track_to_bone = {1, 0};
  clip.annotation_tracks = {{"a", {{0.05f, "Foot"}}}, {"b", {}}};
  clip.root_motion = RootMotion{.duration_seconds = 0.1f, .samples = {{0, 0, 0, 0}, {1, 2, 3, 0.5f}}};
  return clip;
}

Skeleton sample_skeleton() {
  Skeleton skeleton;
  skeleton.name = "Root";
  skeleton.bones = {{"Root", -1, {{1, 2, 3}, make_quat(0, 0, 0, 1), Vec3(1.0f)}, true},
                    {"Arm", 0, {{0, 0, 4}, make_quat(0, 1, 0, 0), Vec3(1.0f)}, false}};
  return skeleton;
}

codec::SplineBlob sample_spline() {
  codec::SplineBlob blob{.frame_count = 4, .blocks = {codec::SplineBlock{}}};
  for (float place : {1.0f, -3.0f}) {
    codec::TransformTrack track;
    track.translation.flags = codec::kStaticAxis;
    track.translation.range[0] = {place, place};
    blob.blocks[0].transforms.push_back(track);
  }
  return blob;
}

Packfile clip_file(const HavokVersion& version, std::string_view layout, const codec::SplineBlob* motion = nullptr) {
  return make_clip_file_of(sample_clip(), *builtin_schema(version.name), *parse_layout(layout), motion).value();
}

Packfile skeleton_file(const HavokVersion& version, std::string_view layout) {
  const std::array skeletons = {sample_skeleton()};
  return make_skeleton_file_of(skeletons, *builtin_schema(version.name), *parse_layout(layout)).value();
}

std::uint32_t offset_of(std::string_view version, std::string_view layout, std::string_view type,
                        std::string_view member) {
  const Class* found = builtin_schema(version)->find(type, *parse_layout(layout));
  REQUIRE(found);
  if (member.empty()) return found->layout.file_size[parse_layout(layout)->index()];
  REQUIRE(found->find(member));
  return found->find(member)->file_offset[parse_layout(layout)->index()];
}

/// What a version does in all its layouts, for the table of the documentation.
struct Row {
  int written = 0, skeletons = 0, frames = 0, splines = 0, relaid = 0, xml = 0, json = 0;
};

bool reads_alike(const Clip& back, const HavokVersion& version) {
  Clip wanted = sample_clip();
  if (!builtin_schema(version.name)->find("hkaAnimationBinding")->find("originalSkeletonName"))
    wanted.skeleton_name = "";
  return back.transforms == wanted.transforms && back.annotation_tracks == wanted.annotation_tracks &&
         back.track_to_bone == wanted.track_to_bone && back.root_motion == wanted.root_motion &&
         back.skeleton_name == wanted.skeleton_name && back.duration_seconds == wanted.duration_seconds;
}

void try_layout(const HavokVersion& version, std::string_view layout, Row& row) {
  const Packfile file = clip_file(version, layout), bones = skeleton_file(version, layout);
  const Bytes bytes = write_packfile(file).value();
  for (std::size_t i = 0; i < 4; ++i) REQUIRE(std::to_integer<int>(bytes[0x10 + i]) == layout[i] - '0');
  const Packfile back = read_packfile(bytes).value();
  row.written += compare(file, back).empty() && write_packfile(back).value() == bytes;
  row.frames += reads_alike(read_clip(back, find_animations(back).at(0)).value(), version);
  const Packfile bones_back = read_packfile(write_packfile(bones).value()).value();
  row.skeletons += read_skeleton(bones_back, find_skeletons(bones_back).at(0)).value() == sample_skeleton();
  const codec::SplineBlob blob = sample_spline();
  const Packfile curves = read_packfile(write_packfile(clip_file(version, layout, &blob)).value()).value();
  const Clip decoded = read_clip(curves, find_animations(curves).at(0)).value();
  row.splines += decoded.frame_count == 4 && decoded.transforms[7].translation.x == -3.0f;
  bool is_same = true;
  for (const std::string_view other : kLayouts)
    is_same &= write_packfile(with_layout(back, *parse_layout(other)).value()).value() ==
               write_packfile(read_packfile(write_packfile(clip_file(version, other)).value()).value()).value();
  row.relaid += is_same;
  row.xml += write_packfile(read_xml(write_xml(back).value()).value()).value() == bytes;
  row.json += write_packfile(read_json(as_bytes(dump_json(back))).value()).value() == bytes;
}

std::string cell(int count) { return count == 8 ? "all 8" : std::to_string(count) + " of 8"; }

constexpr std::string_view kBegin = "<!-- begin: made by the tests -->\n", kEnd = "<!-- end -->";

}  // namespace

TEST_CASE("offsets of members are those of the versions and layouts that were measured") {
  CHECK(offset_of("Havok-5.5.0-r1", "4101", "hkaSkeleton", "") == 0x24);
  CHECK(offset_of("Havok-5.5.0-r1", "8101", "hkaSkeleton", "referencePose") == 0x28);
  CHECK(offset_of("Havok-6.6.0-r1", "4101", "hkaSkeleton", "") == 0x2C);
  CHECK(offset_of("Havok-7.1.0-r1", "4101", "hkaSkeleton", "referencePose") == 0x24);
  CHECK(offset_of("hk_2014.1.0-r1", "8111", "hkaSkeleton", "") == 0x88);
  CHECK(offset_of("Havok-5.5.0-r1", "8101", "hkaAnimation", "type") == 0x10);
  CHECK(offset_of("Havok-5.5.0-r1", "8111", "hkaAnimation", "type") == 0xC);
  CHECK(offset_of("Havok-5.5.0-r1", "8111", "hkaAnimation", "extractedMotion") == 0x20);
  CHECK(offset_of("Havok-5.5.0-r1", "8111", "hkaSplineSkeletalAnimation", "numFrames") == 0x34);
  CHECK(offset_of("Havok-5.5.0-r1", "8111", "hkaSplineSkeletalAnimation", "") == 0xA8);
  CHECK(offset_of("Havok-5.5.0-r1", "8101", "hkaSplineSkeletalAnimation", "endian") == 0xA8);
  CHECK(offset_of("hk_2014.1.0-r1", "8111", "hkaSplineCompressedAnimation", "numFrames") == 0x38);
  CHECK(offset_of("Havok-5.5.0-r1", "8111", "hkaDeltaCompressedSkeletalAnimation", "dataBuffer") == 0x70);
  CHECK(offset_of("Havok-6.6.0-r1", "4101", "hkaDeltaCompressedAnimation", "dataBuffer") == 0x68);
  CHECK(offset_of("Havok-7.1.0-r1", "4101", "hkaDeltaCompressedAnimation", "") == 0x78);
  CHECK(offset_of("Havok-5.5.0-r1", "8101", "hkaAnimationBinding", "blendHint") == 0x24);
  CHECK(offset_of("hk_2014.1.0-r1", "8111", "hkaAnimationBinding", "") == 0x58);
  CHECK(offset_of("hk_2014.1.0-r1", "8111", "hkaDefaultAnimatedReferenceFrame", "up") == 0x10);
  CHECK(offset_of("hk_2014.1.0-r1", "8101", "hkaDefaultAnimatedReferenceFrame", "up") == 0x20);
  CHECK(offset_of("Havok-5.5.0-r1", "4111", "hkaDefaultAnimatedReferenceFrame", "") == 0x40);
}

TEST_CASE("the same clip in every version and layout is read back by each path, as the documentation says") {
  std::string table =
      "| version | files at hand | written and read back | skeletons | frames | splines | in every other layout | "
      "through XML | through JSON |\n|---|---|---|---|---|---|---|---|---|\n";
  for (const HavokVersion& version : havok_versions()) {
    CAPTURE(version.name);
    Row row;
    for (const std::string_view layout : kLayouts) {
      CAPTURE(layout);
      try_layout(version, layout, row);
    }
    table += "| " + std::string(version.name) + " | " + (version.is_tested ? "yes" : "no") + " | ";
    for (const int count : {row.written, row.skeletons, row.frames, row.splines, row.relaid, row.xml, row.json}) {
      CHECK(count == 8);
      table += cell(count) + " | ";
    }
    table.back() = '\n';
  }
  const char* source = std::getenv("MARROW_LAYOUT_TABLE");
  const std::string path = source ? source : MARROW_DOCS "/formats/layouts.md";
  std::ifstream in(path);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  const std::size_t begin = text.find(kBegin), end = text.find(kEnd);
  REQUIRE_MESSAGE((begin != std::string::npos && end != std::string::npos), path, " has no place for the table");
  const std::string written = text.substr(begin + kBegin.size(), end - begin - kBegin.size());
  if (source && written != table) {
    text.replace(begin + kBegin.size(), written.size(), table);
    std::ofstream(path) << text;
  } else {
    CHECK_MESSAGE(written == table,
                  "docs/formats/layouts.md is not what the tests find; run scripts/make_layout_table");
  }
}

TEST_CASE("a file of any version becomes one of our games, frames and bones alike") {
  for (const HavokVersion& version : havok_versions())
    for (const std::string_view layout : {"4001", "8111"}) {
      CAPTURE(version.name);
      Notes notes;
      const Packfile clip = transcribed(clip_file(version, layout), Game::SkyrimSe, notes).value();
      CHECK(game_of(clip) == Game::SkyrimSe);
      CHECK(reads_alike(read_clip(clip, find_animations(clip).at(0)).value(), version));
      const Packfile bones = transcribed(skeleton_file(version, layout), Game::Fallout4, notes).value();
      CHECK(read_skeleton(bones, find_skeletons(bones).at(0)).value() == sample_skeleton());
    }
}

TEST_CASE("events and bones of versions before 7, which are objects, can be edited") {
  Packfile file = read_packfile(write_packfile(clip_file(*find_version("Havok-5.5.0-r1"), "4011")).value()).value();
  const auto edit = [&](std::vector<AnnotationTrack> tracks) {
    set_annotations(file, find_animations(file).at(0), tracks);
    const Packfile back = read_packfile(write_packfile(file).value()).value();
    CHECK(read_clip_header(back, find_animations(back).at(0)).value().annotation_tracks == tracks);
    CHECK(back.find_all("hkaAnnotationTrack").size() == tracks.size());
  };
  edit({{"x", {{0.0f, "1"}, {0.1f, "2"}}}, {"b", {}}, {"more", {}}});
  edit({{"only", {}}});
  Packfile bones = skeleton_file(*find_version("Havok-6.6.0-r1"), "8001");
  Skeleton changed = sample_skeleton();
  changed.bones.push_back({"Hand", 1, {}, false});
  REQUIRE(set_skeleton(bones, find_skeletons(bones).at(0), changed));
  const Packfile back = read_packfile(write_packfile(bones).value()).value();
  CHECK(read_skeleton(back, find_skeletons(back).at(0)).value() == changed);
}

TEST_CASE("objects of unknown classes are kept in their layout, and named if another is asked for") {
  Packfile file = clip_file(*find_version("Havok-6.6.0-r1"), "4001");
  file.objects.emplace_back().set_opaque({"hkxThing", 0x1234, Bytes(32, std::byte{7}), {}, {{8, file.root}}});
  const Bytes bytes = write_packfile(file).value();
  CHECK(write_packfile(read_packfile(bytes).value()).value() == bytes);
  const auto refused = with_layout(read_packfile(bytes).value(), *parse_layout("8101"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("hkxThing") != std::string::npos);
  CHECK(with_layout(read_packfile(bytes).value(), *parse_layout("4001")));
}

TEST_CASE("class descriptions that a file carries stay, with what points to them") {
  Packfile file = clip_file(*find_version("Havok-5.5.0-r1"), "4011");
  file.objects.emplace_back().set_opaque(
      {"hkxThing", 0x1234, Bytes(32, std::byte{7}), {}, {{8, file.root}}, {{0, 4, 16}, {1, 12, 0}}});
  file.class_list = {{"hkClass", 1}, {"hkaBone", 2}};
  file.types.bytes = Bytes(64, std::byte{9});
  file.types.offsets = {32, 48, 48, 64, 64, 64};
  file.types.pointers = {{file.root, 0, 16}};
  const Bytes bytes = write_packfile(file).value();
  const Packfile back = read_packfile(bytes).value();
  CHECK(back.types == file.types);
  CHECK(back.objects.back().opaque().type_fixups.size() == 2);
  CHECK(back.unread_fixups == 0);
  CHECK(write_packfile(back).value() == bytes);
  CHECK(write_packfile(read_xml(write_xml(back).value()).value()).value() == bytes);
  CHECK(write_packfile(read_json(as_bytes(dump_json(back))).value()).value() == bytes);
  Bytes outside = bytes;
  outside.resize(bytes.size() - 1);
  CHECK_FALSE(read_packfile(outside));
}

TEST_CASE("layouts are four digits") {
  for (const std::string_view wrong : {"", "8", "81010", "2101", "8201", "8121", "8100", "x101"})
    CHECK_FALSE(parse_layout(wrong));
  CHECK(parse_layout("4011") == FileLayout{4, true, true});
}

TEST_CASE("every prefix of a file of another machine is refused, and any wrong byte is bounded") {
  for (const auto& [version, layout] : {std::pair{"Havok-5.5.0-r1", "4011"},
                                        {"Havok-6.6.0-r1", "8111"},
                                        {"hk_2012.2.0-r1", "8001"},
                                        {"hk_2015.1.0-r1", "4001"}}) {
    const Bytes bytes = write_packfile(clip_file(*find_version(version), layout)).value();
    for (std::size_t length = 0; length < bytes.size(); length += 3)
      CHECK_FALSE(read_packfile(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length))));
    for (std::size_t at = 0; at < bytes.size(); ++at)
      for (const unsigned value : {0x00u, 0x80u, 0xFFu}) {
        Bytes damaged = bytes;
        damaged[at] = static_cast<std::byte>(value);
        const auto file = read_packfile(damaged, {.limits = {.max_expanded_bytes = 1 << 20}});
        if (!file) continue;
        const auto again = write_packfile(*file);
        if (again) CHECK_MESSAGE(read_packfile(*again), version, " byte ", at, " = ", value);
        for (const ObjectId id : find_animations(*file))
          (void)read_clip(*file, id, Limits{.max_expanded_bytes = 1 << 20});
      }
  }
}

TEST_CASE("a version between the known ones is read as the one before it, with its own name") {
  Bytes bytes = write_packfile(clip_file(*find_version("hk_2013.1.0-r1"), "8101")).value();
  bytes[0x28 + 8] = std::byte{'2'};  // hk_2013.2.0-r1
  const Packfile file = read_packfile(bytes).value();
  CHECK(file.schema->version() == "hk_2013.2.0-r1");
  CHECK(!is_tested_version(*file.schema));
  REQUIRE(find_animations(file).size() == 1);
  CHECK(read_clip(file, find_animations(file)[0]).value().transforms.size() == sample_clip().transforms.size());
  CHECK(write_packfile(file).value() == bytes);
}

TEST_CASE("a version beyond the known ones keeps as bytes what has another signature") {
  const Packfile known = clip_file(*find_version("hk_2016.2.0-r1"), "8101");
  Bytes bytes = write_packfile(known).value();
  bytes[0x28 + 6] = std::byte{'8'};  // hk_2018.2.0-r1
  const Packfile file = read_packfile(bytes).value();
  CHECK(file.schema->version() == "hk_2018.2.0-r1");
  CHECK(file.objects.size() == known.objects.size());
  CHECK(write_packfile(file).value() == bytes);
  const std::string_view name = "hkaInterleavedUncompressedAnimation";
  const auto at = std::ranges::search(bytes, std::as_bytes(std::span(name))).begin() - bytes.begin();
  for (std::ptrdiff_t i = at - 5; i < at - 1; ++i) bytes[static_cast<std::size_t>(i)] ^= std::byte{0x55};
  const Packfile other = read_packfile(bytes).value();
  CHECK(std::ranges::count_if(other.objects, [](const Object& each) { return !each.type; }) == 1);
  CHECK(write_packfile(other).value() == bytes);
}

TEST_CASE("only so many unknown versions are kept, and other texts are no versions") {
  for (const std::string_view name : {"", "hk_", "hk_2010", "hk_2010.2-r1", "hk_2010.2.0", "Havok-5.5.0",
                                      "hk_9999.1.0-r1", "hk_2010.2.0-rx", "Marrow-1.0.0-r1"})
    CHECK_MESSAGE(!find_version(name), name);
  std::size_t known = 0;
  for (int i = 0; i < 99; ++i) known += find_version("hk_2012.2." + std::to_string(i) + "-r7") != nullptr;
  CHECK(known > 50);
  CHECK(known <= 64);
}
