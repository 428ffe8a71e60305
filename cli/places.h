// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace marrow::cli {

/// True if a place is a folder or inside it. Both are results of `place_of`.
bool is_inside(const std::filesystem::path& place, const std::filesystem::path& folder);

/// Returns the name that the first backup of a file gets.
std::filesystem::path backup_of(const std::filesystem::path& path);

/// The places on disk that one run reads and writes. There may be a hundred thousand of them: a place is kept as a hash
/// of 64 bits, so that two different ones may, once in a thousand million runs, be refused as one.
class Places {
 public:
  /// What a place is used for.
  enum class Use : std::uint8_t {
    Input,      ///< read; `index` counts the inputs of the run
    SideInput,  ///< read beside the inputs
    Output,     ///< written for the input of that index
    Side,       ///< written beside the outputs, by an option
  };
  struct Owner {
    Use use;
    std::size_t index;
    bool operator==(const Owner&) const = default;
  };

  /// Adds a place that is read. Reading one twice is no conflict.
  void read(const std::filesystem::path& path, Owner owner);
  /// Adds a place that is written. Returns who has it already, unless that is the same owner.
  std::optional<Owner> write(const std::filesystem::path& path, Owner owner);

 private:
  std::unordered_map<std::size_t, Owner> read_, written_;
};

/// Files that no command names and that are read because an input needs them: its skeleton, its buffers, its textures.
/// Safe to use from several threads.
class FoundFiles {
 public:
  void add(const std::filesystem::path& path);
  bool has(const std::filesystem::path& path) const;

 private:
  mutable std::mutex mutex_;
  std::unordered_set<std::size_t> places_;
};

}  // namespace marrow::cli
