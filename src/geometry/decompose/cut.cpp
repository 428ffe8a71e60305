// SPDX-License-Identifier: MIT
// Where to cut a part. Planes are tried through its concave edges (along both faces, and between them), across its
// principal axes and along its largest faces; the best one is then moved and turned a little as long as that helps.
#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <limits>

#include "geometry/decompose/parts.h"
#include "geometry/solids/mass.h"

namespace marrow::geometry {

namespace {

constexpr std::size_t kMostEdgePlanes = 40;
constexpr std::size_t kMostFaceDirections = 4;
constexpr int kEvenCuts = 9;
constexpr std::size_t kManyFaces = 2000;
constexpr std::size_t kMostPieces = 32;
/// What resolving all concave edges is worth, against removing all of the volume between hull and solid.
constexpr double kEdgeWeight = 0.5;
/// What cutting in the middle is worth: it decides between cuts that are equally good.
constexpr double kBalanceWeight = 0.002;
/// What it costs to cut along faces at a flat angle: that leaves sharp edges, which the margin of a hull rounds off.
constexpr double kSharpnessWeight = 1.0;
/// What a hull less is worth.
constexpr double kPiecePrice = 0.1;
constexpr std::size_t kLookAhead = 6;
constexpr std::size_t kMostFacesToLookAhead = 600;
/// Faces that meet at less than this sine are smooth.
constexpr double kSmooth = 1e-3;

struct Candidate {
  HalfSpace plane;
  double weight = 0.0;
};

/// An edge where the solid turns inwards, between two faces.
struct ConcaveEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  DVec3 normals[2] = {};
  double weight = 0.0;
};

std::vector<ConcaveEdge> concave_edges(const Solid& solid) {
  std::vector<ConcaveEdge> edges;
  for (const SharedEdge& edge : shared_edges(solid)) {
    const DVec3 along = solid.points[edge.to] - solid.points[edge.from];
    const DVec3& left = solid.faces[edge.left].normal;
    const DVec3& right = solid.faces[edge.right].normal;
    const double turn = glm::dot(glm::cross(left, right), along);
    if (turn < -kSmooth * glm::length(along)) edges.push_back({edge.from, edge.to, {left, right}, -turn});
  }
  return edges;
}

class CutSearch {
 public:
  CutSearch(const Part& part, double large_excess = std::numeric_limits<double>::infinity())
      : part_(part), edges_(concave_edges(part.solid)), large_excess_(large_excess) {
    for (const ConcaveEdge& edge : edges_) edge_weight_ += edge.weight;
    for (const Solid::Face& face : part.solid.faces)
      face_sizes_.push_back(std::sqrt(glm::length(area_vector(part.solid.points, part.solid.edges_of(face)))));
    // Large parts are tried at fewer places: the work per cut stays within bounds.
    is_large_ = part.solid.faces.size() > kManyFaces;
  }

  std::vector<Solid> run() {
    std::vector<Choice> best = best_choices(can_look_ahead() ? kLookAhead : 1);
    if (best.empty()) return {};
    if (best.size() == 1) {
      refine(best[0]);
      return std::move(best[0].parts);
    }
    std::size_t least = 0;
    std::vector<double> costs;
    for (const Choice& choice : best) costs.push_back(cost_after_next_cuts(choice));
    for (std::size_t i = 1; i < costs.size(); ++i)
      if (costs[i] < costs[least]) least = i;
    return std::move(best[least].parts);
  }

 private:
  struct Choice {
    HalfSpace plane;
    double price = 0.0;  ///< for sharp edges
    double cost = std::numeric_limits<double>::infinity();
    std::vector<Solid> parts;
  };

  /// The cheapest cuts, by planes that differ, the best first.
  std::vector<Choice> best_choices(std::size_t count) {
    add_edge_planes();
    add_directions();
    std::vector<Choice> best;
    for (const Candidate& candidate : candidates_) {
      Choice choice;
      choice.cost = best.size() < count ? std::numeric_limits<double>::infinity() : best.back().cost;
      try_plane(candidate.plane, choice);
      if (choice.parts.empty()) continue;
      const auto place = std::upper_bound(best.begin(), best.end(), choice.cost,
                                          [](double cost, const Choice& other) { return cost < other.cost; });
      best.insert(place, std::move(choice));
      if (best.size() > count) best.pop_back();
    }
    return best;
  }

  /// Trying what comes after a cut takes long: it is for parts with few faces and much to gain.
  bool can_look_ahead() const {
    return part_.solid.faces.size() <= kMostFacesToLookAhead && edge_weight_ > 0.0 && part_.excess() >= large_excess_;
  }

  /// What is left after the best next cut of every part: volume, concave edges, and a price for each hull.
  double cost_after_next_cuts(const Choice& choice) const {
    double excess = 0.0;
    double weight = 0.0;
    std::size_t pieces = 0;
    const auto count = [&](const Part& part, double edge_weight) {
      excess += part.excess();
      weight += edge_weight;
      ++pieces;
    };
    for (const Solid& solid : choice.parts) {
      const Part part = make_part(solid);
      CutSearch next(part);
      std::vector<Choice> cuts;
      if (part.excess() > 1e-3 * part_.excess()) cuts = next.best_choices(1);
      if (cuts.empty()) {
        count(part, next.edge_weight_);
        continue;
      }
      for (const Solid& piece : cuts[0].parts) {
        const Part leaf = make_part(piece);
        count(leaf, CutSearch(leaf).edge_weight_);
      }
    }
    return excess / std::max(part_.excess(), 1e-12) + kEdgeWeight * weight / edge_weight_ +
           kPiecePrice * static_cast<double>(pieces) + choice.price;
  }

  void add_edge_planes() {
    std::vector<Candidate> planes;
    const auto add = [&](const ConcaveEdge& edge, const DVec3& normal, double weight) {
      const double length = glm::length(normal);
      if (!(length > 1e-6)) return;
      // One sign of the two that describe the same plane.
      DVec3 unit = normal / length;
      if (unit.x + 1e-9 * unit.y + 1e-12 * unit.z < 0.0) unit = -unit;
      planes.push_back({{unit, -glm::dot(unit, part_.solid.points[edge.from])}, weight});
    };
    for (const ConcaveEdge& edge : edges_) {
      add(edge, edge.normals[0], edge.weight);
      add(edge, edge.normals[1], edge.weight);
      add(edge, edge.normals[0] - edge.normals[1], 0.5 * edge.weight);
    }
    take_heaviest(planes, is_large_ ? kMostEdgePlanes / 2 : kMostEdgePlanes);
  }

  /// Adds up planes that are nearly the same, and keeps those that most edges have.
  void take_heaviest(std::vector<Candidate>& planes, std::size_t count) {
    const auto key = [](const Candidate& c) {
      return std::array{std::round(c.plane.normal.x * 1e3), std::round(c.plane.normal.y * 1e3),
                        std::round(c.plane.normal.z * 1e3), std::round(c.plane.offset * 1e4)};
    };
    std::stable_sort(planes.begin(), planes.end(),
                     [&](const Candidate& a, const Candidate& b) { return key(a) < key(b); });
    std::vector<Candidate> merged;
    for (const Candidate& plane : planes) {
      if (merged.empty() || key(merged.back()) != key(plane))
        merged.push_back(plane);
      else
        merged.back().weight += plane.weight;
    }
    std::stable_sort(merged.begin(), merged.end(),
                     [](const Candidate& a, const Candidate& b) { return a.weight > b.weight; });
    if (merged.size() > count) merged.resize(count);
    candidates_.insert(candidates_.end(), merged.begin(), merged.end());
  }

  void add_directions() {
    DVec3 center{0.0};
    double total = 0.0;
    glm::dmat3 spread(0.0);
    std::vector<std::pair<double, DVec3>> normals;
    const Solid& solid = part_.solid;
    std::vector<std::pair<double, DVec3>> middles;
    for (const Solid::Face& face : solid.faces) {
      const std::span<const Solid::Edge> outline = solid.edges_of(face);
      const double area = glm::length(area_vector(solid.points, outline));
      DVec3 middle{0.0};
      for (const Solid::Edge& edge : outline) middle += solid.points[edge.from];
      middle /= static_cast<double>(outline.size());
      center += middle * area;
      total += area;
      middles.emplace_back(area, middle);
      normals.emplace_back(area, face.normal);
    }
    if (!(total > 0.0)) return;
    center /= total;
    for (const auto& [area, middle] : middles) {
      const DVec3 arm = middle - center;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) spread[i][j] += arm[i] * arm[j] * area;
    }
    const glm::dmat3 axes = glm::mat3_cast(principal_inertia(spread).rotation);
    for (int axis = 0; axis < 3; ++axis) add_even_cuts(axes[axis]);
    add_face_directions(normals);
  }

  void add_face_directions(std::vector<std::pair<double, DVec3>>& normals) {
    std::vector<std::pair<double, DVec3>> merged;
    for (auto& [area, normal] : normals) {
      if (normal.x + 1e-9 * normal.y + 1e-12 * normal.z < 0.0) normal = -normal;
      const auto found = std::find_if(merged.begin(), merged.end(),
                                      [&](const auto& other) { return glm::dot(other.second, normal) > 0.999; });
      if (found != merged.end())
        found->first += area;
      else if (merged.size() < 64)
        merged.emplace_back(area, normal);
    }
    std::stable_sort(merged.begin(), merged.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t i = 0; i < std::min(kMostFaceDirections, merged.size()); ++i) add_even_cuts(merged[i].second);
  }

  void add_even_cuts(const DVec3& direction) {
    const auto [low, high] = extent_along(direction);
    const int count = is_large_ ? kEvenCuts / 2 : kEvenCuts;
    for (int i = 1; i <= count; ++i) candidates_.push_back({{direction, -(low + (high - low) * i / (count + 1))}, 0.0});
  }

  std::pair<double, double> extent_along(const DVec3& direction) const {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();
    for (const DVec3& point : part_.wrap.points) {
      low = std::min(low, glm::dot(point, direction));
      high = std::max(high, glm::dot(point, direction));
    }
    return {low, high};
  }

  /// The share of concave edges that stay concave after a cut: those that do not lie in the plane between both sides.
  double unresolved(const HalfSpace& plane) const {
    if (!(edge_weight_ > 0.0)) return 0.0;
    double resolved = 0.0;
    for (const ConcaveEdge& edge : edges_) {
      if (std::abs(plane.distance(part_.solid.points[edge.from])) > kCutTolerance ||
          std::abs(plane.distance(part_.solid.points[edge.to])) > kCutTolerance)
        continue;
      // Faces lie where they turn away from each other: the plane must leave them on different sides.
      const DVec3 along = glm::normalize(part_.solid.points[edge.to] - part_.solid.points[edge.from]);
      const double left = glm::dot(plane.normal, glm::cross(edge.normals[0], along));
      const double right = glm::dot(plane.normal, glm::cross(along, edge.normals[1]));
      if (left * right <= 1e-9) resolved += edge.weight;
    }
    return 1.0 - resolved / edge_weight_;
  }

  /// How flat the plane lies along the faces that it meets, 0 to 1.
  double sharpness(const HalfSpace& plane) const {
    const Solid& solid = part_.solid;
    double sum = 0.0;
    double total = 1e-12;
    for (std::size_t f = 0; f < solid.faces.size(); ++f) {
      int on = 0;
      int below = 0;
      int above = 0;
      for (const Solid::Edge& edge : solid.edges_of(solid.faces[f])) {
        const double distance = plane.distance(solid.points[edge.from]);
        ++(distance > kCutTolerance ? above : distance < -kCutTolerance ? below : on);
      }
      // Faces in the plane or beside it make no edge with it.
      if (below + above == 0 || ((below == 0 || above == 0) && on < 2)) continue;
      const double cosine = glm::dot(plane.normal, solid.faces[f].normal);
      sum += face_sizes_[f] * cosine * cosine;
      total += face_sizes_[f];
    }
    return sum / total;
  }

  void try_plane(const HalfSpace& plane, Choice& best) const {
    Solid below;
    Solid above;
    cut(part_.solid, plane, kCutTolerance, below, above);
    if (below.empty() || above.empty()) return;
    Choice choice{plane, kSharpnessWeight * sharpness(plane), 0.0, {}};
    for (Solid* half : {&below, &above}) {
      std::vector<Solid> pieces = components_of(std::move(*half));
      if (pieces.size() > kMostPieces) {  // a heap of loose parts: taken as one
        for (std::size_t i = 1; i < pieces.size(); ++i) append(pieces[0], pieces[i]);
        pieces.resize(1);
      }
      for (Solid& piece : pieces) choice.parts.push_back(std::move(piece));
    }
    const auto [low, high] = extent_along(plane.normal);
    const double off_center = std::abs(2.0 * (-plane.offset - low) / (high - low) - 1.0);
    const double excess = std::max(part_.excess(), 1e-12);
    choice.cost = choice.price + kEdgeWeight * unresolved(plane) + kBalanceWeight * off_center - part_.volume / excess;
    for (const Solid& piece : choice.parts) {
      choice.cost += hull_volume(piece.points) / excess;
      if (choice.cost >= best.cost) return;
    }
    best = std::move(choice);
  }

  /// Turns and moves the plane in ever smaller steps. Planes through concave edges are left alone unless that is much
  /// better.
  void refine(Choice& best) const {
    constexpr double kWorthIt = 0.97;
    const auto [low, high] = extent_along(best.plane.normal);
    double step = 1.0 / (kEvenCuts + 1);
    for (int round = 0; round < 3; ++round, step *= 0.5) {
      const HalfSpace from = best.plane;
      const DVec3 helper = std::abs(from.normal.x) < 0.6 ? DVec3(1, 0, 0) : DVec3(0, 1, 0);
      const DVec3 u = glm::normalize(glm::cross(from.normal, helper));
      const DVec3 v = glm::cross(from.normal, u);
      const DVec3 pivot = part_.wrap.low * 0.5 + part_.wrap.high * 0.5;
      const DVec3 on_plane = pivot - from.normal * from.distance(pivot);
      Choice better;
      better.cost = kWorthIt * best.cost;
      for (const DVec3& turn : {u, -u, v, -v}) {
        const DVec3 normal = glm::normalize(from.normal + turn * step);
        try_plane({normal, -glm::dot(normal, on_plane)}, better);
      }
      for (double move : {-0.5, 0.5}) try_plane({from.normal, from.offset + move * step * (high - low)}, better);
      if (!better.parts.empty()) best = std::move(better);
    }
  }

  const Part& part_;
  std::vector<ConcaveEdge> edges_;
  double large_excess_;
  double edge_weight_ = 0.0;
  std::vector<double> face_sizes_;  ///< roots of areas
  bool is_large_ = false;
  std::vector<Candidate> candidates_;
};

}  // namespace

std::vector<Solid> best_cut(const Part& part, double large_excess) { return CutSearch(part, large_excess).run(); }

}  // namespace marrow::geometry
