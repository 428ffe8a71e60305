// SPDX-License-Identifier: MIT
#include "image/draw.h"

#include "core/try.h"
#include "image/camera.h"

namespace marrow::image {
namespace {

constexpr std::int64_t kSubpixel = 256;  // corners lie on this grid, so that neighbours share an edge exactly
constexpr std::uint32_t kBandRows = 32;  // of the picture, drawn together

/// A triangle as it is in the picture.
struct Face {
  std::array<Point, 3> corners;
  const DrawMesh* mesh;
  std::array<std::uint16_t, 3> vertices;
  double depth;  // of its middle
  bool is_back;
};

/// A sample while it is drawn: linear colours, multiplied by opacity.
struct Sample {
  glm::vec4 color{0.0f};
  float depth = -INFINITY;
};

class ToLinear {
 public:
  ToLinear() {
    for (std::size_t i = 0; i < table_.size(); ++i)
      table_[i] = static_cast<float>(to_linear(static_cast<double>(i) / 255.0));
  }
  float operator()(std::uint8_t byte) const { return table_[byte]; }

 private:
  std::array<float, 256> table_{};
};

glm::vec4 texel(const Image& image, double u, double v, const ToLinear& linear) {
  const auto wrap = [](double x) { return x - std::floor(x); };
  const double x = wrap(u) * image.width - 0.5, y = wrap(v) * image.height - 0.5;
  const double left = std::floor(x), top = std::floor(y);
  const auto column = [&](double at) {
    const double width = image.width;
    return static_cast<std::uint32_t>(std::fmod(at + width, width));
  };
  const auto row = [&](double at) {
    const double height = image.height;
    return static_cast<std::uint32_t>(std::fmod(at + height, height));
  };
  glm::vec4 sum(0.0f);
  for (int i = 0; i < 4; ++i) {
    const std::uint8_t* pixel = image.at(column(left + i % 2), row(top + i / 2));
    const double weight = (i % 2 ? x - left : 1.0 - (x - left)) * (i / 2 ? y - top : 1.0 - (y - top));
    sum += static_cast<float>(weight) *
           glm::vec4(linear(pixel[0]), linear(pixel[1]), linear(pixel[2]), static_cast<float>(pixel[3]) / 255.0f);
  }
  return sum;
}

/// Draws faces into a band of rows.
class Band {
 public:
  Band(std::uint32_t width, std::uint32_t first_row, std::uint32_t rows, std::uint32_t samples)
      : width_(width * samples),
        first_(first_row * samples),
        rows_(rows * samples),
        samples_(samples),
        pixels_(std::size_t{width_} * rows_) {}

  void draw(const Face& face, const Camera& camera, const ToLinear& linear) {
    std::array<std::int64_t, 3> x{}, y{};
    for (std::size_t i = 0; i < 3; ++i) {
      x[i] = std::llround(face.corners[i].x * samples_ * kSubpixel);
      y[i] = std::llround(face.corners[i].y * samples_ * kSubpixel);
    }
    std::int64_t area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    if (area == 0) return;
    std::array<std::size_t, 3> order{0, 1, 2};
    if (area < 0) {
      std::swap(order[1], order[2]);
      area = -area;
    }
    const auto pixel_of = [](std::int64_t at) {
      return at >= 0 ? at / kSubpixel : -((-at + kSubpixel - 1) / kSubpixel);
    };
    const std::int64_t left = std::max<std::int64_t>(pixel_of(std::ranges::min(x)), 0),
                       right = std::min<std::int64_t>(pixel_of(std::ranges::max(x)), std::int64_t{width_} - 1),
                       top = std::max<std::int64_t>(pixel_of(std::ranges::min(y)), first_),
                       bottom = std::min<std::int64_t>(pixel_of(std::ranges::max(y)), std::int64_t{first_} + rows_ - 1);
    for (std::int64_t row = top; row <= bottom; ++row)
      for (std::int64_t column = left; column <= right; ++column) {
        const std::int64_t px = column * kSubpixel + kSubpixel / 2, py = row * kSubpixel + kSubpixel / 2;
        std::array<double, 3> share{};
        bool is_inside = true;
        for (std::size_t i = 0; i < 3 && is_inside; ++i) {
          const std::size_t a = order[(i + 1) % 3], b = order[(i + 2) % 3];
          const std::int64_t edge = (x[b] - x[a]) * (py - y[a]) - (y[b] - y[a]) * (px - x[a]);
          // A sample on an edge belongs to one of the two faces: that which has it at its top or left.
          const bool owns = y[a] == y[b] ? x[b] > x[a] : y[b] < y[a];
          is_inside = edge > 0 || (edge == 0 && owns);
          share[order[i]] = static_cast<double>(edge) / static_cast<double>(area);
        }
        if (is_inside)
          shade(face, share, static_cast<std::size_t>(row - first_) * width_ + static_cast<std::size_t>(column), camera,
                linear);
      }
  }

  void put(const DrawOptions& options, std::uint32_t first_row, Image& picture) const {
    const glm::vec4 back(static_cast<float>(to_linear(options.background.x)),
                         static_cast<float>(to_linear(options.background.y)),
                         static_cast<float>(to_linear(options.background.z)), options.background.w);
    for (std::uint32_t y = 0; y < rows_ / samples_; ++y)
      for (std::uint32_t x = 0; x < width_ / samples_; ++x) {
        glm::vec4 sum(0.0f);
        for (std::uint32_t i = 0; i < samples_ * samples_; ++i)
          sum += pixels_[std::size_t{y * samples_ + i / samples_} * width_ + x * samples_ + i % samples_].color;
        sum /= static_cast<float>(samples_ * samples_);
        sum += (1.0f - sum.w) * glm::vec4(glm::vec3(back) * back.w, back.w);
        std::uint8_t* pixel = picture.at(x, first_row + y);
        for (int c = 0; c < 3; ++c) {
          const double color = sum.w > 0.0f ? static_cast<double>(sum[c] / sum.w) : 0.0;
          pixel[c] = static_cast<std::uint8_t>(to_screen(color) * 255.0 + 0.5);
        }
        pixel[3] = static_cast<std::uint8_t>(std::clamp(sum.w, 0.0f, 1.0f) * 255.0f + 0.5f);
      }
  }

 private:
  template <class V>
  static V mixed(std::span<const V> values, const Face& face, const std::array<double, 3>& share) {
    V sum(0.0f);
    for (std::size_t i = 0; i < 3; ++i) sum += static_cast<float>(share[i]) * values[face.vertices[i]];
    return sum;
  }

  void shade(const Face& face, const std::array<double, 3>& share, std::size_t index, const Camera& camera,
             const ToLinear& linear) {
    const DrawMesh& mesh = *face.mesh;
    double depth = 0.0;
    for (std::size_t i = 0; i < 3; ++i) depth += share[i] * face.corners[i].z;
    Sample& sample = pixels_[index];
    if (static_cast<float>(depth) <= sample.depth) return;
    glm::vec4 color(static_cast<float>(to_linear(static_cast<double>(mesh.color.x))),
                    static_cast<float>(to_linear(static_cast<double>(mesh.color.y))),
                    static_cast<float>(to_linear(static_cast<double>(mesh.color.z))), 1.0f);
    if (mesh.texture && !mesh.uvs.empty()) {
      const glm::vec2 uv = mixed(mesh.uvs, face, share);
      if (std::isfinite(uv.x + uv.y))
        color = texel(*mesh.texture, static_cast<double>(uv.x), static_cast<double>(uv.y), linear);
    }
    if (!mesh.colors.empty()) {
      const glm::vec4 own = mixed(mesh.colors, face, share);
      for (int c = 0; c < 4; ++c)
        if (std::isfinite(own[c])) color[c] *= std::clamp(own[c], 0.0f, 1.0f);
    }
    if (color.w < mesh.cut) return;
    if (!mesh.is_blended) color.w = 1.0f;
    glm::dvec3 normal = camera.seen(glm::dvec3(mixed(mesh.normals, face, share)));
    const double length = glm::length(normal);
    normal = length > 1e-9 && std::isfinite(length) ? normal / length : glm::dvec3(0, 0, 1);
    if (face.is_back) normal = -normal;
    const float light = static_cast<float>(brightness(normal));
    const glm::vec4 over(glm::vec3(color) * light * color.w, color.w);
    sample.color = over + (1.0f - color.w) * sample.color;
    if (!mesh.is_blended) sample.depth = static_cast<float>(depth);
  }

  std::uint32_t width_, first_, rows_, samples_;
  std::vector<Sample> pixels_;
};

// What faces away is left out unless it has two sides. Solid faces come first, the others from the back to the front.
std::vector<Face> faces_of(std::span<const DrawMesh> meshes, const Camera& camera) {
  std::vector<Face> solid, clear;
  for (const DrawMesh& mesh : meshes)
    for (const auto& triangle : mesh.triangles) {
      Face face{.corners = {}, .mesh = &mesh, .vertices = triangle, .depth = 0.0, .is_back = false};
      for (std::size_t i = 0; i < 3; ++i) {
        face.corners[i] = camera.project(mesh.positions[triangle[i]]);
        face.depth += face.corners[i].z / 3.0;
      }
      const auto& [a, b, c] = face.corners;
      if (!std::isfinite(face.depth + a.x + a.y + b.x + b.y + c.x + c.y)) continue;
      // Counter-clockwise faces the eye; in the picture y points down.
      face.is_back = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y) > 0.0;
      if (face.is_back && !mesh.is_double_sided) continue;
      (mesh.is_blended ? clear : solid).push_back(face);
    }
  std::ranges::stable_sort(clear, {}, &Face::depth);
  solid.insert(solid.end(), clear.begin(), clear.end());
  return solid;
}

}  // namespace

Result<void> check_drawing(std::span<const DrawMesh> meshes, const DrawOptions& options) {
  constexpr std::uint32_t kMost = 8192;
  if (options.width == 0 || options.height == 0 || options.width > kMost || options.height > kMost ||
      options.samples == 0 || options.samples > 8)
    return fail(ErrorCode::InvalidArgument, "a picture has 1 to 8192 pixels on each side");
  for (const DrawMesh& mesh : meshes) {
    const std::size_t count = mesh.positions.size();
    if (mesh.normals.size() != count || (!mesh.uvs.empty() && mesh.uvs.size() != count) ||
        (!mesh.colors.empty() && mesh.colors.size() != count))
      return fail(ErrorCode::InvalidArgument, "positions, normals, UVs and colours differ in number");
    for (const auto& triangle : mesh.triangles)
      if (std::max({triangle[0], triangle[1], triangle[2]}) >= count)
        return fail(ErrorCode::InvalidArgument, "a triangle names a vertex that is not there");
  }
  return {};
}

Result<Image> draw(std::span<const DrawMesh> meshes, const DrawOptions& options) {
  MARROW_CHECK(check_drawing(meshes, options));
  const Camera camera(meshes, options);
  const std::vector<Face> faces = faces_of(meshes, camera);
  const ToLinear linear;
  Image picture = blank(options.width, options.height);
  for (std::uint32_t row = 0; row < options.height; row += kBandRows) {
    const std::uint32_t rows = std::min(kBandRows, options.height - row);
    Band band(options.width, row, rows, options.samples);
    for (const Face& face : faces) {
      const auto [low, high] = std::minmax({face.corners[0].y, face.corners[1].y, face.corners[2].y});
      if (high >= row && low <= static_cast<double>(row) + rows) band.draw(face, camera, linear);
    }
    band.put(options, row, picture);
  }
  return picture;
}

}  // namespace marrow::image
