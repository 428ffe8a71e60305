// SPDX-License-Identifier: MIT
#include "ops/body/posed.h"

#include <glm/geometric.hpp>

#include "core/try.h"
#include "marrow/model/pose.h"
#include "marrow/model/skinning.h"
#include "ops/body/surface.h"

namespace marrow {
namespace {

Mat4 bone_matrix(std::span<const Transform> model, std::int32_t bone) {
  return bone == kNoBone || static_cast<std::size_t>(bone) >= model.size()
             ? Mat4(1.0f)
             : matrix_of(model[static_cast<std::size_t>(bone)]);
}

Result<PosedShape> posed(const DocumentBody& body, std::span<const Transform> model) {
  const BodyShape& shape = body.shape;
  const std::size_t count = shape.positions.size();
  MARROW_CHECK(validate(shape));
  PosedShape out{.body = &body};
  out.positions.resize(count);
  const bool has_normals = shape.normals.size() == count;
  if (has_normals) out.normals.resize(count);
  if (shape.is_skinned && shape.weights.size() == count) {
    std::vector<Mat4> bones;
    for (std::size_t i = 0; i < shape.bones.size(); ++i)
      bones.push_back(bone_matrix(model, i < body.rig_bones.size() ? body.rig_bones[i] : kNoBone) *
                      matrix_of(shape.bones[i].bind));
    const SkinningJob job{.bones = bones,
                          .positions = shape.positions,
                          .weights = shape.weights,
                          .moved = out.positions,
                          .normals = has_normals ? std::span<const Vec3>(shape.normals) : std::span<const Vec3>(),
                          .turned = out.normals};
    MARROW_CHECK(job.validate());
    job.run();
  } else {
    const Mat4 place = bone_matrix(model, body.rig_parent) * body.place;
    for (std::size_t i = 0; i < count; ++i) {
      out.positions[i] = Vec3(place * Vec4(shape.positions[i], 1.0f));
      if (has_normals) out.normals[i] = Vec3(place * Vec4(shape.normals[i], 0.0f));
    }
  }
  if (!has_normals) out.normals = smooth_normals_of(shape.triangles, out.positions);
  return out;
}

}  // namespace

Result<std::vector<PosedShape>> posed_bodies(const Document& document, std::span<const Transform> model) {
  std::vector<PosedShape> shapes;
  for (const DocumentBody& body : document.bodies) {
    if (body.shape.triangles.empty()) continue;
    auto shape = posed(body, model);
    if (!shape) {
      shape.error().path = "shape '" + body.shape.name + "'";
      return std::unexpected(std::move(shape.error()));
    }
    shapes.push_back(std::move(*shape));
  }
  return shapes;
}

Result<std::vector<Transform>> rig_pose(const Skeleton& rig, const DocumentClip* clip, double frame,
                                        const Limits& limits) {
  std::vector<Transform> pose;
  for (const Bone& bone : rig.bones) pose.push_back(bone.rest);
  if (clip) {
    DocumentClip decoded = *clip;
    MARROW_CHECK(decode_frames(decoded, limits));
    MARROW_CHECK(validate(decoded.clip));
    if (decoded.clip.frame_count < 1) return fail(ErrorCode::NoClip, "the clip has no frames");
    if (frame > decoded.clip.frame_count - 1)
      return fail(ErrorCode::BadOption, "the clip ends at frame " + std::to_string(decoded.clip.frame_count - 1),
                  kNoOffset, "frame");
    std::vector<Transform> tracks(static_cast<std::size_t>(decoded.clip.track_count));
    sample_frame(decoded.clip, frame, tracks);
    pose_from_frame(rig, decoded.clip, tracks, pose);
  }
  local_to_model(rig, pose, pose);
  return pose;
}

}  // namespace marrow
