// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "marrow/core/text.h"
#include "marrow/model/transform.h"

namespace marrow {

inline constexpr const char* kTransformColumns = "tx,ty,tz,qx,qy,qz,qw,sx,sy,sz";

// Its ten numbers, each after a comma, and the end of the line.
inline void append_transform_row(std::string& out, const Transform& t) {
  for (const float value : {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y, t.rotation.z,
                            t.rotation.w, t.scale.x, t.scale.y, t.scale.z}) {
    out += ',';
    append_float(out, value);
  }
  out += '\n';
}

}  // namespace marrow
