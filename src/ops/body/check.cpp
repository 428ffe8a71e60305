// SPDX-License-Identifier: MIT
#include "ops/body/check.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <glm/geometric.hpp>

#include "core/try.h"
#include "marrow/core/text.h"
#include "nif/node.h"
#include "nif/record.h"
#include "nif/shape.h"
#include "ops/body/check_skin.h"
#include "ops/body/rig.h"

namespace marrow {
namespace {

template <class V>
bool has_nan(const std::vector<V>& values) {
  return std::ranges::any_of(values, [](const V& value) {
    for (int i = 0; i < V::length(); ++i)
      if (!std::isfinite(value[i])) return true;
    return false;
  });
}

/// Checks one shape by what was read of it. `check_skin` looks at the blocks of its skin.
class ShapeChecker {
 public:
  ShapeChecker(const NifFile& nif, const BodyShape& shape, const ShapeRules& rules, Findings& findings)
      : nif_(nif), shape_(shape), game_(rules.game), has_skinned_(rules.has_skinned), out_(shape, findings) {}

  void run() {
    check_game();
    check_numbers();
    check_triangles();
    check_bound();
    check_looks();
    check_sizes();
    if (!shape_.segments.empty()) check_segments();
    if (shape_.is_skinned) {
      check_weights();
      check_skin(nif_, shape_, out_);
    } else if (has_skinned_ && !shape_.triangles.empty()) {
      out_.info("I_NO_SKIN", "the shape has no skin, but others of the file have: it does not move with the body");
    }
  }

 private:
  bool is_skyrim() const { return nif_.stream != nif::kFallout4; }
  bool is_old() const { return nif::type_of(nif_, shape_.block)->is_a("NiTriShape"); }

  void check_game() {
    const bool is_for_se = game_ == Game::SkyrimSe || (!game_ && nif_.stream == nif::kSkyrimSe);
    if (is_old() && shape_.is_skinned && is_for_se)
      out_.cured_error("E_OTHER_GAME",
                       "a skinned " + shape_.type +
                           " of Skyrim LE: Skyrim SE crashes or does not show it; cure: "
                           "convert the file to skyrim-se",
                       Cure{"convert", {{"to", "skyrim-se"}}});
    else if (is_old() && nif_.stream == nif::kSkyrimSe)
      out_.info("I_OLD_SHAPE", "a " + shape_.type + " of Skyrim LE, which Skyrim SE still reads");
    if (!is_old() && nif_.stream == nif::kSkyrimLe)
      out_.error("E_OTHER_GAME", "a " + shape_.type + " of Skyrim SE in a file of Skyrim LE, which crashes on it");
  }

  void check_numbers() {
    const auto bad = [&](bool is_bad, std::string_view what) {
      if (is_bad) out_.error("E_NAN", "a number of its " + std::string(what) + " is not finite");
    };
    bad(has_nan(shape_.positions), "positions");
    bad(has_nan(shape_.normals), "normals");
    bad(has_nan(shape_.tangents) || has_nan(shape_.bitangents), "tangents");
    bad(has_nan(shape_.uvs), "UVs");
    bad(!std::isfinite(shape_.bound.x + shape_.bound.y + shape_.bound.z + shape_.bound.w), "bound");
    bad(std::ranges::any_of(shape_.weights,
                            [](const VertexWeights& each) {
                              return std::ranges::any_of(each.weights, [](float w) { return !std::isfinite(w); });
                            }),
        "weights");
    for (const BodyBone& bone : shape_.bones)
      bad(std::ranges::any_of(bone.bind.rotation, [](float v) { return !std::isfinite(v); }) ||
              !std::isfinite(bone.bind.translation.x + bone.bind.translation.y + bone.bind.translation.z +
                             bone.bind.scale),
          "bone '" + bone.name + "'");
    if (has_nan(shape_.colors)) out_.info("I_NAN", "a vertex colour is not finite");
  }

  void check_triangles() {
    std::size_t degenerate = 0;
    for (std::size_t i = 0; i < shape_.triangles.size(); ++i) {
      const auto& [a, b, c] = shape_.triangles[i];
      const std::size_t most = std::max({a, b, c});
      if (most >= shape_.positions.size())
        return out_.error("E_VERTEX_INDEX", "triangle " + std::to_string(i) + " has vertex " + std::to_string(most) +
                                                " of " + std::to_string(shape_.positions.size()) +
                                                ": the game crashes");
      degenerate += a == b || b == c || a == c;
    }
    if (degenerate > 0)
      out_.info("I_DEGENERATE", std::to_string(degenerate) + " triangles have two equal corners and are not seen");
  }

  void check_bound() {
    if (shape_.is_skinned || shape_.positions.empty() || has_nan(shape_.positions)) return;
    float farthest = 0.0f;
    for (const Vec3& position : shape_.positions)
      farthest = std::max(farthest, glm::distance(position, Vec3(shape_.bound)));
    if (farthest > 1.05f * shape_.bound.w && farthest > shape_.bound.w + 0.05f)
      out_.warning("W_BOUND", "a vertex lies " + float_text(farthest) + " units from the middle of a bound of " +
                                  float_text(shape_.bound.w) + ": the shape vanishes at the edge of the picture");
  }

  void check_looks() {
    const BodyMaterial& material = shape_.material;
    if (material.shader.empty()) out_.info("I_NO_SHADER", "the shape has no shader");
    for (const std::string& path : material.textures) {
      if (!has_drive_or_root(path)) continue;
      std::string reason = "texture '" + path + "' is not below Data: it is found on the author's machine only";
      if (const auto tail = below_data(path))
        out_.mended_warning("W_TEXTURE_PATH", std::move(reason), "'" + *tail + "'");
      else
        out_.warning("W_TEXTURE_PATH", std::move(reason));
    }
    if (is_skyrim() && shape_.normals.empty() && !shape_.positions.empty() && !material.shader.empty() &&
        material.shader == "BSLightingShaderProperty" && !material.has_model_space_normals)
      out_.warning("W_NO_NORMALS", "the mesh has no normals, and the shader does not take them from the normal map");
    if (material.shader != "BSLightingShaderProperty") return;
    if (material.is_skinned != shape_.is_skinned && !shape_.positions.empty())
      out_.info("I_SHADER_SKINNED", material.is_skinned ? "the shader says skinned, the shape is not"
                                                        : "the shape is skinned, the shader does not say so");
    if (material.has_vertex_colors && shape_.colors.empty() && !shape_.positions.empty())
      out_.info("I_SHADER_COLORS", "the shader wants vertex colours, the mesh has none");
  }

  void check_sizes() {
    const auto record = nif::read_block(nif_, shape_.block);
    if (!record || !record->has("data_size")) return;
    if (record->has("dynamic") && record->integer("dynamic_size") != 16 * record->integer("vertex_count"))
      out_.error("E_DATA_SIZE", "dynamic positions take " + std::to_string(record->integer("dynamic_size")) +
                                    " bytes, not 16 for "
                                    "each of " +
                                    std::to_string(record->integer("vertex_count")) + " vertices");
    const std::uint64_t size = record->size("vertices") + 6 * record->size("triangles");
    if (record->integer("data_size") != 0 && record->integer("data_size") != size)
      out_.warning("W_DATA_SIZE", "the size of the data is stated as " + std::to_string(record->integer("data_size")) +
                                      "; its counts make " + std::to_string(size));
  }

  void check_segments() {
    const std::size_t count = shape_.triangles.size();
    std::size_t at = 0, covered = 0;
    bool has_gap = false, is_unfilled = false;
    for (const BodySegment& segment : shape_.segments) {
      if (segment.first_triangle + std::uint64_t{segment.triangle_count} > count)
        return out_.error("E_SEGMENT", "a segment reaches past the last triangle");
      has_gap |= segment.triangle_count > 0 && segment.first_triangle != at;
      at += segment.triangle_count;
      covered += segment.triangle_count;
      std::size_t inside = segment.first_triangle;
      for (const BodySegment& sub : segment.sub_segments) {
        is_unfilled |= sub.triangle_count > 0 && sub.first_triangle != inside;
        inside += sub.triangle_count;
      }
      is_unfilled |=
          !segment.sub_segments.empty() && inside != segment.first_triangle + std::uint64_t{segment.triangle_count};
    }
    const auto record = nif::read_block(nif_, shape_.block);
    if (covered != count || (record && record->integer("primitive_count") != count))
      return out_.error("E_SEGMENT",
                        "segments hold " + std::to_string(covered) + " of " + std::to_string(count) + " triangles");
    if (has_gap) out_.warning("W_SEGMENT", "segments have gaps or overlap");
    if (is_unfilled) out_.warning("W_SEGMENT", "sub-segments do not fill their segment");
  }

  void check_weights() {
    if (shape_.weights.size() != shape_.positions.size()) return;
    std::vector<bool> is_used(shape_.positions.size());
    for (const auto& triangle : shape_.triangles)
      for (const std::uint16_t corner : triangle)
        if (corner < is_used.size()) is_used[corner] = true;
    std::size_t unweighted = 0, uneven = 0;
    for (std::size_t i = 0; i < shape_.weights.size(); ++i) {
      float sum = 0.0f;
      for (std::size_t k = 0; k < 4; ++k) {
        const float weight = shape_.weights[i].weights[k];
        sum += weight;
        if (weight > 0.0f && shape_.weights[i].bones[k] >= shape_.bones.size())
          return out_.error("E_BONE_INDEX", "vertex " + std::to_string(i) + " has bone " +
                                                std::to_string(shape_.weights[i].bones[k]) + " of " +
                                                std::to_string(shape_.bones.size()) + ": the game crashes");
      }
      if (!is_used[i]) continue;
      unweighted += sum == 0.0f;
      uneven += sum != 0.0f && std::abs(sum - 1.0f) > 0.02f;
    }
    if (unweighted > 0)
      out_.warning("W_UNWEIGHTED", std::to_string(unweighted) + " vertices have no bone and stay at the origin");
    if (uneven > 0)
      out_.warning("W_WEIGHT_SUM", "the weights of " + std::to_string(uneven) +
                                       " vertices do not add up to 1: they shrink to the "
                                       "origin or overshoot");
  }

  const NifFile& nif_;
  const BodyShape& shape_;
  std::optional<Game> game_;
  bool has_skinned_;
  ShapeFindings out_;
};

// Names that have a place on the skeletons, in lower case.
std::unordered_set<std::string> known_names(const NifFile& nif, std::span<const Skeleton* const> skeletons) {
  std::unordered_set<std::string> names;
  for (const Skeleton* skeleton : skeletons)
    for (const Bone& bone : skeleton->bones) names.insert(to_lower(bone.name));
  if (nif.stream == nif::kFallout4)
    for (const SkinBone& bone : fallout4_skin_bones())
      if (names.contains(to_lower(bone.parent))) names.insert(to_lower(bone.name));
  return names;
}

Result<void> check_on_skeleton(const NifFile& nif, const std::vector<BodyShape>& shapes,
                               std::span<const Skeleton* const> skeletons, Findings& findings) {
  const std::unordered_set<std::string> names = known_names(nif, skeletons);
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(nif));
  std::vector<std::int32_t> bone_of;
  const Skeleton own = skeleton_of_nodes(nodes, &bone_of);
  for (const BodyShape& shape : shapes)
    for (const BodyBone& bone : shape.bones) {
      const auto node = std::ranges::find(nodes, bone.node, &NifNode::block);
      if (node == nodes.end()) continue;
      std::int32_t at = bone_of[static_cast<std::size_t>(node - nodes.begin())];
      while (at != kNoBone && !names.contains(to_lower(own.bones[static_cast<std::size_t>(at)].name)))
        at = own.bones[static_cast<std::size_t>(at)].parent;
      if (at == kNoBone)
        ShapeFindings(shape, findings)
            .warning("W_SKIN_BONE", "bone '" + bone.name +
                                        "' is not in the skeleton, and no node above it is: the parts that it moves "
                                        "stay behind");
    }
  return {};
}

}  // namespace

void check_shape(const NifFile& nif, const BodyShape& shape, const ShapeRules& rules, Findings& findings) {
  ShapeChecker(nif, shape, rules, findings).run();
}

Result<Findings> check_bodies(const NifFile& nif, std::optional<Game> game, std::span<const Skeleton* const> skeletons,
                              const Limits& limits) {
  Findings findings;
  MARROW_TRY(const std::vector<BodyShape> shapes, read_shapes(nif, {.keep_faults = true, .limits = limits}));
  const bool has_skinned = std::ranges::any_of(shapes, &BodyShape::is_skinned);
  for (const BodyShape& shape : shapes) check_shape(nif, shape, {game, has_skinned}, findings);
  if (!skeletons.empty()) MARROW_CHECK(check_on_skeleton(nif, shapes, skeletons, findings));
  return findings;
}

}  // namespace marrow
