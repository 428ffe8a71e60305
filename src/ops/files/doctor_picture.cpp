// SPDX-License-Identifier: MIT
#include "core/try.h"
#include "exchange/gltf/show_bones.h"
#include "image/draw.h"
#include "image/png.h"
#include "marrow/model/pose.h"
#include "ops/body/picture.h"
#include "ops/body/posed.h"
#include "ops/files/doctor.h"

namespace marrow {
namespace {

// Bones as octahedra, at the pose half way through the clip. A root is left out: it only places the figure, and would
// be drawn as a limb from the floor to the hips.
Result<std::vector<std::byte>> draw_bones(const Skeleton& skeleton, const DocumentClip* clip, const Limits& limits) {
  const double middle = clip ? std::max(0, clip->clip.frame_count - 1) / 2 : 0;
  MARROW_TRY(const std::vector<Transform> rest, rig_pose(skeleton, nullptr, 0, limits));
  MARROW_TRY(const std::vector<Transform> pose, rig_pose(skeleton, clip, middle, limits));
  gltf::BoneMesh bones = gltf::make_bone_mesh(skeleton);
  if (bones.positions.empty() || bones.positions.size() > UINT16_MAX) return std::vector<std::byte>{};
  for (std::size_t i = 0; i < bones.positions.size(); ++i) {
    const std::size_t bone = bones.bones[i];
    const Transform moved = pose[bone] * inverse(rest[bone]);
    bones.positions[i] = (moved * Transform{.translation = bones.positions[i]}).translation;
    bones.normals[i] = moved.rotation * bones.normals[i];
  }
  std::vector<std::array<std::uint16_t, 3>> triangles;
  for (std::size_t i = 0; i + 2 < bones.indices.size(); i += 3) {
    const bool is_root = skeleton.bones[bones.bones[bones.indices[i]]].parent == kNoBone;
    if (is_root && skeleton.bones.size() > 1) continue;
    triangles.push_back({static_cast<std::uint16_t>(bones.indices[i]), static_cast<std::uint16_t>(bones.indices[i + 1]),
                         static_cast<std::uint16_t>(bones.indices[i + 2])});
  }
  const image::DrawMesh mesh{.positions = bones.positions, .normals = bones.normals, .triangles = triangles};
  MARROW_TRY(const image::Image picture,
             image::draw({&mesh, 1}, {.width = 300, .height = 300, .background = glm::vec4(0.0f)}));
  return image::write_png(picture);
}

}  // namespace

Result<std::vector<std::byte>> draw_document(const Document& document, Context& context) {
  if (document.nif()) {
    BodyPictureOptions options{.size = "300x300", .background = "none"};
    std::shared_ptr<const Document> near = context.lookup ? context.lookup->skeleton_near(document.name) : nullptr;
    if (near) options.skeletons.push_back(near.get());
    MARROW_TRY(BodyPictureReport picture, draw_bodies(document, options, context));
    return std::move(picture.file.bytes);
  }
  Document shown = document;
  MARROW_CHECK(read_parts(shown, Parts::Skeletons | Parts::Clips, context));
  if (shown.clips.empty() && shown.skeletons.empty()) return std::vector<std::byte>{};
  MARROW_TRY(const Skeleton* skeleton, skeleton_for_clips(shown, nullptr, context));
  const bool has_pose = !shown.clips.empty() && shown.clips.front().clip.blend_hint == BlendHint::Normal;
  return draw_bones(*skeleton, has_pose ? &shown.clips.front() : nullptr, context.limits);
}

}  // namespace marrow
