// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/finding.h"
#include "marrow/core/limits.h"
#include "marrow/motion/simulate.h"

namespace marrow {

/// A file with its path, which messages name and where a .gltf finds its buffers. Without a name there is none.
struct NamedBytes {
  std::string name = {};
  std::span<const std::byte> bytes = {};
};

/// A rig to simulate, from files of any format.
struct LoadedRig {
  Rig rig;
  std::string game;  ///< word of the command line; empty if the file does not say
};

struct RigFiles {
  std::vector<NamedBytes> skeletons = {};  ///< the main one and, of Anvil, its addons, in any order
  NamedBytes modifiers = {};               ///< a sidecar, docs/modifiers/sidecar.md
  NamedBytes common = {};                  ///< shared data of ball joints
  std::vector<std::string> bones = {};     ///< what `$bone` stands for in the sidecar, names or patterns
  std::string game = {};                   ///< whose rules a merge follows; empty: none
  std::vector<std::string> names = {};     ///< more Anvil bone names
  Limits limits = {};
};

/// Reads skeletons, merges addons, adds sidecar and shared data. An error's path begins with the name of the file that
/// it is in.
Result<LoadedRig> load_rig(const RigFiles& files, Notes* notes = nullptr);

/// What a run is written as.
enum class SimulationFormat : std::uint8_t { Csv, Glb, Gltf, Hkx, Xml };

struct SimulateFileOptions {
  RigFiles rig = {};
  NamedBytes clip = {};  ///< of any format; none: the rest pose
  std::string clip_name = "simulation";
  motion::Settings settings = {};
  motion::SimulateOptions run = {};
  bool own_rate = false;  ///< frame rate and length are the clip's where it has them
  bool own_seconds = false;
  SimulationFormat format = SimulationFormat::Csv;
  std::optional<std::string> explain = {};  ///< a bone
  std::function<void(std::int64_t frames)> on_start = {};
};

/// What one modifier of the explained bone did.
struct ModifierReport {
  std::size_t modifier = 0;  ///< place in the order of solving
  std::string type;
  motion::Trace trace;
};

struct SimulatedFile {
  std::vector<std::byte> bytes;
  std::int64_t frames = 0;
  double frames_a_second = 0.0;
  std::size_t modifiers = 0;  ///< that run
  std::vector<std::string> fx_bones;
  std::vector<Wrinkle> wrinkles;
  std::vector<std::string> bone_names;
  motion::LoopReport loop;
  std::int64_t explained_frame = 0;
  std::vector<ModifierReport> explanation;
  Notes notes;
};

/// A run from files to a file. The path of an error or a note begins with the name of the file that it is in, where it
/// is in one.
Result<SimulatedFile> simulate_file(const SimulateFileOptions& options);

/// `frame,bone,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz`, a line a bone and frame, local space.
std::string to_csv(const Clip& clip, const Skeleton& skeleton);

struct MirrorFileOptions {
  NamedBytes skeleton = {};
  std::string name = "clip";  ///< of the clip where the format names them
  SimulationFormat format = SimulationFormat::Hkx;
  std::string game = {};  ///< what to write for; empty: the skeleton's
  Limits limits = {};
};

struct MirroredFile {
  std::vector<std::byte> bytes;
  std::size_t pairs = 0;    ///< of bones, left and right
  std::size_t centred = 0;  ///< bones in the middle
  Notes notes;
};

/// A clip left for right, from file to file: by mirror bones where the skeleton has them, else by names. Errors and
/// notes are as those of `simulate_file`.
Result<MirroredFile> mirror_file(const NamedBytes& clip, const MirrorFileOptions& options);

}  // namespace marrow
