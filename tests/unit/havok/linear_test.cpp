// SPDX-License-Identifier: MIT
// Readers take time in proportion to their input: eight times as much of anything takes about eight times as long. The
// bound is generous, since machines are busy; what grows with the square takes 64 times as long.
#include <doctest/doctest.h>

#include <string>

#if defined(__linux__)
#include <sys/resource.h>
#endif

#include "havok/animation/animation.h"
#include "havok/animation/skeleton.h"
#include "havok/object/transcribe.h"
#include "havok/text/dump.h"
#include "havok/text/json.h"
#include "havok/text/tagfile.h"
#include "havok/text/xml.h"
#include "support/clips.h"
#include "support/processor_time.h"

using namespace marrow;
using namespace marrow::havok;

namespace {

constexpr double kMostGrowth = 28;

/// How much longer 8n takes than n; `make(n)` gives the input and `run` reads it.
template <class Make, class Run>
double growth(std::size_t n, Make&& make, Run&& run) {
  const auto small = make(n), large = make(8 * n);
  run(small);  // loads the class tables
  const double base = timing::seconds_of([&] { run(small); });
  return timing::seconds_of([&] { run(large); }) / base;
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string skeleton_xml(const std::string& params) {
  return "<hkpackfile toplevelobject=\"#1\"><hksection name=\"__data__\"><hkobject name=\"#1\" class=\"hkaSkeleton\">" +
         params + "</hkobject></hksection></hkpackfile>";
}

void read_xml_text(const std::string& text) {
  Findings findings;
  REQUIRE(read_xml(as_bytes(text), {.findings = &findings}));
}

void read_tagfile_text(const std::string& text) {
  Findings findings;
  REQUIRE(read_tagfile_xml(as_bytes(text), {.findings = &findings}));
}

Packfile many_clips(std::size_t count) {
  Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
  file.root = file.add("hkaAnimationContainer");
  for (std::size_t i = 0; i < count; ++i) file.add("hkaInterleavedUncompressedAnimation");
  for (std::uint32_t i = 0; i < count; ++i)
    file.at(file.add("hkaAnimationBinding")).fields().set_pointer("animation", {1 + i});
  return file;
}

/// A lossless clip of one track, codes as given and nothing else.
Packfile lossless(std::int64_t frames, std::uint16_t rotation_code, std::vector<float> rotations = {}) {
  Packfile file = make_packfile(*builtin_schema(kVersion2014), 8);
  file.root = file.add("hkaLosslessCompressedAnimation");
  Fields animation = file.at(file.root).fields();
  animation.set_integer("numberOfTransformTracks", 1);
  animation.set_integer("numFrames", frames);
  animation.set_numbers<std::uint64_t>("translationTypeAndOffsets", std::vector<std::uint64_t>{0});
  animation.set_numbers<std::uint64_t>("scaleTypeAndOffsets", std::vector<std::uint64_t>{0});
  animation.set_numbers<std::uint16_t>("rotationTypeAndOffsets", std::vector<std::uint16_t>{rotation_code});
  animation.set_numbers<float>("dynamicRotations", rotations);
  return file;
}

/// Most memory that the process has had, in bytes; 0 if the system does not say.
std::size_t peak_bytes() {
#if defined(__linux__)
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) == 0) return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
#endif
  return 0;
}

}  // namespace

TEST_CASE("lists of numbers in XML are read in linear time, blanks at the end too") {
  CHECK(growth(
            4'000,
            [](std::size_t n) {
              return skeleton_xml("<hkparam name=\"parentIndices\">" + repeated("1 ", n) + std::string(20 * n, ' ') +
                                  "</hkparam>");
            },
            read_xml_text) < kMostGrowth);
  CHECK(growth(
            1'000,
            [](std::size_t n) {
              return skeleton_xml("<hkparam name=\"referencePose\">" + repeated("(1 2 3)(0 0 0 1)(1 1 1)\n", n) +
                                  std::string(60 * n, ' ') + "</hkparam>");
            },
            read_xml_text) < kMostGrowth);
  // In pieces, around comments.
  CHECK(growth(
            2'000,
            [](std::size_t n) {
              return skeleton_xml("<hkparam name=\"parentIndices\">" + repeated("1 <!-- one -->", n) + "</hkparam>");
            },
            read_xml_text) < kMostGrowth);
}

TEST_CASE("records, parameters and objects of XML are read in linear time, with all that is reported of them") {
  CHECK(growth(
            500,
            [](std::size_t n) {
              return skeleton_xml("<hkparam name=\"bones\">" +
                                  repeated("<hkobject>\n<hkparam name=\"x\">1</hkparam></hkobject>", n) + "</hkparam>");
            },
            read_xml_text) < kMostGrowth);
  CHECK(growth(
            300,
            [](std::size_t n) {
              std::string objects;
              for (std::size_t i = 2; i < n; ++i)
                objects += "<hkobject name=\"#" + std::to_string(i) + "\" class=\"hkaAnimationContainer\">" +
                           "<hkparam name=\"skeletons\">#" + std::to_string(n - i + 1) + "</hkparam></hkobject>";
              return "<hkpackfile toplevelobject=\"#1\"><hksection><hkobject name=\"#1\" class=\"hkaSkeleton\"/>" +
                     objects + "</hksection></hkpackfile>";
            },
            [](const std::string& text) {
              const auto file = read_xml(as_bytes(text));
              REQUIRE(file);
              REQUIRE(write_xml(*file));
            }) < kMostGrowth);
}

TEST_CASE("tagfiles are read in linear time: numbers, objects, and references to one long object") {
  const auto tagfile = [](const std::string& objects) {
    return "<hktagfile version=\"1\">" + objects + "</hktagfile>";
  };
  CHECK(growth(
            4'000,
            [&](std::size_t n) {
              return tagfile("<object id=\"#1\" type=\"hkaSkeleton\"><array name=\"parentIndices\">" +
                             repeated("1 ", n) + std::string(20 * n, ' ') + "</array><array name=\"referenceFloats\">" +
                             repeated("<real>x3f800000 <!-- 1.0 --></real>", n) + "</array></object>");
            },
            read_tagfile_text) < kMostGrowth);
  CHECK(growth(
            300,
            [&](std::size_t n) {
              // Every track stands for the same object, whose unknown members take long to walk.
              return tagfile(
                  "<object id=\"#1\" type=\"hkaSplineCompressedAnimation\"><array "
                  "name=\"annotationTracks\">" +
                  repeated("<ref>#2</ref>", n) + "</array></object>" +
                  "<object id=\"#2\" type=\"hkaAnnotationTrack\">" + repeated("<int name=\"x\">1</int>", n) +
                  "</object>");
            },
            read_tagfile_text) < kMostGrowth);
}

TEST_CASE("objects of unknown class are read in linear time, however many pointers the file has") {
  CHECK(growth(
            500,
            [](std::size_t n) {
              Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
              file.root = file.add("hkaAnimationContainer");
              for (std::size_t i = 0; i < n; ++i) {
                Opaque opaque{"Unknown", 1, std::vector<std::byte>(64), {{0, 32}, {8, 48}}, {{16, file.root}}};
                file.objects.emplace_back().set_opaque(std::move(opaque));
              }
              return write_packfile(file).value();
            },
            [](const std::vector<std::byte>& bytes) { REQUIRE(read_packfile(bytes)); }) < kMostGrowth);
}

TEST_CASE("JSON is read in linear time: numbers, records and objects") {
  CHECK(growth(
            500,
            [](std::size_t n) {
              Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
              file.root = file.add("hkaSkeleton");
              file.at(file.root).fields().set_numbers<std::int16_t>("parentIndices", std::vector<std::int16_t>(20 * n));
              file.at(file.root).fields().reset_array("bones", static_cast<std::uint32_t>(n));
              for (std::size_t i = 0; i < n; ++i) file.add("hkaAnimationContainer");
              return dump_json(file);
            },
            [](const std::string& text) {
              Findings findings;
              REQUIRE(read_json(as_bytes(text), {.findings = &findings}));
            }) < kMostGrowth);
}

TEST_CASE("bindings are found in one walk, and versions of many clips crossed in linear time") {
  CHECK(growth(200, many_clips, [](const Packfile& file) {
          const Bindings bindings(file);
          const std::vector<ObjectId> animations = find_animations(file);
          for (const ObjectId id : animations) {
            REQUIRE(bindings.of(id).index == id.index + animations.size());
            REQUIRE(read_clip_header(file, id, bindings));
          }
        }) < kMostGrowth);
  CHECK(growth(
            200,
            [](std::size_t n) {
              Packfile file = make_packfile(*builtin_schema(kVersion2014), 8);
              file.root = file.add("hkaAnimationContainer");
              for (std::size_t i = 0; i < n; ++i)
                file.at(file.add("hkaLosslessCompressedAnimation")).fields().set_integer("numFrames", 1);
              return file;
            },
            [](const Packfile& file) {
              Notes notes;
              REQUIRE(transcribed(file, Game::SkyrimSe, notes));
            }) < kMostGrowth);
}

TEST_CASE("skeletons that a file lists are found in linear time") {
  CHECK(growth(
            1'000,
            [](std::size_t n) {
              Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
              file.root = file.add("hkaAnimationContainer");
              std::vector<ObjectId> ids;
              for (std::size_t i = 0; i < n; ++i) ids.push_back(file.add("hkaSkeleton"));
              ids.insert(ids.end(), ids.begin(), ids.end());
              file.at(file.root).fields().set_pointers("skeletons", ids);
              return file;
            },
            [](const Packfile& file) { REQUIRE(find_skeletons(file).size() == file.objects.size() - 1); }) <
        kMostGrowth);
}

TEST_CASE("frames without data behind them are refused before memory is taken for them") {
  const std::size_t before = peak_bytes();
  const auto refusal = [](const Packfile& file) {
    const auto clip = read_clip(file, file.root);
    REQUIRE_FALSE(clip);
    return clip.error().code;
  };
  // Nothing moves; a value that moves has too few values; a code that does not exist.
  CHECK(refusal(lossless(50'000'000, 0)) == ErrorCode::Malformed);
  CHECK(refusal(lossless(50'000'000, 2, {0, 0, 0, 1})) == ErrorCode::Malformed);
  CHECK(refusal(lossless(50'000'000, 3)) == ErrorCode::Malformed);
  CHECK(refusal(lossless(1'000'000'000, 0)) == ErrorCode::LimitExceeded);
  Packfile floats = lossless(1, 0);
  floats.at(floats.root).fields().set_integer("numberOfFloatTracks", 60'000);
  floats.at(floats.root).fields().set_integer("numFrames", 8'000);
  CHECK(refusal(floats) == ErrorCode::Malformed);
  Packfile interleaved = make_packfile(*builtin_schema(kVersion2010), 8);
  interleaved.root = interleaved.add("hkaInterleavedUncompressedAnimation");
  Fields animation = interleaved.at(interleaved.root).fields();
  animation.set_integer("numberOfTransformTracks", 1);
  animation.set_integer("numberOfFloatTracks", 60'000);
  animation.set_numbers<float>("transforms", std::vector<float>(12 * 8'000));
  CHECK(refusal(interleaved) == ErrorCode::Malformed);
  CHECK(peak_bytes() - before < (std::size_t{64} << 20));
  // A clip that stands still for a while is one.
  CHECK(read_clip(lossless(1'000, 0), {0}).value().frame_count == 1'000);
}
