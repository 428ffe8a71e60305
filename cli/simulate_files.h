// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "marrow/ops/simulate.h"
#include "verb.h"

namespace marrow::cli {

/// The files of a run, kept while it lasts.
class SimulationInputs {
 public:
  /// Reads a file; one that is not there or empty fails, with its name as path.
  Result<NamedBytes> read(const std::string& path);
  /// A file, or the preset of that name where there is no such file.
  Result<NamedBytes> read_modifiers(const std::string& path);
  /// All that were asked for, whether they could be read or not.
  std::span<const std::string> names() const { return names_; }

 private:
  NamedBytes keep(const std::string& path, std::vector<std::byte> bytes);

  std::deque<std::vector<std::byte>> kept_;
  std::vector<std::string> names_;
};

/// Where a run comes from and goes to: over a clip of several, or over the one or none that there is.
struct SimulationJob {
  std::string clip;    ///< empty: the rest pose
  std::string output;  ///< empty: nothing is written, only explained
};

/// Skeletons, modifiers, shared data and clip. Fails where the output would replace one of them, but for the clip.
Result<void> read_inputs(const Arguments& arguments, const SimulationJob& job, SimulationInputs& inputs,
                         SimulateFileOptions& options);

/// Writes the modifiers of a run as a file to go on from, with the bones that were named in the place of `$bone`.
Result<void> save_modifiers(const Arguments& arguments, const std::string& path);

}  // namespace marrow::cli
