// SPDX-License-Identifier: MIT
// Visible shapes with their skins.
#include "c/convert.h"
#include "c/parts.h"
#include "core/try.h"

using namespace marrow;
using namespace marrow::c;

namespace {

template <class T>
const float* floats_of(const std::vector<T>& values) {
  static_assert(sizeof(T) % sizeof(float) == 0);
  return values.empty() ? nullptr : reinterpret_cast<const float*>(values.data());
}

}  // namespace

marrow_status marrow_open_shapes(marrow_document document, marrow_document skeleton, const marrow_context* context,
                                 marrow_shapes* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    CallContext called(context);
    auto object = std::make_shared<ShapesObject>();
    Document copy;
    {
      MARROW_TRY(const auto from, reading<DocumentObject>(document));
      copy = from->document;
    }
    if (skeleton == 0) {
      MARROW_TRY(object->placed, placed_shapes(std::move(copy), nullptr, *called));
    } else {
      MARROW_TRY(const auto rig, reading_with(skeleton, kSkeletonParts));
      MARROW_TRY(object->placed, placed_shapes(std::move(copy), &rig->document, *called));
    }
    for (const PlacedShape& each : object->placed.shapes) {
      ShapesObject::Arrays& arrays = object->arrays.emplace_back();
      for (const VertexWeights& vertex : each.shape.weights)
        for (std::size_t i = 0; i < 4; ++i) {
          arrays.joints.push_back(vertex.bones[i]);
          arrays.weights.push_back(vertex.weights[i]);
        }
    }
    *out = open(ShapesObject::kKind, std::move(object));
    return {};
  });
}

marrow_status marrow_get_shape_count(marrow_shapes shapes, std::uint32_t* count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(count, "count"));
    MARROW_TRY(const auto from, reading<ShapesObject>(shapes));
    *count = static_cast<std::uint32_t>(from->placed.shapes.size());
    return {};
  });
}

marrow_status marrow_get_shape_bones(marrow_shapes shapes, marrow_bone* out, std::uint32_t capacity,
                                     std::uint32_t* count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_TRY(const auto from, reading<ShapesObject>(shapes));
    const std::vector<Bone>& bones = from->placed.rig.bones;
    return write_list(bones.size(), out, capacity, count, [&](std::size_t i) { return bone_of(bones[i]); });
  });
}

marrow_status marrow_get_shape(marrow_shapes shapes, std::uint32_t index, marrow_shape* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, reading<ShapesObject>(shapes));
    MARROW_CHECK(in_range(index, from->placed.shapes.size(), "shape"));
    const PlacedShape& placed = from->placed.shapes[index];
    const BodyShape& shape = placed.shape;
    const ShapesObject::Arrays& arrays = from->arrays[index];
    *out = {};
    out->name = text_of(shape.name);
    out->type = text_of(shape.type);
    out->material = text_of(shape.material.name);
    out->positions = floats_of(shape.positions);
    out->normals = floats_of(shape.normals);
    out->uvs = floats_of(shape.uvs);
    out->colours = floats_of(shape.colors);
    out->triangles = reinterpret_cast<const std::uint16_t*>(shape.triangles.data());
    out->joints = arrays.joints.empty() ? nullptr : arrays.joints.data();
    out->weights = arrays.weights.empty() ? nullptr : arrays.weights.data();
    out->bones = placed.bones.empty() ? nullptr : placed.bones.data();
    out->inverse_binds = floats_of(placed.inverse_binds);
    out->vertex_count = static_cast<std::uint32_t>(shape.positions.size());
    out->triangle_count = static_cast<std::uint32_t>(shape.triangles.size());
    out->bone_count = static_cast<std::uint32_t>(placed.bones.size());
    out->texture_count = static_cast<std::uint32_t>(shape.material.textures.size());
    out->block = shape.block;
    out->parent = placed.parent;
    out->alpha = static_cast<marrow_alpha>(shape.material.alpha);
    out->alpha_threshold = shape.material.alpha_threshold;
    out->is_skinned = shape.is_skinned;
    out->is_double_sided = shape.material.is_double_sided;
    std::copy_n(reinterpret_cast<const float*>(&placed.place), 16, out->place);
    return {};
  });
}

marrow_status marrow_get_shape_textures(marrow_shapes shapes, std::uint32_t index, marrow_text* out,
                                        std::uint32_t capacity, std::uint32_t* count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_TRY(const auto from, reading<ShapesObject>(shapes));
    MARROW_CHECK(in_range(index, from->placed.shapes.size(), "shape"));
    const std::vector<std::string>& all = from->placed.shapes[index].shape.material.textures;
    return write_list(all.size(), out, capacity, count, [&](std::size_t i) { return text_of(all[i]); });
  });
}
