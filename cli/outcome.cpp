// SPDX-License-Identifier: MIT
#include "outcome.h"

#include <fmt/format.h>

namespace marrow::cli {
namespace {

constexpr std::size_t kLongestLine = 500;

// How each kind of mistake is cured on a command line.
std::string_view cure(const Error& error, const OperationInfo& info) {
  switch (error.code) {
    case ErrorCode::NeedsSkeleton: return "give it with --skeleton FILE";
    case ErrorCode::NeedsGame: return info.name == "convert" ? "give --to GAME" : "give --game GAME, or write .glb";
    case ErrorCode::NeedsChoice:
      if (info.name == "simulate" || info.name == "rig apply") return "name it with --bone";
      return error.path == "block" ? "say which with --block N" : "choose with --clip, or give a folder for all";
    default: return {};
  }
}

// Cuts the middle out of a line that nobody would read, between characters.
std::string shortened(std::string line) {
  if (line.size() <= kLongestLine) return line;
  constexpr std::string_view kDots = " ... ";
  const auto is_inside = [&](std::size_t at) { return (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80; };
  std::size_t head = kLongestLine / 2, tail = line.size() - (kLongestLine - head - kDots.size());
  while (head > 0 && is_inside(head)) --head;
  while (tail < line.size() && is_inside(tail)) ++tail;
  return line.substr(0, head) + std::string(kDots) + line.substr(tail);
}

std::string line_of(const Error& error, std::string_view how) {
  // Verbs without a file have no name to put in front.
  const std::string place = error.file.empty() ? "" : error.file + ":" + (error.offset == kNoOffset ? " " : "");
  std::string line = place + describe(error);
  if (!how.empty()) line += "; " + std::string(how);
  return shortened(escaped(line));
}

// The message without its numbers and quoted names.
std::string kind_of(std::string_view message) {
  std::string kind;
  bool is_quoted = false;
  for (const char c : message) {
    if (c == '"') is_quoted = !is_quoted;
    const bool is_number = (c >= '0' && c <= '9') || c == '.' || c == '-';
    if (!is_quoted && !is_number) kind += c;
  }
  return kind;
}

}  // namespace

std::string escaped(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte >= 0x20 && byte != 0x7F) || (keep_lines && (c == '\n' || c == '\t')))
      out += c;
    else
      out += fmt::format("\\x{:02x}", byte);
  }
  return out;
}

std::string error_line(const Error& error, const OperationInfo& info) { return line_of(error, cure(error, info)); }

NoteLine note_line(const Note& note, const std::string& file) {
  return {
      line_of({ErrorCode::Malformed, note.message, note.offset, note.path, note.file.empty() ? file : note.file}, {}),
      kind_of(note.message)};
}

}  // namespace marrow::cli
