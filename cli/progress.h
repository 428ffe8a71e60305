// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string_view>

namespace marrow::cli {

/// A progress bar on stderr. Shows nothing if stderr is not a terminal or the work is short, and is erased at the end.
class Progress {
 public:
  Progress(std::size_t total, bool quiet, std::string_view unit = "files");
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Adds `count` finished items. May be called from any thread.
  void advance(std::size_t count = 1);
  /// Erases the bar, so that other text can be printed; the next advance draws it again.
  void pause();
  /// Sets the finished share of the work, 0 to 1.
  void reach(double share);

 private:
  void draw();

  std::mutex mutex_;
  std::size_t total_;
  std::size_t done_ = 0;
  std::string_view unit_;
  bool visible_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_, last_;
};

}  // namespace marrow::cli
