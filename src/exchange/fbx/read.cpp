// SPDX-License-Identifier: MIT
#include "exchange/fbx/read.h"

#include <array>
#include <cmath>

#include "core/try.h"
#include "exchange/fbx/animation.h"
#include "exchange/fbx/skeleton.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"

namespace marrow::fbx {
namespace {

class FbxSource final : public MotionSource {
 public:
  Animation animation;
  std::vector<std::int32_t> nodes;                 // of each bone
  std::vector<std::vector<std::int32_t>> holders;  // nodes above each root bone, the topmost first

  void evaluate(std::size_t clip, double seconds, SourcePose& pose) const override {
    pose.local.resize(bones.size());
    pose.holder.assign(bones.size(), Transform());
    for (std::size_t i = 0; i < bones.size(); ++i) {
      pose.local[i] = to_transform(animation.place(clip, static_cast<std::size_t>(nodes[i]), seconds));
      if (holders[i].empty()) continue;
      Place above;
      for (const std::int32_t node : holders[i])
        above = above * animation.place(clip, static_cast<std::size_t>(node), seconds);
      pose.holder[i] = to_transform(above);
    }
  }
};

// right, up and front become +X, +Z and -Y.
SourceSpace space_of(const Objects& objects) {
  const auto axis_of = [&](std::string_view name, double otherwise) {
    const double axis = objects.setting(name, otherwise), sign = objects.setting(std::string(name) + "Sign", 1.0);
    DVec3 direction(0.0);
    direction[axis >= 0 && axis < 3 ? static_cast<int>(axis) : static_cast<int>(otherwise)] = sign < 0 ? -1.0 : 1.0;
    return direction;
  };
  const DVec3 right = axis_of("CoordAxis", 0), up = axis_of("UpAxis", 1), front = axis_of("FrontAxis", 2);
  // Rows of a matrix that takes each to its place.
  const glm::dmat3 turn = glm::transpose(glm::dmat3(right, -front, up));
  SourceSpace space;
  space.is_left_handed = std::abs(glm::determinant(turn) - 1.0) > 0.5;
  if (!space.is_left_handed) space.turn = Quat(glm::normalize(glm::quat_cast(turn)));
  constexpr std::array<const char*, 3> kNames = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i)
    if (up[i] != 0.0) space.up_axis = std::string(up[i] < 0 ? "-" : "") + kNames[static_cast<std::size_t>(i)];
  const double unit = objects.setting("UnitScaleFactor", 1.0);
  space.centimetres_per_unit = unit > 0 && unit < 1e9 ? unit : 1.0;
  return space;
}

// The bind pose of each bone, local to its parent; a bone without one keeps its own place.
void set_bind_poses(FbxSource& source, const std::vector<std::optional<Place>>& bound, const std::vector<Place>& own) {
  std::vector<Place> world(source.bones.size());
  for (std::size_t i = 0; i < source.bones.size(); ++i) {
    SourceBone& bone = source.bones[i];
    const auto node = static_cast<std::size_t>(source.nodes[i]);
    const bool is_root = bone.parent == kNoBone;
    const Place& above = is_root ? Place() : world[static_cast<std::size_t>(bone.parent)];
    const bool is_flat = above.scale.x == 0.0 || above.scale.y == 0.0 || above.scale.z == 0.0;
    bone.has_bind = bound[node].has_value() && !is_flat;
    Place held;
    for (const std::int32_t holder : source.holders[i]) held = held * own[static_cast<std::size_t>(holder)];
    world[i] = bone.has_bind ? *bound[node] : above * held * own[node];
    bone.bind = bone.has_bind ? to_transform(relative(above, world[i])) : bone.local;
  }
}

Result<std::shared_ptr<const MotionSource>> source_of(const File& file, const Limits& limits, Notes& notes) {
  MARROW_TRY(const Objects objects, Objects::make(file, limits));
  auto source = std::make_shared<FbxSource>();
  source->version = file.version;
  source->space = space_of(objects);
  const Nodes nodes = nodes_of(objects);
  const BoneNodes bones = bones_of(objects, nodes);
  std::vector<AnimatedNode> animated;
  std::vector<Place> own;
  for (const Object* model : nodes.models) {
    animated.push_back({.model = model, .own = vectors_of(objects, *model), .rule = rotation_rule_of(objects, *model)});
    own.push_back(place_of(animated.back().own, animated.back().rule));
  }
  MARROW_TRY(source->animation, Animation::make(file, objects, animated, notes));
  source->clips = source->animation.clips();
  source->nodes = bones.nodes;
  for (const std::int32_t node : bones.nodes) {
    const auto at = static_cast<std::size_t>(node);
    SourceBone bone{.name = nodes.models[at]->name, .local = to_transform(own[at])};
    bone.ignores_parent_scale = objects.integer(*nodes.models[at], "InheritType", 1) == 2;
    std::int32_t above = nodes.parents[at];
    if (above != kNoBone) bone.parent = bones.bone_of[static_cast<std::size_t>(above)];
    std::vector<std::int32_t> holders;
    for (; bone.parent == kNoBone && above != kNoBone; above = nodes.parents[static_cast<std::size_t>(above)])
      holders.push_back(above);
    source->holders.emplace_back(holders.rbegin(), holders.rend());
    source->bones.push_back(std::move(bone));
  }
  set_bind_poses(*source, bind_places(objects, nodes), own);
  source->meshes = meshes_of(objects, nodes, bones, own, notes);
  if (!source->bones.empty()) source->name = source->bones.front().name;
  return source;
}

}  // namespace

bool is_fbx(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  if (is_binary(head) || head.starts_with("; FBX")) return true;
  while (true) {  // comments and blanks may stand before the header
    head = trim(head);
    if (!head.starts_with(';')) return head.starts_with("FBXHeaderExtension");
    const std::size_t end = head.find('\n');
    if (end == std::string_view::npos) return false;
    head.remove_prefix(end);
  }
}

Result<std::shared_ptr<const MotionSource>> read_fbx(std::span<const std::byte> bytes, const Limits& limits,
                                                     Notes& notes) {
  MARROW_TRY(const File file,
             is_binary(as_text(bytes)) ? read_binary(bytes, limits) : read_ascii(as_text(bytes), limits));
  return source_of(file, limits, notes);
}

}  // namespace marrow::fbx
