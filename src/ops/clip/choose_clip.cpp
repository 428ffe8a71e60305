// SPDX-License-Identifier: MIT
#include "ops/clip/choose_clip.h"

#include <algorithm>

#include "core/nearest.h"
#include "core/try.h"
#include "marrow/core/text.h"
#include "ops/clip/fit.h"

namespace marrow {

Result<void> choose_clip(Document& document, const std::string& name, Context& context) {
  if (name.empty()) {
    // A stack of an FBX file is a take, and the first is the one that was worked on.
    if (document.motion_source() && document.clips.size() > 1) {
      context.note("the file has " + std::to_string(document.clips.size()) +
                   " clips; the first is written. Name another one to get it");
      document.clips.resize(1);
    }
    return {};
  }
  std::string known;
  for (DocumentClip& clip : document.clips) {
    if (clip.name == name) {
      document.clips = {DocumentClip(std::move(clip))};
      return {};
    }
    known += (known.empty() ? "" : ", ") + clip.name;
  }
  if (const auto number = parse_uint(name); number && *number < document.clips.size()) {
    document.clips = {DocumentClip(std::move(document.clips[static_cast<std::size_t>(*number)]))};
    return {};
  }
  return fail(ErrorCode::NotFound, "there is no animation \"" + name + "\" in the file; there is " + known);
}

Result<std::vector<std::size_t>> chosen_clips(const Document& document, const std::string& name) {
  std::vector<std::size_t> all;
  if (document.clips.empty()) return fail(ErrorCode::NoClip, "the file contains no clip");
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < document.clips.size(); ++i) {
    names.push_back(document.clips[i].name);
    if (name.empty() || equal_ignoring_case(document.clips[i].name, name)) all.push_back(i);
  }
  if (!all.empty()) return all;
  if (const auto number = parse_uint(name)) {
    if (*number < document.clips.size()) return std::vector<std::size_t>{static_cast<std::size_t>(*number)};
    return fail(ErrorCode::NotFound,
                "there is no clip " + name + " of " + std::to_string(document.clips.size()) + ", counted from 0",
                kNoOffset, "clip");
  }
  return fail(ErrorCode::NotFound, "the file has no clip '" + name + "'" + did_you_mean(name, names), kNoOffset,
              "clip");
}

Result<void> fit_clips_to_format(Document& document, Format format, const std::string& clip, const Skeleton* skeleton,
                                 Context& context) {
  const bool is_scene = is_gltf(format);
  // A packfile is written over itself and keeps all its clips.
  if (!clip.empty() && !is_scene && !document.packfile() && document.clips.size() > 1) {
    MARROW_TRY(const std::vector<std::size_t> chosen, chosen_clips(document, clip));
    std::vector<DocumentClip> left;
    for (const std::size_t i : chosen) left.push_back(std::move(document.clips[i]));
    document.clips = std::move(left);
  }
  const bool lacks = std::ranges::any_of(document.clips, [](const DocumentClip& each) { return !each.skeleton; });
  if (!is_scene || !skeleton || !lacks) return {};
  const Skeleton kept = *skeleton;  // a copy: it may belong to the document, which changes
  attach_skeleton(document, {&kept}, context);
  return {};
}

}  // namespace marrow
