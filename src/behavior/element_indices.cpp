// SPDX-License-Identifier: MIT
#include "behavior/element_indices.h"

#include <algorithm>
#include <string>

#include "behavior/arrays.h"
#include "behavior/records.h"
#include "marrow/core/text.h"

namespace marrow::behavior {

using havok::Fields;
using havok::ObjectId;
using havok::Packfile;

namespace {

std::int64_t gone_before(const std::vector<bool>& is_gone, std::size_t index) {
  return std::count(is_gone.begin(), is_gone.begin() + static_cast<std::ptrdiff_t>(index), true);
}

}  // namespace

void remove_bindings(Packfile& file, ObjectId set, const std::vector<bool>& is_gone) {
  Fields bindings = file.at(set).fields();
  const std::int64_t enables = bindings.view().integer("indexOfBindingToEnable");
  if (enables >= 0 && static_cast<std::size_t>(enables) < is_gone.size()) {
    const auto at = static_cast<std::size_t>(enables);
    bindings.set_integer("indexOfBindingToEnable", is_gone[at] ? -1 : enables - gone_before(is_gone, at));
  }
  remove_elements(bindings, "bindings", is_gone);
}

void move_element_indices(Packfile& file, ObjectId node, std::string_view list, const std::vector<bool>& is_gone) {
  if (std::ranges::find(is_gone, true) == is_gone.end()) return;
  Fields fields = file.at(node).fields();
  if (list == "generators" && fields.view().type().is_a("hkbManualSelectorGenerator")) {
    const std::int64_t selected = fields.view().integer("selectedGeneratorIndex");
    if (selected >= 0 && static_cast<std::size_t>(selected) < is_gone.size()) {
      const auto at = static_cast<std::size_t>(selected);
      fields.set_integer("selectedGeneratorIndex", is_gone[at] ? 0 : selected - gone_before(is_gone, at));
    }
  }
  if (!fields.view().type().is_a("hkbBindable")) return;
  const ObjectId set = fields.view().pointer("variableBindingSet");
  if (!object_of(file, set, "hkbVariableBindingSet")) return;
  Fields bindings = file.at(set).fields();
  const std::uint32_t count = bindings.view().array("bindings").size();
  std::vector<bool> is_cut(count);
  const std::string start = std::string(list) + ":";
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string path(bindings.view().array("bindings").record(i).text("memberPath").value_or(""));
    if (!path.starts_with(start)) continue;
    const std::size_t end = std::min(path.find('/'), path.size());
    const auto index = parse_uint(std::string_view(path).substr(start.size(), end - start.size()));
    if (!index || *index >= is_gone.size()) continue;
    is_cut[i] = is_gone[*index];
    const auto moved = *index - static_cast<std::uint64_t>(gone_before(is_gone, *index));
    bindings.element("bindings", i).set_text("memberPath", start + std::to_string(moved) + path.substr(end));
  }
  remove_bindings(file, set, is_cut);
}

}  // namespace marrow::behavior
