// SPDX-License-Identifier: MIT
// An XML tagfile describes its own classes. The tables of the nearest version are more complete, so members are matched
// to them by name.
#include <pugixml.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include "core/counted.h"
#include "core/try.h"
#include "havok/animation/float_offsets.h"
#include "havok/animation/names.h"
#include "havok/object/version.h"
#include "havok/packfile/unreachable.h"
#include "havok/text/tagfile.h"
#include "havok/text/tagfile_fields.h"
#include "havok/text/tagfile_names.h"
#include "havok/text/xml_properties.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

class TagfileReader {
 public:
  TagfileReader(std::span<const std::byte> bytes, const ReadOptions& options)
      : bytes_(bytes), options_(options), lines_(bytes), fields_(options, lines_, sources_, ids_) {}

  Result<Packfile> run() {
    const auto parsed = document_.load_buffer(bytes_.data(), bytes_.size(), kXmlParseFlags);
    if (!parsed)
      return refuse(ErrorCode::Malformed, std::string("not well-formed XML: ") + parsed.description(),
                    static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(parsed.offset, 0)));
    const pugi::xml_node root = document_.child(tagfile::kTagfile);
    if (!root) return fail(ErrorCode::BadMagic, "not an XML tagfile: there is no <hktagfile>", 0);
    const Schema* schema = builtin_schema(nearest_version(root.attribute(tagfile::kSdkVersion).value()).name);
    if (std::string wrong = read_properties(root, *schema, file_); !wrong.empty())
      return refuse(ErrorCode::Malformed, std::move(wrong), offset_of(root));
    MARROW_CHECK(name_objects(root));
    MARROW_CHECK(read_objects());
    keep_objects(file_, wanted_);
    mend_types();
    if (options_.findings) report_wrong_float_offsets(file_, *options_.findings);
    return std::move(file_);
  }

 private:
  std::unexpected<Error> refuse(ErrorCode code, std::string why, std::uint64_t offset) {
    return fail(code, "line " + std::to_string(lines_.line_of(offset)) + ": " + std::move(why), offset);
  }

  Result<void> name_objects(const pugi::xml_node& root) {
    for (const pugi::xml_node node : root.children(tagfile::kObject)) {
      const auto index = static_cast<std::uint32_t>(sources_.size());
      if (index >= options_.limits.max_objects)
        return refuse(ErrorCode::LimitExceeded, "more objects than the limit allows", offset_of(node));
      const std::string_view id = node.attribute(tagfile::kId).value();
      if (!id.empty() && !ids_.emplace(id, index).second)
        return refuse(ErrorCode::Malformed, "the id " + std::string(id) + " is used twice", offset_of(node));
      const std::string_view class_name = node.attribute(tagfile::kType).value();
      const Class* type = file_.schema->find(class_name);
      sources_.push_back({node, type});
      file_.objects.emplace_back().set_name(id);
      if (!type) report_unknown(node, class_name);
    }
    if (std::ranges::none_of(sources_, [](const auto& source) { return source.type != nullptr; }))
      return refuse(ErrorCode::Malformed, "the file holds no object of a known class", offset_of(root));
    return {};
  }

  // Once per class.
  void report_unknown(const pugi::xml_node& node, std::string_view class_name) {
    if (!options_.findings || !unknown_.insert(class_name).second) return;
    fields_.enter(std::string(file_.objects.back().name()) + " (" + std::string(class_name) + ")");
    fields_.find(
        Level::Warning, "W_UNKNOWN_CLASS",
        "class '" + std::string(class_name) + "' is not in " + file_.schema->version() + "; its objects are left out",
        node);
  }

  // The root comes first, as in the games' files; it is searched only if the first objects are of unknown class.
  std::uint32_t find_root() const {
    const auto known = [](const auto& source) { return source.type != nullptr; };
    const auto is_root = [](const auto& source) { return source.type && source.type->name == kRootContainer; };
    if (known(sources_.front())) return 0;
    auto found = std::ranges::find_if(sources_, is_root);
    if (found == sources_.end()) found = std::ranges::find_if(sources_, known);
    return static_cast<std::uint32_t>(found - sources_.begin());
  }

  // Follows the pointers from the root, then adds what is left. Objects that only replace a record of another do not
  // become objects of the packfile.
  Result<void> read_objects() {
    wanted_.assign(sources_.size(), false);
    file_.root = {find_root()};
    MARROW_CHECK(read_from(file_.root.index));
    for (std::uint32_t i = 0; i < sources_.size(); ++i)
      if (sources_[i].type && !wanted_[i] && !fields_.is_inlined(i)) MARROW_CHECK(read_from(i));
    return {};
  }

  Result<void> read_from(std::uint32_t first) {
    std::vector<std::uint32_t> open = {first};
    while (!open.empty()) {
      const std::uint32_t index = open.back();
      open.pop_back();
      if (wanted_[index]) continue;
      wanted_[index] = true;
      Object& object = file_.objects[index];
      object.type = sources_[index].type;
      if (!fields_.read(index, object.body())) {
        Error& error = fields_.error();
        error.path = std::string(object.name()) + " " + object.type->name + error.path;
        return std::unexpected(std::move(error));
      }
      const auto pointed = fields_.take_pointed();
      open.insert(open.end(), pointed.begin(), pointed.end());
    }
    return {};
  }

  // The type number of an animation class differs between versions, and the game trusts it.
  void mend_types() {
    for (const ObjectId id : file_.find_all(kAnimation)) {
      Object& object = file_.at(id);
      const std::int64_t right = animation_type(*file_.schema, object.type->name);
      const std::int64_t stated = std::as_const(object).fields().integer("type");
      if (right == 0 || stated == right) continue;
      object.fields().set_integer("type", right);
      if (options_.findings)
        options_.findings->push_back({"I_ANIMATION_TYPE", Level::Info,
                                      object.type->name + " has type " + std::to_string(stated) +
                                          " in another version of Havok; it is " + std::to_string(right) + " in " +
                                          file_.schema->version() + ", and is set to that",
                                      std::string(object.name()) + " (" + object.type->name + ")"});
    }
  }

  std::span<const std::byte> bytes_;
  const ReadOptions& options_;
  XmlLines lines_;
  pugi::xml_document document_;
  std::vector<TagfileFields::Source> sources_;
  TagfileFields::Ids ids_;
  TagfileFields fields_;
  std::unordered_set<std::string_view> unknown_;
  std::vector<bool> wanted_;
  Packfile file_;
};

}  // namespace

Result<Packfile> read_tagfile_xml(std::span<const std::byte> bytes, const ReadOptions& options) {
  if (bytes.empty()) return fail(ErrorCode::Truncated, "the file is empty", 0);
  if (bytes.size() > options.limits.max_file_bytes)
    return fail(ErrorCode::LimitExceeded, "the file is larger than the limit allows");
  return TagfileReader(bytes, counted(options)).run();
}

}  // namespace marrow::havok
