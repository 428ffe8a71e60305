// SPDX-License-Identifier: MIT
// What is said about archives.
#include <fmt/format.h>

#include "text_words.h"

namespace marrow::cli {
namespace {

std::string archive_list_text(const ReportPlace& place, const Json& report) {
  std::string text =
      fmt::format("{}: {} version {}, {}, {}\n", place.path, report["format"].text(), report["version"].integer(),
                  report["game"].text(), counted(report["files"].size(), "file", "files"));
  for (const Json& file : report["files"].items()) {
    text += fmt::format("  {:>10}  {:>10}  {}", file["size"].integer(),
                        file["compressed"].boolean() ? std::to_string(file["packed"].integer()) : "stored",
                        file["path"].text());
    if (const Json& texture = file["texture"]; texture.is_object())
      text += fmt::format("  {} x {}, {}", texture["width"].integer(), texture["height"].integer(),
                          counted(texture["mips"].integer(), "mip", "mips"));
    text += "\n";
  }
  return text;
}

std::string extracted_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: {}, {} bytes\n", arrow(place), counted(report["files"].integer(), "file", "files"),
                     report["bytes"].integer());
}

std::string packed_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: {} of {} bytes in {} bytes\n", place.output,
                     counted(report["files"].integer(), "file", "files"), report["unpacked"].integer(),
                     report["bytes"].integer());
}

constexpr WordingRow kArchiveWordings[] = {{"archive list", archive_list_text},
                                           {"archive extract", extracted_text},
                                           {"archive check", findings_text},
                                           {"archive pack", packed_text}};

}  // namespace

std::span<const WordingRow> archive_wordings() { return kArchiveWordings; }

}  // namespace marrow::cli
