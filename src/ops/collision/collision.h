// SPDX-License-Identifier: MIT
/// Collision in NIF files and packfiles: list, show, edit, build, and put into NIF files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "havok/packfile/packfile.h"
#include "marrow/model/collision.h"
#include "marrow/ops/document/load.h"
#include "nif/nif_file.h"
#include "ops/collision/edit.h"
#include "ops/collision/put_back.h"
#include "ops/table/describe.h"

namespace marrow {

template <>
struct ChoiceWords<MotionType> {
  static constexpr std::array<std::string_view, 3> words = {"static", "keyframed", "dynamic"};
};
template <>
struct ChoiceWords<EmbeddedKind> {
  static constexpr std::array<std::string_view, 3> words = {"physics", "ragdoll", "cloth"};
};

/// Which system of a NIF with several.
struct BlockOptions {
  std::optional<std::int32_t> block = {};
};

// ---- list

struct ShapeInfo {
  std::string type = {};
  std::size_t vertices = 0, triangles = 0, children = 0;
  std::string material = {};
  float radius = 0.0f;                         ///< convex radius, Havok units
  std::optional<Vec3> size = {}, center = {};  ///< of the box around it, Havok units; none if the class is not known
  // A mesh only.
  std::optional<std::size_t> sections = {}, quads = {}, shared_vertices = {};
  std::optional<std::vector<std::string>> materials = {};
  // A child of a compound only.
  std::optional<Vec3> position = {};
  std::optional<bool> enabled = {};
  std::optional<Json> instances = {};  ///< children of a compound, each as a shape
};

struct BodyInfo {
  std::size_t id = 0;
  std::optional<std::string> node = {};
  std::optional<std::vector<std::string>> nodes = {};  ///< if several use it
  std::optional<std::string> name = {};
  std::string motion = {};           ///< as `to_string(MotionType)`
  std::optional<float> mass = 0.0f;  ///< kilograms; a phantom has none
  std::optional<float> friction = {}, restitution = {};
  std::optional<float> linear_damping = {}, angular_damping = {}, gravity_factor = {};
  std::optional<float> max_linear_speed = {}, max_angular_speed = {};
  std::string layer = {};
  std::uint32_t filter = 0, flags = 0;
  bool collides = true, impact_events = false, enters_keyframed = false;
  std::optional<std::string> material = {};
  Vec3 position{0.0f};
  Quat rotation = make_quat(0, 0, 0, 1);
  std::optional<ShapeInfo> shape = {};
  // Of bodies that are blocks of a NIF only.
  std::optional<std::int32_t> block = {};
  std::optional<std::string> type = {}, object = {};
  std::optional<std::uint32_t> object_flags = {}, motion_system = {}, quality = {}, deactivator = {},
                               solver_deactivation = {};
  std::optional<float> penetration_depth = {};
  std::optional<Vec3> center = {};
  std::optional<std::vector<float>> inertia = {};  ///< nine numbers, by rows
};

struct ConstraintInfo {
  std::string type = {};
  std::uint32_t body_a = 0;
  std::optional<std::uint32_t> body_b = {};                                 ///< none: the world
  std::optional<std::array<double, 2>> twist = {}, plane = {}, angle = {};  ///< radians
  std::optional<float> cone = {}, friction_torque = {}, break_threshold = {}, length = {};
};

struct SystemInfo {
  std::optional<std::int32_t> block = {};
  EmbeddedKind kind = EmbeddedKind::Physics;
  std::vector<BodyInfo> bodies = {};
  std::vector<ConstraintInfo> constraints = {};
  std::optional<std::size_t> bones = {};  ///< of a ragdoll
};

/// Collision from before Fallout 4's packfiles, which the game does not load.
struct LegacyBodyInfo {
  std::int32_t block = kNoBlock;  ///< of the collision object; of the body or shape itself if none leads to it
  std::string type = {};          ///< `bhkCollisionObject`
  std::optional<std::string> node = {};
  std::optional<std::string> body = {};   ///< type of its body: `bhkRigidBody`
  std::optional<std::string> layer = {};  ///< number of the layer in its own game
  std::optional<std::string> shape =
      {};  ///< type of its shape: `bhkConvexVerticesShape`, in a `bhkMoppBvTreeShape` the inner
};

struct ListCollisionOptions {};
struct ListCollisionReport {
  std::vector<SystemInfo> systems = {};
  std::optional<std::vector<LegacyBodyInfo>> legacy = {};  ///< if the NIF contains any
};

// ---- export, extract, replace, attach

struct ExportCollisionOptions {
  SaveOptions save = {.collision = true};
  std::optional<std::int32_t> block = {};  ///< one system of a NIF; by default all of them

  Parts parts() const { return save.show ? Parts::Shapes : Parts::None; }
};
struct ExportCollisionReport {
  std::size_t shapes = 0;
};

struct ReplaceCollisionOptions {
  const Document* blob = nullptr;
  std::optional<std::int32_t> block = {};
  bool keep_missing = false;  ///< bodies whose objects a mesh no longer has stay
};

struct AttachCollisionOptions {
  const Document* blob = nullptr;
  std::vector<std::string> nodes = {};     ///< empty: those with the names of a ragdoll's bones
  std::vector<std::uint32_t> bodies = {};  ///< one per node; empty: 0, 1, 2 ... in order
};

struct ReplaceReport {
  std::optional<std::int32_t> block = {};  ///< of the packfile that was replaced
  std::vector<ChangedBody> changed = {};   ///< by a mesh
  std::vector<std::string> removed = {};   ///< objects that a mesh no longer has, and whose bodies went
};

struct BlockReport {
  std::int32_t block = kNoBlock;
};

struct ExtractReport {
  std::optional<std::int32_t> block = {};  ///< if it is one
  std::vector<std::int32_t> blocks = {};
  std::vector<SavedFile> files = {};  ///< one per block, named after it if there are several
};

// ---- set

/// What other bodies meet.
enum class CollisionResponse : std::uint8_t { Contact, None };
template <>
struct ChoiceWords<CollisionResponse> {
  static constexpr std::array<std::string_view, 2> words = {"contact", "none"};
};

/// A body by its number in its system, or by the name of a node that uses it.
struct BodyChoice {
  std::string text = {};
};
namespace described {
/// Text; a whole number is taken as well.
template <>
struct Traits<BodyChoice> {
  static void fill(FieldInfo& info) { info.type = FieldType::Text; }
  static Json get(const BodyChoice& body) { return body.text; }
  static Result<void> set(BodyChoice& body, const Json& json, const FieldInfo& info);
};
}  // namespace described

struct SetCollisionOptions {
  std::optional<std::int32_t> block = {};
  std::vector<BodyChoice> bodies = {};  ///< with `nodes` empty: all
  std::vector<std::string> nodes = {};  ///< the bodies of these nodes
  BodyEdit edit = {};
  std::optional<std::string> material = {};        ///< by name, plain name or CRC in hex; instead of `edit.material`
  std::optional<std::string> layer = {};           ///< by name or number; instead of `edit.layer`
  std::optional<CollisionResponse> response = {};  ///< instead of `edit.collides`
};
struct SetCollisionReport {
  std::size_t bodies = 0;  ///< that were changed
};

void describe(FieldList& fields, BlockOptions& options);
void describe(FieldList& fields, ShapeInfo& shape);
void describe(FieldList& fields, BodyInfo& body);
void describe(FieldList& fields, ConstraintInfo& constraint);
void describe(FieldList& fields, SystemInfo& system);
void describe(FieldList& fields, LegacyBodyInfo& body);
void describe(FieldList& fields, ListCollisionOptions& options);
void describe(FieldList& fields, ListCollisionReport& report);
void describe(FieldList& fields, ExportCollisionOptions& options);
void describe(FieldList& fields, ExportCollisionReport& report);
void describe(FieldList& fields, ReplaceCollisionOptions& options);
void describe(FieldList& fields, AttachCollisionOptions& options);
void describe(FieldList& fields, ReplaceReport& report);
void describe(FieldList& fields, BlockReport& report);
void describe(FieldList& fields, ExtractReport& report);
void describe(FieldList& fields, SetCollisionOptions& options);
void describe(FieldList& fields, SetCollisionReport& report);

/// Lists every physics system, ragdoll and cloth with its bodies, shapes and constraints, and collision of before
/// Fallout 4 as what it is. Numbers are the file's own.
/// Needs `Parts::Collision`, as the others do.
Result<ListCollisionReport> list_collision(const Document& document, const ListCollisionOptions& options,
                                           Context& context);
/// Returns what `list_collision` reports about one system.
SystemInfo system_info(const DocumentCollision& collision);
/// Leaves the systems that are to be shown. Fails with `NoCollision` if there is none.
Result<ExportCollisionReport> export_collision(Document& document, const ExportCollisionOptions& options,
                                               Context& context);
/// Takes out the bare packfile that is in a block of a NIF, or all of them, as they are.
Result<ExtractReport> extract_collision(const Document& document, const BlockOptions& options, Context& context);
/// Puts a packfile in the place of the one in a block, or of the only one of its kind. Refuses one of another kind, and
/// one with fewer bodies than the nodes use. A ragdoll with names of bones goes on the nodes with these names; nodes of
/// the ragdoll that was there before have no collision then. A mesh, exported from the file and edited or not, is put
/// back shape by shape instead, see `put_back`; the file may then be a bare packfile too.
Result<ReplaceReport> replace_collision(Document& document, const ReplaceCollisionOptions& options, Context& context);
/// Hangs a packfile on nodes, see `attach`. Refuses bodies that it does not have. Names of bones are taken out.
Result<BlockReport> attach_collision(Document& document, const AttachCollisionOptions& options, Context& context);
/// Edits bodies: of the system that is named, with the nodes that are named, or of all systems. Fails with
/// `NeedsChoice` if a body is named by number and there are several systems. BSXFlags of a NIF follow.
Result<SetCollisionReport> set_collision(Document& document, const SetCollisionOptions& options, Context& context);

/// Returns the system in that block, or the only one that holds bodies. `NeedsChoice` and `NotFound` say which there
/// are.
Result<std::size_t> find_system(const Document& document, std::optional<std::int32_t> block);
/// Returns what the flags of a NIF depend on, for `attach`, `detach` and `expected_bsx_flags`. Fails if the packfile is
/// not a system.
Result<SystemTraits> probe_system(std::span<const std::byte> packfile);
/// Returns what kind of block a packfile belongs in, by what it holds. Fails with `NoCollision`.
Result<EmbeddedKind> embedded_kind(const havok::Packfile& packfile);

}  // namespace marrow
