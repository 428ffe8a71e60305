// SPDX-License-Identifier: MIT
// Options of every operation, as JSON and as words. Input: a byte that chooses the operation, then JSON, or words if it
// does not start with a brace. Options that pass the check are refused or used on a small clip, never a crash.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "limits.h"
#include "marrow/ops/document/load.h"
#include "ops/table/operation.h"
#include "ops/table/words.h"

using namespace marrow;

namespace {

// Two bones that move for three frames.
const std::vector<std::byte>& small_clip() {
  static const std::vector<std::byte> bytes = [] {
    Document document;
    Skeleton& skeleton = document.skeletons.emplace_back().skeleton;
    Clip& clip = document.clips.emplace_back().clip;
    for (const char* name : {"Root", "Tip"}) {
      Bone bone;
      bone.name = name;
      bone.parent = static_cast<std::int32_t>(skeleton.bones.size()) - 1;
      skeleton.bones.push_back(bone);
      clip.track_to_bone.push_back(static_cast<std::int16_t>(clip.track_count++));
    }
    clip.frame_count = 3;
    clip.duration_seconds = 0.1f;
    for (std::int32_t i = 0; i < clip.frame_count * clip.track_count; ++i) {
      Transform pose;
      pose.translation.x = static_cast<float>(i);
      clip.transforms.push_back(pose);
    }
    Context context;
    auto files = save(document, {.format = Format::Hkx, .game = Game::SkyrimSe}, context);
    return files && !files->empty() ? std::move(files->front().bytes) : std::vector<std::byte>{};
  }();
  return bytes;
}

// Simulations and fits take as long as their options say, which is no finding.
bool is_quick(const OperationInfo& info) {
  return info.name != "simulate" && info.name != "compress" && info.name != "view" &&
         !info.name.starts_with("collision");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const Operation& operation = operations()[data[0] % operations().size()];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  Json options;
  if (text.front() == '{') {
    auto json = parse_json(text);
    if (!json) return 0;
    options = std::move(*json);
  } else {
    const auto words = split_words(text);
    if (!words) return 0;
    auto parsed = parse_words(operation, *words);
    if (!parsed) return 0;
    options = std::move(parsed->options);
  }
  if (!operation.check_options(options) || !is_quick(operation.info)) return 0;
  Context context{.limits = {.max_expanded_bytes = fuzz::kMaxExpandedBytes}};
  std::vector<OperationInput> inputs;
  for (const InputInfo& input : operation.info.inputs)
    if (input.kind != InputKind::Text)
      inputs.push_back({.role = input.role, .name = "clip.hkx", .bytes = small_clip()});
  OperationCall call{.options = options, .inputs = inputs, .context = context};
  (void)operation.run(call);
  return 0;
}
