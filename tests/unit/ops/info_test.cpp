// SPDX-License-Identifier: MIT
#include "ops/files/info.h"

#include <doctest/doctest.h>

#include <array>

#include "havok/animation/animation.h"
#include "havok/animation/make_file.h"
#include "ops/clip/compress.h"
#include "ops/clip/motion_sampler.h"
#include "ops/clip/sample.h"
#include "ops/files/check.h"
#include "ops/files/diff.h"
#include "support/clips.h"
#include "support/documents.h"
#include "support/processor_time.h"
#include "support/random_blob.h"

using namespace marrow;

namespace {

InfoReport info_of(const Document& document, const InfoOptions& options = {}) {
  Context context;
  return info(document, options, context).value();
}

/// A file with many small clips, each with its binding.
havok::Packfile many_clips(std::size_t count) {
  havok::Packfile file = havok::make_packfile(*havok::builtin_schema(havok::kVersion2010), 8);
  file.root = file.add("hkaAnimationContainer");
  for (std::size_t i = 0; i < count; ++i) {
    const havok::ObjectId id = file.add("hkaInterleavedUncompressedAnimation");
    file.at(id).fields().set_integer("type", 1);
  }
  for (std::uint32_t i = 0; i < count; ++i)
    file.at(file.add("hkaAnimationBinding")).fields().set_pointer("animation", {1 + i});
  return file;
}

}  // namespace

TEST_CASE("a clip is described: speed, skeleton, encodings, sizes by kind, blending, range of events") {
  const auto blob = test::random_blob(2, {.frames = 31, .tracks = 3, .floats = 1, .every_encoding = false});
  Clip clip = test::waving_clip(3, 31);
  clip.blend_hint = BlendHint::AdditiveDeprecated;
  const Document document = test::loaded(havok::make_clip_file(clip, Game::SkyrimSe, &blob).value(), Parts::None);
  const ClipInfo found = info_of(document).clips.at(0);
  CHECK(found.frames_per_second == doctest::Approx(30.0));
  CHECK(found.skeleton == "Bone 0");
  CHECK(found.blend_hint == "additive-deprecated");
  CHECK(found.encoding == "hkaSplineCompressedAnimation");
  CHECK_FALSE(found.encodings.empty());
  CHECK(found.first_annotation == 0.1f);
  CHECK(found.last_annotation == 0.3f);
  const MotionBytes& bytes = found.bytes;
  CHECK(bytes.masks == 16);
  CHECK(bytes.total == bytes.masks + bytes.translation + bytes.rotation + bytes.scale + bytes.floats + bytes.padding);
  CHECK(bytes.padding < 16);
}

TEST_CASE("a clip without duration, events or binding has no speed, no range and no skeleton") {
  Clip clip = test::waving_clip(2, 1);
  clip.annotation_tracks.clear();
  havok::Packfile file = havok::make_clip_file(clip, Game::SkyrimSe).value();
  file.at(havok::find_binding(file, havok::find_animations(file)[0])).fields().set_pointer("animation", {});
  const ClipInfo found = info_of(test::loaded(file, Parts::None)).clips.at(0);
  CHECK(found.frames_per_second == 0.0);
  CHECK_FALSE(found.first_annotation);
  CHECK(found.skeleton.empty());
  CHECK(found.encodings == std::vector<std::string>{"uncompressed"});
}

TEST_CASE("the bones of a skeleton are listed if asked for") {
  const Document document = test::skeleton_document_of(3);
  CHECK_FALSE(info_of(document).skeletons.at(0).table);
  const auto table = info_of(document, {.bones = true}).skeletons.at(0).table.value();
  REQUIRE(table.size() == 3);
  CHECK_FALSE(table[0].parent);
  CHECK(table[2].parent == 1);
  CHECK(table[2].name == "Bone 2");
  CHECK(table[2].position.z == 10.0f);
}

TEST_CASE("files of other games are called what they are, and checked for what ours cannot load") {
  const auto packed = [](std::string_view version, std::string_view layout) {
    return havok::make_clip_file_of(test::waving_clip(2, 3), *havok::builtin_schema(version),
                                    *havok::parse_layout(layout))
        .value();
  };
  const auto known = [](const havok::Packfile& file) {
    return info_of(test::loaded(file, Parts::None)).known_as.value_or("");
  };
  CHECK(known(packed("Havok-5.5.0-r1", "4011")) == "Demon's Souls (PlayStation 3)");
  CHECK(known(packed("hk_2014.1.0-r1", "8111")) == "Bloodborne");
  for (const auto& [version, layout] : {std::pair{"Havok-5.5.0-r1", "4101"},
                                        {"hk_2014.1.0-r1", "8101"},
                                        {"hk_2010.2.0-r1", "4101"},
                                        {"hk_2013.1.0-r1", "8111"}})
    CHECK(known(packed(version, layout)).empty());

  const auto codes = [](const havok::Packfile& file, std::optional<Game> game = {}) {
    Context context;
    std::vector<std::string> found;
    const auto report = check(havok::write_packfile(file).value(), "a.hkx", {.game = game}, context);
    for (const Finding& each : report.value().findings)
      if (each.where.starts_with("header") || each.code == "I_FLOATS_UNREAD") found.push_back(each.code);
    return found;
  };
  using Codes = std::vector<std::string>;
  CHECK(codes(packed("hk_2010.2.0-r1", "8101")).empty());
  CHECK(codes(packed("hk_2010.2.0-r1", "8001")) == Codes{"I_BIG_ENDIAN"});
  CHECK(codes(packed("hk_2010.2.0-r1", "8001"), Game::SkyrimSe) == Codes{"E_LAYOUT", "I_BIG_ENDIAN"});
  CHECK(codes(packed("hk_2010.2.0-r1", "8111"), Game::SkyrimSe) == Codes{"E_LAYOUT"});
  CHECK(codes(packed("hk_2010.2.0-r1", "4101"), Game::SkyrimSe) == Codes{"E_POINTER_SIZE"});
  CHECK(codes(packed("hk_2013.1.0-r1", "8101"), Game::Fallout4) == Codes{"E_VERSION"});
  CHECK(codes(packed("hk_2012.1.0-r1", "8101")) == Codes{"I_UNTESTED_VERSION"});
  havok::Packfile delta = packed("Havok-7.1.0-r1", "4101");
  delta.at(delta.add("hkaDeltaCompressedAnimation")).fields().set_integer("numberOfFloatTracks", 2);
  CHECK(codes(delta) == Codes{"I_FLOATS_UNREAD"});
}

TEST_CASE("a clip whose codec is not known is described, and what needs its motion names the codec") {
  havok::Packfile file = havok::make_clip_file(test::waving_clip(1, 2), Game::SkyrimSe).value();
  const havok::ObjectId quantized = file.add("hkaQuantizedAnimation");
  file.at(quantized).fields().set_integer("numberOfTransformTracks", 1);
  file.at(havok::find_binding(file, havok::find_animations(file)[0])).fields().set_pointer("animation", quantized);
  const havok::ObjectId container = file.find_all("hkaAnimationContainer").at(0);
  file.at(container).fields().set_pointers("animations", std::array{quantized});
  const Document document = test::loaded(havok::write_packfile(file).value(), Parts::Clips);
  CHECK(info_of(document).clips.at(0).encoding == "hkaQuantizedAnimation");
  Context context;
  const auto refused = MotionSampler::open(document.clips.at(0), {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("hkaQuantizedAnimation") != std::string::npos);
  Document changed = document;
  const auto smaller = compress(changed, {}, context);
  REQUIRE_FALSE(smaller);
  CHECK(smaller.error().message.find("hkaQuantizedAnimation") != std::string::npos);
  const auto sampled = sample(document, {.frames = {0}}, context);
  REQUIRE_FALSE(sampled);
  CHECK(sampled.error().message.find("hkaQuantizedAnimation") != std::string::npos);
  // Its events can be edited all the same, and nothing else changes.
  Document marked = document;
  marked.clips[0].clip.annotation_tracks = {{"", {{0.1f, "FootLeft"}}}};
  const Document again = test::loaded(test::saved(marked), Parts::Clips);
  CHECK(again.clips.at(0).clip.annotation_tracks == marked.clips[0].clip.annotation_tracks);
  CHECK(again.packfile()->find_all("hkaQuantizedAnimation").size() == 1);
}

TEST_CASE("files with many clips are loaded, described, checked and compared in linear time") {
  const havok::Packfile small = many_clips(250), large = many_clips(2000);
  const auto bytes_of = [](const havok::Packfile& file) { return havok::write_packfile(file).value(); };
  const auto small_bytes = bytes_of(small), large_bytes = bytes_of(large);
  const auto growth = [&](const auto& run) {
    run(small_bytes);
    const double base = timing::seconds_of([&] { run(small_bytes); });
    return timing::seconds_of([&] { run(large_bytes); }) / base;
  };
  // Eight times as many take eight times as long; what grows with the square takes 64 times as long.
  constexpr double kMostGrowth = 28;
  CHECK(growth([](const test::Bytes& bytes) { (void)info_of(test::loaded(bytes, Parts::None)); }) < kMostGrowth);
  CHECK(growth([](const test::Bytes& bytes) { (void)test::saved(test::loaded(bytes, Parts::Clips)); }) < kMostGrowth);
  CHECK(growth([](const test::Bytes& bytes) {
          Context context;
          (void)check(bytes, "a.hkx", {}, context);
        }) < kMostGrowth);
  CHECK(growth([](const test::Bytes& bytes) {
          Context context;
          const Document document = test::loaded(bytes, Parts::None);
          (void)diff(document, document, {}, context);
        }) < kMostGrowth);
}
