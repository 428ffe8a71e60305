// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

// Propagates the error of a `Result`, or binds its value:  MARROW_TRY(auto header, read_header(reader));
#define MARROW_CONCAT_INNER(a, b) a##b
#define MARROW_CONCAT(a, b) MARROW_CONCAT_INNER(a, b)
#define MARROW_TRY(binding, expression) MARROW_TRY_NAMED(binding, expression, MARROW_CONCAT(marrow_result_, __LINE__))
#define MARROW_TRY_NAMED(binding, expression, result)             \
  auto result = (expression);                                     \
  if (!result) return std::unexpected(std::move(result).error()); \
  binding = std::move(*result)

// The same for a `Result<void>`:  MARROW_CHECK(validate(skeleton));
#define MARROW_CHECK(expression)                                                                                  \
  do {                                                                                                            \
    if (auto marrow_check = (expression); !marrow_check) return std::unexpected(std::move(marrow_check).error()); \
  } while (false)
