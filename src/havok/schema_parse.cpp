// SPDX-License-Identifier: MIT
// The text form of the class tables; its grammar is at the head of every .classes file.
#include <algorithm>
#include <array>

#include "core/try.h"
#include "havok/layout.h"
#include "marrow/core/text.h"
#include "marrow/havok/schema.h"

namespace marrow::havok {
namespace {

constexpr std::array<std::pair<std::string_view, Kind>, 24> kKindNames = {{
    {"bool", Kind::Bool},       {"char", Kind::Char},           {"int8", Kind::Int8},
    {"uint8", Kind::UInt8},     {"int16", Kind::Int16},         {"uint16", Kind::UInt16},
    {"int32", Kind::Int32},     {"uint32", Kind::UInt32},       {"int64", Kind::Int64},
    {"uint64", Kind::UInt64},   {"half", Kind::Half},           {"real", Kind::Real},
    {"ulong", Kind::ULong},     {"vector4", Kind::Vector4},     {"quaternion", Kind::Quaternion},
    {"matrix3", Kind::Matrix3}, {"rotation", Kind::Rotation},   {"qstransform", Kind::QsTransform},
    {"matrix4", Kind::Matrix4}, {"transform", Kind::Transform}, {"string", Kind::Text},
    {"cstring", Kind::Text},    {"variant", Kind::Variant},     {"void", Kind::Void},
}};

constexpr std::array<std::pair<std::string_view, Kind>, 3> kArrayNames = {
    {{"array<", Kind::Array}, {"simplearray<", Kind::SimpleArray}, {"relarray<", Kind::RelArray}}};

// Splits the first word off a line.
std::string_view next_word(std::string_view& line) {
  line = trim(line);
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

}  // namespace

class SchemaParser {
 public:
  Result<std::unique_ptr<const Schema>> run(std::string_view text, std::string version) {
    schema_->version_ = std::move(version);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      ++line_;
      MARROW_CHECK(parse_line(trim(text.substr(at, end - at))));
      at = end + 1;
    }
    MARROW_CHECK(resolve());
    return std::unique_ptr<const Schema>(std::move(schema_));
  }

 private:
  // Names may be used before their definition, so types are resolved when all classes are known.
  struct PendingType {
    std::size_t member;
    std::string text;
    Class* owner;
    std::uint64_t line;
  };

  std::unexpected<Error> refuse(std::string why) const { return fail(ErrorCode::Malformed, std::move(why), line_); }

  Result<void> parse_line(std::string_view line) {
    if (line.empty() || line.starts_with('#')) return {};
    if (line.starts_with("class ")) return parse_class(line);
    if (schema_->classes_.empty()) return refuse("a member outside a class");
    if (line.starts_with("enum ")) return parse_enum(line);
    return parse_member(line);
  }

  Result<void> parse_class(std::string_view line) {
    next_word(line);
    Class& type = *schema_->classes_.emplace_back(std::make_unique<Class>());
    type.name = next_word(line);
    std::string_view word = next_word(line);
    if (word == ":") {
      parents_.emplace_back(&type, std::string(next_word(line)));
      word = next_word(line);
    }
    const auto signature = parse_uint(word);
    if (!signature || *signature > UINT32_MAX) return refuse("a class needs its signature");
    type.signature = static_cast<std::uint32_t>(*signature);
    while (!(word = next_word(line)).empty()) {
      if (word == "vtable")
        type.has_vtable = true;
      else if (word == "align")
        type.alignment = static_cast<std::uint32_t>(parse_uint(next_word(line)).value_or(1));
      else
        return refuse("unknown word '" + std::string(word) + "'");
    }
    if (!schema_->by_name_.emplace(type.name, &type).second) return refuse("class " + type.name + " is defined twice");
    return {};
  }

  Result<void> parse_enum(std::string_view line) {
    next_word(line);
    Enum& items = schema_->classes_.back()->enums.emplace_back();
    items.name = next_word(line);
    line = trim(line);
    if (!line.starts_with('{') || !line.ends_with('}')) return refuse("an enum is a list in braces");
    line = trim(line.substr(1, line.size() - 2));
    while (!line.empty()) {
      const std::size_t end = std::min(line.find(','), line.size());
      const std::string_view item = trim(line.substr(0, end));
      const std::size_t equals = item.find('=');
      const auto value = equals == std::string_view::npos ? std::nullopt : parse_int(item.substr(equals + 1));
      if (!value) return refuse("an enum item is NAME=VALUE");
      items.items.emplace_back(std::string(trim(item.substr(0, equals))), *value);
      line = trim(line.substr(std::min(end + 1, line.size())));
    }
    return {};
  }

  Result<void> parse_member(std::string_view line) {
    Class& owner = *schema_->classes_.back();
    Member& member = owner.members.emplace_back();
    std::string_view type = next_word(line);
    if (type == "hidden") {
      type = next_word(line);
      member.is_ignored = true;
    } else {
      member.name = next_word(line);
      if (member.name.empty()) return refuse("a member needs a name");
    }
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
      if (word == "ignored") {
        member.is_ignored = true;
      } else if (word == "align") {
        member.alignment = static_cast<std::uint32_t>(parse_uint(next_word(line)).value_or(1));
      } else if (word == "at") {
        for (std::int32_t& offset : member.fixed_offset)
          offset = static_cast<std::int32_t>(parse_int(next_word(line)).value_or(-1));
      } else {
        return refuse("unknown word '" + std::string(word) + "'");
      }
    }
    types_.push_back({owner.members.size() - 1, std::string(type), &owner, line_});
    return {};
  }

  Result<Kind> plain_kind(std::string_view name) const {
    const auto found = std::ranges::find(kKindNames, name, &std::pair<std::string_view, Kind>::first);
    if (found == kKindNames.end()) return refuse("unknown type '" + std::string(name) + "'");
    return found->second;
  }

  // A type without its array brackets: CLASS, CLASS*, or a name of the table above.
  Result<void> parse_single(std::string_view text, Kind& kind, const Class*& record) const {
    if (text.ends_with('*')) {
      kind = Kind::Pointer;
      record = schema_->find(text.substr(0, text.size() - 1));
      return {};
    }
    if ((record = schema_->find(text))) {
      kind = Kind::Record;
      return {};
    }
    MARROW_TRY(kind, plain_kind(text));
    return {};
  }

  // Enums are searched in the class, then its bases, then everywhere if the name is unique.
  const Enum* find_enum(const Class& owner, std::string_view name) const {
    for (const Class* type = &owner; type; type = type->parent)
      for (const Enum& candidate : type->enums)
        if (candidate.name == name) return &candidate;
    const Enum* found = nullptr;
    for (const auto& type : schema_->classes_)
      for (const Enum& candidate : type->enums)
        if (candidate.name == name) {
          if (found && found->items != candidate.items) return nullptr;
          found = &candidate;
        }
    return found;
  }

  Result<void> parse_type(std::string_view text, const Class& owner, Type& type) const {
    if (text.ends_with(']')) {
      const std::size_t open = text.find('[');
      const auto count =
          open == std::string_view::npos ? std::nullopt : parse_uint(text.substr(open + 1, text.size() - open - 2));
      if (!count || *count > 65536) return refuse("a repeat is T[N]");
      type.repeat = static_cast<std::uint32_t>(*count);
      text = text.substr(0, open);
    }
    for (const auto& [prefix, kind] : kArrayNames)
      if (text.starts_with(prefix) && text.ends_with('>')) {
        type.kind = kind;
        return parse_single(text.substr(prefix.size(), text.size() - prefix.size() - 1), type.element, type.record);
      }
    if (text.starts_with("enum:") || text.starts_with("flags:")) {
      type.is_flags = text.starts_with("flags:");
      text.remove_prefix(text.find(':') + 1);
      const std::size_t colon = std::min(text.find(':'), text.size());
      MARROW_TRY(type.kind, plain_kind(text.substr(0, colon)));
      if (colon < text.size()) type.names = find_enum(owner, text.substr(colon + 1));
      return {};
    }
    return parse_single(text, type.kind, type.record);
  }

  Result<void> resolve() {
    for (const auto& [type, name] : parents_) {
      type->parent = schema_->find(name);
      if (!type->parent) return refuse("class " + type->name + " derives from " + name + ", which does not exist");
    }
    for (const PendingType& pending : types_) {
      line_ = pending.line;
      Member& member = pending.owner->members[pending.member];
      MARROW_CHECK(parse_type(pending.text, *pending.owner, member.type));
    }
    for (const auto& type : schema_->classes_) MARROW_CHECK(lay_out_after_its_parts(*type, 0));
    return {};
  }

  Result<void> lay_out_after_its_parts(Class& type, int depth) {
    if (type.layout.record) return {};
    if (depth > 64) return refuse("class " + type.name + " contains itself");
    if (type.parent) MARROW_CHECK(lay_out_after_its_parts(*schema_->by_name_[type.parent->name], depth + 1));
    for (Member& member : type.members) {
      if (member.type.kind == Kind::Record)
        MARROW_CHECK(lay_out_after_its_parts(*schema_->by_name_[member.type.record->name], depth + 1));
      // The elements of an array may be of a class that is laid out later: only the address is used here.
      if (is_array(member.type.kind))
        member.type.layout =
            member.type.element == Kind::Record ? &member.type.record->layout : &element_of(member.type.element);
    }
    lay_out(type);
    return {};
  }

  std::unique_ptr<Schema> schema_ = std::make_unique<Schema>();
  std::vector<std::pair<Class*, std::string>> parents_;
  std::vector<PendingType> types_;
  std::uint64_t line_ = 0;
};

Result<std::unique_ptr<const Schema>> Schema::parse(std::string_view text, std::string version) {
  return SchemaParser().run(text, std::move(version));
}

}  // namespace marrow::havok
