// SPDX-License-Identifier: MIT
#include "support/body_sample.h"

#include <cassert>
#include <cmath>

#include "codec/half.h"
#include "core/byte_writer.h"
#include "nif/record.h"

namespace marrow::test {
namespace {

constexpr std::size_t kSplit = 6;  // triangles of the first partition, segment and level

std::uint8_t cut(float value) { return static_cast<std::uint8_t>(std::floor((value + 1.0f) / 2.0f * 255.0f)); }

void write_half(ByteWriter& writer, float value) { writer.u16(codec::float_to_half(value)); }

// Written by hand from the format's description, and not by the code under test.
std::vector<std::byte> vertices_of(const BodyShape& sheet, bool is_full, bool has_position, bool has_skin) {
  ByteWriter writer;
  for (std::size_t i = 0; i < sheet.positions.size(); ++i) {
    const Vec3 u = sheet.bitangents[i];
    if (has_position)
      for (const float value : {sheet.positions[i].x, sheet.positions[i].y, sheet.positions[i].z, u.x})
        is_full ? writer.f32(value) : write_half(writer, value);
    write_half(writer, sheet.uvs[i].x), write_half(writer, sheet.uvs[i].y);
    for (int k = 0; k < 3; ++k) writer.u8(cut(sheet.normals[i][k]));
    writer.u8(cut(u.y));
    for (int k = 0; k < 3; ++k) writer.u8(cut(sheet.tangents[i][k]));
    writer.u8(cut(u.z));
    for (int k = 0; k < 4; ++k) writer.u8(static_cast<std::uint8_t>(255.0f * sheet.colors[i][k]));
    if (!has_skin) continue;
    for (const float weight : sheet.weights[i].weights) write_half(writer, weight);
    for (const std::uint16_t bone : sheet.weights[i].bones) writer.u8(static_cast<std::uint8_t>(bone));
  }
  return writer.take();
}

std::uint64_t description_of(std::uint32_t stream, bool is_dynamic, bool is_skinned) {
  if (stream == 130) return is_skinned ? 0x0007B00065430209 : 0x0003B00005430206;
  if (is_dynamic) return is_skinned ? 0x0047A00043210047 : 0x0043A00003210044;
  return is_skinned ? 0x0007B0008765040B : 0x0003B00007650408;
}

void set_place(nif::Record& record) {
  record.set_reals<9>("rotation", {1, 0, 0, 0, 1, 0, 0, 0, 1});
  record.set("scale", 1.0f);
}

std::int32_t add_node(NifFile& file, std::string_view name, Vec3 translation, std::vector<std::int32_t> children) {
  nif::Record node = nif::new_record(file, "NiNode");
  node.set("name", add_string(file, name));
  set_place(node);
  node.set_reals<3>("translation", {translation.x, translation.y, translation.z});
  node.set_values("children", children);
  return *nif::append_block(file, node);
}

std::int32_t add_looks(NifFile& file, std::int32_t& alpha) {
  nif::Record set = nif::new_record(file, "BSShaderTextureSet");
  for (const std::string_view path : {"textures\\sheet_d.dds", "textures\\sheet_n.dds"}) {
    nif::Record& text = set.records("textures").emplace_back(*set.type().find("textures")->record);
    text.set_text("value", path);
  }
  nif::Record shader = nif::new_record(file, "BSLightingShaderProperty");
  shader.set("name", add_string(file, "Materials\\Sheet.bgsm"));
  shader.set("texture_set", *nif::append_block(file, set));
  shader.set("shader_flags_1", std::uint32_t{2});
  shader.set("shader_flags_2", std::uint32_t{0x30});
  nif::Record blend = nif::new_record(file, "NiAlphaProperty");
  blend.set("alpha_flags", std::uint16_t{0x200});
  blend.set("threshold", std::uint8_t{128});
  alpha = *nif::append_block(file, blend);
  return *nif::append_block(file, shader);
}

// The bones stand at 0 and 10 up; the skin is where the model is.
std::array<float, 3> bind_translation(std::size_t bone) { return {0.0f, 0.0f, bone == 0 ? -10.0f : 0.0f}; }

nif::Record partition_of(const nif::RecordType& type, const BodyShape& sheet, std::size_t first, std::size_t end,
                         std::uint64_t description) {
  nif::Record record(type);
  std::vector<std::uint16_t> map, local(sheet.positions.size(), 0xFFFF);
  std::vector<std::array<std::uint16_t, 3>> own, triangles;
  for (std::size_t i = first; i < end; ++i) {
    triangles.push_back(sheet.triangles[i]);
    own.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint16_t vertex = sheet.triangles[i][k];
      if (local[vertex] == 0xFFFF) {
        local[vertex] = static_cast<std::uint16_t>(map.size());
        map.push_back(vertex);
      }
      own.back()[k] = local[vertex];
    }
  }
  std::vector<float> weights;
  std::vector<std::uint8_t> indices;
  for (const std::uint16_t vertex : map)
    for (std::size_t k = 0; k < 4; ++k) {
      weights.push_back(sheet.weights[vertex].weights[k]);
      indices.push_back(static_cast<std::uint8_t>(sheet.weights[vertex].bones[k]));
    }
  record.set_integer("vertex_count", map.size());
  record.set_integer("triangle_count", own.size());
  record.set_integer("bone_count", 4);
  record.set_integer("weights_per_vertex", 4);
  record.set_values("bones", std::vector<std::uint16_t>{0, 1, 0, 0});
  for (const std::string_view flag : {"has_map", "has_weights", "has_faces", "has_indices"})
    record.set_integer(flag, 1);
  record.set_values("map", map);
  record.set_values("weights", weights);
  record.set_values("indices", indices);
  const bool is_se = record.has("triangles_copy");
  record.set_values("triangles", is_se ? triangles : own);
  if (is_se) {
    record.set_values("triangles_copy", triangles);
    record.set_integer("description", description);
  }
  return record;
}

std::int32_t add_skyrim_skin(NifFile& file, const BodyShape& sheet, std::uint64_t description,
                             const std::vector<std::byte>& buffer, std::int32_t root) {
  nif::Record data = nif::new_record(file, "NiSkinData");
  set_place(data);
  data.set_integer("bone_count", 2);
  data.set_integer("has_weights", 1);
  for (std::uint16_t bone = 0; bone < 2; ++bone) {
    nif::Record& entry = data.records("bones").emplace_back(*data.type().find("bones")->record);
    set_place(entry);
    entry.set_reals<3>("translation", bind_translation(bone));
    ByteWriter weights;
    for (std::size_t i = 0; i < sheet.weights.size(); ++i)
      for (std::size_t k = 0; k < 2; ++k)
        if (sheet.weights[i].bones[k] == bone && sheet.weights[i].weights[k] > 0.0f)
          weights.u16(static_cast<std::uint16_t>(i)), weights.f32(sheet.weights[i].weights[k]);
    entry.bytes("weights") = weights.take();
    entry.set_integer("weight_count", entry.size("weights"));
  }
  nif::Record partitions = nif::new_record(file, "NiSkinPartition");
  partitions.set_integer("partition_count", 2);
  if (partitions.has("vertices")) {
    partitions.set_integer("data_size", buffer.size());
    partitions.set_integer("vertex_size", 4 * (description & 15));
    partitions.set_integer("description", description);
    partitions.bytes("vertices") = buffer;
  }
  const nif::RecordType& type = *partitions.type().find("partitions")->record;
  partitions.records("partitions") = {partition_of(type, sheet, 0, kSplit, description),
                                      partition_of(type, sheet, kSplit, sheet.triangles.size(), description)};
  nif::Record skin = nif::new_record(file, "BSDismemberSkinInstance");
  skin.set("data", *nif::append_block(file, data));
  skin.set("partition", *nif::append_block(file, partitions));
  skin.set("skeleton_root", root);
  skin.set_values("bones", std::vector<std::int32_t>{1, 2});
  skin.set_values("parts", std::vector<std::array<std::uint16_t, 2>>{{0x101, 32}, {1, 34}});
  return *nif::append_block(file, skin);
}

std::int32_t add_fallout_skin(NifFile& file, std::int32_t root) {
  nif::Record data = nif::new_record(file, "BSSkin::BoneData");
  ByteWriter binds;
  for (std::size_t bone = 0; bone < 2; ++bone) {
    binds.fill(16);
    for (int i = 0; i < 9; ++i) binds.f32(i % 4 == 0 ? 1.0f : 0.0f);
    for (const float value : bind_translation(bone)) binds.f32(value);
    binds.f32(1.0f);
  }
  data.bytes("bones") = binds.take();
  nif::Record skin = nif::new_record(file, "BSSkin::Instance");
  skin.set("skeleton_root", root);
  skin.set("data", *nif::append_block(file, data));
  skin.set_values("bones", std::vector<std::int32_t>{1, 2});
  return *nif::append_block(file, skin);
}

std::int32_t add_data_block(NifFile& file, const BodyShape& sheet, bool is_strips) {
  nif::Record data = nif::new_record(file, is_strips ? "NiTriStripsData" : "NiTriShapeData");
  data.set_integer("vertex_count", sheet.positions.size());
  data.set_integer("has_positions", 1);
  data.set_values("positions", sheet.positions);
  data.set_integer("data_flags", 0x1001);
  data.set_integer("has_normals", 1);
  data.set_values("normals", sheet.normals);
  data.set_values("tangents", sheet.tangents);
  data.set_values("bitangents", sheet.bitangents);
  data.set_reals<4>("bound", {sheet.bound.x, sheet.bound.y, sheet.bound.z, sheet.bound.w});
  data.set_integer("has_colors", 1);
  data.set_values("colors", sheet.colors);
  data.set_values("uvs", sheet.uvs);
  data.set_integer("consistency", 0x4000);
  data.set_integer("triangle_count", sheet.triangles.size());
  if (is_strips) {
    // One strip per triangle.
    data.set_integer("strip_count", sheet.triangles.size());
    data.set_values("strip_lengths", std::vector<std::uint16_t>(sheet.triangles.size(), 3));
    data.set_integer("has_points", 1);
    data.set_values("points", sheet.triangles);
  } else {
    data.set_integer("point_count", 3 * sheet.triangles.size());
    data.set_integer("has_triangles", 1);
    data.set_values("triangles", sheet.triangles);
  }
  return *nif::append_block(file, data);
}

// Two segments, the second of two parts.
void add_segments(nif::Record& shape, std::size_t count) {
  const auto total = static_cast<std::uint32_t>(count), split = static_cast<std::uint32_t>(kSplit);
  shape.set_integer("primitive_count", total);
  shape.set_integer("segment_count", 2);
  shape.set_integer("total_count", 4);
  const nif::RecordType& type = *shape.type().find("segments")->record;
  for (std::uint32_t i = 0; i < 2; ++i) {
    nif::Record& segment = shape.records("segments").emplace_back(type);
    segment.set_integer("start", 3 * i * split);
    segment.set_integer("triangle_count", i == 0 ? split : total - split);
    segment.set_integer("parent", 0xFFFFFFFF);
  }
  shape.records("segments")[1].set_values(
      "sub_segments",
      std::vector<std::array<std::uint32_t, 4>>{{3 * split, 2, 1, 0}, {3 * (split + 2), total - split - 2, 1, 0}});
  shape.set_integer("record_segment_count", 2);
  shape.set_integer("record_total_count", 4);
  shape.set_values("starts", std::vector<std::uint32_t>{0, 1});
  const nif::RecordType& entry = *shape.type().find("records")->record;
  for (std::uint32_t i = 0; i < 4; ++i) {
    nif::Record& record = shape.records("records").emplace_back(entry);
    record.set_integer("user", i);
    record.set_integer("bone", i < 2 ? 0xFFFFFFFF : 0x86B72980);
  }
  shape.set_text("ssf", "Meshes\\Sheet.ssf");
}

void add_own_mesh(nif::Record& shape, const BodyShape& sheet, const BodyKind& kind,
                  const std::vector<std::byte>& buffer) {
  const bool is_dynamic = kind.type == "BSDynamicTriShape", is_elsewhere = kind.stream == 100 && kind.is_skinned;
  shape.set_integer("description", description_of(kind.stream, is_dynamic, kind.is_skinned));
  if (is_dynamic) {
    ByteWriter dynamic;
    for (std::size_t i = 0; i < sheet.positions.size(); ++i)
      for (const float value :
           {sheet.positions[i].x, sheet.positions[i].y, sheet.positions[i].z, sheet.bitangents[i].x})
        dynamic.f32(value);
    shape.bytes("dynamic") = dynamic.take();
    shape.set_integer("dynamic_size", 16 * sheet.positions.size());
  }
  if (is_dynamic || !is_elsewhere) shape.set_integer("vertex_count", sheet.positions.size());
  if (is_elsewhere) return;
  shape.bytes("vertices") = buffer;
  shape.set_values("triangles", sheet.triangles);
  shape.set_integer("triangle_count", sheet.triangles.size());
  shape.set_integer("data_size", buffer.size() + 6 * sheet.triangles.size());
}

}  // namespace

BodyShape sample_sheet() {
  BodyShape sheet;
  sheet.name = "Sheet";
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column) {
      const float bend = column == 0 || column == 3 ? 0.0f : 1.0f;
      sheet.positions.emplace_back(2.0f * static_cast<float>(column), bend, 5.0f * static_cast<float>(row));
      sheet.normals.emplace_back(0.0f, 1.0f, 0.0f);
      sheet.bitangents.emplace_back(-1.0f, 0.0f, 0.0f);
      sheet.tangents.emplace_back(0.0f, 0.0f, -1.0f);
      sheet.uvs.emplace_back(1.0f - 0.25f * static_cast<float>(column), 1.0f - 0.5f * static_cast<float>(row));
      sheet.colors.emplace_back(1.0f, row == 0 ? 0.0f : 1.0f, 1.0f, 1.0f);
      VertexWeights weights;
      weights.bones = {static_cast<std::uint16_t>(row == 2 ? 0 : 1), static_cast<std::uint16_t>(row == 2 ? 1 : 0), 0,
                       0};
      weights.weights = {row == 1 ? 0.5f : 1.0f, row == 1 ? 0.5f : 0.0f, 0.0f, 0.0f};
      sheet.weights.push_back(weights);
    }
  for (std::uint16_t row = 0; row < 2; ++row)
    for (std::uint16_t column = 0; column < 3; ++column) {
      const auto a = static_cast<std::uint16_t>(4 * row + column), b = static_cast<std::uint16_t>(a + 1),
                 c = static_cast<std::uint16_t>(a + 4), d = static_cast<std::uint16_t>(a + 5);
      sheet.triangles.push_back({a, c, b});
      sheet.triangles.push_back({b, c, d});
    }
  sheet.bound = bounding_sphere(sheet.positions);
  return sheet;
}

std::vector<BodyKind> body_kinds() {
  return {{83, "NiTriShape", true},         {83, "NiTriShape", false},         {83, "NiTriStrips", false},
          {83, "BSLODTriShape", false},     {100, "BSTriShape", true},         {100, "BSTriShape", false},
          {100, "BSDynamicTriShape", true}, {100, "BSDynamicTriShape", false}, {130, "BSTriShape", true},
          {130, "BSTriShape", false},       {130, "BSSubIndexTriShape", true}, {130, "BSMeshLODTriShape", false}};
}

NifFile sample_body(const BodyKind& kind) {
  const BodyShape sheet = sample_sheet();
  const bool is_old = kind.stream == 83, is_dynamic = kind.type == "BSDynamicTriShape";
  NifFile file;
  file.stream = kind.stream;
  for (std::string& text : file.export_info) text = std::string("\0", 1);
  if (kind.stream != 130) file.export_info[3] = "";
  add_node(file, "Scene", Vec3(0.0f), {1, 2, 3});
  add_node(file, "Upper", Vec3(0, 0, 10), {});
  add_node(file, "Lower", Vec3(0.0f), {});
  nif::Record shape = nif::new_record(file, kind.type);
  shape.set("name", add_string(file, "Sheet"));
  set_place(shape);
  const std::int32_t block = add_block(file, kind.type, {});
  const std::uint64_t description = description_of(kind.stream, is_dynamic, kind.is_skinned);
  const std::vector<std::byte> buffer = vertices_of(sheet, kind.stream != 130, !is_dynamic, kind.is_skinned);
  if (is_old)
    shape.set("data", add_data_block(file, sheet, kind.type == "NiTriStrips"));
  else
    add_own_mesh(shape, sheet, kind, buffer);
  const bool has_zero_bound = kind.is_skinned && !is_dynamic;
  if (!is_old && !has_zero_bound)
    shape.set_reals<4>("bound", {sheet.bound.x, sheet.bound.y, sheet.bound.z, sheet.bound.w});
  if (kind.is_skinned)
    shape.set("skin",
              kind.stream == 130 ? add_fallout_skin(file, 0) : add_skyrim_skin(file, sheet, description, buffer, 0));
  if (shape.has("levels")) {
    shape.set("levels", static_cast<std::uint32_t>(kSplit), 0);
    shape.set("levels", static_cast<std::uint32_t>(sheet.triangles.size() - kSplit), 1);
  }
  if (kind.type == "BSSubIndexTriShape") add_segments(shape, sheet.triangles.size());
  std::int32_t alpha = kNoBlock;
  shape.set("shader", add_looks(file, alpha));
  shape.set("alpha", alpha);
  const auto written = nif::write_block(file, block, shape);
  assert(written);
  static_cast<void>(written);
  file.roots = {0};
  return file;
}

}  // namespace marrow::test
