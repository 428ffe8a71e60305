// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "exchange/gltf/extras.h"
#include "core/memory.h"
#include "exchange/gltf/extras_words.h"
#include "exchange/gltf/kept_spline.h"
#include "marrow/core/text.h"

namespace marrow::gltf {
namespace {

using Json = nlohmann::ordered_json;

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
  return Json{{"hex", hex}};
}

Json number_json(float value) {
  if (std::isfinite(value)) return Json(short_double(value));
  return Json(float_text(value));
}

Json transform_json(const Transform& t) {
  Json out = Json::array();
  for (const float v : {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y, t.rotation.z,
                        t.rotation.w, t.scale.x, t.scale.y, t.scale.z})
    out.push_back(number_json(v));
  return out;
}

Json vector_json(const Vec4& v) {
  return Json::array({number_json(v.x), number_json(v.y), number_json(v.z), number_json(v.w)});
}

Json skeleton_json(const Skeleton& skeleton) {
  Json out = {{"name", text_json(skeleton.name)}, {"bones", Json::array()}};
  for (const Bone& bone : skeleton.bones) {
    Json entry = {{"name", text_json(bone.name)}, {"parent", bone.parent}, {"rest", transform_json(bone.rest)}};
    if (bone.lock_translation) entry["lock_translation"] = true;
    out["bones"].push_back(std::move(entry));
  }
  for (const FloatSlot& slot : skeleton.float_slots)
    out["float_slots"].push_back({{"name", text_json(slot.name)}, {"reference", number_json(slot.reference)}});
  for (const Partition& partition : skeleton.partitions)
    out["partitions"].push_back({{"name", text_json(partition.name)},
                                 {"first_bone", partition.first_bone},
                                 {"bone_count", partition.bone_count}});
  for (const LocalFrame& frame : skeleton.local_frames)
    out["local_frames"].push_back(
        {{"name", text_json(frame.name)}, {"bone", frame.bone}, {"place", transform_json(frame.place)}});
  return out;
}

// Writes float tracks one after another; a constant track is a single number.
Json floats_json(const Clip& clip) {
  Json tracks = Json::array();
  for (std::int32_t track = 0; track < clip.float_track_count; ++track) {
    Json values = Json::array();
    for (std::int32_t frame = 0; frame < clip.frame_count; ++frame)
      values.push_back(
          number_json(clip.floats[static_cast<std::size_t>(frame) * static_cast<std::size_t>(clip.float_track_count) +
                                  static_cast<std::size_t>(track)]));
    const bool constant = std::ranges::all_of(values, [&](const Json& v) { return v == values.front(); });
    tracks.push_back(constant ? Json(values.front()) : values);
  }
  return tracks;
}

// Only tracks with a name or events: most have neither.
Json annotations_json(const std::vector<AnnotationTrack>& tracks) {
  Json out = Json::array();
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (tracks[i] == AnnotationTrack{}) continue;
    Json events = Json::array();
    for (const Annotation& event : tracks[i].annotations)
      events.push_back(Json::array({number_json(event.time_seconds), text_json(event.text)}));
    out.push_back({{"track", i}, {"name", text_json(tracks[i].name)}, {"events", std::move(events)}});
  }
  return out;
}

Json root_motion_json(const RootMotion& motion) {
  Json samples = Json::array();
  for (const Vec4& sample : motion.samples) samples.push_back(vector_json(sample));
  return {{"up", vector_json(motion.up)},
          {"forward", vector_json(motion.forward)},
          {"duration_seconds", number_json(motion.duration_seconds)},
          {"samples", std::move(samples)}};
}

Json clip_json(const std::string& name, const ClipRecord& record) {
  const Clip& clip = record.clip;
  Json out = {{"name", text_json(name)},    {"skeleton_name", text_json(clip.skeleton_name)},
              {"frames", clip.frame_count}, {"duration_seconds", number_json(clip.duration_seconds)},
              {"tracks", clip.track_count}, {"blend", kBlendNames[static_cast<std::size_t>(clip.blend_hint)]},
              {"constant", record.constant}};
  if (!clip.track_to_bone.empty()) out["track_to_bone"] = clip.track_to_bone;
  if (clip.float_track_count > 0) out["floats"] = floats_json(clip);
  if (!clip.float_to_slot.empty()) out["float_to_slot"] = clip.float_to_slot;
  if (!clip.partitions.empty()) out["partitions"] = clip.partitions;
  out["annotation_tracks"] = clip.annotation_tracks.size();
  if (Json events = annotations_json(clip.annotation_tracks); !events.empty()) out["annotations"] = std::move(events);
  if (clip.root_motion) out["root_motion"] = root_motion_json(*clip.root_motion);
  if (record.root_motion_as != RootMotionAs::None)
    out["properties"]["root_motion_as"] = kRootMotionNames[static_cast<std::size_t>(record.root_motion_as)];
  if (!record.places.empty()) out["properties"]["places"] = record.places;
  if (!record.file.empty())
    out["properties"]["file"] = keep_bytes(record.file);
  else if (record.spline)
    out["properties"]["spline"] = keep_spline(*record.spline);
  for (const auto& [track, frames] : record.loose) {
    Json values = Json::array();
    for (const Transform& t : frames) values.push_back(transform_json(t));
    out["loose"].push_back({{"track", track}, {"frames", std::move(values)}});
  }
  return out;
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
  const MustAllocate whole;  // its JSON cannot be left in the middle
  Json out = {{"version", kExtrasVersion},
              {"kind", kKindNames[static_cast<std::size_t>(record.kind)]},
              {"units", kUnitNames[static_cast<std::size_t>(record.units)]},
              {"metres_per_unit", number_json(record.metres_per_unit)}};
  if (record.kind == RecordKind::Armature) {
    out["skeleton"] = skeleton_json(record.skeleton);
    if (!record.anvil.empty()) out["properties"]["anvil"] = text_json(record.anvil);
    if (!record.places.empty()) out["properties"]["places"] = record.places;
    if (record.game) out["properties"]["game"] = to_string(*record.game);
    for (const auto& [name, clip] : record.clips) out["clips"].push_back(clip_json(name, clip));
  }
  for (const BodyRecord& body : record.bodies)
    out["properties"]["bodies"].push_back({{"mesh", text_json(body.mesh)},
                                           {"file", text_json(body.file)},
                                           {"block", body.block},
                                           {"shape", text_json(body.shape)}});
  if (!record.collision.empty()) out["properties"]["collision"] = text_json(record.collision);
  return out.dump();
}

}  // namespace marrow::gltf
