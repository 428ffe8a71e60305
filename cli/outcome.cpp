// SPDX-License-Identifier: MIT
#include "outcome.h"

#include <algorithm>

#include "marrow/core/text.h"
#include "ops/table/words.h"

#include "cure.h"

namespace marrow::cli {
namespace {

constexpr std::size_t kLongestLine = 500;

// Words an operation that helps.
std::string advice(const std::optional<Cure>& cure) {
  const std::string command = cure ? cure_command(to_json(*cure)) : std::string();
  return command.empty() ? command : "run `" + command + "`";
}

bool has_option(const OperationInfo& info, std::string_view name) {
  return std::ranges::find(info.options, name, &FieldInfo::name) != info.options.end();
}

bool has_input(const OperationInfo& info, std::string_view role) {
  return std::ranges::find(info.inputs, role, &InputInfo::role) != info.inputs.end();
}

// How each kind of mistake is cured on a command line.
std::string cure_of(const Error& error, const OperationInfo& info) {
  if (error.cure) return advice(error.cure);
  switch (error.code) {
    case ErrorCode::NeedsSkeleton:
      if (has_input(info, "skeleton")) return "give it with --skeleton FILE";
      return "put it beside the clip as skeleton.hkx, or write .hkx first and convert that with --skeleton FILE";
    case ErrorCode::NeedsGame:
      if (info.name == "convert") return "give --to GAME";
      return has_option(info, "game") ? "give --game GAME, or write .glb"
                                      : "make it a file of the game first, with convert --to GAME, or write .glb";
    case ErrorCode::NeedsChoice:
      if (info.name == "simulate" || info.name == "rig apply") return "name it with --bone";
      return error.path == "block" ? "say which with --block N"
                                   : "choose with --clip, or write all with --format hkx -o FOLDER/";
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

}  // namespace

std::string escaped(std::string_view text, bool keep_lines) { return printable(text, keep_lines); }

Json escaped_report(const Json& report) {
  if (report.is_text()) return escaped(report.text());
  if (report.is_array()) {
    Json list = Json::array();
    for (const Json& item : report.items()) list.push(escaped_report(item));
    return list;
  }
  if (!report.is_object()) return report;
  Json::Object members;
  for (const auto& [name, value] : report.members()) members.emplace_back(escaped(name), escaped_report(value));
  return Json(std::move(members));
}

std::string error_line(const Error& error, const OperationInfo& info) {
  const bool is_option = has_option(info, error.path) || std::ranges::any_of(info.inputs, [&](const InputInfo& input) {
                           return !input.is_positional && input.role == error.path;
                         });
  if (error.path.empty() || !is_option) return line_of(error, cure_of(error, info));
  // Options are called what people typed.
  Error worded = error;
  worded.path = "--" + spelled(error.path);
  return line_of(worded, cure_of(error, info));
}

NoteLine note_line(const Note& note, const std::string& file) {
  return {line_of({ErrorCode::Malformed, note.message, note.offset, note.path, note.file.empty() ? file : note.file},
                  advice(note.cure)),
          kind_of_message(note.message)};
}

}  // namespace marrow::cli
