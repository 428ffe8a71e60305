// SPDX-License-Identifier: MIT
#include "marrow/havok/xml.h"

#include <doctest/doctest.h>

#include <bit>
#include <limits>

#include "marrow/havok/compare.h"
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
    const Packfile back = parsed(text_of(file));
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

TEST_CASE("strings of every kind survive: null, empty, blanks, markup, controls, UTF-8 and bytes that are none") {
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
  parsed(document(R"(<hkobject name="#1" class="hkaSkeleton" signature="0x1"><hkparam name="nonsense">1</hkparam>
    <hkparam name="parentIndices" numelements="7">1 2</hkparam></hkobject>)"),
         &findings);
  std::vector<std::string> codes;
  for (const Finding& finding : findings) codes.push_back(finding.code);
  CHECK(codes == std::vector<std::string>{"E_SIGNATURE", "W_UNKNOWN_PARAM", "W_NUMELEMENTS"});
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
  CHECK(error_of(document("", "padding=\"1 2\"")).message.find("padding") != std::string::npos);
  CHECK(error_of(document("", "padding=\"256\"")).message.find("padding") != std::string::npos);
  CHECK(error_of(document("<hkobject name=\"#1\" class=\"NoSuch\"/>")).code == ErrorCode::Unsupported);
  const Error bad_number = error_of(skeleton("<hkparam name=\"parentIndices\">1 x</hkparam>"));
  CHECK(bad_number.path == "#1 hkaSkeleton.parentIndices");
  CHECK(bad_number.offset > 0);
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
