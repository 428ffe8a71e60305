// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "marrow/anvil/skeleton.h"
#include "marrow/codec/stored_spline.h"
#include "marrow/core/error.h"
#include "marrow/geometry/shapes.h"
#include "marrow/havok/packfile.h"
#include "marrow/model/clip.h"
#include "marrow/model/collision.h"
#include "marrow/model/game.h"
#include "marrow/model/skeleton.h"
#include "marrow/nif/embedded.h"
#include "marrow/nif/nif_file.h"
#include "marrow/ops/format.h"

namespace marrow {

/// A skeleton of a document.
struct DocumentSkeleton {
  Skeleton skeleton;
  bool is_ragdoll = false;                 ///< Havok: not the one that clips move
  bool is_guessed = false;                 ///< glTF without Marrow's record: bones were made out of nodes
  std::vector<std::int32_t> missing = {};  ///< glTF: bones of the record that the file itself no longer has
  /// glTF of an Anvil skeleton: bones that hang on another parent in the file, and that parent.
  std::vector<std::pair<std::int32_t, std::int32_t>> reparented = {};

  bool operator==(const DocumentSkeleton&) const = default;
};

/// A clip of a document. Its motion is in `spline`, in the frames of `clip`, or in both. `save` keeps the codes of
/// every track whose frames still are what `spline` decodes to, and encodes the others.
struct DocumentClip {
  std::string name;
  Clip clip;                                       ///< `transforms` is empty until its frames are decoded
  std::optional<codec::StoredSpline> spline = {};  ///< as the file stores it
  std::optional<std::size_t> skeleton = {};        ///< the one of the document that it moves, if that is known
  bool as_frames = false;                          ///< write every frame as it is, uncompressed
  double key_rate = 0.0;                           ///< of a dense glTF clip: its own keys per second; else 0
  havok::ObjectId source = {};                     ///< the animation it was read from, in a packfile
  /// The packfile that the clip was in, before it became glTF. `save` writes changes over it.
  std::vector<std::byte> kept_file = {};

  bool operator==(const DocumentClip&) const = default;

  bool has_frames() const { return !clip.transforms.empty() || clip.frame_count == 0 || clip.track_count == 0; }
};

/// A node of a NIF that uses a body.
struct BodyNode {
  std::uint32_t body = 0;
  std::string name;
  Transform world;  ///< in game units

  bool operator==(const BodyNode&) const = default;
};

/// One physics system, ragdoll or cloth.
struct DocumentCollision {
  std::optional<std::int32_t> block = {};  ///< of the NIF; none in a bare packfile
  EmbeddedKind kind = EmbeddedKind::Physics;
  std::size_t packfile = 0;          ///< of `NifOrigin::packfiles`; 0 in a bare packfile
  std::size_t ordinal = 0;           ///< which system of the packfile
  CollisionSystem system = {};       ///< empty for cloth
  std::vector<BodyNode> nodes = {};  ///< empty in a bare packfile

  bool operator==(const DocumentCollision&) const = default;
};

/// A triangle mesh with the materials of its faces, Z up. Neighbours of one name and place are parts of one object.
struct DocumentMesh {
  std::string name;
  geometry::TriangleMesh mesh;  ///< in the space of `placement`; `materials` index `Document::materials`
  Transform placement = {};
  Vec4 colour{0.8f, 0.8f, 0.8f, 1.0f};  ///< linear red, green, blue and opacity, 0 to 1

  bool operator==(const DocumentMesh&) const = default;
};

/// What a document was read from. It stays beside the values, so that what nobody touched goes back byte for byte.
struct HavokOrigin {
  havok::Packfile file;

  bool operator==(const HavokOrigin&) const = default;
};
struct NifOrigin {
  NifFile nif;
  std::vector<havok::Packfile> packfiles;  ///< one per embedded block, in order

  bool operator==(const NifOrigin&) const = default;
};
struct AnvilOrigin {
  anvil::Skeleton skeleton;
  bool keep_order = false;  ///< bones are written in the order they have, not depth first

  bool operator==(const AnvilOrigin&) const = default;
};
using Origin = std::variant<std::monostate, HavokOrigin, NifOrigin, AnvilOrigin>;

/// The parts of a document that `load` makes values of. What is not asked for costs nothing and cannot fail; `save`
/// leaves it as it is in the origin.
enum class Parts : std::uint8_t {
  None = 0,
  Skeletons = 1,
  Clips = 2,  ///< all of a clip but the frames of spline-compressed motion
  Frames = 4 | Clips,
  Collision = 8,
  Meshes = 16,
  All = 31,
  Shapes = 32,  ///< the visible shapes of a NIF, as meshes; not one of `All`, since collision is what is shown of a NIF
};
constexpr Parts operator|(Parts a, Parts b) {
  return static_cast<Parts>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
constexpr bool has(Parts all, Parts part) {
  return (static_cast<std::uint8_t>(all) & static_cast<std::uint8_t>(part)) == static_cast<std::uint8_t>(part);
}

/// A file as values, of whatever format.
struct Document {
  std::string name = {};  ///< of the file, in messages; its stem names clips in formats that do not
  Format format = Format::Unknown;
  std::optional<Game> game = {};
  float metres_per_unit = kMetresPerGameUnit;
  std::size_t byte_count = 0;  ///< size of the file it was read from
  Parts parts = Parts::None;   ///< those that were read
  std::vector<DocumentSkeleton> skeletons = {};
  std::vector<DocumentClip> clips = {};
  std::vector<DocumentCollision> collision = {};
  std::vector<DocumentMesh> meshes = {};
  std::vector<std::string> materials = {};  ///< of the meshes, as the file names them
  /// The collision that the meshes were exported from, as the mesh file carries it; empty if it carries none.
  /// `ops/collision_record.h` reads it.
  std::string collision_record = {};
  Origin origin = {};

  bool operator==(const Document&) const = default;

  const havok::Packfile* packfile() const;
  const NifFile* nif() const;
  /// The Anvil skeleton that the document was read from, or that the record of a glTF file keeps.
  const anvil::Skeleton* anvil() const;
  anvil::Skeleton* anvil();
};

/// Returns the skeleton that clips move: the first that is not a ragdoll. Fails with `NoSkeleton`.
Result<const DocumentSkeleton*> main_skeleton(const Document& document);

/// Decodes the frames of a clip, unless it has them.
Result<void> decode_frames(DocumentClip& clip, const Limits& limits);

/// Returns the stem of a file name: `walk` for `clips/walk.hkx`.
std::string_view stem_of(std::string_view name);

}  // namespace marrow
