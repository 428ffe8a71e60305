// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/marrow.h"
#include "marrow/ops/describe.h"

namespace marrow {

/// Events of clips as text, in the form that hkanno made common:
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

struct ListEventsOptions {};
struct ListEventsReport {
  std::vector<Event> annotations = {};  ///< in order of clip, track and place
};

struct ExportEventsReport {
  std::string annotations = {};  ///< the whole text

  SavedFile text() const;
};

struct ImportEventsOptions {
  std::string_view text = {};  ///< an error's offset is the line
  bool merge = false;          ///< adds them to the events that are there
};

struct AddEventOptions {
  double time = 0.0;  ///< seconds
  std::string text = {};
  std::int64_t track = 0;
};

/// Patterns are for the whole text of an event, in any case: `*` stands for any run of characters, `?` for any one.
struct RemoveEventsOptions {
  std::string match = {};
};
struct ReplaceEventsOptions {
  std::string match = {};
  std::string text = {};  ///< the new one
};

struct EditEventsReport {
  std::size_t events = 0;  ///< added, removed or replaced
};

void describe(FieldList& fields, Event& event);
void describe(FieldList& fields, ListEventsOptions& options);
void describe(FieldList& fields, ListEventsReport& report);
void describe(FieldList& fields, ExportEventsReport& report);
void describe(FieldList& fields, ImportEventsOptions& options);
void describe(FieldList& fields, AddEventOptions& options);
void describe(FieldList& fields, RemoveEventsOptions& options);
void describe(FieldList& fields, ReplaceEventsOptions& options);
void describe(FieldList& fields, EditEventsReport& report);

/// All of these need `Parts::Clips` and fail with `NoClip` if there is none.
Result<ListEventsReport> list_events(const Document& document, const ListEventsOptions& options, Context& context);
Result<ExportEventsReport> export_events(const Document& document, const ListEventsOptions& options, Context& context);
/// Makes the events those of a text. What the text says that the clip says already leaves it as it is.
Result<EditEventsReport> import_events(Document& document, const ImportEventsOptions& options, Context& context);
/// Adds an event to every clip, after those of its own time.
Result<EditEventsReport> add_event(Document& document, const AddEventOptions& options, Context& context);
Result<EditEventsReport> remove_events(Document& document, const RemoveEventsOptions& options, Context& context);
Result<EditEventsReport> replace_events(Document& document, const ReplaceEventsOptions& options, Context& context);

/// Reads the events of a text; an error's offset is the line.
Result<std::vector<Event>> parse_events(std::string_view text);

}  // namespace marrow
