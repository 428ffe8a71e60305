// SPDX-License-Identifier: MIT
#include "havok/object/numbers.h"

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "havok/object/layout.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

// The floats of a kind that hold numbers, one bit each: fourth lanes of vectors are used for other things.
std::uint32_t used_floats(Kind kind) {
  switch (kind) {
    case Kind::Real: return 0x1;
    case Kind::Vector4: return 0x7;
    case Kind::Quaternion: return 0xF;
    case Kind::Matrix3:
    case Kind::Rotation: return 0x777;
    case Kind::QsTransform: return 0x7F7;
    case Kind::Transform: return 0x7777;
    case Kind::Matrix4: return 0xFFFF;
    default: return 0;
  }
}

bool is_finite_half(std::uint16_t bits) { return (bits & 0x7F80) != 0x7F80; }  // the upper half of a float

}  // namespace

bool is_finite(Kind kind, std::span<const std::byte> bytes) {
  if (kind == Kind::Half) {
    std::uint16_t half = 0;
    std::memcpy(&half, bytes.data(), sizeof half);
    return is_finite_half(half);
  }
  std::uint32_t used = used_floats(kind);
  for (std::size_t i = 0; used != 0; ++i, used >>= 1) {
    float value = 0.0f;
    std::memcpy(&value, bytes.data() + 4 * i, sizeof value);
    if ((used & 1) != 0 && !std::isfinite(value)) return false;
  }
  return true;
}

namespace {

bool is_float(Kind kind) { return kind == Kind::Half || used_floats(kind) != 0; }

/// Walks the members of all objects.
class NumberCheck {
 public:
  NumberCheck(const Packfile& file, std::span<const NumberRule> rules) : file_(file) {
    for (const NumberRule& rule : rules) rules_[rule.class_name].push_back(&rule);
  }

  Findings run() {
    for (std::uint32_t i = 0; i < file_.objects.size(); ++i)
      if (file_.objects[i].type) check_record(file_.objects[i].fields(), "objects[" + std::to_string(i) + "]");
    return std::move(findings_);
  }

 private:
  void check_record(const FieldsView& fields, const std::string& path) {
    for (const Class* type : fields.type().lineage()) {
      const auto rules = rules_.find(type->name);
      for (const Member& member : type->members) {
        if (member.is_ignored) continue;
        const NumberRule* rule = nullptr;
        if (rules != rules_.end())
          for (const NumberRule* each : rules->second)
            if (each->member == member.name) rule = each;
        for (std::uint32_t i = 0; i < member.type.repeat; ++i) check_member(fields, member, i, rule, path);
      }
    }
  }

  void check_member(const FieldsView& fields, const Member& member, std::uint32_t i, const NumberRule* rule,
                    const std::string& path) {
    const Type& type = member.type;
    if (type.kind == Kind::Record) return check_record(fields.record(member, i), path + "." + member.name);
    if (is_array(type.kind)) return check_array(fields, member, i, rule, path);
    const Element& element = element_of(type.kind);
    if (element.ref_count > 0) return;
    const auto bytes = fields.pods().subspan(member.pod_offset + std::size_t{i} * element.pod_size, element.pod_size);
    if (!is_finite(type.kind, bytes)) return not_finite(path + "." + member.name);
    if (rule) check_rule(fields, *rule, type.kind, bytes, i, path + "." + member.name);
  }

  void check_array(const FieldsView& fields, const Member& member, std::uint32_t i, const NumberRule* rule,
                   const std::string& path) {
    const Array& array = fields.ref(member, i).array();
    const Element& element = *member.type.layout;
    std::uint32_t count = array.count();
    if (rule && !rule->as_many_as.empty()) count = std::min(count, fields.array(rule->as_many_as).size());
    const std::string place = path + "." + member.name;
    if (element.record) {
      for (std::uint32_t at = 0; at < count; ++at)
        check_record(fields_at(element, array, at), place + "[" + std::to_string(at) + "]");
      return;
    }
    if (!is_float(member.type.element)) return;
    for (std::uint32_t at = 0; at < count; ++at)
      if (!is_finite(member.type.element, array.pods().subspan(std::size_t{at} * element.pod_size, element.pod_size)))
        return not_finite(place + "[" + std::to_string(at) + "]");
  }

  void check_rule(const FieldsView& fields, const NumberRule& rule, Kind kind, std::span<const std::byte> bytes,
                  std::uint32_t i, const std::string& path) {
    if (rule.is_unit) {
      std::array<float, 4> q{};
      std::memcpy(q.data(), bytes.data(), sizeof q);
      const double length =
          std::sqrt(double{q[0]} * q[0] + double{q[1]} * q[1] + double{q[2]} * q[2] + double{q[3]} * q[3]);
      constexpr double kTolerance = 1e-3;
      if (!(std::abs(length - 1.0) <= kTolerance))
        add(path, "the quaternion has length " + float_text(static_cast<float>(length)) + " instead of 1", rule.why);
      return;
    }
    if (used_floats(kind) > 1) return;
    const double value = fields.real(rule.member, i);
    if (value < rule.min)
      add(path, "it is " + number(value) + ", less than " + number(rule.min), rule.why);
    else if (value > rule.max)
      add(path, "it is " + number(value) + ", more than " + number(rule.max), rule.why);
    else if (!rule.not_above.empty() && value > fields.real(rule.not_above, i))
      add(path,
          "it is " + number(value) + ", more than " + std::string(rule.not_above) + ", " +
              number(fields.real(rule.not_above, i)),
          rule.why);
  }

  static std::string number(double value) { return float_text(static_cast<float>(value)); }

  void not_finite(std::string path) {
    findings_.push_back({"E_NOT_FINITE", Level::Error, "it is not a finite number", std::move(path)});
  }

  void add(std::string path, std::string message, std::string_view why) {
    if (!why.empty()) message += ": " + std::string(why);
    findings_.push_back({"E_RANGE", Level::Error, std::move(message), std::move(path)});
  }

  const Packfile& file_;
  std::unordered_map<std::string_view, std::vector<const NumberRule*>> rules_;
  Findings findings_;
};

}  // namespace

Findings check_numbers(const Packfile& file, std::span<const NumberRule> rules) {
  return NumberCheck(file, rules).run();
}

}  // namespace marrow::havok
