// SPDX-License-Identifier: MIT
#include "havok/animation/local_frames.h"

#include <array>
#include <bit>
#include <string>
#include <utility>

#include <glm/gtc/quaternion.hpp>

namespace marrow::havok {
namespace {

constexpr std::string_view kSimpleFrame = "hkSimpleLocalFrame";

/// An hkTransform is three axes as columns and the translation, four floats each; the fourth lanes are unused.
using Columns = std::array<float, 16>;

Transform place_of(const std::vector<float>& v) {
  if (v.size() < Columns().size()) return {};
  const glm::mat3 axes(v[0], v[1], v[2], v[4], v[5], v[6], v[8], v[9], v[10]);
  return {{v[12], v[13], v[14]}, glm::normalize(glm::quat_cast(axes)), Vec3(1.0f)};
}

Columns columns_of(const Transform& place) {
  const glm::mat3 axes = glm::mat3_cast(place.rotation);
  Columns columns{};
  for (int axis = 0; axis < 3; ++axis)
    for (int row = 0; row < 3; ++row) columns[static_cast<std::size_t>(axis * 4 + row)] = axes[axis][row];
  for (int row = 0; row < 3; ++row) columns[static_cast<std::size_t>(12 + row)] = place.translation[row];
  return columns;
}

bool is_simple(const Packfile& file, ObjectId id) {
  return !id.is_null() && file.at(id).type && file.at(id).class_name() == kSimpleFrame;
}

/// Compares bits, since a matrix may hold NaN.
bool same_place(const Transform& a, const Transform& b) {
  using Bits = std::array<std::uint32_t, 10>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

/// Returns the object for `now`: the existing one, updated if it differs, or a new one.
ObjectId frame_object(Packfile& file, ObjectId there, const LocalFrame* before, const LocalFrame& now) {
  const bool same_name = before && before->name == now.name, same = before && same_place(before->place, now.place);
  if (same_name && same) return there;
  const bool is_new = !is_simple(file, there);
  if (is_new) there = file.add(kSimpleFrame);
  Fields frame = file.at(there).fields();
  if (is_new || !same_name) frame.set_text("name", now.name);
  if (is_new || !same) frame.set_floats("transform", columns_of(now.place));
  return there;
}

}  // namespace

std::vector<LocalFrame> read_local_frames(const Packfile& file, ObjectId skeleton) {
  std::vector<LocalFrame> frames;
  const ArrayView listed = file.at(skeleton).fields().array("localFrames");
  for (std::uint32_t i = 0; i < listed.size(); ++i) {
    const FieldsView entry = listed.record(i);
    LocalFrame frame{.name = {}, .bone = static_cast<std::int32_t>(entry.integer("boneIndex")), .place = {}};
    if (const ObjectId id = entry.pointer("localFrame"); is_simple(file, id)) {
      const FieldsView object = file.at(id).fields();
      frame.name = object.text("name").value_or("");
      frame.place = place_of(object.floats("transform"));
    }
    frames.push_back(std::move(frame));
  }
  return frames;
}

Result<void> set_local_frames(Packfile& file, ObjectId id, const Skeleton& skeleton) {
  const auto& frames = skeleton.local_frames;
  if (frames.empty() || !file.at(id).fields().view().has("localFrames") || !file.schema->find(kSimpleFrame)) return {};
  const std::vector<LocalFrame> before = read_local_frames(file, id);
  std::vector<ObjectId> there, objects;
  const ArrayView listed = std::as_const(file).at(id).fields().array("localFrames");
  for (std::uint32_t i = 0; i < listed.size(); ++i) there.push_back(listed.record(i).pointer("localFrame"));
  const auto before_at = [&](std::size_t i) { return i < before.size() ? &before[i] : nullptr; };
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::int32_t bone = frames[i].bone;
    const bool has_bone = bone >= 0 && static_cast<std::size_t>(bone) < skeleton.bones.size();
    if (!has_bone && !(before_at(i) && before_at(i)->bone == bone))
      return fail(ErrorCode::Malformed, "it is on bone " + std::to_string(bone) + ", which does not exist", kNoOffset,
                  "local_frames[" + std::to_string(i) + "] \"" + frames[i].name + "\"");
  }
  for (std::size_t i = 0; i < frames.size(); ++i)
    objects.push_back(frame_object(file, i < there.size() ? there[i] : ObjectId{}, before_at(i), frames[i]));
  Fields fields = file.at(id).fields();
  fields.reset_array("localFrames", static_cast<std::uint32_t>(frames.size()));
  for (std::uint32_t i = 0; i < frames.size(); ++i) {
    Fields entry = fields.element("localFrames", i);
    entry.set_pointer("localFrame", objects[i]);
    entry.set_integer("boneIndex", frames[i].bone);
  }
  return {};
}

}  // namespace marrow::havok
