// SPDX-License-Identifier: MIT
#include "c/failure.h"

#include "c/convert.h"
#include "ops/table/describe.h"

namespace marrow::c {
namespace {

// One row per code of the library, in its order.
constexpr marrow_status kStatus[] = {
    MARROW_IO,
    MARROW_TRUNCATED,
    MARROW_BAD_MAGIC,
    MARROW_UNSUPPORTED,
    MARROW_MALFORMED,
    MARROW_LIMIT_EXCEEDED,
    MARROW_INVALID_ARGUMENT,
    MARROW_NOT_FOUND,
    MARROW_UNREPRESENTABLE,
    MARROW_BAD_OPTION,
    MARROW_NEEDS_SKELETON,
    MARROW_NEEDS_GAME,
    MARROW_NEEDS_CHOICE,
    MARROW_NO_CLIP,
    MARROW_NO_SKELETON,
    MARROW_NO_COLLISION,
    MARROW_WRONG_KIND,
    MARROW_WRONG_GAME,
    MARROW_WRONG_SKELETON,
    MARROW_CANCELLED,
};
static_assert(std::size(kStatus) == static_cast<std::size_t>(ErrorCode::Cancelled) + 1, "a code has no status");

std::string_view name_of(const Failure& failure) {
  switch (failure.status) {
    case MARROW_OK: return "ok";
    case MARROW_BAD_HANDLE: return "bad-handle";
    case MARROW_BAD_ARGUMENT: return "bad-argument";
    case MARROW_OUT_OF_MEMORY: return "out-of-memory";
    case MARROW_INTERNAL: return "internal";
    default: break;
  }
  // By the code that is given out, so that both agree: a mistake of the caller may have one of the library's codes.
  for (std::size_t code = 0; code < std::size(kStatus); ++code)
    if (kStatus[code] == failure.status) return to_string(static_cast<ErrorCode>(code));
  return to_string(failure.error.code);
}

Failure& last() {
  thread_local Failure failure(MARROW_OK, "");
  return failure;
}

}  // namespace

Failure::Failure(Error from) : status(kStatus[static_cast<std::size_t>(from.code)]), error(std::move(from)) {}

marrow_status remember(Failure failure) noexcept {
  last() = std::move(failure);
  return last().status;
}

marrow_status remember_out_of_memory() noexcept {
  Failure& failure = last();
  failure.status = MARROW_OUT_OF_MEMORY;
  // Short enough for the storage inside a string: nothing is allocated here.
  failure.error.message = "out of memory";
  failure.error.path.clear();
  failure.error.file.clear();
  failure.error.offset = kNoOffset;
  failure.error.cure.reset();
  return MARROW_OUT_OF_MEMORY;
}

}  // namespace marrow::c

using namespace marrow::c;

marrow_status marrow_last_error(marrow_error* out) {
  const Failure& failure = last();
  if (out)
    *out = {.offset = failure.error.offset,
            .code = failure.status,
            .name = text_of(name_of(failure)),
            .message = text_of(failure.error.message),
            .path = text_of(failure.error.path),
            .file = text_of(failure.error.file)};
  return failure.status;
}

marrow_text marrow_last_cure(void) {
  thread_local std::string text;
  text.clear();
  (void)guarded([&]() -> Outcome<void> {
    if (const auto& cure = last().error.cure) text = to_text(to_json(*cure), false);
    return {};
  });
  return text_of(text);
}
