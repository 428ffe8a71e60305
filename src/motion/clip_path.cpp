// SPDX-License-Identifier: MIT
#include "motion/clip_path.h"

#include "model/cubic_path.h"
#include "motion/clip_time.h"

namespace marrow::motion {
namespace {

// What takes longer is a way that was made, however far it goes.
constexpr double kLongestJump = 0.1;  // seconds

// The frames of one track.
struct Track {
  const Clip& clip;
  std::size_t index;
  double span;  // seconds from frame to frame
  double jump;

  const Transform& frame(std::size_t f) const {
    return clip.transforms[f * static_cast<std::size_t>(clip.track_count) + index];
  }
  std::size_t count() const { return static_cast<std::size_t>(clip.frame_count); }
  bool joined(std::size_t f) const {
    const DVec way = DVec(frame(f + 1).translation) - DVec(frame(f).translation);
    return span > kLongestJump || glm::dot(way, way) <= jump * jump;
  }
};

// One channel of a track, as `key_speed` wants it. `Value` makes a dvec4 of a transform.
template <class Value>
struct TrackChannel {
  const Track& track;
  Value value_of;

  std::size_t count() const { return track.count(); }
  double seconds(std::size_t f) const { return static_cast<double>(f) * track.span; }
  glm::dvec4 value(std::size_t f) const { return value_of(track.frame(f)); }
  bool joined(std::size_t f) const { return track.joined(f); }

  // Between a frame and the next.
  glm::dvec4 at(std::size_t f, double share) const {
    const glm::dvec4 a = value(f), b = value(f + 1);
    // The usual case: most channels of a clip do not move.
    if (a == b && value(f > 0 ? f - 1 : count() - 2) == a && value(f + 2 < count() ? f + 2 : 1) == a) return a;
    return on_cubic(a, b, key_speed(*this, f), key_speed(*this, f + 1), track.span, share);
  }
};

Transform between(const Track& track, std::size_t f, double share) {
  const Transform& low = track.frame(f);
  if (!track.joined(f)) return low;
  const auto place = [](const Transform& t) { return glm::dvec4(DVec(t.translation), 0.0); };
  const auto size = [](const Transform& t) { return glm::dvec4(DVec(t.scale), 0.0); };
  // Both signs are the same rotation: the one on the side of the lower frame is the near one.
  const glm::dvec4 side(low.rotation.x, low.rotation.y, low.rotation.z, low.rotation.w);
  const auto turn = [&](const Transform& t) {
    const glm::dvec4 q(t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w);
    return glm::dot(q, side) < 0.0 ? -q : q;
  };
  const glm::dvec4 q = TrackChannel{track, turn}.at(f, share);
  return {Vec3(TrackChannel{track, place}.at(f, share)), to_float(unit(DQuat(q.w, q.x, q.y, q.z))),
          Vec3(TrackChannel{track, size}.at(f, share))};
}

}  // namespace

ClipPath::ClipPath(const Skeleton& skeleton, const Clip& clip, double jump)
    : skeleton_(skeleton), clip_(clip), jump_(jump) {}

void ClipPath::at(double seconds, std::span<Transform> local, const std::vector<bool>* bones) const {
  for (std::size_t i = 0; i < local.size(); ++i)
    if (!bones || (*bones)[i]) local[i] = skeleton_.bones[i].rest;
  if (clip_.frame_count < 1) return;
  const auto frames = static_cast<std::size_t>(clip_.frame_count);
  const ClipPlace place = place_of(frames, clip_.duration_seconds, seconds);
  const double span = frames > 1 ? static_cast<double>(clip_.duration_seconds) / static_cast<double>(frames - 1) : 0.0;
  for (std::size_t t = 0; t < static_cast<std::size_t>(clip_.track_count); ++t) {
    const std::int64_t bone = bone_of_track(clip_, t);
    if (bone < 0 || bone >= static_cast<std::int64_t>(local.size())) continue;
    if (bones && !(*bones)[static_cast<std::size_t>(bone)]) continue;
    const Track track{clip_, t, span, jump_};
    Transform& out = local[static_cast<std::size_t>(bone)];
    if (place.share <= 0.0)
      out = track.frame(place.frame0);
    else if (place.share >= 1.0)
      out = track.frame(place.frame1);
    else
      out = between(track, place.frame0, place.share);
  }
}

}  // namespace marrow::motion
