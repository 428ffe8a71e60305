// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <expected>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace marrow {

/// What kind of thing went wrong; `to_string` gives the word used in messages and JSON.
enum class ErrorCode : std::uint8_t {
  Io,               ///< the operating system refused a read or a write
  Truncated,        ///< the bytes end before the structure they promise
  BadMagic,         ///< not the format that was asked for
  Unsupported,      ///< a known format, in a version or variant that is refused by name
  Malformed,        ///< the structure contradicts itself
  LimitExceeded,    ///< a count or size is past `Limits`
  InvalidArgument,  ///< the caller asked for something that cannot be
  NotFound,         ///< a name, block, bone or file that is not there
  Unrepresentable,  ///< the target format cannot hold the value
};

std::string_view to_string(ErrorCode code);

/// Offset of an error that is not tied to a byte.
inline constexpr std::uint64_t kNoOffset = std::numeric_limits<std::uint64_t>::max();

/// Why an operation failed, and where. The library never prints, throws or exits: it returns one of these.
struct Error {
  ErrorCode code = ErrorCode::Malformed;
  std::string message;               ///< one sentence, with the cure where there is one
  std::uint64_t offset = kNoOffset;  ///< byte in the input, or `kNoOffset`
  std::string path;                  ///< place in the structure, as `__data__.objects[12].annotationTracks[3]`

  bool operator==(const Error&) const = default;
};

template <class T>
using Result = std::expected<T, Error>;

/// `return fail(ErrorCode::Malformed, "...", offset);` from any function that returns a `Result`.
std::unexpected<Error> fail(ErrorCode code, std::string message, std::uint64_t offset = kNoOffset,
                            std::string path = {});

/// Something worth telling that did not stop the work.
struct Note {
  std::string message;
  std::uint64_t offset = kNoOffset;
  std::string path;

  bool operator==(const Note&) const = default;
};

using Notes = std::vector<Note>;

/// `offset: path: message`, leaving out what is not known. Callers put the file name in front.
std::string describe(const Error& error);

}  // namespace marrow
