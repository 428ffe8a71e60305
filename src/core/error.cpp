// SPDX-License-Identifier: MIT
#include "marrow/core/error.h"

#include <utility>

namespace marrow {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::Io: return "io";
    case ErrorCode::Truncated: return "truncated";
    case ErrorCode::BadMagic: return "bad-magic";
    case ErrorCode::Unsupported: return "unsupported";
    case ErrorCode::Malformed: return "malformed";
    case ErrorCode::LimitExceeded: return "limit-exceeded";
    case ErrorCode::InvalidArgument: return "invalid-argument";
    case ErrorCode::NotFound: return "not-found";
    case ErrorCode::Unrepresentable: return "unrepresentable";
    case ErrorCode::BadOption: return "bad-option";
    case ErrorCode::NeedsSkeleton: return "needs-skeleton";
    case ErrorCode::NeedsGame: return "needs-game";
    case ErrorCode::NeedsChoice: return "needs-choice";
    case ErrorCode::NoClip: return "no-clip";
    case ErrorCode::NoSkeleton: return "no-skeleton";
    case ErrorCode::NoCollision: return "no-collision";
    case ErrorCode::WrongKind: return "wrong-kind";
    case ErrorCode::WrongGame: return "wrong-game";
    case ErrorCode::WrongSkeleton: return "wrong-skeleton";
    case ErrorCode::Cancelled: return "cancelled";
  }
  return "unknown";
}

std::unexpected<Error> fail(ErrorCode code, std::string message, std::uint64_t offset, std::string path) {
  return std::unexpected(Error{code, std::move(message), offset, std::move(path)});
}

std::unexpected<Error> fail(ErrorCode code, std::string message, Cure cure, std::string path) {
  return std::unexpected(Error{code, std::move(message), kNoOffset, std::move(path), {}, std::move(cure)});
}

std::unexpected<Error> in_file(Error error, const std::string& file) {
  if (error.file.empty()) error.file = file;
  return std::unexpected(std::move(error));
}

std::string kind_of_message(std::string_view message) {
  constexpr std::size_t kLongest = 200;
  std::string kind;
  bool is_quoted = false;
  for (const char c : message.substr(0, kLongest)) {
    if (c == '"') is_quoted = !is_quoted;
    const bool is_number = (c >= '0' && c <= '9') || c == '.' || c == '-';
    if (!is_quoted && !is_number) kind += c;
  }
  return kind;
}

std::string kind_of(const Note& note) { return kind_of_message(note.message); }

std::size_t text_size_of(const Note& note) {
  return sizeof(Note) + note.message.size() + note.path.size() + note.file.size();
}

Note shortened(const Note& note) {
  constexpr std::size_t kLongest = 300;
  return {note.message.substr(0, kLongest), note.offset, {}, note.file};
}

Note remark_on(const Note& note, std::size_t count) {
  return {std::to_string(count) + " more like this are not listed: " + note.message, kNoOffset, {}, note.file};
}

std::string describe(const Error& error) {
  std::string text;
  if (error.offset != kNoOffset) text += std::to_string(error.offset) + ": ";
  if (!error.path.empty()) text += error.path + ": ";
  return text + error.message;
}

}  // namespace marrow
