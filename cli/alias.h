// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace marrow::cli {

/// A command in the words of another tool, and what it is here.
struct AliasRow {
  std::string_view typed, meant;
};
/// Returns all of them, for help.
std::span<const AliasRow> aliases();

/// Rewrites a command in the words of hkxpack, hkxc, hkxcmd or hkanno as one of Marrow's. Any other stays as it is.
/// `note` gets what people should know about the rewriting. Throws a UsageError.
std::vector<std::string> without_aliases(std::vector<std::string> words, std::string& note);

}  // namespace marrow::cli
