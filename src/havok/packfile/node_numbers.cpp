// SPDX-License-Identifier: MIT
#include "havok/packfile/node_numbers.h"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>

#include "havok/packfile/pointers.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

std::vector<std::vector<std::uint32_t>> pointers_of(const Packfile& file) {
  std::vector<std::vector<std::uint32_t>> lists(file.objects.size());
  for (std::size_t i = 0; i < lists.size(); ++i)
    for_each_pointer_of(file.objects[i], [&](ObjectId id) {
      if (!id.is_null() && id.index < lists.size()) lists[i].push_back(id.index);
    });
  return lists;
}

// The converter numbers the descriptions of types first: classes with their bases and those they are made of, then
// their enumerations, and one more thing in files that hold a graph.
std::uint64_t count_types(const Packfile& file) {
  std::set<const Class*> classes;
  std::vector<const Class*> open;
  const auto add = [&](const Class* type) {
    if (type && classes.insert(type).second) open.push_back(type);
  };
  for (const Object& object : file.objects) add(object.type);
  std::set<const Enum*> enums;
  bool has_graph = false;
  while (!open.empty()) {
    const Class* type = open.back();
    open.pop_back();
    has_graph |= type->name == "hkbBehaviorGraph";
    add(type->parent);
    for (const Member& member : type->members) {
      // An array of pointers does not name its class.
      if (!is_array(member.type.kind) || member.type.element == Kind::Record) add(member.type.record);
      if (member.type.names) enums.insert(member.type.names);
    }
  }
  return classes.size() + enums.size() + (has_graph ? 1 : 0);
}

std::vector<std::uint32_t> depth_first(const std::vector<std::vector<std::uint32_t>>& pointers, std::uint32_t root) {
  std::vector<std::uint32_t> order, open = {root};
  std::vector<bool> seen(pointers.size());
  while (!open.empty()) {
    const std::uint32_t object = open.back();
    open.pop_back();
    if (seen[object]) continue;
    seen[object] = true;
    order.push_back(object);
    for (auto target = pointers[object].rbegin(); target != pointers[object].rend(); ++target)
      if (!seen[*target]) open.push_back(*target);
  }
  return order;
}

// An object gets its number when it is begun, and its place when its pointers, last first, are done.
class Numbering {
 public:
  Numbering(const std::vector<std::vector<std::uint32_t>>& pointers, std::uint32_t root, std::uint64_t first)
      : pointers_(pointers), next_(first + 1), is_begun_(pointers.size()) {
    numbers_.of.resize(pointers.size());
    has_number_.resize(pointers.size());
    numbers_.of[root] = first;
    has_number_[root] = true;
  }

  void write(std::uint32_t object) {
    if (is_begun_[object]) return;
    begin(object);
    while (!open_.empty()) {
      Open& top = open_.back();
      if (top.left == 0) {
        numbers_.in_order.push_back(top.object);
        open_.pop_back();
      } else if (const std::uint32_t target = pointers_[top.object][--top.left]; !is_begun_[target]) {
        begin(target);
      }
    }
  }

  NodeNumbers take() { return std::move(numbers_); }

 private:
  struct Open {
    std::uint32_t object;
    std::size_t left;
  };

  void begin(std::uint32_t object) {
    is_begun_[object] = true;
    if (!has_number_[object]) numbers_.of[object] = next_++;
    has_number_[object] = true;
    open_.push_back({object, pointers_[object].size()});
  }

  const std::vector<std::vector<std::uint32_t>>& pointers_;
  std::uint64_t next_;
  std::vector<bool> is_begun_, has_number_;
  std::vector<Open> open_;
  NodeNumbers numbers_;
};

}  // namespace

std::string numbered_name(std::uint64_t number) {
  std::string digits = std::to_string(number);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  return "#" + digits;
}

std::optional<std::uint64_t> number_of_name(std::string_view name) {
  constexpr std::uint64_t kMost = 1'000'000'000;
  if (!name.starts_with('#')) return std::nullopt;
  const auto number = parse_uint(name.substr(1));
  return number && *number < kMost ? number : std::nullopt;
}

std::optional<NodeNumbers> behaviour_numbers(const Packfile& file) {
  constexpr std::array<std::string_view, 3> kMarks = {"hkbProjectData", "hkbCharacterData", "hkbBehaviorGraph"};
  if (file.root.index >= file.objects.size()) return std::nullopt;
  if (std::ranges::any_of(file.objects, [](const Object& object) { return !object.name().empty(); }))
    return std::nullopt;
  if (std::ranges::none_of(kMarks, [&](std::string_view mark) { return !file.find_all(mark).empty(); }))
    return std::nullopt;
  const auto pointers = pointers_of(file);
  const std::vector<std::uint32_t> order = depth_first(pointers, file.root.index);
  Numbering numbering(pointers, file.root.index, 1 + count_types(file));
  for (auto object = order.rbegin(); object != order.rend(); ++object) numbering.write(*object);
  for (std::uint32_t i = 0; i < file.objects.size(); ++i) numbering.write(i);
  return numbering.take();
}

Result<std::vector<std::uint64_t>> node_ids(const Packfile& file) {
  if (const auto numbers = behaviour_numbers(file)) return numbers->of;
  std::vector<std::uint64_t> ids(file.objects.size());
  std::vector<bool> is_named(file.objects.size());
  std::unordered_set<std::uint64_t> taken;
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto number = number_of_name(file.objects[i].name());
    if (!number) continue;
    if (!taken.insert(*number).second)
      return fail(ErrorCode::Unrepresentable,
                  "two objects have the number " + numbered_name(*number) + "; give one of them another", kNoOffset,
                  path_of({static_cast<std::uint32_t>(i)}));
    ids[i] = *number;
    is_named[i] = true;
    last = std::max(last, *number);
  }
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (!is_named[i]) ids[i] = ++last;
  return ids;
}

}  // namespace marrow::havok
