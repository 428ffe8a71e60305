// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "marrow/geometry/solids/shapes.h"

namespace marrow::geometry {

/// One object of a Wavefront file: an `o` line, or a `g` line if the file has no `o`.
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

/// Reads a Wavefront file. Safe for untrusted input. Polygons are split into triangles (fans for convex ones, ear
/// clipping for others). Negative indices count from the end. Texture coordinates, normals, curves and colours are
/// skipped. The `offset` of an error is the byte where its line begins, its `path` is `line 12`.
Result<ObjFile> read_obj(std::string_view text, const Limits& limits = {});

/// Writes text that `read_obj` reads back as an equal value, if all objects and materials are used and have different
/// names.
std::string write_obj(const ObjFile& file);

}  // namespace marrow::geometry
