// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/finding.h"
#include "marrow/core/limits.h"
#include "marrow/core/threads.h"
#include "marrow/model/skeleton.h"

namespace marrow {

struct Document;
namespace anvil {
class RigSet;
}

/// Files near the inputs: the buffers of a .gltf, the skeleton of a clip. Whoever has a disk, an archive or a list of
/// dropped files supplies the reading; Marrow itself touches none. Skeletons are parsed once and shared. Safe to use
/// from several threads if the reading is.
class Lookup {
 public:
  /// Reads the file of that name (UTF-8, forward slashes), or its first bytes. `NotFound` if there is none.
  using Read = std::function<Result<std::vector<std::byte>>(const std::string& name, std::size_t at_most)>;
  /// Lists the names of files in a folder; may be missing.
  using List = std::function<std::vector<std::string>(const std::string& folder)>;

  /// True if a file is inside a folder, also after links are followed; may be missing.
  using Inside = std::function<bool(const std::string& folder, const std::string& name)>;

  explicit Lookup(Read read, List list = {}, const Limits& limits = {}, Inside inside = {});
  ~Lookup();

  /// Reads what the file `from` refers to as `reference`, relative to its folder. Fails with `NotFound` if that leads
  /// out of the folder.
  Result<std::vector<std::byte>> read(std::string_view from, std::string_view reference) const;

  /// Reads the first bytes of a file, or all of it if it is shorter.
  Result<std::vector<std::byte>> head(const std::string& name, std::size_t at_most) const;

  /// Returns the skeleton that the games keep for a clip: `skeleton.hkx` beside it, or in `character assets`
  /// (`characterassets`) beside it or one of up to five folders above; null if there is none.
  std::shared_ptr<const Document> skeleton_near(const std::string& clip) const;

  /// Returns the skeletons of the binary packfiles in the folder of a file, in order of name, at most 64.
  std::vector<std::shared_ptr<const Document>> skeletons_beside(const std::string& file) const;

  /// How many of Skyrim's packfiles in a folder have pointers of either size.
  struct Widths {
    int narrow = 0;  ///< 32-bit, Skyrim LE
    int wide = 0;    ///< 64-bit, Skyrim SE
  };
  /// Counts them in the folder of a file, up to a few hundred.
  Widths widths_beside(const std::string& file) const;

 private:
  struct Cache;
  std::shared_ptr<const Document> skeleton_at(const std::string& name) const;

  Read read_;
  List list_;
  Limits limits_;
  Inside inside_;
  std::unique_ptr<Cache> cache_;
};

/// What an operation gets from its caller, and where it reports what did not stop it.
struct Context {
  Limits limits = {};
  const Lookup* lookup = nullptr;            ///< null: only what is inside the inputs is read
  std::vector<std::string> bone_names = {};  ///< more Anvil bone names, beside those that are known
  /// A compendium: the types of binary tagfiles that do not carry theirs; may be empty.
  std::vector<std::byte> tag_types = {};
  std::string output_name = {};  ///< stem of the file that the result is for, if that is known
  /// Called now and then with the share of the work that is done, 0 to 1. Returning false stops the operation with
  /// `Cancelled`.
  std::function<bool(double share)> progress = {};
  /// Called with the memory that reading an input may take, and with 0 when it has been read. A caller that counts
  /// memory itself holds the reading to it, whatever takes it.
  std::function<void(std::size_t bytes)> cap_memory = {};
  /// Lets an operation that takes long on one file use several threads. Empty: it has one.
  RunOnThreads run_on_threads = {};
  Notes notes = {};

  /// The Anvil skeletons among the files of a run, which `check` compares with each other; null: there is one at most.
  std::shared_ptr<const anvil::RigSet> rigs = {};

  /// What `check` found across the files of behaviour projects, by the name of the file that it is about; null: there
  /// is no project among the files of a run.
  std::shared_ptr<const std::map<std::string, Findings>> projects = {};

  /// Keeps documents alive that the operation found through `lookup`.
  std::vector<std::shared_ptr<const Document>> held = {};

  void note(std::string message, std::string path = {}, std::string file = {}, std::optional<Cure> cure = {}) {
    notes.push_back({std::move(message), kNoOffset, std::move(path), std::move(file), std::move(cure)});
  }
  /// Calls `progress`, if there is one. Fails with `Cancelled`.
  Result<void> report(double share) const;
};

/// Returns the skeleton that the clips of a document move: `given` if there is one, else the document's own, else the
/// one that lies near it, with a note. Fails with `NeedsSkeleton`.
Result<const Skeleton*> skeleton_for_clips(const Document& document, const Skeleton* given, Context& context);
/// The same as the document that holds it.
Result<const Document*> skeleton_document(const Document& document, const Document* given, Context& context);

}  // namespace marrow
