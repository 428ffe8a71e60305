// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/model/game.h"

namespace marrow::archive {

/// A file to be packed. Its bytes are asked for once, when its turn comes.
struct PackFile {
  std::string path;  ///< in the archive, in UTF-8, `/` or `\` between folders; stored in Windows-1252 if that can
  std::function<Result<std::vector<std::byte>>()> read;
  std::uint64_t size = 0;  ///< of what `read` returns, so that memory is taken once; 0: not known
};

struct PackOptions {
  Game game = Game::SkyrimSe;  ///< Skyrim LE and SE get a BSA, Fallout 4 a BA2
  bool compress = false;       ///< pack each file that becomes smaller
  bool embed_names = false;    ///< BSA: write the path before the data of each file, as archives of textures have it
  bool textures_as_files = false;  ///< BA2: take .dds files too; they do not become an archive of textures
  std::uint32_t hints = 0;         ///< BSA: further bits of its flags, which change nothing of how it is read
};

/// Returns an archive of these files: the same bytes on every machine, in whatever order they are given. Fails with
/// `Unrepresentable` for a name or a size that the game cannot read, and if two names have one hash.
Result<std::vector<std::byte>> pack_archive(std::span<const PackFile> files, const PackOptions& options);

}  // namespace marrow::archive
