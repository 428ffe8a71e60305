// SPDX-License-Identifier: MIT
#include "marrow/ops/document/format.h"

#include <algorithm>
#include <array>

#include "behavior/cache.h"
#include "core/lines.h"
#include "exchange/fbx/read.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "ops/document/format_rows.h"

namespace marrow {
namespace {

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool is_packfile(const FileHead& head) { return head.bytes.starts_with("\x57\xE0\xE0\x57\x10\xC0\xC0\x10"); }
bool is_packfile_xml(const FileHead& head) { return head.starts_with('<') && holds(head.text(), "<hkpackfile"); }
bool is_xml_tagfile(const FileHead& head) { return head.starts_with('<') && holds(head.text(), "<hktagfile"); }
bool is_nif(const FileHead& head) {
  return head.bytes.starts_with("Gamebryo File Format") || head.bytes.starts_with("NetImmerse File Format");
}

// Returns the tag of the root element, e.g. `<Object ID="1" Type="Skeleton"`; empty if it comes too late.
std::string_view root_tag(std::string_view text) {
  while (text.starts_with("<?") || text.starts_with("<!")) {
    const std::string_view end = text.starts_with("<!--") ? "-->" : ">";
    const std::size_t at = text.find(end);
    if (at == std::string_view::npos) return {};
    text = trim(text.substr(at + end.size()));
  }
  return text.starts_with('<') ? text.substr(0, text.find('>')) : std::string_view();
}

bool is_schema(const FileHead& head) {
  const std::string_view root = root_tag(head.text());
  return root.starts_with("<Object") &&
         (holds(root, "Type=\"Skeleton\"") || holds(root, "Type=\"BallJointCommonData\"") ||
          holds(head.text(), "AnvilToolkit"));
}
bool is_standard(const FileHead& head) {
  const std::string_view root = root_tag(head.text());
  return head.starts_with('<') && (root.starts_with("<Skeleton") || root.starts_with("<BallJointCommonData") ||
                                   holds(head.text(), "AnvilToolkit") || holds(head.text(), "<Skeleton"));
}
bool is_glb(const FileHead& head) { return head.bytes.starts_with("glTF"); }
// A packfile or an Anvil skeleton. The mark is the first member of what is written; other programs may sort members.
bool is_our_json(const FileHead& head) {
  return head.starts_with('{') && (holds(head.text(), kPackfileJsonMark) || holds(head.bytes, "\"AnvilSkeleton\""));
}
// `asset` may come late in the JSON.
bool is_gltf_json(const FileHead& head) { return head.starts_with('{') && holds(head.bytes, "\"asset\""); }

bool is_obj(const FileHead& head) {
  for (const TextLine& each : Lines(head.text())) {
    const std::string_view line = trim(each.text);
    if (line.empty() || line.starts_with('#')) continue;
    constexpr std::array<std::string_view, 9> kStarts = {"v ", "vn ", "vt ",     "f ",     "o ",
                                                         "g ", "s ",  "mtllib ", "usemtl "};
    return std::ranges::any_of(kStarts, [&](std::string_view start) { return line.starts_with(start); });
  }
  return false;
}

bool is_animation_data(const FileHead& head) {
  return behavior::cache_kind(head.bytes.substr(0, kDetectBytes)) == behavior::CacheKind::Data;
}
bool is_animation_sets(const FileHead& head) {
  return behavior::cache_kind(head.bytes.substr(0, kDetectBytes)) == behavior::CacheKind::Sets;
}

bool is_tagfile(const FileHead& head) { return head.bytes.size() >= 8 && head.bytes.substr(4, 4) == "TAG0"; }
bool is_binary_tagfile(const FileHead& head) { return head.bytes.starts_with("\x1E\x0D\xB0\xCA\xCE\xFA\x11\xD0"); }
bool is_bsa(const FileHead& head) { return head.bytes.starts_with(std::string_view("BSA\0", 4)); }
bool is_ba2(const FileHead& head) { return head.bytes.starts_with("BTDX"); }

bool is_fbx_file(const FileHead& head) { return fbx::is_fbx(head.bytes.substr(0, kDetectBytes)); }
bool is_bvh(const FileHead& head) { return equal_ignoring_case(head.text().substr(0, 9), "HIERARCHY"); }

// A bare extension means its first row. The first row that recognises a file wins.
constexpr std::array kRows = {
    FormatRow{Format::Hkx, "hkx", "Havok packfile", ".hkx", is_packfile, load_havok, save_havok},
    FormatRow{Format::HkxIds, "hkx-ids", "Havok packfile with node ids", ".hkx", nullptr, load_havok, save_havok},
    FormatRow{Format::Xml, "xml", "Havok XML packfile", ".xml", is_packfile_xml, load_havok, save_havok},
    FormatRow{Format::Tagfile, "tagfile", "Havok tagfile", ".hkt", is_tagfile, load_havok, save_havok},
    FormatRow{Format::XmlTagfile, "xml-tagfile", "Havok XML tagfile", ".xml", is_xml_tagfile, load_havok, save_havok},
    FormatRow{Format::Nif, "nif", "NIF", ".nif", is_nif, load_nif, save_nif},
    FormatRow{Format::AnvilSchema, "anvil-schema", "Anvil skeleton (Schema)", ".xml", is_schema, load_anvil,
              save_anvil},
    FormatRow{Format::AnvilStandard, "anvil-standard", "Anvil skeleton (Standard)", ".xml", is_standard, load_anvil,
              save_anvil},
    FormatRow{Format::Json, "json", "JSON", ".json", is_our_json, load_json, save_json},
    FormatRow{Format::Glb, "glb", "binary glTF", ".glb", is_glb, load_gltf, save_gltf},
    FormatRow{Format::Gltf, "gltf", "glTF", ".gltf", is_gltf_json, load_gltf, save_gltf},
    FormatRow{Format::Csv, "csv", "CSV", ".csv", nullptr, nullptr, save_csv},
    FormatRow{Format::Fbx, "fbx", "FBX", "", is_fbx_file, load_fbx, nullptr},
    FormatRow{Format::Bvh, "bvh", "BVH", "", is_bvh, load_bvh, nullptr},
    FormatRow{Format::AnimationData,
              "animation-data",
              "cache of animation data",
              ".txt",
              is_animation_data,
              load_cache,
              save_cache,
              {},
              false},
    FormatRow{Format::AnimationSets,
              "animation-sets",
              "cache of animation sets",
              ".txt",
              is_animation_sets,
              load_cache,
              save_cache,
              {},
              false},
    FormatRow{Format::BinaryTagfile, "binary-tagfile", "Havok binary tagfile", "", is_binary_tagfile, nullptr, nullptr,
              "a Havok binary tagfile of 2010 to 2014 is not supported; packfiles and tagfiles of 2015 (TAG0) are"},
    FormatRow{Format::Bsa, "bsa", "BSA archive", "", is_bsa, nullptr, nullptr,
              "this is a BSA archive; name a file inside it (A.bsa/meshes/x.hkx), or unpack it"},
    FormatRow{Format::Ba2, "ba2", "BA2 archive", "", is_ba2, nullptr, nullptr,
              "this is a BA2 archive; name a file inside it (A.ba2/meshes/x.hkx), or unpack it"},
    FormatRow{Format::Obj, "obj", "OBJ", ".obj", is_obj, load_obj, save_obj},
    FormatRow{Format::Unknown, "unknown", "unknown file", "", nullptr, nullptr, nullptr,
              "not a known format; known are Havok packfile (binary or XML), NIF, Anvil XML, glTF, FBX, BVH and OBJ"},
};

bool remove_mark(std::string_view& text) {
  for (const std::string_view mark : {"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF"})
    if (text.starts_with(mark)) {
      text.remove_prefix(mark.size());
      return true;
    }
  return false;
}

}  // namespace

std::string_view FileHead::text() const {
  if (text_) return *text_;
  std::string_view text = bytes.substr(0, kDetectBytes);
  const bool marked = remove_mark(text);
  if (text.contains('\0')) {
    without_zeros_ = text;
    std::erase(without_zeros_, '\0');
    text = without_zeros_;
    if (!marked) remove_mark(text);  // of UTF-32, which may start with zeros
  }
  text_ = trim(text);
  return *text_;
}

bool FileHead::starts_with(char c) const {
  // Text that starts otherwise is left to `text`: white space, marks and zeros.
  const auto first = static_cast<unsigned char>(bytes.empty() ? '\0' : bytes.front());
  const bool is_plain = first > ' ' && first < 0x80;
  return is_plain ? bytes.front() == c : text().starts_with(c);
}

std::span<const FormatRow> format_rows() { return kRows; }

const FormatRow& format_row(Format format) {
  const auto found = std::ranges::find(kRows, format, &FormatRow::format);
  return found == kRows.end() ? kRows.back() : *found;
}

std::string_view to_string(Format format) { return format_row(format).word; }
std::string_view title(Format format) { return format_row(format).title; }
std::string_view extension_of(Format format) { return format_row(format).extension; }

std::optional<Format> find_format(std::string_view word) {
  const auto found = std::ranges::find_if(
      kRows, [&](const FormatRow& row) { return row.save && equal_ignoring_case(row.word, word); });
  return found == kRows.end() ? std::nullopt : std::optional(found->format);
}

std::optional<Format> format_of_extension(std::string_view extension) {
  if (equal_ignoring_case(extension, ".hkt")) return Format::Hkx;
  const auto found = std::ranges::find_if(kRows, [&](const FormatRow& row) {
    return row.save && row.is_asked_for && equal_ignoring_case(row.extension, extension);
  });
  return found == kRows.end() ? std::nullopt : std::optional(found->format);
}

std::vector<Format> written_formats() {
  std::vector<Format> formats;
  for (const FormatRow& row : kRows)
    if (row.save) formats.push_back(row.format);
  return formats;
}

Format detect(std::span<const std::byte> bytes) {
  const FileHead head(as_text(bytes));
  for (const FormatRow& row : kRows)
    if (row.recognises && row.recognises(head)) return row.format;
  return Format::Unknown;
}

std::unexpected<Error> cannot_hold(Format format, const Document& document) {
  std::string known;
  for (const FormatRow& row : kRows)
    if (row.save == format_row(document.format).save && row.save)
      known += (known.empty() ? "" : ", ") + std::string(row.word);
  return fail(ErrorCode::WrongKind, "a " + std::string(title(document.format)) + " cannot be written as " +
                                        std::string(to_string(format)) +
                                        (known.empty() ? "" : "; possible formats are " + known));
}

std::vector<SavedFile> one_file(Format format, std::vector<std::byte> bytes) {
  std::vector<SavedFile> files(1);
  files[0].extension = extension_of(format);
  files[0].bytes = std::move(bytes);
  return files;
}

}  // namespace marrow
