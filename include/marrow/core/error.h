// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/bounded_list.h"
#include "marrow/core/cure.h"

namespace marrow {

/// What went wrong. `to_string` returns the word used in JSON. Each front end (command line, C, Python, page) words the
/// cure in its own terms.
enum class ErrorCode : std::uint8_t {
  Io,               ///< the operating system refused a read or a write
  Truncated,        ///< the data end before the structure does
  BadMagic,         ///< not the requested format
  Unsupported,      ///< a known format, but an unsupported version or variant
  Malformed,        ///< the structure contradicts itself
  LimitExceeded,    ///< a count or size exceeds `Limits`
  InvalidArgument,  ///< the caller asked for something impossible
  NotFound,         ///< a name, block, bone or file does not exist
  Unrepresentable,  ///< the target format cannot hold the value
  BadOption,        ///< the value of an option is invalid; `Error::path` names the option
  NeedsSkeleton,    ///< the skeleton of a clip is neither given nor found
  NeedsGame,        ///< the game to write for is not known
  NeedsChoice,      ///< there are several clips, blocks or bodies, and one must be named
  NoClip,           ///< the file holds no clip
  NoSkeleton,       ///< the file holds no skeleton
  NoCollision,      ///< the file holds no collision
  WrongKind,        ///< a format that the operation does not take or cannot write
  WrongGame,        ///< the game belongs to another family than the file
  WrongSkeleton,    ///< the skeleton is not the one that the clip was made for
  Cancelled,        ///< the caller asked to stop
};

std::string_view to_string(ErrorCode code);

/// Offset of an error that is not tied to a byte.
inline constexpr std::uint64_t kNoOffset = std::numeric_limits<std::uint64_t>::max();

/// Why an operation failed, and where. The library never prints, throws or exits: it returns one of these.
struct Error {
  ErrorCode code = ErrorCode::Malformed;
  std::string message;               ///< one sentence that states what is wrong
  std::uint64_t offset = kNoOffset;  ///< byte offset in the input, or `kNoOffset`
  std::string path = {};             ///< place in the structure, e.g. `__data__.objects[12].annotationTracks[3]`
  std::string file = {};             ///< name of the input, if the caller gave it one
  std::optional<Cure> cure = {};     ///< the operation that helps, if there is one

  bool operator==(const Error&) const = default;
};

template <class T>
using Result = std::expected<T, Error>;

/// `return fail(ErrorCode::Malformed, "...", offset);` from any function that returns a `Result`.
std::unexpected<Error> fail(ErrorCode code, std::string message, std::uint64_t offset = kNoOffset,
                            std::string path = {});
/// The same with the operation that helps.
std::unexpected<Error> fail(ErrorCode code, std::string message, Cure cure, std::string path = {});

/// Returns `error` with `file` as its input, unless it already names another.
std::unexpected<Error> in_file(Error error, const std::string& file);

/// Something worth reporting that did not stop the work.
struct Note {
  std::string message;
  std::uint64_t offset = kNoOffset;
  std::string path = {};
  std::string file = {};          ///< name of the input that it is about; empty: the main input
  std::optional<Cure> cure = {};  ///< the operation that helps, if there is one

  bool operator==(const Note&) const = default;
};

std::string kind_of(const Note& note);
std::size_t text_size_of(const Note& note);
/// Returns the note without a text that nobody would read to its end.
Note shortened(const Note& note);
/// Returns a note on `count` more like this one.
Note remark_on(const Note& note, std::size_t count);

/// Notes of a run. Only the first few hundred of a kind are kept.
using Notes = BoundedList<Note>;

/// Returns `offset: path: message`, without the unknown parts. Callers put the file name in front.
std::string describe(const Error& error);

}  // namespace marrow
