// SPDX-License-Identifier: MIT
#include "havok/text/json.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "core/counted.h"
#include "core/json.h"
#include "core/nearest.h"
#include "core/try.h"
#include "core/utf8.h"
#include "havok/animation/float_offsets.h"
#include "havok/object/layout.h"
#include "havok/object/version.h"
#include "havok/text/file_properties.h"
#include "havok/text/json_names.h"
#include "havok/text/number.h"
#include "havok/text/value_text.h"
#include "havok/text/xml_properties.h"
#include "havok/text/xml_source.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

std::optional<std::uint32_t> index_of(const Json& value, std::size_t count) {
  const std::int64_t index = value.is_number() ? value.integer() : -1;
  if (index < 0 || static_cast<std::uint64_t>(index) >= count) return std::nullopt;
  return static_cast<std::uint32_t>(index);
}

class JsonReader {
 public:
  JsonReader(const Json& json, const ReadOptions& options) : json_(json), options_(options) {}

  Result<Packfile> run() {
    if (json_[json::kFormat].text() != json::kFormatName)
      return fail(ErrorCode::BadMagic, "not a packfile as JSON: \"format\" is not \"havok-packfile\"", 0);
    MARROW_CHECK(read_properties());
    const Json::Array& objects = json_[json::kObjects].items();
    if (objects.size() > options_.limits.max_objects)
      return fail(ErrorCode::LimitExceeded, "more objects than the limit allows", kNoOffset, json::kObjects);
    file_.objects.resize(objects.size());
    for (std::uint32_t i = 0; i < objects.size(); ++i) {
      object_ = "objects[" + std::to_string(i) + "]";
      reported_.clear();
      if (read_object(objects[i], i)) continue;
      error_.path = object_ + error_.path;
      return std::unexpected(std::move(error_));
    }
    MARROW_CHECK(find_root());
    if (options_.findings) report_wrong_float_offsets(file_, *options_.findings);
    return std::move(file_);
  }

 private:
  bool refuse(std::string why, ErrorCode code = ErrorCode::Malformed) {
    error_ = {code, std::move(why)};
    return false;
  }
  // Puts a step in front of the path of an error; false, to be returned.
  bool inside(const std::string& step) {
    error_.path = step + error_.path;
    return false;
  }
  bool spend(const Element& element, std::uint64_t count) {
    const std::uint64_t each = element.pod_size + std::uint64_t{element.ref_count} * sizeof(Ref) + 1;
    if (!options_.limits.charge(count, each))
      return refuse("more memory than the limit allows", ErrorCode::LimitExceeded);
    return true;
  }
  void find(std::string code, std::string message) {
    if (options_.findings) options_.findings->push_back({std::move(code), Level::Warning, std::move(message), object_});
  }

  Result<void> read_properties() {
    const auto wrong = [](const char* member, std::string why) {
      return fail(ErrorCode::Malformed, std::move(why), kNoOffset, member);
    };
    const Schema* schema = builtin_schema(json_[json::kVersion].text());
    if (!schema)
      return fail(
          ErrorCode::Unsupported,
          "Havok version '" + json_[json::kVersion].text() + "' is not supported; " + supported_versions() + " are",
          kNoOffset, json::kVersion);
    const Json* size = json_.find(json::kPointerSize);
    const std::int64_t pointer_size = size ? size->integer() : 8;
    if (pointer_size != 4 && pointer_size != 8) return wrong(json::kPointerSize, "must be 4 or 8");
    file_ = make_packfile(*schema, static_cast<std::uint32_t>(pointer_size));
    if (const Json* padding = json_.find(json::kPadding)) {
      std::array<std::uint8_t, 4> values{};
      if (padding->size() != values.size()) return wrong(json::kPadding, "must be four bytes");
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto value = index_of(padding->items()[i], 256);
        if (!value) return wrong(json::kPadding, "must be four bytes");
        values[i] = static_cast<std::uint8_t>(*value);
      }
      file_.padding.bodies = values[0];
      file_.padding.arrays = values[1];
      file_.padding.strings = values[2];
      file_.padding.class_names = values[3];
    }
    if (const Json* tag = json_.find(json::kUserTag)) file_.user_tag = static_cast<std::int32_t>(tag->integer());
    if (const Json* flags = json_.find(json::kFlags)) file_.flags = static_cast<std::int32_t>(flags->integer());
    const FindProperty find = [&](std::string_view name) -> std::optional<std::string> {
      const Json* stated = json_.find(name);
      return stated ? std::optional<std::string>(stated->text()) : std::nullopt;
    };
    if (std::string why = read_rare_properties(find, file_); !why.empty())
      return fail(ErrorCode::Malformed, std::move(why), kNoOffset, json::kFormat);
    if (const Json* most = json_.find(json::kMaxPredicate))
      file_.max_predicate = static_cast<std::uint16_t>(most->integer());
    if (const Json* predicates = json_.find(json::kPredicates)) {
      auto bytes = parse_hex(predicates->text());
      if (!bytes || bytes->size() > UINT16_MAX) return wrong(json::kPredicates, "must be bytes in hexadecimal");
      file_.predicates = std::move(*bytes);
    }
    return {};
  }

  Result<void> find_root() {
    if (const Json* root = json_.find(json::kRoot)) {
      const auto index = index_of(*root, file_.objects.size());
      if (!index) return fail(ErrorCode::Malformed, "there is no such object", kNoOffset, json::kRoot);
      file_.root = {*index};
      return {};
    }
    const auto containers = file_.find_all("hkRootLevelContainer");
    if (containers.empty())
      return fail(ErrorCode::Malformed, "there is neither a root nor an hkRootLevelContainer", kNoOffset, json::kRoot);
    file_.root = containers.front();
    return {};
  }

  bool read_object(const Json& json, std::uint32_t index) {
    Object& object = file_.objects[index];
    if (const Json* number = json.find(json::kObject); number && number->integer() != index)
      return refuse("has number " + to_text(*number, false) + "; a file is read from all its objects, in order");
    std::string class_name;
    if (!read_characters(json[json::kClass], class_name)) return inside(".class");
    if (const Json* name = json.find(json::kName); name) {
      std::string text;
      if (!read_characters(*name, text)) return inside(".name");
      object.set_name(text);
    }
    object_ += " (" + class_name + ")";
    if (json.contains(json::kBytes)) {
      Opaque opaque;
      opaque.class_name = class_name;
      if (!read_opaque(json, opaque)) return false;
      object.set_opaque(std::move(opaque));
      return true;
    }
    object.type = file_.schema->find(class_name);
    if (!object.type)
      return refuse(
          "class '" + class_name + "' is not in " + file_.schema->version() + ", so its fields cannot be laid out",
          ErrorCode::Unsupported);
    if (!spend(object.type->layout, 1)) return false;
    object.reset(*object.type);
    return read_record(json[json::kFields], object.fields(), 0);
  }

  bool read_opaque(const Json& json, Opaque& opaque) {
    const auto signature = parse_uint(json[json::kSignature].text());
    if (!signature || *signature > UINT32_MAX) return refuse("an opaque object needs its signature");
    opaque.signature = static_cast<std::uint32_t>(*signature);
    auto bytes = parse_hex(json[json::kBytes].text());
    if (!bytes) return refuse("the bytes of an opaque object are in hexadecimal");
    opaque.bytes = std::move(*bytes);
    for (const Json& pair : json[json::kLocalFixups].items()) {
      const auto from = index_of(pair.size() == 2 ? pair.items()[0] : Json(), opaque.bytes.size());
      const auto to = index_of(pair.size() == 2 ? pair.items()[1] : Json(), opaque.bytes.size());
      if (!from || !to) return refuse("a fixup of an opaque object leads outside it");
      opaque.local_fixups.emplace_back(*from, *to);
    }
    for (const Json& pair : json[json::kGlobalFixups].items()) {
      const auto from = index_of(pair.size() == 2 ? pair.items()[0] : Json(), opaque.bytes.size());
      const auto to = index_of(pair.size() == 2 ? pair.items()[1] : Json(), file_.objects.size());
      if (!from || !to) return refuse("a fixup of an opaque object leads outside it");
      opaque.global_fixups.emplace_back(*from, ObjectId{*to});
    }
    if (const Json* types = json.find(json::kTypeFixups); types && !read_type_fixups(types->text(), opaque))
      return refuse("a pointer of an opaque object to a class lies outside it");
    return true;
  }

  // Recursion is bounded by the nesting of the JSON, which its parser limits.
  bool read_record(const Json& json, Fields fields, std::uint32_t depth) {
    if (!json.is_object()) return refuse("must be an object with the fields of " + fields.view().type().name);
    const Class& type = fields.view().type();
    std::vector<const Member*> seen;
    for (const auto& [name, value] : json.members()) {
      const Member* member = type.find(name);
      if (!member) {
        if (!has_ignored_member(type, name)) report_unknown(type, name);
        continue;
      }
      if (options_.findings) seen.push_back(member);
      if (!read_member(value, *member, fields, depth)) return inside("." + name);
    }
    if (options_.findings) report_missing(type, seen);
    return true;
  }

  void report_unknown(const Class& type, const std::string& name) {
    if (!options_.findings) return;
    std::vector<std::string_view> known;
    for (const Class* each : type.lineage())
      for (const Member& member : each->members) known.push_back(member.name);
    find("W_UNKNOWN_PARAM", type.name + " has no '" + name + "', so it is left out" + did_you_mean(name, known));
  }

  // Reported once per object and member: an array of records that all lack it is one fault.
  void report_missing(const Class& type, std::vector<const Member*>& seen) {
    std::ranges::sort(seen);
    for (const Class* each : type.lineage())
      for (const Member& member : each->members) {
        if (member.is_ignored || std::ranges::binary_search(seen, &member)) continue;
        if (std::ranges::find(reported_, &member) != reported_.end()) continue;
        reported_.push_back(&member);
        find("W_MISSING_PARAM", type.name + " lacks '" + member.name + "'; zero or empty is used");
      }
  }

  bool read_member(const Json& json, const Member& member, Fields& fields, std::uint32_t depth) {
    if (member.type.repeat == 1) return read_value(json, member, fields, 0, depth);
    if (json.size() != member.type.repeat || !json.is_array())
      return refuse("must be an array of " + std::to_string(member.type.repeat));
    for (std::uint32_t i = 0; i < member.type.repeat; ++i)
      if (!read_value(json.items()[i], member, fields, i, depth)) return inside("[" + std::to_string(i) + "]");
    return true;
  }

  bool read_value(const Json& json, const Member& member, Fields& fields, std::uint32_t i, std::uint32_t depth) {
    const Type& type = member.type;
    if (type.kind == Kind::Record) return read_record(json, fields.record(member, i), depth + 1);
    if (is_array(type.kind)) return read_array(json, type, fields.ref(member, i), depth);
    const Element& element = element_of(type.kind);
    if (element.ref_count > 0) return read_ref(json, type.kind, fields.ref(member, i));
    return read_number(json, type, type.kind,
                       fields.pods().subspan(member.pod_offset + i * element.pod_size, element.pod_size));
  }

  bool read_array(const Json& json, const Type& type, Ref& ref, std::uint32_t depth) {
    if (!json.is_array()) return refuse("must be an array");
    const Element& element = *type.layout;
    const auto count = static_cast<std::uint32_t>(json.size());
    if (!spend(element, count)) return false;
    Array& array = ref.set_array(Array(element, count));
    for (std::uint32_t i = 0; i < count; ++i) {
      const Json& item = json.items()[i];
      const bool read =
          element.record ? read_record(item, fields_at(element, array, i), depth + 1)
          : element.ref_count > 0
              ? read_ref(item, element.kind, array.mutable_refs()[i])
              : read_number(item, type, element.kind,
                            array.mutable_pods().subspan(std::size_t{i} * element.pod_size, element.pod_size));
      if (!read) return inside("[" + std::to_string(i) + "]");
    }
    return true;
  }

  bool read_ref(const Json& json, Kind kind, Ref& ref) {
    ref.reset();
    if (json.is_null()) return true;
    if (kind == Kind::Text) {
      std::string text;
      if (!read_characters(json, text)) return false;
      ref.set_text(text);
      return true;
    }
    const auto index = index_of(json[json::kObject], file_.objects.size());
    if (!index) return refuse("must be null or {\"object\": N} with the number of an object of the file");
    ref.set_pointer({*index});
    return true;
  }

  // A text, or {"latin1": TEXT} for bytes that are not UTF-8, one character per byte.
  bool read_characters(const Json& json, std::string& out) {
    if (json.is_text()) {
      out = json.text();
    } else if (const Json* latin1 = json.find(json::kLatin1); latin1 && latin1->is_text()) {
      for (std::string_view rest = latin1->text(); !rest.empty();) {
        const auto c = take_utf8(rest);
        if (!c || *c > 0xFF) return refuse("a latin1 text has characters past 255");
        out += static_cast<char>(*c);
      }
    } else {
      return refuse("must be a text");
    }
    if (out.find('\0') != std::string::npos) return refuse("a text of a packfile cannot hold a zero byte");
    return true;
  }

  bool read_number(const Json& json, const Type& type, Kind kind, std::span<std::byte> pods) {
    const std::uint32_t floats = float_count(kind);
    if (floats > 1) {
      if (json.size() != floats || !json.is_array()) return refuse("must be " + std::to_string(floats) + " numbers");
      for (std::uint32_t i = 0; i < floats; ++i)
        if (!read_number(json.items()[i], type, Kind::Real, pods.subspan(i * sizeof(float), sizeof(float))))
          return inside("[" + std::to_string(i) + "]");
      return true;
    }
    if (floats == 1 && json.is_number()) {
      const auto value = static_cast<float>(json.number());
      if (!std::isfinite(value)) return refuse("must be a number that a float can hold");
      std::memcpy(pods.data(), &value, sizeof value);
      return true;
    }
    // Names of enums, bits of floats, and numbers that a double cannot hold go the way of XML.
    const bool is_whole = json.is_number() && floats == 0 && kind != Kind::Half &&
                          json.number() == std::round(json.number()) && std::abs(json.number()) < 9e15;
    if (is_whole && fits(kind, json.integer())) {
      store_integer(kind, pods, json.integer());
      return true;
    }
    const std::string text = json.is_text() ? json.text() : to_text(json, false);
    std::string_view rest = text;
    if (json.is_array() || json.is_object() || !take_value(rest, type, kind, pods) || !trim(rest).empty())
      return refuse("'" + text.substr(0, 40) + "' is not a value of its type");
    return true;
  }

  const Json& json_;
  const ReadOptions& options_;
  Packfile file_;
  Error error_;
  std::string object_;                   // that is read, for messages
  std::vector<const Member*> reported_;  // missing members of the object
};

}  // namespace

Result<Packfile> read_json(std::span<const std::byte> bytes, const ReadOptions& options) {
  if (bytes.empty()) return fail(ErrorCode::Truncated, "the file is empty", 0);
  if (bytes.size() > options.limits.max_file_bytes)
    return fail(ErrorCode::LimitExceeded, "the file is larger than the limit allows");
  MARROW_TRY(const Json json, parse_json(as_text(bytes), options.limits));
  return JsonReader(json, counted(options)).run();
}

}  // namespace marrow::havok
