// SPDX-License-Identifier: MIT
#include "ops/body/list.h"

#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "nif/shape.h"

namespace marrow {
namespace {

Result<std::vector<BodyShape>> shapes_of_nif(const Document& document, Context& context) {
  if (!document.nif())
    return fail(ErrorCode::WrongKind, "bodies are in NIF files; this is a " + std::string(title(document.format)));
  return read_shapes(*document.nif(), {.limits = context.limits});
}

ListedShape listed_shape(const BodyShape& shape) {
  ListedShape out{.name = shape.name,
                  .block = shape.block,
                  .type = shape.type,
                  .vertices = shape.positions.size(),
                  .triangles = shape.triangles.size(),
                  .is_skinned = shape.is_skinned,
                  .bones = {},
                  .material = shape.material.name,
                  .shader = shape.material.shader,
                  .textures = shape.material.textures,
                  .bound = shape.bound,
                  .partitions = {},
                  .segments = {}};
  for (const BodyBone& bone : shape.bones) out.bones.push_back(bone.name);
  for (const BodyPartition& each : shape.partitions)
    out.partitions.push_back({each.body_part, each.vertex_count, each.triangle_count, each.bones.size()});
  for (const BodySegment& each : shape.segments)
    out.segments.push_back({each.triangle_count, each.sub_segments.size()});
  return out;
}

// A field of a table; text with a comma or a quote is quoted.
void append_field(std::string& out, const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  out += '"';
}

void append_weights(const BodyShape& shape, std::string& out) {
  for (std::size_t vertex = 0; vertex < shape.weights.size(); ++vertex)
    for (std::size_t i = 0; i < 4; ++i) {
      const float weight = shape.weights[vertex].weights[i];
      if (!(weight > 0.0f)) continue;
      append_field(out, shape.name);
      out += ',';
      append_uint(out, vertex);
      out += ',';
      append_field(out, shape.bones[shape.weights[vertex].bones[i]].name);
      out += ',';
      append_float(out, weight);
      out += '\n';
    }
}

}  // namespace

void describe(FieldList& fields, BodyShapeInfo& shape) {
  fields("name", shape.name);
  fields("type", shape.type);
  fields("vertices", shape.vertices);
  fields("triangles", shape.triangles);
  fields("bones", shape.bones, {.help = "number of bones"});
  fields("partitions", shape.partitions, {.help = "number of partitions, in Fallout 4 of segments"});
  fields("skinned", shape.is_skinned);
  fields("material", shape.material);
  fields("textures", shape.textures);
}

void describe(FieldList& fields, ListedPartition& partition) {
  fields("body_part", partition.body_part, {.help = "30 head, 32 body, 33 hands, 37 feet ...; null without"});
  fields("vertices", partition.vertices);
  fields("triangles", partition.triangles);
  fields("bones", partition.bones, {.help = "number of bones"});
}

void describe(FieldList& fields, ListedSegment& segment) {
  fields("triangles", segment.triangles);
  fields("sub_segments", segment.sub_segments, {.help = "number of sub-segments"});
}

void describe(FieldList& fields, ListedShape& shape) {
  fields("name", shape.name);
  fields("block", shape.block);
  fields("type", shape.type);
  fields("vertices", shape.vertices);
  fields("triangles", shape.triangles);
  fields("skinned", shape.is_skinned);
  fields("bones", shape.bones, {.help = "names, in the order of the skin"});
  fields("material", shape.material);
  fields("shader", shape.shader, {.help = "type of the shader"});
  fields("textures", shape.textures);
  fields("bound", shape.bound, {.help = "centre and radius", .unit = "units"});
  fields("partitions", shape.partitions);
  fields("segments", shape.segments);
}

void describe(FieldList&, BodyListOptions&) {}
void describe(FieldList& fields, BodyListReport& report) {
  fields("game", report.game);
  fields("shapes", report.shapes);
}

void describe(FieldList&, BodyWeightsOptions&) {}
void describe(FieldList& fields, BodyWeightsReport& report) {
  fields("shapes", report.shapes, {.help = "number of skinned shapes"});
  fields("vertices", report.vertices, {.help = "number of weighted vertices"});
}

SavedFile BodyWeightsReport::text() const {
  const auto bytes = as_bytes(csv);
  return {.extension = ".csv", .bytes = {bytes.begin(), bytes.end()}};
}

Result<std::vector<BodyShapeInfo>> shape_infos(const NifFile& nif, const Limits& limits) {
  MARROW_TRY(const std::vector<BodyShape> shapes, read_shapes(nif, {.limits = limits}));
  std::vector<BodyShapeInfo> out;
  for (const BodyShape& shape : shapes)
    out.push_back({.name = shape.name,
                   .type = shape.type,
                   .vertices = shape.positions.size(),
                   .triangles = shape.triangles.size(),
                   .bones = shape.bones.size(),
                   .partitions = shape.segments.empty() ? shape.partitions.size() : shape.segments.size(),
                   .is_skinned = shape.is_skinned,
                   .material = shape.material.name,
                   .textures = shape.material.textures});
  return out;
}

Result<BodyListReport> list_bodies(const Document& document, const BodyListOptions&, Context& context) {
  MARROW_TRY(const std::vector<BodyShape> shapes, shapes_of_nif(document, context));
  BodyListReport report{.game = document.game};
  for (const BodyShape& shape : shapes) report.shapes.push_back(listed_shape(shape));
  return report;
}

Result<BodyWeightsReport> body_weights(const Document& document, const BodyWeightsOptions&, Context& context) {
  MARROW_TRY(const std::vector<BodyShape> shapes, shapes_of_nif(document, context));
  BodyWeightsReport report{.csv = "shape,vertex,bone,weight\n"};
  for (const BodyShape& shape : shapes) {
    if (!shape.is_skinned) continue;
    ++report.shapes;
    report.vertices += shape.weights.size();
    append_weights(shape, report.csv);
  }
  return report;
}

}  // namespace marrow
