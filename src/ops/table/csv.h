// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "marrow/core/error.h"
#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow {

inline constexpr const char* kTransformColumns = "tx,ty,tz,qx,qy,qz,qw,sx,sy,sz";

/// Appends the ten numbers of a transform, each after a comma.
void append_transform_columns(std::string& out, const Transform& transform);
/// Appends a text, in quotes if it needs them.
void append_csv_text(std::string& out, std::string_view text);

/// Reads the rows of a table of numbers that a float can hold, each with at least `columns` of them; further columns
/// are not read. Lines that are empty, start with `#` or do not start with a number (a header) are skipped. Fails with
/// `Malformed`, naming the line, and as `use` does.
Result<void> for_each_row(std::string_view text, std::size_t columns,
                          const std::function<Result<void>(std::span<const double> row, std::uint64_t offset)>& use);

/// True if a number of a table is one of a frame, or lies between two.
constexpr bool is_frame(double value) { return value >= 0.0 && value <= 2147483647.0; }

/// Returns `frame,bone,tx,...,sz`, one line per bone and frame, in local space.
std::string poses_csv(const Clip& clip, const Skeleton& skeleton);

}  // namespace marrow
