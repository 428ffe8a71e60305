// SPDX-License-Identifier: MIT
/// Load and save: documents as values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/finding.h"
#include "marrow/havok/text/xml_style.h"
#include "marrow/model/game.h"
#include "marrow/model/motion_source.h"
#include "marrow/model/units.h"
#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"
#include "marrow/ops/document/format.h"

namespace marrow {

struct LoadOptions {
  std::string name = {};  ///< of the file, for messages and for what lies near it
  /// What to turn into values at once. The rest is read when somebody asks for it; what is saved is the same.
  Parts parts = Parts::All;
  std::optional<Format> format = {};  ///< what `detect` found, if the caller asked already
  /// One unit of a mesh file or of a glTF file without a record; by default the format's own: game units in .obj,
  /// metres in glTF.
  std::optional<Units> units = {};
  /// The unit that glTF files without a record are converted to.
  float metres_per_unit = kMetresPerGameUnit;
  /// Frames per second of glTF clips without a record; by default the rate of their keys.
  std::optional<double> frames_per_second = {};
  /// glTF clips without a record: on cubic paths through their keys, at 240 frames per second or more,
  /// instead of at the rate of the keys. `DocumentClip::key_rate` is then set.
  bool dense_clips = false;
  /// FBX and BVH: clips keep the file's own rate; by default they get `frames_per_second`, else 30.
  bool own_rate = false;
  /// FBX and BVH: units of the result per unit of the file; by default as the file states its unit, and BVH has
  /// centimetres.
  std::optional<double> scale = {};
  SourceRest rest = SourceRest::Bind;  ///< FBX and BVH: which pose is the rest pose
  Findings* findings = nullptr;        ///< if given, gets what is wrong without stopping the reading
};

/// Reads a file of any format, by content. Safe on untrusted bytes. Fails with `WrongKind` on a format that is known
/// but not read, with `BadMagic` on anything else.
Result<Document> load(std::span<const std::byte> bytes, const LoadOptions& options, Context& context);

/// How far encoded motion may be from what it was made of, bone by bone. What is not given is well below what can be
/// seen.
struct EncodingBound {
  std::optional<double> max_rotation_error = {};  ///< degrees
  std::optional<double> max_position_error = {};  ///< units
};

struct SaveOptions {
  std::optional<Format> format = {};                   ///< by default the one that the document was read in
  std::optional<Game> game = {};                       ///< by default the document's
  Units units = Units::Metre;                          ///< of glTF files
  bool show_bones = false;                             ///< adds a mesh to glTF files that makes bones visible
  RootMotionAs root_motion = RootMotionAs::None;       ///< how glTF files show it; it comes back in any case
  bool ragdoll = false;                                ///< writes ragdoll skeletons to glTF files too
  havok::XmlStyle xml_style = havok::XmlStyle::Exact;  ///< of Havok XML
  std::optional<std::uint32_t> pointer_size = {};      ///< of packfiles, 4 or 8 bytes; by default the game's
  std::string layout = {};   ///< of packfiles: pointer size, little-endian, reused padding and empty bases, as `8101`
  EncodingBound bound = {};  ///< of clips that have to be encoded
  bool allow_loss = false;   ///< write packfiles although something of the input is dropped
  bool port = false;         ///< Anvil: drop or rename what `game` cannot have
  bool collision = false;    ///< glTF files of packfiles that hold other things too: only the shapes of collision
  bool solid = false;        ///< collision as a mesh: hulls with their convex radius, as things touch them
  bool show = false;         ///< collision in glTF files: coloured, see-through, over the document's meshes
  bool head_parts = false;   ///< Skyrim SE: shapes become dynamic ones, which the game deforms by morphs
  std::string name = {};     ///< stem of the output, for files that come with another
};

/// A file that has been written to memory.
struct SavedFile {
  std::string name = {};       ///< if there are several files: a name of the clip that every disk takes; else empty
  std::string extension = {};  ///< `.hkx`
  std::vector<std::byte> bytes = {};
};

/// Writes a document. What nobody touched is written as it was read. Several files come out if the format holds one
/// clip and the document has several (each named after its clip), or if a file needs a companion (an .obj its .mtl, of
/// the same name). Fails with `WrongKind` if the format cannot hold the document, with `NeedsGame` or `NeedsSkeleton`
/// if something is missing.
Result<std::vector<SavedFile>> save(const Document& document, const SaveOptions& options, Context& context);

/// Returns the format that `save` would write: `options.format` made precise for this document (a bare `.xml` is an
/// Anvil dialect if the document is an Anvil skeleton).
Format saved_format(const Document& document, const SaveOptions& options);

}  // namespace marrow
