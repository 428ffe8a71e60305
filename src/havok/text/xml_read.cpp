// SPDX-License-Identifier: MIT
#include <pugixml.hpp>

#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/counted.h"
#include "core/try.h"
#include "havok/animation/float_offsets.h"
#include "havok/object/version.h"
#include "havok/text/file_properties.h"
#include "havok/text/tagfile_names.h"
#include "havok/text/xml.h"
#include "havok/text/xml_fields.h"
#include "havok/text/xml_names.h"
#include "havok/text/xml_properties.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

class XmlReader {
 public:
  XmlReader(std::span<const std::byte> bytes, const ReadOptions& options, bool cuts_dangling)
      : bytes_(bytes), options_(options), lines_(bytes), fields_(options, ids_, lines_, cuts_dangling) {}

  Result<Packfile> run() {
    const pugi::xml_parse_result parsed = document_.load_buffer(bytes_.data(), bytes_.size(), kXmlParseFlags);
    if (!parsed)
      return refuse(ErrorCode::Malformed, std::string("not well-formed XML: ") + parsed.description(),
                    static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(parsed.offset, 0)));
    const pugi::xml_node root = document_.child(xml::kPackfile);
    if (!root)
      return fail(ErrorCode::BadMagic,
                  document_.child(tagfile::kTagfile) ? "an XML tagfile (<hktagfile>), not an XML packfile"
                                                     : "not an XML packfile: there is no <hkpackfile>",
                  0);
    MARROW_CHECK(read_packfile_tag(root));
    MARROW_CHECK(name_objects(root));
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (read_object(nodes_[i], file_.objects[i])) continue;
      fields_.error().path =
          std::string(file_.objects[i].name()) + " " + nodes_[i].attribute(xml::kClass).value() + fields_.error().path;
      return std::unexpected(std::move(fields_.error()));
    }
    MARROW_CHECK(find_root(root));
    if (options_.findings) report_wrong_float_offsets(file_, *options_.findings);
    return std::move(file_);
  }

 private:
  std::unexpected<Error> refuse(ErrorCode code, std::string why, std::uint64_t offset) {
    return fail(code, "line " + std::to_string(lines_.line_of(offset)) + ": " + std::move(why), offset);
  }
  std::unexpected<Error> refuse(ErrorCode code, std::string why, const pugi::xml_node& node) {
    return refuse(code, std::move(why), offset_of(node));
  }

  Result<void> read_packfile_tag(const pugi::xml_node& root) {
    const pugi::xml_attribute stated = root.attribute(xml::kContentsVersion);
    const std::string version(stated ? stated.value() : default_version().name);
    const Schema* schema = builtin_schema(version);
    if (!schema)
      return refuse(ErrorCode::Unsupported,
                    "Havok version '" + version + "' is not supported; " + supported_versions() + " are", root);
    if (std::string wrong = read_properties(root, *schema, file_); !wrong.empty())
      return refuse(ErrorCode::Malformed, std::move(wrong), root);
    return {};
  }

  // Objects may come in any order, so all of them get an index before any is read.
  Result<void> name_objects(const pugi::xml_node& root) {
    for (const pugi::xml_node section : root.children(xml::kSection))
      for (const pugi::xml_node node : section.children(xml::kObject)) {
        const ObjectId id{static_cast<std::uint32_t>(file_.objects.size())};
        if (id.index >= options_.limits.max_objects)
          return refuse(ErrorCode::LimitExceeded, "more objects than the limit allows", node);
        const std::string_view name = node.attribute(xml::kName).value();
        if (!name.empty() && !ids_.emplace(name, id).second)
          return refuse(ErrorCode::Malformed, "the name " + std::string(name) + " is used twice", node);
        nodes_.push_back(node);
        file_.objects.emplace_back().set_name(name);
      }
    return {};
  }

  Result<void> find_root(const pugi::xml_node& root) {
    const std::string_view name = root.attribute(xml::kTopLevelObject).value();
    if (const auto found = ids_.find(name); found != ids_.end()) {
      file_.root = found->second;
      return {};
    }
    if (!name.empty())
      return refuse(ErrorCode::Malformed, "toplevelobject is '" + std::string(name) + "', and no object has that name",
                    root);
    const auto containers = file_.find_all("hkRootLevelContainer");
    if (containers.empty())
      return refuse(ErrorCode::Malformed, "there is neither a toplevelobject nor an hkRootLevelContainer", root);
    file_.root = containers.front();
    return {};
  }

  bool read_object(const pugi::xml_node& node, Object& object) {
    const std::string class_name = node.attribute(xml::kClass).value();
    fields_.enter(std::string(object.name()) + " (" + class_name + ")");
    if (node.attribute(xml::kOpaque).as_bool()) return read_opaque(node, object);
    object.type = file_.schema->find(class_name);
    if (!object.type)
      return fields_.refuse(
          node,
          "class '" + class_name + "' is not in " + file_.schema->version() + ", so its fields cannot be laid out",
          ErrorCode::Unsupported);
    if (const pugi::xml_attribute signature = node.attribute(xml::kSignature)) {
      const auto value = parse_uint(signature.value());
      if (!value || *value != object.type->signature)
        fields_.find(Level::Error, "E_SIGNATURE",
                     class_name + " has signature " + signature.value() + ", its version of Havok has " +
                         hex_text(object.type->signature, 8) + "; the file was made for another version, or by hand",
                     node);
    }
    return fields_.read(node, *object.type, object.body());
  }

  bool read_opaque(const pugi::xml_node& node, Object& object) {
    Opaque opaque;
    opaque.class_name = node.attribute(xml::kClass).value();
    const auto signature = parse_uint(node.attribute(xml::kSignature).value());
    if (!signature || *signature > UINT32_MAX) return fields_.refuse(node, "an opaque object needs its signature");
    opaque.signature = static_cast<std::uint32_t>(*signature);
    const auto param = [&](const char* name) { return node.find_child_by_attribute(xml::kParam, xml::kName, name); };
    auto bytes = parse_hex(NodeText(param(xml::kBytes)).view());
    if (!bytes) return fields_.refuse(node, "the bytes of an opaque object are in hexadecimal");
    opaque.bytes = std::move(*bytes);
    const auto slot = [&](std::string_view word) -> std::optional<std::uint32_t> {
      const auto value = parse_uint(word);
      if (!value || *value >= opaque.bytes.size()) return std::nullopt;
      return static_cast<std::uint32_t>(*value);
    };
    const auto each_pair = [&](const char* name, auto&& add) {
      const NodeText whole(param(name));
      std::string_view text = whole.view();
      for (std::string_view from = take_token(text); !from.empty(); from = take_token(text)) {
        const auto at = slot(from);
        if (!at || !add(*at, take_token(text)))
          return fields_.refuse(param(name), "a fixup of an opaque object leads outside it");
      }
      return true;
    };
    const bool read = each_pair(xml::kLocalFixups,
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
    if (const NodeText types(param(xml::kTypeFixups)); !read_type_fixups(types.view(), opaque))
      return fields_.refuse(node, "a pointer of an opaque object to a class lies outside it");
    object.set_opaque(std::move(opaque));
    return read;
  }

  std::span<const std::byte> bytes_;
  const ReadOptions& options_;
  XmlLines lines_;
  pugi::xml_document document_;
  XmlFields::Ids ids_;
  XmlFields fields_;
  Packfile file_;
  std::vector<pugi::xml_node> nodes_;  // by object
};

// The first objects show how a tool lays out its lines.
XmlLayout layout_of(std::string_view text) {
  constexpr std::size_t kHead = 16384;
  const std::string_view head = text.substr(0, kHead);
  const auto holds = [&](std::string_view part) { return head.find(part) != std::string_view::npos; };
  XmlLayout layout{.is_spaced = holds("\n\n\t<hksection") || holds("\n\r\n\t<hksection"),
                   .ends_with_newline = text.ends_with('\n')};
  if (holds(" SERIALIZE_IGNORED -->"))
    layout.ignored = XmlLayout::Ignored::Comment;
  else if (holds("\n\t\t\t\n") || holds("\n\t\t\t\r\n"))
    layout.ignored = XmlLayout::Ignored::EmptyLine;
  return layout;
}

Result<Packfile> read(std::span<const std::byte> bytes, const ReadOptions& options, bool cuts_dangling) {
  if (bytes.empty()) return fail(ErrorCode::Truncated, "the file is empty", 0);
  if (bytes.size() > options.limits.max_file_bytes)
    return fail(ErrorCode::LimitExceeded, "the file is larger than the limit allows");
  MARROW_TRY(Packfile file, XmlReader(bytes, counted(options), cuts_dangling).run());
  file.xml_layout = layout_of(as_text(bytes));
  return file;
}

}  // namespace

Result<Packfile> read_xml(std::span<const std::byte> bytes, const ReadOptions& options) {
  return read(bytes, options, false);
}

Result<Packfile> read_xml_without_dangling(std::span<const std::byte> bytes, const ReadOptions& options) {
  return read(bytes, options, true);
}

}  // namespace marrow::havok
