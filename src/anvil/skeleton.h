// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "anvil/kept.h"
#include "marrow/model/modifiers.h"

namespace marrow::anvil {

/// The name of a bone: its CRC-32, which the engine uses, and the text that the file gave with it.
struct BoneName {
  std::uint32_t hash = 0;
  std::string text;  ///< empty if unknown

  bool operator==(const BoneName&) const = default;
};

/// Data that is kept without being interpreted: an element as XML, in its original dialect. Empty is null.
struct Opaque {
  std::string xml;
  Dialect dialect = Dialect::Standard;

  bool is_null() const { return xml.empty(); }
  bool operator==(const Opaque&) const = default;
};

/// A number that a Schema file states although it follows from the rest. `check` compares it, the writer recomputes it.
/// Not part of any value: always equal.
struct Computed {
  std::optional<std::uint32_t> stated;
  bool operator==(const Computed&) const { return true; }
};

inline constexpr std::int32_t kNoWrinkle = 7;
inline constexpr std::uint32_t kCustomSkeleton = 8;  ///< the `SkeletonType` of addons

/// A bone modifier with the contents of its file beyond the known fields. Links hold the object ids of bones.
struct Modifier : marrow::Modifier {
  Kept kept;
  std::vector<Kept> part_kept;  ///< one per hinge or term, in order; may be shorter: the rest kept nothing

  bool operator==(const Modifier& other) const;
};

/// Links hold the object ids of bones. Positions in metres, Z up; `global` = global of the parent * `local`.
struct Bone {
  std::uint64_t id = 0;
  BoneName name;
  BoneLink parent;  ///< null: the root
  BoneLink mirror;  ///< itself, or null: none
  Vec4 global_position{0.0f};
  Quat global_rotation = make_quat(0, 0, 0, 1);
  Vec4 local_position{0.0f};
  Quat local_rotation = make_quat(0, 0, 0, 1);
  std::uint8_t solving_priority = 0;
  std::int32_t mirroring_type = 5;
  std::vector<Modifier> modifiers;
  std::vector<std::uint32_t> dependencies;  ///< hashes of bones; Unity and later
  std::int32_t wrinkle_category = kNoWrinkle;
  float wrinkle_factor = 0.0f;
  Computed index;
  Computed child_bone_count;
  Kept kept;

  bool operator==(const Bone&) const = default;
};

/// Something in a file that is not written back: text between elements, or an element after the root.
struct Dropped {
  static constexpr std::size_t kMost = 100;
  std::uint32_t line = 0;
  std::string what;  ///< a sentence without a full stop
};

/// How new objects are numbered. The engine finds everything by its id, so two files must not count alike. By default
/// an id is a hash of the file, the skeleton and the name of the object: the same in every run, another in every file.
struct IdScheme {
  std::string file;                        ///< name of the file, without folder and extension
  std::optional<std::uint64_t> base = {};  ///< take the free ids from here on instead
};

/// What surrounded the skeleton in its file. Not part of its value: always equal.
struct Origin {
  Dialect dialect = Dialect::Standard;
  std::string tool = "AnvilToolkit";
  std::string tool_version = "1.2.10";
  std::vector<std::string> comments;  ///< before the root element
  std::vector<Dropped> dropped;       ///< what the file has and a skeleton cannot hold, at most `Dropped::kMost`
  bool wide_indices = false;          ///< a Schema file with 16-bit indices
  IdScheme ids;

  bool operator==(const Origin&) const { return true; }
};

/// A skeleton as the games store it. Everything without a field here is in `kept` of the object it belongs to.
struct Skeleton {
  std::uint64_t id = 0;
  std::uint32_t type = 0;  ///< 0 biped ... 8 custom, as addons are
  std::vector<Bone> bones;
  BoneLink root;
  Vec4 root_default_position{0.0f};
  Quat root_default_rotation = make_quat(0, 0, 0, 1);
  FileReference body_part_mapping;
  Opaque pose_groups;
  Opaque ik_data;
  Opaque com_data;
  FileReference look_at_data;
  Opaque reflex_system;             ///< Unity and later
  std::uint32_t key = 0;            ///< opaque: never computed
  std::uint32_t hierarchy_key = 0;  ///< opaque; Unity and later
  Opaque reflex3_constraints;       ///< Origins and later
  Kept kept;
  Origin origin;

  bool operator==(const Skeleton&) const = default;
};

/// Return an object as a new file has it: optional fields are left out.
Modifier make_modifier(ModifierType type);
Bone make_bone();
Skeleton make_skeleton();

/// True if two modifiers do the same: same class, fields, links and kept elements. Object ids may differ.
bool same_effect(const Modifier& a, const Modifier& b);

/// Return the local and the global rest pose as transforms. Files have no scale.
Transform local_rest(const Bone& bone);
Transform global_rest(const Bone& bone);
void set_local_rest(Bone& bone, const Transform& transform);
void set_global_rest(Bone& bone, const Transform& transform);

}  // namespace marrow::anvil
