// SPDX-License-Identifier: MIT
#include "marrow/ops/detect.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"

namespace marrow {
namespace {

// Enough for an XML prolog with its comments, in UTF-16 too.
constexpr std::size_t kSniffBytes = 4096;

// The text of an XML file whatever its encoding: the ASCII of it is all that detection needs.
std::string ascii_of(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte b : bytes.first(std::min(bytes.size(), kSniffBytes)))
    if (b != std::byte{0}) text += static_cast<char>(b);
  return text;
}

Format detect_text(std::string_view text) {
  const std::string_view body =
      trim(text.substr(text.starts_with("\xEF\xBB\xBF") || text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")
                           ? text.find_first_of("<{")
                           : 0));
  if (body.starts_with('<')) {
    if (body.find("<hkpackfile") != std::string_view::npos) return Format::HavokXml;
    if (body.find("AnvilToolkit") != std::string_view::npos || body.find("<Skeleton") != std::string_view::npos ||
        body.find("Type=\"Skeleton\"") != std::string_view::npos ||
        body.find("<BallJointCommonData") != std::string_view::npos ||
        body.find("Type=\"BallJointCommonData\"") != std::string_view::npos)
      return Format::AnvilXml;
    return Format::Unknown;
  }
  if (body.starts_with('{')) return body.find("\"asset\"") != std::string_view::npos ? Format::Gltf : Format::Unknown;
  return Format::Unknown;
}

bool looks_like_obj(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trim(text.substr(at, end - at));
    at = end + 1;
    if (line.empty() || line.starts_with('#')) continue;
    constexpr std::array<std::string_view, 9> starts = {"v ", "vn ", "vt ",     "f ",     "o ",
                                                        "g ", "s ",  "mtllib ", "usemtl "};
    return std::ranges::any_of(starts, [&](std::string_view start) { return line.starts_with(start); });
  }
  return false;
}

}  // namespace

std::string_view to_string(Format format) {
  switch (format) {
    case Format::Unknown: return "unknown";
    case Format::HavokPackfile: return "hkx";
    case Format::HavokXml: return "xml";
    case Format::HavokTagfile: return "tagfile";
    case Format::Nif: return "nif";
    case Format::AnvilXml: return "anvil";
    case Format::Glb: return "glb";
    case Format::Gltf: return "gltf";
    case Format::Obj: return "obj";
  }
  return "unknown";
}

Format detect(std::span<const std::byte> bytes) {
  const std::string_view text = as_text(bytes);
  if (text.starts_with("\x57\xE0\xE0\x57\x10\xC0\xC0\x10")) return Format::HavokPackfile;
  if (text.size() >= 8 && text.substr(4, 4) == "TAG0") return Format::HavokTagfile;
  if (text.starts_with("Gamebryo File Format") || text.starts_with("NetImmerse File Format")) return Format::Nif;
  if (text.starts_with("glTF")) return Format::Glb;
  const std::string ascii = ascii_of(bytes);
  if (const Format format = detect_text(ascii); format != Format::Unknown) return format;
  // The JSON of a .gltf may name its asset late.
  if (trim(ascii).starts_with('{') && text.find("\"asset\"") != std::string_view::npos) return Format::Gltf;
  return looks_like_obj(ascii) ? Format::Obj : Format::Unknown;
}

bool is_candidate(const std::filesystem::path& path) {
  std::FILE* opened = std::fopen(path.string().c_str(), "rb");
  if (!opened) return true;  // that it cannot be opened is for the verb to say
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(opened, &std::fclose);
  std::array<std::byte, kSniffBytes> head;
  const std::size_t size = std::fread(head.data(), 1, head.size(), file.get());
  if (detect(std::span(head).first(size)) != Format::Unknown) return true;
  const std::string extension = to_lower(path.extension().string());
  constexpr std::array<std::string_view, 5> ours = {".hkx", ".hkt", ".nif", ".glb", ".gltf"};
  return std::ranges::find(ours, extension) != ours.end();
}

}  // namespace marrow
