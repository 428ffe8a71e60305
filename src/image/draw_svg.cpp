// SPDX-License-Identifier: MIT
#include "core/try.h"
#include "image/camera.h"
#include "marrow/core/text.h"

namespace marrow::image {
namespace {

struct Polygon {
  std::array<Point, 3> corners;
  double depth;
  std::array<std::uint8_t, 3> color;
  float opacity;
};

void append_tenths(std::string& out, double value) { append_double(out, std::round(value * 10.0) / 10.0); }

std::string hex(const std::array<std::uint8_t, 3>& color) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "#";
  for (const std::uint8_t byte : color) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

std::array<std::uint8_t, 3> bytes_of(const glm::dvec3& linear) {
  std::array<std::uint8_t, 3> out{};
  for (int c = 0; c < 3; ++c)
    out[static_cast<std::size_t>(c)] = static_cast<std::uint8_t>(to_screen(linear[c]) * 255.0 + 0.5);
  return out;
}

}  // namespace

Result<std::string> draw_svg(std::span<const DrawMesh> meshes, const DrawOptions& options) {
  MARROW_CHECK(check_drawing(meshes, options));
  const Camera camera(meshes, options);
  std::vector<Polygon> polygons;
  for (const DrawMesh& mesh : meshes)
    for (const auto& triangle : mesh.triangles) {
      Polygon polygon{};
      glm::dvec3 normal(0.0), tint(0.0);
      double opacity = 0.0;
      for (std::size_t i = 0; i < 3; ++i) {
        polygon.corners[i] = camera.project(mesh.positions[triangle[i]]);
        polygon.depth += polygon.corners[i].z / 3.0;
        const glm::dvec3 own = camera.seen(glm::dvec3(mesh.normals[triangle[i]]));
        if (const double length = glm::length(own); length > 1e-9 && std::isfinite(length)) normal += own / length;
        glm::dvec4 color(1.0);
        if (!mesh.colors.empty())
          for (int c = 0; c < 4; ++c)
            if (const float each = mesh.colors[triangle[i]][c]; std::isfinite(each))
              color[c] = static_cast<double>(std::clamp(each, 0.0f, 1.0f));
        tint += glm::dvec3(color) / 3.0;
        opacity += color.w / 3.0;
      }
      const auto& [a, b, c] = polygon.corners;
      const double area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
      if (!std::isfinite(polygon.depth + area) || area == 0.0 || (area > 0.0 && !mesh.is_double_sided)) continue;
      const double length = glm::length(normal);
      normal = length > 1e-9 ? normal / length : glm::dvec3(0, 0, 1);
      if (area > 0.0) normal = -normal;
      glm::dvec3 color(0.0);
      for (int i = 0; i < 3; ++i) color[i] = to_linear(static_cast<double>(mesh.color[i])) * tint[i];
      polygon.color = bytes_of(color * brightness(normal));
      polygon.opacity = mesh.is_blended ? static_cast<float>(opacity) : 1.0f;
      polygons.push_back(polygon);
    }
  std::ranges::stable_sort(polygons, {}, &Polygon::depth);

  const std::string width = std::to_string(options.width), height = std::to_string(options.height);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
                    "\" viewBox=\"0 0 " + width + " " + height + "\" stroke-width=\"0.4\" stroke-linejoin=\"round\">\n";
  if (options.background.w > 0.0f) {
    const glm::dvec3 back(to_linear(options.background.x), to_linear(options.background.y),
                          to_linear(options.background.z));
    out += "<rect width=\"100%\" height=\"100%\" fill=\"" + hex(bytes_of(back)) + "\"/>\n";
  }
  for (const Polygon& polygon : polygons) {
    // A thin line of its own colour closes the gap that smooth edges leave between neighbours.
    const std::string color = hex(polygon.color);
    out += "<path fill=\"" + color + "\" stroke=\"" + color + "\"";
    if (polygon.opacity < 1.0f) out += " opacity=\"" + float_text(std::round(polygon.opacity * 100.0f) / 100.0f) + "\"";
    out += " d=\"";
    for (std::size_t i = 0; i < 3; ++i) {
      out += i == 0 ? 'M' : 'L';
      append_tenths(out, polygon.corners[i].x);
      out += ' ';
      append_tenths(out, polygon.corners[i].y);
    }
    out += "z\"/>\n";
  }
  return out + "</svg>\n";
}

}  // namespace marrow::image
