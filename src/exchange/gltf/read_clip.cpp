// SPDX-License-Identifier: MIT
#include "exchange/gltf/read_clip.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include <glm/geometric.hpp>

#include "core/try.h"
#include "exchange/gltf/key_grid.h"
#include "exchange/gltf/sampler.h"
#include "exchange/gltf/space.h"
#include "exchange/gltf/write_clip.h"
#include "marrow/model/pose.h"

namespace marrow::gltf {
namespace {

// The animated properties of one node.
struct NodeMotion {
  std::optional<Sampler> translation, rotation, scale;

  Transform at(float time, Transform local) const {
    if (translation) {
      const auto v = translation->at(time);
      local.translation = {v[0], v[1], v[2]};
    }
    if (rotation) {
      const auto v = rotation->at(time);
      local.rotation = make_quat(v[0], v[1], v[2], v[3]);
      const float length = glm::length(local.rotation);
      if (!(length > 1e-6f))
        local.rotation = make_quat(0, 0, 0, 1);
      else if (std::abs(length - 1.0f) > 1e-3f)
        local.rotation = glm::normalize(local.rotation);
    }
    if (scale) {
      const auto v = scale->at(time);
      local.scale = {v[0], v[1], v[2]};
    }
    return local;
  }
};

struct Motion {
  std::unordered_map<std::size_t, NodeMotion> nodes;
  float first = std::numeric_limits<float>::max(), last = 0.0f;
  bool any = false;    // a node of the armature is moved
  bool spans = false;  // by more than one key
};

// `ours` is true for nodes of the armature.
Result<Motion> read_motion(const tinygltf::Model& model, std::size_t animation_index, const std::vector<bool>& ours,
                           const Limits& limits) {
  const tinygltf::Animation& animation = model.animations[animation_index];
  const std::size_t node_count = ours.size();
  Motion motion;
  for (std::size_t i = 0; i < animation.channels.size(); ++i) {
    const tinygltf::AnimationChannel& channel = animation.channels[i];
    const std::string path = "animations[" + std::to_string(animation_index) + "].channels[" + std::to_string(i) + "]";
    if (channel.target_node < 0 || channel.target_path == "weights") continue;
    if (static_cast<std::size_t>(channel.target_node) >= node_count)
      return fail(ErrorCode::Malformed, "it moves a node that does not exist", kNoOffset, path);
    const auto node = static_cast<std::size_t>(channel.target_node);
    if (!ours[node]) continue;
    if (channel.sampler < 0 || static_cast<std::size_t>(channel.sampler) >= animation.samplers.size())
      return fail(ErrorCode::Malformed, "its sampler does not exist", kNoOffset, path);
    NodeMotion& target = motion.nodes[node];
    auto* slot = channel.target_path == "translation" ? &target.translation
                 : channel.target_path == "rotation"  ? &target.rotation
                 : channel.target_path == "scale"     ? &target.scale
                                                      : nullptr;
    if (!slot) continue;
    MARROW_TRY(*slot, Sampler::read(model, animation.samplers[static_cast<std::size_t>(channel.sampler)],
                                    slot == &target.rotation ? 4 : 3, limits));
    motion.any = true;
    if ((*slot)->key_count() > 1 || !motion.spans) {
      // A single key does not tell when the clip starts, unless there are no others.
      if ((*slot)->key_count() > 1 && !motion.spans) {
        motion.first = std::numeric_limits<float>::max();
        motion.last = 0.0f;
        motion.spans = true;
      }
      motion.first = std::min(motion.first, (*slot)->first_time());
      motion.last = std::max(motion.last, (*slot)->last_time());
    }
  }
  return motion;
}

constexpr double kDenseRate = 240.0;

void smooth(Motion& motion) {
  for (auto& [node, moved] : motion.nodes)
    for (auto* channel : {&moved.translation, &moved.rotation, &moved.scale})
      if (*channel) (*channel)->smooth();
}

KeyGrid keys_of(const Motion& motion) {
  KeyGrid keys(motion.first);
  for (const auto& [node, moved] : motion.nodes)
    for (const auto* channel : {&moved.translation, &moved.rotation, &moved.scale})
      if (*channel) keys.add((*channel)->times());
  return keys;
}

float rate_of(const Motion& motion, const ReadOptions& options) {
  return options.frame_rate ? *options.frame_rate : keys_of(motion).rate().value_or(kUsualRate);
}

void note_keys_between_frames(const Motion& motion, float rate, const std::string& path, Notes& notes) {
  const KeyGrid keys = keys_of(motion);
  const std::size_t off = keys.off(static_cast<double>(rate));
  if (off == 0) return;
  notes.push_back({std::to_string(off) + " of " + std::to_string(keys.count()) + " keys lie between the frames of " +
                       std::to_string(std::lround(rate)) +
                       " frames per second and are not met exactly; give the rate of the file",
                   kNoOffset, path});
}

// The times at which the frames of a clip are sampled.
struct Timing {
  std::int32_t frame_count = 1;
  float duration_seconds = 0.0f;
  float start = 0.0f;
  bool as_recorded = false;
};

/// More frames than any limit allows, and still a number: `build_clip` refuses them.
constexpr double kTooManyFrames = 1e9;

Timing sampled(const Motion& motion, float frame_rate) {
  Timing timing;
  timing.start = motion.first;
  const double frames = std::round(static_cast<double>(motion.last - motion.first) * frame_rate);
  timing.frame_count = static_cast<std::int32_t>(std::min(frames, kTooManyFrames)) + 1;
  timing.duration_seconds = static_cast<float>(timing.frame_count - 1) / frame_rate;
  return timing;
}

// Frames from the first key to the last, at a multiple of their rate.
Timing densely_sampled(const Motion& motion, float key_rate, std::size_t most_frames) {
  const double length = static_cast<double>(motion.last - motion.first);
  const double keys = std::max(std::round(length * static_cast<double>(key_rate)), 1.0);
  double frames = keys * std::ceil(kDenseRate / static_cast<double>(key_rate) - 1e-3);
  if (frames > static_cast<double>(most_frames)) frames = keys;
  if (!(length > 0.0)) frames = 0.0;
  return {.frame_count = static_cast<std::int32_t>(std::min(frames, kTooManyFrames)) + 1,
          .duration_seconds = motion.last - motion.first,
          .start = motion.first};
}

// If the keys span the recorded time, the recorded frames are used. Programs that count from frame 1 leave out the
// first frame or shift all frames.
Timing timing_of(const Motion& motion, const ClipRecord* record, float frame_rate) {
  if (!record) return sampled(motion, frame_rate);
  const Clip& clip = record->clip;
  const float length = frame_time(clip, clip.frame_count - 1);
  const float step = clip.frame_count > 1 ? length / static_cast<float>(clip.frame_count - 1) : 1.0f / frame_rate;
  Timing timing{clip.frame_count, clip.duration_seconds, 0.0f, true};
  if (!motion.spans || (std::abs(motion.last - length) <= 0.5f * step && motion.first <= 1.5f * step)) return timing;
  if (std::abs(motion.last - motion.first - length) <= 0.5f * step) {
    timing.start = motion.first;
    return timing;
  }
  return sampled(motion, length > 0.0f ? 1.0f / step : frame_rate);
}

// Computes the local pose of the returned skeleton at a time.
class PoseReader {
 public:
  PoseReader(const NodeTree& tree, const FoundArmature& armature, const Motion& motion)
      : tree_(tree), armature_(armature), motion_(motion), in_file_(armature.in_file.bones.size()) {
    straight_ = armature.conform.scale == 1.0f &&
                std::ranges::all_of(armature.conform.through, [](bool through) { return through; });
  }

  void at(float time, std::span<Transform> local) {
    for (std::size_t bone = 0; bone < in_file_.size(); ++bone) {
      const auto& chain = armature_.chains[bone];
      for (std::size_t i = 0; i < chain.size(); ++i) {
        const auto moved = motion_.nodes.find(chain[i]);
        Transform part = tree_.nodes[chain[i]].local;
        if (moved != motion_.nodes.end()) part = moved->second.at(time, part);
        in_file_[bone] = i == 0 ? part : in_file_[bone] * part;
      }
    }
    if (straight_)
      for (std::size_t i = 0; i < local.size(); ++i) local[i] = in_file_[*armature_.conform.source[i]];
    else
      apply_conform(armature_.conform, armature_.in_file, armature_.result.skeleton, in_file_, local);
  }

 private:
  const NodeTree& tree_;
  const FoundArmature& armature_;
  const Motion& motion_;
  std::vector<Transform> in_file_;
  bool straight_ = false;
};

constexpr std::size_t kNoTrackBone = static_cast<std::size_t>(-1);

std::size_t bone_of_track(const Clip& clip, std::size_t track, std::size_t bone_count) {
  const std::int64_t bone = marrow::bone_of_track(clip, track);
  return bone >= 0 && bone < static_cast<std::int64_t>(bone_count) ? static_cast<std::size_t>(bone) : kNoTrackBone;
}

// Changes the length of per-frame values, repeating the last value.
template <class T>
void stretch(std::vector<T>& values, std::size_t width, std::size_t frames) {
  if (width == 0 || values.size() == width * frames || values.empty()) return;
  const std::size_t had = values.size() / width;
  std::vector<T> out;
  for (std::size_t frame = 0; frame < frames; ++frame)
    for (std::size_t i = 0; i < width; ++i) out.push_back(values[std::min(frame, had - 1) * width + i]);
  values = std::move(out);
}

// Undoes what the writer did to show root motion in the bones.
void unbake(const Clip& clip, const ClipRecord& record, const Skeleton& skeleton, std::size_t frame,
            std::span<Transform> pose) {
  if (record.root_motion_as != RootMotionAs::Bake) return;
  const Transform back = inverse(motion_at(clip, frame));
  for (std::size_t bone = 0; bone < pose.size(); ++bone)
    if (skeleton.bones[bone].parent == kNoBone) pose[bone] = back * pose[bone];
}

// Takes root motion from the root node, if the file shows it there and it was changed.
void read_root_node(const NodeTree& tree, const FoundArmature& armature, const Motion& motion, const Timing& timing,
                    const ClipRecord& record, Clip& clip, const std::string& path, Notes& notes) {
  const auto moved = motion.nodes.find(armature.root);
  if (record.root_motion_as != RootMotionAs::Node || armature.root == kNoNode || moved == motion.nodes.end() ||
      !clip.root_motion)
    return;
  const Record& own = *armature.record;
  const Transform back = inverse(game_to_file(own.units, own.metres_per_unit));
  const float size = skeleton_size(armature.result.skeleton);
  RootMotion changed = *clip.root_motion;
  changed.samples.clear();
  bool is_changed = false, is_tilted = false;
  for (std::size_t f = 0; f < static_cast<std::size_t>(clip.frame_count); ++f) {
    const float at = frame_time(clip, static_cast<std::int32_t>(f));
    const Transform now = back * moved->second.at(timing.start + at, tree.nodes[armature.root].local);
    const Transform before = motion_at(clip, f);
    is_changed = is_changed || glm::length(now.translation - before.translation) > 1e-4f * size ||
                 angle_degrees(now.rotation, before.rotation) > 0.01f;
    const Vec3 up = glm::normalize(Vec3(changed.up));
    float turn = 2.0f * std::atan2(glm::dot(Vec3(now.rotation.x, now.rotation.y, now.rotation.z), up), now.rotation.w);
    is_tilted = is_tilted || angle_degrees(now.rotation, glm::angleAxis(turn, up)) > 0.1f;
    // Turns add up over the clip instead of starting anew after half a circle.
    constexpr float kCircle = 6.28318531f;
    const float last = changed.samples.empty() ? 0.0f : changed.samples.back().w;
    turn -= kCircle * std::round((turn - last) / kCircle);
    changed.samples.emplace_back(now.translation, turn);
  }
  if (!is_changed) return;
  if (is_tilted)
    notes.push_back({"the root node tilts, which root motion cannot; only its turn is kept", kNoOffset, path});
  changed.duration_seconds = clip.duration_seconds;
  clip.root_motion = std::move(changed);
}

// A channel that was constant stays constant, if the other program only added rounding errors.
void settle(Clip& clip, const ClipRecord& record, const Skeleton& skeleton) {
  const float size = skeleton_size(skeleton);
  const auto tracks = static_cast<std::size_t>(clip.track_count);
  for (std::size_t track = 0; track < std::min(tracks, record.constant.size()); ++track) {
    const int constant = record.constant[track] - '0';
    const Transform first = clip.transforms[track];
    const std::size_t bone = bone_of_track(clip, track, skeleton.bones.size());
    bool still[3] = {(constant & 1) != 0, (constant & 2) != 0, (constant & 4) != 0};
    for (std::size_t i = track; i < clip.transforms.size(); i += tracks) {
      const Transform& t = clip.transforms[i];
      still[0] = still[0] && glm::length(t.translation - first.translation) <= 1e-5f * size;
      still[1] = still[1] && angle_degrees(t.rotation, first.rotation) <= 0.005f;
      still[2] = still[2] && glm::length(t.scale - first.scale) <= 1e-4f;
    }
    Transform value = first;
    if (bone != kNoTrackBone && clip.blend_hint == BlendHint::Normal) {
      const Transform& rest = skeleton.bones[bone].rest;
      if (glm::length(first.translation - rest.translation) <= 1e-5f * size) value.translation = rest.translation;
      if (angle_degrees(first.rotation, rest.rotation) <= 0.002f) value.rotation = rest.rotation;
      if (glm::length(first.scale - rest.scale) <= 1e-4f) value.scale = rest.scale;
    }
    for (std::size_t i = track; i < clip.transforms.size(); i += tracks) {
      if (still[0]) clip.transforms[i].translation = value.translation;
      if (still[1]) clip.transforms[i].rotation = value.rotation;
      if (still[2]) clip.transforms[i].scale = value.scale;
    }
  }
}

Result<Clip> build_clip(const NodeTree& tree, const FoundArmature& armature, const Motion& motion,
                        const ClipRecord* record, const ReadOptions& options, const std::string& path, Notes& notes) {
  const Skeleton& skeleton = armature.result.skeleton;
  const std::size_t most_frames =
      options.limits.left() / sizeof(Transform) / std::max<std::size_t>(skeleton.bones.size(), 1);
  const Timing timing = options.dense && !record ? densely_sampled(motion, rate_of(motion, options), most_frames)
                                                 : timing_of(motion, record, rate_of(motion, options));
  if (!options.dense && !record) note_keys_between_frames(motion, rate_of(motion, options), path, notes);
  Clip clip;
  if (record)
    clip = record->clip;
  else {
    clip.skeleton_name = skeleton.name;
    clip.track_count = static_cast<std::int32_t>(skeleton.bones.size());
  }
  const auto frames = static_cast<std::size_t>(timing.frame_count);
  const auto tracks = static_cast<std::size_t>(clip.track_count);
  if (!std::isfinite(timing.start) || !std::isfinite(timing.duration_seconds) || timing.frame_count < 1 ||
      !options.limits.charge(frames, sizeof(Transform) * std::max<std::size_t>(tracks, 1)))
    return fail(ErrorCode::LimitExceeded, "the animation is too long", kNoOffset, path);
  if (record && !timing.as_recorded)
    notes.push_back({"the clip had " + std::to_string(clip.frame_count) + " frames and now has " +
                         std::to_string(timing.frame_count),
                     kNoOffset, path});
  stretch(clip.floats, static_cast<std::size_t>(clip.float_track_count), frames);
  if (clip.root_motion && !timing.as_recorded) {
    stretch(clip.root_motion->samples, 1, frames);
    clip.root_motion->duration_seconds = timing.duration_seconds;
  }
  clip.frame_count = timing.frame_count;
  clip.duration_seconds = timing.duration_seconds;
  clip.transforms.resize(frames * tracks);

  PoseReader reader(tree, armature, motion);
  std::vector<Transform> pose(skeleton.bones.size());
  for (std::size_t frame = 0; frame < frames; ++frame) {
    const float at = frame_time(clip, static_cast<std::int32_t>(frame));
    reader.at(timing.start == 0.0f ? at : timing.start + at, pose);
    if (record) unbake(clip, *record, skeleton, frame, pose);
    for (std::size_t track = 0; track < tracks; ++track) {
      Transform& value = clip.transforms[frame * tracks + track];
      const std::size_t bone = bone_of_track(clip, track, skeleton.bones.size());
      const auto loose =
          record ? record->loose.find(static_cast<std::int32_t>(track)) : decltype(record->loose.end()){};
      if (record && loose != record->loose.end()) {
        value = loose->second[std::min(frame, loose->second.size() - 1)];
      } else if (bone != kNoTrackBone) {
        value = pose[bone];
        if (clip.blend_hint != BlendHint::Normal)
          value = additive_value(additive_base(skeleton.bones[bone].rest), value);
      }
    }
  }
  if (record) {
    settle(clip, *record, skeleton);
    read_root_node(tree, armature, motion, timing, *record, clip, path, notes);
  }
  return clip;
}

// Programs append the armature's name to the clip's, or number it.
bool is_same_clip(const std::string& animation, const std::string& recorded) {
  if (!animation.starts_with(recorded)) return false;
  return animation.size() == recorded.size() || animation[recorded.size()] == '_' || animation[recorded.size()] == '.';
}

}  // namespace

Result<std::vector<NamedClip>> read_clips(const tinygltf::Model& model, const NodeTree& tree,
                                          const FoundArmature& armature, const ReadOptions& options, Notes& notes) {
  std::vector<NamedClip> clips;
  std::vector<bool> ours(tree.nodes.size(), false);
  for (const auto& chain : armature.chains)
    for (const std::size_t node : chain) ours[node] = true;
  // A root node moves only to show root motion.
  if (armature.root != kNoNode && armature.record)
    for (const auto& [name, clip] : armature.record->clips)
      if (clip.root_motion_as == RootMotionAs::Node) ours[armature.root] = true;
  std::vector<bool> used(armature.record ? armature.record->clips.size() : 0, false);
  const auto record_name = [&](std::size_t i) -> const std::string& { return armature.record->clips[i].first; };
  // Names that are still the same come first, so that `walk_fast` is never taken for a numbered `walk`; of several that
  // begin a name, the longest is meant.
  std::vector<std::size_t> record_of(model.animations.size(), used.size());
  const auto assign = [&](std::size_t animation, std::size_t record) {
    if (record >= used.size()) return;
    record_of[animation] = record;
    used[record] = true;
  };
  for (std::size_t i = 0; i < model.animations.size(); ++i) {
    std::size_t same = 0;
    while (same < used.size() && (used[same] || record_name(same) != model.animations[i].name)) ++same;
    assign(i, same);
  }
  for (std::size_t i = 0; i < model.animations.size(); ++i) {
    if (record_of[i] < used.size()) continue;
    std::size_t longest = used.size();
    for (std::size_t k = 0; k < used.size(); ++k)
      if (!used[k] && is_same_clip(model.animations[i].name, record_name(k)) &&
          (longest == used.size() || record_name(k).size() > record_name(longest).size()))
        longest = k;
    assign(i, longest);
  }
  if (used.size() == 1 && model.animations.size() == 1) assign(0, 0);
  for (std::size_t i = 0; i < model.animations.size(); ++i) {
    const std::string& name = model.animations[i].name;
    const std::string path = "animations[" + std::to_string(i) + "] \"" + name + "\"";
    MARROW_TRY(Motion motion, read_motion(model, i, ours, options.limits));
    const std::size_t at = record_of[i];
    const bool recorded = at < used.size();
    if (!motion.any && !recorded) continue;
    const ClipRecord* record = recorded ? &armature.record->clips[at].second : nullptr;
    const bool is_dense = options.dense && !record;
    if (is_dense) smooth(motion);
    MARROW_TRY(Clip clip, build_clip(tree, armature, motion, record, options, path, notes));
    NamedClip& named = clips.emplace_back(
        NamedClip{.name = recorded ? armature.record->clips[at].first : name, .clip = std::move(clip)});
    if (is_dense) named.key_rate = rate_of(motion, options);
    if (!record) continue;
    named.spline = record->spline;
    named.file = record->file;
    named.places = record->places;
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i])
      notes.push_back({"the clip is in the record but not among the animations; it is left out", kNoOffset,
                       "clip \"" + armature.record->clips[i].first + "\""});
  return clips;
}

}  // namespace marrow::gltf
