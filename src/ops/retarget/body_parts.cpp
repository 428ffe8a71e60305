// SPDX-License-Identifier: MIT
#include "ops/retarget/body_parts.h"

#include <algorithm>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "marrow/core/text.h"
#include "ops/retarget/rig_names.h"
#include "ops/retarget/structure.h"

namespace marrow {
namespace {

// One row per part of the left side or the middle. `@` stands for the side, as each naming writes it (table below).
struct PartRow {
  std::string_view part;
  Role role;
  std::string_view aim;  // the part that it points to
  std::string_view skyrim, fallout4, anvil, human_ik;
};

constexpr std::string_view kNone = "";

constexpr PartRow kRows[] = {
    {"root", Role::Root, kNone, "NPC Root [Root]", "Root", "Reference", "Reference"},
    {"hips", Role::Hips, kNone, "NPC COM [COM ]", "COM", "Hips", "Hips"},
    {"pelvis", Role::Limb, kNone, "NPC Pelvis [Pelv]", "Pelvis", kNone, kNone},
    {"thigh@", Role::Thigh, "calf@", "NPC @ Thigh [@Thg]", "@Leg_Thigh", "@UpLeg", "@UpLeg"},
    {"calf@", Role::Limb, "foot@", "NPC @ Calf [@Clf]", "@Leg_Calf", "@Leg", "@Leg"},
    {"foot@", Role::Limb, "toe@", "NPC @ Foot [@ft ]", "@Leg_Foot", "@Foot", "@Foot"},
    {"toe@", Role::Limb, kNone, "NPC @ Toe0 [@Toe]", "@Leg_Toe1", "@FootThumb1", "@ToeBase"},
    {"spine", Role::Limb, "spine1", "NPC Spine [Spn0]", "SPINE1", "Spine", "Spine"},
    {"spine1", Role::Limb, "spine2", "NPC Spine1 [Spn1]", "SPINE2", "Spine1", "Spine1"},
    {"spine2", Role::Limb, "neck", "NPC Spine2 [Spn2]", "Chest", "Spine2", "Spine2"},
    {"neck", Role::Limb, "head", "NPC Neck [Neck]", "Neck", "Neck", "Neck"},
    {"head", Role::Limb, kNone, "NPC Head [Head]", "HEAD", "Head", "Head"},
    {"clavicle@", Role::Limb, "upperarm@", "NPC @ Clavicle [@Clv]", "@Arm_Collarbone", "@Clavicle", "@Shoulder"},
    {"upperarm@", Role::UpperArm, "forearm@", "NPC @ UpperArm [@Uar]", "@Arm_UpperArm", "@Arm", "@Arm"},
    {"forearm@", Role::Limb, "hand@", "NPC @ Forearm [@Lar]", "@Arm_ForeArm1", "@ForeArm", "@ForeArm"},
    {"hand@", Role::Limb, "middle1@", "NPC @ Hand [@Hnd]", "@Arm_Hand", "@Hand", "@Hand"},
    {"thumb1@", Role::Limb, "thumb2@", "NPC @ Finger00 [@F00]", "@Arm_Finger11", "@HandThumb1", "@HandThumb1"},
    {"thumb2@", Role::Limb, "thumb3@", "NPC @ Finger01 [@F01]", "@Arm_Finger12", "@HandThumb2", "@HandThumb2"},
    {"thumb3@", Role::Limb, kNone, "NPC @ Finger02 [@F02]", "@Arm_Finger13", "@HandThumb3", "@HandThumb3"},
    {"index1@", Role::Limb, "index2@", "NPC @ Finger10 [@F10]", "@Arm_Finger21", "@HandIndex1", "@HandIndex1"},
    {"index2@", Role::Limb, "index3@", "NPC @ Finger11 [@F11]", "@Arm_Finger22", "@HandIndex2", "@HandIndex2"},
    {"index3@", Role::Limb, kNone, "NPC @ Finger12 [@F12]", "@Arm_Finger23", "@HandIndex3", "@HandIndex3"},
    {"middle1@", Role::Limb, "middle2@", "NPC @ Finger20 [@F20]", "@Arm_Finger31", "@HandMiddle1", "@HandMiddle1"},
    {"middle2@", Role::Limb, "middle3@", "NPC @ Finger21 [@F21]", "@Arm_Finger32", "@HandMiddle2", "@HandMiddle2"},
    {"middle3@", Role::Limb, kNone, "NPC @ Finger22 [@F22]", "@Arm_Finger33", "@HandMiddle3", "@HandMiddle3"},
    {"ring1@", Role::Limb, "ring2@", "NPC @ Finger30 [@F30]", "@Arm_Finger41", "@HandRing1", "@HandRing1"},
    {"ring2@", Role::Limb, "ring3@", "NPC @ Finger31 [@F31]", "@Arm_Finger42", "@HandRing2", "@HandRing2"},
    {"ring3@", Role::Limb, kNone, "NPC @ Finger32 [@F32]", "@Arm_Finger43", "@HandRing3", "@HandRing3"},
    {"pinky1@", Role::Limb, "pinky2@", "NPC @ Finger40 [@F40]", "@Arm_Finger51", "@HandPinky1", "@HandPinky1"},
    {"pinky2@", Role::Limb, "pinky3@", "NPC @ Finger41 [@F41]", "@Arm_Finger52", "@HandPinky2", "@HandPinky2"},
    {"pinky3@", Role::Limb, kNone, "NPC @ Finger42 [@F42]", "@Arm_Finger53", "@HandPinky3", "@HandPinky3"},
    {"twist1@", Role::Limb, kNone, "NPC @ UpperarmTwist1 [@Ut1]", "@Arm_UpperTwist1", kNone, kNone},
    {"twist2@", Role::Limb, kNone, "NPC @ UpperarmTwist2 [@Ut2]", "@Arm_UpperTwist2", kNone, kNone},
    {"tail1", Role::Limb, "tail2", kNone, kNone, kNone, kNone},
    {"tail2", Role::Limb, "tail3", kNone, kNone, kNone, kNone},
    {"tail3", Role::Limb, "tail4", kNone, kNone, kNone, kNone},
    {"tail4", Role::Limb, "tail5", kNone, kNone, kNone, kNone},
    {"tail5", Role::Limb, "tail6", kNone, kNone, kNone, kNone},
    {"tail6", Role::Limb, kNone, kNone, kNone, kNone, kNone},
    {"weapon", Role::Prop, kNone, "Weapon", "Weapon", "RightHand_Weapon_Ref", kNone},
    {"offhand", Role::Prop, kNone, "Shield", "WeaponLeft", "LeftHand_Weapon_Ref", kNone},
    {"camera", Role::Prop, kNone, "Camera3rd [Cam3]", "Camera", kNone, kNone},
    {"camera control", Role::Prop, kNone, "Camera Control", "Camera Control", kNone, kNone},
    {"object a", Role::Prop, kNone, "AnimObjectA", "AnimObjectA", kNone, kNone},
    {"object b", Role::Prop, kNone, "AnimObjectB", "AnimObjectB", kNone, kNone},
    {"object l", Role::Prop, kNone, "AnimObjectL", "AnimObjectL1", kNone, kNone},
    {"object r", Role::Prop, kNone, "AnimObjectR", "AnimObjectR1", kNone, kNone},
};

// The namings, and how each writes a side.
struct Naming {
  std::string_view title;
  std::string_view left, right;
  std::string_view PartRow::* column = nullptr;
  std::span<const RigName> names = {};  // instead of a column
};
// Of two that know as many names of a rig, the first is taken.
constexpr Naming kNamings[] = {{"Skyrim", "L", "R", &PartRow::skyrim},
                               {"Fallout 4", "L", "R", &PartRow::fallout4},
                               {"Anvil", "Left", "Right", &PartRow::anvil},
                               {"HumanIK or Mixamo", "Left", "Right", &PartRow::human_ik},
                               {"CMU", "Left", "Right", nullptr, kCmuNames},
                               {"Rigify", "L", "R", nullptr, kRigifyNames},
                               {"Rokoko", "Left", "Right", nullptr, kRokokoNames},
                               {"3ds Max Biped", "L", "R", nullptr, kBipedOnPelvis},
                               {"3ds Max Biped", "L", "R", nullptr, kBipedOnCentre},
                               {"plain BVH", "Left", "Right", nullptr, kPlainNames},
                               {"Unreal", "l", "r", nullptr, kUnrealOfFive},
                               {"Unreal", "l", "r", nullptr, kUnrealOfThree},
                               {"Poser or DAZ", "l", "r", nullptr, kPoserNames}};

// Words in the names of bones that are attached to a body without being part of it.
constexpr std::string_view kHelperWords[] = {"twist",      "roll",   "helper", "weapon", "quiver",  "camera",
                                             "animobject", "magic",  "skirt",  "tag",    "shield",  "pauldron",
                                             "pipboy",     "target", "node",   "eye",    "hipjoint"};
constexpr std::string_view kHelperStarts[] = {"fx_", "c_"};
constexpr std::string_view kHelperEnd = "_ref";

struct Known {
  Role role = Role::None;
  std::optional<Part> aim;
};

std::string with_side(std::string_view text, std::string_view side) {
  std::string out;
  for (const char c : text)
    if (c == '@')
      out += side;
    else if (c == '%')
      out += side.front();
    else
      out += c;
  return out;
}

// Returns the name of a part in a naming; empty if it has none.
std::string_view name_in(const Naming& naming, const PartRow& row) {
  if (naming.column) return row.*naming.column;
  const auto found = std::ranges::find(naming.names, row.part, &RigName::part);
  return found == naming.names.end() ? std::string_view() : found->name;
}

struct Table {
  std::vector<Known> parts;
  std::unordered_map<std::string, Part> by_part;
  std::array<std::unordered_map<std::string, Part>, std::size(kNamings)> by_name;  // by naming

  Table() {
    std::vector<std::string> aims;
    for (const PartRow& row : kRows) {
      const bool sided = row.part.ends_with('@');
      for (int side = 0; side < (sided ? 2 : 1); ++side) {
        const std::string_view letter = side == 0 ? "L" : "R";
        const Part part = parts.size();
        parts.push_back({row.role, std::nullopt});
        aims.push_back(with_side(row.aim, letter));
        by_part[with_side(row.part, letter)] = part;
        for (std::size_t i = 0; i < std::size(kNamings); ++i)
          if (const std::string_view name = name_in(kNamings[i], row); !name.empty())
            by_name[i].try_emplace(to_lower(with_side(name, side == 0 ? kNamings[i].left : kNamings[i].right)), part);
      }
    }
    for (Part part = 0; part < parts.size(); ++part)
      if (const auto found = by_part.find(aims[part]); found != by_part.end()) parts[part].aim = found->second;
  }
};

// What programs put before the names of their rigs, up to a colon or underscore; some exporters add a number.
std::string plain_name(std::string_view bone_name) {
  std::string name = to_lower(bone_name);
  if (const std::size_t colon = name.rfind(':'); colon != std::string::npos) name.erase(0, colon + 1);
  for (const std::string_view owner : {"mixamorig", "character"})
    if (name.starts_with(owner))
      if (const std::size_t end = name.find('_'); end != std::string::npos) name.erase(0, end + 1);
  if (name.starts_with("def-")) name.erase(0, 4);
  // Bipeds are numbered: `Bip01`, `Bip01 L Thigh`, `Bip001_L_Thigh`.
  constexpr std::string_view kBiped = "bip";
  if (name.starts_with(kBiped)) {
    const std::size_t end = std::min(name.find_first_not_of("0123456789", kBiped.size()), name.size());
    if (end == name.size()) return std::string(kBiped);
    if (name[end] == ' ' || name[end] == '_') {
      name.erase(0, end + 1);
      std::ranges::replace(name, '_', ' ');
    }
  }
  return name;
}

const Table& table() {
  static const Table instance;
  return instance;
}

// Fewer known names than this are a coincidence; with a prefix that was tried, more are.
constexpr std::size_t kEnough = 5, kEnoughWithPrefix = 10;

// Returns the parts by the naming that knows the most names; `naming` is set if those are `enough`.
BodyParts best_naming(const std::vector<std::string>& names, std::size_t enough) {
  BodyParts best;
  std::size_t most = 0;
  for (std::size_t naming = 0; naming < std::size(kNamings); ++naming) {
    BodyParts found;
    std::size_t count = 0;
    for (const std::string& name : names) {
      const auto part = table().by_name[naming].find(name);
      found.parts.push_back(part == table().by_name[naming].end() ? std::nullopt : std::optional(part->second));
      if (found.parts.back()) ++count;
    }
    if (naming > 0 && count <= most) continue;
    most = count;
    best = std::move(found);
    if (count >= enough) best.naming = naming;
  }
  return best;
}

// Returns what may stand before all names of a rig, such as the name of a character: what stands before the middle of
// the body.
std::vector<std::string> prefixes_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 16;
  std::vector<std::string> prefixes;
  for (const std::string_view part : {"hips", "hip", "pelvis", "spine", "neck", "head"})
    for (const std::string& name : names) {
      if (name.size() <= part.size() || !name.ends_with(part) || prefixes.size() >= kMost) continue;
      std::string prefix = name.substr(0, name.size() - part.size());
      if (std::ranges::find(prefixes, prefix) == prefixes.end()) prefixes.push_back(std::move(prefix));
    }
  return prefixes;
}

}  // namespace

BodyParts find_parts(const Skeleton& skeleton) {
  std::vector<std::string> names;
  for (const Bone& bone : skeleton.bones) names.push_back(plain_name(bone.name));
  BodyParts best = best_naming(names, kEnough);
  if (!best.naming)
    for (const std::string& prefix : prefixes_of(names)) {
      std::vector<std::string> shorter;
      for (const std::string& name : names)
        shorter.push_back(name.starts_with(prefix) ? name.substr(prefix.size()) : std::string());
      if (BodyParts found = best_naming(shorter, kEnoughWithPrefix); found.naming) {
        best = std::move(found);
        break;
      }
    }
  best.is_guessed.resize(skeleton.bones.size());
  add_parts_by_structure(skeleton, best);
  return best;
}

std::optional<Part> part_named(std::string_view name) {
  const auto found = table().by_part.find(std::string(name));
  return found == table().by_part.end() ? std::nullopt : std::optional(found->second);
}

std::string_view naming_title(std::size_t naming) { return kNamings[naming].title; }

bool is_limb_part(Part part) {
  static const std::vector<Part> kLimbs = [] {
    std::vector<Part> limbs;
    for (const char* name : {"thigh", "calf", "foot", "upperarm", "forearm", "hand"})
      for (const char* side : {"L", "R"}) limbs.push_back(*part_named(std::string(name) + side));
    return limbs;
  }();
  return std::ranges::find(kLimbs, part) != kLimbs.end();
}

Role role_of(Part part) { return table().parts[part].role; }
std::optional<Part> aim_of(Part part) { return table().parts[part].aim; }

bool is_helper_name(std::string_view bone_name) {
  const std::string name = to_lower(bone_name);
  for (const std::string_view word : kHelperWords)
    if (name.find(word) != std::string::npos) return true;
  for (const std::string_view start : kHelperStarts)
    if (name.starts_with(start)) return true;
  return name.ends_with(kHelperEnd);
}

}  // namespace marrow
