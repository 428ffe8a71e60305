// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "batch.h"
#include "marrow/ops/collision_nif.h"
#include "verb.h"

namespace marrow::cli {

// The parts of `marrow collision`, one file a group.
Verb collision_list_verb();
Verb collision_export_verb();
Verb collision_extract_verb();
Verb collision_replace_verb();
Verb collision_attach_verb();
Verb collision_set_verb();
Verb collision_build_verb();

/// The number given with --block; a UsageError where it is negative.
std::optional<std::int32_t> block_option(const Arguments& arguments);

/// What --motion, --material and --layer say; a UsageError where it is not known.
std::optional<MotionType> motion_option(const Arguments& arguments);
std::optional<std::uint32_t> material_option(const Arguments& arguments);
std::optional<std::uint8_t> layer_option(const Arguments& arguments);
std::optional<float> real_option(const Arguments& arguments, std::string_view name);

/// The number of a body; a UsageError where it is none.
std::uint64_t body_number(const std::string& text);

/// Files in, one file out.
struct OneFile {
  const Arguments& arguments;
  std::vector<std::vector<std::byte>> bytes;  ///< of each input
  Notes& notes;

  /// Writes what was made to `-o`, and gives the line that says so: the block goes into the first {}, OUT into the
  /// next.
  Result<std::string> write(const Result<CollisionOutput>& made, std::string_view message) const;
};

/// Reads the files that the positionals name, runs the work, prints notes, the error or the line that it gave, and
/// returns the exit code.
int run_one(const Arguments& arguments, const std::vector<std::string_view>& positionals,
            const std::function<Result<std::string>(const OneFile&)>& work);

}  // namespace marrow::cli
