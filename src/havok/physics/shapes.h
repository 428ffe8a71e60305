// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "havok/packfile/packfile.h"
#include "marrow/core/error.h"
#include "marrow/core/finding.h"
#include "marrow/model/collision.h"

namespace marrow::havok {

/// Keys under which shapes keep properties.
inline constexpr std::int64_t kMassPropertiesKey = 0xF100;
inline constexpr std::int64_t kMaterialPropertiesKey = 0xF601;

/// What reading worked around: the findings, and the shapes whose objects have to be written anew.
struct ReadFaults {
  Findings findings = {};
  std::vector<ShapeId> shapes = {};
};

/// Reads a system and everything that is wrong with it.
Result<CollisionSystem> read_system(const Packfile& file, ObjectId id, ReadFaults& faults);

/// Puts properties of shapes under the keys where the game looks for their classes.
void mend_property_keys(Packfile& file, Notes& notes);

/// Reads a polytope. The planes that are missing follow from their faces; `missing` gets their number.
Result<Polytope> read_polytope(const FieldsView& fields, ObjectId id, std::size_t& missing);

/// Reads shapes into a system, each object once however many things point to it.
class ShapeReader {
 public:
  ShapeReader(const Packfile& file, CollisionSystem& system, ReadFaults& faults)
      : file_(file), system_(system), faults_(faults) {}

  /// The shape of an object; `ShapeId::None` for a null pointer.
  Result<ShapeId> read(ObjectId object);

 private:
  Result<ShapeGeometry> read_geometry(const Object& object, ObjectId id);
  Result<ShapeGeometry> read_hull(const FieldsView& fields, ObjectId id);
  ShapeGeometry read_capsule(const FieldsView& fields, ObjectId id);
  const Object* find_property(ObjectId shape, std::string_view class_name) const;
  void check_properties(ObjectId shape);
  void add_fault(std::string code, std::string message, ObjectId id, std::string_view member);
  Result<ShapeGeometry> read_compound(const FieldsView& fields, ObjectId id, bool is_static);
  void check_compound(const FieldsView& fields, ObjectId id);
  Result<ShapeGeometry> read_mesh(ObjectId id);

  const Packfile& file_;
  CollisionSystem& system_;
  ReadFaults& faults_;
  std::unordered_map<std::uint32_t, ShapeId> known_;
  std::uint32_t depth_ = 0;
};

/// The nodes of a compound's bounding tree, dynamic or static; none if there is no tree or its nodes do not form one.
std::vector<CompoundNode> read_compound_tree(const Packfile& file, ObjectId data);
/// Writes the tree of a compound to its data object, which is made if it is not of the right class. Returns the leaf of
/// each child.
std::vector<std::uint32_t> write_compound_tree(const CompoundShape& compound, Packfile& file, ObjectId& data);

/// Writes the shapes of a system that differ from those in `original`, which was read from the same file. Returns the
/// object of each shape.
Result<std::vector<ObjectId>> write_shapes(const CollisionSystem& system, const CollisionSystem& original,
                                           Packfile& file, Notes* notes);

}  // namespace marrow::havok
