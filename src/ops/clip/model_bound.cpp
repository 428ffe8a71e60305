// SPDX-License-Identifier: MIT
#include "ops/clip/model_bound.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/try.h"
#include "marrow/codec/compiled_clip.h"
#include "marrow/model/pose.h"

namespace marrow {
namespace {

constexpr int kSamplesPerFrame = 4;
// Errors along a chain rarely add up fully; later rounds correct this first guess.
constexpr double kFirstShare = 0.6;
constexpr int kTighterRounds = 24;
constexpr double kTight = 0.98;
constexpr double kTightestStep = 0.8;
// Bones with this much of the bound left are given more.
constexpr double kRoom = 0.97;
constexpr double kLoosestStep = 1.3;
constexpr int kLooserRounds = 6;

struct Tree {
  std::vector<std::int32_t> track_of_bone;  // kNoBone if no track moves it
};

Tree make_tree(const Skeleton& skeleton, const Clip& clip) {
  Tree tree{std::vector<std::int32_t>(skeleton.bones.size(), kNoBone)};
  for (std::int32_t track = 0; track < clip.track_count; ++track) {
    const auto t = static_cast<std::size_t>(track);
    const std::int32_t bone = bone_of_track(clip, t);
    if (bone >= 0 && static_cast<std::size_t>(bone) < skeleton.bones.size())
      tree.track_of_bone[static_cast<std::size_t>(bone)] = track;
  }
  return tree;
}

// Converts local track poses to model space. An additive clip moves the bones relative to rest instead of replacing the
// rest pose.
class Poser {
 public:
  Poser(const Skeleton& skeleton, const Clip& clip, const Tree& tree)
      : skeleton_(skeleton), tree_(tree), additive_(clip.blend_hint != BlendHint::Normal) {}

  void operator()(std::span<const Transform> tracks, std::span<Transform> model) const {
    for (std::size_t bone = 0; bone < model.size(); ++bone) {
      const std::int32_t track = tree_.track_of_bone[bone];
      const Transform& rest = skeleton_.bones[bone].rest;
      if (track == kNoBone)
        model[bone] = rest;
      else
        model[bone] =
            additive_ ? rest * tracks[static_cast<std::size_t>(track)] : tracks[static_cast<std::size_t>(track)];
    }
    local_to_model(skeleton_, model, model);
  }

 private:
  const Skeleton& skeleton_;
  const Tree& tree_;
  bool additive_;
};

Result<codec::CompiledClip> compile(const codec::SplineBlob& blob) {
  MARROW_TRY(const codec::SplineBlobBytes bytes, write_spline_blob(blob));
  const codec::SplineBlock& block = blob.blocks.front();
  return codec::compile_clip({.frame_count = blob.frame_count,
                              .max_frames_per_block = blob.max_frames_per_block,
                              .transform_track_count = static_cast<std::int64_t>(block.transforms.size()),
                              .float_track_count = static_cast<std::int64_t>(block.floats.size()),
                              .mask_bytes = bytes.mask_bytes,
                              .block_offsets = bytes.block_offsets,
                              .float_block_offsets = bytes.float_block_offsets,
                              .data = bytes.data},
                             0.0, {.max_bytes = std::size_t{1} << 31});
}

class ModelEncoder {
 public:
  ModelEncoder(const ModelBound& bound, const PoseSampler& source, codec::SplineEncoder& encoder)
      : bound_(bound),
        source_(source),
        encoder_(encoder),
        tree_(make_tree(bound.skeleton, bound.clip)),
        poser_(bound.skeleton, bound.clip, tree_),
        tracks_(static_cast<std::size_t>(bound.clip.track_count)),
        model_(bound.skeleton.bones.size()),
        tolerance_(bound.skeleton.bones.size(), bound.ceiling),
        track_errors_(tracks_.size()) {}

  Result<ModelBoundResult> run() {
    set_first_tolerances();
    encode_unbound_tracks();
    MARROW_CHECK(tighten());
    MARROW_CHECK(loosen());
    ModelBoundResult result;
    result.model_error = largest(errors_);
    for (const codec::EncodeErrors& errors : track_errors_) result.errors.include(errors);
    return result;
  }

 private:
  std::size_t parent_of(std::size_t bone) const { return static_cast<std::size_t>(bound_.skeleton.bones[bone].parent); }
  bool has_parent(std::size_t bone) const { return bound_.skeleton.bones[bone].parent != kNoBone; }

  // Returns the distance from each bone to its furthest descendant over the clip, plus the shell around that.
  std::vector<double> reaches() {
    std::vector<double> reach(model_.size(), 0.0);
    for (std::int32_t frame = 0; frame < bound_.clip.frame_count; ++frame) {
      pose(source_, frame);
      for (std::size_t bone = 0; bone < model_.size(); ++bone)
        for (std::size_t above = bone; has_parent(above);) {
          above = parent_of(above);
          const Vec3 offset = model_[bone].translation - model_[above].translation;
          reach[above] = std::max(reach[above], static_cast<double>(glm::length(offset)));
        }
    }
    for (double& distance : reach) distance += bound_.shell_distance;
    return reach;
  }

  void set_first_tolerances() {
    const std::vector<double> reach = reaches();
    for (std::size_t bone = 0; bone < tolerance_.size(); ++bone) {
      const double share = kFirstShare * bound_.max_error, angle = share / std::max(reach[bone], 1e-6);
      codec::Tolerance& tolerance = tolerance_[bone];
      tolerance.rotation_degrees = std::min(tolerance.rotation_degrees, angle * 180.0 / std::numbers::pi);
      tolerance.translation = std::min(tolerance.translation, share);
      tolerance.scale = std::min(tolerance.scale, angle);
    }
  }

  void encode_unbound_tracks() {
    std::vector<bool> bound(tracks_.size(), false);
    for (const std::int32_t track : tree_.track_of_bone)
      if (track != kNoBone) bound[static_cast<std::size_t>(track)] = true;
    for (std::size_t track = 0; track < bound.size(); ++track)
      if (!bound[track]) track_errors_[track] = encoder_.encode_track(track, bound_.elsewhere);
    for (std::size_t track = 0; track < encoder_.float_count(); ++track)
      track_errors_.push_back(encoder_.encode_float(track, bound_.elsewhere));
  }

  void encode(const std::vector<bool>& dirty) {
    for (std::size_t bone = 0; bone < dirty.size(); ++bone)
      if (const std::int32_t track = tree_.track_of_bone[bone]; dirty[bone] && track != kNoBone)
        track_errors_[static_cast<std::size_t>(track)] =
            encoder_.encode_track(static_cast<std::size_t>(track), tolerance_[bone]);
  }

  // Returns the worst error of each bone's shell, measured at six points, over all quarter frames.
  Result<std::vector<double>> measure() {
    MARROW_TRY(const codec::CompiledClip compiled, compile(encoder_.blob()));
    const PoseSampler encoded = [&](double frame, std::span<Transform> tracks) {
      sample_frame(compiled, frame, {reinterpret_cast<float*>(tracks.data()), tracks.size() * codec::kFloatsPerTrack});
    };
    std::vector<double> errors(model_.size(), 0.0);
    std::vector<Transform> before(model_.size());
    for (std::int32_t step = 0; step <= kSamplesPerFrame * (bound_.clip.frame_count - 1); ++step) {
      const double frame = static_cast<double>(step) / kSamplesPerFrame;
      pose(source_, frame);
      before = model_;
      pose(encoded, frame);
      for (std::size_t bone = 0; bone < model_.size(); ++bone)
        errors[bone] = std::max(errors[bone], shell_error(before[bone], model_[bone]));
    }
    return errors;
  }

  double shell_error(const Transform& a, const Transform& b) const {
    const auto reach = static_cast<float>(bound_.shell_distance);
    float worst = 0;
    for (int axis = 0; axis < 3; ++axis)
      for (const float side : {-reach, reach}) {
        Vec3 point(0.0f);
        point[axis] = side;
        const Vec3 moved =
            a.translation + a.rotation * (a.scale * point) - b.translation - b.rotation * (b.scale * point);
        worst = std::max(worst, glm::dot(moved, moved));
      }
    return std::sqrt(static_cast<double>(worst));
  }

  static double largest(const std::vector<double>& errors) {
    return errors.empty() ? 0.0 : *std::ranges::max_element(errors);
  }

  // Returns the largest error of each bone and all below it, to which the bone contributes.
  std::vector<double> largest_below(std::vector<double> errors) const {
    for (std::size_t bone = errors.size(); bone-- > 0;)
      if (has_parent(bone)) errors[parent_of(bone)] = std::max(errors[parent_of(bone)], errors[bone]);
    return errors;
  }

  void scale_tolerance(std::size_t bone, double factor) {
    codec::Tolerance& tolerance = tolerance_[bone];
    const codec::Tolerance& ceiling = bound_.ceiling;
    tolerance.rotation_degrees = std::min(tolerance.rotation_degrees * factor, ceiling.rotation_degrees);
    tolerance.translation = std::min(tolerance.translation * factor, ceiling.translation);
    tolerance.scale = std::min(tolerance.scale * factor, ceiling.scale);
  }

  // Tightens bones that are too far off, and their ancestors, which contribute to the error, until none is.
  Result<void> tighten() {
    std::vector<bool> dirty(tolerance_.size(), true);
    for (int round = 0; round < kTighterRounds; ++round) {
      encode(dirty);
      MARROW_TRY(errors_, measure());
      if (largest(errors_) <= bound_.max_error) break;
      const std::vector<double> worst = largest_below(errors_);
      for (std::size_t bone = 0; bone < worst.size(); ++bone) {
        dirty[bone] = worst[bone] > bound_.max_error;
        if (!dirty[bone]) continue;
        // The last rounds keep the source's own data, which has no error.
        const bool is_late = round + 2 >= kTighterRounds;
        scale_tolerance(bone,
                        is_late ? 0.0 : std::max(kTightestStep, std::sqrt(kTight * bound_.max_error / worst[bone])));
      }
    }
    return {};
  }

  // Gives more to bones that have room left, at themselves and at all bones below.
  Result<void> loosen() {
    std::vector<bool> is_settled(tolerance_.size(), false);
    for (int round = 0; round < kLooserRounds && largest(errors_) <= bound_.max_error; ++round) {
      const std::vector<codec::Tolerance> before = tolerance_;
      const std::vector<double> worst = largest_below(errors_);
      std::vector<bool> changed(worst.size(), false);
      for (std::size_t bone = 0; bone < worst.size(); ++bone) {
        if (is_settled[bone] || worst[bone] >= kRoom * bound_.max_error) continue;
        scale_tolerance(bone, std::min(kLoosestStep, bound_.max_error / std::max(worst[bone], 1e-9)));
        changed[bone] = tolerance_[bone] != before[bone];
      }
      if (std::ranges::find(changed, true) == changed.end()) break;
      encode(changed);
      MARROW_TRY(std::vector<double> errors, measure());
      if (largest(errors) > bound_.max_error) {
        // Takes back what led to it; if that is not enough, the round.
        const std::vector<double> now = largest_below(errors);
        std::vector<bool> taken_back(now.size(), false);
        for (std::size_t bone = 0; bone < now.size(); ++bone) {
          if (now[bone] <= bound_.max_error) continue;
          is_settled[bone] = true;
          taken_back[bone] = changed[bone];
          tolerance_[bone] = before[bone];
        }
        encode(taken_back);
        MARROW_TRY(errors, measure());
        if (largest(errors) > bound_.max_error) {
          tolerance_ = before;
          encode(changed);
          break;
        }
      }
      errors_ = std::move(errors);
    }
    return {};
  }

  void pose(const PoseSampler& sampler, double frame) {
    sampler(frame, tracks_);
    poser_(tracks_, model_);
  }

  const ModelBound& bound_;
  const PoseSampler& source_;
  codec::SplineEncoder& encoder_;
  Tree tree_;
  Poser poser_;
  std::vector<Transform> tracks_, model_;
  std::vector<codec::Tolerance> tolerance_;
  std::vector<codec::EncodeErrors> track_errors_;
  std::vector<double> errors_;  ///< of each bone
};

}  // namespace

Result<ModelBoundResult> encode_within(const ModelBound& bound, const PoseSampler& source,
                                       codec::SplineEncoder& encoder) {
  return ModelEncoder(bound, source, encoder).run();
}

}  // namespace marrow
