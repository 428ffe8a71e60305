// SPDX-License-Identifier: MIT
// What is said about edits of motion.
#include <fmt/format.h>

#include "text_words.h"

namespace marrow::cli {
namespace {

std::string named(const ReportPlace& place, const Json& clip, std::size_t clips) {
  return clips > 1 ? fmt::format("{} ({})", arrow(place), clip["name"].text()) : arrow(place);
}

std::string seam_text(const Json& clip) {
  if (!clip.contains("seam")) return {};
  return fmt::format(", seam {:.2f} times the acceleration inside", clip["seam"]["factor"].number());
}

std::string edited_line(const Json& clip) {
  std::string text;
  if (clip["frames"].integer() != clip["frames_before"].integer())
    text += fmt::format("{} -> ", clip["frames_before"].integer());
  text += fmt::format("{} frames, {:.4g} s", clip["frames"].integer(), clip["duration_seconds"].number());
  if (clip.contains("from_frame"))
    text += fmt::format(", frames {} to {}", clip["from_frame"].integer(), clip["to_frame"].integer());
  if (clip["tracks"].integer() > 0) text += ", " + counted(clip["tracks"].integer(), "track", "tracks") + " changed";
  if (clip["rotation_error_degrees"].number() > 0 || clip["position_error"].number() > 0)
    text += fmt::format(", within {:.4f} deg {:.5f} units", clip["rotation_error_degrees"].number(),
                        clip["position_error"].number());
  // Blocks of the games' own clips do not meet by up to a tenth of a degree, which nobody has to know.
  constexpr double kSeenDegrees = 0.5, kSeenUnits = 0.1;
  if (clip["gap_degrees"].number() > kSeenDegrees || clip["gap_units"].number() > kSeenUnits)
    text +=
        fmt::format(", parts {:.3g} deg {:.3g} units apart", clip["gap_degrees"].number(), clip["gap_units"].number());
  return text + seam_text(clip);
}

std::string edit_text(const ReportPlace& place, const Json& report) {
  std::string text;
  for (const Json& clip : report["clips"].items())
    text += fmt::format("{}: {}\n", named(place, clip, report["clips"].size()), edited_line(clip));
  return text;
}

std::string loop_text(const ReportPlace& place, const Json& report) {
  std::string text;
  for (const Json& clip : report["clips"].items()) {
    text += fmt::format(
        "{}: {} frames, ends {:.3f} deg {:.3f} units apart -> {:.3f} deg {:.4f} units, speeds {:.2f} -> "
        "{:.2f} deg per frame; poses changed by up to {:.2f} deg",
        named(place, clip, report["clips"].size()), clip["frames"].integer(), clip["worst_degrees"].number(),
        clip["worst_units"].number(), clip["left_degrees"].number(), clip["left_units"].number(),
        clip["worst_spin"].number(), clip["left_spin"].number(), clip["pose_change_degrees"].number());
    text += seam_text(clip) + '\n';
    for (const Json& found : clip["places"].items())
      text += fmt::format("  frames {} to {}: {:.2f} units apart\n", found["from_frame"].integer(),
                          found["to_frame"].integer(), found["distance"].number());
    std::size_t listed = 0;
    for (const Json& gap : clip["gaps"].items()) {
      if (++listed > 5) break;
      text += fmt::format("  {}: {:.3f} deg, {:.3f} units\n", gap["track"].text(), gap["degrees"].number(),
                          gap["units"].number());
    }
    if (clip["gaps"].size() > 5) text += fmt::format("  and {} more bones\n", clip["gaps"].size() - 5);
  }
  return text;
}

std::string tracks_text(const ReportPlace& place, const Json& report) {
  std::string text;
  for (const Json& clip : report["clips"].items()) {
    text += fmt::format("{}: {} -> {} tracks", named(place, clip, report["clips"].size()),
                        clip["tracks_before"].integer(), clip["tracks"].integer());
    if (clip["filled"].size() > 0) text += fmt::format(", {} at rest", clip["filled"].size());
    text += "\n";
  }
  return text;
}

std::string pin_text(const ReportPlace& place, const Json& report) {
  std::string text;
  for (const Json& clip : report["clips"].items())
    text += fmt::format("{}: {} held within {:.4f} units, moved by up to {:.2f}, frames {} to {}\n",
                        named(place, clip, report["clips"].size()), clip["end"].text(), clip["worst"].number(),
                        clip["moved"].number(), clip["from_frame"].integer(), clip["to_frame"].integer());
  return text;
}

std::string feet_text(const ReportPlace& place, const Json& report) {
  std::string text;
  for (const Json& clip : report["clips"].items()) {
    std::int64_t locked = 0;
    for (const Json& contact : clip["contacts"].items()) locked += contact["state"].text() == "locked";
    text += fmt::format("{}: {}, {} locked", named(place, clip, report["clips"].size()),
                        counted(static_cast<std::int64_t>(clip["contacts"].size()), "contact", "contacts"), locked);
    if (locked > 0)
      text += fmt::format(", drift {:.2f} -> {:.3f} units, hips moved {:.2f} units, bones turned by up to {:.1f} deg",
                          clip["drift_before"].number(), clip["drift_after"].number(), clip["hips_moved"].number(),
                          clip["turned_degrees"].number());
    text += "\n";
    for (const Json& contact : clip["contacts"].items())
      text += fmt::format("  {} frames {} to {}: {:.3f} -> {:.3f} units, {}\n", contact["bone"].text(),
                          contact["from_frame"].integer(), contact["to_frame"].integer(),
                          contact["drift_before"].number(), contact["drift_after"].number(), contact["state"].text());
  }
  return text;
}

constexpr WordingRow kEditWordings[] = {
    {"clip trim", edit_text},    {"clip join", edit_text},   {"clip speed", edit_text},    {"clip resample", edit_text},
    {"clip reverse", edit_text}, {"clip repeat", edit_text}, {"clip loop", loop_text},     {"clip tracks", tracks_text},
    {"clip blend", edit_text},   {"clip layer", edit_text},  {"clip additive", edit_text}, {"clip apply", edit_text},
    {"clip offset", edit_text},  {"clip pose", edit_text},   {"clip set-pose", edit_text}, {"clip pin", pin_text},
    {"clip smooth", edit_text},  {"clip feet", feet_text},
};

}  // namespace

std::span<const WordingRow> edit_wordings() { return kEditWordings; }

}  // namespace marrow::cli
