// SPDX-License-Identifier: MIT
// Mirroring of a pose, derived once for bones of any orientation.
//
// Let S be the reflection in X, R a model-space rotation, m the partner of b. The mirrored rotation of b is S R_m S up
// to a constant rotation on the right, K_b, which maps the mirrored rest pose to the rest pose: K_b = (S R_m S)^-1 R_b
// at rest. With p the parent, local rotations become K_p^-1 (S L_m S) K_b and local translations K_p^-1 S t_m, plus the
// difference of the two rest poses. K_m undoes K_b, so that mirroring twice is the identity.
//
// The sides of many rigs differ by a degree or two at rest, such as the legs of Fallout 4's human. There K_b is made
// the exact turn between the axes: then joints are mirrored exactly, bones keep their lengths, and codes map to codes.
#include "motion/edit/mirror.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "codec/map_channel.h"
#include "core/try.h"
#include "model/named_bone.h"
#include "motion/math.h"

namespace marrow::motion {
namespace {

DVec reflect(const DVec& v) { return {-v.x, v.y, v.z}; }
DQuat reflect(const DQuat& q) { return DQuat(q.w, q.x, -q.y, -q.z); }

// Returns the nearest of the 24 turns that take axes to axes, if it is near.
DQuat aligned(const DQuat& q) {
  const double near = std::cos(1.0 * kRadians);  // half of 2 degrees
  DQuat best = q;
  double closest = near;
  for (int code = 0; code < 81; ++code) {
    const DQuat raw(code / 27 - 1, code / 9 % 3 - 1, code / 3 % 3 - 1, code % 3 - 1);
    const double square = glm::dot(raw, raw);
    if (square != 1.0 && square != 2.0 && square != 4.0) continue;
    const DQuat turn = raw / std::sqrt(square);
    if (const double cosine = glm::dot(turn, q); cosine > closest) {
      closest = cosine;
      best = turn;
    }
  }
  return best;
}

struct MirroredBone {
  std::int32_t source = kNoBone;  // the bone whose motion it takes; kNoBone: its own motion, unchanged
  DQuat parent_turn{1, 0, 0, 0};  // K_p^-1
  DQuat turn{1, 0, 0, 0};         // K_b
  DVec shift{0.0};
};

std::vector<MirroredBone> prepare(const Skeleton& skeleton, const MirrorMap& map, Notes* notes) {
  const auto& bones = skeleton.bones;
  std::vector<DQuat> model(bones.size()), turn(bones.size());
  const auto at = [](const auto& list, std::int32_t index) -> auto& { return list[static_cast<std::size_t>(index)]; };
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const DQuat local = placement(bones[i].rest, 1.0).rot;
    model[i] = bones[i].parent == kNoBone ? local : at(model, bones[i].parent) * local;
  }
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const std::int32_t partner = map.partner[i];
    if (partner != kNoBone) turn[i] = aligned(glm::conjugate(reflect(at(model, partner))) * model[i]);
  }
  std::vector<MirroredBone> mirrored(bones.size());
  std::string one_sided;
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const std::int32_t partner = map.partner[i], parent = bones[i].parent;
    if (partner == kNoBone) continue;
    const std::int32_t partner_parent = at(bones, partner).parent;
    const bool fits = parent == kNoBone ? partner_parent == kNoBone : at(map.partner, parent) == partner_parent;
    if (!fits) {
      one_sided += (one_sided.empty() ? "" : ", ") + bones[i].name;
      continue;
    }
    MirroredBone& m = mirrored[i];
    m.source = partner;
    m.turn = turn[i];
    if (parent != kNoBone) m.parent_turn = glm::conjugate(at(turn, parent));
    m.shift = DVec(bones[i].rest.translation) - m.parent_turn * reflect(DVec(at(bones, partner).rest.translation));
  }
  if (notes && !one_sided.empty())
    notes->push_back({"bones that exist on one side only keep their own motion: " + one_sided, kNoOffset, {}});
  return mirrored;
}

Transform mirror_local(const MirroredBone& m, const Transform& source, bool additive) {
  const Placement p = placement(source, 1.0);
  const DQuat before = additive ? glm::conjugate(m.turn) : m.parent_turn;
  const DVec shift = additive ? DVec(0.0) : m.shift;
  Transform out = source;
  out.rotation = to_float(unit(before * reflect(p.rot) * m.turn));
  out.translation = Vec3(m.parent_turn * reflect(p.pos) + shift);
  return out;
}

// True for step events: `FootLeft`, `SyncRight`.
bool tells_of_a_step(std::string_view event) {
  const auto has = [&](std::string_view word) { return event.find(word) != std::string_view::npos; };
  return has("Foot") || has("foot") || event == "SyncLeft" || event == "SyncRight";
}

// `FootLeft` becomes `FootRight`; other events keep their names, which the game looks up.
void mirror_events(std::vector<AnnotationTrack>& tracks) {
  for (AnnotationTrack& track : tracks)
    for (Annotation& event : track.annotations)
      if (tells_of_a_step(event.text))
        if (std::string other = other_side(event.text); !other.empty()) event.text = std::move(other);
}

}  // namespace

MirrorMap mirror_by_bones(std::span<const std::int32_t> mirror_bones, std::span<const std::int32_t> mirroring_types) {
  constexpr std::int32_t kNone = 0;
  MirrorMap map;
  for (std::size_t i = 0; i < mirror_bones.size(); ++i) {
    const bool kept = i < mirroring_types.size() && mirroring_types[i] == kNone;
    map.partner.push_back(kept ? kNoBone : mirror_bones[i]);
  }
  for (std::size_t i = 0; i < map.partner.size(); ++i) {
    const std::int32_t partner = map.partner[i];
    if (partner == kNoBone) continue;
    const bool paired = partner >= 0 && static_cast<std::size_t>(partner) < map.partner.size() &&
                        map.partner[static_cast<std::size_t>(partner)] == static_cast<std::int32_t>(i);
    if (!paired) map.partner[i] = static_cast<std::int32_t>(i);
  }
  return map;
}

namespace {

/// What a track of the mirrored clip is made of.
struct MirroredTrack {
  std::int32_t bone = kNoBone;  // that it moves
  std::size_t source = 0;       // the track that it is the image of
  MirroredBone by = {};
};

Result<std::vector<MirroredTrack>> mirrored_tracks(const Clip& clip, const Skeleton& skeleton, const MirrorMap& map,
                                                   Notes* notes) {
  if (map.partner.size() != skeleton.bones.size())
    return fail(ErrorCode::InvalidArgument, "the map of partners belongs to another skeleton");
  const auto tracks = static_cast<std::size_t>(clip.track_count);
  std::vector<std::int32_t> track_of_bone(skeleton.bones.size(), -1);
  for (std::size_t t = 0; t < tracks; ++t) {
    const std::int32_t bone = bone_of_track(clip, t);
    if (bone < 0 || static_cast<std::size_t>(bone) >= skeleton.bones.size())
      return fail(ErrorCode::InvalidArgument,
                  "a track moves bone " + std::to_string(bone) +
                      ", which the skeleton does not have; use the skeleton that the clip was made for");
    track_of_bone[static_cast<std::size_t>(bone)] = static_cast<std::int32_t>(t);
  }
  const std::vector<MirroredBone> mirrored = prepare(skeleton, map, notes);
  std::vector<MirroredTrack> plan(tracks);
  for (std::size_t t = 0; t < tracks; ++t) {
    plan[t] = {.bone = bone_of_track(clip, t), .source = t};
    const std::int32_t partner = mirrored[static_cast<std::size_t>(plan[t].bone)].source;
    if (partner != kNoBone) {
      const std::int32_t partner_track = track_of_bone[static_cast<std::size_t>(partner)];
      if (partner_track >= 0)
        plan[t].source = static_cast<std::size_t>(partner_track);
      else if (mirrored[static_cast<std::size_t>(partner)].source == plan[t].bone)
        plan[t].bone = partner;
    }
    plan[t].by = mirrored[static_cast<std::size_t>(plan[t].bone)];
  }
  return plan;
}

// Entries that are whole but for rounding are made whole: then codes map to codes, and axes that stand still stay so.
double snapped(double entry) {
  const double whole = std::round(entry);
  return std::abs(entry - whole) < 1e-6 ? whole : entry;
}

codec::QuaternionMap rotation_map(const MirroredBone& m, bool additive) {
  const DQuat before = additive ? glm::conjugate(m.turn) : m.parent_turn;
  codec::QuaternionMap map{};
  for (std::size_t column = 0; column < 4; ++column) {
    const auto unit_at = [&](std::size_t i) { return i == column ? 1.0 : 0.0; };
    const DQuat image = before * reflect(DQuat(unit_at(3), unit_at(0), unit_at(1), unit_at(2))) * m.turn;
    const std::array<double, 4> entries = {image.x, image.y, image.z, image.w};
    for (std::size_t row = 0; row < 4; ++row) map[row][column] = snapped(entries[row]);
  }
  return map;
}

codec::VectorMap translation_map(const MirroredBone& m, bool additive) {
  codec::VectorMap map;
  for (std::size_t column = 0; column < 3; ++column) {
    DVec axis(0.0);
    axis[static_cast<int>(column)] = 1.0;
    const DVec image = m.parent_turn * reflect(axis);
    for (std::size_t row = 0; row < 3; ++row) map.linear[row][column] = snapped(image[static_cast<int>(row)]);
  }
  // Rounding errors of a symmetric rest pose would make every still axis a stored one.
  constexpr double kNothing = 1e-5;
  for (std::size_t row = 0; row < 3 && !additive; ++row)
    if (const double shift = m.shift[static_cast<int>(row)]; std::abs(shift) > kNothing) map.shift[row] = shift;
  return map;
}

}  // namespace

Result<Clip> mirror_clip(const Clip& clip, const Skeleton& skeleton, const MirrorMap& map, Notes* notes) {
  MARROW_TRY(const std::vector<MirroredTrack> plan, mirrored_tracks(clip, skeleton, map, notes));
  const std::size_t tracks = plan.size();
  Clip out = clip;
  bool moved = false;
  for (std::size_t t = 0; t < tracks; ++t) moved |= plan[t].bone != bone_of_track(clip, t);
  if (moved) {
    out.track_to_bone.clear();
    for (const MirroredTrack& track : plan) out.track_to_bone.push_back(static_cast<std::int16_t>(track.bone));
    if (notes) notes->push_back({"tracks without a partner now move the bone on the other side", kNoOffset, {}});
  }
  const bool additive = clip.blend_hint != BlendHint::Normal;
  const std::size_t frames = tracks > 0 ? clip.transforms.size() / tracks : 0;
  for (std::size_t base = 0; base < frames * tracks; base += tracks)
    for (std::size_t t = 0; t < tracks; ++t)
      if (plan[t].by.source != kNoBone)
        out.transforms[base + t] = mirror_local(plan[t].by, clip.transforms[base + plan[t].source], additive);
  if (out.root_motion)
    for (Vec4& sample : out.root_motion->samples) sample = {-sample.x, sample.y, sample.z, -sample.w};
  mirror_events(out.annotation_tracks);
  return out;
}

Result<codec::SplineBlob> mirror_spline(const Clip& clip, const codec::SplineBlob& curves, const Skeleton& skeleton,
                                        const MirrorMap& map) {
  MARROW_TRY(const std::vector<MirroredTrack> plan, mirrored_tracks(clip, skeleton, map, nullptr));
  const bool additive = clip.blend_hint != BlendHint::Normal;
  codec::SplineBlob out = curves;
  for (std::size_t b = 0; b < curves.blocks.size(); ++b) {
    if (curves.blocks[b].transforms.size() != plan.size())
      return fail(ErrorCode::InvalidArgument, "the curves belong to another clip");
    for (std::size_t t = 0; t < plan.size(); ++t) {
      if (plan[t].by.source == kNoBone) continue;
      const codec::TransformTrack& source = curves.blocks[b].transforms[plan[t].source];
      out.blocks[b].transforms[t] = {
          .translation = codec::mapped(source.translation, translation_map(plan[t].by, additive), 0.0f),
          .rotation = codec::mapped(source.rotation, rotation_map(plan[t].by, additive)),
          .scale = source.scale};
    }
  }
  return out;
}

}  // namespace marrow::motion
