// SPDX-License-Identifier: MIT
#include "marrow/ops/document.h"

#include <algorithm>

#include "core/try.h"
#include "marrow/codec/compiled_clip.h"

namespace marrow {

const havok::Packfile* Document::packfile() const {
  const auto* havok = std::get_if<HavokOrigin>(&origin);
  return havok ? &havok->file : nullptr;
}

const NifFile* Document::nif() const {
  const auto* found = std::get_if<NifOrigin>(&origin);
  return found ? &found->nif : nullptr;
}

const anvil::Skeleton* Document::anvil() const {
  const auto* found = std::get_if<AnvilOrigin>(&origin);
  return found ? &found->skeleton : nullptr;
}

anvil::Skeleton* Document::anvil() {
  auto* found = std::get_if<AnvilOrigin>(&origin);
  return found ? &found->skeleton : nullptr;
}

Result<const DocumentSkeleton*> main_skeleton(const Document& document) {
  const auto found = std::ranges::find(document.skeletons, false, &DocumentSkeleton::is_ragdoll);
  if (found == document.skeletons.end())
    return in_file({ErrorCode::NoSkeleton, "the file contains no skeleton"}, document.name);
  return &*found;
}

Result<void> decode_frames(DocumentClip& clip, const Limits& limits) {
  if (clip.has_frames() || !clip.spline) return {};
  const auto frames = static_cast<std::uint64_t>(clip.clip.frame_count);
  const std::uint64_t frame_bytes = static_cast<std::uint64_t>(clip.clip.track_count) * sizeof(Transform) +
                                    static_cast<std::uint64_t>(clip.clip.float_track_count) * sizeof(float);
  if (frames > 0 && frame_bytes > limits.max_expanded_bytes / frames)
    return fail(ErrorCode::LimitExceeded, "the frames of the clip would take more memory than allowed");
  MARROW_TRY(const codec::CompiledClip compiled, codec::compile_clip(clip.spline->view(), clip.clip.duration_seconds,
                                                                     {.max_bytes = limits.max_expanded_bytes}));
  const auto floats = static_cast<std::size_t>(clip.clip.float_track_count);
  clip.clip.transforms.resize(frames * static_cast<std::uint64_t>(clip.clip.track_count));
  clip.clip.floats.resize(frames * floats);
  codec::decode_frames(compiled, 0,
                       {reinterpret_cast<float*>(clip.clip.transforms.data()), clip.clip.transforms.size() * 10});
  for (std::size_t f = 0; f < frames && floats > 0; ++f)
    codec::sample_floats(compiled, static_cast<double>(f), std::span(clip.clip.floats).subspan(f * floats, floats));
  return {};
}

std::string_view stem_of(std::string_view name) {
  const std::size_t slash = name.find_last_of("/\\");
  if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

}  // namespace marrow
