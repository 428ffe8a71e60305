// SPDX-License-Identifier: MIT
#include "marrow/ops/document/document.h"

#include <algorithm>
#include <utility>

#include "core/try.h"
#include "marrow/codec/compiled_clip.h"
#include "ops/document/origin.h"

namespace marrow {

bool Origin::operator==(const Origin& other) const {
  if (content_ == other.content_) return true;
  return content_ && other.content_ && content_->from == other.content_->from;
}

OriginAccess::Content* OriginAccess::own_content(Document& document) {
  auto& content = document.origin.content_;
  if (!content) return nullptr;
  if (content.use_count() > 1) content = std::make_shared<Content>(*content);
  return const_cast<Content*>(content.get());  // nobody else has it
}

void OriginAccess::set(Document& document, Content content) {
  document.skeletons.clear();
  document.clips.clear();
  document.collision.clear();
  document.meshes.clear();
  document.origin.content_ = std::make_shared<Content>(std::move(content));
  document.origin.read_ = Parts::None;
}

void forget_parts(Document& document, Parts parts) {
  if (has(parts, Parts::Skeletons)) document.skeletons.clear();
  if (has(parts, Parts::Clips)) document.clips.clear();
  if (has(parts, Parts::Collision)) document.collision.clear();
  if (has(parts, Parts::Bodies)) document.bodies.clear();
  if (has(parts, Parts::Shapes)) document.meshes.clear();
  OriginAccess::set_read(document, without(OriginAccess::read(document), parts));
}

const havok::Packfile* Document::packfile() const {
  const auto* havok = origin_of<HavokOrigin>(*this);
  return havok ? &havok->file : nullptr;
}

const NifFile* Document::nif() const {
  const auto* found = origin_of<NifOrigin>(*this);
  return found ? &found->nif : nullptr;
}

const anvil::Skeleton* Document::anvil() const {
  const auto* found = origin_of<AnvilOrigin>(*this);
  return found ? &found->skeleton : nullptr;
}

const MotionSource* Document::motion_source() const {
  const auto* found = origin_of<MotionOrigin>(*this);
  return found ? found->source.get() : nullptr;
}

const std::string* Document::cache() const {
  const auto* found = origin_of<CacheOrigin>(*this);
  return found ? &found->text : nullptr;
}

bool has_parts(const Document& document, Parts parts) {
  if (OriginAccess::content(document) && !has(OriginAccess::read(document), parts)) return false;
  return !has(parts, Parts::Frames) || std::ranges::all_of(document.clips, &DocumentClip::has_frames);
}

Result<const DocumentSkeleton*> main_skeleton(const Document& document) {
  const auto found = std::ranges::find(document.skeletons, false, &DocumentSkeleton::is_ragdoll);
  if (found == document.skeletons.end())
    return in_file({ErrorCode::NoSkeleton, "the file contains no skeleton"}, document.name);
  // Whoever works on a skeleton goes from bones to their parents. A file may be rewritten with any numbers.
  const std::vector<Bone>& bones = found->skeleton.bones;
  for (std::size_t i = 0; i < bones.size(); ++i)
    if (bones[i].parent < kNoBone || std::cmp_greater_equal(bones[i].parent, bones.size()))
      return in_file({ErrorCode::Malformed, "its parent " + std::to_string(bones[i].parent) + " does not exist",
                      kNoOffset, "bones[" + std::to_string(i) + "] \"" + bones[i].name + "\""},
                     document.name);
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
