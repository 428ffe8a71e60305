// SPDX-License-Identifier: MIT
// Small bodies of each kind, written field by field.
#pragma once

#include <string>
#include <string_view>

#include "marrow/model/body.h"
#include "nif/nif_file.h"

namespace marrow::test {

/// A bent sheet of 4 by 3 vertices between the bones "Upper" and "Lower", with all attributes. Numbers are such that
/// every format stores them exactly, but for normals and tangents in bytes.
BodyShape sample_sheet();

struct BodyKind {
  std::uint32_t stream = 130;
  std::string_view type = "BSTriShape";
  bool is_skinned = true;
};
/// All kinds that the three games have.
std::vector<BodyKind> body_kinds();

/// A file with a root "Scene", the two bones below it, and the sheet as one shape named "Sheet" with two partitions,
/// segments or levels, a shader, textures and an alpha property.
NifFile sample_body(const BodyKind& kind);

}  // namespace marrow::test
