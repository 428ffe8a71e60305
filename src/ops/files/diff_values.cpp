// SPDX-License-Identifier: MIT
#include "ops/files/diff_values.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "core/try.h"
#include "havok/animation/animation.h"
#include "havok/animation/skeleton.h"
#include "ops/body/diff.h"
#include "ops/clip/diff.h"

namespace marrow {
namespace {

/// Below this, in units, two vertices are in the same place: meshes are stored in single precision.
constexpr float kSameUnits = 1e-4f;

/// More lines of a cache than anyone would read.
constexpr std::size_t kMostLines = 10'000;

using Differences = std::vector<Difference>;

void compare(Differences& out, std::string kind, std::string object, std::string field, std::string left,
             std::string right) {
  if (left == right) return;
  out.push_back({.kind = std::move(kind),
                 .object = std::move(object),
                 .field = std::move(field),
                 .left = std::move(left),
                 .right = std::move(right)});
}

void compare_counts(Differences& out, const std::string& field, std::size_t left, std::size_t right) {
  compare(out, "file", "", field, std::to_string(left), std::to_string(right));
}

bool holds_values_alone(const Document& document) {
  return is_gltf(document.format) || document.format == Format::Obj || is_motion_source(document.format);
}

bool holds_motion(const Document& document) {
  return document.packfile() && (!havok::find_animations(*document.packfile()).empty() ||
                                 !havok::find_skeletons(*document.packfile()).empty());
}

void compare_meshes(const DocumentMesh& left, const DocumentMesh& right, Differences& out) {
  const auto add = [&](std::string field, std::string a, std::string b) {
    compare(out, "mesh", left.name, std::move(field), std::move(a), std::move(b));
  };
  add("name", left.name, right.name);
  add("vertices", std::to_string(left.mesh.vertices.size()), std::to_string(right.mesh.vertices.size()));
  add("triangles", std::to_string(left.mesh.triangles.size()), std::to_string(right.mesh.triangles.size()));
  if (left.mesh.triangles != right.mesh.triangles && left.mesh.triangles.size() == right.mesh.triangles.size())
    add("corners", "", "different corners");
  if (left.mesh.materials != right.mesh.materials) add("materials", "", "different materials");
  if (left.placement != right.placement) add("placement", "", "another place");
  if (left.mesh.vertices.size() != right.mesh.vertices.size()) return;
  float most = 0.0f;
  for (std::size_t i = 0; i < left.mesh.vertices.size(); ++i)
    most = std::max(most, glm::distance(left.mesh.vertices[i], right.mesh.vertices[i]));
  if (most > kSameUnits)
    out.push_back({.kind = "mesh",
                   .object = left.name,
                   .field = "positions",
                   .size = static_cast<double>(most),
                   .unit = "units"});
}

void compare_surfaces(const Document& left, const Document& right, Differences& out) {
  // Skins are read with a file or not at all; without them their meshes are read as such.
  if (left.bodies.empty() == right.bodies.empty()) {
    compare_counts(out, "bodies", left.bodies.size(), right.bodies.size());
    for (std::size_t i = 0; i < std::min(left.bodies.size(), right.bodies.size()); ++i) {
      const BodyShape &a = left.bodies[i].shape, &b = right.bodies[i].shape;
      compare(out, "body", a.name, "name", a.name, b.name);
      diff_shape(a, b, out);
    }
    compare_counts(out, "meshes", left.meshes.size(), right.meshes.size());
    for (std::size_t i = 0; i < std::min(left.meshes.size(), right.meshes.size()); ++i)
      compare_meshes(left.meshes[i], right.meshes[i], out);
  }
  if (left.materials != right.materials)
    compare_counts(out, "materials", left.materials.size(), right.materials.size());
  if (left.collision_record != right.collision_record)
    compare(out, "file", "", "collision record", "", "another record");
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    at = end + 1;
  }
  return lines;
}

}  // namespace

bool can_diff_values(const Document& left, const Document& right) {
  const bool is_left = holds_values_alone(left), is_right = holds_values_alone(right);
  return (is_left && is_right) || (is_left && holds_motion(right)) || (is_right && holds_motion(left));
}

Result<void> diff_values(Document left, Document right, Context& context, Differences& out) {
  const bool is_motion_alone = left.packfile() || right.packfile();
  const Parts parts = Parts::Skeletons | Parts::Frames;
  for (Document* each : {&left, &right})
    MARROW_CHECK(read_parts(*each, is_motion_alone ? parts : parts | Parts::Meshes | Parts::Bodies, context));
  compare_counts(out, "clips", left.clips.size(), right.clips.size());
  for (std::size_t i = 0; i < std::min(left.clips.size(), right.clips.size()); ++i) {
    for (const Document* each : {&left, &right})
      if (each->clips[i].undecoded) return in_file(*each->clips[i].undecoded, each->name);
    diff_clips("clips[" + std::to_string(i) + "]", left.clips[i].clip, right.clips[i].clip, out);
  }
  // A packfile with a clip seldom has the skeleton that glTF needs.
  if (!is_motion_alone || (!left.skeletons.empty() && !right.skeletons.empty())) {
    compare_counts(out, "skeletons", left.skeletons.size(), right.skeletons.size());
    for (std::size_t i = 0; i < std::min(left.skeletons.size(), right.skeletons.size()); ++i)
      diff_skeletons("skeletons[" + std::to_string(i) + "]", left.skeletons[i].skeleton, right.skeletons[i].skeleton,
                     out);
  }
  if (!is_motion_alone) compare_surfaces(left, right, out);
  return {};
}

void diff_caches(const Document& left, const Document& right, Differences& out) {
  const std::vector<std::string_view> a = lines_of(*left.cache()), b = lines_of(*right.cache());
  std::size_t first = 0;
  while (first < std::min(a.size(), b.size()) && a[first] == b[first]) ++first;
  std::size_t last = 0;  // of equal lines at the end
  while (last < std::min(a.size(), b.size()) - first && a[a.size() - 1 - last] == b[b.size() - 1 - last]) ++last;
  const auto add = [&](const std::vector<std::string_view>& lines, bool is_left) {
    for (std::size_t i = first; i + last < lines.size() && i - first < kMostLines; ++i) {
      Difference difference{.kind = "line", .object = "line " + std::to_string(i + 1)};
      (is_left ? difference.left : difference.right) = std::string(lines[i]);
      out.push_back(std::move(difference));
    }
  };
  add(a, true);
  add(b, false);
}

}  // namespace marrow
