// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/ops/convert.h"
#include "marrow/ops/retarget.h"

namespace marrow {

struct RetargetFileOptions {
  std::span<const std::byte> from = {};  ///< bytes of the skeleton that the clip is for
  std::span<const std::byte> to = {};    ///< bytes of the skeleton that it shall move
  std::string_view map = {};             ///< text of a map file, laid over what is found by itself
  OutputFormat format = OutputFormat::Same;
  std::string game = {};  ///< what to write for; empty: the game of the target skeleton
  std::string name = {};  ///< of the clip where the format names them
  Limits limits = {};
};

struct RetargetedFile {
  std::vector<std::byte> bytes;
  OutputFormat format = OutputFormat::Hkx;
  Skeleton from, to;
  BoneMap map;
  RetargetReport report;
  Notes notes;
};

/// `retarget` from file to file. A file with several clips gives one with several in glTF; a .hkx takes one.
Result<RetargetedFile> retarget_file(std::span<const std::byte> bytes, const RetargetFileOptions& options);

}  // namespace marrow
