// SPDX-License-Identifier: MIT
#include "behavior/animation_guess.h"

#include "behavior/names.h"
#include "core/nearest.h"

namespace marrow::behavior {
namespace {

/// The list of the human characters has 1,700 names: enough for sixty wrong clips.
constexpr std::size_t kMostCompared = 100'000;

std::string stem_of_animation(std::string_view name) {
  const std::string key = animation_key(name);
  const std::size_t start = key.find_last_of('/') + 1;
  return key.substr(start, key.find_last_of('.') < start ? std::string::npos : key.find_last_of('.') - start);
}

std::string without_digits(std::string_view text) {
  std::string rest(text);
  std::erase_if(rest, [](char c) { return c >= '0' && c <= '9'; });
  return rest;
}

}  // namespace

AnimationGuess::AnimationGuess(const std::vector<std::string>& listed) : listed_(listed), left_(kMostCompared) {
  for (std::size_t i = 0; i < listed.size(); ++i) {
    stems_.push_back(stem_of_animation(listed[i]));
    by_stem_.emplace(stems_.back(), i);
  }
}

std::string_view AnimationGuess::find(std::string_view name) {
  const std::string stem = stem_of_animation(name);
  if (const auto same = by_stem_.find(stem); same != by_stem_.end()) return listed_[same->second];
  if (stems_.size() > left_) return {};
  left_ -= stems_.size();
  const std::string_view nearest = nearest_name(stem, std::vector<std::string_view>(stems_.begin(), stems_.end()));
  if (nearest.empty() || without_digits(nearest) == without_digits(stem)) return {};
  return listed_[by_stem_.at(std::string(nearest))];
}

}  // namespace marrow::behavior
