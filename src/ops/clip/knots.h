// SPDX-License-Identifier: MIT
/// What a file stores of the motion of a track: keys and knots, for plots and for the curious.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

struct KnotsOptions {
  std::size_t clip = 0;                    ///< of a document that holds several
  std::optional<std::int64_t> track = {};  ///< only this one
};

/// A part of a track: `translation.x`, `rotation`, `scale.z`.
struct KnotsChannel {
  std::string name = {};
  std::string stored = {};         ///< `spline`, `constant`, `identity`
  std::int64_t degree = 0;         ///< of a spline
  std::vector<double> knots = {};  ///< frames of the clip, each once; empty if the value does not move
};
struct KnotsTrack {
  std::int64_t track = 0;
  std::vector<KnotsChannel> channels = {};
};
struct KnotsFloat {
  std::int64_t slot = 0;
  std::string stored = {};
  std::vector<double> knots = {};
};
struct KnotsReport {
  bool compressed = false;  ///< false: the file stores every frame
  std::int64_t frames = 0;
  std::vector<KnotsTrack> tracks = {};
  std::vector<KnotsFloat> floats = {};
};

void describe(FieldList& fields, KnotsOptions& options);
void describe(FieldList& fields, KnotsChannel& channel);
void describe(FieldList& fields, KnotsTrack& track);
void describe(FieldList& fields, KnotsFloat& track);
void describe(FieldList& fields, KnotsReport& report);

/// Returns the knots that a clip stores. A clip that stores every frame has none. Needs `Parts::Clips`. Fails with
/// `NoClip`, or `InvalidArgument` if there is no such track.
Result<KnotsReport> list_knots(const Document& document, const KnotsOptions& options, Context& context);

}  // namespace marrow
