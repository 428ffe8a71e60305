// SPDX-License-Identifier: MIT
// Which object of a file that comes back is which shape that went out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/collision/compare_surface.h"

namespace marrow {

/// An object of a file that comes back: triangles of meshes of one name.
struct ReturnedObject {
  struct Part {
    const DocumentMesh* mesh = nullptr;
    std::vector<std::uint32_t> triangles = {};
  };
  std::string name;
  std::string data_name;  ///< of its mesh, see `DocumentMesh::data_name`
  std::vector<Part> parts;
};

/// An object that no shape was exported as.
struct AddedObject {
  std::size_t object = 0;
  std::size_t owner = 0;  ///< the shape whose body it goes to
  bool is_copy = false;   ///< of that shape; else it only has the name of the body
};

/// What became of the shapes of an export.
struct ObjectMatch {
  std::vector<ReturnedObject> objects;
  std::vector<std::optional<std::size_t>> of_shape;  ///< the object of each shape; none if there is none left
  std::vector<AddedObject> added;
  std::vector<std::size_t> unknown;                           ///< objects that belong to no body
  std::vector<std::pair<std::size_t, std::string>> messages;  ///< by object: how it was recognised, if not by its name
};

/// Matches objects to shapes: by the names of objects, by those of their meshes, and by their triangles. An object that
/// was renamed, joined with another, or separated into pieces is found as long as it is where it was. Copies go to the
/// body of their original.
ObjectMatch match_objects(const std::vector<CollisionMesh>& shapes, const Document& exported);

/// Returns an object in the space of a node, in game units, without materials.
ReturnedSurface surface_in(const ReturnedObject& object, const Transform& node);

/// Returns the distance that a change of space and the digits of a text file may move a vertex by.
float rounding_of(const CollisionMesh& shape);

}  // namespace marrow
