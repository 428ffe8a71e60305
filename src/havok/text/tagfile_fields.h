// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "havok/packfile/packfile.h"
#include "havok/text/xml_source.h"

namespace marrow::havok {

/// Reads objects of a tagfile into fields of the tables. Keeps the first error and stops there.
class TagfileFields : public XmlReport {
 public:
  /// An object of the file; `type` is null if its class is not known.
  struct Source {
    pugi::xml_node node;
    const Class* type = nullptr;
  };
  using Ids = std::unordered_map<std::string_view, std::uint32_t>;

  TagfileFields(const ReadOptions& options, XmlLines& lines, const std::vector<Source>& sources, const Ids& ids)
      : XmlReport(options, lines), sources_(sources), ids_(ids) {}

  /// Reads object `index`, whose class is known, as one record.
  bool read(std::uint32_t index, Array& body);
  /// True if the object stands in place of a record of another.
  bool is_inlined(std::uint32_t index) const { return index < uses_.size() && uses_[index].inlined; }
  /// Returns the objects that pointers of what was read lead to, each once; then forgets them.
  std::vector<std::uint32_t> take_pointed();

 private:
  struct Use {
    bool pointed = false, inlined = false, open = false;
  };
  /// An object that stands in place of several records: read once more, then copied.
  struct Shared {
    Array record;
    std::uint64_t bytes = 0;  ///< that it expands to
  };

  bool read_record(const pugi::xml_node& node, Fields fields, std::uint32_t depth);
  bool read_member(const pugi::xml_node& node, const Member& member, Fields& fields, std::uint32_t depth);
  bool read_repeats(const pugi::xml_node& node, const Member& member, Fields& fields, std::uint32_t depth);
  bool read_value(const pugi::xml_node& node, const Member& member, Fields& fields, std::uint32_t i,
                  std::uint32_t depth);
  bool read_array(const pugi::xml_node& node, const Type& type, Ref& ref, std::uint32_t depth);
  bool read_records(const pugi::xml_node& node, const Element& element, Array& array, std::uint32_t depth);
  bool read_refs(const pugi::xml_node& node, const Element& element, Array& array);
  bool read_numbers(const pugi::xml_node& node, const Type& type, Array& array);
  /// A struct, or a reference to an object that holds one.
  bool read_struct(const pugi::xml_node& node, Fields fields, std::uint32_t depth);
  bool copy_shared(const pugi::xml_node& node, std::uint32_t index, Fields fields, std::uint32_t depth);
  bool read_number(const pugi::xml_node& node, const Type& type, Kind kind, std::span<std::byte> pods);
  bool read_ref(const pugi::xml_node& node, Kind kind, Ref& ref);
  bool read_pointer(const pugi::xml_node& node, std::string_view word, Ref& ref);
  /// Returns the object that a word names: null for none, and an error for one that is not in the file.
  bool find_object(const pugi::xml_node& node, std::string_view word, ObjectId& id);
  /// A finding once per class and member.
  void skip(const pugi::xml_node& node, std::string code, const Class& type, std::string_view member, std::string why);

  const std::vector<Source>& sources_;
  const Ids& ids_;
  std::vector<Use> uses_;                                            // by object
  std::map<std::pair<std::uint32_t, const Class*>, Shared> shared_;  // by object and class of the record
  std::vector<std::uint32_t> pointed_;
  std::unordered_set<std::string> skipped_;
};

}  // namespace marrow::havok
