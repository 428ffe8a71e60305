// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow {

/// What `--format` takes.
enum class OutputFormat : std::uint8_t { Same, Hkx, Xml, Json, Glb, Gltf, Obj, AnvilStandard, AnvilSchema, Nif };

/// The word of the command line, and the extension (".hkx") that such files carry.
std::string_view to_string(OutputFormat format);
std::string_view extension_of(OutputFormat format);
std::optional<OutputFormat> find_output_format(std::string_view word);
/// The format that a file name's extension asks for; `Same` where it asks for none.
OutputFormat output_format_of(std::string_view extension);

/// Length units of glTF files.
enum class Units : std::uint8_t { Game, Metre, Blender };

struct ConvertOptions {
  OutputFormat format = OutputFormat::Same;
  std::string game = {};                     ///< `--to`, a word of the command line; empty keeps the input's
  std::span<const std::byte> skeleton = {};  ///< bytes of the file given with `--skeleton`; empty where there is none
  Units units = Units::Metre;
  bool show_bones = false;
  bool ragdoll = false;
  std::vector<std::string> names = {};  ///< more Anvil bone names (`--names`)
  std::string name = {};                ///< what a clip is called where it has no name of its own: the file's stem
  std::string clip = {};                ///< of several in one file, the one to write (`--clip`)
  std::filesystem::path folder = {};    ///< where the file lies: a .gltf may have its numbers beside it
  bool mend = false;                    ///< put right what can be without asking, for `check --fix`
  Limits limits = {};
};

struct Converted {
  std::vector<std::byte> bytes;
  OutputFormat format = OutputFormat::Same;  ///< what was written; never `Same`
  Notes notes;                               ///< what could not be carried over, and what was assumed
};

/// Reads a file of any format and writes it as another: bytes, model, bytes. An unchanged format goes through the
/// object tree and gives the game's own bytes.
Result<Converted> convert(std::span<const std::byte> bytes, const ConvertOptions& options = {});

/// The clips of a glTF file by name; none for other formats. What a .hkx can take is one of them.
Result<std::vector<std::string>> clip_names(std::span<const std::byte> bytes, const ConvertOptions& options = {});

/// A file to be merged; `name` is what its clip is called.
struct MergeInput {
  std::span<const std::byte> bytes;
  std::span<const std::byte> skeleton = {};  ///< as in `ConvertOptions`
  std::string name = {};
};
/// Several files as one glTF file: what moves the same skeleton becomes one rig. Fails with the first that cannot be
/// read.
Result<Converted> merge_to_gltf(std::span<const MergeInput> inputs, const ConvertOptions& options);

/// Whether `word` names a game of any family.
bool is_game(std::string_view word);

}  // namespace marrow
