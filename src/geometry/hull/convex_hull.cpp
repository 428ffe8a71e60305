// SPDX-License-Identifier: MIT
// The convex hull by qhull (C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The Quickhull Algorithm for Convex Hulls",
// 1996). The only file that knows qhull. Its functions are called only where it catches its own errors; the result is
// read from its lists by hand.
#include <libqhull_r/libqhull_r.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <string>

#include "geometry/hull/polyhedron.h"

namespace marrow::geometry {

namespace {

#ifdef _WIN32
constexpr const char* kNullDevice = "NUL";
#else
constexpr const char* kNullDevice = "/dev/null";
#endif

/// One run of qhull, cleaned up after whatever happens.
class Run {
 public:
  Run(std::vector<coordT>& coordinates, std::string command) : silence_(std::fopen(kNullDevice, "w")) {
    qh_zero(&state_, silence_);
    const int count = static_cast<int>(coordinates.size() / 3);
    exit_code_ = qh_new_qhull(&state_, 3, count, coordinates.data(), False, command.data(), nullptr, silence_);
  }
  ~Run() {
    qh_freeqhull(&state_, !qh_ALL);
    int current_long = 0;
    int total_long = 0;
    qh_memfreeshort(&state_, &current_long, &total_long);
    if (silence_ != nullptr) std::fclose(silence_);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  bool ok() const { return exit_code_ == 0; }
  const qhT& state() const { return state_; }

 private:
  qhT state_{};
  std::FILE* silence_;
  int exit_code_ = 0;
};

/// Corners of a face in order of their angle around the normal; merged faces of qhull list them in no order.
void sort_loop(std::vector<std::uint32_t>& loop, std::span<const DVec3> vertices, const DVec3& normal) {
  DVec3 center{0.0};
  for (std::uint32_t i : loop) center += vertices[i];
  center /= static_cast<double>(loop.size());
  const DVec3 u = glm::normalize(vertices[loop[0]] - center);
  const DVec3 v = glm::cross(normal, u);
  const auto angle = [&](std::uint32_t i) {
    const DVec3 arm = vertices[i] - center;
    return std::atan2(glm::dot(arm, v), glm::dot(arm, u));
  };
  std::sort(loop.begin(), loop.end(), [&](std::uint32_t a, std::uint32_t b) {
    const double angle_a = angle(a);
    const double angle_b = angle(b);
    return angle_a != angle_b ? angle_a < angle_b : a < b;
  });
  std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
}

Polyhedron read_result(const qhT& state) {
  Polyhedron hull;
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  // Vertices in the order of the input, so that the hull does not depend on the order of qhull's own list.
  std::vector<std::uint32_t> number(static_cast<std::size_t>(state.num_points), kNone);
  const auto point_of = [&](const vertexT* vertex) {
    return static_cast<std::size_t>(vertex->point - state.first_point) / 3;
  };
  const auto for_each_corner = [&](const facetT* facet, auto&& visit) {
    for (const setelemT* element = facet->vertices->e; element->p != nullptr; ++element)
      visit(point_of(static_cast<const vertexT*>(element->p)));
  };
  for (const facetT* facet = state.facet_list; facet != nullptr && facet->next != nullptr; facet = facet->next)
    for_each_corner(facet, [&](std::size_t point) { number[point] = 0; });
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] == kNone) continue;
    number[i] = static_cast<std::uint32_t>(hull.vertices.size());
    const coordT* point = state.first_point + 3 * i;
    hull.vertices.emplace_back(point[0], point[1], point[2]);
  }
  for (const facetT* facet = state.facet_list; facet != nullptr && facet->next != nullptr; facet = facet->next) {
    const DVec3 normal(facet->normal[0], facet->normal[1], facet->normal[2]);
    std::vector<std::uint32_t> loop;
    for_each_corner(facet, [&](std::size_t point) { loop.push_back(number[point]); });
    sort_loop(loop, hull.vertices, normal);
    hull.faces.push_back(std::move(loop));
    hull.planes.push_back({normal, facet->offset});
  }
  return hull;
}

/// Whether every edge has two faces, once in each direction, and the surface is one sphere.
bool is_closed(const Polyhedron& hull) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const auto& face : hull.faces) {
    if (face.size() < 3) return false;
    for (std::size_t i = 0; i < face.size(); ++i)
      if (++edges[{face[i], face[i + 1 == face.size() ? 0 : i + 1]}] > 1) return false;
  }
  for (const auto& [edge, count] : edges)
    if (!edges.contains({edge.second, edge.first})) return false;
  return hull.vertices.size() + hull.faces.size() == edges.size() / 2 + 2;
}

/// Puts faces in an order that does not depend on how qhull came to them.
void sort_faces(Polyhedron& hull) {
  std::vector<std::size_t> order(hull.faces.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return hull.faces[a] < hull.faces[b]; });
  Polyhedron sorted{hull.vertices, {}, {}};
  for (std::size_t i : order) {
    sorted.faces.push_back(std::move(hull.faces[i]));
    sorted.planes.push_back(hull.planes[i]);
  }
  hull = std::move(sorted);
}

}  // namespace

Result<Polyhedron> convex_hull(std::span<const DVec3> points, double merge_distance) {
  if (points.size() < 4) return fail(ErrorCode::InvalidArgument, "a convex hull needs at least four points");
  if (points.size() > 100'000'000) return fail(ErrorCode::LimitExceeded, "more than 100 million points for one hull");
  // Around the origin, and scaled so that the merge distance is the number in the command: rounding then depends on
  // the shape alone, and no number has to be written as text.
  DVec3 low = points[0];
  DVec3 high = points[0];
  for (const DVec3& point : points) {
    low = glm::min(low, point);
    high = glm::max(high, point);
  }
  const DVec3 center = (low + high) * 0.5;
  const bool merge = merge_distance > 0.0;
  const double scale = merge ? 0.001 / merge_distance : 1.0 / glm::length(high - low);
  std::vector<coordT> coordinates;
  coordinates.reserve(points.size() * 3);
  for (const DVec3& point : points)
    for (int axis = 0; axis < 3; ++axis) coordinates.push_back((point[axis] - center[axis]) * scale);

  for (const char* command : {"qhull Pp C0.001", "qhull Pp", "qhull Pp Qt"}) {
    if (!merge && std::string_view(command).ends_with("C0.001")) continue;
    const Run run(coordinates, command);
    if (!run.ok()) continue;
    Polyhedron hull = read_result(run.state());
    if (!is_closed(hull)) continue;
    sort_faces(hull);
    for (DVec3& vertex : hull.vertices) vertex = vertex / scale + center;
    for (HalfSpace& plane : hull.planes) plane.offset = plane.offset / scale - glm::dot(plane.normal, center);
    return hull;
  }
  return fail(ErrorCode::InvalidArgument, "the points have no convex hull with a volume; they are flat or too close");
}

}  // namespace marrow::geometry
