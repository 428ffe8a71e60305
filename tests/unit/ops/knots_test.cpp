// SPDX-License-Identifier: MIT
#include "ops/clip/knots.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "ops/table/operation.h"
#include "support/documents.h"

using namespace marrow;

namespace {

/// A clip over two blocks of splines, as a file.
Document compressed_clip(std::int32_t frames) {
  const test::Bytes plain = test::saved(test::clip_document(3, frames));
  const std::vector<OperationInput> inputs = {{.role = "clip", .bytes = plain}};
  const Json options = Json::object();
  Context context;
  OperationCall call{.options = options, .inputs = inputs, .context = context};
  return test::loaded(run_operation("compress", call).value().files.at(0).bytes);
}

KnotsReport knots_of(const Document& document, const KnotsOptions& options = {}) {
  Context context;
  return list_knots(document, options, context).value();
}

}  // namespace

TEST_CASE("knots of a clip go up, from its first frame to its last, over the borders of blocks") {
  const KnotsReport report = knots_of(compressed_clip(300));
  CHECK(report.compressed);
  CHECK(report.frames == 300);
  REQUIRE(report.tracks.size() == 3);
  std::size_t splines = 0;
  for (const KnotsTrack& track : report.tracks) {
    CHECK(track.channels.size() == 7);
    for (const KnotsChannel& channel : track.channels) {
      CAPTURE(channel.name);
      CHECK((channel.stored == "spline") == !channel.knots.empty());
      if (channel.knots.empty()) continue;
      ++splines;
      CHECK(std::ranges::is_sorted(channel.knots, std::less_equal<>()));
      CHECK(channel.knots.front() == 0.0);
      CHECK(channel.knots.back() == 299.0);
      CHECK(channel.degree >= 1);
    }
  }
  CHECK(splines > 0);
}

TEST_CASE("one track can be asked for, and one that is not there is an error") {
  const Document clip = compressed_clip(31);
  const KnotsReport report = knots_of(clip, {.track = 1});
  REQUIRE(report.tracks.size() == 1);
  CHECK(report.tracks[0].track == 1);
  Context context;
  CHECK(list_knots(clip, {.track = 3}, context).error().code == ErrorCode::InvalidArgument);
  CHECK(list_knots(test::skeleton_document_of(3), {}, context).error().code == ErrorCode::NoClip);
}

TEST_CASE("a clip that stores every frame has no knots") {
  const KnotsReport report = knots_of(test::loaded(test::saved(test::clip_document(3, 31))));
  CHECK_FALSE(report.compressed);
  CHECK(report.tracks.empty());
}
