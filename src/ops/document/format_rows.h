// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "marrow/ops/document/load.h"

namespace marrow {

/// The head of a file in the two ways that detection looks at it.
class FileHead {
 public:
  explicit FileHead(std::string_view file) : bytes(file) {}
  FileHead(const FileHead&) = delete;  // the text may lie in it

  const std::string_view bytes;  ///< the whole file
  /// Returns its first bytes without byte order mark and zeros: ASCII of any Unicode encoding.
  std::string_view text() const;
  /// True if the text starts with a character. Quick for files that are not text.
  bool starts_with(char c) const;

 private:
  mutable std::optional<std::string_view> text_;  // most files are known by their first bytes and need none
  mutable std::string without_zeros_;             // if there are any
};

/// A file format: one row. Adding one means adding a row, with a loader, a writer or both.
struct FormatRow {
  Format format;
  std::string_view word, title;
  std::string_view extension;  ///< empty: never written
  bool (*recognises)(const FileHead& head) = nullptr;
  Result<Document> (*load)(std::span<const std::byte> bytes, const LoadOptions& options, Context& context) = nullptr;
  Result<std::vector<SavedFile>> (*save)(const Document& document, const SaveOptions& options,
                                         Context& context) = nullptr;
  std::string_view refusal = {};  ///< of a format that is known and not read
  bool is_asked_for = true;       ///< by its extension; false if files of many kinds have that
};

/// What the JSON of a packfile holds near its start.
inline constexpr std::string_view kPackfileJsonMark = "\"havok-packfile\"";

std::span<const FormatRow> format_rows();
const FormatRow& format_row(Format format);

// Make parts values that are not yet; each is of the documents whose origin is of that kind.
Result<void> read_havok_parts(Document& document, Parts parts, Context& context);
Result<void> read_nif_parts(Document& document, Parts parts, Context& context);
Result<void> read_anvil_parts(Document& document, Parts parts, Context& context);
Result<void> read_motion_parts(Document& document, Parts parts, Context& context);

// The columns of the rows, each format's in a file of its own.
Result<Document> load_havok(std::span<const std::byte> bytes, const LoadOptions& options, Context& context);
Result<std::vector<SavedFile>> save_havok(const Document& document, const SaveOptions& options, Context& context);
Result<Document> load_nif(std::span<const std::byte> bytes, const LoadOptions& options, Context& context);
Result<std::vector<SavedFile>> save_nif(const Document& document, const SaveOptions& options, Context& context);
Result<Document> load_anvil(std::span<const std::byte> bytes, const LoadOptions& options, Context& context);
Result<std::vector<SavedFile>> save_anvil(const Document& document, const SaveOptions& options, Context& context);
Result<Document> load_json(std::span<const std::byte> bytes, const LoadOptions& options, Context& context);
Result<std::vector<SavedFile>> save_json(const Document& document, const SaveOptions& options, Context& context);
Result<Document> load_gltf(std::span<const std::byte> bytes, const LoadOptions& options, Context& context);
Result<std::vector<SavedFile>> save_gltf(const Document& document, const SaveOptions& options, Context& context);
Result<Document> load_fbx(std::span<const std::byte> bytes, const LoadOptions& options, Context& context);
Result<Document> load_bvh(std::span<const std::byte> bytes, const LoadOptions& options, Context& context);
Result<Document> load_obj(std::span<const std::byte> bytes, const LoadOptions& options, Context& context);
Result<std::vector<SavedFile>> save_obj(const Document& document, const SaveOptions& options, Context& context);
Result<Document> load_cache(std::span<const std::byte> bytes, const LoadOptions& options, Context& context);
Result<std::vector<SavedFile>> save_cache(const Document& document, const SaveOptions& options, Context& context);
Result<std::vector<SavedFile>> save_csv(const Document& document, const SaveOptions& options, Context& context);

/// Returns the parts that have to be values for a document to be saved. A packfile that stays one needs none.
Parts parts_to_save(const Document& document, const SaveOptions& options);

/// Returns the error for a format that cannot hold a document.
std::unexpected<Error> cannot_hold(Format format, const Document& document);
/// Returns one file of that format.
std::vector<SavedFile> one_file(Format format, std::vector<std::byte> bytes);

}  // namespace marrow
