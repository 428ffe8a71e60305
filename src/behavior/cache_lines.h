// SPDX-License-Identifier: MIT
// The lines of a cache, taken one after another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "behavior/cache.h"
#include "marrow/core/error.h"

namespace marrow::behavior {

/// Returns the number of a line of decimal digits that is written back the same; nothing for other lines.
std::optional<std::uint64_t> plain_count(std::string_view line);

/// Takes lines with a sticky first error, which names the line.
class CacheReader {
 public:
  explicit CacheReader(std::string_view text);

  bool failed() const { return error_.has_value(); }
  Error error() { return std::move(*error_); }
  /// Records the first error at the line that was taken last.
  void refuse(std::string why);

  std::size_t line() const { return line_; }  ///< of the line that was taken last, from 1
  bool at_end() const { return rest_.empty(); }
  std::uint64_t left() const { return total_ - line_; }
  const LineEnds& ends() const { return ends_; }

  /// Takes the next line; empty, and an error, at the end.
  std::string_view take(std::string_view what);
  std::string text(std::string_view what) { return std::string(take(what)); }
  /// Takes a count of things of at least `lines_each` lines each. 0, and an error, if so many lines are not left.
  std::uint64_t count(std::string_view what, std::uint64_t lines_each = 1);
  /// Takes a line that has to be a number.
  std::string number(std::string_view what);
  void empty_line(std::string_view after);

 private:
  std::string_view rest_;
  std::size_t offset_ = 0;  // of the line that was taken last
  std::size_t next_ = 0;    // of the next line
  std::size_t line_ = 0, total_ = 0;
  LineEnds ends_;
  std::optional<Error> error_;
};

}  // namespace marrow::behavior
