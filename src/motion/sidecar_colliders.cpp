// SPDX-License-Identifier: MIT
#include "motion/sidecar_colliders.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/try.h"
#include "marrow/core/text.h"
#include "marrow/motion/compiled_rig.h"
#include "model/named_bone.h"

namespace marrow::motion {
namespace {

constexpr std::array<std::string_view, 8> kColliderKeys = {"shape", "bone", "radius",   "center",
                                                           "from",  "to",   "optional", "comment"};
constexpr std::array<std::string_view, 2> kShapes = {"sphere", "capsule"};

std::unexpected<Error> expected(std::string_view what, std::string_view key) {
  return fail(ErrorCode::Malformed, "expected " + std::string(what), kNoOffset, std::string(key));
}

Result<Vec3> point(const Json& json, std::string_view key) {
  if (!json.is_array() || json.size() != 3) return expected("three numbers, in metres", key);
  Vec3 out;
  for (std::size_t i = 0; i < 3; ++i) {
    const Json& item = json.items()[i];
    const auto number = static_cast<float>(item.number());
    if (!item.is_number() || !std::isfinite(number)) return expected("three numbers, in metres", key);
    out[static_cast<glm::length_t>(i)] = number;
  }
  return out;
}

// A name, or a list of names that different skeletons have for the same bone: the first that this one has.
Result<std::int32_t> bone(const Json& json, const Skeleton& skeleton, std::string_view key) {
  std::optional<Error> first;
  for (const Json& name : one_or_many(json)) {
    if (!name.is_text()) return expected("the name of a bone, or a list of names", key);
    auto found = named_bone(skeleton, name.text());
    if (found) return *found;
    if (!first) first = std::move(found.error());
  }
  if (!first) return expected("the name of a bone, or a list of names", key);
  first->path = key;
  return std::unexpected(std::move(*first));
}

Result<Collider> collider(const Json& json, const Skeleton& skeleton) {
  if (!json["shape"].is_text()) return expected("an object with a 'shape', sphere or capsule", "");
  for (const auto& [key, value] : json.members())
    if (std::ranges::find(kColliderKeys, std::string_view(key)) == kColliderKeys.end())
      return fail(ErrorCode::NotFound, "unknown key" + known_instead(key, kColliderKeys), kNoOffset, key);
  const std::string& shape = json["shape"].text();
  const bool is_capsule = shape == "capsule";
  if (!is_capsule && shape != "sphere")
    return fail(ErrorCode::NotFound, "unknown shape '" + shape + "'" + known_instead(shape, kShapes), kNoOffset,
                "shape");
  for (const char* key : {"from", "to"})
    if (!is_capsule && json.contains(key)) return fail(ErrorCode::Malformed, "only a capsule has it", kNoOffset, key);
  if (is_capsule && json.contains("center"))
    return fail(ErrorCode::Malformed, "only a sphere has it; a capsule has 'from' and 'to'", kNoOffset, "center");
  if (!json.contains("bone")) return expected("the name of a bone", "bone");
  const auto radius = static_cast<float>(json["radius"].number());
  if (!(radius > 0.0f) || !std::isfinite(radius)) return expected("a positive number, in metres", "radius");
  Collider out{.radius = radius};
  const char* first = is_capsule ? "from" : "center";
  if (json.contains(first)) {
    MARROW_TRY(out.from, point(json[first], first));
  }
  out.to = out.from;
  if (is_capsule) {
    if (!json.contains("to")) return expected("the other end: a bone, or a point in the space of this one", "to");
    const Json& to = json["to"];
    const bool is_point = !to.items().empty() && to.items().front().is_number();
    if (is_point) {
      MARROW_TRY(out.to, point(to, "to"));
    } else {
      MARROW_TRY(out.to_bone, bone(to, skeleton, "to"));
      out.to = Vec3(0.0f);
    }
  }
  MARROW_TRY(out.bone, bone(json["bone"], skeleton, "bone"));
  return out;
}

}  // namespace

Result<void> read_colliders(const Json& list, Rig& rig) {
  if (!list.is_array()) return expected("a list", "colliders");
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto one = collider(list.items()[i], rig.skeleton);
    if (one) {
      rig.colliders.push_back(*one);
      continue;
    }
    Error error = std::move(one.error());
    // What stands in a file for many skeletons need not be on all of them.
    const bool is_missing_bone = error.code == ErrorCode::NotFound && (error.path == "bone" || error.path == "to");
    if (is_missing_bone && list.items()[i]["optional"].boolean()) continue;
    const std::string path = "colliders[" + std::to_string(i) + "]";
    error.path = error.path.empty() ? path : path + "." + error.path;
    return std::unexpected(std::move(error));
  }
  return {};
}

}  // namespace marrow::motion
