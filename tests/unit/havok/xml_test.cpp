// SPDX-License-Identifier: MIT
#include "havok/text/xml.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "havok/animation/animation.h"
#include "havok/object/compare.h"
#include "havok/object/transcribe.h"
#include "support/sample_packfile.h"

using namespace marrow;
using namespace marrow::havok;
using marrow::test::sample_behaviour;
using marrow::test::sample_packfile;

namespace {

std::string text_of(const Packfile& file) {
  const auto bytes = write_xml(file);
  REQUIRE(bytes);
  return std::string(as_text(*bytes));
}

Packfile parsed(std::string_view text, Findings* findings = nullptr) {
  auto file = read_xml(as_bytes(text), {.findings = findings});
  REQUIRE_MESSAGE(file.has_value(), describe(file.error()));
  return std::move(*file);
}

std::string document(std::string_view objects, std::string_view attributes = R"(toplevelobject="#1")") {
  return "<?xml version=\"1.0\" encoding=\"ascii\"?>\n<hkpackfile classversion=\"8\" "
         "contentsversion=\"hk_2010.2.0-r1\" " +
         std::string(attributes) + "><hksection name=\"__data__\">" + std::string(objects) +
         "</hksection></hkpackfile>";
}

std::string skeleton(std::string_view params) {
  return document("<hkobject name=\"#1\" class=\"hkaSkeleton\">" + std::string(params) + "</hkobject>");
}

}  // namespace

TEST_CASE("XML reads back as the equal file, and as the same bytes of a packfile") {
  for (Packfile file : {sample_packfile(kVersion2010, 4, true), sample_packfile(kVersion2010, 8),
                        sample_packfile(kVersion2014, 8, true), sample_behaviour(4)}) {
    file.padding = 0x7F;
    file.user_tag = -3;
    file.flags = 1;
    Packfile back = parsed(text_of(file));
    // The XML of a behaviour lists the root last, as patches expect it; all else is equal, and so are its bytes.
    if (!file.find_all("hkbBehaviorGraph").empty()) {
      CHECK(back.root.index + 1 == back.objects.size());
      CHECK(compare(back, file).empty());
      back = *read_packfile(*write_packfile(back));
      file = *read_packfile(*write_packfile(file));
    }
    CHECK(back == file);
    CHECK(*write_packfile(back) == *write_packfile(file));
  }
  Packfile mixed = sample_packfile(kVersion2010, 8);
  mixed.padding.strings = 0x7F;
  CHECK(parsed(text_of(mixed)) == mixed);
  mixed.padding.class_names = 0;
  CHECK(parsed(text_of(mixed)) == mixed);
  Packfile physics = sample_packfile(kVersion2014, 8);
  physics.predicates.clear();
  CHECK(parsed(text_of(physics)) == physics);
}

TEST_CASE("what many small values take together is held to the limit") {
  Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
  file.root = file.add("hkaSkeleton");
  file.at(file.root).fields().set_texts("floatSlots", std::vector<std::string>(1000, "slot"));
  const std::string text = text_of(file);
  CHECK(read_xml(as_bytes(text), {.limits = {.max_expanded_bytes = 100'000}}).has_value());
  const auto refused = read_xml(as_bytes(text), {.limits = {.max_expanded_bytes = 4'000}});
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code == ErrorCode::LimitExceeded);
}

TEST_CASE("strings of every kind survive: null, empty, blanks, markup, controls, UTF-8 and other bytes") {
  Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
  file.root = file.add("hkaSkeleton");
  const std::vector<std::string> texts = {
      "", " ", "  two  ", "<a & \"b\">", "tab\tnewline\ncr\rbell\a", "gr\xC3\xBC\xC3\x9F", "\xE9t\xE9", "a\xC3"};
  file.at(file.root).fields().set_texts("floatSlots", texts);
  CHECK_FALSE(file.at(file.root).fields().view().text("name"));
  CHECK(parsed(text_of(file)) == file);
  for (const char c : text_of(file)) CHECK(static_cast<unsigned char>(c) < 0x80);
}

TEST_CASE("floats keep their bits, lanes that mean nothing and NaNs included") {
  Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
  file.root = file.add("hkaSkeleton");
  std::vector<float> pose(24);
  for (std::size_t i = 0; i < pose.size(); ++i) pose[i] = 1.0f / static_cast<float>(i + 3);
  pose[3] = -0.0f;
  pose[11] = std::bit_cast<float>(0x7FC12345u);
  pose[15] = 0.0f;
  pose[20] = std::numeric_limits<float>::infinity();
  file.at(file.root).fields().set_numbers<float>("referencePose", pose);
  CHECK(parsed(text_of(file)) == file);
}

TEST_CASE(
    "what other tools write is read: fewer digits, comments, other orders, no counts, names or numbers of enums") {
  const Packfile file = parsed(document(R"(
    <hkobject name="#0045" class="hkaAnimationBinding" signature="0x66eac971">
      <!-- memSizeAndFlags SERIALIZE_IGNORED -->
      <hkparam name="blendHint">ADDITIVE</hkparam>
      <hkparam name="transformTrackToBoneIndices">0 1
        2</hkparam>
      <hkparam name="originalSkeletonName">Root</hkparam>
    </hkobject>
    <hkobject name="#1" class="hkaSkeleton">
      <hkparam name="referencePose" numelements="1">
        (0.000003 -8.257909 3.280014)(0.707107 -0.000000 0.000000 0.707107)(1.000000 1.000000 1.000000 1)
      </hkparam>
      <hkparam name="parentIndices" numelements="1">-1</hkparam>
      <hkparam name="bones"><hkobject><hkparam name="name">&#9216;</hkparam><hkparam name="lockTranslation">1</hkparam></hkobject></hkparam>
    </hkobject>)"));
  CHECK(file.pointer_size == 8);
  const FieldsView binding = file.objects[0].fields(), bones = file.at(file.root).fields();
  CHECK(binding.integer("blendHint") == 1);
  CHECK(binding.array("transformTrackToBoneIndices").size() == 3);
  CHECK(bones.array("referencePose").numbers<float>()[1] == -8.257909f);
  CHECK(bones.array("referencePose").numbers<float>()[3] == 0.0f);
  CHECK(bones.array("referencePose").numbers<float>()[11] == 1.0f);
  CHECK_FALSE(bones.array("bones").record(0).text("name"));
  CHECK(bones.array("bones").record(0).integer("lockTranslation") == 1);
}

TEST_CASE("oddities are findings, not errors") {
  Findings findings;
  parsed(document(R"(<hkobject name="#1" class="hkMemoryResourceContainer" signature="0x1">
    <hkparam name="nonsense">1</hkparam>
    <hkparam name="memSizeAndFlags">0</hkparam>
    <hkparam name="name">a</hkparam><hkparam name="name">b</hkparam>
    <hkparam name="resourceHandles" numelements="0"></hkparam>
    <hkparam name="children" numelements="7">#1 #1</hkparam></hkobject>)"),
         &findings);
  std::vector<std::string> codes;
  for (const Finding& finding : findings) codes.push_back(finding.code);
  CHECK(codes == std::vector<std::string>{"E_SIGNATURE", "W_UNKNOWN_PARAM", "W_NUMELEMENTS", "W_REPEATED_PARAM"});
}

TEST_CASE("an unknown or missing parameter is reported with its object and its line, once per object") {
  const std::string text = document(R"(
<hkobject name="#0051" class="hkaSkeleton">
  <hkparam name="name">Root</hkparam>
  <hkparam name="speed">1</hkparam>
  <hkparam name="parentIndices">-1 0</hkparam>
  <hkparam name="bones">
    <hkobject><hkparam name="name">a</hkparam></hkobject>
    <hkobject><hkparam name="name">b</hkparam></hkobject>
  </hkparam>
  <hkparam name="referencePose"></hkparam>
  <hkparam name="referenceFloats"></hkparam>
  <hkparam name="floatSlots"></hkparam>
</hkobject>)",
                                    R"(toplevelobject="#0051")");
  Findings findings;
  const Packfile file = parsed(text, &findings);
  REQUIRE(findings.size() == 3);
  CHECK(findings[0].code == "W_UNKNOWN_PARAM");
  CHECK(findings[0].where == "#0051 (hkaSkeleton), line 5");
  CHECK(findings[0].message.find("'speed'") != std::string::npos);
  CHECK(findings[1].code == "W_MISSING_PARAM");
  CHECK(findings[1].where == "#0051 (hkaSkeleton), line 8");
  CHECK(findings[1].message.find("hkaBone lacks 'lockTranslation'") != std::string::npos);
  CHECK(findings[2].where == "#0051 (hkaSkeleton), line 3");
  CHECK(findings[2].message.find("'localFrames'") != std::string::npos);
  findings.clear();
  // The same text in UTF-16 has the same lines.
  std::vector<std::byte> wide = {std::byte{0xFF}, std::byte{0xFE}};
  for (const char c : text) wide.insert(wide.end(), {static_cast<std::byte>(c), std::byte{0}});
  REQUIRE(read_xml(wide, {.findings = &findings}));
  REQUIRE(findings.size() == 3);
  CHECK(findings[1].where == "#0051 (hkaSkeleton), line 8");
  // What is written has every parameter.
  findings.clear();
  CHECK(parsed(text_of(file), &findings) == file);
  CHECK(findings.empty());
}

TEST_CASE("objects keep their names from XML to XML, and new objects get free ones") {
  const std::string text = document(R"(
    <hkobject name="#0045" class="hkMemoryResourceContainer"><hkparam name="children">#0051 null &lt;odd&gt;</hkparam></hkobject>
    <hkobject name="#0051" class="hkMemoryResourceContainer"/>
    <hkobject name="&lt;odd&gt;" class="hkMemoryResourceContainer"/>)",
                                    R"(toplevelobject="#0045")");
  Packfile file = parsed(text);
  const auto names = [](const Packfile& packfile) {
    std::vector<std::string> result;
    for (const Object& object : packfile.objects) result.emplace_back(object.name());
    return result;
  };
  CHECK(names(file) == std::vector<std::string>{"#0045", "#0051", "<odd>"});
  CHECK(names(parsed(text_of(file))) == names(file));
  CHECK(parsed(text_of(file)) == file);
  file.add("hkMemoryResourceContainer");
  file.objects.push_back(file.objects[1]);  // a copy bears the same name
  file.objects[2].set_name("two words");
  const std::vector<std::string> all = {"#0045", "#0051", "#0052", "#0053", "#0054"};
  CHECK(names(parsed(text_of(file))) == all);
  // A binary file has no names: its objects are counted.
  const Packfile binary = read_packfile(write_packfile(file).value()).value();
  CHECK(binary.objects[0].name().empty());
  CHECK(names(parsed(text_of(binary)))[0] == "#0001");
}

TEST_CASE("names stay if a clip changes its class or its version of Havok") {
  Packfile file = parsed(text_of(sample_packfile(kVersion2010, 8)));
  for (Object& object : file.objects) object.set_name(std::string(object.name()).insert(1, "9"));
  Notes notes;
  const Packfile other = transcribed(file, Game::Fallout4, notes).value();
  CHECK(other.at(find_animations(other).at(0)).name() == file.at(find_animations(file).at(0)).name());
  const ObjectId id = find_animations(file).at(0);
  const codec::SplineBlob blob{.frame_count = 1, .blocks = {{.transforms = std::vector<codec::TransformTrack>(1)}}};
  const std::string name(file.at(id).name());
  REQUIRE(set_spline_motion(file, id, blob, 0));
  CHECK(file.at(id).name() == name);
}

TEST_CASE("numbers and strings are read around comments and CDATA") {
  const Packfile file = parsed(skeleton(R"(<hkparam name="parentIndices">-1 <!-- root --> 0 1<![CDATA[ 2]]></hkparam>
    <hkparam name="name">a<!-- b -->c</hkparam>)"));
  CHECK(file.objects[0].fields().array("parentIndices").size() == 4);
  CHECK(file.objects[0].fields().text("name") == "ac");
}

TEST_CASE("the plain style writes what other tools do: six decimals, their lanes, no attributes of our own") {
  Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
  file.root = file.add("hkaSkeleton");
  Fields fields = file.at(file.root).fields();
  fields.set_text("name", "Root");
  std::vector<float> pose = {1, -2.5f, 0.000001f, 0, 0, 0, 0, 1, 1, 1, 1, 0};
  fields.set_numbers<float>("referencePose", pose);
  fields.set_numbers<float>("referenceFloats", std::vector<float>{-0.0f, 1e9f});
  const auto plain = [&] { return std::string(as_text(write_xml(file, {.style = XmlStyle::Plain}).value())); };
  const std::string text = plain();
  CHECK(text.find("<hkpackfile classversion=\"8\" contentsversion=\"hk_2010.2.0-r1\" toplevelobject=\"#0001\">\n") !=
        std::string::npos);
  CHECK(text.find("\t\t\t\t(1.000000 -2.500000 0.000001)(0.000000 0.000000 0.000000 1.000000)"
                  "(1.000000 1.000000 1.000000)\n") != std::string::npos);
  CHECK(text.find("-0.000000 1000000000.000000\n") != std::string::npos);
  // These values fit into six decimals, so that nothing is lost.
  CHECK(parsed(text) == file);
  pose[3] = 7;  // a lane that the form does not have
  fields.set_numbers<float>("referencePose", pose);
  CHECK(plain() == text);
  fields.set_numbers<float>("referenceFloats", std::vector<float>{std::numeric_limits<float>::infinity(), -NAN});
  const Packfile infinite = parsed(plain());
  CHECK(infinite.objects[0].fields().array("referenceFloats").numbers<float>()[0] ==
        std::numeric_limits<float>::infinity());
  const auto opaque = write_xml(sample_packfile(kVersion2010, 8, true), {.style = XmlStyle::Plain});
  REQUIRE_FALSE(opaque);
  CHECK(opaque.error().code == ErrorCode::Unrepresentable);
}

TEST_CASE("the plain style counts 17 digits of large numbers, and keeps flags that have no name") {
  Packfile file = make_packfile(*builtin_schema(kVersion2010), 8);
  file.root = file.add("hkaSkeleton");
  file.at(file.root).fields().set_numbers<float>("referenceFloats",
                                                 std::vector<float>{3.40282e38f, -18446726481523507200.0f, 1e16f});
  const Packfile roles = parsed(document(
      R"(<hkobject name="#1" class="hkbRoleAttribute"><hkparam name="flags">FLAG_HIDDEN|FLAG_NORMALIZED|FLAG_NONE|0x1640</hkparam></hkobject>)",
      "toplevelobject=\"#1\""));
  CHECK(roles.objects[0].fields().integer("flags") == 0x164A);
  const auto plain = [](const Packfile& each) {
    return std::string(as_text(write_xml(each, {.style = XmlStyle::Plain}).value()));
  };
  CHECK(plain(file).find(
            "340282001837565600000000000000000000000.000000 -18446726481523507000.000000 10000000272564224.000000\n") !=
        std::string::npos);
  CHECK(parsed(plain(file)) == file);
  CHECK(plain(roles).find(">FLAG_HIDDEN|FLAG_NORMALIZED|FLAG_NONE|0x1640<") != std::string::npos);
  CHECK(std::string(as_text(write_xml(roles).value())).find(">5706<") != std::string::npos);
}

TEST_CASE("what cannot be read is an error with its offset and its place") {
  const auto error_of = [](std::string_view text) {
    const auto file = read_xml(as_bytes(text));
    REQUIRE_FALSE(file);
    return file.error();
  };
  CHECK(error_of("").code == ErrorCode::Truncated);
  CHECK(error_of("<hkpackfile").code == ErrorCode::Malformed);
  CHECK(error_of("<other/>").code == ErrorCode::BadMagic);
  CHECK(error_of(document("", "")).code == ErrorCode::Malformed);
  const Error no_root =
      error_of(document("\n<hkobject name=\"#1\" class=\"hkRootLevelContainer\"/>", "toplevelobject=\"#2\""));
  CHECK(no_root.code == ErrorCode::Malformed);
  CHECK(no_root.message == "line 2: toplevelobject is '#2', and no object has that name");
  CHECK(no_root.offset != kNoOffset);
  CHECK(error_of(document("", "padding=\"1 2\"")).message.find("padding") != std::string::npos);
  CHECK(error_of(document("", "padding=\"256\"")).message.find("padding") != std::string::npos);
  CHECK(error_of(document("<hkobject name=\"#1\" class=\"NoSuch\"/>")).code == ErrorCode::Unsupported);
  const Error bad_number = error_of(skeleton("<hkparam name=\"parentIndices\">1 x</hkparam>"));
  CHECK(bad_number.path == "#1 hkaSkeleton.parentIndices");
  CHECK(bad_number.offset > 0);
  CHECK(bad_number.message.starts_with("line 2: "));
  CHECK(error_of(skeleton("<hkparam name=\"parentIndices\">70000</hkparam>")).code == ErrorCode::Malformed);
  CHECK(error_of(skeleton("<hkparam name=\"referencePose\">(1 2 3)(0 0 0 1)</hkparam>")).code == ErrorCode::Malformed);
  CHECK(error_of(document("<hkobject name=\"#1\" class=\"hkaAnimationContainer\"><hkparam "
                          "name=\"skeletons\">#9</hkparam></hkobject>"))
            .message.find("#9") != std::string::npos);
  CHECK(error_of(document("<hkobject name=\"#1\" class=\"hkaSkeleton\"/><hkobject name=\"#1\" class=\"hkaSkeleton\"/>"))
            .message.find("twice") != std::string::npos);
  CHECK(read_xml(as_bytes(skeleton("")), {.limits = {.max_expanded_bytes = 10}}).error().code ==
        ErrorCode::LimitExceeded);
}

TEST_CASE("every prefix of a good XML file gives an error or a file, never a crash") {
  const std::string text = text_of(sample_packfile(kVersion2010, 4, true));
  for (std::size_t length = 0; length < text.size(); length += 7) {
    const std::vector<std::byte> cut(as_bytes(text).begin(),
                                     as_bytes(text).begin() + static_cast<std::ptrdiff_t>(length));
    CHECK_FALSE(read_xml(cut));
  }
}
