// SPDX-License-Identifier: MIT
#include "exchange/gltf/read_armature.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <glm/geometric.hpp>

#include "exchange/gltf/space.h"
#include "marrow/model/pose.h"

namespace marrow::gltf {
namespace {

// More than any scene of these games has; each requires a pass over the nodes.
constexpr std::size_t kMaxArmatures = 256;

std::vector<bool> animated_nodes(const tinygltf::Model& model, std::size_t count) {
  std::vector<bool> animated(count, false);
  for (const tinygltf::Animation& animation : model.animations)
    for (const tinygltf::AnimationChannel& channel : animation.channels)
      if (channel.target_node >= 0 && static_cast<std::size_t>(channel.target_node) < count)
        animated[static_cast<std::size_t>(channel.target_node)] = true;
  return animated;
}

std::vector<std::size_t> joints_of(const tinygltf::Skin& skin, std::size_t count) {
  std::vector<std::size_t> joints;
  for (const int joint : skin.joints)
    if (joint >= 0 && static_cast<std::size_t>(joint) < count) joints.push_back(static_cast<std::size_t>(joint));
  return joints;
}

class ArmatureFinder {
 public:
  ArmatureFinder(const tinygltf::Model& model, const NodeTree& tree, const Records& records, const ReadOptions& options,
                 Notes& notes)
      : model_(model),
        tree_(tree),
        records_(records),
        options_(options),
        notes_(notes),
        animated_(animated_nodes(model, tree.nodes.size())),
        joint_(tree.nodes.size(), false),
        taken_(tree.nodes.size(), false) {}

  Result<std::vector<FoundArmature>> find() {
    for (const tinygltf::Skin& skin : model_.skins)
      for (const std::size_t joint : joints_of(skin, tree_.nodes.size())) joint_[joint] = true;
    for (const std::size_t node : tree_.order)
      if (records_[node] && records_[node]->kind == RecordKind::Armature) add_recorded(node, *records_[node]);
    if (found_.empty()) add_skins();
    if (found_.empty()) add_plain_nodes();
    if (too_many_)
      return fail(ErrorCode::LimitExceeded, "there are more skeletons or bones than tracks can refer to", kNoOffset,
                  "nodes");
    return std::move(found_);
  }

 private:
  // Makes bones from nodes: `is_bone` by node, all below `root`, in the order of the tree.
  FoundArmature make(std::size_t root, const std::vector<bool>& is_bone) {
    FoundArmature armature;
    armature.root = root;
    names_.clear();
    too_many_ = too_many_ || found_.size() >= kMaxArmatures;
    std::vector<std::int32_t> bone_of(tree_.nodes.size(), kNoBone);
    for (const std::size_t node : tree_.order) {
      if (!is_bone[node] || too_many_) continue;
      too_many_ = armature.in_file.bones.size() >= static_cast<std::size_t>(std::numeric_limits<std::int16_t>::max());
      std::vector<std::size_t> chain;
      std::size_t above = node;
      do {
        chain.insert(chain.begin(), above);
        above = tree_.nodes[above].parent;
      } while (above != kNoNode && above != root && !is_bone[above]);
      const std::int32_t parent = above == kNoNode || above == root ? kNoBone : bone_of[above];
      Transform rest;
      for (std::size_t i = 0; i < chain.size(); ++i)
        rest = i == 0 ? tree_.nodes[chain[i]].local : rest * tree_.nodes[chain[i]].local;
      bone_of[node] = static_cast<std::int32_t>(armature.in_file.bones.size());
      armature.in_file.bones.push_back({unique_name(node), parent, rest, false});
      armature.chains.push_back(std::move(chain));
      taken_[node] = true;
    }
    return armature;
  }

  std::string unique_name(std::size_t node) {
    std::string name = tree_.nodes[node].name;
    if (name.empty()) name = "node " + std::to_string(node);
    const std::string wanted = name;
    // Counting continues from how often a name occurred, so a thousand equal names take a thousand steps.
    for (int& met = names_[wanted]; ++met > 1;) {
      name = wanted + " " + std::to_string(met);
      if (names_.try_emplace(name, 1).second) break;
    }
    if (name != wanted)
      notes_.push_back({"the name is used twice; the second bone is now \"" + name + "\"", kNoOffset,
                        "nodes[" + std::to_string(node) + "]"});
    return name;
  }

  void add_recorded(std::size_t root, const Record& record) {
    std::set<std::string_view> names;
    std::vector<std::string> written;
    for (const Bone& bone : record.skeleton.bones) written.push_back(utf8_name(bone.name));
    names.insert(written.begin(), written.end());
    std::vector<bool> is_bone(tree_.nodes.size(), false);
    for (const std::size_t node : tree_.order) {
      if (node == root || taken_[node] || !tree_.is_below(node, root)) continue;
      const bool has_mesh = model_.nodes[node].mesh >= 0;
      const bool is_known = names.erase(tree_.nodes[node].name) > 0;
      // Blender exports a joint of its own for vertices that no bone moves, as they are after a bone was removed.
      if (!is_known && tree_.nodes[node].name == "neutral_bone") continue;
      is_bone[node] = is_known || joint_[node] || (animated_[node] && !has_mesh);
    }
    FoundArmature armature = make(root, is_bone);
    armature.record = &record;
    armature.result.recorded = true;
    armature.result.game = record.game;
    armature.result.anvil = record.anvil;
    armature.result.places = record.places;
    hand_out_recorded(armature);
    found_.push_back(std::move(armature));
  }

  // Returns the skeleton of the record. Its bones are unchanged unless they were moved; new bones follow.
  void hand_out_recorded(FoundArmature& armature) {
    const Record& record = *armature.record;
    // Names that JSON cannot hold are matched by what was written for them.
    std::map<std::string, std::string> exact;
    for (const Bone& bone : record.skeleton.bones)
      if (std::string written = utf8_name(bone.name); written != bone.name) exact[std::move(written)] = bone.name;
    for (Bone& bone : armature.in_file.bones)
      if (const auto found = exact.find(bone.name); found != exact.end()) bone.name = found->second;

    Skeleton& skeleton = armature.result.skeleton;
    skeleton = record.skeleton;
    const Transform guess = inverse(game_to_file(record.units, record.metres_per_unit)) * world_of(armature.root);
    // Of an Anvil skeleton, names and parents may be edited. Other skeletons are looked up by the game as they are.
    const std::vector<Rename> renames = record.anvil.empty() ? std::vector<Rename>() : take_renames(armature, guess);
    add_new_bones(armature, skeleton);
    armature.conform = make_conform(armature.in_file, skeleton, guess);
    const bool as_written = in_own_notation(armature);
    if (as_written) take_as_written(armature);

    std::vector<Transform> file_rest, rest(skeleton.bones.size());
    for (const Bone& bone : armature.in_file.bones) file_rest.push_back(bone.rest);
    apply_conform(armature.conform, armature.in_file, skeleton, file_rest, rest);
    const float size = skeleton_size(skeleton);
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
      Bone& bone = skeleton.bones[i];
      const std::string path = "bone \"" + bone.name + "\"";
      if (!armature.conform.source[i]) {
        armature.result.missing.push_back(static_cast<std::int32_t>(i));
        notes_.push_back({"is missing in the file; its record has it", kNoOffset, path});
      } else if (i >= record.skeleton.bones.size()) {
        bone.rest = rest[i];
        notes_.push_back({"is new; it is placed after the bones of the record", kNoOffset, path});
      } else if (glm::length(rest[i].translation - bone.rest.translation) > (as_written ? 1e-6f : 1e-3f) * size ||
                 angle_degrees(rest[i].rotation, bone.rest.rotation) > (as_written ? 0.002f : 0.05f)) {
        bone.rest.translation = rest[i].translation;
        bone.rest.rotation = rest[i].rotation;
        notes_.push_back({"was moved in the rest pose", kNoOffset, path});
      }
    }
    if (record.anvil.empty()) return;
    find_reparented(armature, record.skeleton.bones.size());
    for (const Rename& rename : renames) skeleton.bones[rename.bone].name = rename.name;
  }

  struct Rename {
    std::size_t bone;  // of the record
    std::string name;
  };

  // Finds bones that were only renamed: one of the record that is gone and one that is new, on the same parent and in
  // the same place. The new one gets the old name back, so that all that follows matches it; the names are returned.
  static std::vector<Rename> take_renames(FoundArmature& armature, const Transform& guess) {
    const Skeleton& record = armature.record->skeleton;
    Skeleton& file = armature.in_file;
    std::vector<Rename> renames;
    const Conform conform = make_conform(file, record, guess);
    if (!conform.agrees) return renames;
    std::vector<bool> is_known(file.bones.size(), false);
    for (const auto& source : conform.source)
      if (source) is_known[*source] = true;
    std::map<std::int32_t, std::vector<std::size_t>> new_below;
    for (std::size_t i = 0; i < file.bones.size(); ++i)
      if (!is_known[i]) new_below[file.bones[i].parent].push_back(i);
    if (new_below.empty()) return renames;
    const std::vector<Vec3> theirs = joints_in_model(file), ours = joints_in_model(record);
    const float near = 1e-3f * skeleton_size(record);
    std::vector<std::optional<std::size_t>> source = conform.source;
    // Parents come first, so a chain whose bones are all renamed is followed from its top.
    for (std::size_t i = 0; i < record.bones.size(); ++i) {
      const std::int32_t parent = record.bones[i].parent;
      if (source[i] || (parent != kNoBone && !source[static_cast<std::size_t>(parent)])) continue;
      const std::int32_t above =
          parent == kNoBone ? kNoBone : static_cast<std::int32_t>(*source[static_cast<std::size_t>(parent)]);
      std::vector<std::size_t> candidates;
      for (const std::size_t j : new_below[above]) {
        const Vec3 place = conform.shift + conform.turn * (conform.scale * theirs[j]);
        if (!is_known[j] && glm::length(place - ours[i]) < near) candidates.push_back(j);
      }
      if (candidates.size() != 1) continue;
      const std::size_t found = candidates.front();
      renames.push_back({i, file.bones[found].name});
      file.bones[found].name = record.bones[i].name;
      source[i] = found;
      is_known[found] = true;
    }
    return renames;
  }

  static std::vector<Vec3> joints_in_model(const Skeleton& skeleton) {
    std::vector<Transform> pose(skeleton.bones.size());
    for (std::size_t i = 0; i < pose.size(); ++i) pose[i] = skeleton.bones[i].rest;
    local_to_model(skeleton, pose, pose);
    std::vector<Vec3> joints;
    for (const Transform& joint : pose) joints.push_back(joint.translation);
    return joints;
  }

  // Finds the bones of the record that hang on another bone in the file. A bone whose parent is gone hangs on the next
  // one above that is still there, which is what removing a bone means.
  void find_reparented(FoundArmature& armature, std::size_t recorded) {
    const Skeleton& skeleton = armature.result.skeleton;
    const Conform& conform = armature.conform;
    std::map<std::size_t, std::int32_t> bone_of;  // by bone of the file
    for (std::size_t i = 0; i < conform.source.size(); ++i)
      if (conform.source[i]) bone_of[*conform.source[i]] = static_cast<std::int32_t>(i);
    // The nearest bone above that the file still has, for each bone: parents come first.
    std::vector<std::int32_t> usual(skeleton.bones.size(), kNoBone);
    for (std::size_t i = 0; i < recorded; ++i) {
      const std::int32_t parent = skeleton.bones[i].parent;
      if (parent == kNoBone) continue;
      const auto above = static_cast<std::size_t>(parent);
      usual[i] = conform.source[above] ? parent : usual[above];
    }
    for (std::size_t i = 0; i < recorded; ++i) {
      if (!conform.source[i]) continue;
      const std::int32_t in_file = armature.in_file.bones[*conform.source[i]].parent;
      if (in_file == kNoBone) continue;
      const std::int32_t parent = bone_of.at(static_cast<std::size_t>(in_file));
      if (parent == usual[i]) continue;
      armature.result.reparented.push_back({static_cast<std::int32_t>(i), parent});
      notes_.push_back({"is now a child of \"" + skeleton.bones[static_cast<std::size_t>(parent)].name + "\"",
                        kNoOffset, "bone \"" + skeleton.bones[i].name + "\""});
    }
  }

  // True if the bones are in the notation of the record. Numbers that come back bit for bit went through no other
  // program's notation, so the numbers that differ were changed on purpose, including rotations of a bone.
  static bool in_own_notation(const FoundArmature& armature) {
    std::size_t matched = 0, same = 0;
    const Skeleton& record = armature.record->skeleton;
    for (std::size_t i = 0; i < record.bones.size(); ++i) {
      if (!armature.conform.source[i]) continue;
      const Transform &theirs = armature.in_file.bones[*armature.conform.source[i]].rest, &ours = record.bones[i].rest;
      ++matched;
      same += theirs.translation == ours.translation && theirs.rotation == ours.rotation;
    }
    return same > 0 && 2 * same >= matched;
  }

  static void take_as_written(FoundArmature& armature) {
    Conform& conform = armature.conform;
    conform.turn = make_quat(0, 0, 0, 1);
    conform.scale = 1.0f;
    conform.shift = Vec3(0.0f);
    conform.agrees = true;
    const Skeleton& skeleton = armature.result.skeleton;
    conform.axes.assign(skeleton.bones.size(), make_quat(0, 0, 0, 1));
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i)
      conform.through[i] = conform.source[i] && same_parent(conform, armature.in_file, skeleton, i);
  }

  static void add_new_bones(const FoundArmature& armature, Skeleton& skeleton) {
    std::map<std::string, std::int32_t> known;
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i)
      known.try_emplace(skeleton.bones[i].name, static_cast<std::int32_t>(i));
    for (const Bone& bone : armature.in_file.bones) {
      if (!known.try_emplace(bone.name, static_cast<std::int32_t>(skeleton.bones.size())).second) continue;
      Bone added = bone;
      // Parents come before their children in the file's skeleton, so they are known by now.
      if (bone.parent != kNoBone)
        added.parent = known.at(armature.in_file.bones[static_cast<std::size_t>(bone.parent)].name);
      skeleton.bones.push_back(std::move(added));
    }
  }

  Transform world_of(std::size_t node) const { return node == kNoNode ? Transform{} : tree_.nodes[node].world; }

  // One armature per root: skins with the same root are parts of one body.
  void add_skins() {
    std::vector<std::pair<std::size_t, std::vector<std::size_t>>> by_root;
    for (const tinygltf::Skin& skin : model_.skins) {
      const std::vector<std::size_t> joints = joints_of(skin, tree_.nodes.size());
      if (joints.empty()) continue;
      std::size_t root = tree_.common_ancestor(joints);
      if (root != kNoNode && (joint_[root] || animated_[root])) root = tree_.nodes[root].parent;
      auto known = std::ranges::find(by_root, root, &std::pair<std::size_t, std::vector<std::size_t>>::first);
      if (known == by_root.end()) known = by_root.insert(by_root.end(), {root, {}});
      if (by_root.size() > kMaxArmatures) {
        too_many_ = true;
        return;
      }
      known->second.insert(known->second.end(), joints.begin(), joints.end());
    }
    for (const auto& [root, joints] : by_root) {
      std::vector<bool> is_bone(tree_.nodes.size(), false);
      for (std::size_t node : joints)
        for (; node != root && node != kNoNode && !is_bone[node]; node = tree_.nodes[node].parent)
          is_bone[node] = !taken_[node];
      add_foreign(root, is_bone);
    }
  }

  // Without skins, a bone is every node that moves, or has a descendant that moves, or belongs to a tree of nodes
  // without meshes.
  void add_plain_nodes() {
    std::vector<bool> is_bone(tree_.nodes.size(), false);
    bool any_animated = false;
    for (const std::size_t node : tree_.order) any_animated |= animated_[node];
    for (const std::size_t node : tree_.order) {
      const tinygltf::Node& source = model_.nodes[node];
      is_bone[node] = animated_[node] || (source.mesh < 0 && source.camera < 0 && !records_[node]);
    }
    // A single unanimated node at the top is the armature, not one of its bones.
    std::vector<std::size_t> tops;
    for (const std::size_t node : tree_.order)
      if (tree_.nodes[node].parent == kNoNode && is_bone[node]) tops.push_back(node);
    const bool armature = tops.size() == 1 && !animated_[tops[0]] && !tree_.nodes[tops[0]].children.empty();
    const std::size_t root = armature ? tops[0] : kNoNode;
    if (armature) is_bone[root] = false;
    // Unanimated nodes in a scene with meshes are not bones.
    const bool has_meshes = !model_.meshes.empty();
    if (has_meshes && !any_animated) return;
    if (std::ranges::find(is_bone, true) != is_bone.end()) add_foreign(root, is_bone);
  }

  void add_foreign(std::size_t root, const std::vector<bool>& is_bone) {
    FoundArmature armature = make(root, is_bone);
    if (armature.in_file.bones.empty()) return;
    // Without a node above the bones it is named after the first of them, as the games' skeletons are.
    armature.in_file.name = root == kNoNode ? armature.in_file.bones.front().name : tree_.nodes[root].name;
    armature.result.skeleton = armature.in_file;
    const Transform to_game = inverse(game_to_file(Units::Metre, options_.metres_per_unit)) * world_of(root);
    // The conversion is given, not searched: scale and rotation go into the positions of the joints, never into the
    // bones' own scale.
    Conform& conform = armature.conform;
    conform.turn = glm::normalize(to_game.rotation);
    conform.scale = std::abs(to_game.scale.x);
    conform.shift = to_game.translation;
    const std::size_t count = armature.in_file.bones.size();
    conform.axes.assign(count, make_quat(0, 0, 0, 1));
    conform.agrees = true;
    for (std::size_t i = 0; i < count; ++i) {
      conform.source.push_back(i);
      conform.through.push_back(armature.in_file.bones[i].parent != kNoBone);
    }
    std::vector<Transform> rest;
    for (const Bone& bone : armature.in_file.bones) rest.push_back(bone.rest);
    std::vector<Transform> converted(count);
    apply_conform(conform, armature.in_file, armature.result.skeleton, rest, converted);
    for (std::size_t i = 0; i < count; ++i) armature.result.skeleton.bones[i].rest = converted[i];
    found_.push_back(std::move(armature));
  }

  const tinygltf::Model& model_;
  const NodeTree& tree_;
  const Records& records_;
  const ReadOptions& options_;
  Notes& notes_;
  std::vector<bool> animated_, joint_, taken_;
  std::map<std::string, int> names_;
  bool too_many_ = false;
  std::vector<FoundArmature> found_;
};

}  // namespace

Result<std::vector<FoundArmature>> find_armatures(const tinygltf::Model& model, const NodeTree& tree,
                                                  const Records& records, const ReadOptions& options, Notes& notes) {
  return ArmatureFinder(model, tree, records, options, notes).find();
}

}  // namespace marrow::gltf
