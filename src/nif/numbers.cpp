// SPDX-License-Identifier: MIT
#include "nif/numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "nif/record.h"

namespace marrow::nif {
namespace {

bool is_finite(const Field& field, std::span<const std::byte> element) {
  if (field.kind == Kind::Struct)
    return std::ranges::all_of(field.record->fields, [&](const Field& inner) {
      return is_finite(inner, element.subspan(inner.slot, inner.element_bytes));
    });
  for (std::uint32_t i = 0; i < field.width; ++i) {
    if (field.kind == Kind::F32) {
      float value = 0.0f;
      std::memcpy(&value, element.data() + i * sizeof value, sizeof value);
      if (!std::isfinite(value)) return false;
    } else if (field.kind == Kind::Half) {
      std::uint16_t bits = 0;
      std::memcpy(&bits, element.data() + i * sizeof bits, sizeof bits);
      if ((bits & 0x7C00) == 0x7C00) return false;
    }
  }
  return true;
}

// Geometry and bind poses have codes of their own, in terms of the shape.
constexpr std::string_view kShapeTypes[] = {"NiGeometryData",   "NiTriShape",      "BSTriShape",
                                            "NiSkinInstance",   "NiSkinData",      "NiSkinPartition",
                                            "BSSkin::Instance", "BSSkin::BoneData"};
bool is_checked_as_shape(const RecordType& type) {
  return std::ranges::any_of(kShapeTypes, [&](std::string_view base) { return type.is_a(base); });
}

class NumberCheck {
 public:
  explicit NumberCheck(Findings& findings) : findings_(findings) {}

  void check(const Record& record, const std::string& path) {
    const RecordType& type = record.type();
    const std::size_t own = is_checked_as_shape(type) ? place_fields(type) : type.fields.size();
    for (std::size_t i = 0; i < own; ++i) check(record, type.fields[i], path + "." + type.fields[i].name);
  }

 private:
  // A shape is placed as any other object of the scene, by the fields that come before its own.
  static std::size_t place_fields(const RecordType& type) {
    const Field* last = type.find("collision_object");
    return last ? static_cast<std::size_t>(last - type.fields.data()) : 0;
  }

  void check(const Record& record, const Field& field, const std::string& path) {
    if (field.is_list()) {
      const std::vector<Record>& all = record.records(field.name);
      for (std::size_t i = 0; i < all.size(); ++i) check(all[i], path + "[" + std::to_string(i) + "]");
    } else if (field.count != Count::One) {
      const auto bytes = record.bytes(field.name);
      for (std::size_t i = 0; i + field.element_bytes <= bytes.size(); i += field.element_bytes)
        if (!is_finite(field, bytes.subspan(i, field.element_bytes)))
          return add(path + "[" + std::to_string(i / field.element_bytes) + "]");
    } else if (!is_finite(field, record.bytes_of(field))) {
      add(path);
    }
  }

  void add(std::string path) {
    findings_.push_back({"E_NOT_FINITE", Level::Error, "it is not a finite number", std::move(path)});
  }

  Findings& findings_;
};

}  // namespace

Findings check_numbers(const NifFile& file, const Limits& limits) {
  Findings findings;
  NumberCheck check(findings);
  for (std::int32_t block = 0; block < static_cast<std::int32_t>(file.blocks.size()); ++block) {
    if (file.type_of(block).starts_with("bhk")) continue;  // Skyrim's collision has codes of its own
    if (!type_of(file, block)) continue;
    if (const auto record = read_block(file, block, limits))
      check.check(*record, "block " + std::to_string(block) + " (" + std::string(file.type_of(block)) + ")");
  }
  return findings;
}

}  // namespace marrow::nif
