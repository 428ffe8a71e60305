// SPDX-License-Identifier: MIT
#include "anvil/diff.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "anvil/at.h"
#include "anvil/hierarchy.h"
#include "anvil/kept_xml.h"
#include "anvil/value_text.h"

namespace marrow::anvil {
namespace {

/// One side of the comparison.
struct Side {
  explicit Side(const Skeleton& of) : skeleton(of), tree(hierarchy_of(of)) {}

  std::string link(BoneLink link) const {
    const std::int32_t bone = tree.find(link);
    if (bone >= 0) return display_name(skeleton.bones[at(bone)].name);
    return link.is_null() ? "none" : "object " + std::to_string(link.target);
  }

  const Skeleton& skeleton;
  Hierarchy tree;
};

/// Bones of one name that are still to be paired, in order.
struct Namesakes {
  std::vector<std::int32_t> bones = {};
  std::size_t next = 0;

  // Returns the first that is not taken, and takes it; -1 if there is none.
  std::int32_t take(std::vector<bool>& is_taken) {
    while (next < bones.size() && is_taken[at(bones[next])]) ++next;
    if (next == bones.size()) return -1;
    is_taken[at(bones[next])] = true;
    return bones[next];
  }
};

// Returns for each bone of the left side that of the right: of the same name and, in damaged files where several bones
// have one name, of the same id, then in order. -1 if there is none; `is_taken` gets the bones of the right side that
// have one.
std::vector<std::int32_t> pair_bones(const Side& left, const Side& right, std::vector<bool>& is_taken) {
  std::vector<std::int32_t> pairs(left.skeleton.bones.size(), -1);
  is_taken.assign(right.skeleton.bones.size(), false);
  std::map<std::pair<std::uint32_t, std::uint64_t>, Namesakes> by_id;
  std::unordered_map<std::uint32_t, Namesakes> by_name;
  for (const std::int32_t index : right.tree.depth_first) {
    const Bone& bone = right.skeleton.bones[at(index)];
    by_id[{bone.name.hash, bone.id}].bones.push_back(index);
    by_name[bone.name.hash].bones.push_back(index);
  }
  for (const std::int32_t index : left.tree.depth_first) {
    const Bone& bone = left.skeleton.bones[at(index)];
    if (const auto same = by_id.find({bone.name.hash, bone.id}); same != by_id.end())
      pairs[at(index)] = same->second.take(is_taken);
  }
  for (const std::int32_t index : left.tree.depth_first)
    if (const auto same = by_name.find(left.skeleton.bones[at(index)].name.hash);
        pairs[at(index)] < 0 && same != by_name.end())
      pairs[at(index)] = same->second.take(is_taken);
  return pairs;
}

class Comparison {
 public:
  Comparison(const Skeleton& left, const Skeleton& right) : left_(left), right_(right) {}

  std::vector<Difference> run() {
    compare_objects("", left_.skeleton, kept_of(left_.skeleton), right_.skeleton, kept_of(right_.skeleton));
    std::vector<std::uint32_t> order_left, order_right;
    std::vector<bool> is_paired;
    const std::vector<std::int32_t> pairs = pair_bones(left_, right_, is_paired);
    for (const std::int32_t index : left_.tree.depth_first) {
      const Bone& bone = left_.skeleton.bones[at(index)];
      const std::int32_t other = pairs[at(index)];
      object_ = display_name(bone.name);
      if (other < 0) {
        add("", "child of " + left_.link(bone.parent), "");
        continue;
      }
      order_left.push_back(bone.name.hash);
      compare_bones(bone, right_.skeleton.bones[at(other)]);
    }
    for (const std::int32_t index : right_.tree.depth_first) {
      const Bone& bone = right_.skeleton.bones[at(index)];
      object_ = display_name(bone.name);
      if (!is_paired[at(index)])
        add("", "", "child of " + right_.link(bone.parent));
      else
        order_right.push_back(bone.name.hash);
    }
    object_.clear();
    compare_order(order_left, order_right);
    return std::move(differences_);
  }

 private:
  void add(std::string field, std::string left, std::string right) {
    differences_.push_back({object_, std::move(field), std::move(left), std::move(right)});
  }

  static std::string inside(const std::string& where, std::string_view name) {
    return where.empty() ? std::string(name) : where + "." + std::string(name);
  }

  void compare_order(const std::vector<std::uint32_t>& left, const std::vector<std::uint32_t>& right) {
    const auto [a, b] = std::ranges::mismatch(left, right);
    if (a == left.end() || b == right.end()) return;
    add("order of bones", display_name({*a, {}}) + " as number " + std::to_string(a - left.begin()),
        display_name({*b, {}}) + " in its place");
  }

  void compare_bones(const Bone& left, const Bone& right) {
    compare_objects("", left, kept_of(left), right, kept_of(right));
    compare_lists("", "modifiers", left.modifiers, kept_of(left), right.modifiers, kept_of(right));
  }

  // Kept data of items belongs to the items, or to the modifier that they are parts of.
  template <class Object>
  static KeptView kept_of_item(const std::vector<Object>& list, const KeptView& holder, std::size_t i) {
    if constexpr (kIsPart<Object>)
      return {holder.part(i)};
    else
      return kept_of(list[i]);
  }

  template <class Object>
  void compare_lists(const std::string& where, std::string_view name, const std::vector<Object>& left,
                     const KeptView& left_kept, const std::vector<Object>& right, const KeptView& right_kept) {
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
      const std::string item = inside(where, name) + "[" + std::to_string(i) + "]";
      if (i >= right.size())
        add(item, summary(left[i]), "");
      else if (i >= left.size())
        add(item, "", summary(right[i]));
      else if (summary(left[i]) != summary(right[i]))
        add(item, summary(left[i]), summary(right[i]));
      else
        compare_objects(item, left[i], kept_of_item(left, left_kept, i), right[i], kept_of_item(right, right_kept, i));
    }
  }

  static std::string summary(const Modifier& modifier) { return std::string(class_name(modifier)); }
  static std::string summary(const Hinge&) { return "Hinge"; }
  static std::string summary(const RotationExpression&) { return "RotationExpression"; }

  /// Everything that an object holds except lists of bones and modifiers, which are matched separately.
  template <class Object>
  void compare_objects(const std::string& where, const Object& left, const KeptView& left_kept, const Object& right,
                       const KeptView& right_kept) {
    if (left.id != right.id) add(inside(where, "ID"), std::to_string(left.id), std::to_string(right.id));
    const Slots a = slots_to_read(left), b = slots_to_read(right);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::string name = inside(where, a[i].standard_name);
      std::visit(
          [&](auto* value) {
            using T = std::remove_pointer_t<decltype(value)>;
            if constexpr (kIsPartList<T>)
              compare_lists(where, a[i].standard_name, *value, left_kept, *std::get<T*>(b[i].at), right_kept);
            else if constexpr (!std::is_same_v<T, std::vector<Bone>> && !std::is_same_v<T, std::vector<Modifier>>)
              compare_values(name, a[i], b[i]);
          },
          a[i].at);
    }
    compare_kept(where, left_kept.own, right_kept.own);
  }

  void compare_values(const std::string& name, const Slot& a, const Slot& b) {
    const std::string left = value_text(a, [&](BoneLink link) { return left_.link(link); });
    const std::string right = value_text(b, [&](BoneLink link) { return right_.link(link); });
    if (left != right) add(name, left, right);
  }

  void compare_kept(const std::string& where, const Kept& left, const Kept& right) {
    if (left.attributes.empty() && right.attributes.empty() && left.elements.empty() && right.elements.empty()) return;
    compare_texts(inside(where, "unknown attributes"), attribute_texts(left), attribute_texts(right));
    compare_texts(inside(where, "unknown elements"), element_texts(left), element_texts(right));
  }
  static std::vector<std::string> attribute_texts(const Kept& kept) {
    std::vector<std::string> texts;
    for (const auto& attribute : kept.attributes)
      texts.push_back(std::to_string(attribute.field) + "." + attribute.name + "=" + attribute.value);
    return texts;
  }
  static std::vector<std::string> element_texts(const Kept& kept) {
    std::vector<std::string> texts;
    for (const auto& element : kept.elements)
      if (!is_comment(element.xml)) texts.push_back(element.xml);
    return texts;
  }
  void compare_texts(const std::string& where, std::vector<std::string> left, std::vector<std::string> right) {
    std::ranges::sort(left);
    std::ranges::sort(right);
    std::vector<std::string> only_left, only_right;
    std::ranges::set_difference(left, right, std::back_inserter(only_left));
    std::ranges::set_difference(right, left, std::back_inserter(only_right));
    for (std::string& text : only_left) add(where, std::move(text), "");
    for (std::string& text : only_right) add(where, "", std::move(text));
  }

  Side left_, right_;
  std::string object_;  // the bone being compared; empty: the skeleton
  std::vector<Difference> differences_;
};

}  // namespace

std::vector<Difference> diff(const Skeleton& left, const Skeleton& right) { return Comparison(left, right).run(); }

}  // namespace marrow::anvil
