// SPDX-License-Identifier: MIT
#include <pugixml.hpp>

#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/try.h"
#include "core/utf8.h"
#include "havok/float_offsets.h"
#include "havok/layout.h"
#include "havok/number.h"
#include "havok/packfile_format.h"
#include "havok/value_text.h"
#include "havok/xml_names.h"
#include "marrow/core/text.h"
#include "marrow/havok/xml.h"

namespace marrow::havok {
namespace {

// White space between elements carries nothing, but a string may be white space alone.
constexpr unsigned kParseFlags = pugi::parse_default | pugi::parse_ws_pcdata_single;

std::optional<std::vector<std::byte>> parse_hex(std::string_view text) {
  std::vector<std::byte> bytes;
  std::optional<unsigned> high;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    const std::size_t digit =
        std::string_view("0123456789abcdef").find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
    if (digit == std::string_view::npos) return std::nullopt;
    if (high) {
      bytes.push_back(static_cast<std::byte>(*high << 4 | digit));
      high.reset();
    } else {
      high = static_cast<unsigned>(digit);
    }
  }
  if (high) return std::nullopt;
  return bytes;
}

// One value for the whole file, or one after bodies, arrays, strings and class names.
std::optional<Padding> parse_padding(std::string_view text) {
  std::vector<std::uint8_t> values;
  while (!(text = trim(text)).empty() && values.size() <= 4) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const auto value = parse_uint(text.substr(0, end));
    if (!value || *value > 0xFF) return std::nullopt;
    values.push_back(static_cast<std::uint8_t>(*value));
    text.remove_prefix(end);
  }
  if (values.size() == 1) return Padding(values[0]);
  if (values.size() != 4) return std::nullopt;
  Padding padding;
  padding.bodies = values[0];
  padding.arrays = values[1];
  padding.strings = values[2];
  padding.class_names = values[3];
  return padding;
}

class XmlReader {
 public:
  explicit XmlReader(const ReadOptions& options) : options_(options), budget_(options.limits.max_expanded_bytes) {}

  Result<Packfile> run(std::span<const std::byte> bytes) {
    const pugi::xml_parse_result parsed = document_.load_buffer(bytes.data(), bytes.size(), kParseFlags);
    if (!parsed)
      return fail(ErrorCode::Malformed, std::string("not well-formed XML: ") + parsed.description(),
                  static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(parsed.offset, 0)));
    const pugi::xml_node root = document_.child(xml::kPackfile);
    if (!root) return fail(ErrorCode::BadMagic, "not an XML packfile: there is no <hkpackfile>", 0);
    MARROW_CHECK(read_packfile_tag(root));
    MARROW_CHECK(name_objects(root));
    for (const auto& [node, id] : objects_) {
      if (read_object(node, file_.at(id))) continue;
      error_.path =
          std::string(node.attribute(xml::kName).value()) + " " + node.attribute(xml::kClass).value() + error_.path;
      return std::unexpected(std::move(error_));
    }
    MARROW_CHECK(find_root(root));
    if (options_.findings) report_wrong_float_offsets(file_, *options_.findings);
    return std::move(file_);
  }

 private:
  static std::uint64_t offset_of(const pugi::xml_node& node) {
    return static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
  }

  bool refuse(const pugi::xml_node& node, std::string why, ErrorCode code = ErrorCode::Malformed) {
    error_ = Error{code, std::move(why), offset_of(node), {}};
    return false;
  }

  void find(Level level, std::string code, std::string message, const pugi::xml_node& node) {
    if (options_.findings)
      options_.findings->push_back(
          {std::move(code), level, std::move(message), "offset " + std::to_string(offset_of(node))});
  }

  Result<void> read_packfile_tag(const pugi::xml_node& root) {
    const std::string version = root.attribute(xml::kContentsVersion).as_string(std::string(kVersion2010).c_str());
    const Schema* schema = builtin_schema(version);
    if (!schema)
      return fail(ErrorCode::Unsupported,
                  "Havok version '" + version +
                      "' is not supported; hk_2010.2.0-r1 (Skyrim) and hk_2014.1.0-r1 (Fallout 4) are",
                  offset_of(root));
    const unsigned pointer_size = root.attribute(xml::kPointerSize).as_uint(8);
    if (pointer_size != 4 && pointer_size != 8)
      return fail(ErrorCode::Unsupported, "pointersize is 4 or 8", offset_of(root));
    file_ = make_packfile(*schema, pointer_size);
    const auto padding = parse_padding(root.attribute(xml::kPadding).as_string("0"));
    if (!padding) return fail(ErrorCode::Malformed, "padding is one byte, or four", offset_of(root));
    file_.padding = *padding;
    file_.user_tag = root.attribute(xml::kUserTag).as_int(0);
    file_.flags = root.attribute(xml::kFlags).as_int(0);
    file_.max_predicate = static_cast<std::uint16_t>(root.attribute(xml::kMaxPredicate).as_uint(file_.max_predicate));
    if (const pugi::xml_attribute predicates = root.attribute(xml::kPredicates)) {
      auto bytes = parse_hex(predicates.value());
      if (!bytes || bytes->size() > UINT16_MAX)
        return fail(ErrorCode::Malformed, "predicates are bytes in hexadecimal", offset_of(root));
      file_.predicates = std::move(*bytes);
    }
    return {};
  }

  // Objects may stand in any order, so all of them get their place before any is read.
  Result<void> name_objects(const pugi::xml_node& root) {
    for (const pugi::xml_node section : root.children(xml::kSection))
      for (const pugi::xml_node node : section.children(xml::kObject)) {
        const ObjectId id{static_cast<std::uint32_t>(file_.objects.size())};
        if (id.index >= options_.limits.max_objects)
          return fail(ErrorCode::LimitExceeded, "more objects than the limit allows", offset_of(node));
        if (!ids_.emplace(node.attribute(xml::kName).value(), id).second)
          return fail(ErrorCode::Malformed,
                      std::string("the name ") + node.attribute(xml::kName).value() + " stands twice", offset_of(node));
        objects_.emplace_back(node, id);
        file_.objects.emplace_back();
      }
    return {};
  }

  Result<void> find_root(const pugi::xml_node& root) {
    const std::string_view name = root.attribute(xml::kTopLevelObject).value();
    if (const auto found = ids_.find(name); found != ids_.end()) {
      file_.root = found->second;
      return {};
    }
    const auto containers = file_.find_all("hkRootLevelContainer");
    if (containers.empty())
      return fail(ErrorCode::Malformed,
                  "toplevelobject '" + std::string(name) + "' is not there, nor an hkRootLevelContainer",
                  offset_of(root));
    file_.root = containers.front();
    return {};
  }

  bool read_object(const pugi::xml_node& node, Object& object) {
    const std::string class_name = node.attribute(xml::kClass).value();
    if (node.attribute(xml::kOpaque).as_bool()) return read_opaque(node, object.opaque);
    object.type = file_.schema->find(class_name);
    if (!object.type)
      return refuse(
          node,
          "class '" + class_name + "' is not in " + file_.schema->version() + ", so its fields cannot be laid out",
          ErrorCode::Unsupported);
    if (const pugi::xml_attribute signature = node.attribute(xml::kSignature)) {
      const auto value = parse_uint(signature.value());
      if (!value || *value != object.type->signature)
        find(Level::Error, "E_SIGNATURE",
             class_name + " has signature " + signature.value() + ", its version of Havok has " +
                 hex_text(object.type->signature, 8) + "; the file was made for another version, or by hand",
             node);
    }
    if (!spend(node, object.type->layout, 1)) return false;
    object.body = make_array(object.type->layout, 1);
    return read_record(node, object.fields(), 0);
  }

  bool read_opaque(const pugi::xml_node& node, Opaque& opaque) {
    opaque.class_name = node.attribute(xml::kClass).value();
    const auto signature = parse_uint(node.attribute(xml::kSignature).value());
    if (!signature || *signature > UINT32_MAX) return refuse(node, "an opaque object needs its signature");
    opaque.signature = static_cast<std::uint32_t>(*signature);
    const auto param = [&](const char* name) { return node.find_child_by_attribute(xml::kParam, xml::kName, name); };
    auto bytes = parse_hex(param(xml::kBytes).child_value());
    if (!bytes) return refuse(node, "the bytes of an opaque object are in hexadecimal");
    opaque.bytes = std::move(*bytes);
    const auto slot = [&](std::string_view word) -> std::optional<std::uint32_t> {
      const auto value = parse_uint(word);
      if (!value || *value >= opaque.bytes.size()) return std::nullopt;
      return static_cast<std::uint32_t>(*value);
    };
    const auto each_pair = [&](const char* name, auto&& add) {
      std::string_view text = param(name).child_value();
      for (std::string_view from = take_token(text); !from.empty(); from = take_token(text)) {
        const auto at = slot(from);
        if (!at || !add(*at, take_token(text)))
          return refuse(param(name), "a fixup of an opaque object leads outside it");
      }
      return true;
    };
    return each_pair(xml::kLocalFixups,
                     [&](std::uint32_t from, std::string_view word) {
                       const auto to = slot(word);
                       if (to) opaque.local_fixups.emplace_back(from, *to);
                       return to.has_value();
                     }) &&
           each_pair(xml::kGlobalFixups, [&](std::uint32_t from, std::string_view word) {
             const auto to = ids_.find(word);
             if (to != ids_.end()) opaque.global_fixups.emplace_back(from, to->second);
             return to != ids_.end();
           });
  }

  static std::string_view take_token(std::string_view& text) {
    text = text.substr(std::min(text.find_first_not_of(" \t\r\n,"), text.size()));
    const std::size_t end = std::min(text.find_first_of(" \t\r\n,"), text.size());
    const std::string_view token = text.substr(0, end);
    text.remove_prefix(end);
    return token;
  }

  bool read_record(const pugi::xml_node& node, Fields fields, std::uint32_t depth) {
    if (depth > options_.limits.max_depth) return refuse(node, "records are nested too deep", ErrorCode::LimitExceeded);
    for (const pugi::xml_node param : node.children(xml::kParam)) {
      const char* name = param.attribute(xml::kName).value();
      const Member* member = fields.view().type().find(name);
      if (!member) {
        find(Level::Warning, "W_UNKNOWN_PARAM", fields.view().type().name + " has no '" + name + "'; it is left out",
             param);
      } else if (!read_member(param, *member, fields, depth)) {
        error_.path = "." + member->name + error_.path;
        return false;
      }
    }
    return true;
  }

  bool read_member(const pugi::xml_node& param, const Member& member, Fields& fields, std::uint32_t depth) {
    const Type& type = member.type;
    if (is_array(type.kind)) return read_array(param, type, fields.ref(member), depth);
    if (type.kind == Kind::Record) {
      std::uint32_t i = 0;
      for (const pugi::xml_node child : param.children(xml::kObject)) {
        if (i == type.repeat)
          return refuse(child, "more records than the " + std::to_string(type.repeat) + " that fit");
        if (!read_record(child, fields.record(member, i++), depth + 1)) return false;
      }
      return true;
    }
    if (type.kind == Kind::Text && type.repeat == 1) return read_text(param, fields.ref(member));
    if (type.kind == Kind::Text) {
      std::uint32_t i = 0;
      for (const pugi::xml_node child : param.children(xml::kString))
        if (i < type.repeat && !read_text(child, fields.ref(member, i++))) return false;
      return true;
    }
    std::string_view text = param.child_value();
    for (std::uint32_t i = 0; i < type.repeat; ++i)
      if (!read_single(param, text, member, fields, i)) return false;
    if (!trim(text).empty()) return refuse(param, "'" + std::string(trim(text).substr(0, 40)) + "' is left over");
    return true;
  }

  bool read_single(const pugi::xml_node& param, std::string_view& text, const Member& member, Fields& fields,
                   std::uint32_t i) {
    const Element& element = element_of(member.type.kind);
    if (element.ref_count > 0) return read_pointer(param, take_token(text), fields.ref(member, i));
    if (take_value(text, member.type, member.type.kind,
                   fields.pods().subspan(member.pod_offset + i * element.pod_size, element.pod_size)))
      return true;
    return refuse(param, "'" + std::string(trim(param.child_value()).substr(0, 40)) + "' is not a value of its type");
  }

  bool read_pointer(const pugi::xml_node& node, std::string_view word, Ref& ref) {
    if (word.empty() || word == "null" || word == "#null") return true;
    const auto found = ids_.find(word);
    if (found == ids_.end()) return refuse(node, "the object " + std::string(word) + " is not in the file");
    ref.value = found->second;
    return true;
  }

  bool read_text(const pugi::xml_node& node, Ref& ref) {
    // Text may come in pieces, around comments and CDATA.
    std::string text;
    for (const pugi::xml_node piece : node.children())
      if (piece.type() == pugi::node_pcdata || piece.type() == pugi::node_cdata) text += piece.value();
    if (text == xml::kNullText) return true;
    if (node.attribute(xml::kLatin1).as_bool()) {
      std::string bytes;
      for (std::string_view rest = text; !rest.empty();) {
        const auto c = take_utf8(rest);
        if (!c || *c > 0xFF) return refuse(node, "a latin1 text has characters past 255");
        bytes += static_cast<char>(*c);
      }
      text = std::move(bytes);
    }
    ref.value = std::move(text);
    return true;
  }

  bool spend(const pugi::xml_node& node, const Element& element, std::uint64_t count) {
    const std::uint64_t bytes = count * (element.pod_size + element.ref_count * sizeof(Ref));
    if (bytes > budget_)
      return refuse(node, "the objects take more memory than the limit allows", ErrorCode::LimitExceeded);
    budget_ -= bytes;
    return true;
  }

  bool read_array(const pugi::xml_node& param, const Type& type, Ref& ref, std::uint32_t depth) {
    const Element& element = *type.layout;
    Array& array = std::get<Array>(ref.value);
    const bool read = element.record          ? read_records(param, element, array, depth)
                      : element.ref_count > 0 ? read_refs(param, element, array)
                                              : read_numbers(param, type, array);
    if (!read) return false;
    const pugi::xml_attribute count = param.attribute(xml::kCount);
    if (count && count.as_uint() != array.count)
      find(Level::Warning, "W_NUMELEMENTS",
           std::string("numelements says ") + count.value() + ", there are " + std::to_string(array.count), param);
    return true;
  }

  bool read_records(const pugi::xml_node& param, const Element& element, Array& array, std::uint32_t depth) {
    const auto children = param.children(xml::kObject);
    const auto count = static_cast<std::uint32_t>(std::distance(children.begin(), children.end()));
    if (!spend(param, element, count)) return false;
    array = make_array(element, count);
    std::uint32_t i = 0;
    for (const pugi::xml_node child : children) {
      if (!read_record(child, fields_at(element, array, i), depth + 1)) {
        error_.path = "[" + std::to_string(i) + "]" + error_.path;
        return false;
      }
      ++i;
    }
    return true;
  }

  bool read_refs(const pugi::xml_node& param, const Element& element, Array& array) {
    const auto append = [&]() -> Ref& {
      ++array.count;
      return array.refs.emplace_back();
    };
    if (element.kind == Kind::Text) {
      for (const pugi::xml_node child : param.children(xml::kString))
        if (!spend(child, element, 1) || !read_text(child, append())) return false;
      return true;
    }
    std::string_view text = param.child_value();
    for (std::string_view word = take_token(text); !word.empty(); word = take_token(text))
      if (!spend(param, element, 1) || !read_pointer(param, word, append())) return false;
    return true;
  }

  bool read_numbers(const pugi::xml_node& param, const Type& type, Array& array) {
    const Element& element = *type.layout;
    std::string_view text = param.child_value();
    while (!trim(text).empty()) {
      const std::size_t at = array.pods.size();
      array.pods.resize(at + element.pod_size);
      if (!take_value(text, type, element.kind, std::span(array.pods).subspan(at)))
        return refuse(param, "element " + std::to_string(array.count) + " is not a value of its type");
      ++array.count;
    }
    return spend(param, element, array.count);
  }

  const ReadOptions& options_;
  std::uint64_t budget_;
  pugi::xml_document document_;
  Packfile file_;
  Error error_;
  std::unordered_map<std::string_view, ObjectId> ids_;
  std::vector<std::pair<pugi::xml_node, ObjectId>> objects_;
};

}  // namespace

Result<Packfile> read_xml(std::span<const std::byte> bytes, const ReadOptions& options) {
  if (bytes.empty()) return fail(ErrorCode::Truncated, "the file is empty", 0);
  if (bytes.size() > options.limits.max_file_bytes)
    return fail(ErrorCode::LimitExceeded, "the file is larger than the limit allows");
  return XmlReader(options).run(bytes);
}

}  // namespace marrow::havok
