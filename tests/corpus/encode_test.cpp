// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "havok/animation/animation.h"
#include "ops/clip/compress.h"
#include "support/corpus.h"
#include "support/documents.h"
#include "support/motion.h"

using namespace marrow;

namespace {

codec::SplineBlob blob_of(std::span<const std::byte> bytes) {
  const auto file = havok::read_packfile(bytes);
  REQUIRE(file.has_value());
  const auto ids = havok::find_animations(*file);
  REQUIRE(!ids.empty());
  const auto view = havok::spline_data(*file, ids.front());
  REQUIRE(view.has_value());
  auto blob = codec::read_spline_blob(*view);
  REQUIRE(blob.has_value());
  return std::move(*blob);
}

}  // namespace

TEST_CASE("the games' clips become smaller, none larger, and stay within the bound") {
  for (const codec::Effort effort : {codec::Effort::Fast, codec::Effort::Normal}) {
    std::size_t before = 0, after = 0;
    for (const auto& path : test::files_below(test::corpus(), ".hkx")) {
      const auto bytes = test::bytes_of(path);
      if (detect(bytes) != Format::Hkx) continue;
      Document document = test::loaded(bytes, Parts::Clips);
      if (document.clips.empty()) continue;
      Context context;
      const auto result = compress(document, {.effort = effort}, context);
      INFO(path.string());
      REQUIRE(result.has_value());
      const test::Bytes smaller = test::saved(document);
      CHECK(smaller.size() <= bytes.size());
      CHECK(result->clips.at(0).errors.channels_past_tolerance == 0);
      const codec::EncodeErrors decoded = test::decoded_difference(blob_of(smaller), blob_of(bytes));
      CHECK(decoded.rotation_degrees <= 0.05);
      CHECK(decoded.translation <= 0.01);
      CHECK(decoded.scale <= 0.0005);
      CHECK(decoded.value <= 0.0005);
      before += bytes.size();
      after += smaller.size();
    }
    MESSAGE("compressed again: " << after << " of " << before << " bytes");
    CHECK(static_cast<double>(after) <= 0.80 * static_cast<double>(before));
  }
}
