// SPDX-License-Identifier: MIT
// How long triangles take to become a compressed mesh, and how that grows. One core, one run a line; processor time, so
// that what else the machine does does not count.
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>

#include "geometry/mesh/chunk_mesh.h"
#include "geometry/mesh/compressed_mesh.h"
#include "geometry/mesh/mopp.h"
#include "unit/geometry/meshes.h"

using namespace marrow::geometry;

namespace {

/// The most memory this process has held since `reset_peak`, in MB; 0 where the system does not tell.
double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kilobytes = 0.0;
  while (status >> word)
    if (word == "VmHWM:") status >> kilobytes;
  return kilobytes / 1024.0;
}

void reset_peak() {
#ifdef __GLIBC__
  malloc_trim(0);  // what earlier lines used and gave back would hide what this one needs
#endif
  std::ofstream("/proc/self/clear_refs") << "5";  // forgets the high-water mark
}

std::size_t stored_bytes(const CompressedMesh& mesh) {
  std::size_t bytes = mesh.top_nodes.size() * 5 + mesh.sections.size() * 96 + mesh.primitives.size() * 4 +
                      mesh.shared_indices.size() * 2 + mesh.packed_vertices.size() * 4 +
                      mesh.shared_vertices.size() * 8 + mesh.data_runs.size() * 4 + mesh.quad_is_flat.size() * 4 +
                      mesh.triangle_is_interior.size() * 4;
  for (const CompressedMesh::Section& section : mesh.sections) bytes += section.nodes.size() * 4;
  return bytes;
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Nanoseconds per triangle and level: constant if the time grows as n log n.
double run(const char* name, const TriangleMesh& source, bool check) {
  reset_peak();
  const double before = peak_megabytes();
  const double start = processor_seconds();
  MeshBuildReport report;
  const auto mesh = build_compressed_mesh(source, {}, &report);
  const double seconds = processor_seconds() - start;
  const double memory = peak_megabytes() - before;
  const double count = static_cast<double>(source.triangles.size());
  if (!mesh) {
    std::printf("%-10s %9.0f  %8.4f s  refused: %s\n", name, count, seconds, mesh.error().message.c_str());
    return 0.0;
  }
  const double level = 1e9 * seconds / (count * std::log2(count));
  std::printf("%-10s %9.0f  %8.4f s  %6.1f ns/(n log n)  %7.1f MB  %5.2f KB/tri  %5.1f B/tri  %6zu sections  %u pages",
              name, count, seconds, level, memory, 1024.0 * memory / count,
              static_cast<double>(stored_bytes(*mesh)) / count, mesh->sections.size(), report.pages);
  if (check) {
    const double begin = processor_seconds();
    const bool good =
        verify_compressed_mesh(*mesh).empty() && compare_with_source(*mesh, source, report.collapsed_triangles).empty();
    std::printf("  %s in %.2f s", good ? "verified" : "WRONG", processor_seconds() - begin);
  }
  std::printf("\n");
  return level;
}

/// Clusters of 43 loose triangles on a grid of 32 a side, those beyond in between. One makes a section; two have 258
/// vertices, which is too many.
TriangleMesh clusters(std::uint32_t count) {
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec3 corner = 10.0f * Vec3(i % 32, i / 32 % 32, i / 1024 % 32) + Vec3(i < 32768 ? 0.0f : 5.0f);
    for (int k = 0; k < 43; ++k) {
      const Vec3 at = corner + 0.02f * Vec3(k % 4, k / 4 % 4, k / 16);
      test::add_triangle(mesh, at, at + Vec3(0.01f, 0, 0), at + Vec3(0, 0.01f, 0.005f));
    }
  }
  return mesh;
}

}  // namespace

namespace {

/// Skyrim's form of the same: chunks, and MOPP code over the boxes of the triangles. Returns nanoseconds per triangle
/// and level of the code alone.
double run_chunks(const char* name, const TriangleMesh& source) {
  const double start = processor_seconds();
  const auto mesh = build_chunk_mesh(source);
  const double meshed = processor_seconds();
  if (!mesh) {
    std::printf("%-10s %9zu %9.4f s  refused: %s\n", name, source.triangles.size(), meshed - start,
                mesh.error().message.c_str());
    return 0.0;
  }
  constexpr std::size_t kChunk = 150;  // triangles with keys as those of chunks
  std::vector<MoppItem> items;
  for (std::size_t i = 0; i < source.triangles.size(); ++i) {
    const auto& [a, b, c] = source.triangles[i];
    const Vec3 corners[] = {source.vertices[a], source.vertices[b], source.vertices[c]};
    items.push_back({static_cast<std::uint32_t>((i / kChunk + 1) << 18 | (i % kChunk) * 3), bounds_of(corners)});
  }
  const double listed = processor_seconds();
  const auto code = build_mopp(items);
  const double seconds = processor_seconds() - listed;
  const double count = static_cast<double>(items.size());
  std::printf(
      "%-10s %9zu  chunks in %8.4f s  code in %8.4f s  %6.2f bytes per triangle  %5.1f ns per triangle and level\n",
      name, items.size(), meshed - start, seconds, code ? static_cast<double>(code->code.size()) / count : 0.0,
      1e9 * seconds / count / std::log2(count));
  return 1e9 * seconds / count / std::log2(count);
}

}  // namespace

int main(int argc, char** argv) {
  const bool limits = argc > 1 && std::strcmp(argv[1], "--limits") == 0;
  double worst = 0.0;
  double base = 0.0;
  for (std::uint32_t cells : {22u, 71u, 224u, 707u}) {  // 1 000 to 1 000 000 triangles
    const double level = run("terrain", test::terrain(cells), true);
    if (cells == 71) base = level;
    worst = level > worst ? level : worst;
  }
  for (std::uint32_t count : {1000u, 10000u, 100000u, 1000000u}) run("soup", test::soup(count), true);
  std::printf("growth: the worst terrain line is %.2f of the line of 10 000 triangles\n", worst / base);
  std::printf("Skyrim: chunks and MOPP code (aim: 100 000 triangles in 2 s, n log n)\n");
  for (std::uint32_t cells : {22u, 71u, 224u}) run_chunks("terrain", test::terrain(cells));
  for (std::uint32_t count : {1000u, 10000u, 100000u}) run_chunks("soup", test::soup(count));
  if (limits) {  // where the format ends: a minute and some GB
    run("clusters", clusters(32768), false);
    run("clusters", clusters(32769), false);
    run("terrain", test::terrain(1414), false);
    run("terrain", test::terrain(2000), false);
  }
  return 0;
}
