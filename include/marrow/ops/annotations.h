// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow {

/// Events of a clip as text, in the form that hkanno made common:
///
///     # numOriginalFrames: 38
///     # duration: 1.2333333
///     # numAnnotationTracks: 99
///     # numAnnotations: 2
///     0.1 FootLeft
///     0.1 SoundPlay.FSTSprintLeft
///
/// Times round-trip. An event on another track than the first follows a line `# track: N`; one whose text has a line
/// break follows a line `# escaped`, and has it as `\n`; further clips of a file each start with a line `# clip: N`.

/// One event, with its place.
struct Event {
  std::size_t clip = 0;
  std::int64_t track = 0;
  float time_seconds = 0.0f;
  std::string text;

  bool operator==(const Event&) const = default;
};

/// Whether the bytes are a Havok file with an animation in it; also true of one that is broken, so that its error
/// shows.
bool holds_clip(std::span<const std::byte> file, const Limits& limits = {});

/// The events of every clip of a Havok file, in order of clip, track and place. Fails where it holds no clip.
Result<std::vector<Event>> list_events(std::span<const std::byte> file, const Limits& limits = {});
/// The whole text form.
Result<std::string> export_events(std::span<const std::byte> file, const Limits& limits = {});
/// Events of a text; an error's offset is the line.
Result<std::vector<Event>> parse_events(std::string_view text);

/// The edits. Each takes a Havok file (binary or XML) and gives it back with other events and nothing else changed:
/// what a text says that the file says already leaves its bytes as they are.
struct EventEdit {
  std::vector<std::byte> bytes;
  std::size_t changed = 0;  ///< events added, removed or replaced
  Notes notes;
};

/// Makes the events those of a text; with `merge` adds them to what is there.
Result<EventEdit> import_events(std::span<const std::byte> file, std::string_view text, bool merge = false,
                                const Limits& limits = {});
/// Adds events, each after those of its own time.
Result<EventEdit> add_events(std::span<const std::byte> file, std::span<const Event> events, const Limits& limits = {});
/// Removes the events that a pattern matches, or gives them another text. `*` stands for any run of characters and `?`
/// for any one; the case of letters does not count, and the pattern is for the whole text.
Result<EventEdit> remove_events(std::span<const std::byte> file, std::string_view pattern, const Limits& limits = {});
Result<EventEdit> replace_events(std::span<const std::byte> file, std::string_view pattern, std::string_view text,
                                 const Limits& limits = {});

}  // namespace marrow
