// SPDX-License-Identifier: MIT
#include "exchange/gltf/write.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <glm/gtc/matrix_inverse.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <glm/mat4x4.hpp>

#include "core/try.h"
#include "exchange/gltf/document.h"
#include "exchange/gltf/extras.h"
#include "exchange/gltf/show_bones.h"
#include "exchange/gltf/space.h"
#include "exchange/gltf/write_body.h"
#include "exchange/gltf/write_clip.h"
#include "marrow/model/pose.h"

namespace marrow::gltf {
namespace {

tinygltf::Value extras_of(const Record& record) {
  return tinygltf::Value(tinygltf::Value::Object{{kExtrasKey, tinygltf::Value(write_record(record))}});
}

// Blender makes an armature of this node and shows its name; the name of a bone would be confusing there.
std::string root_name(const Skeleton& skeleton) {
  return skeleton.name.empty() || find_bone(skeleton, skeleton.name) ? "Armature" : skeleton.name;
}

std::string unused_name(std::map<std::string, int>& taken, const std::string& wanted) {
  const std::string stem = wanted.empty() ? "clip" : utf8_name(wanted);
  std::string name = stem;
  for (int& met = taken[stem]; ++met > 1;) {
    name = stem + "_" + std::to_string(met);
    if (taken.try_emplace(name, 1).second) break;
  }
  return name;
}

// What is written has to be readable.
bool is_writable(const Transform& t) {
  return std::ranges::all_of(
      std::array{t.translation.x, t.translation.y, t.translation.z, t.scale.x, t.scale.y, t.scale.z},
      [](float v) { return std::abs(v) <= kMostNumber; });
}

Result<void> check(const Armature& armature) {
  if (armature.skeleton.bones.empty())
    return fail(ErrorCode::Unrepresentable, "a skeleton without bones cannot be written as glTF");
  MARROW_CHECK(validate(armature.skeleton));
  for (std::size_t i = 0; i < armature.skeleton.bones.size(); ++i)
    if (!is_writable(armature.skeleton.bones[i].rest))
      return fail(ErrorCode::Unrepresentable, "a number of the rest pose is beyond 1e30, which glTF files cannot say",
                  kNoOffset, "bones[" + std::to_string(i) + "] \"" + armature.skeleton.bones[i].name + "\"");
  for (const NamedClip& named : armature.clips) MARROW_CHECK(validate(named.clip));
  return {};
}

class SceneWriter {
 public:
  SceneWriter(const Scene& scene, const WriteOptions& options) : scene_(scene), options_(options) {}

  Result<std::vector<std::byte>> write() {
    for (const Armature& armature : scene_.armatures) {
      MARROW_CHECK(check(armature));
      add_armature(armature);
    }
    if (!scene_.meshes.empty()) MARROW_CHECK(add_meshes());
    if (!scene_.bodies.empty()) MARROW_CHECK(add_bodies());
    for (const auto& [node, own] : armature_records_)
      document_.model.nodes[static_cast<std::size_t>(node)].extras = extras_of(own);
    if (document_.model.nodes.empty()) return fail(ErrorCode::InvalidArgument, "there is nothing to write");
    return document_.finish(options_.container);
  }

 private:
  Record record(RecordKind kind) const {
    return {.kind = kind,
            .units = options_.units,
            .metres_per_unit = scene_.metres_per_unit,
            .skeleton = {},
            .places = {},
            .game = {},
            .anvil = {},
            .collision = {},
            .clips = {}};
  }

  int add_root(const std::string& name) {
    const int root = document_.add_node(name, game_to_file(options_.units, scene_.metres_per_unit));
    document_.add_scene_root(root);
    return root;
  }

  int add_animation(const std::string& wanted) {
    tinygltf::Animation animation;
    animation.name = unused_name(animation_names_, wanted);
    document_.model.animations.push_back(std::move(animation));
    return static_cast<int>(document_.model.animations.size()) - 1;
  }

  void add_armature(const Armature& armature) {
    const int root = add_root(root_name(armature.skeleton));
    const int first = root + 1;
    tinygltf::Skin skin;
    skin.name = document_.model.nodes[static_cast<std::size_t>(root)].name;
    skin.skeleton = root;
    for (std::size_t i = 0; i < armature.skeleton.bones.size(); ++i) {
      const Bone& bone = armature.skeleton.bones[i];
      const bool has_other_name = i < armature.node_names.size() && !armature.node_names[i].empty();
      const int node = document_.add_node(has_other_name ? armature.node_names[i] : bone.name, bone.rest);
      document_.add_child(bone.parent == kNoBone ? root : first + bone.parent, node);
      skin.joints.push_back(node);
    }
    if (options_.show_bones) show_bones(armature.skeleton, skin);
    // Bodies bring skins of their own.
    if (scene_.bodies.empty() || options_.show_bones) document_.model.skins.push_back(std::move(skin));

    Record armature_record = record(RecordKind::Armature);
    armature_record.skeleton = armature.skeleton;
    armature_record.game = armature.game;
    armature_record.anvil = armature.anvil;
    armature_record.places = armature.places;
    std::vector<int> animations;
    for (std::size_t i = 0; i < armature.clips.size(); ++i) {
      const NamedClip& clip = armature.clips[i];
      animations.push_back(clip.joins_previous && i < previous_animations_.size() ? previous_animations_[i]
                                                                                  : add_animation(clip.name));
      const ClipTarget target{.animation = animations.back(),
                              .root_node = root,
                              .first_bone_node = first,
                              .root_motion = options_.root_motion,
                              .root_place = game_to_file(options_.units, scene_.metres_per_unit)};
      armature_record.clips.emplace_back(document_.model.animations[static_cast<std::size_t>(animations.back())].name,
                                         write_clip(document_, armature.skeleton, clip, target));
    }
    previous_animations_ = std::move(animations);
    armature_nodes_.push_back({root, first});
    armature_records_.emplace_back(root, std::move(armature_record));
  }

  // Shapes without a skin hang on a bone, or on the root of the first armature.
  Result<void> add_bodies() {
    BodyWriter writer(document_);
    if (armature_nodes_.empty()) {
      armature_nodes_.push_back({add_root("Body"), -1});
      armature_records_.emplace_back(armature_nodes_.front().root, record(RecordKind::Meshes));
    }
    for (const Body& body : scene_.bodies) {
      const std::size_t armature = body.armature.value_or(0);
      MARROW_TRY(BodyRecord kept, writer.add(body, armature_nodes_[armature], armature_nodes_[armature].root));
      armature_records_[armature].second.bodies.push_back(std::move(kept));
    }
    return {};
  }

  // The mesh is in the space of the root node, and the joints move it out of there: the bind matrices undo the bones
  // only. Its node is at the top of the scene, since a skinned mesh does not follow its parents.
  void show_bones(const Skeleton& skeleton, tinygltf::Skin& skin) {
    const std::size_t count = skeleton.bones.size();
    std::vector<glm::mat4> model(count), binds(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Transform& rest = skeleton.bones[i].rest;
      glm::mat4 local = glm::mat4_cast(rest.rotation);
      for (int axis = 0; axis < 3; ++axis) local[axis] *= rest.scale[axis];
      local[3] = glm::vec4(rest.translation, 1.0f);
      const std::int32_t parent = skeleton.bones[i].parent;
      model[i] = parent == kNoBone ? local : model[static_cast<std::size_t>(parent)] * local;
      binds[i] = glm::affineInverse(model[i]);
      binds[i][0][3] = binds[i][1][3] = binds[i][2][3] = 0.0f;
      binds[i][3][3] = 1.0f;
    }
    skin.inverseBindMatrices = document_.add_floats(flat(binds), 16, false);

    const BoneMesh bones = make_bone_mesh(skeleton);
    std::vector<std::uint16_t> joints;
    std::vector<Vec4> weights(bones.positions.size(), Vec4(1, 0, 0, 0));
    for (const std::uint16_t bone : bones.bones) joints.insert(joints.end(), {bone, 0, 0, 0});
    tinygltf::Primitive primitive;
    primitive.mode = TINYGLTF_MODE_TRIANGLES;
    primitive.attributes["POSITION"] =
        document_.add_floats(flat(bones.positions), 3, true, TINYGLTF_TARGET_ARRAY_BUFFER);
    primitive.attributes["NORMAL"] = document_.add_floats(flat(bones.normals), 3, false, TINYGLTF_TARGET_ARRAY_BUFFER);
    primitive.attributes["JOINTS_0"] = document_.add_joints(joints);
    primitive.attributes["WEIGHTS_0"] = document_.add_floats(flat(weights), 4, false, TINYGLTF_TARGET_ARRAY_BUFFER);
    primitive.indices = document_.add_indices(bones.indices);
    primitive.material = document_.add_material("Bones", Vec4(0.55f, 0.62f, 0.72f, 1.0f));
    tinygltf::Mesh mesh;
    mesh.name = "Bones";
    mesh.primitives.push_back(std::move(primitive));
    document_.model.meshes.push_back(std::move(mesh));

    const int node = document_.add_node("Bones", {});
    document_.model.nodes.back().mesh = static_cast<int>(document_.model.meshes.size()) - 1;
    document_.model.nodes.back().skin = static_cast<int>(document_.model.skins.size());
    document_.model.nodes.back().extras = extras_of(record(RecordKind::Bones));
    document_.add_scene_root(node);
  }

  Result<void> add_meshes() {
    const int root = add_root("Meshes");
    Record own = record(RecordKind::Meshes);
    own.collision = scene_.collision;
    document_.model.nodes[static_cast<std::size_t>(root)].extras = extras_of(own);
    for (std::size_t i = 0; i < scene_.meshes.size(); ++i) {
      const Mesh& mesh = scene_.meshes[i];
      const auto refuse = [&](std::string why) {
        return fail(ErrorCode::Unrepresentable, std::move(why), kNoOffset,
                    "meshes[" + std::to_string(i) + "] \"" + mesh.name + "\"");
      };
      for (const Vec3& p : mesh.positions)
        if (!std::isfinite(p.x + p.y + p.z)) return refuse("a position is not finite");
      if (!is_writable(mesh.placement)) return refuse("a number of its place is beyond 1e30");
      for (const auto& triangle : mesh.triangles)
        if (std::ranges::any_of(triangle, [&](std::uint32_t v) { return v >= mesh.positions.size(); }))
          return refuse("a triangle refers to a vertex that does not exist");
      if (i > 0 && is_part_of(mesh, scene_.meshes[i - 1]) && document_.model.nodes.back().mesh >= 0) {
        document_.model.meshes.back().primitives.push_back(primitive_of(mesh));
        continue;
      }
      const int node = document_.add_node(mesh.name, mesh.placement);
      document_.add_child(root, node);
      if (mesh.is_backdrop) document_.model.nodes.back().extras = extras_of(record(RecordKind::Bones));
      if (!mesh.triangles.empty()) document_.model.nodes.back().mesh = add_mesh(mesh);
    }
    return {};
  }

  static bool is_part_of(const Mesh& mesh, const Mesh& before) {
    return !mesh.triangles.empty() && mesh.name == before.name && mesh.placement == before.placement &&
           mesh.material != before.material;
  }

  tinygltf::Primitive primitive_of(const Mesh& mesh) {
    std::vector<std::uint32_t> indices;
    for (const auto& triangle : mesh.triangles) indices.insert(indices.end(), triangle.begin(), triangle.end());
    tinygltf::Primitive primitive;
    primitive.mode = TINYGLTF_MODE_TRIANGLES;
    primitive.attributes["POSITION"] =
        document_.add_floats(flat(mesh.positions), 3, true, TINYGLTF_TARGET_ARRAY_BUFFER);
    primitive.indices = document_.add_indices(indices);
    primitive.material = material_of(mesh.colour, mesh.material);
    return primitive;
  }

  int add_mesh(const Mesh& mesh) {
    tinygltf::Mesh out;
    out.name = utf8_name(mesh.name);
    out.primitives.push_back(primitive_of(mesh));
    document_.model.meshes.push_back(std::move(out));
    return static_cast<int>(document_.model.meshes.size()) - 1;
  }

  int material_of(const Vec4& colour, const std::string& name) {
    for (const KnownMaterial& known : materials_)
      if (known.colour == colour && known.name == name) return known.index;
    const std::string shown = name.empty() ? "Colour " + std::to_string(materials_.size() + 1) : utf8_name(name);
    const int index = document_.add_material(shown, colour);
    materials_.push_back({colour, name, index});
    return index;
  }

  struct KnownMaterial {
    Vec4 colour;
    std::string name;
    int index;
  };

  const Scene& scene_;
  const WriteOptions& options_;
  DocumentBuilder document_;
  std::map<std::string, int> animation_names_;
  std::vector<int> previous_animations_;  // of the armature before, by clip
  std::vector<KnownMaterial> materials_;
  std::vector<ArmatureNodes> armature_nodes_;
  std::vector<std::pair<int, Record>> armature_records_;  // by node: written last, since bodies add to them
};

}  // namespace

Result<std::vector<std::byte>> write_gltf(const Scene& scene, const WriteOptions& options) {
  return SceneWriter(scene, options).write();
}

}  // namespace marrow::gltf
