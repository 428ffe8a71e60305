// SPDX-License-Identifier: MIT
#include "marrow/codec/scalar_range.h"

#include <doctest/doctest.h>

using namespace marrow::codec;

TEST_CASE("the ends of a range are exact") {
  const ScalarRange range{-3.7f, 12.1f};
  for (const auto encoding : {ScalarEncoding::Bits8, ScalarEncoding::Bits16}) {
    CHECK(decode_scalar(range, encoding, 0) == -3.7f);
    CHECK(decode_scalar(range, encoding, code_limit(encoding)) == 12.1f);
    CHECK(encode_scalar(range, encoding, -3.7f) == 0);
    CHECK(encode_scalar(range, encoding, 12.1f) == code_limit(encoding));
  }
}

TEST_CASE("values outside a range take its ends, and an empty range is never divided by") {
  CHECK(encode_scalar({0, 1}, ScalarEncoding::Bits8, 7.0f) == 255);
  CHECK(encode_scalar({0, 1}, ScalarEncoding::Bits8, -7.0f) == 0);
  CHECK(encode_scalar({2, 2}, ScalarEncoding::Bits16, 2.0f) == 0);
  CHECK(decode_scalar({2, 2}, ScalarEncoding::Bits16, 0) == 2.0f);
}

TEST_CASE("codes round to nearest") {
  CHECK(encode_scalar({0, 255}, ScalarEncoding::Bits8, 9.49f) == 9);
  CHECK(encode_scalar({0, 255}, ScalarEncoding::Bits8, 9.51f) == 10);
}

TEST_CASE("a range as wide as floats go is decoded without overflow") {
  CHECK(decode_scalar({-3e38f, 3e38f}, ScalarEncoding::Bits8, 255) == 3e38f);
}
