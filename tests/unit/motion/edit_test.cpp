// SPDX-License-Identifier: MIT
// Paths, times and weights of edited clips.
#include <doctest/doctest.h>

#include "motion/edit/blend.h"
#include "motion/edit/root_path.h"
#include "motion/edit/splice_clip.h"
#include "motion/edit/time_warp.h"
#include "support/clips.h"

using namespace marrow;

namespace {

void check_sample(const Vec4& sample, const Vec4& wanted) {
  for (int axis = 0; axis < 4; ++axis) CHECK(sample[axis] == doctest::Approx(wanted[axis]).epsilon(1e-5));
}

RootMotion bent_path() {
  return {.samples = {Vec4(0, 0, 0, 0), Vec4(1, 2, 0, 0.5f), Vec4(2, 5, 0, 1), Vec4(2, 9, 1, 1.2f)}};
}

}  // namespace

TEST_CASE("a part of a path is seen from its first sample") {
  const RootMotion part = motion::path_part(bent_path(), 1, 3);
  REQUIRE(part.samples.size() == 3);
  check_sample(part.samples[1], Vec4(2.315859f, 2.153322f, 0, 0.5f));
  check_sample(part.samples[2], Vec4(4.233561f, 5.663652f, 1, 0.7f));
  const RootMotion back = motion::path_part(bent_path(), 3, 0);
  check_sample(back.samples[1], Vec4(-3.728156f, -1.449431f, -1, -0.2f));
  check_sample(back.samples[3], Vec4(-9.113067f, -1.397142f, -1, -1.2f));
}

TEST_CASE("parts of a path that are put together are the path") {
  RootMotion joined = motion::path_part(bent_path(), 0, 1);
  motion::append_path(joined, motion::path_part(bent_path(), 1, 3));
  REQUIRE(joined.samples.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) check_sample(joined.samples[i], bent_path().samples[i]);
}

TEST_CASE("a time warp goes through its points and never back") {
  const motion::MonotoneCurve warp({{0, 0}, {0.3, 0.5}, {0.6, 0.7}, {1, 1}});
  CHECK(warp(0.15) == doctest::Approx(0.276786).epsilon(1e-5));
  CHECK(warp(0.45) == doctest::Approx(0.609244).epsilon(1e-5));
  CHECK(warp(0.8) == doctest::Approx(0.847794).epsilon(1e-5));
  CHECK(warp(0.3) == doctest::Approx(0.5));
}

TEST_CASE("a weight eases in and out") {
  CHECK(motion::ease(0.25) == doctest::Approx(0.103516).epsilon(1e-5));
  CHECK(motion::ease(0.5) == doctest::Approx(0.5));
  CHECK(motion::ease(0.75) == doctest::Approx(0.896484).epsilon(1e-5));
}

TEST_CASE("an event at a cut is in both parts, and once in their join") {
  Clip clip = test::waving_clip(2, 31);
  const double step = motion::frame_seconds_of(clip);
  clip.annotation_tracks.assign(1, {});
  clip.annotation_tracks[0].annotations = {{static_cast<float>(10 * step), "Cut"},
                                           {static_cast<float>(20 * step), "Late"}};
  const std::vector<motion::ClipPart> head = {{&clip, 0, 10}}, tail = {{&clip, 10, 30}};
  const Clip left = motion::splice_clips(head, step), right = motion::splice_clips(tail, step);
  CHECK(left.annotation_tracks[0].annotations.size() == 1);
  REQUIRE(right.annotation_tracks[0].annotations.size() == 2);
  CHECK(right.annotation_tracks[0].annotations[1].time_seconds == doctest::Approx(10 * step));
  const std::vector<motion::ClipPart> both = {{&left, 0, 10}, {&right, 0, 20}};
  const Clip joined = motion::splice_clips(both, step);
  CHECK(joined.frame_count == 31);
  REQUIRE(joined.annotation_tracks[0].annotations.size() == 2);
  CHECK(joined.annotation_tracks[0].annotations[0].time_seconds == doctest::Approx(10 * step));
  CHECK(joined.transforms == clip.transforms);
}
