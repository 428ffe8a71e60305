// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "marrow/core/text.h"
#include "marrow/ops/simulate.h"
#include "verb.h"

namespace marrow::cli {

/// The format of a word of `--format`, else of the extension of the output; a UsageError where neither says one.
inline SimulationFormat simulation_format(const std::string& output, const std::optional<std::string>& word) {
  const std::string extension = word ? *word : to_lower(std::filesystem::path(output).extension().string());
  constexpr std::pair<std::string_view, SimulationFormat> kFormats[] = {{"csv", SimulationFormat::Csv},
                                                                        {"glb", SimulationFormat::Glb},
                                                                        {"gltf", SimulationFormat::Gltf},
                                                                        {"hkx", SimulationFormat::Hkx},
                                                                        {"xml", SimulationFormat::Xml}};
  for (const auto& [name, format] : kFormats)
    if (extension == name || extension == "." + std::string(name)) return format;
  throw UsageError("-o has to end in .csv, .glb, .gltf, .hkx or .xml, not '" + output + "'; or give --format");
}

}  // namespace marrow::cli
