// SPDX-License-Identifier: MIT
#include "core/try.h"
#include "marrow/anvil/merge.h"
#include "marrow/anvil/to_model.h"
#include "marrow/anvil/xml.h"
#include "marrow/motion/compiled_rig.h"
#include "marrow/motion/sidecar.h"
#include "marrow/ops/annotations.h"
#include "marrow/ops/detect.h"
#include "marrow/ops/scene.h"
#include "marrow/ops/simulate.h"
#include "ops/formats.h"
#include "ops/kept_spline.h"
#include "ops/named_file.h"

namespace marrow {
namespace {

Result<anvil::Skeleton> merge_parts(const RigFiles& files, const anvil::NameTable& names, Notes* notes) {
  std::vector<anvil::Skeleton> skeletons;
  for (const NamedBytes& file : files.skeletons) {
    if (detect(file.bytes) != Format::AnvilXml)
      return in_file(file, {ErrorCode::Unsupported,
                            "addons are merged onto Anvil skeletons only; this is no Anvil skeleton",
                            kNoOffset,
                            {}});
    auto read = anvil::read_xml(file.bytes, names, files.limits);
    if (!read) return in_file(file, read.error());
    skeletons.push_back(std::move(*read));
  }
  std::vector<anvil::Part> parts;
  for (std::size_t i = 0; i < skeletons.size(); ++i) parts.push_back({&skeletons[i], files.skeletons[i].name});
  if (parts.size() == 1) return std::move(skeletons[0]);
  const std::size_t main = anvil::find_main(parts);
  const anvil::Part base = parts[main];
  parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(main));
  anvil::Merge merged = anvil::merge(*base.skeleton, parts, {.game = find_game(files.game, GameFamily::Anvil)});
  for (const Finding& finding : merged.findings) {
    if (!merged.succeeded() && finding.level == Level::Error)
      return fail(ErrorCode::Malformed, finding.code + ": " + finding.message, kNoOffset, finding.where);
    if (notes && finding.level != Level::Info)
      notes->push_back({finding.code + ": " + finding.message, kNoOffset, finding.where});
  }
  return std::move(merged.skeleton);
}

Result<LoadedRig> load_anvil(const RigFiles& files, Notes* notes) {
  anvil::NameTable names = anvil::NameTable::builtin();
  for (const std::string& name : files.names) names.add(name);
  MARROW_TRY(const anvil::Skeleton skeleton, merge_parts(files, names, notes));
  auto model = anvil::to_model(skeleton);
  if (!model) return in_file(files.skeletons[0], model.error());
  return LoadedRig{.rig = std::move(*model), .game = {}};
}

Result<LoadedRig> load_other(const RigFiles& files, Notes* notes) {
  const NamedBytes& file = files.skeletons[0];
  if (files.skeletons.size() > 1)
    return in_file(files.skeletons[1], {ErrorCode::InvalidArgument,
                                        "addons are merged onto Anvil skeletons only; for others use --modifiers",
                                        kNoOffset,
                                        {}});
  auto scene = load_scene(file.bytes, {.folder = folder_of(file), .limits = files.limits}, notes);
  if (!scene) {
    Error error = scene.error();
    if (error.code == ErrorCode::InvalidArgument && holds_clip(file.bytes, files.limits))
      error.message = "this is a clip and not the skeleton it is for; simulate takes clips with --clip";
    return in_file(file, std::move(error));
  }
  if (scene->armatures.empty())
    return in_file(file, {ErrorCode::NotFound, "there is no skeleton in the file", kNoOffset, {}});
  LoadedRig loaded;
  loaded.rig.skeleton = std::move(scene->armatures[0].skeleton);
  loaded.rig.metres_per_unit = scene->metres_per_unit;
  loaded.rig.along_bone = motion::directions_along_bones(loaded.rig.skeleton);
  if (const auto game = scene->armatures[0].properties.find(kGameProperty);
      game != scene->armatures[0].properties.end())
    loaded.game = game->second;
  return loaded;
}

}  // namespace

Result<LoadedRig> load_rig(const RigFiles& files, Notes* notes) {
  if (files.skeletons.empty()) return fail(ErrorCode::InvalidArgument, "a skeleton is needed");
  const bool is_anvil = detect(files.skeletons[0].bytes) == Format::AnvilXml;
  MARROW_TRY(LoadedRig loaded, is_anvil ? load_anvil(files, notes) : load_other(files, notes));
  if (auto valid = validate(loaded.rig.skeleton); !valid) return in_file(files.skeletons[0], valid.error());
  if (!files.modifiers.name.empty())
    if (auto added = motion::apply_sidecar(files.modifiers.bytes, loaded.rig, files.bones); !added)
      return in_file(files.modifiers, added.error());
  if (!files.common.name.empty()) {
    const auto filled = motion::apply_common_data(files.common.bytes, loaded.rig);
    if (!filled) return in_file(files.common, filled.error());
    if (*filled == 0 && notes)
      notes->push_back({"no ball joint refers to the shared data", kNoOffset, files.common.name});
  }
  return loaded;
}

}  // namespace marrow
