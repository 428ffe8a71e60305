// SPDX-License-Identifier: MIT
#include "nif/schema.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "core/lines.h"
#include "marrow/core/text.h"
#include "nif/table/expression.h"

namespace marrow::nif {
namespace {

struct KindRow {
  std::string_view word;
  Kind kind;
  std::size_t bytes;
};
constexpr std::array kKinds = {
    KindRow{"u8", Kind::U8, 1},         KindRow{"u16", Kind::U16, 2},   KindRow{"u32", Kind::U32, 4},
    KindRow{"u64", Kind::U64, 8},       KindRow{"i32", Kind::I32, 4},   KindRow{"f32", Kind::F32, 4},
    KindRow{"half", Kind::Half, 2},     KindRow{"char", Kind::Char, 1}, KindRow{"ref", Kind::Ref, 4},
    KindRow{"string", Kind::String, 4},
};

/// Cuts the first word off a line.
std::string_view take_word(std::string_view& line) {
  line = trim(line);
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line = trim(line.substr(end));
  return word;
}

/// Builds the types of one stream from the rows of the table.
class TableParser {
 public:
  TableParser(std::vector<std::unique_ptr<RecordType>>& types, std::uint32_t stream, std::string& problem)
      : types_(types), stream_(stream), problem_(problem) {}

  void run(std::string_view table) {
    std::size_t number = 0;
    for (const TextLine& each : Lines(table)) {
      ++number;
      std::string_view line = each.text.substr(0, each.text.find('#'));
      if (trim(line).empty()) continue;
      const bool is_field = line.front() == ' ';
      if (!(is_field ? add_field(line) : add_type(line)) && problem_.empty())
        problem_ = "line " + std::to_string(number) + ": " + std::string(trim(line));
    }
    finish();
  }

 private:
  bool add_type(std::string_view line) {
    finish();
    auto type = std::make_unique<RecordType>();
    std::string_view word = take_word(line);
    type->is_struct = word == "struct";
    if (type->is_struct) word = take_word(line);
    type->name = word;
    type->stream = stream_;
    if (take_word(line) == ":") {
      const RecordType* base = known(take_word(line));
      if (!base) return false;
      const auto [name, is_struct] = std::pair(std::move(type->name), type->is_struct);
      *type = *base;
      type->name = name;
      type->is_struct = is_struct;
      type->bases.push_back(base->name);
    }
    // A type that only some streams have is left out of the others.
    std::string_view condition = line;
    if (take_word(condition) == "if") {
      Expression when;
      if (!parse_expression(condition, *type, stream_, when)) return false;
      if (when.size() == 1 && when[0].value == 0) is_left_out_ = true;
    }
    open_ = std::move(type);
    return true;
  }

  bool add_field(std::string_view line) {
    if (!open_) return false;
    Field field;
    field.name = take_word(line);
    if (field.name == "...") {
      open_->is_open = true;
      return true;
    }
    std::string_view kind = take_word(line);
    if (take_word(line) == "if") {
      if (!parse_expression(line, *open_, stream_, field.when)) return false;
      // What depends on the stream alone is settled here.
      if (field.when.size() == 1 && field.when[0].op == Step::Op::Value) {
        if (field.when[0].value == 0) {
          open_->left_out.push_back(field.name);
          return true;
        }
        field.when.clear();
      }
    }
    if (!parse_kind(kind, field)) return false;
    place(field);
    open_->fields.push_back(std::move(field));
    return true;
  }

  bool parse_kind(std::string_view text, Field& field) {
    if (const std::size_t bracket = text.find('['); bracket != std::string_view::npos) {
      const std::string_view count = text.substr(bracket + 1, text.size() - bracket - 2);
      field.count = count.empty() ? Count::Prefix32 : count == "u16" ? Count::Prefix16 : Count::Computed;
      if (field.count == Count::Computed && !parse_expression(count, *open_, stream_, field.how_many)) return false;
      text = text.substr(0, bracket);
    }
    if (const std::size_t star = text.find('*'); star != std::string_view::npos) {
      const auto width = parse_uint(text.substr(star + 1));
      if (!width || *width == 0) return false;
      field.width = static_cast<std::uint32_t>(*width);
      text = text.substr(0, star);
    }
    if (const auto row = std::ranges::find(kKinds, text, &KindRow::word); row != kKinds.end()) {
      field.kind = row->kind;
      field.element_bytes = row->bytes * field.width;
      return true;
    }
    field.kind = Kind::Struct;
    field.record = known(text);
    // A single structure would be a list of one: its fields are written out instead.
    if (!field.record || field.count == Count::One || field.width != 1) return false;
    field.element_bytes = field.record->packed_bytes;
    return true;
  }

  void place(Field& field) {
    RecordType& type = *open_;
    if (field.count == Count::One)
      field.slot = std::exchange(type.number_bytes, type.number_bytes + field.element_bytes);
    else
      field.slot = field.is_list() ? type.list_count++ : type.array_count++;
    if (!field.when.empty()) return;
    type.least_bytes += field.count == Count::One        ? field.element_bytes
                        : field.count == Count::Prefix16 ? 2
                        : field.count == Count::Prefix32 ? 4
                                                         : 0;
  }

  void finish() {
    if (!open_) return;
    const bool is_packed = open_->is_struct && std::ranges::all_of(open_->fields, [](const Field& field) {
                             return field.count == Count::One && field.when.empty();
                           });
    open_->packed_bytes = is_packed ? open_->number_bytes : 0;
    // Lists of records are bounded by the bytes that each takes at least.
    if (open_->is_struct && open_->least_bytes == 0 && problem_.empty()) problem_ = open_->name + " may be empty";
    if (!std::exchange(is_left_out_, false)) types_.push_back(std::move(open_));
    open_.reset();
  }

  const RecordType* known(std::string_view name) const {
    const auto found = std::ranges::find_if(types_, [&](const auto& type) { return type->name == name; });
    return found == types_.end() ? nullptr : found->get();
  }

  std::vector<std::unique_ptr<RecordType>>& types_;
  std::uint32_t stream_;
  std::string& problem_;
  std::unique_ptr<RecordType> open_;
  bool is_left_out_ = false;
};

}  // namespace

const Field* RecordType::find(std::string_view field) const {
  const auto found = std::ranges::find(fields, field, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

bool RecordType::is_a(std::string_view base) const {
  return name == base || std::ranges::find(bases, base) != bases.end();
}

std::size_t RecordType::offset_of(std::string_view field) const {
  const Field* found = find(field);
  assert(packed_bytes != 0 && found);
  return found->slot;
}

Schema::Schema(std::string_view table, std::uint32_t stream, std::string& problem) {
  TableParser(types_, stream, problem).run(table);
  std::ranges::stable_sort(types_, {}, [](const auto& type) -> const std::string& { return type->name; });
}

const Schema& Schema::of(std::uint32_t stream) {
  const auto build = [](std::uint32_t each) {
    std::string problem;
    Schema schema(block_table(), each, problem);
    assert(problem.empty());
    return schema;
  };
  static const Schema le = build(kSkyrimLe), se = build(kSkyrimSe), fallout4 = build(kFallout4);
  return stream == kSkyrimLe ? le : stream == kSkyrimSe ? se : fallout4;
}

const RecordType* Schema::find(std::string_view type) const {
  const auto found =
      std::ranges::lower_bound(types_, type, {}, [](const auto& each) { return std::string_view(each->name); });
  return found == types_.end() || (*found)->name != type || (*found)->is_struct ? nullptr : found->get();
}

}  // namespace marrow::nif
