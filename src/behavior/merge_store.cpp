// SPDX-License-Identifier: MIT
#include "behavior/merge_store.h"

#include <algorithm>
#include <cstring>

#include "havok/object/layout.h"
#include "havok/text/number.h"
#include "havok/text/value_text.h"
#include "havok/text/xml_names.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"

namespace marrow::behavior {

using havok::Element;
using havok::Fields;
using havok::FieldsView;
using havok::Kind;
using havok::Member;

NameTable::NameTable(std::vector<std::string> names) : names_(std::move(names)) {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    exact_.emplace(names_[i], static_cast<std::int64_t>(i));
    any_case_.emplace(to_lower(names_[i]), static_cast<std::int64_t>(i));
  }
}

std::int64_t NameTable::find(std::string_view name) const {
  if (const auto found = exact_.find(std::string(name)); found != exact_.end()) return found->second;
  const auto found = any_case_.find(to_lower(name));
  return found == any_case_.end() ? -1 : found->second;
}

/// Where the elements of a list go: into an array, or into the fixed places of a member.
struct NodeStore::Place {
  Fields& to;
  const Member& member;
  const Element& layout;
  havok::Array* array;  // null: fixed places

  std::span<std::byte> pods(std::uint32_t i) const {
    const std::span<std::byte> all = array ? array->mutable_pods() : to.pods().subspan(member.pod_offset);
    return all.subspan(std::size_t{i} * layout.pod_size, layout.pod_size);
  }
  std::span<havok::Ref> refs(std::uint32_t i) const {
    const std::span<havok::Ref> all = array ? array->mutable_refs() : to.refs().subspan(member.ref_offset);
    return all.subspan(std::size_t{i} * layout.ref_count, layout.ref_count);
  }
};

namespace {

const Element& layout_of_elements(const Member& member) {
  if (havok::is_array(member.type.kind)) return *member.type.layout;
  return member.type.kind == Kind::Record ? member.type.record->layout : havok::element_of(member.type.kind);
}

// Returns the numbers and references of one element of a list of the game.
std::pair<std::span<const std::byte>, std::span<const havok::Ref>> game_element(const FieldsView& game,
                                                                                const Member& member, std::uint32_t i) {
  const Element& layout = layout_of_elements(member);
  const bool is_array = havok::is_array(member.type.kind);
  const auto pods = is_array ? game.ref(member).array().pods() : game.pods().subspan(member.pod_offset);
  const auto refs = is_array ? game.ref(member).array().refs() : game.refs().subspan(member.ref_offset);
  return {pods.subspan(std::size_t{i} * layout.pod_size, layout.pod_size),
          refs.subspan(std::size_t{i} * layout.ref_count, layout.ref_count)};
}

std::vector<MergeSource> sources_of(const PatchValue& value, int mod) {
  std::vector<MergeSource> sources;
  for (const PatchItem& item : value.items)
    if (item.mark != Mark::Old) sources.push_back({.value = &item.value, .by = mod});
  return sources;
}

void leave_out(std::vector<MergeSource>& sources, const std::vector<std::uint32_t>& dropped) {
  std::size_t next = 0, kept = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (next < dropped.size() && dropped[next] == i)
      ++next;
    else
      sources[kept++] = sources[i];
  }
  sources.resize(kept);
}

}  // namespace

void NodeStore::note(std::string_view code, Level level, int mod, const std::string& path, std::string message) {
  report_.note({.code = std::string(code),
                .level = level,
                .mod = mod == kNobody ? std::string() : mods_[static_cast<std::size_t>(mod)].mod,
                .where = node_ + (path.empty() ? "" : " ") + path,
                .message = std::move(message)});
}

void NodeStore::store(Fields to, const MergeRecord& record, const FieldsView& game, const std::string& path) {
  for (const MergeField& field : record.fields) {
    const Member& member = *field.member;
    const std::string place = path.empty() ? member.name : path + "." + member.name;
    switch (shape_of(member.type)) {
      case Shape::Leaf: value(to, member, field.value, field.by, place); break;
      case Shape::Record:
        if (field.is_replaced) value(to, member, field.value, field.by, place);
        if (field.record) store(to.record(member), *field.record, game.record(member), place);
        break;
      case Shape::List: {
        std::vector<MergeSource> sources = flattened(field);
        const auto dropped = names_.dropped.find({object_, &member});
        if (dropped != names_.dropped.end() && path.empty()) leave_out(sources, dropped->second);
        // A mod may have replaced the record that this list is in by one with a shorter list.
        std::erase_if(sources, [size = list_size(game, member)](const MergeSource& source) {
          return !source.value && source.base >= size;
        });
        list(to, member, &game, sources, place);
        break;
      }
    }
  }
}

void NodeStore::store_new(Fields to, const PatchValue& record, int mod, const std::string& path) {
  for (const PatchParam& param : record.params)
    if (param.member && param.mark != Mark::Old)
      value(to, *param.member, param.value, mod, path.empty() ? param.name : path + "." + param.name);
}

void NodeStore::value(Fields& to, const Member& member, const PatchValue& value, int mod, const std::string& path) {
  switch (shape_of(member.type)) {
    case Shape::Leaf: {
      const Element& layout = layout_of_elements(member);
      return leaf(member.type, layout, to.pods().subspan(member.pod_offset, layout.pod_size),
                  to.refs().subspan(member.ref_offset, layout.ref_count), value.text, mod, path);
    }
    case Shape::Record: return store_new(to.record(member), value, mod, path);
    case Shape::List: return list(to, member, nullptr, sources_of(value, mod), path);
  }
}

void NodeStore::list(Fields& to, const Member& member, const FieldsView* game, const std::vector<MergeSource>& sources,
                     const std::string& path) {
  if (!written_lanes(element_kind(member.type)).empty()) return vectors(to, member, game, sources, path);
  const Element& layout = layout_of_elements(member);
  const auto count = static_cast<std::uint32_t>(sources.size());
  if (!havok::is_array(member.type.kind)) {
    if (count != member.type.repeat)
      return note("PATCH_SYNTAX", Level::Error, sources.empty() ? kNobody : sources.back().by, path,
                  "there are " + std::to_string(count) + " elements, and the class has place for " +
                      std::to_string(member.type.repeat));
    const Place place{to, member, layout, nullptr};
    for (std::uint32_t i = 0; i < count; ++i) element(place, i, sources[i], game, path);
    return;
  }
  havok::Array array(layout, count);
  const Place place{to, member, layout, &array};
  for (std::uint32_t i = 0; i < count; ++i) element(place, i, sources[i], game, path);
  to.ref(member).reset();
  if (count > 0) to.ref(member).set_array(std::move(array));
}

// The numbers of vectors are elements of their own; each vector needs all of its.
void NodeStore::vectors(Fields& to, const Member& member, const FieldsView* game,
                        const std::vector<MergeSource>& sources, const std::string& path) {
  const Element& layout = layout_of_elements(member);
  const Kind kind = element_kind(member.type);
  const std::span<const std::uint8_t> lanes = written_lanes(kind);
  const bool is_array = havok::is_array(member.type.kind);
  const int mod = sources.empty() ? kNobody : sources.back().by;
  if (sources.size() % lanes.size() != 0 || (!is_array && sources.size() != lanes.size() * member.type.repeat))
    return note("PATCH_SYNTAX", Level::Error, mod, path,
                std::to_string(sources.size()) + " numbers are not whole vectors of " + std::to_string(lanes.size()));
  const auto count = static_cast<std::uint32_t>(sources.size() / lanes.size());
  const std::uint32_t known = game ? list_size(*game, member) / static_cast<std::uint32_t>(lanes.size()) : 0;
  havok::Array array = is_array ? havok::Array(layout, count) : havok::Array();
  const Place place{to, member, layout, is_array ? &array : nullptr};
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::span<std::byte> pods = place.pods(i);
    // Lanes that texts leave out keep what the game has; the translation of a transform is a point.
    if (i < known)
      std::memcpy(pods.data(), game_element(*game, member, i).first.data(), pods.size());
    else if (const float one = 1.0f; kind == Kind::Transform)
      std::memcpy(pods.data() + 15 * sizeof(float), &one, sizeof one);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const MergeSource& source = sources[i * lanes.size() + lane];
      const std::span<std::byte> to_lane = pods.subspan(lanes[lane] * sizeof(float), sizeof(float));
      if (source.value) {
        number(member.type, Kind::Real, to_lane, source.value->text, source.by, path);
      } else {
        const std::uint32_t from = source.base / static_cast<std::uint32_t>(lanes.size());
        const std::size_t at = lanes[source.base % lanes.size()] * sizeof(float);
        std::memcpy(to_lane.data(), game_element(*game, member, from).first.data() + at, sizeof(float));
      }
    }
  }
  if (!is_array) return;
  to.ref(member).reset();
  if (count > 0) to.ref(member).set_array(std::move(array));
}

void NodeStore::element(const Place& place, std::uint32_t i, const MergeSource& source, const FieldsView* game,
                        const std::string& path) {
  const Member& member = place.member;
  const std::span<std::byte> pods = place.pods(i);
  const std::span<havok::Ref> refs = place.refs(i);
  const auto path_of = [&] { return path + "[" + std::to_string(i) + "]"; };
  if (!source.value) {
    const auto [from_pods, from_refs] = game_element(*game, member, source.base);
    std::ranges::copy(from_pods, pods.begin());
    std::ranges::copy(from_refs, refs.begin());
  }
  const havok::Class* record = element_class(member.type);
  if (!record) {
    if (source.value) leaf(member.type, place.layout, pods, refs, source.value->text, source.by, path_of());
    return;
  }
  if (source.value) store_new(Fields(*record, pods, refs), *source.value, source.by, path_of());
  if (!source.edits) return;
  // What edits lie over is the element as it now is.
  const havok::Array now = [&] {
    havok::Array copy(record->layout, 1);
    std::ranges::copy(pods, copy.mutable_pods().begin());
    std::ranges::copy(refs, copy.mutable_refs().begin());
    return copy;
  }();
  const FieldsView under = source.value ? fields_at(record->layout, now, 0)
                                        : FieldsView(*record, game_element(*game, member, source.base).first,
                                                     game_element(*game, member, source.base).second);
  store(Fields(*record, pods, refs), *source.edits, under, path_of());
}

void NodeStore::leaf(const havok::Type& type, const Element& element, std::span<std::byte> pods,
                     std::span<havok::Ref> refs, std::string_view text, int mod, const std::string& path) {
  if (element.kind == Kind::Text) {
    refs[0].reset();
    if (text != havok::xml::kNullText) refs[0].set_text(text);
  } else if (element.ref_count > 0) {
    pointer(refs[0], trim(text), mod, path);
  } else if (element.pod_size > 0) {
    number(type, element.kind, pods, trim(text), mod, path);
  }
}

void NodeStore::number(const havok::Type& type, Kind kind, std::span<std::byte> pods, std::string_view text, int mod,
                       const std::string& path) {
  std::string resolved;
  for (const auto& [start, table, what] : {std::tuple(std::string_view("$eventID["), &names_.events, "event"),
                                           std::tuple(std::string_view("$variableID["), &names_.variables, "variable")})
    if (text.starts_with(start) && text.ends_with("]$")) {
      const std::string_view name = text.substr(start.size(), text.size() - start.size() - 2);
      const std::int64_t index = table->find(name);
      if (index < 0)
        note("PATCH_UNKNOWN_NAME", Level::Warning, mod, path,
             std::string("there is no ") + what + " '" + std::string(name) + "'; -1 is written");
      resolved = std::to_string(index);
      text = resolved;
      break;
    }
  std::string_view rest = text;
  if (havok::take_value(rest, type, kind, pods) && trim(rest).empty()) return;
  // Tools write the bits of an integer, signed or not.
  if (const auto whole = parse_int(text); whole && havok::is_integer(kind))
    return havok::store_integer(kind, pods, *whole);
  note("PATCH_SYNTAX", Level::Error, mod, path, "'" + printable(text.substr(0, 60)) + "' is not a value of its type");
}

void NodeStore::pointer(havok::Ref& ref, std::string_view text, int mod, const std::string& path) {
  ref.reset();
  if (text.empty() || text == "null" || text == "#null") return;
  havok::ObjectId found;
  if (const std::size_t dollar = text.find('$'); dollar != std::string_view::npos) {
    const auto own = names_.own.find({mod, std::string(text.substr(dollar + 1))});
    if (own != names_.own.end()) found = own->second;
  } else {
    found = names_.base->find(text);
  }
  if (found.is_null())
    return note("PATCH_DANGLING", Level::Error, mod, path, "there is no node " + printable(text.substr(0, 60)));
  ref.set_pointer(found);
}

}  // namespace marrow::behavior
