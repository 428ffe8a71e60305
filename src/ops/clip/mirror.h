// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

struct MirrorOptions {
  const Document* skeleton = nullptr;         ///< by default the document's own, or the one near it
  const Document* second_skeleton = nullptr;  ///< of the second actor of paired clips; by default the first's
  std::optional<Game> game = {};              ///< to write for; by default the skeleton's
  EncodingBound bound = {};                   ///< of clips that have no curves to mirror
};

struct MirrorReport {
  std::size_t pairs = 0;                 ///< of bones, left and right
  std::size_t centred = 0;               ///< bones in the middle
  std::vector<std::string> unsure = {};  ///< bones whose counterpart is a guess
};

void describe(FieldList& fields, MirrorOptions& options);
void describe(FieldList& fields, MirrorReport& report);

/// Exchanges left and right of every clip of a document, which becomes one of the skeleton with its clips: by mirror
/// bones if the skeleton has them, else by names. Needs `Parts::Frames` and `Parts::Skeletons`. Fails with `NoClip` or
/// `NeedsSkeleton`.
Result<MirrorReport> mirror(Document& document, const MirrorOptions& options, Context& context);

}  // namespace marrow
