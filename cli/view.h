// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"

namespace marrow::cli {

inline constexpr std::string_view kView = "view";

/// A file inside a page.
struct ShownFile {
  std::string name;  ///< UTF-8, forward slashes
  std::vector<std::byte> bytes;
};

/// Returns the viewer's page with files inside it; empty if `page` is not the viewer's.
std::string page_with_files(std::string_view page, const std::vector<ShownFile>& files);

/// Returns where the viewer's page may be, best first.
std::vector<std::filesystem::path> viewer_page_places();

/// True if the viewer's page is where `run_view` looks for it.
bool has_viewer_page();

/// Writes the viewer's page with the files of a command inside it, and opens it if there is a display. Returns the exit
/// code. Throws a UsageError.
int run_view(const Command& command);

}  // namespace marrow::cli
