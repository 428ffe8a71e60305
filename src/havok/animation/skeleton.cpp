// SPDX-License-Identifier: MIT
#include "havok/animation/skeleton.h"

#include <algorithm>
#include <limits>
#include <string>

#include "core/try.h"
#include "havok/animation/local_frames.h"
#include "havok/animation/make_file.h"
#include "havok/animation/names.h"
#include "havok/animation/rows.h"

namespace marrow::havok {
namespace {

// An hkQsTransform is twelve floats. The fourth lanes of translation and scale are unused, and kept.
constexpr std::size_t kPoseFloats = 12;

Transform transform_at(std::span<const float> pose, std::size_t bone) {
  const auto v = pose.subspan(bone * kPoseFloats, kPoseFloats);
  return {{v[0], v[1], v[2]}, make_quat(v[4], v[5], v[6], v[7]), {v[8], v[9], v[10]}};
}

std::vector<float> pose_of(const Skeleton& skeleton, std::span<const float> before) {
  std::vector<float> pose(skeleton.bones.size() * kPoseFloats, 0.0f);
  if (before.size() == pose.size()) std::ranges::copy(before, pose.begin());
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
    const Transform& rest = skeleton.bones[i].rest;
    float* v = pose.data() + i * kPoseFloats;
    for (int axis = 0; axis < 3; ++axis) {
      v[axis] = rest.translation[axis];
      v[8 + axis] = rest.scale[axis];
    }
    v[4] = rest.rotation.x;
    v[5] = rest.rotation.y;
    v[6] = rest.rotation.z;
    v[7] = rest.rotation.w;
  }
  return pose;
}

}  // namespace

std::vector<ObjectId> find_skeletons(const Packfile& file) {
  std::vector<ObjectId> skeletons;
  std::vector<bool> seen(file.objects.size());
  const auto add = [&](ObjectId id) {
    if (id.is_null() || !file.at(id).type || seen[id.index]) return;
    seen[id.index] = true;
    skeletons.push_back(id);
  };
  for (const ObjectId container : file.find_all("hkaAnimationContainer")) {
    if (!file.at(container).type) continue;
    const ArrayView listed = file.at(container).fields().array("skeletons");
    for (std::uint32_t i = 0; i < listed.size(); ++i) add(listed.pointer(i));
  }
  for (const ObjectId id : file.find_all("hkaSkeleton")) add(id);
  std::erase_if(skeletons, [&](ObjectId id) { return file.at(id).class_name() != "hkaSkeleton"; });
  return skeletons;
}

Result<Skeleton> read_skeleton(const Packfile& file, ObjectId id) {
  const FieldsView fields = file.at(id).fields();
  const ArrayView bones = fields.array("bones");
  const auto parents = fields.array("parentIndices").numbers<std::int16_t>();
  const auto pose = fields.array("referencePose").numbers<float>();
  const std::string path = "objects[" + std::to_string(id.index) + "] hkaSkeleton";
  if (parents.size() != bones.size() || pose.size() != bones.size() * kPoseFloats)
    return fail(ErrorCode::Malformed,
                std::to_string(bones.size()) + " bones, " + std::to_string(parents.size()) + " parents and " +
                    std::to_string(pose.size() / kPoseFloats) + " rest poses",
                kNoOffset, path);
  Skeleton skeleton;
  skeleton.name = fields.text("name").value_or("");
  for (std::uint32_t i = 0; i < bones.size(); ++i) {
    const auto row = row_at(file, bones, i);
    if (!row || !row->has("lockTranslation"))
      return fail(ErrorCode::Malformed, "bone " + std::to_string(i) + " is not there", kNoOffset, path);
    const FieldsView& bone = *row;
    skeleton.bones.push_back({std::string(bone.text("name").value_or("")), parents[i], transform_at(pose, i),
                              bone.integer("lockTranslation") != 0});
  }
  const auto references = fields.array("referenceFloats").numbers<float>();
  const ArrayView slots = fields.array("floatSlots");
  for (std::uint32_t i = 0; i < slots.size(); ++i)
    skeleton.float_slots.push_back(
        {std::string(slots.text(i).value_or("")), i < references.size() ? references[i] : 0.0f});
  skeleton.local_frames = read_local_frames(file, id);
  const ArrayView partitions = fields.array("partitions");
  for (std::uint32_t i = 0; i < partitions.size(); ++i) {
    const FieldsView partition = partitions.record(i);
    skeleton.partitions.push_back({std::string(partition.text("name").value_or("")),
                                   static_cast<std::int32_t>(partition.integer("startBoneIndex")),
                                   static_cast<std::int32_t>(partition.integer("numBones"))});
  }
  return skeleton;
}

Result<void> set_skeleton(Packfile& file, ObjectId id, const Skeleton& skeleton, Notes* notes) {
  MARROW_CHECK(validate(skeleton));
  if (skeleton.bones.size() > static_cast<std::size_t>(std::numeric_limits<std::int16_t>::max()))
    return fail(ErrorCode::Unrepresentable, "too many bones: a skeleton has 16-bit bone indices");
  // Done first, since it may fail and may add objects.
  MARROW_CHECK(set_local_frames(file, id, skeleton));
  Fields fields = file.at(id).fields();
  const auto count = static_cast<std::uint32_t>(skeleton.bones.size());
  const auto before = fields.view().array("referencePose").numbers<float>();
  const std::vector<float> pose = pose_of(skeleton, before);
  fields.set_text("name", skeleton.name);
  std::vector<std::int16_t> parents;
  for (const Bone& bone : skeleton.bones) parents.push_back(static_cast<std::int16_t>(bone.parent));
  fields.set_numbers<std::int16_t>("parentIndices", parents);
  resize_rows(file, id, "bones", count, kBone);
  fields = file.at(id).fields();
  for (std::uint32_t i = 0; i < count; ++i) {
    Fields bone = row_for_writing(file, id, "bones", i);
    bone.set_text("name", skeleton.bones[i].name);
    bone.set_integer("lockTranslation", skeleton.bones[i].lock_translation ? 1 : 0);
  }
  fields.set_numbers<float>("referencePose", pose);
  std::vector<float> references;
  std::vector<std::string> slots;
  for (const FloatSlot& slot : skeleton.float_slots) {
    references.push_back(slot.reference);
    slots.push_back(slot.name);
  }
  fields.set_numbers<float>("referenceFloats", references);
  fields.set_texts("floatSlots", slots);
  if (!fields.view().has("partitions")) {
    if (!skeleton.partitions.empty() && notes)
      notes->push_back({"this version of Havok has no partitions; they are left out", kNoOffset, skeleton.name});
    return {};
  }
  fields.reset_array("partitions", static_cast<std::uint32_t>(skeleton.partitions.size()));
  for (std::uint32_t i = 0; i < skeleton.partitions.size(); ++i) {
    Fields partition = fields.element("partitions", i);
    partition.set_text("name", skeleton.partitions[i].name);
    partition.set_integer("startBoneIndex", skeleton.partitions[i].first_bone);
    partition.set_integer("numBones", skeleton.partitions[i].bone_count);
  }
  return {};
}

Result<Packfile> make_skeleton_file(std::span<const Skeleton> skeletons, Game game, Notes* notes) {
  return make_skeleton_file_of(skeletons, *builtin_schema(version_of(game)), {pointer_size_of(game), false, false},
                               notes);
}

Result<Packfile> make_skeleton_file_of(std::span<const Skeleton> skeletons, const Schema& schema, FileLayout layout,
                                       Notes* notes) {
  Packfile file = make_packfile(schema, layout.pointer_size);
  file.is_big_endian = layout.is_big_endian;
  file.reuses_padding = layout.reuses_padding;
  file.root = file.add("hkRootLevelContainer");
  const ObjectId container = file.add("hkaAnimationContainer");
  std::vector<ObjectId> ids;
  for (const Skeleton& skeleton : skeletons) {
    ids.push_back(file.add("hkaSkeleton"));
    MARROW_CHECK(set_skeleton(file, ids.back(), skeleton, notes));
  }
  file.at(container).fields().set_pointers("skeletons", ids);
  Fields root = file.at(file.root).fields();
  root.reset_array("namedVariants", 1);
  Fields variant = root.element("namedVariants", 0);
  variant.set_text("name", "Merged Animation Container");
  variant.set_text("className", "hkaAnimationContainer");
  variant.set_pointer("variant", container);
  return file;
}

Result<void> add_skeleton(Packfile& file, const Skeleton& skeleton, Notes* notes) {
  const std::vector<ObjectId> containers = file.find_all("hkaAnimationContainer");
  if (containers.empty()) return fail(ErrorCode::NotFound, "the file has no animation container");
  const ObjectId id = file.add("hkaSkeleton");
  MARROW_CHECK(set_skeleton(file, id, skeleton, notes));
  file.at(containers.front()).fields().set_pointers("skeletons", {{id}});
  return {};
}

}  // namespace marrow::havok
