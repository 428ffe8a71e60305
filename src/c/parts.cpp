// SPDX-License-Identifier: MIT
#include "c/parts.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "c/convert.h"
#include "core/try.h"

namespace marrow::c {
namespace {

struct Part {
  Parts part;
  std::string_view name;
};
constexpr std::array kParts = {Part{Parts::Skeletons, "skeletons"}, Part{Parts::Clips, "clips"},
                               Part{Parts::Collision, "collision"}, Part{Parts::Meshes, "meshes"},
                               Part{Parts::Bodies, "bodies"},       Part{Parts::Shapes, "shapes"}};

const DocumentObject::Damage* damage_of(const DocumentObject& object, Parts part) {
  const auto found = std::ranges::find(object.damaged, part, &DocumentObject::Damage::part);
  return found == object.damaged.end() ? nullptr : &*found;
}

// Reads one part. What is wrong with it is found once and kept.
Result<void> read_part(DocumentObject& object, const Part& part) {
  if (has_parts(object.document, part.part)) return {};
  if (const auto* known = damage_of(object, part.part)) return std::unexpected(known->error);
  Context context{.limits = object.limits};
  auto done = read_parts(object.document, part.part, context);
  if (!done) {
    Error error = std::move(done).error();
    context.note("the " + std::string(part.name) + " cannot be read: " + describe(error));
    object.damaged.push_back({part.part, std::move(error)});
  }
  for (const Note& note : context.notes)
    if (std::ranges::find(object.notes, note) == object.notes.end()) object.notes.push_back(note);
  object.notes_text = json_of(object.notes);
  if (const auto* found = damage_of(object, part.part)) return std::unexpected(found->error);
  return {};
}

Result<void> read_all_of(DocumentObject& object, Parts parts) {
  for (const Part& each : kParts)
    if (marrow::has(parts, each.part)) MARROW_CHECK(read_part(object, each));
  return {};
}

bool is_settled(const DocumentObject& object) {
  return std::ranges::all_of(
      kParts, [&](const Part& each) { return has_parts(object.document, each.part) || damage_of(object, each.part); });
}

}  // namespace

Outcome<Writing<DocumentObject>> writing_with(marrow_document document, Parts parts) {
  MARROW_TRY(auto to, writing<DocumentObject>(document));
  MARROW_CHECK(read_all_of(*to, parts));
  return to;
}

// Calls that only look share the lock; the first that needs a part holds the document alone while it is read.
Outcome<Reading<DocumentObject>> reading_with(marrow_document document, Parts parts) {
  for (;;) {
    {
      MARROW_TRY(auto from, reading<DocumentObject>(document));
      if (has_parts(from->document, parts)) return from;
    }
    MARROW_CHECK(writing_with(document, parts));
  }
}

Outcome<Reading<DocumentObject>> with_clip(marrow_document document, std::uint32_t clip, Parts parts) {
  MARROW_TRY(auto from, reading_with(document, parts));
  MARROW_CHECK(in_range(clip, from->document.clips.size(), "clip"));
  return from;
}

Outcome<Reading<DocumentObject>> reading_with_all(marrow_document document) {
  for (;;) {
    {
      MARROW_TRY(auto from, reading<DocumentObject>(document));
      if (is_settled(*from)) return from;
    }
    MARROW_TRY(const auto to, writing<DocumentObject>(document));
    for (const Part& each : kParts) (void)read_part(*to, each);
  }
}

}  // namespace marrow::c
