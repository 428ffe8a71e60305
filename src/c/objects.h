// SPDX-License-Identifier: MIT
/// What the handles of the C ABI stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.h"
#include "c/handles.h"
#include "marrow/model/rig.h"
#include "marrow/motion/compiled_rig.h"
#include "marrow/motion/evaluate.h"
#include "marrow/motion/state.h"
#include "marrow/ops/document/document.h"
#include "ops/body/placed.h"
#include "ops/clip/motion_sampler.h"
#include "ops/collision/mesh.h"
#include "ops/table/operation.h"

namespace marrow::c {

struct DocumentObject : Object {
  static constexpr Kind kKind = Kind::Document;
  /// A part that cannot be read, and why.
  struct Damage {
    Parts part = Parts::None;
    Error error = {};
  };

  Document document = {};
  Notes notes = {};
  std::string notes_text = "[]";
  Limits limits = {};  ///< that it was loaded with, for the parts that are read later
  std::vector<Damage> damaged = {};
};

struct ResultObject : Object {
  static constexpr Kind kKind = Kind::Result;
  std::string report = {};
  std::string notes = {};
  std::vector<SavedFile> files = {};
  bool found = false;
};

struct SamplerObject : Object {
  static constexpr Kind kKind = Kind::Sampler;
  explicit SamplerObject(MotionSampler from) : sampler(std::move(from)) {}

  MotionSampler sampler;
  Clip clip = {};  ///< all but its motion
  std::optional<Skeleton> skeleton = {};
  std::vector<Transform> tracks = {};  ///< scratch memory for poses
};

struct MeshesObject : Object {
  static constexpr Kind kKind = Kind::Meshes;
  std::vector<CollisionMesh> meshes = {};
};

struct ShapesObject : Object {
  static constexpr Kind kKind = Kind::Shapes;
  /// Weights as two arrays, four entries per vertex.
  struct Arrays {
    std::vector<std::uint16_t> joints = {};
    std::vector<float> weights = {};
  };

  PlacedShapes placed = {};
  std::vector<Arrays> arrays = {};  ///< one per shape
};

struct RigObject : Object {
  static constexpr Kind kKind = Kind::Rig;
  RigObject(Rig from, motion::CompiledRig ready) : rig(std::move(from)), compiled(std::move(ready)) {}

  Rig rig;
  motion::CompiledRig compiled;
  std::string notes = {};
  std::uint64_t version = 0;  ///< counts changes, for the simulations that run it
};

struct ArchiveObject : Object {
  static constexpr Kind kKind = Kind::Archive;
  archive::Archive archive = {};
};

struct SimulationObject : Object {
  static constexpr Kind kKind = Kind::Simulation;
  SimulationObject(std::shared_ptr<const RigObject> from, motion::CompiledRig ready)
      : rig(std::move(from)), compiled(std::move(ready)), state(compiled) {}

  std::shared_ptr<const RigObject> rig;
  motion::CompiledRig compiled;  ///< the form that `state` belongs to
  motion::State state;
  std::vector<Transform> rest = {};
  std::uint64_t version = 0;  ///< of the rig when it was compiled
};

}  // namespace marrow::c
