// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace marrow {

/// The formats that content can show. Names never decide.
enum class Format : std::uint8_t {
  Unknown,
  HavokPackfile,  ///< binary .hkx
  HavokXml,       ///< `hkpackfile` XML, whatever its extension
  HavokTagfile,   ///< TAG0: recognised, so that it can be refused by name
  Nif,
  AnvilXml,  ///< either dialect
  Glb,
  Gltf,
  Obj,
};

/// The word that `info` and `--format` use.
std::string_view to_string(Format format);

/// Looks at the first bytes; cheap, and never wrong about what it names, though the rest of the file may be broken.
Format detect(std::span<const std::byte> bytes);

/// Whether a file met in a folder is one of ours: by content, or an empty one with an extension of ours.
bool is_candidate(const std::filesystem::path& path);

}  // namespace marrow
