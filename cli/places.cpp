// SPDX-License-Identifier: MIT
#include "places.h"

#include <algorithm>
#include <iterator>

#include "core/path.h"

namespace marrow::cli {
namespace fs = std::filesystem;

bool is_inside(const fs::path& place, const fs::path& folder) {
  const auto [end, unused] = std::ranges::mismatch(folder, place);
  return end == folder.end() || (end->empty() && std::next(end) == folder.end());  // `out/`
}

fs::path backup_of(const fs::path& path) {
  fs::path backup = path;
  return backup += ".bak";
}

void Places::read(const fs::path& path, Owner owner) { read_.try_emplace(fs::hash_value(place_of(path)), owner); }

std::optional<Places::Owner> Places::write(const fs::path& path, Owner owner) {
  const std::size_t place = fs::hash_value(place_of(path));
  if (const auto found = read_.find(place); found != read_.end()) return found->second;
  const auto [found, is_new] = written_.try_emplace(place, owner);
  return is_new || found->second == owner ? std::nullopt : std::optional(found->second);
}

void FoundFiles::add(const fs::path& path) {
  const std::size_t place = fs::hash_value(place_of(path));
  const std::scoped_lock lock(mutex_);
  places_.insert(place);
}

bool FoundFiles::has(const fs::path& path) const {
  const std::size_t place = fs::hash_value(place_of(path));
  const std::scoped_lock lock(mutex_);
  return places_.contains(place);
}

}  // namespace marrow::cli
