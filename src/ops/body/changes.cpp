// SPDX-License-Identifier: MIT
#include "ops/body/changes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include <glm/geometric.hpp>

#include "core/try.h"
#include "exchange/gltf/write_body.h"
#include "ops/body/surface.h"
#include "ops/body/tolerance.h"
#include "ops/body/vertex_key.h"

namespace marrow {
namespace {

Vec4 exported_color(const Vec4& stored) {
  Vec4 color;
  for (int i = 0; i < 4; ++i) color[i] = std::isfinite(stored[i]) ? std::clamp(stored[i], 0.0f, 1.0f) : 1.0f;
  return color;
}

std::uint64_t rotation_key(Corners corners) {
  // The smallest corner first, in the same direction: a rotation of a triangle is the same triangle.
  const auto first = std::ranges::min_element(corners);
  std::ranges::rotate(corners, first);
  return std::uint64_t{corners[0]} << 32 | std::uint64_t{corners[1]} << 16 | corners[2];
}

/// Compares one mesh with its shape.
class ChangeFinder {
 public:
  ChangeFinder(const BodyShape& shape, const EditedMesh& edited, const Joints& joints,
               const std::vector<std::uint32_t>& groups, ShapeChange& report)
      : old_(shape), new_(edited.mesh), joints_(joints), groups_(groups), report_(report), near_{edited.is_exact} {
    for (const Vec3& normal : old_.normals) normals_.push_back(gltf::unit_normal(normal));
    for (const Vec4& color : old_.colors) colors_.push_back(exported_color(color));
    for (const VertexWeights& weights : old_.weights) weights_.push_back(gltf::joint_weights(weights, joints_.of_bone));
  }

  Result<ShapeEdit> run() {
    join_split_corners(new_, stored_parts(), old_.positions.size());
    find_equal_vertices();
    number_vertices();
    MARROW_CHECK(match_triangles());
    renumber();
    add_values();
    add_directions();
    count();
    return std::move(edit_);
  }

 private:
  bool has_normals() const { return !old_.normals.empty() && new_.normals.size() == new_.positions.size(); }
  bool has_uvs() const { return !old_.uvs.empty() && new_.uvs.size() == new_.positions.size(); }
  bool has_colors() const { return !old_.colors.empty() && new_.colors.size() == new_.positions.size(); }
  bool has_weights() const { return !old_.weights.empty() && new_.weights.size() == new_.positions.size(); }

  // Vertices that are equal in position, UV and normal are one corner: other programs may swap them.
  void find_equal_vertices() {
    std::map<std::array<float, 8>, std::uint16_t> met;
    for (std::size_t i = 0; i < old_.positions.size(); ++i) {
      std::array<float, 8> key{old_.positions[i].x, old_.positions[i].y, old_.positions[i].z};
      if (!old_.uvs.empty()) key[3] = old_.uvs[i].x, key[4] = old_.uvs[i].y;
      if (!old_.normals.empty()) key[5] = old_.normals[i].x, key[6] = old_.normals[i].y, key[7] = old_.normals[i].z;
      same_as_.push_back(met.try_emplace(key, static_cast<std::uint16_t>(i)).first->second);
    }
  }

  Corners canonical(const Corners& triangle) const {
    return {same_as_[triangle[0]], same_as_[triangle[1]], same_as_[triangle[2]]};
  }

  // Vertex i is vertex i if the counts agree and the triangles are still there. A mesh whose triangles look the same
  // from both ends may be numbered from the other one: then every vertex stands where one of another number stood.
  void number_vertices() {
    bool keeps_numbers = false;
    if (new_.positions.size() == old_.positions.size()) {
      take_numbers();
      keeps_numbers = keeps_triangles();
      if (keeps_numbers && !may_be_reordered()) return;
    }
    match_vertices();
    if (keeps_numbers && !(all_are_matched() && keeps_triangles())) take_numbers();
  }

  void take_numbers() {
    old_of_.resize(old_.positions.size());
    for (std::size_t i = 0; i < old_of_.size(); ++i) old_of_[i] = static_cast<int>(i);
    new_of_ = old_of_;
  }

  Corners old_corners(const Corners& triangle) const {
    return {static_cast<std::uint16_t>(old_of_[triangle[0]]), static_cast<std::uint16_t>(old_of_[triangle[1]]),
            static_cast<std::uint16_t>(old_of_[triangle[2]])};
  }

  // Nine tenths of the triangles are old ones.
  bool keeps_triangles() const {
    std::vector<std::uint64_t> known;
    for (const Corners& triangle : old_.triangles) known.push_back(rotation_key(canonical(triangle)));
    std::ranges::sort(known);
    const auto there = std::ranges::count_if(new_.triangles, [&](const Corners& triangle) {
      return std::ranges::binary_search(known, rotation_key(canonical(old_corners(triangle))));
    });
    return static_cast<std::size_t>(there) * 10 >= new_.triangles.size() * 9;
  }

  // The first vertex that moved stands where another one stood. Of most edits this is not true, which saves the search.
  bool may_be_reordered() const {
    for (std::size_t i = 0; i < old_.positions.size(); ++i) {
      if (near_.position(new_.positions[i], old_.positions[i])) continue;
      for (std::size_t k = 0; k < old_.positions.size(); ++k)
        if (is_same_vertex(i, k)) return true;
      return false;
    }
    return false;
  }

  bool all_are_matched() const {
    const auto is_matched = [](int other) { return other >= 0; };
    return std::ranges::all_of(old_of_, is_matched) && std::ranges::all_of(new_of_, is_matched);
  }

  bool is_same_vertex(std::size_t edited, std::size_t old) const {
    return near_.position(new_.positions[edited], old_.positions[old]) &&
           (!has_uvs() || near_.uv(new_.uvs[edited], old_.uvs[old])) &&
           (!has_normals() || near_.normal(new_.normals[edited], normals_[old]));
  }

  // Finds the old vertex that each new one is. Sorted by x, so that only those nearby are compared.
  void match_vertices() {
    std::vector<std::uint16_t> by_x(old_.positions.size());
    for (std::size_t i = 0; i < by_x.size(); ++i) by_x[i] = static_cast<std::uint16_t>(i);
    const auto x_of = [&](std::uint16_t i) { return old_.positions[i].x; };
    std::ranges::stable_sort(by_x, {}, x_of);
    old_of_.assign(new_.positions.size(), -1);
    new_of_.assign(old_.positions.size(), -1);
    for (std::size_t i = 0; i < new_.positions.size(); ++i) {
      const float x = new_.positions[i].x, margin = 0.002f + 1e-5f * std::abs(x);
      for (auto at = std::ranges::lower_bound(by_x, x - margin, {}, x_of); at != by_x.end() && x_of(*at) <= x + margin;
           ++at) {
        if (!is_same_vertex(i, *at)) continue;
        // Of several equal ones, one that is free yet.
        if (old_of_[i] < 0 || (new_of_[static_cast<std::size_t>(old_of_[i])] >= 0 && new_of_[*at] < 0))
          old_of_[i] = *at;
        if (new_of_[*at] < 0) break;
      }
      if (old_of_[i] >= 0 && new_of_[static_cast<std::size_t>(old_of_[i])] < 0)
        new_of_[static_cast<std::size_t>(old_of_[i])] = static_cast<int>(i);
    }
  }

  // Old triangles keep their place and corners; new ones follow in the group of the nearest old one.
  Result<void> match_triangles() {
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> known;
    for (std::size_t i = old_.triangles.size(); i-- > 0;)
      known[rotation_key(canonical(old_.triangles[i]))].push_back(i);
    std::vector<bool> is_kept(old_.triangles.size());
    std::vector<Corners> added;  // of edited vertices
    for (const Corners& triangle : new_.triangles) {
      const bool is_old = std::ranges::all_of(triangle, [&](std::uint16_t corner) { return old_of_[corner] >= 0; });
      const auto found = is_old ? known.find(rotation_key(canonical(old_corners(triangle)))) : known.end();
      if (found == known.end() || found->second.empty()) {
        added.push_back(triangle);
        continue;
      }
      is_kept[found->second.back()] = true;
      found->second.pop_back();
    }
    report_.removed_triangles = static_cast<std::size_t>(std::ranges::count(is_kept, false));
    report_.added_triangles = added.size();
    edit_.has_new_triangles = report_.removed_triangles + report_.added_triangles > 0;
    place_triangles(is_kept, added);
    return {};
  }

  void place_triangles(const std::vector<bool>& is_kept, const std::vector<Corners>& added) {
    struct Placed {
      std::array<int, 3> corners;  // old ones, or edited ones behind them
      std::uint32_t group;
    };
    std::vector<Placed> placed;
    for (std::size_t i = 0; i < old_.triangles.size(); ++i)
      if (is_kept[i])
        placed.push_back({{old_.triangles[i][0], old_.triangles[i][1], old_.triangles[i][2]}, groups_[i]});
    const int first_new = static_cast<int>(old_.positions.size());
    const std::vector<Vec3> middles = old_middles(added.empty());
    for (const Corners& triangle : added) {
      Placed each{{}, 0};
      Vec3 middle(0.0f);
      for (std::size_t k = 0; k < 3; ++k) {
        each.corners[k] = old_of_[triangle[k]] >= 0 ? old_of_[triangle[k]] : first_new + triangle[k];
        middle += new_.positions[triangle[k]] / 3.0f;
      }
      float best = std::numeric_limits<float>::max();
      for (std::size_t i = 0; i < middles.size(); ++i)
        if (const float apart = glm::dot(middles[i] - middle, middles[i] - middle); apart < best)
          best = apart, each.group = groups_[i];
      placed.push_back(each);
    }
    if (edit_.has_new_triangles) std::ranges::stable_sort(placed, {}, &Placed::group);
    for (const Placed& each : placed) {
      corners_.push_back(each.corners);
      edit_.groups.push_back(each.group);
    }
  }

  std::vector<Vec3> old_middles(bool is_unused) const {
    std::vector<Vec3> middles;
    if (is_unused) return middles;
    for (const Corners& t : old_.triangles)
      middles.push_back((old_.positions[t[0]] + old_.positions[t[1]] + old_.positions[t[2]]) / 3.0f);
    return middles;
  }

  // Old vertices keep their order, new ones follow. An old one that nothing uses any more goes.
  void renumber() {
    const std::size_t old_count = old_.positions.size();
    const bool keeps_all = new_.positions.size() == old_count && std::ranges::equal(old_of_, new_of_);
    std::vector<bool> was_used(old_count), is_used(old_count + new_.positions.size());
    for (const Corners& triangle : old_.triangles)
      for (const std::uint16_t corner : triangle) was_used[corner] = true;
    for (const auto& triangle : corners_)
      for (const int corner : triangle) is_used[static_cast<std::size_t>(corner)] = true;
    std::vector<int> number(is_used.size(), -1);
    std::map<VertexKey, int> met;
    for (std::size_t i = 0; i < is_used.size(); ++i) {
      const bool stays = is_used[i] || (i < old_count && (keeps_all || !was_used[i]));
      if (!stays) continue;
      if (i >= old_count) {
        const auto [same, is_new] =
            met.try_emplace(vertex_key(new_, i - old_count, stored_parts()), static_cast<int>(edit_.vertices.size()));
        if (!is_new) {
          number[i] = same->second;
          continue;
        }
      }
      number[i] = static_cast<int>(edit_.vertices.size());
      VertexEdit vertex;
      if (i < old_count) {
        vertex.source = static_cast<std::uint16_t>(i);
        edited_of_.push_back(new_of_[i]);
      } else {
        vertex.source = nearest_old(new_.positions[i - old_count]);
        edited_of_.push_back(static_cast<int>(i - old_count));
        is_new_.resize(edit_.vertices.size());
        is_new_.push_back(true);
        ++report_.added_vertices;
      }
      edit_.vertices.push_back(std::move(vertex));
    }
    is_new_.resize(edit_.vertices.size());
    report_.removed_vertices = old_count - (edit_.vertices.size() - report_.added_vertices);
    edit_.has_new_numbers = report_.added_vertices + report_.removed_vertices > 0;
    report_.has_new_numbers = report_.removed_vertices > 0;
    for (const auto& triangle : corners_)
      edit_.triangles.push_back({static_cast<std::uint16_t>(number[static_cast<std::size_t>(triangle[0])]),
                                 static_cast<std::uint16_t>(number[static_cast<std::size_t>(triangle[1])]),
                                 static_cast<std::uint16_t>(number[static_cast<std::size_t>(triangle[2])])});
  }

  StoredParts stored_parts() const { return {has_uvs(), has_normals(), has_colors(), has_weights()}; }

  std::uint16_t nearest_old(const Vec3& position) const {
    std::size_t best = 0;
    float least = std::numeric_limits<float>::max();
    for (std::size_t i = 0; i < old_.positions.size(); ++i) {
      const Vec3 apart = old_.positions[i] - position;
      if (const float square = glm::dot(apart, apart); square < least) least = square, best = i;
    }
    return static_cast<std::uint16_t>(best);
  }

  // Names the weights of the file by the entries of the skin, strongest first, divided by their sum.
  VertexWeights stored_weights(const VertexWeights& joints) const {
    std::vector<std::uint16_t> identity(joints_.bone_of.size());
    for (std::size_t i = 0; i < identity.size(); ++i) identity[i] = static_cast<std::uint16_t>(i);
    VertexWeights weights = gltf::joint_weights(joints, identity);
    for (std::size_t k = 0; k < 4; ++k)
      weights.bones[k] = weights.weights[k] > 0.0f ? joints_.bone_of[weights.bones[k]] : std::uint16_t{0};
    return weights;
  }

  static bool has_any_weight(const VertexWeights& weights) {
    return std::ranges::any_of(weights.weights, [](float weight) { return weight > 0.0f; });
  }

  // Weights that a program left as they were painted mean the same in every size.
  void divide_by_sum(std::size_t vertex) {
    if (!has_weights()) return;
    auto& weights = new_.weights[vertex].weights;
    const float sum = weights[0] + weights[1] + weights[2] + weights[3];
    if (!(sum > 0.0f) || !std::isfinite(sum) || std::abs(sum - 1.0f) <= 0.001f) return;
    for (float& weight : weights) weight /= sum;
  }

  void add_values() {
    for (std::size_t i = 0; i < edit_.vertices.size(); ++i) {
      VertexEdit& vertex = edit_.vertices[i];
      if (edited_of_[i] < 0) continue;
      const auto from = static_cast<std::size_t>(edited_of_[i]);
      const std::size_t old = vertex.source;
      const bool is_new = is_new_[i];
      if (is_new || !near_.position(new_.positions[from], old_.positions[old])) vertex.position = new_.positions[from];
      if (has_uvs() && (is_new || !near_.uv(new_.uvs[from], old_.uvs[old]))) vertex.uv = new_.uvs[from];
      if (has_colors() && (is_new || !near_.color(new_.colors[from], colors_[old]))) vertex.color = new_.colors[from];
      divide_by_sum(from);
      if (has_weights() && !has_any_weight(new_.weights[from]))
        ++report_.unweighted;  // an old vertex keeps its weights, a new one has those of the nearest
      else if (has_weights() && (is_new || !near_.weights(new_.weights[from], weights_[old])))
        vertex.weights = stored_weights(new_.weights[from]);
      if (has_normals() && (is_new || !near_.normal(new_.normals[from], normals_[old])))
        vertex.normal = gltf::unit_normal(new_.normals[from]);
    }
  }

  // Values of the whole mesh as it will be, before anything is rounded.
  template <class T, class Edited>
  std::vector<T> all_of(const std::vector<T>& old, Edited edited) const {
    std::vector<T> all;
    for (const VertexEdit& vertex : edit_.vertices) all.push_back((vertex.*edited).value_or(old[vertex.source]));
    return all;
  }
  template <class T>
  std::vector<T> old_of_all(const std::vector<T>& old) const {
    std::vector<T> all;
    for (const VertexEdit& vertex : edit_.vertices) all.push_back(old[vertex.source]);
    return all;
  }

  void add_directions() {
    if (old_.normals.empty()) return;
    const std::vector<Vec3> before = old_of_all(old_.positions), after = all_of(old_.positions, &VertexEdit::position);
    const bool moves = std::ranges::any_of(edit_.vertices, [](const VertexEdit& v) { return v.position.has_value(); });
    if (moves) {
      const auto turned = turned_normals(edit_.triangles, before, after, old_of_all(old_.normals));
      for (std::size_t i = 0; i < edit_.vertices.size(); ++i)
        if (!edit_.vertices[i].normal && !is_new_[i] && turned[i]) {
          edit_.vertices[i].normal = gltf::unit_normal(*turned[i]);
          ++report_.turned_normals;
        }
    }
    if (old_.tangents.empty() || old_.uvs.empty()) return;
    std::vector<bool> is_due = corners_of_changed_edges(edit_.triangles, before, after);
    bool any = false;
    for (std::size_t i = 0; i < edit_.vertices.size(); ++i) {
      is_due[i] = is_due[i] || is_new_[i] || edit_.vertices[i].uv || edit_.vertices[i].normal;
      any = any || is_due[i];
    }
    if (!any) return;
    const auto tangents = tangents_of(edit_.triangles, after, all_of(old_.uvs, &VertexEdit::uv),
                                      all_of(old_.normals, &VertexEdit::normal));
    for (std::size_t i = 0; i < edit_.vertices.size(); ++i)
      if (is_due[i]) edit_.vertices[i].tangents = tangents[i];
  }

  void count() {
    for (const VertexEdit& vertex : edit_.vertices) {
      report_.positions += vertex.position.has_value();
      report_.normals += vertex.normal.has_value();
      report_.tangents += vertex.tangents.has_value();
      report_.uvs += vertex.uv.has_value();
      report_.colors += vertex.color.has_value();
      report_.weights += vertex.weights.has_value();
    }
  }

  const BodyShape& old_;
  BodyShape new_;
  const Joints& joints_;
  const std::vector<std::uint32_t>& groups_;
  ShapeChange& report_;
  Tolerance near_;
  // What the export makes of the shape.
  std::vector<Vec3> normals_;
  std::vector<Vec4> colors_;
  std::vector<VertexWeights> weights_;

  std::vector<std::uint16_t> same_as_;       // by old vertex: the first equal one
  std::vector<int> old_of_, new_of_;         // between vertices of the edited mesh and old ones; -1 for none
  std::vector<std::array<int, 3>> corners_;  // old vertices, then those of the edited mesh
  std::vector<int> edited_of_;               // by vertex of the edit
  std::vector<bool> is_new_;                 // by vertex of the edit
  ShapeEdit edit_;
};

}  // namespace

Result<ShapeEdit> find_changes(const BodyShape& shape, const EditedMesh& edited, const Joints& joints,
                               const std::vector<std::uint32_t>& groups, ShapeChange& report) {
  return ChangeFinder(shape, edited, joints, groups, report).run();
}

}  // namespace marrow
