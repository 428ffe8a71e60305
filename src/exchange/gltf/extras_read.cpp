// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/json.h"
#include "core/try.h"
#include "exchange/gltf/extras.h"
#include "exchange/gltf/extras_words.h"
#include "exchange/gltf/kept_spline.h"
#include "marrow/core/text.h"

namespace marrow::gltf {
namespace {

// Reads a record with one sticky error, so that a run of reads needs only one check at its end.
class Fields {
 public:
  explicit Fields(std::string path) : path_(std::move(path)) {}

  std::string text(const Json& value) {
    if (value.is_text()) return value.text();
    const Json& hex = value["hex"];
    if (!hex.is_text()) {
      if (!value.is_null()) refuse("expected a string");
      return {};
    }
    const std::string& digits = hex.text();
    std::string out;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
      out += static_cast<char>(parse_uint("0x" + digits.substr(i, 2)).value_or('?') & 0xFF);
    return out;
  }

  float number(const Json& value) {
    if (value.is_number()) return static_cast<float>(value.number());
    const auto parsed = value.is_text() ? parse_float(value.text()) : std::nullopt;
    if (!parsed) refuse("expected a number");
    return parsed.value_or(0.0f);
  }

  std::int32_t integer(const Json& value, std::int32_t low, std::int32_t high) {
    if (!value.is_whole()) {
      refuse("expected a whole number");
      return low;
    }
    const std::int64_t wide = value.integer();
    if (wide < low || wide > high) refuse("a number is out of range");
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(wide, low, high));
  }

  const Json::Array& array(const Json& value) {
    if (!value.is_array() && !value.is_null()) refuse("expected a list");
    return value.items();
  }

  template <std::size_t N>
  std::array<float, N> numbers(const Json& value) {
    std::array<float, N> out{};
    if (!value.is_array() || value.size() != N) {
      refuse("expected a list of " + std::to_string(N) + " numbers");
      return out;
    }
    for (std::size_t i = 0; i < N; ++i) out[i] = number(value.items()[i]);
    return out;
  }

  template <std::size_t N>
  std::size_t choice(const Json& value, const std::array<const char*, N>& names) {
    const std::string word = text(value);
    const auto found = std::ranges::find(names, word);
    if (found == names.end()) {
      refuse("\"" + word + "\" is unknown");
      return 0;
    }
    return static_cast<std::size_t>(found - names.begin());
  }

  void enter(std::string place) { place_ = std::move(place); }
  void refuse(const std::string& why) {
    if (!error_) error_ = Error{ErrorCode::Malformed, "Marrow's record is damaged: " + why, kNoOffset, path_ + place_};
  }
  bool ok() const { return !error_; }
  Result<void> status() const {
    if (error_) return std::unexpected(*error_);
    return {};
  }

 private:
  std::string path_, place_;
  std::optional<Error> error_;
};

constexpr std::int32_t kMaxCount = 1'000'000;

Transform read_transform(Fields& fields, const Json& json) {
  const auto v = fields.numbers<10>(json);
  return {{v[0], v[1], v[2]}, make_quat(v[3], v[4], v[5], v[6]), {v[7], v[8], v[9]}};
}

Vec4 read_vector(Fields& fields, const Json& json) {
  const auto v = fields.numbers<4>(json);
  return {v[0], v[1], v[2], v[3]};
}

Skeleton read_skeleton(Fields& fields, const Json& json) {
  Skeleton skeleton;
  skeleton.name = fields.text(json["name"]);
  for (const Json& entry : fields.array(json["bones"])) {
    const auto index = static_cast<std::int32_t>(skeleton.bones.size());
    fields.enter(".skeleton.bones[" + std::to_string(index) + "]");
    skeleton.bones.push_back({fields.text(entry["name"]), fields.integer(entry["parent"], kNoBone, index - 1),
                              read_transform(fields, entry["rest"]), entry["lock_translation"].boolean()});
    if (!fields.ok()) return skeleton;
  }
  for (const Json& entry : fields.array(json["float_slots"]))
    skeleton.float_slots.push_back({fields.text(entry["name"]), fields.number(entry["reference"])});
  for (const Json& entry : fields.array(json["partitions"]))
    skeleton.partitions.push_back({fields.text(entry["name"]), fields.integer(entry["first_bone"], 0, kMaxCount),
                                   fields.integer(entry["bone_count"], 0, kMaxCount)});
  for (const Json& entry : fields.array(json["local_frames"]))
    skeleton.local_frames.push_back({fields.text(entry["name"]), fields.integer(entry["bone"], kNoBone, kMaxCount),
                                     read_transform(fields, entry["place"])});
  return skeleton;
}

void read_float_tracks(Fields& fields, const Json& json, Clip& clip) {
  const Json::Array& tracks = fields.array(json);
  const auto frames = static_cast<std::size_t>(clip.frame_count);
  // A constant track is one number in the text and one per frame in memory: limited before it grows.
  if (tracks.size() > static_cast<std::size_t>(kMaxCount) || tracks.size() * frames > (std::size_t{1} << 26))
    return fields.refuse("there are more float values than any clip has");
  clip.float_track_count = static_cast<std::int32_t>(tracks.size());
  clip.floats.resize(tracks.size() * frames);
  for (std::size_t track = 0; track < tracks.size(); ++track) {
    const Json& values = tracks[track];
    if (values.is_array() && values.size() != frames)
      return fields.refuse("a float track does not have one value per frame");
    for (std::size_t frame = 0; frame < frames; ++frame)
      clip.floats[frame * tracks.size() + track] = fields.number(values.is_array() ? values.items()[frame] : values);
  }
}

void read_annotations(Fields& fields, const Json& json, Clip& clip) {
  clip.annotation_tracks.resize(static_cast<std::size_t>(fields.integer(json["annotation_tracks"], 0, kMaxCount)));
  for (const Json& entry : fields.array(json["annotations"])) {
    const auto track = static_cast<std::size_t>(fields.integer(entry["track"], 0, kMaxCount));
    if (track >= clip.annotation_tracks.size()) return fields.refuse("an event refers to a track that does not exist");
    clip.annotation_tracks[track].name = fields.text(entry["name"]);
    for (const Json& event : fields.array(entry["events"])) {
      const Json::Array& pair = event.items();
      if (pair.size() != 2) return fields.refuse("an event must be a time and a text");
      clip.annotation_tracks[track].annotations.push_back({fields.number(pair[0]), fields.text(pair[1])});
    }
  }
}

std::vector<std::int16_t> read_shorts(Fields& fields, const Json& json) {
  std::vector<std::int16_t> out;
  for (const Json& value : fields.array(json))
    out.push_back(static_cast<std::int16_t>(
        fields.integer(value, std::numeric_limits<std::int16_t>::min(), std::numeric_limits<std::int16_t>::max())));
  return out;
}

std::vector<std::int32_t> read_places(Fields& fields, const Json& json) {
  std::vector<std::int32_t> out;
  for (const Json& value : fields.array(json)) out.push_back(fields.integer(value, 0, kMaxCount));
  return out;
}

RootMotion read_root_motion(Fields& fields, const Json& json) {
  RootMotion motion{.up = read_vector(fields, json["up"]),
                    .forward = read_vector(fields, json["forward"]),
                    .duration_seconds = fields.number(json["duration_seconds"]),
                    .samples = {}};
  for (const Json& sample : fields.array(json["samples"])) motion.samples.push_back(read_vector(fields, sample));
  return motion;
}

void read_loose(Fields& fields, const Json& json, ClipRecord& record) {
  for (const Json& entry : fields.array(json)) {
    auto& frames = record.loose[fields.integer(entry["track"], 0, kMaxCount)];
    for (const Json& value : fields.array(entry["frames"])) frames.push_back(read_transform(fields, value));
    if (frames.size() != static_cast<std::size_t>(record.clip.frame_count))
      return fields.refuse("a track does not have one value per frame");
  }
}

ClipRecord read_clip(Fields& fields, const Json& json) {
  ClipRecord record;
  Clip& clip = record.clip;
  clip.skeleton_name = fields.text(json["skeleton_name"]);
  clip.frame_count = fields.integer(json["frames"], 1, kMaxCount);
  clip.duration_seconds = fields.number(json["duration_seconds"]);
  clip.track_count = fields.integer(json["tracks"], 0, 0x7FFF);
  clip.blend_hint = static_cast<BlendHint>(fields.choice(json["blend"], kBlendNames));
  clip.track_to_bone = read_shorts(fields, json["track_to_bone"]);
  clip.float_to_slot = read_shorts(fields, json["float_to_slot"]);
  clip.partitions = read_shorts(fields, json["partitions"]);
  record.constant = fields.text(json["constant"]);
  if (const Json& spline = json["properties"]["spline"]; !spline.is_null())
    record.spline = kept_spline(fields.text(spline));
  if (const Json& file = json["properties"]["file"]; !file.is_null())
    record.file = kept_bytes(fields.text(file)).value_or(std::vector<std::byte>());
  if (const Json& as = json["properties"]["root_motion_as"]; !as.is_null())
    record.root_motion_as = static_cast<RootMotionAs>(fields.choice(as, kRootMotionNames));
  record.places = read_places(fields, json["properties"]["places"]);
  if (!fields.ok()) return record;
  read_float_tracks(fields, json["floats"], clip);
  read_annotations(fields, json, clip);
  if (const Json& motion = json["root_motion"]; !motion.is_null()) clip.root_motion = read_root_motion(fields, motion);
  read_loose(fields, json["loose"], record);
  if (!clip.track_to_bone.empty() && clip.track_to_bone.size() != static_cast<std::size_t>(clip.track_count))
    fields.refuse("the track map does not have one entry per track");
  if (!std::isfinite(clip.duration_seconds) || clip.duration_seconds < 0.0f)
    fields.refuse("the duration is not a valid time");
  return record;
}

}  // namespace

Result<Record> read_record(std::string_view text, const std::string& path) {
  constexpr std::uint32_t kMostNested = 16;
  const auto parsed = parse_json(text, {.max_depth = kMostNested});
  Fields fields(path);
  if (!parsed || !parsed->is_object())
    return fail(ErrorCode::Malformed, "Marrow's record is damaged: it is not a JSON object", kNoOffset, path);
  const Json& json = *parsed;
  const std::int32_t version = fields.integer(json["version"], 1, kMaxCount);
  MARROW_CHECK(fields.status());
  if (version > kExtrasVersion)
    return fail(ErrorCode::Unsupported,
                "the record has version " + std::to_string(version) + ", but this program reads up to " +
                    std::to_string(kExtrasVersion) + "; use a newer program",
                kNoOffset, path);
  Record record;
  record.kind = static_cast<RecordKind>(fields.choice(json["kind"], kKindNames));
  record.units = static_cast<Units>(fields.choice(json["units"], kUnitNames));
  record.metres_per_unit = fields.number(json["metres_per_unit"]);
  if (!(record.metres_per_unit > 1e-6f && record.metres_per_unit < 1e6f))
    fields.refuse("the size of the unit is not plausible");
  MARROW_CHECK(fields.status());
  if (record.kind == RecordKind::Armature) {
    record.skeleton = read_skeleton(fields, json["skeleton"]);
    const Json& properties = json["properties"];
    record.places = read_places(fields, properties["places"]);
    if (const Json& game = properties["game"]; !game.is_null()) record.game = find_game(fields.text(game));
    if (const Json& anvil = properties["anvil"]; !anvil.is_null()) record.anvil = fields.text(anvil);
    for (const Json& clip : fields.array(json["clips"])) {
      fields.enter(".clips[" + std::to_string(record.clips.size()) + "]");
      record.clips.emplace_back(fields.text(clip["name"]), read_clip(fields, clip));
      MARROW_CHECK(fields.status());
    }
  }
  for (const Json& body : fields.array(json["properties"]["bodies"]))
    record.bodies.push_back({.mesh = fields.text(body["mesh"]),
                             .file = fields.text(body["file"]),
                             .block = fields.integer(body["block"], -1, kMaxCount),
                             .shape = fields.text(body["shape"])});
  if (record.kind == RecordKind::Meshes) {
    const Json& properties = json["properties"];
    if (const Json& kept = properties["collision"]; !kept.is_null()) record.collision = fields.text(kept);
  }
  MARROW_CHECK(fields.status());
  return record;
}

}  // namespace marrow::gltf
