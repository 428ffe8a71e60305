// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <span>
#include <string>

#include "image/image.h"
#include "marrow/core/error.h"

namespace marrow::image {

/// Triangles to draw. Spans that are not empty have one entry per vertex.
struct DrawMesh {
  std::span<const glm::vec3> positions;  ///< Z up
  std::span<const glm::vec3> normals;    ///< of any length
  std::span<const std::array<std::uint16_t, 3>> triangles;
  std::span<const glm::vec2> uvs = {};
  std::span<const glm::vec4> colors = {};
  const Image* texture = nullptr;        ///< needs `uvs`
  glm::vec3 color{0.80f, 0.76f, 0.72f};  ///< without a texture; as on a screen, 0 to 1
  bool is_double_sided = false;
  float cut = 0.0f;         ///< pixels less opaque than this are left out
  bool is_blended = false;  ///< what lies behind shows through
};

struct DrawOptions {
  std::uint32_t width = 600, height = 800;
  double turn_degrees = 25.0;  ///< the camera goes round to the left of what faces +Y; 0 is in front of it
  double tilt_degrees = 8.0;   ///< above the horizon
  glm::vec4 background{1.0f, 1.0f, 1.0f, 1.0f};
  std::uint32_t samples = 3;  ///< per side of a pixel, for smooth edges
};

/// Draws meshes without a graphics card: seen from afar, all of them in the picture, with smooth normals, three lights
/// and smooth edges. The same pixels on every machine. Fails with `InvalidArgument` if the picture is empty or larger
/// than 8192 pixels, or a triangle names a vertex that is not there.
Result<Image> draw(std::span<const DrawMesh> meshes, const DrawOptions& options);

/// Draws the same as polygons, one colour each, from the back to the front. Textures are not drawn.
Result<std::string> draw_svg(std::span<const DrawMesh> meshes, const DrawOptions& options);

}  // namespace marrow::image
