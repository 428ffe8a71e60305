// SPDX-License-Identifier: MIT
#include "exchange/gltf/read.h"

#include "core/try.h"
#include "exchange/gltf/read_armature.h"
#include "exchange/gltf/read_body.h"
#include "exchange/gltf/read_clip.h"
#include "exchange/gltf/read_mesh.h"

namespace marrow::gltf {
namespace {

Result<Records> read_records(const tinygltf::Model& model) {
  Records records(model.nodes.size());
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const tinygltf::Value& extras = model.nodes[i].extras;
    if (!extras.IsObject() || !extras.Has(kExtrasKey) || !extras.Get(kExtrasKey).IsString()) continue;
    MARROW_TRY(records[i], read_record(extras.Get(kExtrasKey).Get<std::string>(),
                                       "nodes[" + std::to_string(i) + "].extras." + kExtrasKey));
  }
  return records;
}

}  // namespace

Result<Scene> read_gltf(std::span<const std::byte> bytes, const ReadOptions& given, Notes* notes) {
  MARROW_TRY(const tinygltf::Model model, parse_document(bytes, given));
  ReadOptions options = given;
  std::size_t size = bytes.size();
  for (const tinygltf::Buffer& buffer : model.buffers) size += buffer.data.size();
  options.limits = given.limits.for_input(size);
  MARROW_TRY(const NodeTree tree, read_nodes(model, options.limits));
  MARROW_TRY(const Records records, read_records(model));
  Notes ignored;
  Notes& told = notes ? *notes : ignored;

  Scene scene;
  scene.metres_per_unit = options.metres_per_unit;
  for (const auto& record : records)
    if (record && record->kind != RecordKind::Bones) {
      scene.metres_per_unit = record->metres_per_unit;
      if (!record->collision.empty()) scene.collision = record->collision;
    }
  MARROW_TRY(std::vector<FoundArmature> found, find_armatures(model, tree, records, options, told));
  for (FoundArmature& armature : found) {
    MARROW_TRY(armature.result.clips, read_clips(model, tree, armature, options, told));
    scene.armatures.push_back(std::move(armature.result));
  }
  MARROW_TRY(scene.meshes, read_meshes(model, tree, records, options));
  if (options.bodies) {
    MARROW_TRY(scene.bodies, read_bodies(model, tree, records, options, told));
  }
  return scene;
}

}  // namespace marrow::gltf
