// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "marrow/codec/stored_spline.h"
#include "marrow/core/error.h"
#include "marrow/geometry/solids/shapes.h"
#include "marrow/model/body.h"
#include "marrow/model/clip.h"
#include "marrow/model/collision.h"
#include "marrow/model/game.h"
#include "marrow/model/skeleton.h"
#include "marrow/ops/document/format.h"

namespace marrow {

struct Context;
struct NifFile;
class MotionSource;
namespace anvil {
struct Skeleton;
}
namespace havok {
struct Packfile;
}

/// A skeleton of a document.
struct DocumentSkeleton {
  Skeleton skeleton;
  bool is_ragdoll = false;                 ///< Havok: not the one that clips move
  bool is_guessed = false;                 ///< glTF without Marrow's record: bones were made out of nodes
  bool goes_along = false;                 ///< for a skeleton of no game: packfiles with its clips contain it too
  std::vector<std::int32_t> missing = {};  ///< glTF: bones of the record that the file itself no longer has
  /// glTF of an Anvil skeleton: bones that hang on another parent in the file, and that parent.
  std::vector<std::pair<std::int32_t, std::int32_t>> reparented = {};
  /// Of bodies: the names that bones have in their files, if several have one; by bone, empty: the bone's own.
  std::vector<std::string> node_names = {};

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
  SourceHandle source = {};                        ///< the animation it was read from, in a packfile
  /// The packfile that the clip was in, before it became glTF. `save` writes changes over it.
  std::vector<std::byte> kept_file = {};
  std::optional<Error> undecoded = {};  ///< why there is neither `spline` nor frames, if the file has some motion

  bool operator==(const DocumentClip&) const = default;

  bool has_frames() const {
    return !clip.transforms.empty() || (!undecoded && (clip.frame_count == 0 || clip.track_count == 0));
  }
};

/// A node of a NIF that uses a body.
struct BodyNode {
  std::uint32_t body = 0;
  std::string name;
  Transform world;          ///< in game units
  std::int32_t block = -1;  ///< of the node, if the NIF keeps collision as blocks

  bool operator==(const BodyNode&) const = default;
};

/// One physics system, ragdoll or cloth.
struct DocumentCollision {
  /// Of the NIF: the packfile or, of collision that is kept as blocks, the first collision object. None in a bare
  /// packfile.
  std::optional<std::int32_t> block = {};
  EmbeddedKind kind = EmbeddedKind::Physics;
  std::size_t packfile = 0;          ///< which of the NIF's packfiles; 0 in a bare one
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
  std::string data_name = {};           ///< glTF: of the mesh, if it is not `name`; it stays if an object is renamed

  bool operator==(const DocumentMesh&) const = default;
};

/// One visible shape of a body with the rig that places it: of a NIF, or a mesh of a glTF file that was edited.
struct DocumentBody {
  BodyShape shape;
  std::string file = {};                     ///< name of the file that the shape is from
  std::optional<std::size_t> skeleton = {};  ///< of the document: the rig that `rig_bones` index
  std::vector<std::int32_t> rig_bones = {};  ///< by bone of the shape
  std::int32_t rig_parent = kNoBone;         ///< of a shape without skin: the bone that it hangs on
  std::string attach_bone = {};              ///< of a shape without skin: the bone that its file names to hang on
  std::vector<Mat4> joints = {};             ///< glTF: by bone of the shape, its place at rest, in game units
  std::vector<Mat4> inverse_binds = {};      ///< glTF: by bone, from the space of the positions to that of the bone
  Mat4 place{1.0f};                          ///< of a shape without skin: to the space of the scene
  /// Pictures to write into a glTF file, as PNG, by texture slot of the shape; empty ones are left out.
  std::vector<std::vector<std::byte>> images = {};

  bool operator==(const DocumentBody&) const = default;
};

/// The parts of a document. Each is turned into values when somebody first asks for it (`read_parts`), and may fail
/// then. What nobody asked for costs nothing, cannot fail, and goes back byte for byte.
enum class Parts : std::uint8_t {
  None = 0,
  Skeletons = 1,
  Clips = 2,           ///< all of a clip but the frames of spline-compressed motion
  Frames = 4 | Clips,  ///< with the frames of spline-compressed motion
  Collision = 8,
  Meshes = 16,
  All = 31,
  Bodies = 64,  ///< the shapes of a NIF or glTF file with skins and looks; not one of `All` either
  Shapes = 32,  ///< the visible shapes of a NIF, as meshes; not one of `All`, since collision is what is shown of a NIF
};
constexpr Parts operator|(Parts a, Parts b) {
  return static_cast<Parts>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
constexpr bool has(Parts all, Parts part) {
  return (static_cast<std::uint8_t>(all) & static_cast<std::uint8_t>(part)) == static_cast<std::uint8_t>(part);
}

constexpr Parts without(Parts all, Parts part) {
  return static_cast<Parts>(static_cast<std::uint8_t>(all) & ~static_cast<std::uint8_t>(part));
}

/// The file that a document was read from. Only saving looks into it: it lays the values of the document over it, so
/// that what nobody touched goes back byte for byte. Copies of a document share it.
class Origin {
 public:
  /// True if both were read from the same content, or from none.
  bool operator==(const Origin& other) const;

 private:
  friend struct OriginAccess;
  struct Content;

  std::shared_ptr<const Content> content_ = {};
  Parts read_ = Parts::None;  ///< the parts that are values by now
};

/// A file as values, of whatever format.
struct Document {
  std::string name = {};  ///< of the file, in messages; its stem names clips in formats that do not
  Format format = Format::Unknown;
  std::optional<Game> game = {};
  float metres_per_unit = kMetresPerGameUnit;
  std::size_t byte_count = 0;  ///< size of the file it was read from
  std::vector<DocumentSkeleton> skeletons = {};
  std::vector<DocumentClip> clips = {};
  std::vector<DocumentCollision> collision = {};
  std::vector<DocumentMesh> meshes = {};
  std::vector<DocumentBody> bodies = {};
  std::vector<std::string> materials = {};  ///< of the meshes, as the file names them
  /// The collision that the meshes were exported from, as the mesh file carries it; empty if it carries none.
  /// `ops/collision/record.h` reads it.
  std::string collision_record = {};
  Origin origin = {};

  bool operator==(const Document&) const = default;

  /// The packfile that the document was read from, without what has been changed since; null for other documents.
  const havok::Packfile* packfile() const;
  /// The NIF that the document was read from. Its nodes and shapes are current; what has changed in `collision` is laid
  /// over its blocks when it is saved.
  const NifFile* nif() const;
  /// The Anvil skeleton of the document, or the one that the record of a glTF file keeps. In an Anvil document it owns
  /// what is known of bones; `skeletons` is made from it, and made anew when an edit changes it.
  const anvil::Skeleton* anvil() const;
  /// The motion of another program that the document was read from (FBX, BVH), until an operation changes it.
  const MotionSource* motion_source() const;
  /// The text of an animation cache; null for other documents. `ops/behavior/cache.h` reads and changes it.
  const std::string* cache() const;
};

/// Turns parts of a document into values, unless they are already: then they keep their changes. Safe on untrusted
/// bytes. Fails, with the name of the file, if one of them is damaged; the others are then still as good as before.
Result<void> read_parts(Document& document, Parts parts, Context& context);
/// True if all of these parts are values.
bool has_parts(const Document& document, Parts parts);

/// Returns the skeleton that clips move: the first that is not a ragdoll. Fails with `NoSkeleton`.
Result<const DocumentSkeleton*> main_skeleton(const Document& document);

/// Decodes the frames of a clip, unless it has them.
Result<void> decode_frames(DocumentClip& clip, const Limits& limits);

/// Returns the stem of a file name: `walk` for `clips/walk.hkx`.
std::string_view stem_of(std::string_view name);

}  // namespace marrow
