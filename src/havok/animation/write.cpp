// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "core/try.h"
#include "havok/animation/animation.h"
#include "havok/animation/make_file.h"
#include "havok/animation/names.h"
#include "havok/animation/rows.h"
#include "havok/object/copy_fields.h"
#include "havok/packfile/unreachable.h"

namespace marrow::havok {
namespace {

/// Frame duration in seconds of a clip that has none: 30 frames per second, as the games play.
constexpr float kFrameSeconds = 1.0f / 30.0f;

std::uint32_t size_of(std::size_t count) { return static_cast<std::uint32_t>(count); }

/// Changes the class of an animation and keeps the fields that all animations have.
void change_class(Packfile& file, ObjectId id, std::string_view class_name) {
  class_name = name_in(*file.schema, class_name);
  Object& object = file.at(id);
  if (object.type->name == class_name) return;
  Object changed(*file.schema->find(class_name));
  changed.set_name(object.name());
  copy_fields(std::as_const(object).fields(), changed.fields(), {.pointer = [](ObjectId same) { return same; }});
  changed.fields().set_integer("type", animation_type(*file.schema, class_name));
  object = std::move(changed);
}

void set_timing(Fields animation, float duration, std::size_t tracks, std::size_t floats) {
  animation.set_real("duration", duration);
  animation.set_integer("numberOfTransformTracks", static_cast<std::int64_t>(tracks));
  animation.set_integer("numberOfFloatTracks", static_cast<std::int64_t>(floats));
}

bool same_events(const ArrayView& events, std::span<const Annotation> wanted) {
  if (events.size() != wanted.size()) return false;
  for (std::uint32_t i = 0; i < wanted.size(); ++i) {
    const float time = static_cast<float>(events.record(i).real("time"));
    if (std::bit_cast<std::uint32_t>(time) != std::bit_cast<std::uint32_t>(wanted[i].time_seconds) ||
        events.record(i).text("text").value_or("") != wanted[i].text)
      return false;
  }
  return true;
}

void write_root_motion(Fields frame, const RootMotion& motion) {
  const auto four = [](const Vec4& v) { return std::array{v.x, v.y, v.z, v.w}; };
  frame.set_floats("up", four(motion.up));
  frame.set_floats("forward", four(motion.forward));
  frame.set_real("duration", motion.duration_seconds);
  std::vector<float> samples;
  for (const Vec4& sample : motion.samples) samples.insert(samples.end(), {sample.x, sample.y, sample.z, sample.w});
  frame.set_numbers<float>("referenceFrameSamples", samples);
}

void write_binding(Packfile& file, Fields binding, const Clip& clip, Notes* notes) {
  const FieldsView before = binding.view();
  if (before.has("originalSkeletonName")) binding.set_text("originalSkeletonName", clip.skeleton_name);
  binding.set_numbers<std::int16_t>("transformTrackToBoneIndices", clip.track_to_bone);
  if (before.has("floatTrackToFloatSlotIndices"))
    binding.set_numbers<std::int16_t>("floatTrackToFloatSlotIndices", clip.float_to_slot);
  binding.set_integer("blendHint", blend_hint_number(*file.schema, clip.blend_hint));
  const auto note = [&](std::string message) {
    if (notes) notes->push_back({std::move(message), kNoOffset, "binding"});
  };
  if (binding.view().has("partitionIndices"))
    binding.set_numbers<std::int16_t>("partitionIndices", clip.partitions);
  else if (!clip.partitions.empty())
    note("this version of Havok has no partitions: the clip's " + std::to_string(clip.partitions.size()) +
         " partition indices are left out");
  if (blend_hint_of(*file.schema, blend_hint_number(*file.schema, clip.blend_hint)) != clip.blend_hint)
    note("this version of Havok has only the older kind of additive clip: the clip is written as that");
}

ObjectId add_binding(Packfile& file, ObjectId animation) {
  const ObjectId id = file.add(kBinding);
  file.at(id).fields().set_pointer("animation", animation);
  return id;
}

}  // namespace

Result<void> set_spline_motion(Packfile& file, ObjectId id, const codec::SplineBlob& motion, float duration) {
  MARROW_TRY(const codec::SplineBlobBytes bytes, codec::write_spline_blob(motion));
  change_class(file, id, kSplineAnimation);
  Fields animation = file.at(id).fields();
  const FieldsView old = animation.view();
  // The frame duration is kept if it is still right: a file rewritten with its own motion does not change.
  const bool same_timing = old.integer("numFrames") == motion.frame_count &&
                           static_cast<float>(old.real("duration")) == duration && old.real("frameDuration") > 0.0;
  const float frame_seconds = same_timing              ? static_cast<float>(old.real("frameDuration"))
                              : motion.frame_count > 1 ? duration / static_cast<float>(motion.frame_count - 1)
                                                       : kFrameSeconds;
  const float block_seconds = static_cast<float>(motion.stride()) * frame_seconds;
  set_timing(animation, duration, motion.blocks[0].transforms.size(), motion.blocks[0].floats.size());
  animation.set_integer("numFrames", motion.frame_count);
  animation.set_integer("numBlocks", static_cast<std::int64_t>(motion.blocks.size()));
  animation.set_integer("maxFramesPerBlock", motion.max_frames_per_block);
  animation.set_integer("maskAndQuantizationSize", bytes.mask_bytes);
  animation.set_real("blockDuration", block_seconds);
  animation.set_real("blockInverseDuration", block_seconds > 0.0f ? 1.0f / block_seconds : 0.0f);
  animation.set_real("frameDuration", frame_seconds);
  animation.set_numbers<std::uint32_t>("blockOffsets", bytes.block_offsets);
  animation.set_numbers<std::uint32_t>("floatBlockOffsets", bytes.float_block_offsets);
  animation.reset_array("transformOffsets", 0);
  animation.reset_array("floatOffsets", 0);
  animation.set_numbers<std::uint8_t>("data",
                                      {reinterpret_cast<const std::uint8_t*>(bytes.data.data()), bytes.data.size()});
  animation.set_integer("endian", 0);
  return {};
}

Result<void> set_frames(Packfile& file, ObjectId id, const Clip& clip) {
  MARROW_CHECK(validate(clip));
  change_class(file, id, kInterleavedAnimation);
  Fields animation = file.at(id).fields();
  set_timing(animation, clip.duration_seconds, static_cast<std::size_t>(clip.track_count),
             static_cast<std::size_t>(clip.float_track_count));
  std::vector<float> values;
  values.reserve(clip.transforms.size() * 12);
  for (const Transform& t : clip.transforms)
    values.insert(values.end(), {t.translation.x, t.translation.y, t.translation.z, 0.0f, t.rotation.x, t.rotation.y,
                                 t.rotation.z, t.rotation.w, t.scale.x, t.scale.y, t.scale.z, 0.0f});
  animation.set_numbers<float>("transforms", values);
  animation.set_numbers<float>("floats", clip.floats);
  return {};
}

void set_annotations(Packfile& file, ObjectId id, std::span<const AnnotationTrack> tracks) {
  constexpr std::string_view kMember = "annotationTracks";
  const ArrayView before = std::as_const(file).at(id).fields().array(kMember);
  const Array kept = before.storage();
  const Element& element = before.element();
  const bool are_objects = element.kind == Kind::Pointer;
  const std::vector<bool> was_reachable = are_objects ? reachable(file) : std::vector<bool>();
  resize_rows(file, id, kMember, size_of(tracks.size()), kAnnotationTrack);
  for (std::uint32_t i = 0; i < tracks.size(); ++i) {
    Fields track = row_for_writing(file, id, kMember, i);
    // Unchanged texts are not rewritten: one file may have a null name where another has an empty one.
    if (element.record && i < kept.count())
      copy_fields(fields_at(element, kept, i), track, {.pointer = [](ObjectId same) { return same; }});
    if (track.view().text("trackName").value_or("") != tracks[i].name || i >= kept.count())
      track.set_text("trackName", tracks[i].name);
    if (i < kept.count() && same_events(track.view().array("annotations"), tracks[i].annotations)) continue;
    track.reset_array("annotations", size_of(tracks[i].annotations.size()));
    for (std::uint32_t e = 0; e < tracks[i].annotations.size(); ++e) {
      Fields event = track.element("annotations", e);
      event.set_real("time", tracks[i].annotations[e].time_seconds);
      event.set_text("text", tracks[i].annotations[e].text);
    }
  }
  if (are_objects && tracks.size() < kept.count()) drop_unreachable(file, was_reachable);
}

void set_binding(Packfile& file, ObjectId id, const Clip& clip, Notes* notes) {
  ObjectId binding = find_binding(file, id);
  if (binding.is_null()) {
    binding = add_binding(file, id);
    for (const ObjectId container : file.find_all(kAnimationContainer)) {
      if (!file.at(container).type) continue;
      std::vector<ObjectId> bindings;
      const ArrayView old = file.at(container).fields().view().array("bindings");
      for (std::uint32_t i = 0; i < old.size(); ++i) bindings.push_back(old.pointer(i));
      bindings.push_back(binding);
      file.at(container).fields().set_pointers("bindings", bindings);
      break;
    }
  }
  write_binding(file, file.at(binding).fields(), clip, notes);
}

void set_root_motion(Packfile& file, ObjectId id, const std::optional<RootMotion>& motion) {
  Fields animation = file.at(id).fields();
  ObjectId frame = animation.view().pointer("extractedMotion");
  const bool is_frame = !frame.is_null() && file.at(frame).type && file.at(frame).type->name == kReferenceFrame;
  if (!motion) {
    const std::vector<bool> before = reachable(file);
    animation.set_pointer("extractedMotion", {});
    drop_unreachable(file, before);
    return;
  }
  if (!is_frame) {
    frame = file.add(kReferenceFrame);
    file.at(id).fields().set_pointer("extractedMotion", frame);
  }
  write_root_motion(file.at(frame).fields(), *motion);
}

Result<Packfile> make_clip_file(const Clip& clip, Game game, const codec::SplineBlob* motion, Notes* notes) {
  return make_clip_file_of(clip, *builtin_schema(version_of(game)), {pointer_size_of(game), false, false}, motion,
                           notes);
}

Result<Packfile> make_clip_file_of(const Clip& clip, const Schema& schema, FileLayout layout,
                                   const codec::SplineBlob* motion, Notes* notes) {
  Packfile file = make_packfile(schema, layout.pointer_size);
  file.is_big_endian = layout.is_big_endian;
  file.reuses_padding = layout.reuses_padding;
  const ObjectId container = start_file(file);
  const ObjectId animation = file.add(name_in(schema, motion ? kSplineAnimation : kInterleavedAnimation));
  file.at(animation).fields().set_integer("type", animation_type(*file.schema, file.at(animation).type->name));
  if (motion)
    MARROW_CHECK(set_spline_motion(file, animation, *motion, clip.duration_seconds));
  else
    MARROW_CHECK(set_frames(file, animation, clip));
  // The games have one annotation track per transform track.
  std::vector<AnnotationTrack> events = clip.annotation_tracks;
  events.resize(std::max(events.size(), static_cast<std::size_t>(clip.track_count)));
  set_annotations(file, animation, events);
  if (clip.root_motion) set_root_motion(file, animation, clip.root_motion);
  const ObjectId binding = add_binding(file, animation);
  write_binding(file, file.at(binding).fields(), clip, notes);
  file.at(container).fields().set_pointers("animations", {{animation}});
  file.at(container).fields().set_pointers("bindings", {{binding}});
  finish_file(file);
  return file;
}

}  // namespace marrow::havok
