// SPDX-License-Identifier: MIT
#include "havok/object/value.h"

#include <doctest/doctest.h>

#include <array>
#include <optional>
#include <utility>

#include "havok/animation/animation.h"
#include "havok/animation/skeleton.h"
#include "havok/object/compare.h"
#include "havok/packfile/packfile.h"
#include "support/sample_packfile.h"

using namespace marrow;
using namespace marrow::havok;
using marrow::test::sample_packfile;

namespace {

// A file as it comes from disk: its values lie in shared storage.
Packfile sample_read() { return read_packfile(write_packfile(sample_packfile(kVersion2010, 8, true)).value()).value(); }

// Changes a value of every kind, at every depth.
void change(Packfile& file) {
  Fields skeleton = file.at(find_skeletons(file).at(0)).fields();
  skeleton.set_text("name", "Other");
  skeleton.element("bones", 1).set_text("name", "Spine");
  skeleton.set_texts("floatSlots", std::array<std::string, 1>{"slot"});
  Fields animation = file.at(find_animations(file).at(0)).fields();
  animation.set_real("duration", 7.0);
  animation.element("annotationTracks", 1).element("annotations", 0).set_real("time", 3.0);
  const Member& transforms = *animation.view().type().find("transforms");
  animation.ref(transforms).array().mutable_pods()[0] = std::byte{0x55};
  file.at(file.root).fields().element("namedVariants", 0).set_pointer("variant", {});
}

const Array& annotations(const Packfile& file) {
  return file.at(find_animations(file).at(0)).fields().array("annotationTracks").storage();
}

}  // namespace

TEST_CASE("a change to one copy of a file leaves the other as it was, whichever is changed") {
  const Packfile untouched = sample_read();
  const auto bytes = write_packfile(untouched).value();
  Packfile first = sample_read();
  Packfile second = first;
  change(second);
  CHECK(first == untouched);
  CHECK(write_packfile(first).value() == bytes);
  CHECK(second != first);
  Packfile third = first;
  change(first);
  CHECK(third == untouched);
  CHECK(write_packfile(third).value() == bytes);
  CHECK(first == second);
  CHECK(write_packfile(first).value() == write_packfile(second).value());
  // A copy of a file that is partly its own.
  Packfile fourth = first;
  first = third;
  CHECK(fourth == second);
  fourth.at(find_skeletons(fourth).at(0)).fields().element("bones", 1).set_text("name", "Neck");
  CHECK(fourth != second);
}

TEST_CASE("an object outlives the file that it was read with") {
  std::optional<Packfile> file = sample_read();
  const ObjectId id = find_animations(*file).at(0);
  Object copy = file->at(id);
  const Object changed = [&] {
    Object object = file->at(id);
    object.fields().set_real("duration", 7.0);
    return object;
  }();
  Object moved = std::move(file->at(id));
  file.reset();
  CHECK(std::as_const(copy).fields().array("annotationTracks").record(1).text("trackName") == "NPC");
  CHECK(changed.fields().array("annotationTracks").record(1).text("trackName") == "NPC");
  CHECK(changed.fields().real("duration") == 7.0);
  CHECK(moved == copy);
  copy.fields().set_real("duration", 7.0);
  CHECK(copy == changed);
  copy.reset(*moved.type);
  CHECK(std::as_const(copy).fields().array("annotationTracks").empty());
}

TEST_CASE("an array that is copied or moved out of an object is its own") {
  std::optional<Packfile> file = sample_read();
  const Array whole = annotations(*file);
  Array copy = whole;
  Array moved = std::move(file->at(find_animations(*file).at(0)).body());
  file.reset();
  CHECK(copy == whole);
  CHECK(copy.count() == 2);
  CHECK(moved.count() == 1);
  const Element& tracks = *builtin_schema(kVersion2010)->find("hkaAnnotationTrack")->find("annotations")->type.layout;
  CHECK(fields_at(tracks, copy.refs().back().array(), 0).text("text") == "FootLeft");
  copy.mutable_refs().back() = Ref();
  CHECK(copy != whole);
  // An object that was changed has its own body, and still shares what is further inside.
  file = sample_read();
  Object& changed = file->at(find_animations(*file).at(0));
  const Element& layout = changed.type->layout;
  changed.fields().set_real("duration", 7.0);
  const Array body = std::move(changed.body());
  file.reset();
  CHECK(fields_at(layout, body, 0).array("annotationTracks").record(1).text("trackName") == "NPC");
  // What is assigned may lie inside what it replaces.
  Array nested = whole;
  nested = nested.refs().back().array();
  CHECK(nested == whole.refs().back().array());
}

TEST_CASE("an empty array, a null text and a null pointer are nothing; an empty text is not") {
  const Element& bones = *builtin_schema(kVersion2010)->find("hkaSkeleton")->find("bones")->type.layout;
  Ref ref;
  CHECK(ref.is_null());
  CHECK_FALSE(ref.text());
  CHECK(ref.pointer().is_null());
  CHECK(ref.array().count() == 0);
  ref.set_pointer({0});
  CHECK_FALSE(ref.is_null());
  CHECK(ref.pointer() == ObjectId{0});
  CHECK(ref == Ref(ObjectId{0}));
  CHECK(ref != Ref(ObjectId{1}));
  ref.set_pointer({});
  CHECK(ref == Ref());
  ref.set_text("");
  CHECK(ref != Ref());
  CHECK(ref.text() == "");
  ref.set_text("long enough for memory of its own");
  CHECK(ref == Ref(std::string_view("long enough for memory of its own")));
  CHECK(ref != Ref(std::string_view("long enough for memory of her own")));
  ref.set_array(Array(bones, 2));
  CHECK(ref.is_array());
  CHECK(ref.array().refs().size() == 2);
  ref.set_array(Array(bones, 0));
  CHECK(ref == Ref());
}

TEST_CASE("a member that a class lacks, or has with another type, reads as nothing and is not written") {
  Packfile file = sample_read();
  const Packfile before = file;
  Fields skeleton = file.at(find_skeletons(file).at(0)).fields();
  const FieldsView view = skeleton.view();
  for (const std::string_view name : {"nothing", "bones", "name", "parentIndices"}) {
    CAPTURE(name);
    CHECK(view.real(name) == 0.0);
    CHECK(view.integer(name) == 0);
    CHECK(view.floats(name).empty());
    CHECK(view.pointer(name).is_null());
    CHECK_FALSE(view.record(name).has("name"));
    skeleton.set_real(name, 1.0);
    skeleton.set_integer(name, 1);
    skeleton.set_floats(name, std::array{1.0f});
    skeleton.set_pointer(name, ObjectId{0});
    skeleton.set_texts(name, std::array<std::string, 1>{"text"});
    skeleton.set_pointers(name, std::array{ObjectId{0}});
    skeleton.record(name).set_text("name", "text");
  }
  CHECK_FALSE(view.text("bones"));
  CHECK_FALSE(view.text("name", 1));
  for (const std::string_view name : {"nothing", "name"}) {
    CHECK(view.array(name).empty());
    CHECK(view.array(name).numbers<float>().empty());
    skeleton.reset_array(name, 3);
    skeleton.set_numbers<float>(name, std::array{1.0f});
    skeleton.element(name, 0).set_text("name", "text");
  }
  skeleton.set_numbers<float>("bones", std::array{1.0f});
  CHECK(view.array("parentIndices").numbers<float>().empty());
  CHECK_FALSE(view.array("parentIndices").record(0).has("name"));
  CHECK_FALSE(view.array("parentIndices").text(0));
  CHECK(view.array("bones").pointer(0).is_null());
  CHECK_FALSE(view.array("bones").record(view.array("bones").size()).has("name"));
  CHECK(compare(before, file).empty());
}
