// SPDX-License-Identifier: MIT
/// Motion as another program keeps it: bones, and curves that have a value at any time, in that program's own axes and
/// units. It becomes a skeleton and clips of the model here, by one rule for all formats.
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow {

struct SourceBone {
  std::string name;
  std::int32_t parent = kNoBone;      ///< always smaller than the bone's own index
  Transform local = {};               ///< where the file has it outside of any clip
  Transform bind = {};                ///< its rest pose, local to the parent; of a root with the holders above it
  bool has_bind = false;              ///< false: the file has no bind pose for it, and `bind` is `local`
  bool ignores_parent_scale = false;  ///< the file says so; the model's bones never do

  bool operator==(const SourceBone&) const = default;
};

struct SourceClip {
  std::string name = {};
  double start_seconds = 0.0;
  double end_seconds = 0.0;
  double frames_per_second = 30.0;
  std::int32_t frame_count = 0;  ///< at the file's rate

  bool operator==(const SourceClip&) const = default;

  double duration_seconds() const { return end_seconds - start_seconds; }
};

/// A mesh with the bones that bend it.
struct SourceMesh {
  struct Influence {
    std::uint32_t vertex = 0;
    float weight = 0.0f;

    bool operator==(const Influence&) const = default;
  };
  struct Binding {
    std::int32_t bone = kNoBone;
    std::vector<Influence> influences;

    bool operator==(const Binding&) const = default;
  };

  std::string name;
  std::int32_t bone = kNoBone;      ///< that it hangs on if nothing bends it
  std::vector<Vec3> vertices = {};  ///< in the mesh's own space
  std::vector<std::vector<std::uint32_t>> polygons = {};
  std::vector<Vec3> normals = {};   ///< one per corner of the polygons, in their order; empty: none
  std::vector<glm::vec2> uvs = {};  ///< likewise; V points up
  glm::mat4 place{1.0f};            ///< to the space of the file when it was bound, or as the file has it
  std::vector<Binding> bindings = {};

  bool operator==(const SourceMesh&) const = default;

  std::size_t triangle_count() const;
};

/// How a file's axes and units become those of the model (Z up, facing -Y, game units).
struct SourceSpace {
  std::string up_axis = "y";  ///< `-z` for a negative one
  Quat turn = make_quat(0, 0, 0, 1);
  double centimetres_per_unit = 1.0;
  bool is_left_handed = false;  ///< no turn takes such axes to the model's: only the file's own values can be shown
  bool states_unit = true;      ///< false: the file does not say how long its unit is, and it is taken as a centimetre

  bool operator==(const SourceSpace&) const = default;
};

/// The pose of a source at one time.
struct SourcePose {
  std::vector<Transform> local;   ///< one per bone, as in the file
  std::vector<Transform> holder;  ///< one per bone: what lies above a root bone; identity for all others
};

class MotionSource {
 public:
  virtual ~MotionSource() = default;

  std::string name;
  std::optional<std::uint32_t> version = {};
  SourceSpace space = {};
  std::vector<SourceBone> bones = {};
  std::vector<SourceClip> clips = {};
  std::vector<SourceMesh> meshes = {};

  /// Writes the pose of a clip at a time in seconds, counted from the start of the file's own clock.
  virtual void evaluate(std::size_t clip, double seconds, SourcePose& pose) const = 0;
};

/// The rest pose that a skeleton is made with.
enum class SourceRest : std::uint8_t {
  Bind,        ///< the bind pose if the file has one, else the bones as the file has them
  File,        ///< the bones as the file has them
  FirstFrame,  ///< the first frame of the first clip
  Offsets,     ///< BVH: the offsets of the joints; the same as `File`
};

struct SourceOptions {
  double units_per_centimetre = 1.0 / 1.428;  ///< of the result
  std::optional<double> scale = {};           ///< units of the result per unit of the file; overrides the above
  SourceRest rest = SourceRest::Bind;

  bool operator==(const SourceOptions&) const = default;
};

/// Returns the bones as a skeleton of the model. Names that occur twice get a number, with a note.
Skeleton skeleton_from(const MotionSource& source, const SourceOptions& options, Notes& notes);

/// Returns a clip sampled at `frames_per_second`; track i moves bone i. Fails with `LimitExceeded` if its frames take
/// more memory than allowed.
Result<Clip> clip_from(const MotionSource& source, std::size_t clip, double frames_per_second,
                       const SourceOptions& options, const Limits& limits);

/// Returns the length of a unit of the file in those of the result.
double units_per_source_unit(const MotionSource& source, const SourceOptions& options);

/// Writes one pose in the model's axes and units.
void pose_from(const MotionSource& source, const SourcePose& pose, const SourceOptions& options,
               std::span<Transform> local);

/// Returns how many frames a clip has at a rate: its first and last moment, and every step between.
std::int32_t frames_at(const SourceClip& clip, double frames_per_second);

}  // namespace marrow
