// SPDX-License-Identifier: MIT
#include "anvil/json.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <utility>

#include "anvil/hierarchy.h"
#include "anvil/slots.h"
#include "anvil/value_text.h"
#include "core/nearest.h"
#include "core/try.h"
#include "marrow/core/text.h"

namespace marrow::anvil {
namespace {

constexpr std::string_view kJsonMark = "AnvilSkeleton";  // the first member; its value is the version of this notation
constexpr std::int64_t kVersion = 1;
constexpr std::string_view kDialects[] = {"standard", "schema"};

// ---- writing
// ---------------------------------------------------------------------------------------------------------

// JSON has no numbers that are not finite, which files may have, and loses the sign of 0: these are texts.
Json number_json(float value) {
  const bool is_plain = std::isfinite(value) && !(value == 0.0f && std::signbit(value));
  return is_plain ? Json(value) : Json(float_text(value));
}

Json kept_json(const Kept& kept) {
  Json::Array attributes, elements, labels;
  for (const auto& a : kept.attributes) attributes.emplace_back(Json::Array{a.field, a.item, a.name, a.value});
  for (const auto& e : kept.elements)
    elements.emplace_back(Json::Array{e.after, e.item, kDialects[static_cast<std::size_t>(e.dialect)], e.xml});
  for (const auto& l : kept.labels) labels.emplace_back(Json::Array{l.field, l.value, l.type, l.word});
  Json json = Json::object();
  if (!attributes.empty()) json.set("attributes", std::move(attributes));
  if (!elements.empty()) json.set("elements", std::move(elements));
  if (!labels.empty()) json.set("labels", std::move(labels));
  if (kept.absent != 0) json.set("absent", kept.absent);
  if (kept.line.number != 0) json.set("line", kept.line.number);
  return json;
}

template <class Object>
void write_object(const Object& object, std::uint64_t id, const Kept& kept, Json& json);

struct ToJson {
  std::span<const Kept> parts = {};

  Json operator()(float value) const { return number_json(value); }
  Json operator()(bool value) const { return value; }
  Json operator()(std::integral auto value) const { return value; }
  Json operator()(const Vec4& v) const { return four(v.x, v.y, v.z, v.w); }
  Json operator()(const Quat& q) const { return four(q.x, q.y, q.z, q.w); }
  Json operator()(const BoneLink& link) const { return link.is_null() ? Json() : Json(link.target); }
  Json operator()(const FileReference& file) const {
    return Json().set("id", file.id).set("path", file.path).set("is_global", file.is_global);
  }
  Json operator()(const BoneName& name) const { return Json().set("hash", name.hash).set("text", name.text); }
  Json operator()(const Opaque& data) const {
    if (data.is_null()) return {};
    return Json().set("dialect", kDialects[static_cast<std::size_t>(data.dialect)]).set("xml", data.xml);
  }
  Json operator()(const Computed& value) const { return value.stated ? Json(*value.stated) : Json(); }
  template <class Item>
  Json operator()(const std::vector<Item>& list) const {
    Json json = Json::array();
    static const Kept none;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if constexpr (kIsObject<Item>) {
        Json item = Json::object();
        if constexpr (std::same_as<Item, Modifier>) item.set("Type", class_name(list[i]));
        if constexpr (requires { list[i].kept; })
          write_object(list[i], list[i].id, list[i].kept, item);
        else
          write_object(list[i], list[i].id, i < parts.size() ? parts[i] : none, item);
        json.push(std::move(item));
      } else {
        json.push((*this)(static_cast<Item>(list[i])));
      }
    }
    return json;
  }

 private:
  static Json four(float x, float y, float z, float w) {
    return Json::Array{number_json(x), number_json(y), number_json(z), number_json(w)};
  }
};

template <class Object>
void write_object(const Object& object, std::uint64_t id, const Kept& kept, Json& json) {
  json.set("ID", id);
  ToJson to_json;
  if constexpr (std::same_as<Object, Modifier>) to_json.parts = object.part_kept;
  for (const Slot& slot : slots_to_read(object))
    json.set(slot.standard_name, std::visit([&](auto* value) { return to_json(*value); }, slot.at));
  if (Json record = kept_json(kept); record.size() > 0) json.set("Kept", std::move(record));
}

// ---- reading
// ---------------------------------------------------------------------------------------------------------

std::unexpected<Error> wrong(std::string_view what) {
  return fail(ErrorCode::Malformed, "expected " + std::string(what));
}

template <class T>
Result<T> whole(const Json& json) {
  if constexpr (std::same_as<T, std::uint64_t>) {
    // Ids may be beyond the range of signed numbers.
    if (const auto large = json.is_number() ? parse_uint(to_text(json, false)) : std::nullopt) return *large;
  } else if (json.is_number() && json.number() == std::floor(json.number()) && std::in_range<T>(json.integer())) {
    return static_cast<T>(json.integer());
  }
  return wrong("a whole number that fits");
}

Result<Dialect> dialect_of(const Json& json) {
  for (std::size_t i = 0; i < std::size(kDialects); ++i)
    if (json.text() == kDialects[i]) return static_cast<Dialect>(i);
  return wrong("standard or schema");
}

Result<Kept> read_kept(const Json& json) {
  Kept kept;
  for (const Json& row : json["attributes"].items()) {
    if (row.size() != 4) return wrong("[field, item, name, value]");
    MARROW_TRY(const auto field, whole<std::int16_t>(row.items()[0]));
    MARROW_TRY(const auto item, whole<std::int32_t>(row.items()[1]));
    kept.attributes.push_back({field, item, row.items()[2].text(), row.items()[3].text()});
  }
  for (const Json& row : json["elements"].items()) {
    if (row.size() != 4) return wrong("[after, item, dialect, xml]");
    MARROW_TRY(const auto after, whole<std::int16_t>(row.items()[0]));
    MARROW_TRY(const auto item, whole<std::int32_t>(row.items()[1]));
    MARROW_TRY(const Dialect dialect, dialect_of(row.items()[2]));
    kept.elements.push_back({after, item, dialect, row.items()[3].text()});
  }
  for (const Json& row : json["labels"].items()) {
    if (row.size() != 4) return wrong("[field, value, type, word]");
    MARROW_TRY(const auto field, whole<std::int16_t>(row.items()[0]));
    MARROW_TRY(const auto value, whole<std::int64_t>(row.items()[1]));
    kept.labels.push_back({field, value, row.items()[2].text(), row.items()[3].text()});
  }
  if (json.contains("absent")) {
    MARROW_TRY(kept.absent, whole<std::uint64_t>(json["absent"]));
  }
  if (json.contains("line")) {
    MARROW_TRY(kept.line.number, whole<std::uint32_t>(json["line"]));
  }
  return kept;
}

template <class Object>
Result<void> read_object(Object& object, Kept& kept, std::vector<Kept>* parts, const Json& json,
                         std::span<const std::string_view> others = {});

Result<float> number_of(const Json& json) {
  if (json.is_number()) {
    const auto number = static_cast<float>(json.number());
    return std::isfinite(number) ? Result<float>(number) : wrong("a number that a float can hold");
  }
  if (const auto text = json.is_text() ? parse_float(json.text()) : std::nullopt) return *text;
  return wrong("a number");
}

Result<Modifier> modifier_of(const Json& json) {
  const std::string& name = json["Type"].text();
  if (name.empty()) return fail(ErrorCode::Malformed, "expected the class of the modifier", kNoOffset, "Type");
  Modifier modifier;
  const auto type = find_modifier_type(name);
  if (type && class_name(*type) == name)
    static_cast<marrow::Modifier&>(modifier) = marrow::make_modifier(*type);
  else
    modifier.data = UnknownModifier{name};
  return modifier;
}

struct FromJson {
  const Json& json;
  std::vector<Kept>* parts = nullptr;

  Result<void> operator()(float* value) const {
    MARROW_TRY(*value, number_of(json));
    return {};
  }
  Result<void> operator()(bool* value) const {
    if (json != Json(true) && json != Json(false)) return wrong("true or false");
    *value = json.boolean();
    return {};
  }
  template <std::integral T>
  Result<void> operator()(T* value) const {
    MARROW_TRY(*value, whole<T>(json));
    return {};
  }
  Result<void> operator()(Vec4* value) const {
    if (json.size() != 4) return wrong("four numbers");
    for (int i = 0; i < 4; ++i) {
      MARROW_TRY((*value)[i], number_of(json.items()[static_cast<std::size_t>(i)]));
    }
    return {};
  }
  Result<void> operator()(Quat* value) const {
    Vec4 four(0.0f);
    MARROW_CHECK((*this)(&four));
    *value = make_quat(four.x, four.y, four.z, four.w);
    return {};
  }
  Result<void> operator()(BoneLink* value) const {
    *value = {};
    if (json.is_null()) return {};
    MARROW_TRY(value->target, whole<std::uint64_t>(json));
    return {};
  }
  Result<void> operator()(FileReference* value) const {
    MARROW_TRY(value->id, whole<std::uint64_t>(json["id"]));
    value->path = json.contains("path") ? json["path"].text() : std::to_string(value->id);
    value->is_global = json["is_global"].boolean();
    return {};
  }
  Result<void> operator()(BoneName* value) const {
    MARROW_TRY(value->hash, whole<std::uint32_t>(json["hash"]));
    value->text = json["text"].text();
    return {};
  }
  Result<void> operator()(Opaque* value) const {
    *value = {};
    if (json.is_null()) return {};
    MARROW_TRY(value->dialect, dialect_of(json["dialect"]));
    value->xml = json["xml"].text();
    return {};
  }
  Result<void> operator()(Computed* value) const {
    value->stated.reset();
    if (json.is_null()) return {};
    MARROW_TRY(value->stated, whole<std::uint32_t>(json));
    return {};
  }
  template <class Item>
  Result<void> operator()(std::vector<Item>* list) const {
    if (!json.is_array()) return wrong("a list");
    list->clear();
    for (std::size_t i = 0; i < json.size(); ++i)
      if (auto done = add(*list, json.items()[i], i); !done) {
        done.error().path = "[" + std::to_string(i) + "]" + (done.error().path.empty() ? "" : "." + done.error().path);
        return done;
      }
    return {};
  }

 private:
  template <class Item>
  Result<void> add(std::vector<Item>& list, const Json& from, std::size_t i) const {
    if constexpr (std::same_as<Item, Modifier>) {
      constexpr std::string_view kType[] = {"Type"};
      MARROW_TRY(Modifier modifier, modifier_of(from));
      MARROW_CHECK(read_object(modifier, modifier.kept, &modifier.part_kept, from, kType));
      list.push_back(std::move(modifier));
    } else if constexpr (std::same_as<Item, Bone>) {
      Bone& bone = list.emplace_back();
      MARROW_CHECK(read_object(bone, bone.kept, nullptr, from));
    } else if constexpr (kIsObject<Item>) {
      Kept kept;
      MARROW_CHECK(read_object(list.emplace_back(), kept, nullptr, from));
      if (kept == Kept{} && parts->size() <= i) return {};
      parts->resize(std::max(parts->size(), i + 1));
      (*parts)[i] = std::move(kept);
    } else {
      Item item{};
      MARROW_CHECK((FromJson{from}(&item)));
      list.push_back(item);
    }
    return {};
  }
};

template <class Object>
Result<void> read_object(Object& object, Kept& kept, std::vector<Kept>* parts, const Json& json,
                         std::span<const std::string_view> others) {
  if (!json.is_object()) return wrong("an object");
  const Slots slots = slots_of(object);
  std::vector<std::string_view> known = {"ID", "Kept"};
  known.insert(known.end(), others.begin(), others.end());
  for (const Slot& slot : slots) known.push_back(slot.standard_name);
  for (const auto& [name, value] : json.members()) {
    const auto inside = [&](Error error) {
      error.path = error.path.empty() || error.path.starts_with('[') ? name + error.path : name + "." + error.path;
      return std::unexpected(std::move(error));
    };
    if (std::ranges::find(known, name) == known.end()) {
      return fail(ErrorCode::Malformed, "there is no such field" + did_you_mean(name, known), kNoOffset, name);
    }
    const auto slot = std::ranges::find(slots, std::string_view(name), &Slot::standard_name);
    Result<void> done;
    if (slot != slots.end()) {
      done = std::visit(FromJson{value, parts}, slot->at);
    } else if (name == "ID") {
      auto id = whole<std::uint64_t>(value);
      if (!id) return inside(std::move(id.error()));
      object.id = *id;
    } else if (name == "Kept") {
      auto record = read_kept(value);
      if (!record) return inside(std::move(record.error()));
      kept = std::move(*record);
    }
    if (!done) return inside(std::move(done.error()));
  }
  return {};
}

// ---- text
// ------------------------------------------------------------------------------------------------------------

class Dump {
 public:
  explicit Dump(const Skeleton& skeleton) : tree_(hierarchy_of(skeleton)), skeleton_(skeleton) {}

  std::string run() {
    object("Skeleton", skeleton_, skeleton_.id, skeleton_.kept, 0);
    for (const Bone& bone : skeleton_.bones) {
      object("Bone " + display_name(bone.name), bone, bone.id, bone.kept, 0);
      for (const Modifier& modifier : bone.modifiers) {
        object(std::string(class_name(modifier)), modifier, modifier.id, modifier.kept, 1);
        walk_fields(modifier, [&](const Field& field, const auto& value) {
          if constexpr (kIsPartList<std::remove_cvref_t<decltype(value)>>)
            for (std::size_t i = 0; i < value.size(); ++i)
              object(std::string(field.name) + "[" + std::to_string(i) + "]", value[i], value[i].id, {}, 2);
        });
      }
    }
    return std::move(text_);
  }

 private:
  template <class Object>
  void object(const std::string& title, const Object& object, std::uint64_t id, const Kept& kept, std::size_t depth) {
    const std::string indent(2 * depth, ' ');
    text_ += indent + title + ", id " + std::to_string(id);
    if (kept.line.number > 0) text_ += ", line " + std::to_string(kept.line.number);
    text_ += "\n";
    for (const Slot& slot : slots_to_read(object)) {
      std::string value = value_text(slot, [&](BoneLink link) {
        const std::int32_t bone = tree_.find(link);
        if (bone >= 0) return display_name(skeleton_.bones[static_cast<std::size_t>(bone)].name);
        return link.is_null() ? std::string("none") : "object " + std::to_string(link.target);
      });
      if (!value.empty()) text_ += indent + "  " + std::string(slot.standard_name) + " = " + value + "\n";
    }
    for (const Kept::Element& element : kept.elements) text_ += indent + "  (kept) " + element.xml + "\n";
  }

  Hierarchy tree_;
  const Skeleton& skeleton_;
  std::string text_;
};

}  // namespace

Json to_json(const Skeleton& skeleton) {
  Json json = Json::object();
  json.set(kJsonMark, kVersion);
  const Origin& origin = skeleton.origin;
  Json comments = Json::array();
  for (const std::string& comment : origin.comments) comments.push(comment);
  json.set("Origin", Json()
                         .set("dialect", kDialects[static_cast<std::size_t>(origin.dialect)])
                         .set("tool", origin.tool)
                         .set("tool_version", origin.tool_version)
                         .set("comments", std::move(comments))
                         .set("wide_indices", origin.wide_indices));
  write_object(skeleton, skeleton.id, skeleton.kept, json);
  return json;
}

bool is_skeleton_json(const Json& json) { return json.contains(kJsonMark); }

Result<Skeleton> from_json(const Json& json) {
  if (!is_skeleton_json(json) || json[kJsonMark].integer() != kVersion)
    return fail(ErrorCode::Malformed,
                "this is not the JSON of an Anvil skeleton of version " + std::to_string(kVersion));
  Skeleton skeleton;
  const Json& from = json["Origin"];
  if (from.contains("dialect")) {
    MARROW_TRY(skeleton.origin.dialect, dialect_of(from["dialect"]));
  }
  if (from.contains("tool")) skeleton.origin.tool = from["tool"].text();
  if (from.contains("tool_version")) skeleton.origin.tool_version = from["tool_version"].text();
  for (const Json& comment : from["comments"].items()) skeleton.origin.comments.push_back(comment.text());
  skeleton.origin.wide_indices = from["wide_indices"].boolean();
  constexpr std::string_view kOthers[] = {kJsonMark, "Origin"};
  MARROW_CHECK(read_object(skeleton, skeleton.kept, nullptr, json, kOthers));
  return skeleton;
}

std::string dump_text(const Skeleton& skeleton) { return Dump(skeleton).run(); }

}  // namespace marrow::anvil
