// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "havok/packfile/packfile.h"
#include "havok/text/xml_source.h"

namespace marrow::havok {

/// Reads the `<hkparam>` elements of objects into fields. Keeps the first error and stops there; what is odd but can be
/// read becomes a finding with the object and the line.
class XmlFields : public XmlReport {
 public:
  using Ids = std::unordered_map<std::string_view, ObjectId>;

  /// With `cuts_dangling`, pointers to objects that are not there are null, and go from lists.
  XmlFields(const ReadOptions& options, const Ids& ids, XmlLines& lines, bool cuts_dangling = false)
      : XmlReport(options, lines), ids_(ids), cuts_dangling_(cuts_dangling) {}

  void enter(std::string object);
  /// Makes one record of a class in `body` and fills it from the children of `node`.
  bool read(const pugi::xml_node& node, const Class& type, Array& body);

 private:
  bool read_record(const pugi::xml_node& node, Fields fields, std::uint32_t depth);
  bool read_param(const pugi::xml_node& param, Fields& fields, std::uint32_t depth, std::vector<const Member*>& seen);
  void report_missing(const pugi::xml_node& node, const Class& type, std::vector<const Member*>& seen);
  bool read_member(const pugi::xml_node& param, const Member& member, Fields& fields, std::uint32_t depth);
  bool read_single(const pugi::xml_node& param, std::string_view& text, const Member& member, Fields& fields,
                   std::uint32_t i);
  bool read_pointer(const pugi::xml_node& node, std::string_view word, Ref& ref);
  bool read_text(const pugi::xml_node& node, Ref& ref);
  bool read_array(const pugi::xml_node& param, const Type& type, Ref& ref, std::uint32_t depth);
  bool read_records(const pugi::xml_node& param, const Element& element, Array& array, std::uint32_t depth);
  bool read_refs(const pugi::xml_node& param, const Element& element, Array& array);
  bool read_numbers(const pugi::xml_node& param, const Type& type, Array& array);

  const Ids& ids_;
  bool cuts_dangling_;
  std::unordered_set<const Member*> reported_;  // as missing, of this object
};

}  // namespace marrow::havok
