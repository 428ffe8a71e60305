// SPDX-License-Identifier: MIT
// FBX files as tests author them: one tree of records, written as text and as binary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace marrow::test {

struct FbxRecord {
  using Value = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                             std::vector<float>>;

  std::string name;
  std::vector<Value> values = {};
  std::vector<FbxRecord> children = {};
};

/// Writes records as text; tangents become bit patterns, as programs write them from version 7200 on.
std::string fbx_text(const std::vector<FbxRecord>& records, int version);
/// Writes records as binary, arrays packed by zlib if asked for.
std::vector<std::byte> fbx_binary(const std::vector<FbxRecord>& records, int version, bool pack);

/// One key of a curve; slopes are per second.
struct FbxKey {
  double seconds, value;
  std::uint32_t flags = 0x4;
  float right = 0, next_left = 0, third = 0;
};
/// Builds a scene record by record.
class FbxScene {
 public:
  std::int64_t model(const std::string& name, const std::string& type, std::int64_t parent,
                     std::vector<FbxRecord> properties = {});
  std::int64_t stack(const std::string& name, double start, double stop);
  std::int64_t layer(std::int64_t stack, std::vector<FbxRecord> properties = {});
  /// Animates a component, `d|X`, of a property. Returns the curve's record, for what else it needs.
  FbxRecord& curve(std::int64_t layer, std::int64_t model, const std::string& property, const std::string& component,
                   const std::vector<FbxKey>& keys);
  void object(FbxRecord record) { objects_.push_back(std::move(record)); }
  void connect(std::int64_t child, std::int64_t parent, const std::string& property = {});
  void setting(const std::string& name, double value);
  std::int64_t next_id() { return ++id_; }
  std::vector<FbxRecord> records(int version) const;

 private:
  std::int64_t id_ = 1000;
  std::vector<FbxRecord> objects_, connections_, settings_;
};

/// A property record: `P: "Lcl Rotation", "Lcl Rotation", "", "A", x, y, z`.
FbxRecord fbx_property(const std::string& name, const std::vector<double>& values);

}  // namespace marrow::test
