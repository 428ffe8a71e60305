// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>

#include "core/try.h"
#include "marrow/gltf/conform.h"
#include "marrow/gltf/read.h"
#include "marrow/ops/scene.h"
#include "ops/formats.h"

namespace marrow {
namespace {

// What a clip would meet on the game's skeleton.
void check_against(const gltf::Armature& rig, const Skeleton& skeleton, Findings& findings) {
  const gltf::Conform conform = gltf::make_conform(rig.skeleton, skeleton);
  const auto missing = std::ranges::count_if(conform.source, [](const auto& bone) { return !bone; });
  if (static_cast<std::size_t>(missing) == skeleton.bones.size())
    findings.push_back({"E_OTHER_SKELETON", Level::Error,
                        "no bone of the file is one of the skeleton; is it the right one? `retarget` fits other bodies",
                        rig.skeleton.name});
  else if (missing > 0)
    findings.push_back({"W_BONES_MISSING", Level::Warning,
                        std::to_string(missing) + " of the skeleton's " + std::to_string(skeleton.bones.size()) +
                            " bones are not in the file; they will rest",
                        rig.skeleton.name});
  if (!conform.agrees)
    findings.push_back(
        {"W_REST_POSE", Level::Warning,
         "the rest pose is not that of the skeleton; limbs will point elsewhere. `retarget` fits one body "
         "to another",
         rig.skeleton.name});
}

}  // namespace

Result<Findings> check_gltf(std::span<const std::byte> bytes, const CheckOptions& options) {
  Notes notes;
  MARROW_TRY(
      const gltf::Scene scene,
      gltf::read_gltf(bytes, {.folder = std::filesystem::path(options.path).parent_path(), .limits = options.limits},
                      &notes));
  Findings findings;
  for (const Note& note : notes) findings.push_back({"I_GLTF", Level::Info, note.message, note.path});
  for (const gltf::Armature& rig : scene.armatures) {
    if (const auto valid = validate(rig.skeleton); !valid) findings.push_back(finding_of(valid.error()));
    for (const gltf::NamedClip& named : rig.clips)
      if (const auto valid = validate(named.clip); !valid) findings.push_back(finding_of(valid.error()));
    if (!rig.recorded)
      findings.push_back(
          {"I_NO_RECORD", Level::Info,
           "the file carries no record of Marrow's: events, float tracks and root motion have no place in "
           "it, and bones are guessed",
           rig.skeleton.name});
  }
  if (options.skeleton.empty()) return findings;
  MARROW_TRY(const Skeleton skeleton, load_skeleton(options.skeleton, {.limits = options.limits}));
  for (const gltf::Armature& rig : scene.armatures) check_against(rig, skeleton, findings);
  return findings;
}

}  // namespace marrow
