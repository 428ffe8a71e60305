// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/json.h"
#include "exchange/gltf/extras.h"
#include "exchange/gltf/extras_words.h"
#include "exchange/gltf/kept_spline.h"
#include "marrow/core/text.h"

namespace marrow::gltf {
namespace {

// Sets what is not null.
void set_if(Json& object, std::string_view name, Json value) {
  if (!value.is_null()) object.set(name, std::move(value));
}

// Returns the length of the UTF-8 sequence at the start of `text`, or 0. Overlong forms and surrogates are not UTF-8.
std::size_t utf8_length(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = at(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((at(i) & 0xC0) != 0x80) return 0;
  const unsigned second = at(1);
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
      (first == 0xF4 && second > 0x8F))
    return 0;
  return length;
}

Json text_json(std::string_view text) {
  if (is_utf8(text)) return Json(text);
  std::string hex;
  for (const char c : text) hex += hex_text(static_cast<unsigned char>(c), 2).substr(2);
  return Json().set("hex", std::move(hex));
}

Json number_json(float value) { return std::isfinite(value) ? Json(value) : Json(float_text(value)); }

Json numbers_json(std::span<const float> values) {
  Json out = Json::array();
  for (const float value : values) out.push(number_json(value));
  return out;
}

template <class Number>
Json list_json(const std::vector<Number>& values) {
  return Json::Array(values.begin(), values.end());
}

Json transform_json(const Transform& t) {
  return numbers_json(std::array{t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
                                 t.rotation.z, t.rotation.w, t.scale.x, t.scale.y, t.scale.z});
}

Json vector_json(const Vec4& v) { return numbers_json(std::array{v.x, v.y, v.z, v.w}); }

Json skeleton_json(const Skeleton& skeleton) {
  Json bones = Json::array(), slots, partitions, frames;
  for (const Bone& bone : skeleton.bones) {
    Json entry =
        Json().set("name", text_json(bone.name)).set("parent", bone.parent).set("rest", transform_json(bone.rest));
    if (bone.lock_translation) entry.set("lock_translation", true);
    bones.push(std::move(entry));
  }
  for (const FloatSlot& slot : skeleton.float_slots)
    slots.push(Json().set("name", text_json(slot.name)).set("reference", number_json(slot.reference)));
  for (const Partition& partition : skeleton.partitions)
    partitions.push(Json()
                        .set("name", text_json(partition.name))
                        .set("first_bone", partition.first_bone)
                        .set("bone_count", partition.bone_count));
  for (const LocalFrame& frame : skeleton.local_frames)
    frames.push(
        Json().set("name", text_json(frame.name)).set("bone", frame.bone).set("place", transform_json(frame.place)));
  Json out = Json().set("name", text_json(skeleton.name)).set("bones", std::move(bones));
  set_if(out, "float_slots", std::move(slots));
  set_if(out, "partitions", std::move(partitions));
  set_if(out, "local_frames", std::move(frames));
  return out;
}

// Writes float tracks one after another; a constant track is a single number.
Json floats_json(const Clip& clip) {
  Json tracks = Json::array();
  for (std::int32_t track = 0; track < clip.float_track_count; ++track) {
    Json::Array values;
    for (std::int32_t frame = 0; frame < clip.frame_count; ++frame)
      values.push_back(
          number_json(clip.floats[static_cast<std::size_t>(frame) * static_cast<std::size_t>(clip.float_track_count) +
                                  static_cast<std::size_t>(track)]));
    const bool constant = std::ranges::all_of(values, [&](const Json& v) { return v == values.front(); });
    tracks.push(constant && !values.empty() ? values.front() : Json(std::move(values)));
  }
  return tracks;
}

// Only tracks with a name or events: most have neither.
Json annotations_json(const std::vector<AnnotationTrack>& tracks) {
  Json out;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (tracks[i] == AnnotationTrack{}) continue;
    Json events = Json::array();
    for (const Annotation& event : tracks[i].annotations)
      events.push(Json::Array{number_json(event.time_seconds), text_json(event.text)});
    out.push(Json().set("track", i).set("name", text_json(tracks[i].name)).set("events", std::move(events)));
  }
  return out;
}

Json root_motion_json(const RootMotion& motion) {
  Json samples = Json::array();
  for (const Vec4& sample : motion.samples) samples.push(vector_json(sample));
  return Json()
      .set("up", vector_json(motion.up))
      .set("forward", vector_json(motion.forward))
      .set("duration_seconds", number_json(motion.duration_seconds))
      .set("samples", std::move(samples));
}

Json clip_json(const std::string& name, const ClipRecord& record) {
  const Clip& clip = record.clip;
  Json out = Json()
                 .set("name", text_json(name))
                 .set("skeleton_name", text_json(clip.skeleton_name))
                 .set("frames", clip.frame_count)
                 .set("duration_seconds", number_json(clip.duration_seconds))
                 .set("tracks", clip.track_count)
                 .set("blend", kBlendNames[static_cast<std::size_t>(clip.blend_hint)])
                 .set("constant", record.constant);
  if (!clip.track_to_bone.empty()) out.set("track_to_bone", list_json(clip.track_to_bone));
  if (clip.float_track_count > 0) out.set("floats", floats_json(clip));
  if (!clip.float_to_slot.empty()) out.set("float_to_slot", list_json(clip.float_to_slot));
  if (!clip.partitions.empty()) out.set("partitions", list_json(clip.partitions));
  out.set("annotation_tracks", clip.annotation_tracks.size());
  set_if(out, "annotations", annotations_json(clip.annotation_tracks));
  if (clip.root_motion) out.set("root_motion", root_motion_json(*clip.root_motion));
  Json properties, loose;
  if (record.root_motion_as != RootMotionAs::None)
    properties.set("root_motion_as", kRootMotionNames[static_cast<std::size_t>(record.root_motion_as)]);
  if (!record.places.empty()) properties.set("places", list_json(record.places));
  if (!record.file.empty())
    properties.set("file", keep_bytes(record.file));
  else if (record.spline)
    properties.set("spline", keep_spline(*record.spline));
  set_if(out, "properties", std::move(properties));
  for (const auto& [track, frames] : record.loose) {
    Json values = Json::array();
    for (const Transform& t : frames) values.push(transform_json(t));
    loose.push(Json().set("track", track).set("frames", std::move(values)));
  }
  set_if(out, "loose", std::move(loose));
  return out;
}

// What records of all kinds have beside their values.
Json properties_json(const Record& record) {
  Json properties, bodies;
  if (record.kind == RecordKind::Armature) {
    if (!record.anvil.empty()) properties.set("anvil", text_json(record.anvil));
    if (!record.places.empty()) properties.set("places", list_json(record.places));
    if (record.game) properties.set("game", to_string(*record.game));
  }
  for (const BodyRecord& body : record.bodies)
    bodies.push(Json()
                    .set("mesh", text_json(body.mesh))
                    .set("file", text_json(body.file))
                    .set("block", body.block)
                    .set("shape", text_json(body.shape)));
  set_if(properties, "bodies", std::move(bodies));
  if (!record.collision.empty()) properties.set("collision", text_json(record.collision));
  return properties;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

double short_double(float value) {
  const auto shorter = parse_double(float_text(value));
  return shorter && static_cast<float>(*shorter) == value ? *shorter : static_cast<double>(value);
}

std::string utf8_name(std::string_view name) {
  if (is_utf8(name)) return std::string(name);
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xC0 | (byte >> 6));
      out += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return out;
}

std::string write_record(const Record& record) {
  Json out = Json()
                 .set("version", kExtrasVersion)
                 .set("kind", kKindNames[static_cast<std::size_t>(record.kind)])
                 .set("units", kUnitNames[static_cast<std::size_t>(record.units)])
                 .set("metres_per_unit", number_json(record.metres_per_unit));
  if (record.kind == RecordKind::Armature) out.set("skeleton", skeleton_json(record.skeleton));
  set_if(out, "properties", properties_json(record));
  if (record.kind == RecordKind::Armature) {
    Json clips;
    for (const auto& [name, clip] : record.clips) clips.push(clip_json(name, clip));
    set_if(out, "clips", std::move(clips));
  }
  return to_text(out, false);
}

}  // namespace marrow::gltf
