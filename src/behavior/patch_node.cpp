// SPDX-License-Identifier: MIT
#include "behavior/patch_node.h"

#include <pugixml.hpp>

#include <algorithm>
#include <array>

#include "core/try.h"
#include "havok/text/xml_names.h"
#include "havok/text/xml_source.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

using havok::Class;
using havok::Kind;
using havok::Member;
using havok::Type;

constexpr unsigned kPatchParseFlags = havok::kXmlParseFlags | pugi::parse_comments | pugi::parse_fragment;

/// Of one record; the largest class has far fewer, even if each stands twice.
constexpr std::size_t kMostParams = 1024;

enum class MarkComment : std::uint8_t { None, Open, Original, Close };

MarkComment mark_of(std::string_view comment) {
  comment = trim(comment);
  if (comment == "CLOSE") return MarkComment::Close;
  if (comment == "ORIGINAL") return MarkComment::Original;
  return comment.starts_with("MOD_CODE") && comment.ends_with("OPEN") ? MarkComment::Open : MarkComment::None;
}

class NodeReader {
 public:
  NodeReader(std::string_view text, const havok::Schema& schema, const Limits& limits)
      : text_(text), schema_(schema), limits_(limits), lines_(as_bytes(text)) {}

  Result<PatchNode> run() {
    pugi::xml_document document;
    const auto parsed = document.load_buffer(text_.data(), text_.size(), kPatchParseFlags, pugi::encoding_utf8);
    if (!parsed)
      return refuse(std::string("not well-formed XML: ") + parsed.description(),
                    static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(parsed.offset, 0)));
    pugi::xml_node object;
    for (const pugi::xml_node each : document.children(havok::xml::kObject)) {
      if (object) return refuse("a second node follows; a file has one", havok::offset_of(each));
      object = each;
    }
    if (!object) return refuse("there is no <hkobject>", 0);
    PatchNode node;
    node.class_name = object.attribute(havok::xml::kClass).value();
    node.type = schema_.find(node.class_name);
    if (node.type && !read_record(object, *node.type, node.value, 0)) return std::unexpected(std::move(error_));
    return node;
  }

 private:
  std::unexpected<Error> refuse(std::string why, std::uint64_t offset) {
    const std::string place = "line " + std::to_string(lines_.line_of(offset));
    return fail(ErrorCode::Malformed, place + ": " + std::move(why), offset, place);
  }
  bool stop(std::string why, const pugi::xml_node& at) {
    error_ = refuse(std::move(why), havok::offset_of(at)).error();
    return false;
  }

  /// Where a list of siblings stands between marks.
  struct Place {
    Mark mark = Mark::Normal;
    std::uint32_t block = 0;
  };

  // Follows a comment; other comments than marks say nothing.
  bool follow(const pugi::xml_node& comment, Place& place) {
    switch (mark_of(comment.value())) {
      case MarkComment::None: return true;
      case MarkComment::Open:
        if (place.mark != Mark::Normal) return stop("a block opens inside another", comment);
        place = {Mark::New, ++blocks_};
        return true;
      case MarkComment::Original:
        if (place.mark != Mark::New) return stop("ORIGINAL stands outside the new part of a block", comment);
        place.mark = Mark::Old;
        return true;
      case MarkComment::Close:
        if (place.mark == Mark::Normal) return stop("CLOSE stands outside a block", comment);
        place = {};
        return true;
    }
    return true;
  }

  bool is_closed(const Place& place, const pugi::xml_node& parent) {
    return place.mark == Mark::Normal || stop("a block is not closed before its element ends", parent);
  }

  bool spend(const pugi::xml_node& at, std::size_t bytes) {
    return limits_.charge(bytes) || stop("the values take more memory than the limit allows", at);
  }

  bool read_record(const pugi::xml_node& node, const Class& type, PatchValue& value, std::uint32_t depth) {
    if (depth > limits_.max_depth) return stop("records are nested too deep", node);
    Place place;
    for (const pugi::xml_node child : node.children()) {
      if (child.type() == pugi::node_comment) {
        if (!follow(child, place)) return false;
        value.is_marked |= place.mark != Mark::Normal;
      } else if (child.type() == pugi::node_element && child.name() == std::string_view(havok::xml::kParam)) {
        if (!spend(child, sizeof(PatchParam))) return false;
        if (value.params.size() == kMostParams) return stop("more parameters than any class has", child);
        PatchParam& param = value.params.emplace_back();
        param.mark = place.mark;
        param.block = place.block;
        param.name = child.attribute(havok::xml::kName).value();
        param.member = type.find(param.name);
        if (param.member && !read_value(child, param.member->type, param.value, depth)) return false;
        value.is_marked |= param.value.is_marked;
      }
    }
    return is_closed(place, node);
  }

  bool read_value(const pugi::xml_node& param, const Type& type, PatchValue& value, std::uint32_t depth) {
    switch (shape_of(type)) {
      case Shape::Leaf: value.is_string = type.kind == Kind::Text; return read_leaf(param, value);
      case Shape::Record:
        for (const pugi::xml_node child : param.children(havok::xml::kObject))
          return read_record(child, *type.record, value, depth + 1);
        return true;
      case Shape::List: return read_list(param, type, value, depth);
    }
    return true;
  }

  // Text around comments joins; of marks inside it the new part counts.
  bool read_leaf(const pugi::xml_node& param, PatchValue& value) {
    Place place;
    for (const pugi::xml_node child : param.children()) {
      if (child.type() == pugi::node_comment) {
        if (!follow(child, place)) return false;
        value.is_marked |= place.mark != Mark::Normal;
      } else if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
        if (!spend(child, std::string_view(child.value()).size())) return false;
        if (place.mark != Mark::Old) value.text += child.value();
      }
    }
    return is_closed(place, param);
  }

  bool read_list(const pugi::xml_node& param, const Type& type, PatchValue& value, std::uint32_t depth) {
    const Class* record = element_class(type);
    const bool is_text = element_kind(type) == Kind::Text;
    Place place;
    const auto add = [&]() -> PatchValue& {
      PatchItem& item = value.items.emplace_back();
      item.mark = place.mark;
      item.block = place.block;
      return item.value;
    };
    for (const pugi::xml_node child : param.children()) {
      const std::string_view name = child.name();
      if (child.type() == pugi::node_comment) {
        if (!follow(child, place)) return false;
        value.is_marked |= place.mark != Mark::Normal;
      } else if (record && name == havok::xml::kObject) {
        if (!spend(child, sizeof(PatchItem)) || !read_record(child, *record, add(), depth + 1)) return false;
        value.is_marked |= value.items.back().value.is_marked;
      } else if (is_text && name == havok::xml::kString) {
        if (!spend(child, sizeof(PatchItem)) || !read_leaf(child, add())) return false;
        value.items.back().value.is_string = true;
        value.is_marked |= value.items.back().value.is_marked;
      } else if (!record && !is_text && (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)) {
        std::string_view text = child.value();
        for (std::string_view word = take_patch_word(text); !word.empty(); word = take_patch_word(text)) {
          if (!spend(child, sizeof(PatchItem))) return false;
          add().text = word;
        }
      }
    }
    return is_closed(place, param);
  }

  std::string_view text_;
  const havok::Schema& schema_;
  const Limits& limits_;
  havok::XmlLines lines_;
  std::uint32_t blocks_ = 0;
  Error error_;
};

}  // namespace

std::span<const std::uint8_t> written_lanes(Kind kind) {
  static constexpr std::array<std::uint8_t, 16> kAll = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  static constexpr std::array<std::uint8_t, 12> kThree = {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14};
  static constexpr std::array<std::uint8_t, 10> kTransform = {0, 1, 2, 4, 5, 6, 7, 8, 9, 10};
  switch (kind) {
    case Kind::Vector4:
    case Kind::Quaternion: return std::span(kAll).first(4);
    case Kind::Matrix4: return kAll;
    case Kind::Matrix3:
    case Kind::Rotation: return std::span(kThree).first(9);
    case Kind::Transform: return kThree;
    case Kind::QsTransform: return kTransform;
    default: return {};
  }
}

Shape shape_of(const Type& type) {
  if (havok::is_array(type.kind) || type.repeat > 1 || !written_lanes(type.kind).empty()) return Shape::List;
  return type.kind == Kind::Record ? Shape::Record : Shape::Leaf;
}

Kind element_kind(const Type& type) { return havok::is_array(type.kind) ? type.layout->kind : type.kind; }

const Class* element_class(const Type& type) {
  if (havok::is_array(type.kind)) return type.layout->record;
  return type.kind == Kind::Record ? type.record : nullptr;
}

std::string_view take_patch_word(std::string_view& text) {
  constexpr std::string_view kSeparators = " \t\r\n,()";
  text = text.substr(std::min(text.find_first_not_of(kSeparators), text.size()));
  // A name in `$eventID[...]$` may hold blanks and brackets. The bound keeps a list of `$` linear.
  constexpr std::size_t kLongestName = 512;
  std::size_t end = std::min(text.find_first_of(kSeparators), text.size());
  if (text.starts_with('$'))
    if (const std::size_t close = text.substr(0, kLongestName).find("]$"); close != std::string_view::npos)
      end = std::max(end, close + 2);
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

bool states_same(const PatchValue& a, const PatchValue& b) {
  if (a.items.size() != b.items.size() || a.params.size() != b.params.size()) return false;
  if (a.text != b.text) {
    const auto left = parse_double(a.text), right = parse_double(b.text);
    if (a.is_string || !left || !right || *left != *right) return false;
  }
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!states_same(a.items[i].value, b.items[i].value)) return false;
  for (std::size_t i = 0; i < a.params.size(); ++i)
    if (a.params[i].name != b.params[i].name || !states_same(a.params[i].value, b.params[i].value)) return false;
  return true;
}

Result<PatchNode> read_patch_node(std::string_view text, const havok::Schema& schema, const Limits& limits) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return NodeReader(text, schema, limits).run();
}

}  // namespace marrow::behavior
