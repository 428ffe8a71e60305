// SPDX-License-Identifier: MIT
/// The library in a few functions: load a file, change it, save it. docs/library.md has programs. Nothing is printed,
/// nothing is thrown, and every byte of an input may be hostile.
///
/// What is in a file is `File::document()`: skeletons, clips, collision and bodies as plain values
/// (`marrow/ops/document/document.h`). `marrow/ops/document/load.h` loads and saves bytes instead of files.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/ops/collision/build_shape.h"

namespace marrow {

struct Document;
struct LoadOptions;
struct SaveOptions;
namespace geometry {
struct TriangleMesh;
}

/// A file as values, of any format. Saving lays the values over what was read: what nobody touched goes back byte for
/// byte.
class File {
 public:
  explicit File(Document document);
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  Document& document() { return *document_; }
  const Document& document() const { return *document_; }
  /// What did not stop loading or an operation and is worth reporting, the oldest first.
  const Notes& notes() const { return notes_; }
  Notes& notes() { return notes_; }

  /// Returns the modifier of that type on a bone of an Anvil skeleton, to be read and changed:
  /// `rig.modifier<BallJointModifier>("Hair1")->mass = 2`. Null if the file has no such bone or the bone no such
  /// modifier. Valid until the skeleton is changed in another way. The types are in `marrow/model/modifiers.h`.
  template <class Modifier>
  Modifier* modifier(std::string_view bone);

 private:
  Document* document_;  ///< owned
  Notes notes_ = {};
};

/// Reads a file of any format, by its content. Files that belong to it are found beside it: the buffers of a .gltf, the
/// skeleton of a clip. Fails with `Io` or `NotFound` if it cannot be read, else as `load` does.
Result<File> load_file(std::string_view path);
Result<File> load_file(std::string_view path, const LoadOptions& options);

/// Writes a file, in the format that its extension names (`.hkx`, `.xml`, `.glb`, `.nif`, ...), else in the format that
/// it was read in. A file that is there is replaced in one step, and stays as it is if saving fails. A document of
/// several clips in a format that holds one needs a folder as `path`: each clip becomes a file there.
Result<void> save_file(File& file, std::string_view path);
Result<void> save_file(File& file, std::string_view path, const SaveOptions& options);

/// How a mesh becomes the collision of a node. Lengths of the mesh are game units, Z up, in the space of the node.
struct AddCollisionOptions {
  std::string node = {};  ///< of a NIF; empty for a bare packfile
  BuildShape shape = BuildShape::Hull;
  std::optional<std::string> material = {};  ///< `wood`, `Material_Wood` or a CRC in hex; by default the game's own
  std::optional<std::string> layer = {};     ///< by default STATIC, ANIMSTATIC or CLUTTER, as the body moves
  std::optional<float> mass_kg = {};         ///< makes the body dynamic; a mesh stays static
  std::optional<float> friction = {};        ///< by default 0.5
  std::optional<float> restitution = {};     ///< by default 0.4
  bool in_scene = false;                     ///< the mesh is in the space of the scene instead
};

/// Adds a body to a NIF or packfile. Fails with `NotFound` if there is no such node, with `InvalidArgument` if it has
/// collision or the mesh has no size.
Result<void> add_collision(File& file, const geometry::TriangleMesh& mesh, const AddCollisionOptions& options);
/// The same with the meshes of a file (.obj, .glb, .gltf) and their materials.
Result<void> add_collision(File& file, const File& mesh, const AddCollisionOptions& options);

/// An input of an operation beside the file that it works on.
struct OperationFile {
  std::string_view role;  ///< as the operation calls it, `skeleton`
  const File& file;
};

/// What an operation made.
struct OperationOutput {
  struct Written {
    std::string name;  ///< with its extension
    std::vector<std::byte> bytes;
  };
  std::string report;          ///< JSON, as the command line prints it
  bool found = false;          ///< true if `check` or `diff` found something
  std::vector<Written> files;  ///< of an operation that makes something else than a change of its file
};

/// Runs an operation by name, with its options as JSON: `run(clip, "compress", R"({"max_rotation_error":0.1})")`,
/// `run(clip, "mirror", "{}", {{"skeleton", body}})`. Operations that change a file change `file` in memory; a failure
/// changes nothing. The operations are the verbs of the command line; `marrow_describe()` in C lists them with their
/// options. Fails with `NotFound` if there is none of that name, with `BadOption` for options.
Result<OperationOutput> run(File& file, std::string_view operation, std::string_view options = "{}",
                            std::initializer_list<OperationFile> others = {});

}  // namespace marrow
