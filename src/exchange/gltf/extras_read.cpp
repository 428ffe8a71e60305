// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/try.h"
#include "core/memory.h"
#include "exchange/gltf/extras.h"
#include "exchange/gltf/extras_words.h"
#include "exchange/gltf/kept_spline.h"
#include "marrow/core/text.h"

namespace marrow::gltf {
namespace {

using Json = nlohmann::ordered_json;

// Reads a record with one sticky error, so that a run of reads needs only one check at its end.
class Fields {
 public:
  explicit Fields(std::string path) : path_(std::move(path)) {}

  const Json& member(const Json& object, const char* name) {
    static const Json none;
    if (!object.is_object()) return none;
    const auto found = object.find(name);
    return found == object.end() ? none : *found;
  }

  std::string text(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    const Json& hex = member(value, "hex");
    if (!hex.is_string()) {
      if (!value.is_null()) refuse("expected a string");
      return {};
    }
    const std::string digits = hex.get<std::string>();
    std::string out;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
      out += static_cast<char>(parse_uint("0x" + digits.substr(i, 2)).value_or('?') & 0xFF);
    return out;
  }

  float number(const Json& value) {
    if (value.is_number()) return static_cast<float>(value.get<double>());
    const auto parsed = value.is_string() ? parse_float(value.get_ref<const std::string&>()) : std::nullopt;
    if (!parsed) refuse("expected a number");
    return parsed.value_or(0.0f);
  }

  std::int32_t integer(const Json& value, std::int32_t low, std::int32_t high) {
    if (!value.is_number_integer()) {
      refuse("expected a whole number");
      return low;
    }
    const auto wide = value.get<std::int64_t>();
    if (wide < low || wide > high) refuse("a number is out of range");
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(wide, low, high));
  }

  const Json& array(const Json& value) {
    static const Json none = Json::array();
    if (value.is_array()) return value;
    if (!value.is_null()) refuse("expected a list");
    return none;
  }

  template <std::size_t N>
  std::array<float, N> numbers(const Json& value) {
    std::array<float, N> out{};
    if (!value.is_array() || value.size() != N) {
      refuse("expected a list of " + std::to_string(N) + " numbers");
      return out;
    }
    for (std::size_t i = 0; i < N; ++i) out[i] = number(value[i]);
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
  skeleton.name = fields.text(fields.member(json, "name"));
  for (const Json& entry : fields.array(fields.member(json, "bones"))) {
    const auto index = static_cast<std::int32_t>(skeleton.bones.size());
    fields.enter(".skeleton.bones[" + std::to_string(index) + "]");
    skeleton.bones.push_back(
        {fields.text(fields.member(entry, "name")), fields.integer(fields.member(entry, "parent"), kNoBone, index - 1),
         read_transform(fields, fields.member(entry, "rest")), fields.member(entry, "lock_translation") == Json(true)});
    if (!fields.ok()) return skeleton;
  }
  for (const Json& entry : fields.array(fields.member(json, "float_slots")))
    skeleton.float_slots.push_back(
        {fields.text(fields.member(entry, "name")), fields.number(fields.member(entry, "reference"))});
  for (const Json& entry : fields.array(fields.member(json, "partitions")))
    skeleton.partitions.push_back({fields.text(fields.member(entry, "name")),
                                   fields.integer(fields.member(entry, "first_bone"), 0, kMaxCount),
                                   fields.integer(fields.member(entry, "bone_count"), 0, kMaxCount)});
  for (const Json& entry : fields.array(fields.member(json, "local_frames")))
    skeleton.local_frames.push_back({fields.text(fields.member(entry, "name")),
                                     fields.integer(fields.member(entry, "bone"), kNoBone, kMaxCount),
                                     read_transform(fields, fields.member(entry, "place"))});
  return skeleton;
}

void read_float_tracks(Fields& fields, const Json& json, Clip& clip) {
  const Json& tracks = fields.array(json);
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
      clip.floats[frame * tracks.size() + track] = fields.number(values.is_array() ? values[frame] : values);
  }
}

void read_annotations(Fields& fields, const Json& json, Clip& clip) {
  clip.annotation_tracks.resize(
      static_cast<std::size_t>(fields.integer(fields.member(json, "annotation_tracks"), 0, kMaxCount)));
  for (const Json& entry : fields.array(fields.member(json, "annotations"))) {
    const auto track = static_cast<std::size_t>(fields.integer(fields.member(entry, "track"), 0, kMaxCount));
    if (track >= clip.annotation_tracks.size()) return fields.refuse("an event refers to a track that does not exist");
    clip.annotation_tracks[track].name = fields.text(fields.member(entry, "name"));
    for (const Json& event : fields.array(fields.member(entry, "events"))) {
      if (!event.is_array() || event.size() != 2) return fields.refuse("an event must be a time and a text");
      clip.annotation_tracks[track].annotations.push_back({fields.number(event[0]), fields.text(event[1])});
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
  RootMotion motion{.up = read_vector(fields, fields.member(json, "up")),
                    .forward = read_vector(fields, fields.member(json, "forward")),
                    .duration_seconds = fields.number(fields.member(json, "duration_seconds")),
                    .samples = {}};
  for (const Json& sample : fields.array(fields.member(json, "samples")))
    motion.samples.push_back(read_vector(fields, sample));
  return motion;
}

void read_loose(Fields& fields, const Json& json, ClipRecord& record) {
  for (const Json& entry : fields.array(json)) {
    auto& frames = record.loose[fields.integer(fields.member(entry, "track"), 0, kMaxCount)];
    for (const Json& value : fields.array(fields.member(entry, "frames")))
      frames.push_back(read_transform(fields, value));
    if (frames.size() != static_cast<std::size_t>(record.clip.frame_count))
      return fields.refuse("a track does not have one value per frame");
  }
}

ClipRecord read_clip(Fields& fields, const Json& json) {
  ClipRecord record;
  Clip& clip = record.clip;
  clip.skeleton_name = fields.text(fields.member(json, "skeleton_name"));
  clip.frame_count = fields.integer(fields.member(json, "frames"), 1, kMaxCount);
  clip.duration_seconds = fields.number(fields.member(json, "duration_seconds"));
  clip.track_count = fields.integer(fields.member(json, "tracks"), 0, 0x7FFF);
  clip.blend_hint = static_cast<BlendHint>(fields.choice(fields.member(json, "blend"), kBlendNames));
  clip.track_to_bone = read_shorts(fields, fields.member(json, "track_to_bone"));
  clip.float_to_slot = read_shorts(fields, fields.member(json, "float_to_slot"));
  clip.partitions = read_shorts(fields, fields.member(json, "partitions"));
  record.constant = fields.text(fields.member(json, "constant"));
  if (const Json& spline = fields.member(fields.member(json, "properties"), "spline"); !spline.is_null())
    record.spline = kept_spline(fields.text(spline));
  if (const Json& file = fields.member(fields.member(json, "properties"), "file"); !file.is_null())
    record.file = kept_bytes(fields.text(file)).value_or(std::vector<std::byte>());
  if (const Json& as = fields.member(fields.member(json, "properties"), "root_motion_as"); !as.is_null())
    record.root_motion_as = static_cast<RootMotionAs>(fields.choice(as, kRootMotionNames));
  record.places = read_places(fields, fields.member(fields.member(json, "properties"), "places"));
  if (!fields.ok()) return record;
  read_float_tracks(fields, fields.member(json, "floats"), clip);
  read_annotations(fields, json, clip);
  if (const Json& motion = fields.member(json, "root_motion"); !motion.is_null())
    clip.root_motion = read_root_motion(fields, motion);
  read_loose(fields, fields.member(json, "loose"), record);
  if (!clip.track_to_bone.empty() && clip.track_to_bone.size() != static_cast<std::size_t>(clip.track_count))
    fields.refuse("the track map does not have one entry per track");
  if (!std::isfinite(clip.duration_seconds) || clip.duration_seconds < 0.0f)
    fields.refuse("the duration is not a valid time");
  return record;
}

// The parser is not recursive, but the code that walks its result is.
bool is_shallow(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      in_string = !in_string;
    else if (!in_string && (text[i] == '[' || text[i] == '{') && ++depth > 16)
      return false;
    else if (!in_string && (text[i] == ']' || text[i] == '}'))
      --depth;
  }
  return true;
}

}  // namespace

Result<Record> read_record(std::string_view text, const std::string& path) {
  const MustAllocate whole;  // its JSON cannot be left in the middle
  const Json json = is_shallow(text) ? Json::parse(text, nullptr, false) : Json();
  Fields fields(path);
  if (!json.is_object())
    return fail(ErrorCode::Malformed, "Marrow's record is damaged: it is not a JSON object", kNoOffset, path);
  const std::int32_t version = fields.integer(fields.member(json, "version"), 1, kMaxCount);
  MARROW_CHECK(fields.status());
  if (version > kExtrasVersion)
    return fail(ErrorCode::Unsupported,
                "the record has version " + std::to_string(version) + ", but this program reads up to " +
                    std::to_string(kExtrasVersion) + "; use a newer program",
                kNoOffset, path);
  Record record;
  record.kind = static_cast<RecordKind>(fields.choice(fields.member(json, "kind"), kKindNames));
  record.units = static_cast<Units>(fields.choice(fields.member(json, "units"), kUnitNames));
  record.metres_per_unit = fields.number(fields.member(json, "metres_per_unit"));
  if (!(record.metres_per_unit > 1e-6f && record.metres_per_unit < 1e6f))
    fields.refuse("the size of the unit is not plausible");
  MARROW_CHECK(fields.status());
  if (record.kind == RecordKind::Armature) {
    record.skeleton = read_skeleton(fields, fields.member(json, "skeleton"));
    const Json& properties = fields.member(json, "properties");
    record.places = read_places(fields, fields.member(properties, "places"));
    if (const Json& game = fields.member(properties, "game"); !game.is_null())
      record.game = find_game(fields.text(game));
    if (const Json& anvil = fields.member(properties, "anvil"); !anvil.is_null()) record.anvil = fields.text(anvil);
    for (const Json& clip : fields.array(fields.member(json, "clips"))) {
      fields.enter(".clips[" + std::to_string(record.clips.size()) + "]");
      record.clips.emplace_back(fields.text(fields.member(clip, "name")), read_clip(fields, clip));
      MARROW_CHECK(fields.status());
    }
  }
  for (const Json& body : fields.array(fields.member(fields.member(json, "properties"), "bodies")))
    record.bodies.push_back({.mesh = fields.text(fields.member(body, "mesh")),
                             .file = fields.text(fields.member(body, "file")),
                             .block = fields.integer(fields.member(body, "block"), -1, kMaxCount),
                             .shape = fields.text(fields.member(body, "shape"))});
  if (record.kind == RecordKind::Meshes) {
    const Json& properties = fields.member(json, "properties");
    if (const Json& kept = fields.member(properties, "collision"); !kept.is_null())
      record.collision = fields.text(kept);
  }
  MARROW_CHECK(fields.status());
  return record;
}

}  // namespace marrow::gltf
