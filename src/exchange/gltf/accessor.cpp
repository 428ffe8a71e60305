// SPDX-License-Identifier: MIT
#include "exchange/gltf/accessor.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/try.h"
#include "marrow/core/byte_reader.h"

namespace marrow::gltf {
namespace {

// Elements without bytes in the file (all zero, or sparse) are limited by this instead of by the file.
constexpr std::size_t kMaxUnbackedNumbers = std::size_t{1} << 24;

std::size_t component_size(int type) {
  switch (type) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE: return 1;
    case TINYGLTF_COMPONENT_TYPE_SHORT:
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT: return 2;
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
    case TINYGLTF_COMPONENT_TYPE_FLOAT: return 4;
    default: return 0;
  }
}

std::size_t element_width(int type) {
  switch (type) {
    case TINYGLTF_TYPE_SCALAR: return 1;
    case TINYGLTF_TYPE_VEC2: return 2;
    case TINYGLTF_TYPE_VEC3: return 3;
    case TINYGLTF_TYPE_VEC4: return 4;
    case TINYGLTF_TYPE_MAT4: return 16;
    default: return 0;
  }
}

template <class T>
double load_as(std::span<const std::byte> bytes, std::size_t at, bool normalised) {
  const auto value = static_cast<double>(load<T>(bytes, at));
  if (!normalised || std::is_floating_point_v<T>) return value;
  return std::max(value / static_cast<double>(std::numeric_limits<T>::max()), -1.0);
}

double load_component(std::span<const std::byte> bytes, std::size_t at, int type, bool normalised) {
  switch (type) {
    case TINYGLTF_COMPONENT_TYPE_BYTE: return load_as<std::int8_t>(bytes, at, normalised);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE: return load_as<std::uint8_t>(bytes, at, normalised);
    case TINYGLTF_COMPONENT_TYPE_SHORT: return load_as<std::int16_t>(bytes, at, normalised);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT: return load_as<std::uint16_t>(bytes, at, normalised);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT: return load_as<std::uint32_t>(bytes, at, normalised);
    default: return load_as<float>(bytes, at, normalised);
  }
}

// `count` elements of `size` bytes, `stride` apart, proven to be inside their buffer.
struct Elements {
  std::span<const std::byte> bytes;
  std::size_t stride = 0;
};

Result<Elements> find_elements(const tinygltf::Model& model, int view_index, std::size_t offset, std::size_t count,
                               std::size_t size, const std::string& path) {
  const auto refuse = [&](std::string why) { return fail(ErrorCode::Malformed, std::move(why), kNoOffset, path); };
  if (view_index < 0 || static_cast<std::size_t>(view_index) >= model.bufferViews.size())
    return refuse("there is no buffer view " + std::to_string(view_index));
  const tinygltf::BufferView& view = model.bufferViews[static_cast<std::size_t>(view_index)];
  if (view.buffer < 0 || static_cast<std::size_t>(view.buffer) >= model.buffers.size())
    return refuse("there is no buffer " + std::to_string(view.buffer));
  const std::vector<unsigned char>& data = model.buffers[static_cast<std::size_t>(view.buffer)].data;
  if (view.byteOffset > data.size() || view.byteLength > data.size() - view.byteOffset)
    return refuse("its buffer view extends past the end of the buffer");
  if (offset > view.byteLength) return refuse("it starts past the end of its buffer view");
  const std::size_t stride = view.byteStride != 0 ? view.byteStride : size;
  const std::size_t room = view.byteLength - offset;
  if (count > 0 && (room < size || (count - 1) > (room - size) / stride))
    return refuse(std::to_string(count) + " elements extend past the end of its buffer view");
  return Elements{std::as_bytes(std::span(data)).subspan(view.byteOffset + offset, room), stride};
}

// Overwrites the elements that the sparse part of an accessor names.
Result<void> apply_sparse(const tinygltf::Model& model, const tinygltf::Accessor& accessor, std::size_t width,
                          const std::string& path, std::vector<double>& values) {
  const auto refuse = [&](std::string why) { return fail(ErrorCode::Malformed, std::move(why), kNoOffset, path); };
  const std::size_t size = component_size(accessor.componentType);
  const auto& sparse = accessor.sparse;
  if (sparse.count < 0 || sparse.indices.byteOffset < 0 || sparse.values.byteOffset < 0)
    return refuse("its sparse part has a negative number");
  const auto count = static_cast<std::size_t>(sparse.count);
  const std::size_t index_size = component_size(sparse.indices.componentType);
  if (index_size == 0 || sparse.indices.componentType == TINYGLTF_COMPONENT_TYPE_FLOAT)
    return refuse("its sparse indices have an invalid type");
  MARROW_TRY(const Elements indices,
             find_elements(model, sparse.indices.bufferView, static_cast<std::size_t>(sparse.indices.byteOffset), count,
                           index_size, path + ".sparse.indices"));
  MARROW_TRY(const Elements changed,
             find_elements(model, sparse.values.bufferView, static_cast<std::size_t>(sparse.values.byteOffset), count,
                           width * size, path + ".sparse.values"));
  for (std::size_t i = 0; i < count; ++i) {
    const double at = load_component(indices.bytes, i * indices.stride, sparse.indices.componentType, false);
    if (at < 0.0 || at >= static_cast<double>(accessor.count))
      return refuse("a sparse index refers to an element that does not exist");
    for (std::size_t c = 0; c < width; ++c)
      values[static_cast<std::size_t>(at) * width + c] =
          load_component(changed.bytes, i * changed.stride + c * size, accessor.componentType, accessor.normalized);
  }
  return {};
}

// Reads component values as doubles, which are exact for every glTF type.
Result<std::vector<double>> read_components(const tinygltf::Model& model, int index, std::size_t wanted_width,
                                            const Limits& limits, std::size_t& width) {
  const std::string path = "accessors[" + std::to_string(index) + "]";
  const auto refuse = [&](ErrorCode code, std::string why) { return fail(code, std::move(why), kNoOffset, path); };
  if (index < 0 || static_cast<std::size_t>(index) >= model.accessors.size())
    return refuse(ErrorCode::Malformed, "there is no such accessor");
  const tinygltf::Accessor& accessor = model.accessors[static_cast<std::size_t>(index)];
  width = element_width(accessor.type);
  const std::size_t size = component_size(accessor.componentType);
  if (width == 0 || size == 0) return refuse(ErrorCode::Malformed, "its type is unknown");
  if (wanted_width != 0 && width != wanted_width)
    return refuse(ErrorCode::Malformed, "it has " + std::to_string(width) + " numbers per element, but " +
                                            std::to_string(wanted_width) + " are needed");
  if (accessor.count > limits.left() / (8 * width))
    return refuse(ErrorCode::LimitExceeded, "it has more elements than the limit allows");

  std::vector<double> values;
  if (accessor.bufferView >= 0) {
    MARROW_TRY(const Elements elements,
               find_elements(model, accessor.bufferView, accessor.byteOffset, accessor.count, width * size, path));
    values.reserve(accessor.count * width);
    for (std::size_t i = 0; i < accessor.count; ++i)
      for (std::size_t c = 0; c < width; ++c)
        values.push_back(load_component(elements.bytes, i * elements.stride + c * size, accessor.componentType,
                                        accessor.normalized));
  } else {
    if (accessor.count > kMaxUnbackedNumbers / width)
      return refuse(ErrorCode::LimitExceeded, "it has more elements than the limit allows");
    values.assign(accessor.count * width, 0.0);
  }
  if (accessor.sparse.isSparse) MARROW_CHECK(apply_sparse(model, accessor, width, path, values));
  return values;
}

}  // namespace

Result<FloatArray> read_floats(const tinygltf::Model& model, int index, std::size_t wanted_width,
                               const Limits& limits) {
  FloatArray out;
  MARROW_TRY(const auto values, read_components(model, index, wanted_width, limits, out.width));
  out.values.reserve(values.size());
  for (const double value : values) {
    if (!std::isfinite(value))
      return fail(ErrorCode::Malformed, "a number is not finite", kNoOffset,
                  "accessors[" + std::to_string(index) + "]");
    out.values.push_back(static_cast<float>(value));
  }
  return out;
}

Result<std::vector<std::uint32_t>> read_indices(const tinygltf::Model& model, int index, const Limits& limits) {
  std::size_t width = 0;
  MARROW_TRY(const auto values, read_components(model, index, 1, limits, width));
  std::vector<std::uint32_t> out;
  out.reserve(values.size());
  for (const double value : values) {
    if (!(value >= 0.0 && value <= 4294967295.0))
      return fail(ErrorCode::Malformed, "a vertex index is negative", kNoOffset,
                  "accessors[" + std::to_string(index) + "]");
    out.push_back(static_cast<std::uint32_t>(value));
  }
  return out;
}

}  // namespace marrow::gltf
