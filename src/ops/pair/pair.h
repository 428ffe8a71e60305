// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "marrow/ops/document/load.h"
#include "ops/pair/paired.h"
#include "ops/table/describe.h"

namespace marrow {

template <>
struct ChoiceWords<PairOrder> {
  static constexpr std::array<std::string_view, 2> words = {"npc-first", "second-first"};
};

struct PairJoinOptions {
  const Document* second = nullptr;  ///< the clip of the second actor
  Vec4 place{0.0f};                  ///< where the second actor stands: x, y, z in units, heading in degrees about Z
  bool hold = false;                 ///< the shorter clip holds its last pose
  const Document *skeleton = nullptr, *second_skeleton = nullptr;  ///< for names of bones, if the clips have none
  std::optional<Game> game = {};
  std::optional<PairOrder> order = {};  ///< of the tracks
  EncodingBound bound = {};             ///< of the motion that is encoded
};

struct PairSplitOptions {
  const Skeleton *skeleton = nullptr, *second_skeleton = nullptr;  ///< needed if tracks have no names
  std::optional<Game> game = {};
  std::optional<PairOrder> order = {};  ///< of the tracks
  EncodingBound bound = {};             ///< of the motion that is encoded
};

struct PairSwapOptions {
  const Skeleton *skeleton = nullptr, *second_skeleton = nullptr;  ///< needed if tracks have no names
  std::optional<Game> game = {};
  std::optional<PairOrder> order = {};  ///< of the tracks
  EncodingBound bound = {};             ///< of the motion that is encoded
};

struct PairReport {
  std::int32_t frames = 0;
  std::int32_t first_tracks = 0, second_tracks = 0;  ///< of each actor, without its place
  Vec4 place{0.0f};  ///< of the second actor as the first sees it in the first frame: x, y, z, heading in degrees
};

void describe(FieldList& fields, PairJoinOptions& options);
void describe(FieldList& fields, PairSplitOptions& options);
void describe(FieldList& fields, PairSwapOptions& options);
void describe(FieldList& fields, PairReport& report);

/// Makes one paired clip of two clips, the document's and `second`: `PairedRoot`, `NPC` with the first actor's bones,
/// `2_` with the second's; the second's first if no track of either clip has a name, or as `order` says. Root motion of
/// each clip moves the place of its actor. Codes of tracks are kept. Needs `Parts::Frames` of both. Fails if the clips
/// differ in length, unless `hold`.
Result<PairReport> pair_join(Document& document, const PairJoinOptions& options, Context& context);

/// Makes two clips of each paired clip of a document, `NAME_1` and `NAME_2`, each as the clip of one actor. A place
/// that moves becomes root motion; where the second actor stands is in the report. Needs `Parts::Frames`. Fails with
/// `WrongKind` if a clip is not paired, with `NeedsSkeleton` if nothing names its tracks.
Result<PairReport> pair_split(Document& document, const PairSplitOptions& options, Context& context);

/// Exchanges the actors of paired clips: the second becomes the first, and each stays where it stands. Doing it twice
/// gives the same file. Needs `Parts::Frames`. Fails as `pair_split` does.
Result<PairReport> pair_swap(Document& document, const PairSwapOptions& options, Context& context);

}  // namespace marrow
