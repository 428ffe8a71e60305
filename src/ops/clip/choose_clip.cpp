// SPDX-License-Identifier: MIT
#include "ops/clip/choose_clip.h"

#include "marrow/core/text.h"

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

}  // namespace marrow
