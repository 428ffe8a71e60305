// SPDX-License-Identifier: MIT
#include "nif/material.h"

namespace marrow::nif {
namespace {

// Bits of a shader's flags.
constexpr std::uint32_t kSkinned = 1u << 1, kModelSpaceNormals = 1u << 12;  // of the first
constexpr std::uint32_t kDoubleSided = 1u << 4, kVertexColors = 1u << 5;    // of the second
// Bits of an alpha property.
constexpr std::uint16_t kBlend = 1u << 0, kTest = 1u << 9;

void add_textures(const NifFile& file, const Record& shader, const Limits& limits, BodyMaterial& material) {
  if (shader.has("texture_set")) {
    const std::int32_t set = shader.reference("texture_set");
    if (const RecordType* type = type_of(file, set); !type || !type->is_a("BSShaderTextureSet")) return;
    const auto record = read_block(file, set, limits);
    if (!record) return;
    for (const Record& each : record->records("textures")) material.textures.emplace_back(each.text("value"));
    return;
  }
  for (const std::string_view field : {"source", "greyscale", "environment", "normal", "mask"})
    if (shader.has(field)) material.textures.emplace_back(shader.text(field));
}

}  // namespace

BodyMaterial read_material(const NifFile& file, std::int32_t shader, std::int32_t alpha, const Limits& limits) {
  BodyMaterial material;
  if (file.has_block(shader)) material.shader = file.type_of(shader);
  if (type_of(file, shader))
    if (const auto record = read_block(file, shader, limits); record && record->has("shader_flags_1")) {
      material.name = file.string_at(record->reference("name"));
      const auto first = record->get<std::uint32_t>("shader_flags_1"),
                 second = record->get<std::uint32_t>("shader_flags_2");
      material.is_skinned = (first & kSkinned) != 0;
      material.has_model_space_normals = (first & kModelSpaceNormals) != 0;
      material.is_double_sided = (second & kDoubleSided) != 0;
      material.has_vertex_colors = (second & kVertexColors) != 0;
      add_textures(file, *record, limits, material);
    }
  if (type_of(file, alpha))
    if (const auto record = read_block(file, alpha, limits); record && record->has("alpha_flags")) {
      const auto flags = record->get<std::uint16_t>("alpha_flags");
      material.alpha = (flags & kBlend) != 0  ? AlphaMode::Blend
                       : (flags & kTest) != 0 ? AlphaMode::Mask
                                              : AlphaMode::Opaque;
      material.alpha_threshold = static_cast<float>(record->get<std::uint8_t>("threshold")) / 255.0f;
    }
  return material;
}

}  // namespace marrow::nif
