// SPDX-License-Identifier: MIT
// The names of further rigs: of motion capture and of other programs. A rig is a table of rows; adding one is adding a
// table and its row in `kNamings`. `@` stands for the side as the naming writes it, `%` for L or R.
#pragma once

#include <span>
#include <string_view>

namespace marrow {

struct RigName {
  std::string_view part;  ///< of the table of parts
  std::string_view name;
};

/// Captures of Carnegie Mellon University. `LHipJoint` is no bone of the games.
inline constexpr RigName kCmuNames[] = {
    {"hips", "Hips"},
    {"thigh@", "@UpLeg"},
    {"calf@", "@Leg"},
    {"foot@", "@Foot"},
    {"toe@", "@ToeBase"},
    {"spine", "LowerBack"},
    {"spine1", "Spine"},
    {"spine2", "Spine1"},
    {"neck", "Neck"},
    {"head", "Head"},
    {"clavicle@", "@Shoulder"},
    {"upperarm@", "@Arm"},
    {"forearm@", "@ForeArm"},
    {"hand@", "@Hand"},
    {"thumb1@", "%Thumb"},
    {"middle1@", "@FingerBase"},
    {"middle2@", "@HandIndex1"},
};

/// Rigify of Blender, the bones that a game gets; `DEF-` stands before the deforming ones.
inline constexpr RigName kRigifyNames[] = {
    {"hips", "spine"},
    {"spine", "spine.001"},
    {"spine1", "spine.002"},
    {"spine2", "spine.003"},
    {"neck", "spine.004"},
    {"head", "spine.006"},
    {"clavicle@", "shoulder.@"},
    {"upperarm@", "upper_arm.@"},
    {"forearm@", "forearm.@"},
    {"hand@", "hand.@"},
    {"thigh@", "thigh.@"},
    {"calf@", "shin.@"},
    {"foot@", "foot.@"},
    {"toe@", "toe.@"},
    {"thumb1@", "thumb.01.@"},
    {"thumb2@", "thumb.02.@"},
    {"thumb3@", "thumb.03.@"},
    {"index1@", "f_index.01.@"},
    {"index2@", "f_index.02.@"},
    {"index3@", "f_index.03.@"},
    {"middle1@", "f_middle.01.@"},
    {"middle2@", "f_middle.02.@"},
    {"middle3@", "f_middle.03.@"},
    {"ring1@", "f_ring.01.@"},
    {"ring2@", "f_ring.02.@"},
    {"ring3@", "f_ring.03.@"},
    {"pinky1@", "f_pinky.01.@"},
    {"pinky2@", "f_pinky.02.@"},
    {"pinky3@", "f_pinky.03.@"},
};

inline constexpr RigName kRokokoNames[] = {
    {"root", "Root"}, {"hips", "Hips"},           {"thigh@", "@Thigh"},  {"calf@", "@Shin"},       {"foot@", "@Foot"},
    {"toe@", "@Toe"}, {"spine", "Spine1"},        {"spine1", "Spine2"},  {"spine2", "Spine4"},     {"neck", "Neck"},
    {"head", "Head"}, {"clavicle@", "@Shoulder"}, {"upperarm@", "@Arm"}, {"forearm@", "@ForeArm"}, {"hand@", "@Hand"},
};

/// Biped of 3ds Max, and the rigs of the many games that keep its names. `Bip01` is its centre; rigs without one hang
/// on the pelvis: the first row is theirs, the last two are of those that have it.
inline constexpr RigName kBipedNames[] = {
    {"hips", "Pelvis"},         {"thigh@", "@ Thigh"},       {"calf@", "@ Calf"},
    {"foot@", "@ Foot"},        {"toe@", "@ Toe0"},          {"spine", "Spine"},
    {"spine1", "Spine1"},       {"spine2", "Spine2"},        {"neck", "Neck"},
    {"head", "Head"},           {"clavicle@", "@ Clavicle"}, {"upperarm@", "@ UpperArm"},
    {"forearm@", "@ Forearm"},  {"hand@", "@ Hand"},         {"thumb1@", "@ Finger0"},
    {"thumb2@", "@ Finger01"},  {"thumb3@", "@ Finger02"},   {"index1@", "@ Finger1"},
    {"index2@", "@ Finger11"},  {"index3@", "@ Finger12"},   {"middle1@", "@ Finger2"},
    {"middle2@", "@ Finger21"}, {"middle3@", "@ Finger22"},  {"ring1@", "@ Finger3"},
    {"ring2@", "@ Finger31"},   {"ring3@", "@ Finger32"},    {"pinky1@", "@ Finger4"},
    {"pinky2@", "@ Finger41"},  {"pinky3@", "@ Finger42"},   {"hips", "Bip"},
    {"pelvis", "Pelvis"},
};
inline constexpr std::span<const RigName> kBipedOnPelvis = std::span(kBipedNames).first(std::size(kBipedNames) - 2);
inline constexpr std::span<const RigName> kBipedOnCentre = std::span(kBipedNames).subspan(1);

/// Mannequins of Unreal. The first two rows are of those with five bones in the spine, the last two of those with
/// three.
inline constexpr RigName kUnrealNames[] = {
    {"spine1", "spine_03"},
    {"spine2", "spine_05"},
    {"spine", "spine_01"},
    {"root", "root"},
    {"hips", "pelvis"},
    {"neck", "neck_01"},
    {"head", "head"},
    {"clavicle@", "clavicle_@"},
    {"upperarm@", "upperarm_@"},
    {"forearm@", "lowerarm_@"},
    {"hand@", "hand_@"},
    {"thigh@", "thigh_@"},
    {"calf@", "calf_@"},
    {"foot@", "foot_@"},
    {"toe@", "ball_@"},
    {"thumb1@", "thumb_01_@"},
    {"thumb2@", "thumb_02_@"},
    {"thumb3@", "thumb_03_@"},
    {"index1@", "index_01_@"},
    {"index2@", "index_02_@"},
    {"index3@", "index_03_@"},
    {"middle1@", "middle_01_@"},
    {"middle2@", "middle_02_@"},
    {"middle3@", "middle_03_@"},
    {"ring1@", "ring_01_@"},
    {"ring2@", "ring_02_@"},
    {"ring3@", "ring_03_@"},
    {"pinky1@", "pinky_01_@"},
    {"pinky2@", "pinky_02_@"},
    {"pinky3@", "pinky_03_@"},
    {"spine1", "spine_02"},
    {"spine2", "spine_03"},
};
inline constexpr std::span<const RigName> kUnrealOfFive = std::span(kUnrealNames).first(std::size(kUnrealNames) - 2);
inline constexpr std::span<const RigName> kUnrealOfThree = std::span(kUnrealNames).subspan(2);

/// Figures of Poser and DAZ, which many captures are made for.
inline constexpr RigName kPoserNames[] = {
    {"hips", "hip"},          {"spine", "abdomen"},   {"spine1", "abdomen2"},   {"spine2", "chest"},
    {"neck", "neck"},         {"head", "head"},       {"clavicle@", "@Collar"}, {"upperarm@", "@Shldr"},
    {"forearm@", "@ForeArm"}, {"hand@", "@Hand"},     {"thigh@", "@Thigh"},     {"calf@", "@Shin"},
    {"foot@", "@Foot"},       {"toe@", "@Toe"},       {"thumb1@", "@Thumb1"},   {"thumb2@", "@Thumb2"},
    {"thumb3@", "@Thumb3"},   {"index1@", "@Index1"}, {"index2@", "@Index2"},   {"index3@", "@Index3"},
    {"middle1@", "@Mid1"},    {"middle2@", "@Mid2"},  {"middle3@", "@Mid3"},    {"ring1@", "@Ring1"},
    {"ring2@", "@Ring2"},     {"ring3@", "@Ring3"},   {"pinky1@", "@Pinky1"},   {"pinky2@", "@Pinky2"},
    {"pinky3@", "@Pinky3"},
};

/// Joints as many captures name them. `LeftShoulder` is the upper arm here.
inline constexpr RigName kPlainNames[] = {
    {"hips", "Hips"},         {"thigh@", "@Hip"},         {"calf@", "@Knee"},     {"foot@", "@Ankle"}, {"toe@", "@Toe"},
    {"spine", "Chest"},       {"spine1", "Chest2"},       {"spine2", "Chest4"},   {"neck", "Neck"},    {"head", "Head"},
    {"clavicle@", "@Collar"}, {"upperarm@", "@Shoulder"}, {"forearm@", "@Elbow"}, {"hand@", "@Wrist"},
};

}  // namespace marrow
