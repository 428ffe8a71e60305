// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "marrow/core/text.h"
#include "marrow/ops/simulate.h"
#include "verb.h"

namespace marrow::cli {

/// The format of a word of `--format` or of an extension (`.glb`), in any case; nothing where it is none.
inline std::optional<SimulationFormat> find_simulation_format(std::string_view word) {
  const std::string extension = to_lower(word.starts_with('.') ? word.substr(1) : word);
  constexpr std::pair<std::string_view, SimulationFormat> kFormats[] = {{"csv", SimulationFormat::Csv},
                                                                        {"glb", SimulationFormat::Glb},
                                                                        {"gltf", SimulationFormat::Gltf},
                                                                        {"hkx", SimulationFormat::Hkx},
                                                                        {"xml", SimulationFormat::Xml}};
  for (const auto& [name, format] : kFormats)
    if (extension == name) return format;
  return std::nullopt;
}

/// What one file is written as, by `--format` or else by the extension of the output; a UsageError where neither says.
inline SimulationFormat simulation_format(const std::string& output, const std::optional<std::string>& word) {
  const auto format = find_simulation_format(word ? *word : std::filesystem::path(output).extension().string());
  if (!format)
    throw UsageError("-o has to end in .csv, .glb, .gltf, .hkx or .xml, not '" + output + "'; or give --format");
  return *format;
}

/// What each of several is written as: they keep their formats, and what bears a name of its own becomes a .hkx.
inline SimulationFormat format_of_many(const std::filesystem::path& output, const std::optional<std::string>& word) {
  return find_simulation_format(word ? *word : output.extension().string()).value_or(SimulationFormat::Hkx);
}

}  // namespace marrow::cli
