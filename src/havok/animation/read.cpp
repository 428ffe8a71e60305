// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "core/try.h"
#include "havok/animation/animation.h"
#include "havok/animation/block_frames.h"
#include "havok/animation/names.h"
#include "havok/animation/rows.h"
#include "havok/animation/stored_frames.h"
#include "havok/object/game.h"
#include "marrow/codec/compiled_clip.h"

namespace marrow::havok {
namespace {

Error at_object(Error error, ObjectId id, std::string_view member) {
  error.path =
      path_of(id) + (member.empty() ? "" : "." + std::string(member)) + (error.path.empty() ? "" : "." + error.path);
  return error;
}

std::unexpected<Error> refuse(ErrorCode code, std::string message, ObjectId id) {
  return fail(code, std::move(message), kNoOffset, path_of(id));
}

// Names the codec, and where it is from.
std::unexpected<Error> cannot_decode(const Packfile& file, ObjectId id, std::string_view why) {
  const std::string_view game = known_game(file);
  return refuse(ErrorCode::Unsupported,
                std::string(file.at(id).class_name()) + " of " + file.schema->version() +
                    (game.empty() ? " " : ", as in " + std::string(game) + ", ") + std::string(why),
                id);
}

bool is(const Packfile& file, ObjectId id, std::string_view class_name) {
  return !id.is_null() && file.at(id).type && is_kind(*file.at(id).type, class_name);
}

std::vector<std::int16_t> shorts(const ArrayView& array) {
  const auto numbers = array.numbers<std::int16_t>();
  return {numbers.begin(), numbers.end()};
}

std::vector<AnnotationTrack> read_annotations(const Packfile& file, const ArrayView& tracks) {
  std::vector<AnnotationTrack> result;
  for (std::uint32_t i = 0; i < tracks.size(); ++i) {
    const auto row = row_at(file, tracks, i);
    if (!row || !row->has("trackName")) {
      result.emplace_back();
      continue;
    }
    AnnotationTrack track{std::string(row->text("trackName").value_or("")), {}};
    const ArrayView events = row->array("annotations");
    for (std::uint32_t e = 0; e < events.size(); ++e)
      track.annotations.push_back(
          {static_cast<float>(events.record(e).real("time")), std::string(events.record(e).text("text").value_or(""))});
    result.push_back(std::move(track));
  }
  return result;
}

Vec4 to_vec4(std::span<const float> v) { return v.size() < 4 ? Vec4(0.0f) : Vec4(v[0], v[1], v[2], v[3]); }

RootMotion read_root_motion(const FieldsView& frame) {
  RootMotion motion;
  motion.up = to_vec4(frame.floats("up"));
  motion.forward = to_vec4(frame.floats("forward"));
  motion.duration_seconds = static_cast<float>(frame.real("duration"));
  const auto samples = frame.array("referenceFrameSamples").numbers<float>();
  for (std::size_t at = 0; at + 4 <= samples.size(); at += 4) motion.samples.push_back(to_vec4(samples.subspan(at, 4)));
  return motion;
}

Result<codec::CompiledClip> compile(const Packfile& file, ObjectId id, float duration, const Limits& limits) {
  MARROW_TRY(const codec::SplineBlobView view, spline_data(file, id));
  auto clip = codec::compile_clip(view, duration, {.max_bytes = static_cast<std::size_t>(limits.left())});
  if (!clip) return std::unexpected(at_object(std::move(clip.error()), id, "data"));
  return std::move(*clip);
}

Result<void> read_motion(const Packfile& file, ObjectId id, const Limits& limits, Clip& clip) {
  const std::uint64_t frames = static_cast<std::uint64_t>(clip.frame_count);
  const std::uint64_t frame_bytes = static_cast<std::uint64_t>(clip.track_count) * sizeof(Transform) +
                                    static_cast<std::uint64_t>(clip.float_track_count) * sizeof(float);
  if (!limits.charge(frames, frame_bytes))
    return refuse(ErrorCode::LimitExceeded, "the frames of the clip would take more memory than allowed", id);
  if (is(file, id, kInterleavedAnimation)) return read_interleaved(file.at(id).fields(), id, clip);
  if (is(file, id, kLosslessAnimation)) return read_lossless(file.at(id).fields(), id, clip);
  if (is(file, id, kDeltaAnimation) || is(file, id, kWaveletAnimation))
    return read_blocks(file.at(id).fields(), is(file, id, kWaveletAnimation), id, clip);
  MARROW_TRY(const codec::CompiledClip compiled, compile(file, id, clip.duration_seconds, limits));
  make_frames(clip);
  decode_frames(compiled, 0, {reinterpret_cast<float*>(clip.transforms.data()), clip.transforms.size() * 10});
  const auto floats = static_cast<std::size_t>(clip.float_track_count);
  for (std::size_t f = 0; f < frames && floats > 0; ++f)
    sample_floats(compiled, static_cast<double>(f), std::span(clip.floats).subspan(f * floats, floats));
  return {};
}

Result<Clip> read_header(const Packfile& file, ObjectId id, ObjectId id_of_binding) {
  if (!is(file, id, kAnimation)) return refuse(ErrorCode::InvalidArgument, "the object is not an animation", id);
  const FieldsView animation = file.at(id).fields();
  Clip clip;
  clip.duration_seconds = static_cast<float>(animation.real("duration"));
  const std::int64_t tracks = animation.integer("numberOfTransformTracks");
  const std::int64_t floats = animation.integer("numberOfFloatTracks");
  const std::int64_t frames = animation.has("numFrames")       ? animation.integer("numFrames")
                              : animation.has("numberOfPoses") ? animation.integer("numberOfPoses")
                                                               : interleaved_frames(animation, tracks, floats);
  if (tracks < 0 || floats < 0 || frames < 0 || tracks > INT16_MAX * 2 || floats > INT16_MAX * 2)
    return refuse(ErrorCode::Malformed,
                  std::to_string(tracks) + " transform and " + std::to_string(floats) + " float tracks in " +
                      std::to_string(frames) + " frames",
                  id);
  if (!std::isfinite(clip.duration_seconds) || clip.duration_seconds < 0.0f)
    return refuse(ErrorCode::Malformed, "the duration is not a valid time", id);
  clip.track_count = static_cast<std::int32_t>(tracks);
  clip.float_track_count = static_cast<std::int32_t>(floats);
  clip.frame_count = static_cast<std::int32_t>(frames);
  clip.annotation_tracks = read_annotations(file, animation.array("annotationTracks"));
  if (const ObjectId motion = animation.pointer("extractedMotion"); is(file, motion, kReferenceFrame))
    clip.root_motion = read_root_motion(file.at(motion).fields());
  if (!id_of_binding.is_null()) {
    const FieldsView binding = file.at(id_of_binding).fields();
    clip.skeleton_name = binding.text("originalSkeletonName").value_or("");
    clip.track_to_bone = shorts(binding.array("transformTrackToBoneIndices"));
    clip.float_to_slot = shorts(binding.array("floatTrackToFloatSlotIndices"));
    clip.partitions = shorts(binding.array("partitionIndices"));
    clip.blend_hint = blend_hint_of(*file.schema, binding.integer("blendHint"));
  }
  return clip;
}

}  // namespace

std::vector<ObjectId> find_animations(const Packfile& file) {
  std::vector<ObjectId> found = file.find_all(kAnimation);
  std::erase_if(found, [&](ObjectId id) { return file.at(id).type == nullptr; });
  return found;
}

ObjectId find_binding(const Packfile& file, ObjectId animation) { return Bindings(file).of(animation); }

Bindings::Bindings(const Packfile& file) : of_(file.objects.size()) {
  for (const ObjectId id : file.find_all(kBinding)) {
    if (!file.at(id).type) continue;
    const ObjectId animation = file.at(id).fields().pointer("animation");
    if (animation.index < of_.size() && of_[animation.index].is_null()) of_[animation.index] = id;
  }
}

Result<codec::SplineBlobView> spline_data(const Packfile& file, ObjectId id) {
  if (!is(file, id, kSplineAnimation))
    return cannot_decode(
        file, id, "cannot be decoded; spline-compressed, interleaved, delta, wavelet and lossless animations can");
  const FieldsView animation = file.at(id).fields();
  // Consoles' files were met with little-endian data only; of the other order, what is packed into five bytes would
  // have to be guessed.
  if (animation.integer("endian") == 1) return cannot_decode(file, id, "has big-endian data, which cannot be decoded");
  return codec::SplineBlobView{
      .frame_count = animation.integer("numFrames"),
      .max_frames_per_block = animation.integer("maxFramesPerBlock"),
      .transform_track_count = animation.integer("numberOfTransformTracks"),
      .float_track_count = animation.integer("numberOfFloatTracks"),
      .mask_bytes = animation.integer("maskAndQuantizationSize"),
      .block_offsets = animation.array("blockOffsets").numbers<std::uint32_t>(),
      .float_block_offsets = animation.array("floatBlockOffsets").numbers<std::uint32_t>(),
      .data = std::as_bytes(animation.array("data").numbers<std::uint8_t>()),
      .data_offset = animation.array("data").storage().source_offset(),
  };
}

Result<Clip> read_clip_header(const Packfile& file, ObjectId id) { return read_clip_header(file, id, Bindings(file)); }

Result<Clip> read_clip_header(const Packfile& file, ObjectId id, const Bindings& bindings) {
  return read_header(file, id, bindings.of(id));
}

Result<Clip> read_clip(const Packfile& file, ObjectId id, const Limits& limits) {
  return read_clip(file, id, Bindings(file), limits);
}

Result<Clip> read_clip(const Packfile& file, ObjectId id, const Bindings& bindings, const Limits& limits) {
  MARROW_TRY(Clip clip, read_clip_header(file, id, bindings));
  MARROW_CHECK(read_motion(file, id, limits, clip));
  return clip;
}

}  // namespace marrow::havok
