// SPDX-License-Identifier: MIT
#include "havok/object/compare.h"

#include <algorithm>
#include <unordered_set>

#include "havok/object/layout.h"
#include "havok/text/value_text.h"

namespace marrow::havok {
namespace {

constexpr std::size_t kLongestPath = 300;

class Comparison {
 public:
  Comparison(const Packfile& left, const Packfile& right, std::size_t limit)
      : left_(left), right_(right), limit_(limit) {}

  std::vector<TreeDifference> run() {
    visit(left_.root, right_.root, std::string(left_.root.is_null() ? "root" : left_.at(left_.root).class_name()));
    // Objects wait in a list instead of on the stack: files may chain them arbitrarily deep.
    while (!waiting_.empty() && found_.size() < limit_) {
      const Pair pair = std::move(waiting_.back());
      waiting_.pop_back();
      compare_objects(left_.at(pair.left), right_.at(pair.right), pair.path);
    }
    return std::move(found_);
  }

 private:
  struct Pair {
    ObjectId left, right;
    std::string path;
  };

  void report(const std::string& path, std::string left, std::string right) {
    if (found_.size() < limit_) found_.push_back({path, std::move(left), std::move(right)});
  }

  static std::string name_of(const Packfile& file, ObjectId id) {
    return id.is_null() ? "null" : std::string(file.at(id).class_name());
  }

  void visit(ObjectId left, ObjectId right, std::string path) {
    const std::string left_name = name_of(left_, left), right_name = name_of(right_, right);
    if (left_name != right_name) return report(path, left_name, right_name);
    if (left.is_null()) return;
    // The path to an object deep in a chain is shortened: it would cost more than the comparison, and nobody reads it.
    if (path.size() > kLongestPath) path = "object " + std::to_string(left.index) + " " + left_name;
    const std::uint64_t key = (std::uint64_t{left.index} << 32) | right.index;
    if (seen_.insert(key).second) waiting_.push_back({left, right, std::move(path)});
  }

  void compare_objects(const Object& left, const Object& right, const std::string& path) {
    if (left.type && right.type) return compare_records(left.fields(), right.fields(), path);
    if (left.opaque().bytes != right.opaque().bytes) report(path, "other bytes", "other bytes");
  }

  void compare_records(const FieldsView& left, const FieldsView& right, const std::string& path) {
    for (const Class* type : left.type().lineage())
      for (const Member& member : type->members) {
        if (member.is_ignored) continue;
        for (std::uint32_t i = 0; i < member.type.repeat; ++i) {
          std::string place = path + "." + member.name;
          if (member.type.repeat > 1) place += "[" + std::to_string(i) + "]";
          compare_member(member, left, right, i, place);
        }
      }
  }

  void compare_member(const Member& member, const FieldsView& left, const FieldsView& right, std::uint32_t i,
                      const std::string& path) {
    if (member.type.kind == Kind::Record) return compare_records(left.record(member, i), right.record(member, i), path);
    const Element& element = element_of(member.type.kind);
    if (element.ref_count > 0) return compare_refs(member.type, left.ref(member, i), right.ref(member, i), path);
    const std::size_t at = member.pod_offset + i * element.pod_size;
    compare_pods(member.type, member.type.kind, left.pods().subspan(at, element.pod_size),
                 right.pods().subspan(at, element.pod_size), path);
  }

  void compare_pods(const Type& type, Kind kind, std::span<const std::byte> left, std::span<const std::byte> right,
                    const std::string& path) {
    if (std::ranges::equal(left, right)) return;
    std::string a, b;
    append_value(a, type, kind, left);
    append_value(b, type, kind, right);
    if (a != b) report(path, std::move(a), std::move(b));
  }

  void compare_refs(const Type& type, const Ref& left, const Ref& right, const std::string& path) {
    if (is_array(type.kind)) return compare_arrays(type, left.array(), right.array(), path);
    if (type.kind == Kind::Text) {
      const auto show = [](const Ref& ref) {
        const auto text = ref.text();
        return text ? "\"" + std::string(*text) + "\"" : std::string("null");
      };
      if (left != right) report(path, show(left), show(right));
      return;
    }
    visit(left.pointer(), right.pointer(), path);
  }

  void compare_arrays(const Type& type, const Array& left, const Array& right, const std::string& path) {
    if (left.count() != right.count())
      report(path, std::to_string(left.count()) + " elements", std::to_string(right.count()) + " elements");
    const Element& element = *type.layout;
    const std::uint32_t count = std::min(left.count(), right.count());
    if (element.ref_count == 0 && std::ranges::equal(left.pods(), right.pods())) return;
    for (std::uint32_t i = 0; i < count && found_.size() < limit_; ++i) {
      const std::string place = path + "[" + std::to_string(i) + "]";
      if (element.record)
        compare_records(fields_at(element, left, i), fields_at(element, right, i), place);
      else if (element.ref_count > 0)
        compare_refs(Type{.kind = type.element}, left.refs()[i], right.refs()[i], place);
      else
        compare_pods(type, type.element, left.pods().subspan(std::size_t{i} * element.pod_size, element.pod_size),
                     right.pods().subspan(std::size_t{i} * element.pod_size, element.pod_size), place);
    }
  }

  const Packfile& left_;
  const Packfile& right_;
  std::size_t limit_;
  std::vector<TreeDifference> found_;
  std::vector<Pair> waiting_;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace

std::vector<TreeDifference> compare(const Packfile& left, const Packfile& right, std::size_t limit) {
  return Comparison(left, right, limit).run();
}

}  // namespace marrow::havok
