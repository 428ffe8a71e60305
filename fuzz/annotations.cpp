// SPDX-License-Identifier: MIT
// Annotation text: what is read goes into a clip, comes out as text, and that reads as the same events.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "ops/clip/annotations.h"

using namespace marrow;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const float durations[] = {2.0f, 1e30f};
  const auto events = parse_events(text, durations);
  if (!events) return 0;
  for (const Event& event : *events)
    if (!std::isfinite(event.time_seconds)) std::abort();
  Document document;
  for (const float duration : durations) {
    DocumentClip& clip = document.clips.emplace_back();
    clip.clip.duration_seconds = duration;
    clip.clip.track_count = 8;
  }
  Context context;
  if (!import_events(document, {.text = text}, context)) return 0;
  const auto once = export_events(document, {}, context);
  if (!once) std::abort();
  if (!import_events(document, {.text = once->annotations}, context)) std::abort();
  const auto twice = export_events(document, {}, context);
  if (!twice || twice->annotations != once->annotations) std::abort();
  return 0;
}
