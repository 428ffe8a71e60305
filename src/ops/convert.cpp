// SPDX-License-Identifier: MIT
#include "marrow/ops/convert.h"

#include <algorithm>
#include <array>

#include "core/try.h"
#include "marrow/anvil/games.h"
#include "marrow/core/text.h"
#include "marrow/havok/game.h"
#include "ops/formats.h"

namespace marrow {
namespace {

struct Row {
  OutputFormat format;
  std::string_view word, extension;
};

// The first row of an extension is what a bare file name asks for.
constexpr std::array<Row, 9> kFormats = {{
    {OutputFormat::Hkx, "hkx", ".hkx"},
    {OutputFormat::Xml, "xml", ".xml"},
    {OutputFormat::Json, "json", ".json"},
    {OutputFormat::Glb, "glb", ".glb"},
    {OutputFormat::Gltf, "gltf", ".gltf"},
    {OutputFormat::Obj, "obj", ".obj"},
    {OutputFormat::AnvilStandard, "anvil-standard", ".xml"},
    {OutputFormat::AnvilSchema, "anvil-schema", ".xml"},
    {OutputFormat::Nif, "nif", ".nif"},
}};

const Row* row(OutputFormat format) {
  const auto found = std::ranges::find(kFormats, format, &Row::format);
  return found == kFormats.end() ? nullptr : &*found;
}

}  // namespace

std::string_view to_string(OutputFormat format) { return row(format) ? row(format)->word : "same"; }
std::string_view extension_of(OutputFormat format) { return row(format) ? row(format)->extension : ""; }

std::optional<OutputFormat> find_output_format(std::string_view word) {
  const auto found = std::ranges::find(kFormats, word, &Row::word);
  return found == kFormats.end() ? std::nullopt : std::optional(found->format);
}

OutputFormat output_format_of(std::string_view extension) {
  const std::string lower = to_lower(extension);
  if (lower == ".hkt") return OutputFormat::Hkx;
  const auto found = std::ranges::find(kFormats, lower, &Row::extension);
  return found == kFormats.end() ? OutputFormat::Same : found->format;
}

bool is_game(std::string_view word) { return find_game(word).has_value(); }

Result<Converted> convert(std::span<const std::byte> bytes, const ConvertOptions& options) {
  const bool to_gltf = options.format == OutputFormat::Glb || options.format == OutputFormat::Gltf;
  switch (detect(bytes)) {
    case Format::HavokPackfile:
    case Format::HavokXml:
      if (options.format == OutputFormat::Obj) return convert_collision(bytes, options);
      return to_gltf ? convert_to_gltf(bytes, options) : convert_havok(bytes, options);
    case Format::AnvilXml: return to_gltf ? convert_to_gltf(bytes, options) : convert_anvil(bytes, options);
    case Format::Nif: return convert_collision(bytes, options);
    case Format::Glb:
    case Format::Gltf: return convert_gltf(bytes, options);
    default: return refuse_format(bytes, "convert");
  }
}

}  // namespace marrow
