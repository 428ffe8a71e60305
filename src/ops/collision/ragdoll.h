// SPDX-License-Identifier: MIT
/// A ragdoll from a skeleton and a table of bodies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "havok/physics/ragdoll.h"
#include "marrow/ops/document/context.h"
#include "ops/table/describe.h"

namespace marrow {

template <>
struct ChoiceWords<havok::RagdollShape> {
  static constexpr std::array<std::string_view, 3> words = {"capsule", "box", "sphere"};
};

struct RagdollCollisionOptions {
  std::string_view table = {};  ///< CSV with a header, or JSON; docs/collision.md describes it
  bool one_sided = false;       ///< bones on the other side get no body unless the table has one for them
  std::optional<std::string> material = {};
  std::optional<Game> to = {};  ///< Skyrim: a NIF with the bones; else a packfile of Fallout 4
};

struct RagdollBoneInfo {
  std::size_t body = 0;
  std::string bone = {};
  float mass = 0.0f;  ///< kilograms
  bool mirrored = false;
};

struct RagdollReport {
  std::size_t bodies = 0, joints = 0;
  std::vector<RagdollBoneInfo> bones = {};
};

void describe(FieldList& fields, RagdollCollisionOptions& options);
void describe(FieldList& fields, RagdollBoneInfo& bone);
void describe(FieldList& fields, RagdollReport& report);

/// Reads a table of bodies: CSV with a header or JSON, a list of objects. Angles are degrees, lengths game units. Fails
/// with `Malformed`, naming the row and the column. Joints without a friction get that of the game's own. Safe on
/// untrusted text.
Result<std::vector<havok::RagdollBody>> read_ragdoll_table(std::string_view text, const Limits& limits = {},
                                                           CollisionGame game = CollisionGame::Fallout4);

/// Builds a ragdoll on the bones of `skeleton` into `document`, which becomes a packfile, or for Skyrim a NIF with all
/// bones as nodes. Either keeps the names of bones, by which `attach_collision` and `replace_collision` find the nodes.
Result<RagdollReport> build_ragdoll(const Document& skeleton, const RagdollCollisionOptions& options,
                                    Document& document, Context& context);

}  // namespace marrow
