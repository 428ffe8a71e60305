// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow {

inline constexpr const char* kTransformColumns = "tx,ty,tz,qx,qy,qz,qw,sx,sy,sz";

/// Appends the ten numbers of a transform, each after a comma.
void append_transform_columns(std::string& out, const Transform& transform);
/// Appends a text, in quotes if it needs them.
void append_csv_text(std::string& out, std::string_view text);

/// Returns `frame,bone,tx,...,sz`, one line per bone and frame, in local space.
std::string poses_csv(const Clip& clip, const Skeleton& skeleton);

}  // namespace marrow
