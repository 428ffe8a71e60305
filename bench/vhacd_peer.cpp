// SPDX-License-Identifier: MIT
// The peer of our decomposition: K. Mamou's V-HACD 4 (BSD), of which scripts/setup fetches the header.
#include "vhacd_peer.h"

#if __has_include(<VHACD.h>)
#define MARROW_HAS_VHACD 1
#define ENABLE_VHACD_IMPLEMENTATION 1
#define VHACD_DISABLE_THREADING 1  // what it has for threads does not compile here
#include <VHACD.h>
#endif

namespace marrow::bench {

#ifdef MARROW_HAS_VHACD

bool has_vhacd() { return true; }

std::vector<std::vector<geometry::Vec3>> vhacd_hulls(const geometry::TriangleMesh& mesh, std::uint32_t max_hulls) {
  VHACD::IVHACD::Parameters parameters;
  parameters.m_maxConvexHulls = max_hulls;
  parameters.m_asyncACD = false;
  VHACD::IVHACD* vhacd = VHACD::CreateVHACD();
  vhacd->Compute(&mesh.vertices[0].x, static_cast<std::uint32_t>(mesh.vertices.size()), mesh.triangles[0].data(),
                 static_cast<std::uint32_t>(mesh.triangles.size()), parameters);
  std::vector<std::vector<geometry::Vec3>> hulls;
  for (std::uint32_t i = 0; i < vhacd->GetNConvexHulls(); ++i) {
    std::vector<geometry::Vec3>& points = hulls.emplace_back();
    for (const VHACD::Vertex& point : vhacd->GetConvexHull(i)->m_points)
      points.emplace_back(point.mX, point.mY, point.mZ);
  }
  vhacd->Release();
  return hulls;
}

#else

bool has_vhacd() { return false; }

std::vector<std::vector<geometry::Vec3>> vhacd_hulls(const geometry::TriangleMesh&, std::uint32_t) { return {}; }

#endif

}  // namespace marrow::bench
