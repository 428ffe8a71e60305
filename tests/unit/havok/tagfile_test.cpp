// SPDX-License-Identifier: MIT
#include "havok/text/tagfile.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "havok/animation/animation.h"
#include "havok/animation/skeleton.h"
#include "havok/object/compare.h"
#include "havok/object/version.h"
#include "havok/text/xml.h"
#include "support/clips.h"
#include "support/random_blob.h"
#include "support/sample_packfile.h"

using namespace marrow;
using namespace marrow::havok;
using marrow::test::sample_behaviour;
using marrow::test::sample_packfile;

namespace {

std::string tagfile_text(const Packfile& file) {
  const auto bytes = write_tagfile_xml(file);
  REQUIRE_MESSAGE(bytes.has_value(), describe(bytes.error()));
  return std::string(as_text(*bytes));
}

Packfile read_tagfile(std::string_view text, Findings* findings = nullptr) {
  auto file = read_tagfile_xml(as_bytes(text), {.findings = findings});
  REQUIRE_MESSAGE(file.has_value(), describe(file.error()));
  return std::move(*file);
}

std::string tagfile_of(std::string_view objects, std::string_view attributes = "") {
  return "<?xml version=\"1.0\" encoding=\"us-ascii\"?>\n<hktagfile version=\"1\" " + std::string(attributes) + ">\n" +
         std::string(objects) + "</hktagfile>";
}

/// As the content tools write a clip: tracks of events are objects of their own, and what has its default is absent.
constexpr std::string_view kExported = R"(  <class name="hkaAnnotationTrack" version="0">
    <member name="trackName" type="string" />
    <member name="annotations" type="struct" array="true" class="hkaAnnotationTrackAnnotation" />
  </class>
  <object id="#0001" type="hkRootLevelContainer">
    <array name="namedVariants" size="1">
      <struct>
        <string name="name">Animation Container</string>
        <string name="className">hkaAnimationContainer</string>
        <ref name="variant">#0002</ref>
      </struct>
    </array>
  </object>
  <object id="#0002" type="hkaAnimationContainer">
    <array name="animations" size="1">
      <ref>#0003</ref>
    </array>
    <array name="bindings" size="1">
      <ref>#0004</ref>
    </array>
  </object>
  <object id="#0003" type="hkaInterleavedUncompressedAnimation">
    <int name="type">4</int>
    <real name="duration">x3f000000 <!-- 0.5 --></real>
    <int name="numberOfTransformTracks">1</int>
    <array name="annotationTracks" size="2">
      <ref>#0005</ref>
      <ref>#0006</ref>
    </array>
    <array name="transforms" size="2">
      <vec12>x3f800000 <!-- 1.0 --> x40000000 <!-- 2.0 --> x40400000 <!-- 3.0 --> x00000000 <!-- 0.0 --> 0 0 0 1 1 1 1 0</vec12>
      <vec12>4 5 6 0 0 0 0 1 1 1 1 0</vec12>
    </array>
  </object>
  <object id="#0004" type="hkaAnimationBinding">
    <string name="originalSkeletonName">NPC Root [Root]</string>
    <ref name="animation">#0003</ref>
    <array name="transformTrackToBoneIndices" size="1">
      7 
    </array>
    <byte name="blendHint">1</byte>
  </object>
  <object id="#0005" type="hkaAnnotationTrack">
    <string name="trackName">NPC Root [Root]</string>
    <array name="annotations" size="2">
      <struct>
        <string name="text">FootLeft</string>
      </struct>
      <struct>
        <real name="time">x3e99999a <!-- 0.3 --></real>
        <string name="text">FootRight</string>
      </struct>
    </array>
  </object>
  <object id="#0006" type="hkaAnnotationTrack">
  </object>
)";

}  // namespace

TEST_CASE("a clip that the content tools exported is read in the classes of the nearest version") {
  Findings findings;
  const Packfile file = read_tagfile(tagfile_of(kExported), &findings);
  CHECK(file.schema->version() == default_version().name);
  // Tracks that stand for records are no objects of the packfile; the others keep their ids.
  REQUIRE(file.objects.size() == 4);
  CHECK(file.objects[3].name() == "#0004");
  CHECK(file.root.index == 0);
  const Clip clip = read_clip(file, find_animations(file).at(0)).value();
  CHECK(clip.frame_count == 2);
  CHECK(clip.duration_seconds == 0.5f);
  CHECK(clip.frame(0)[0].translation == Vec3{1, 2, 3});
  CHECK(clip.frame(1)[0].translation == Vec3{4, 5, 6});
  REQUIRE(clip.annotation_tracks.size() == 2);
  CHECK(clip.annotation_tracks[0].name == "NPC Root [Root]");
  CHECK(clip.annotation_tracks[0].annotations == std::vector<Annotation>{{0.0f, "FootLeft"}, {0.3f, "FootRight"}});
  CHECK(clip.track_to_bone == std::vector<std::int16_t>{7});
  CHECK(clip.blend_hint == BlendHint::AdditiveDeprecated);
  // The number of the class is another in this version.
  CHECK(file.at(find_animations(file)[0]).fields().integer("type") == 1);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "I_ANIMATION_TYPE");
  // From here on it is a packfile as any other.
  const Packfile binary = read_packfile(write_packfile(file).value()).value();
  CHECK(compare(file, binary).empty());
  CHECK(read_xml(write_xml(file).value()).value() == file);
}

TEST_CASE("what is written as a tagfile reads back as the equal file, names and properties of the file too") {
  for (Packfile file : {sample_packfile(kVersion2010, 4), sample_packfile(kVersion2010, 8),
                        sample_packfile(kVersion2014, 8), sample_behaviour(4), sample_behaviour(8)}) {
    file.padding.strings = 0x7F;
    file.user_tag = -3;
    file.flags = 1;
    Findings findings;
    Packfile back = read_tagfile(tagfile_text(file), &findings);
    CHECK(back == file);
    CHECK(findings.empty());
    CHECK(write_packfile(back).value() == write_packfile(file).value());
    back.objects[1].set_name("#0051");
    CHECK(read_tagfile(tagfile_text(back)).objects[1].name() == "#0051");
  }
  const auto blob = test::random_blob(3, {.frames = 300, .tracks = 5, .floats = 1});
  for (const Game game : {Game::SkyrimLe, Game::Fallout4}) {
    const Packfile clip = make_clip_file(test::waving_clip(5, 300), game, &blob).value();
    CHECK(read_tagfile(tagfile_text(clip)) == clip);
  }
}

TEST_CASE("the root comes first in a tagfile, wherever it stood") {
  Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
  const ObjectId child = file.add("hkMemoryResourceContainer");
  file.root = file.add("hkMemoryResourceContainer");
  file.at(file.root).fields().set_pointers("children", {{child, child}});
  const Packfile back = read_tagfile(tagfile_text(file));
  CHECK(back.root.index == 0);
  CHECK(compare(file, back).empty());
}

TEST_CASE("values of every kind keep their bits in a tagfile") {
  Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
  file.root = file.add("hkaSkeleton");
  Fields fields = file.at(file.root).fields();
  std::vector<float> pose(24);
  for (std::size_t i = 0; i < pose.size(); ++i) pose[i] = 1.0f / static_cast<float>(i + 3);
  pose[3] = -0.0f;
  pose[11] = std::bit_cast<float>(0x7FC12345u);
  pose[20] = -INFINITY;
  fields.set_numbers<float>("referencePose", pose);
  fields.set_numbers<float>("referenceFloats", std::vector<float>{-0.0f, 1e-40f});
  fields.set_numbers<std::int16_t>("parentIndices", std::vector<std::int16_t>{-1, 0, 32767, -32768});
  fields.set_texts("floatSlots",
                   std::vector<std::string>{"", " ", "<&>\"", "tab\t", "gr\xC3\xBC\xC3\x9F", "\xE9t\xE9"});
  CHECK(read_tagfile(tagfile_text(file)) == file);
  for (const char c : tagfile_text(file)) CHECK(static_cast<unsigned char>(c) < 0x80);
}

TEST_CASE("the version of a tagfile is the nearest to what it states") {
  const auto version_for = [](std::string_view stated) {
    const std::string attribute = stated.empty() ? "" : "sdkversion=\"" + std::string(stated) + "\"";
    return read_tagfile(tagfile_of("<object id=\"#1\" type=\"hkRootLevelContainer\"/>", attribute)).schema->version();
  };
  CHECK(version_for("") == kVersion2010);
  CHECK(version_for("Havok-7.1.0-r1") == kVersion2010);
  CHECK(version_for("hk_2010.1.0-r1") == kVersion2010);
  CHECK(version_for("hk_2011.3.1-r1") == kVersion2010);
  CHECK(version_for("hk_2013.1.0-r1") == kVersion2014);
  CHECK(version_for("hk_2014.1.0-r1") == kVersion2014);
  CHECK(version_for("hk_2016.2.0-r1") == kVersion2014);
  CHECK(version_for("nonsense") == kVersion2010);
}

TEST_CASE("classes and members that the version does not have are skipped and reported once, with object and line") {
  Findings findings;
  const Packfile file = read_tagfile(tagfile_of(R"(<object id="#1" type="hkaSkeleton">
<string name="name">Root</string>
<int name="nonsense">1</int>
<int name="memSizeAndFlags">1</int>
<string name="parentIndices">-1</string>
<array name="referencePose" size="1"><vec4>1 2 3 4</vec4></array>
<array name="bones" size="9">
<struct><string name="name">a</string><int name="depth">1</int></struct>
<struct><string name="name">b</string><int name="depth">1</int></struct>
</array>
<array name="localFrames"><struct><ref name="localFrame">#3</ref><int name="boneIndex">1</int></struct></array>
</object>
<object id="#2" type="hkaSkeleton"><int name="nonsense">1</int></object>
<object id="#3" type="hkxSpecialFrame"/>
<object id="#4" type="hkxSpecialFrame"/>
)"),
                                     &findings);
  std::vector<std::string> found;
  for (const Finding& finding : findings) found.push_back(finding.code + " " + finding.where);
  CHECK(found == std::vector<std::string>{
                     "W_UNKNOWN_CLASS #3 (hkxSpecialFrame), line 16", "W_UNKNOWN_MEMBER #1 (hkaSkeleton), line 5",
                     "W_MEMBER_TYPE #1 (hkaSkeleton), line 7", "W_MEMBER_TYPE #1 (hkaSkeleton), line 8",
                     "W_UNKNOWN_MEMBER #1 (hkaSkeleton), line 10", "W_ARRAY_SIZE #1 (hkaSkeleton), line 9"});
  CHECK(file.objects.size() == 2);
  CHECK(file.objects[0].fields().array("bones").record(1).text("name") == "b");
  CHECK(file.objects[0].fields().array("parentIndices").empty());
  CHECK(file.objects[0].fields().array("localFrames").record(0).pointer("localFrame").is_null());
}

TEST_CASE("numbers are converted: bytes to bools and enums, signed to unsigned, whole to real") {
  const Packfile file = read_tagfile(tagfile_of(R"(<object id="#1" type="hkaAnimationContainer"/>
<object id="#2" type="hkaSplineCompressedAnimation"><int name="duration">2</int>
<array name="data" size="4">0 255 -1 128</array><array name="blockOffsets">-1 4294967295</array></object>
<object id="#3" type="hkaAnimationBinding"><int name="blendHint">255</int></object>
<object id="#4" type="hkaSkeleton"><array name="bones"><struct><byte name="lockTranslation">1</byte></struct></array>
<array name="referenceFloats">1 x3f000000 <!-- 0.5 --> -2.5</array></object>)"));
  const FieldsView spline = file.objects[1].fields();
  CHECK(spline.real("duration") == 2.0);
  const auto data = spline.array("data").numbers<std::uint8_t>();
  CHECK(std::vector<int>(data.begin(), data.end()) == std::vector<int>{0, 255, 255, 128});
  CHECK(spline.array("blockOffsets").numbers<std::uint32_t>()[0] == 0xFFFFFFFF);
  CHECK(spline.array("blockOffsets").numbers<std::uint32_t>()[1] == 0xFFFFFFFF);
  CHECK(file.objects[2].fields().integer("blendHint") == -1);
  const FieldsView skeleton = file.objects[3].fields();
  CHECK(skeleton.array("bones").record(0).integer("lockTranslation") == 1);
  const auto floats = skeleton.array("referenceFloats").numbers<float>();
  CHECK(std::vector<float>(floats.begin(), floats.end()) == std::vector<float>{1.0f, 0.5f, -2.5f});
}

TEST_CASE("what cannot be read in a tagfile is an error with its line and place") {
  const auto error_of = [](std::string_view text) {
    const auto file = read_tagfile_xml(as_bytes(text));
    REQUIRE_FALSE(file);
    return file.error();
  };
  CHECK(error_of("").code == ErrorCode::Truncated);
  CHECK(error_of("<hktagfile").code == ErrorCode::Malformed);
  CHECK(error_of("<hkpackfile/>").code == ErrorCode::BadMagic);
  CHECK(error_of("<hktagfile/>").code == ErrorCode::Malformed);
  CHECK(error_of(tagfile_of("<object id=\"#1\" type=\"NoSuch\"/>")).code == ErrorCode::Malformed);
  const Error number = error_of(
      tagfile_of("<object id=\"#1\" type=\"hkaSkeleton\">\n<array name=\"parentIndices\">1 70000</array></object>"));
  CHECK(number.path == "#1 hkaSkeleton.parentIndices");
  CHECK(number.message == "line 4: element 1 is not a value of its type");
  CHECK(number.offset != kNoOffset);
  CHECK(error_of(tagfile_of("<object id=\"#1\" type=\"hkaSkeleton\"/><object id=\"#1\" type=\"hkaSkeleton\"/>"))
            .message.find("twice") != std::string::npos);
  CHECK(error_of(tagfile_of("<object id=\"#1\" type=\"hkaAnimationContainer\"><array "
                            "name=\"skeletons\"><ref>#9</ref></array></object>"))
            .message.find("#9") != std::string::npos);
  const std::string good = tagfile_of(kExported);
  CHECK(read_tagfile_xml(as_bytes(good), {.limits = {.max_expanded_bytes = 100}}).error().code ==
        ErrorCode::LimitExceeded);
  CHECK(read_tagfile_xml(as_bytes(good), {.limits = {.max_objects = 2}}).error().code == ErrorCode::LimitExceeded);
  CHECK(read_xml(as_bytes(good)).error().message.find("tagfile") != std::string::npos);
}

TEST_CASE("an object of unknown class cannot be written as a tagfile") {
  const auto refused = write_tagfile_xml(sample_packfile(kVersion2010, 8, true));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::Unrepresentable);
}

TEST_CASE("objects that stand for records may be shared, but not without end and not in a ring") {
  std::string tracks, refs;
  const auto animation = [&](std::size_t count) {
    refs.clear();
    for (std::size_t i = 0; i < count; ++i) refs += "<ref>#2</ref>";
    return tagfile_of(
        "<object id=\"#1\" type=\"hkaSplineCompressedAnimation\"><array name=\"annotationTracks\">" + refs +
        "</array></object><object id=\"#2\" type=\"hkaAnnotationTrack\"><string name=\"trackName\">" +
        "a</string><array name=\"annotations\"><struct><string name=\"text\">e</string></struct></array>" + tracks +
        "</object>");
  };
  const Packfile file = read_tagfile(animation(5));
  REQUIRE(file.objects.size() == 1);
  const ArrayView read = file.objects[0].fields().array("annotationTracks");
  REQUIRE(read.size() == 5);
  for (std::uint32_t i = 0; i < 5; ++i) {
    CHECK(read.record(i).text("trackName") == "a");
    CHECK(read.record(i).array("annotations").record(0).text("text") == "e");
  }
  CHECK(read_tagfile_xml(as_bytes(animation(1000)), {.limits = {.max_expanded_bytes = 100'000}}).error().code ==
        ErrorCode::LimitExceeded);
  // A record that is not of the wanted class is skipped, not followed.
  Findings findings;
  read_tagfile(tagfile_of(R"(<object id="#1" type="hkRootLevelContainer"/>
<object id="#2" type="hkaAnnotationTrack"><array name="annotations"><ref>#2</ref></array></object>)"),
               &findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "W_MEMBER_TYPE");
}

TEST_CASE("every prefix of a good tagfile gives an error, never a crash") {
  const std::string text = tagfile_text(sample_packfile(kVersion2010, 4));
  for (std::size_t length = 0; length + 1 < text.size(); length += 7) {
    const std::vector<std::byte> cut(as_bytes(text).begin(),
                                     as_bytes(text).begin() + static_cast<std::ptrdiff_t>(length));
    CHECK_FALSE(read_tagfile_xml(cut));
  }
}

TEST_CASE("a binary tagfile is named as what it is") {
  std::vector<std::byte> bytes(64);
  const std::uint32_t magic[] = {0xCAB00D1E, 0xD011FACE};
  std::memcpy(bytes.data(), magic, sizeof magic);
  const auto refused = read_packfile(bytes);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::Unsupported);
  CHECK(refused.error().message.find("binary tagfile (CAB00D1E D011FACE)") != std::string::npos);
  CHECK(refused.error().message.find("XML tagfile") != std::string::npos);
}
