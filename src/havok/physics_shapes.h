// SPDX-License-Identifier: MIT
#pragma once

#include <unordered_map>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/havok/packfile.h"
#include "marrow/model/collision.h"

namespace marrow::havok {

/// Keys under which shapes keep properties.
inline constexpr std::int64_t kMassPropertiesKey = 0xF100;
inline constexpr std::int64_t kMaterialPropertiesKey = 0xF601;

/// Reads shapes into a system, each object once however many things point to it.
class ShapeReader {
 public:
  ShapeReader(const Packfile& file, CollisionSystem& system) : file_(file), system_(system) {}

  /// The shape of an object; `ShapeId::None` for a null pointer.
  Result<ShapeId> read(ObjectId object);

 private:
  Result<ShapeGeometry> read_geometry(const Object& object, ObjectId id);
  Result<ShapeGeometry> read_compound(const FieldsView& fields, bool is_static);
  Result<ShapeGeometry> read_mesh(ObjectId id);

  const Packfile& file_;
  CollisionSystem& system_;
  std::unordered_map<std::uint32_t, ShapeId> known_;
  std::uint32_t depth_ = 0;
};

/// Writes the shapes of a system that differ from those in `original`, which was read from the same file. Returns the
/// object of each shape.
Result<std::vector<ObjectId>> write_shapes(const CollisionSystem& system, const CollisionSystem& original,
                                           Packfile& file, Notes* notes);

/// Reads what a joint's object holds into the constraint, and writes it back where it differs.
void read_joint(const Packfile& file, Constraint& constraint);
void write_joint(const Constraint& constraint, const Constraint* original, Packfile& file, ObjectId& object);

}  // namespace marrow::havok
