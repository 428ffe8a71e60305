// SPDX-License-Identifier: MIT
// Concave shapes cut into hulls, by us and by V-HACD 4 with the same limit of hulls. Both are measured by one ruler.
// Processor time, one run a line. Exits with 1 if the peer is better at a shape.
#include <cmath>
#include <cstdio>
#include <ctime>

#include "geometry/decompose/decompose.h"
#include "geometry/decompose/report.h"
#include "support/concave_shapes.h"
#include "vhacd_peer.h"

using namespace marrow;
using namespace marrow::geometry;

namespace {

/// Errors nearer to each other than this share of the volume are equal: the ruler is not finer.
constexpr double kSameError = 0.0005;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Row {
  DecomposeReport report;
  double seconds = 0.0;
};

double missing(const Row& row) { return 1.0 - row.report.coverage; }
/// What the hulls have too much and what they lack: the one does not make up for the other.
double wrong_volume(const Row& row) { return std::max(0.0, row.report.volume_error + missing(row)) + missing(row); }

void print(const char* shape, std::uint32_t limit, const char* who, const Row& row, double size) {
  std::printf("%-10s %5u  %-8s %5u  %+8.2f %%  %8.2f %%  %8.2f %%  %8.2f %%  %7.2f s\n", shape, limit, who,
              row.report.hulls, 100.0 * row.report.volume_error, 100.0 * missing(row), 100.0 * wrong_volume(row),
              100.0 * row.report.overhang / size, row.seconds);
}

double diagonal_of(const TriangleMesh& mesh) {
  const Aabb box = bounds_of(mesh.vertices);
  return static_cast<double>(glm::distance(box.min, box.max));
}

/// Without a margin, as V-HACD's hulls have none.
Row ours(const test::NamedShape& shape) {
  Row row;
  const double start = processor_seconds();
  DecomposeOptions options;
  options.max_hulls = shape.most_hulls;
  options.hull.convex_radius = 0.0f;
  if (auto parts = decompose(shape.mesh, options)) row.report = std::move(parts->report);
  row.seconds = processor_seconds() - start;
  return row;
}

Row theirs(const test::NamedShape& shape, std::uint32_t max_hulls) {
  Row row;
  const double start = processor_seconds();
  const auto clouds = bench::vhacd_hulls(shape.mesh, max_hulls);
  row.seconds = processor_seconds() - start;
  std::vector<Hull> hulls;
  for (const auto& points : clouds)
    if (auto hull = build_hull(points, {.convex_radius = 0.0f})) hulls.push_back(std::move(*hull));
  const PreparedMesh mesh = prepare(shape.mesh);
  row.report = measure(hulls, mesh, SurfaceQuery(mesh.surface, mesh.is_closed));
  return row;
}

bool is_worse(const Row& us, const Row& them) {
  return us.report.hulls > them.report.hulls || wrong_volume(us) > wrong_volume(them) + kSameError;
}

/// How the time grows: each line has four times the triangles of the one before.
void print_growth() {
  std::printf("\n%-10s %9s %5s %9s  %s\n", "torus", "triangles", "hulls", "seconds", "microseconds per triangle");
  for (std::uint32_t around : {20u, 40u, 80u, 160u}) {
    const TriangleMesh mesh = test::torus(around, around / 2);
    const double start = processor_seconds();
    const auto parts = decompose(mesh);
    const double seconds = processor_seconds() - start;
    std::printf("%-10s %9zu %5zu %9.2f  %.0f\n", "", mesh.triangles.size(), parts ? parts->hulls.size() : 0, seconds,
                1e6 * seconds / static_cast<double>(mesh.triangles.size()));
  }
}

}  // namespace

int main() {
  if (!bench::has_vhacd()) std::printf("V-HACD is not here (npm could not fetch vhacd-js): our hulls alone\n");
  std::printf("%-10s %5s  %-8s %5s  %10s  %10s  %10s  %10s  %9s\n", "shape", "limit", "by", "hulls", "volume", "lost",
              "wrong", "overhang", "time");
  int worse = 0;
  for (const test::NamedShape& shape : test::concave_shapes()) {
    const double size = diagonal_of(shape.mesh);
    const Row us = ours(shape);
    print(shape.name.c_str(), shape.most_hulls, "marrow", us, size);
    if (!bench::has_vhacd()) continue;
    const Row them = theirs(shape, shape.most_hulls);
    print("", shape.most_hulls, "V-HACD", them, size);
    if (is_worse(us, them)) {
      std::printf("V-HACD is better at %s\n", shape.name.c_str());
      ++worse;
    }
  }
  std::printf(
      "volume: of all hulls together against the shape's; lost: of the shape, in no hull; wrong: too much and lost.\n"
      "overhang: how far a hull reaches beyond the shape, as a share of its diagonal.\n");
  print_growth();
  return worse == 0 ? 0 : 1;
}
