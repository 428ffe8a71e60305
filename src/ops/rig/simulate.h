// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/model/rig.h"
#include "marrow/ops/document/load.h"
#include "motion/simulate.h"
#include "ops/table/describe.h"

namespace marrow {

struct RigOptions {
  const Document* skeleton = nullptr;
  std::vector<const Document*> addons = {};  ///< of an Anvil skeleton, in any order, the main one among them
  std::string_view modifiers = {};           ///< a sidecar, docs/modifiers/sidecar.md
  std::string_view common = {};              ///< shared data of ball joints
  std::string_view colliders = {};           ///< another sidecar, for its colliders
  std::vector<std::string> bones = {};       ///< what `$bone` stands for in the sidecar, names or patterns
  bool add = false;                          ///< keep modifiers of the class that a sidecar has for a bone
  std::optional<Game> game = {};             ///< whose rules a merge follows
};

/// Returns a rig to run, of documents of any format: merges addons, adds sidecar and shared data.
Result<Rig> load_rig(const RigOptions& options, Context& context);

struct SimulateOptions {
  RigOptions rig = {};
  std::optional<double> fps = {};      ///< by default the clip's, else 30
  std::optional<double> seconds = {};  ///< by default the clip's, else 4
  bool loop = false;
  std::optional<double> settle = {};  ///< seconds; by default 10 with a clip that is not a loop, 0 otherwise
  bool no_settle = false;
  double teleport = 2.0;                      ///< metres
  std::optional<std::string> clip_name = {};  ///< of a document with several clips; by default all are run
  std::optional<double> ground = {};          ///< metres
  std::array<double, 2> shake = {};           ///< metres, hertz
  Vec3 wind{0.0f};
  double gusts = 0.0;
  Vec3 gravity{0.0f, 0.0f, -9.81f};
  std::int32_t lod = 0;
  bool native_law = false;
  bool self_collision = false;
  std::optional<std::string> explain = {};   ///< a bone
  std::optional<std::int64_t> frame = {};    ///< the frame to explain; by default the last
  std::vector<std::string> plot_bones = {};  ///< drawn in the plot; by default all that modifiers move, up to six
  bool plot = false;                         ///< draw one
  bool hide_bones = false;                   ///< leave out the mesh that makes bones visible in glTF files
  std::optional<Game> game = {};             ///< whose limits a merge keeps, or what a .hkx is for
  EncodingBound bound = {};                  ///< of the motion that is encoded
};

/// A place in the world, in metres.
struct TracePlace {
  Vec3 position{0.0f};
  Quat rotation = make_quat(0, 0, 0, 1);
  Vec3 scale{1.0f};
};

/// What one modifier of the explained bone did.
struct ModifierTrace {
  std::size_t order = 0;  ///< place in the order of solving
  std::string type = {};
  bool ran = false, reset = false;
  double weight = 0.0;
  TracePlace input = {}, target = {}, result = {};
  double moved_degrees = 0.0, moved_metres = 0.0;
  std::string limit = {};
};

struct Explanation {
  std::string bone = {};
  std::int64_t frame = 0;
  std::vector<ModifierTrace> modifiers = {};
};

struct WrinkleReport {
  std::string bone = {};
  std::int32_t category = 0;
  float factor = 0.0f;
};

struct LoopReport {
  int rounds = 0;
  bool closed = false;
  double open_degrees = 0.0;
};

struct SimulatedClip {
  std::string name = {};
  std::int64_t frames = 0;
  double fps = 0.0;
};

struct SimulateReport {
  std::int64_t frames = 0;  ///< of the first clip
  double fps = 0.0;
  std::vector<SimulatedClip> clips = {};
  std::size_t bones = 0;
  std::size_t modifiers = 0;  ///< that run
  std::vector<std::string> fx_bones = {};
  std::vector<WrinkleReport> wrinkles = {};
  std::optional<LoopReport> loop = {};
  std::optional<Explanation> explain = {};
  std::optional<std::string> plot = {};     ///< an SVG file
  std::optional<std::string> sidecar = {};  ///< the modifiers that were added, with the bones in the place of `$bone`
};

void describe(FieldList& fields, SimulateOptions& options);
void describe(FieldList& fields, TracePlace& place);
void describe(FieldList& fields, ModifierTrace& trace);
void describe(FieldList& fields, Explanation& explanation);
void describe(FieldList& fields, WrinkleReport& wrinkle);
void describe(FieldList& fields, LoopReport& loop);
void describe(FieldList& fields, SimulatedClip& clip);
void describe(FieldList& fields, SimulateReport& report);

/// Runs the modifiers of a rig over the clips of a document, or over the rest pose if it has none. The document becomes
/// one of the skeleton with the result. `format` is what it will be saved as: rows of poses show the raw run, all else
/// the result baked into the clip. Needs `Parts::Frames` and `Parts::Skeletons`.
Result<SimulateReport> simulate(Document& document, const SimulateOptions& options, Format format, Context& context);

}  // namespace marrow
