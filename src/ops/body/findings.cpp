// SPDX-License-Identifier: MIT
#include "ops/body/findings.h"

#include <algorithm>
#include <array>

#include "marrow/core/text.h"

namespace marrow {
namespace {

/// What is to be done about a finding.
struct BodyRule {
  std::string_view code;
  std::string_view cure;   ///< what to do; of what a fix repairs, what it writes
  bool is_mended = false;  ///< there is one right repair, and a fix makes it
};

constexpr std::array kRules = {
    BodyRule{"E_VERTEX_INDEX", "export the mesh again"},
    BodyRule{"E_BONE_INDEX", "export the mesh again, with its skin"},
    BodyRule{"E_NAN", "export the mesh again, without faces of no area and bones of scale 0"},
    BodyRule{"E_SKIN_BONE", "export the shape with all bones of its skin"},
    BodyRule{"E_SKIN_DATA", "export the shape with its skin again"},
    BodyRule{"E_BIND_POSE", "give the bone another scale than 0 in the rest pose, and export again"},
    BodyRule{"E_PARTITION", "export the skin again, with a body part for each partition"},
    BodyRule{"E_PARTITION_TRIANGLE", "the partitions made anew", true},
    BodyRule{"E_PARTITION_BONES", "the partitions made anew", true},
    BodyRule{"E_SKIN_BONES", "split the shape, or take out bones that move nothing"},
    BodyRule{"E_SEGMENT", "export the shape again, with its segments"},
    BodyRule{"E_DATA_SIZE", "export the head part again"},
    BodyRule{"E_OTHER_GAME", "export the shape for this game"},
    BodyRule{"W_BOUND", "it computed", true},
    BodyRule{"W_DATA_SIZE", "the right one", true},
    BodyRule{"W_WEIGHT_SUM", "them divided by their sum", true},
    BodyRule{"W_PARTITION_PALETTE", "the partitions made anew", true},
    BodyRule{"W_PARTITION_COPY", "export the skin again"},
    BodyRule{"W_PARTITION_TRIANGLE", "export the mesh and its skin again, together"},
    BodyRule{"W_SEGMENT", "export the shape again, with its segments"},
    BodyRule{"W_SKIN_BONE", "use the skeleton that the body was made for, or rename the bone"},
    BodyRule{"W_SKIN_BONES", "split the shape"},
    BodyRule{"W_UNWEIGHTED", "give them weights"},
    BodyRule{"W_NO_NORMALS", "export it with normals, or set model space normals in the shader"},
    BodyRule{"W_TEXTURE_PATH", "a path that starts with textures\\"},
    BodyRule{"W_TEXTURE_MISSING", "put the file there, or correct the path"},
    BodyRule{"I_INFLUENCES", "limit the mesh to four bones per vertex, if what is drawn looks wrong"},
    BodyRule{"I_DEGENERATE", "delete faces without area"},
    BodyRule{"I_NAN", "paint the colour again"},
    BodyRule{"I_NO_SKIN", "give it weights, if it should move with the body"},
    BodyRule{"I_OLD_SHAPE", "none is needed"},
    BodyRule{"I_NO_SHADER", "give it a shader, if it should be seen"},
    BodyRule{"I_SHADER_SKINNED", "set or clear the shader's flag for skinned shapes"},
    BodyRule{"I_SHADER_COLORS", "paint vertex colours, or clear the shader's flag for them"},
};

}  // namespace

std::string place_of(const BodyShape& shape) {
  return "shape '" + shape.name + "', blocks[" + std::to_string(shape.block) + "]";
}

void ShapeFindings::add(std::string code, Level level, std::string reason) {
  Finding finding{std::move(code), level, std::move(reason), place_};
  const auto rule = std::ranges::find(kRules, finding.code, &BodyRule::code);
  if (rule != kRules.end()) {
    finding.message += (rule->is_mended ? "; fixed copies have " : "; cure: ") + std::string(rule->cure);
    if (rule->is_mended) finding.cure = automatic_cure();
  }
  findings_.push_back(std::move(finding));
}

void ShapeFindings::mended_warning(std::string code, std::string reason, std::string_view fixed) {
  findings_.push_back({std::move(code), Level::Warning, std::move(reason) + "; fixed copies have " + std::string(fixed),
                       place_, automatic_cure()});
}

void ShapeFindings::cured_error(std::string code, std::string reason, Cure cure) {
  findings_.push_back({std::move(code), Level::Error, std::move(reason), place_, std::move(cure)});
}

bool has_drive_or_root(std::string_view path) {
  return (path.size() > 1 && path[1] == ':') || path.starts_with('/') || path.starts_with('\\');
}

std::optional<std::string> below_data(const std::string& path) {
  if (!has_drive_or_root(path)) return std::nullopt;
  std::string lower = to_lower(path);
  std::ranges::replace(lower, '/', '\\');
  const std::size_t at = lower.rfind("\\textures\\");
  return at == std::string::npos ? std::nullopt : std::optional(path.substr(at + 1));
}

}  // namespace marrow
