// SPDX-License-Identifier: MIT
// The text form of the class tables; its grammar is at the head of every .classes file.
#include <algorithm>
#include <array>

#include "core/lines.h"
#include "core/try.h"
#include "havok/object/layout.h"
#include "havok/object/schema_table.h"
#include "marrow/core/text.h"

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

// Reads classes: the one that is asked for, and those it refers to.
class SchemaParser {
 public:
  explicit SchemaParser(SchemaRows& rows) : rows_(rows) {}

  Result<void> read(SchemaRow& first) {
    declare(first);
    for (std::size_t i = 0; i < read_.size(); ++i) MARROW_CHECK(parse(*read_[i]));
    for (SchemaRow* row : read_) MARROW_CHECK(lay_out_after_its_parts(*row, 0));
    for (const PendingEnum& pending : enums_)
      pending.owner->members[pending.member].type.names = find_enum(*pending.owner, pending.name);
    for (SchemaRow* row : read_) {
      row->type->is_borrowed = row->is_borrowed;
      row->ready.store(row->type.get(), std::memory_order_release);
    }
    return {};
  }

 private:
  // An enum may be one of a class that is read later.
  struct PendingEnum {
    Class* owner;
    std::size_t member;
    std::string_view name;
  };

  std::unexpected<Error> refuse(std::string why) const { return fail(ErrorCode::Malformed, std::move(why), line_); }

  SchemaRow* find_row(std::string_view name) {
    const auto found = rows_.find(name);
    return found == rows_.end() ? nullptr : &found->second;
  }

  // Names may be used before their definition: a class has an address first, and its members later.
  const Class* declare(SchemaRow& row) {
    if (!row.type) {
      row.type = std::make_unique<Class>();
      read_.push_back(&row);
    }
    return row.type.get();
  }

  const Class* declare(std::string_view name) {
    SchemaRow* row = find_row(name);
    return row ? declare(*row) : nullptr;
  }

  Result<void> parse(const SchemaRow& row) {
    for (const TextLine& each : Lines(row.text)) {
      line_ = row.line + each.number - 1;
      const std::string_view line = trim(each.text);
      if (each.number == 1)
        MARROW_CHECK(parse_class(line, *row.type));
      else if (line.starts_with("enum "))
        MARROW_CHECK(parse_enum(line, *row.type));
      else if (!line.empty() && !line.starts_with('#'))
        MARROW_CHECK(parse_member(line, *row.type));
    }
    return {};
  }

  Result<void> parse_class(std::string_view line, Class& type) {
    next_word(line);
    type.name = next_word(line);
    std::string_view word = next_word(line);
    if (word == ":") {
      const std::string_view parent = next_word(line);
      type.parent = declare(parent);
      if (!type.parent)
        return refuse("class " + type.name + " derives from " + std::string(parent) + ", which does not exist");
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
    return {};
  }

  Result<void> parse_enum(std::string_view line, Class& owner) const {
    next_word(line);
    Enum& items = owner.enums.emplace_back();
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

  Result<void> parse_member(std::string_view line, Class& owner) {
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
    return parse_type(type, owner);
  }

  Result<Kind> plain_kind(std::string_view name) const {
    const auto found = std::ranges::find(kKindNames, name, &std::pair<std::string_view, Kind>::first);
    if (found == kKindNames.end()) return refuse("unknown type '" + std::string(name) + "'");
    return found->second;
  }

  // A type without its array brackets: CLASS, CLASS*, or a name of the table above.
  Result<void> parse_single(std::string_view text, Kind& kind, const Class*& record) {
    if (text.ends_with('*')) {
      kind = Kind::Pointer;
      record = declare(text.substr(0, text.size() - 1));
      return {};
    }
    if ((record = declare(text))) {
      kind = Kind::Record;
      return {};
    }
    MARROW_TRY(kind, plain_kind(text));
    return {};
  }

  // Enums are searched in the class and its bases; CLASS.ENUM is that of another class.
  const Enum* find_enum(const Class& owner, std::string_view name) {
    const Class* type = &owner;
    if (const std::size_t dot = name.find('.'); dot != std::string_view::npos) {
      type = declare(name.substr(0, dot));
      name.remove_prefix(dot + 1);
    }
    for (; type; type = type->parent)
      for (const Enum& candidate : type->enums)
        if (candidate.name == name) return &candidate;
    return nullptr;
  }

  Result<void> parse_type(std::string_view text, Class& owner) {
    Type& type = owner.members.back().type;
    type.is_class_pointer = text == "hkClass*";
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
      if (colon == text.size()) return {};
      const std::string_view name = text.substr(colon + 1);
      if (const std::size_t dot = name.find('.'); dot != std::string_view::npos) declare(name.substr(0, dot));
      enums_.push_back({&owner, owner.members.size() - 1, name});
      return {};
    }
    return parse_single(text, type.kind, type.record);
  }

  Result<void> lay_out_after_its_parts(SchemaRow& row, int depth) {
    Class& type = *row.type;
    if (type.layout.record) return {};
    if (depth > 64) return refuse("class " + type.name + " contains itself");
    if (type.parent) MARROW_CHECK(lay_out_after_its_parts(*find_row(type.parent->name), depth + 1));
    for (Member& member : type.members) {
      if (member.type.kind == Kind::Record)
        MARROW_CHECK(lay_out_after_its_parts(*find_row(member.type.record->name), depth + 1));
      // The elements of an array may be of a class that is laid out later: only the address is used here.
      if (is_array(member.type.kind))
        member.type.layout =
            member.type.element == Kind::Record ? &member.type.record->layout : &element_of(member.type.element);
    }
    lay_out(type);
    return {};
  }

  SchemaRows& rows_;
  std::vector<SchemaRow*> read_;
  std::vector<PendingEnum> enums_;
  std::uint64_t line_ = 0;
};

}  // namespace

Result<SchemaRows> index_classes(std::string_view text) {
  constexpr std::string_view kHead = "class ";
  constexpr std::size_t kUsualCount = 1024;
  SchemaRows rows;
  rows.reserve(kUsualCount);
  SchemaRow* row = nullptr;
  for (const TextLine& line : Lines(text)) {
    if (line.text.starts_with(kHead)) {
      const std::string_view rest = line.text.substr(kHead.size());
      const auto [place, is_new] = rows.try_emplace(rest.substr(0, rest.find(' ')));
      if (!is_new)
        return fail(ErrorCode::Malformed, "class " + std::string(place->first) + " is defined twice", line.number);
      row = &place->second;
      row->line = line.number;
      row->text = line.text;
    } else if (row) {
      row->text = {row->text.data(), line.text.data() + line.text.size()};
    } else if (!line.text.empty() && !line.text.starts_with('#')) {
      return fail(ErrorCode::Malformed, "a member outside a class", line.number);
    }
  }
  return rows;
}

Result<void> borrow_classes(std::string_view text, SchemaRows& rows) {
  MARROW_TRY(const SchemaRows others, index_classes(text));
  for (const auto& [name, other] : others) {
    const auto [place, is_new] = rows.try_emplace(name);
    if (!is_new) continue;
    place->second.text = other.text;
    place->second.line = other.line;
    place->second.is_borrowed = true;
  }
  return {};
}

Result<void> read_class(SchemaRow& row, SchemaRows& rows) { return SchemaParser(rows).read(row); }

namespace {

// Lays out a class after those it derives from and holds in place, whose depth `read_class` has bounded. Those that its
// arrays hold need only be laid out some time: they join the list.
void lay_out_parts(SchemaRow& row, SchemaRows& rows, std::size_t layout, std::vector<SchemaRow*>& open) {
  Class& type = *row.type;
  if (type.layout.file_size[layout] != 0) return;
  const auto row_of = [&](const Class& other) -> SchemaRow& { return rows.find(other.name)->second; };
  if (type.parent) lay_out_parts(row_of(*type.parent), rows, layout, open);
  for (const Member& member : type.members)
    if (member.type.kind == Kind::Record)
      lay_out_parts(row_of(*member.type.record), rows, layout, open);
    else if (is_array(member.type.kind) && member.type.element == Kind::Record)
      open.push_back(&row_of(*member.type.record));
  lay_out_for(type, layout);
}

}  // namespace

void lay_out_row(SchemaRow& row, SchemaRows& rows, std::size_t layout) {
  std::vector<SchemaRow*> open = {&row};
  while (!open.empty()) {
    SchemaRow& next = *open.back();
    open.pop_back();
    lay_out_parts(next, rows, layout, open);
  }
  row.layouts.fetch_or(1u << layout, std::memory_order_release);
}

}  // namespace marrow::havok
