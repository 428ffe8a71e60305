// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

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
/// Times round-trip. A time may also be a share of the clip, `25%`. An event on another track than the first follows a
/// line `# track: N`; one whose text has a line break follows a line `# escaped`, and has it as `\n`; further clips of
/// a file each start with a line `# clip: N`.

/// One event, with its place.
struct Event {
  std::size_t clip = 0;
  std::int64_t track = 0;
  float time_seconds = 0.0f;
  std::string text;

  bool operator==(const Event&) const = default;
};

/// Which events an operation is about: those that meet all of these. Patterns are for the whole text of an event, in
/// any case: `*` stands for any run of characters, `?` for any one.
struct EventSelection {
  std::string match = {};                 ///< empty: any text
  std::optional<double> since = {};       ///< seconds, inclusive
  std::optional<double> until = {};       ///< seconds, inclusive
  std::vector<std::int64_t> tracks = {};  ///< empty: all

  bool selects_all() const { return match.empty() && !since && !until && tracks.empty(); }
  bool selects(std::int64_t track, const Annotation& event) const;
};

struct ListEventsOptions {
  EventSelection selection = {};
};
struct ListEventsReport {
  std::vector<Event> annotations = {};  ///< in order of clip, track and place
};

struct ExportEventsReport {
  std::string annotations = {};  ///< the whole text

  SavedFile text() const;
};

struct ImportEventsOptions {
  std::string_view text = {};  ///< or that of a preset; an error's offset is the line
  bool merge = false;          ///< adds them to the events that are there
};

struct AddEventOptions {
  double time = 0.0;  ///< seconds
  std::string text = {};
  std::int64_t track = 0;
};

struct RemoveEventsOptions {
  EventSelection selection = {};  ///< must select something
};
struct ReplaceEventsOptions {
  EventSelection selection = {};  ///< must select something, unless a part is given
  std::string text = {};          ///< the new one
  std::string part = {};          ///< a pattern; only what it matches inside a text is replaced, as often as it occurs
};
struct ShiftEventsOptions {
  EventSelection selection = {};
  double by = 0.0;  ///< seconds
};
struct ScaleEventsOptions {
  EventSelection selection = {};
  double by = 1.0;  ///< a factor
};
struct SortEventsOptions {};
struct CopyEventsOptions {
  EventSelection selection = {};   ///< of the source's
  const Document* from = nullptr;  ///< a clip, or as many as the target has
  bool merge = false;              ///< adds them to the events that are there
  bool fit = false;                ///< scales times by the ratio of the durations
};

struct EditEventsReport {
  std::size_t events = 0;  ///< added, removed, replaced or moved
};

/// A text of events that comes with Marrow. Times are shares of the clip: places to start from.
struct EventPreset {
  std::string name = {};
  std::string summary = {};
  std::string text = {};
};
struct EventPresetsOptions {
  std::string match = "*";
};
struct EventPresetsReport {
  std::vector<EventPreset> presets = {};
};

void describe(FieldList& fields, Event& event);
void describe(FieldList& fields, ListEventsOptions& options);
void describe(FieldList& fields, ListEventsReport& report);
void describe(FieldList& fields, ExportEventsReport& report);
void describe(FieldList& fields, ImportEventsOptions& options);
void describe(FieldList& fields, AddEventOptions& options);
void describe(FieldList& fields, RemoveEventsOptions& options);
void describe(FieldList& fields, ReplaceEventsOptions& options);
void describe(FieldList& fields, ShiftEventsOptions& options);
void describe(FieldList& fields, ScaleEventsOptions& options);
void describe(FieldList& fields, SortEventsOptions& options);
void describe(FieldList& fields, CopyEventsOptions& options);
void describe(FieldList& fields, EditEventsReport& report);
void describe(FieldList& fields, EventPreset& preset);
void describe(FieldList& fields, EventPresetsOptions& options);
void describe(FieldList& fields, EventPresetsReport& report);

/// All of these need `Parts::Clips` and fail with `NoClip` if there is none.
Result<ListEventsReport> list_events(const Document& document, const ListEventsOptions& options, Context& context);
Result<ExportEventsReport> export_events(const Document& document, const ListEventsOptions& options, Context& context);
/// Makes the events those of a text. What the text says that the clip says already leaves it as it is. Fails with
/// `NotFound` if the text names a clip or a track that is not there.
Result<EditEventsReport> import_events(Document& document, const ImportEventsOptions& options, Context& context);
/// Adds an event to every clip, after those of its own time.
Result<EditEventsReport> add_event(Document& document, const AddEventOptions& options, Context& context);
Result<EditEventsReport> remove_events(Document& document, const RemoveEventsOptions& options, Context& context);
Result<EditEventsReport> replace_events(Document& document, const ReplaceEventsOptions& options, Context& context);

/// Move the times of events. A track that was sorted stays so. Notes events that are outside their clip then.
Result<EditEventsReport> shift_events(Document& document, const ShiftEventsOptions& options, Context& context);
Result<EditEventsReport> scale_events(Document& document, const ScaleEventsOptions& options, Context& context);
/// Sorts the events of every track by time; those of the same time keep their order.
Result<EditEventsReport> sort_events(Document& document, const SortEventsOptions& options, Context& context);
/// Makes the events those of another clip.
Result<EditEventsReport> copy_events(Document& document, const CopyEventsOptions& options, Context& context);

/// Returns the presets whose names match a pattern.
EventPresetsReport event_presets(const EventPresetsOptions& options);
/// Returns the text of a preset; empty if there is none of that name. The empty name gives all names.
std::string_view event_preset(std::string_view name);

/// Reads the events of a text; an error's offset is the line. `durations`, one per clip in seconds, are what times in
/// percent are shares of. Times must be finite.
Result<std::vector<Event>> parse_events(std::string_view text, std::span<const float> durations = {});

}  // namespace marrow
