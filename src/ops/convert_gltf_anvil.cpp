// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "core/try.h"
#include "marrow/anvil/from_model.h"
#include "marrow/anvil/xml.h"
#include "ops/formats.h"
#include "ops/kept_spline.h"

namespace marrow {
namespace {

bool keeps_anvil(const gltf::Armature& rig) { return rig.properties.contains(kAnvilProperty); }

// Games that do not count in metres: Anvil does.
Skeleton in_metres(Skeleton skeleton, float metres_per_unit) {
  if (metres_per_unit != kMetresPerAnvilUnit)
    for (Bone& bone : skeleton.bones) bone.rest.translation *= metres_per_unit;
  return skeleton;
}

Result<anvil::Skeleton> kept_skeleton(const gltf::Armature& rig, const ConvertOptions& options,
                                      anvil::EditNotes& notes) {
  const std::string& text = rig.properties.at(kAnvilProperty);
  auto skeleton = anvil::read_xml(std::as_bytes(std::span(text)), names_with(options.names), options.limits);
  if (!skeleton)  // its offset counts in the text, not in the file
    return fail(skeleton.error().code, "the skeleton in Marrow's record is damaged: " + skeleton.error().message,
                kNoOffset, skeleton.error().path);
  MARROW_TRY(notes, anvil::follow_model(*skeleton, rig.skeleton, rig.missing));
  return std::move(*skeleton);
}

}  // namespace

Result<Converted> gltf_to_anvil(const gltf::Scene& scene, const ConvertOptions& options) {
  const auto kept = std::ranges::find_if(scene.armatures, keeps_anvil);
  const gltf::Armature& rig = kept == scene.armatures.end() ? scene.armatures.front() : *kept;
  anvil::EditNotes told;
  MARROW_TRY(anvil::Skeleton skeleton, keeps_anvil(rig)
                                           ? kept_skeleton(rig, options, told)
                                           : anvil::from_model(in_metres(rig.skeleton, scene.metres_per_unit), told));
  if (scene.armatures.size() > 1)
    told.push_back("the file has " + std::to_string(scene.armatures.size()) + " skeletons; this is the one named \"" +
                   rig.skeleton.name + "\"");
  if (!rig.clips.empty()) told.push_back("a skeleton has no clips; those of the file are left out");
  ConvertOptions chosen = options;
  if (chosen.format != OutputFormat::AnvilSchema) chosen.format = OutputFormat::AnvilStandard;
  MARROW_TRY(Converted converted, write_anvil(std::move(skeleton), chosen));
  Notes notes;
  for (std::string& note : told) notes.push_back({std::move(note), kNoOffset, {}});
  converted.notes.insert(converted.notes.begin(), notes.begin(), notes.end());
  return converted;
}

}  // namespace marrow
