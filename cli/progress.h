// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string_view>

namespace marrow::cli {

/// A bar on stderr while long work runs. Shows nothing where stderr is no terminal, or before the work has taken a
/// moment, and leaves nothing behind.
class Progress {
 public:
  Progress(std::size_t total, bool quiet, std::string_view unit = "files");
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// One more is done; may be called from any thread.
  void advance(std::size_t count = 1);

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
