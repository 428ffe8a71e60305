// SPDX-License-Identifier: MIT
#pragma once

#include "ops/clip/edit.h"

namespace marrow {

struct PickTracksOptions {
  std::vector<std::string> keep = {};  ///< patterns of bone names
  std::vector<std::string> drop = {};
  const Document* like = nullptr;      ///< a skeleton: a track for each of its bones, in its order
  const Skeleton* skeleton = nullptr;  ///< the one that the clips are for
  ClipEditOptions edit = {};
};

struct PickedTracks {
  std::string name = {};
  std::int32_t tracks_before = 0, tracks = 0;
  std::vector<std::string> dropped = {}, filled = {};  ///< bones without a track now, and bones at rest
};
struct PickTracksReport {
  std::vector<PickedTracks> clips = {};
};

void describe(FieldList& fields, PickTracksOptions& options);
void describe(FieldList& fields, PickedTracks& clip);
void describe(FieldList& fields, PickTracksReport& report);

/// Keeps some tracks of clips, or gives them the tracks of another skeleton. Values keep their codes. Events of tracks
/// that are dropped move to the first. Needs `Parts::Clips`. Fails with `BadOption` if no track would be left.
Result<PickTracksReport> pick_tracks(Document& document, const PickTracksOptions& options, Context& context);

}  // namespace marrow
