// SPDX-License-Identifier: MIT
#include "ops/body/picture.h"

#include <deque>

#include "core/try.h"
#include "image/draw.h"
#include "image/png.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "ops/body/posed.h"
#include "ops/body/rig.h"
#include "ops/files/convert.h"

namespace marrow {
namespace {

struct PictureSize {
  std::uint32_t width, height;
};

Result<PictureSize> parse_size(const std::string& text) {
  const std::size_t cross = to_lower(text).find('x');
  const auto number = [&](std::string_view part) -> std::uint32_t {
    const auto value = parse_double(part);
    return value && *value >= 1 && *value <= 8192 && *value == static_cast<std::uint32_t>(*value)
               ? static_cast<std::uint32_t>(*value)
               : 0;
  };
  if (cross != std::string::npos) {
    const PictureSize size{number(std::string_view(text).substr(0, cross)),
                           number(std::string_view(text).substr(cross + 1))};
    if (size.width > 0 && size.height > 0) return size;
  }
  return fail(ErrorCode::BadOption, "takes width and height as 600x800, each 1 to 8192 pixels", kNoOffset, "size");
}

Result<glm::vec4> parse_background(const std::string& text) {
  if (equal_ignoring_case(text, "none")) return glm::vec4(0.0f);
  std::uint32_t color = 0;
  bool is_color = text.size() == 7 && text.front() == '#';
  for (std::size_t i = 1; i < text.size() && is_color; ++i) {
    const auto digit = std::string_view("0123456789abcdef").find(to_lower(text.substr(i, 1)));
    is_color = digit != std::string_view::npos;
    color = color << 4 | static_cast<std::uint32_t>(digit & 15);
  }
  if (!is_color) return fail(ErrorCode::BadOption, "takes a colour as #rrggbb, or none", kNoOffset, "background");
  return glm::vec4(static_cast<float>(color >> 16) / 255.0f, static_cast<float>(color >> 8 & 255) / 255.0f,
                   static_cast<float>(color & 255) / 255.0f, 1.0f);
}

// A few quiet colours, so that shapes without textures can be told apart.
glm::vec3 clay(std::size_t index) {
  constexpr float kColors[][3] = {{0.80f, 0.74f, 0.69f}, {0.62f, 0.68f, 0.74f}, {0.76f, 0.70f, 0.56f},
                                  {0.66f, 0.74f, 0.66f}, {0.74f, 0.64f, 0.68f}, {0.70f, 0.70f, 0.70f}};
  const auto& color = kColors[index % std::size(kColors)];
  return {color[0], color[1], color[2]};
}

// All bodies on one rig, with the clip that moves it.
Result<Document> scene_of(const Document& document, const BodyPictureOptions& options, Context& context) {
  Document scene;
  const auto add = [&](const Document& from) -> Result<void> {
    Document copy = from;
    MARROW_CHECK(read_parts(copy, Parts::Bodies, context));
    copy.clips.clear();
    return merge_into(scene, std::move(copy));
  };
  MARROW_CHECK(add(document));
  for (const Document* each : options.with) MARROW_CHECK(add(*each));
  if (options.clip) {
    Document copy = *options.clip;
    const Document* skeleton = nullptr;
    for (const Document* each : options.skeletons)
      if (!skeleton || skeleton->nif()) skeleton = each;
    const ConvertOptions as_scene{
        .save = {.format = Format::Glb}, .skeleton = skeleton, .second_skeleton = nullptr, .is_part_of_many = true};
    MARROW_CHECK(convert(copy, as_scene, context));
    copy.bodies.clear();
    MARROW_CHECK(merge_into(scene, std::move(copy)));
    if (scene.clips.empty()) return fail(ErrorCode::NoClip, "the file contains no clip", kNoOffset, "clip");
    if (scene.clips.front().clip.blend_hint != BlendHint::Normal)
      return fail(ErrorCode::WrongKind, "an additive clip has no pose of its own", kNoOffset, "clip");
  }
  if (!document.name.empty()) scene.name = document.name;
  MARROW_CHECK(place_bodies(scene, options.skeletons, context));
  return scene;
}

}  // namespace

void describe(FieldList& fields, BodyPictureOptions& options) {
  fields.input("with", options.with,
               {.help = "another body on the same rig: head, hands; may be repeated",
                .placeholder = "NIF",
                .parts = Parts::Bodies});
  fields.input("clip", options.clip,
               {.help = "a clip whose pose is drawn", .placeholder = "CLIP", .parts = Parts::Skeletons | Parts::Clips});
  fields("frame", options.frame, {.help = "frame of the clip", .placeholder = "N", .min = 0});
  fields.input("skeleton", options.skeletons,
               {.help = "the skeleton that the body stands on: .hkx, .nif or both", .placeholder = "FILE"});
  fields("size", options.size, {.help = "width and height in pixels", .placeholder = "WxH"});
  fields("turn", options.turn,
         {.help = "the camera goes round the body; 0 is in front of it, 180 behind it",
          .unit = "degrees",
          .placeholder = "DEG",
          .min = -360,
          .max = 360});
  fields("tilt", options.tilt,
         {.help = "the camera looks down on the body", .unit = "degrees", .placeholder = "DEG", .min = -89, .max = 89});
  fields("background", options.background, {.help = "colour as #rrggbb, or none", .placeholder = "COLOR"});
  fields("form", options.form, {.help = "picture of pixels, or of polygons", .placeholder = "FORM"});
  describe_textures(fields, options.textures);
}

void describe(FieldList& fields, BodyPictureReport& report) {
  fields("shapes", report.shapes);
  fields("vertices", report.vertices);
  fields("triangles", report.triangles);
  fields("textures", report.textures, {.help = "textures that were found"});
  fields("width", report.width, {.unit = "pixels"});
  fields("height", report.height, {.unit = "pixels"});
}

Result<BodyPictureReport> draw_bodies(const Document& document, const BodyPictureOptions& options, Context& context) {
  if (!document.nif())
    return fail(ErrorCode::WrongKind, "bodies are in NIF files; this is a " + std::string(title(document.format)));
  image::DrawOptions draw{.turn_degrees = options.turn, .tilt_degrees = options.tilt};
  MARROW_TRY(const PictureSize size, parse_size(options.size));
  draw.width = size.width;
  draw.height = size.height;
  MARROW_TRY(draw.background, parse_background(options.background));
  MARROW_TRY(const Document scene, scene_of(document, options, context));
  const Skeleton none;
  const Skeleton& rig = scene.skeletons.empty() ? none : scene.skeletons.front().skeleton;
  MARROW_TRY(const std::vector<Transform> pose,
             rig_pose(rig, scene.clips.empty() ? nullptr : &scene.clips.front(), options.frame, context.limits));
  MARROW_TRY(const std::vector<PosedShape> shapes, posed_bodies(scene, pose));
  if (shapes.empty())
    return fail(ErrorCode::NotFound, "the file has no visible shape with triangles", Cure{"body list"});

  BodyPictureReport report{.shapes = shapes.size(), .width = size.width, .height = size.height};
  std::deque<image::Image> textures;
  std::vector<image::DrawMesh> meshes;
  for (const PosedShape& each : shapes) {
    const BodyShape& shape = each.body->shape;
    image::DrawMesh mesh{.positions = each.positions,
                         .normals = each.normals,
                         .triangles = shape.triangles,
                         .color = clay(meshes.size()),
                         .is_double_sided = shape.material.is_double_sided};
    const std::size_t count = shape.positions.size();
    if (shape.colors.size() == count && shape.material.has_vertex_colors) mesh.colors = shape.colors;
    if (options.textures.embed && options.form == PictureForm::Png && shape.uvs.size() == count)
      if (auto texture = load_texture(*each.body, 0, options.textures, context)) {
        mesh.texture = &textures.emplace_back(std::move(*texture));
        mesh.uvs = shape.uvs;
        ++report.textures;
      }
    // Without its texture nothing is known about how opaque a shape is, but for its colours.
    if (shape.material.alpha == AlphaMode::Mask && mesh.texture) mesh.cut = shape.material.alpha_threshold;
    mesh.is_blended = shape.material.alpha == AlphaMode::Blend && (mesh.texture || !mesh.colors.empty());
    report.vertices += count;
    report.triangles += shape.triangles.size();
    meshes.push_back(mesh);
  }
  if (options.form == PictureForm::Svg) {
    MARROW_TRY(const std::string svg, image::draw_svg(meshes, draw));
    const auto bytes = as_bytes(svg);
    report.file = {.extension = ".svg", .bytes = {bytes.begin(), bytes.end()}};
    return report;
  }
  MARROW_TRY(const image::Image picture, image::draw(meshes, draw));
  report.file.extension = ".png";
  MARROW_TRY(report.file.bytes, image::write_png(picture));
  return report;
}

}  // namespace marrow
