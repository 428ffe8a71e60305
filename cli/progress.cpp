// SPDX-License-Identifier: MIT
#include "progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "host.h"

namespace marrow::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBeforeFirst = std::chrono::milliseconds(400);
constexpr auto kBetween = std::chrono::milliseconds(80);
constexpr std::size_t kWidth = 32;

}  // namespace

Progress::Progress(std::size_t total, bool quiet, std::string_view unit)
    : total_(total),
      unit_(unit),
      visible_(!quiet && total > 1 && stderr_is_terminal()),
      start_(Clock::now()),
      last_(start_) {}

Progress::~Progress() { pause(); }

void Progress::pause() {
  const std::scoped_lock lock(mutex_);
  if (std::exchange(drawn_, false)) fmt::print(stderr, "\r\033[K");
}

void Progress::advance(std::size_t count) {
  if (!visible_) return;
  const std::scoped_lock lock(mutex_);
  done_ += count;
  const auto now = Clock::now();
  if (now - start_ < kBeforeFirst || (now - last_ < kBetween && done_ != total_)) return;
  last_ = now;
  draw();
}

void Progress::reach(double share) {
  const auto reached = static_cast<std::size_t>(share * static_cast<double>(total_));
  if (reached > done_) advance(reached - done_);
}

void Progress::draw() {
  drawn_ = true;
  const std::size_t filled = total_ == 0 ? kWidth : done_ * kWidth / total_;
  std::string bar;
  for (std::size_t i = 0; i < kWidth; ++i) bar += i < filled ? "█" : "░";
  if (unit_.empty()) {
    fmt::print(stderr, "\r{} {} %\033[K", bar, total_ == 0 ? 100 : 100 * done_ / total_);
  } else {
    const double seconds = std::chrono::duration<double>(last_ - start_).count();
    const double rate = static_cast<double>(done_) / std::max(seconds, 1e-3);
    const auto left = static_cast<long long>(static_cast<double>(total_ - done_) / std::max(rate, 1e-9));
    fmt::print(stderr, "\r{} {}/{} {}, {:.0f} per second, {}:{:02} left\033[K", bar, done_, total_, unit_, rate,
               left / 60, left % 60);
  }
  std::fflush(stderr);
}

}  // namespace marrow::cli
