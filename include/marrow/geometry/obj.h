// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "marrow/geometry/shapes.h"

namespace marrow::geometry {

/// One object of a Wavefront file: an `o` line, or a `g` line where the file has no `o`.
struct ObjObject {
  std::string name;
  TriangleMesh mesh;  ///< with its own vertices; `materials` index `ObjFile::materials`

  bool operator==(const ObjObject&) const = default;
};

struct ObjFile {
  std::vector<ObjObject> objects;
  /// Names of `usemtl`, in order of first use. Faces before any `usemtl` have the material with the empty name.
  std::vector<std::string> materials;

  bool operator==(const ObjFile&) const = default;
};

/// Reads text that nobody vouches for. Polygons are cut into triangles (fans for convex ones, ears else), negative
/// indices count from the end, texture coordinates, normals, curves and colours are passed over. An error's `offset`
/// is the byte where its line begins, and its `path` reads `line 12`.
Result<ObjFile> read_obj(std::string_view text, const Limits& limits = {});

/// Text that `read_obj` takes back to an equal value, if objects and materials are used and named differently.
std::string write_obj(const ObjFile& file);

}  // namespace marrow::geometry
