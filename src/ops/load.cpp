// SPDX-License-Identifier: MIT
#include "marrow/marrow.h"

#include "core/try.h"
#include "ops/format_rows.h"

namespace marrow {

Result<Document> load(std::span<const std::byte> bytes, const LoadOptions& options, Context& context) {
  if (bytes.empty()) return in_file({ErrorCode::Truncated, "the file is empty", 0}, options.name);
  if (bytes.size() > context.limits.max_file_bytes)
    return in_file({ErrorCode::LimitExceeded, "has " + std::to_string(bytes.size()) + " bytes; at most " +
                                                  std::to_string(context.limits.max_file_bytes) + " are read"},
                   options.name);
  const FormatRow& row = format_row(detect(bytes));
  if (!row.load)
    return in_file(
        {row.format == Format::Unknown ? ErrorCode::BadMagic : ErrorCode::Unsupported, std::string(row.refusal), 0},
        options.name);
  const Limits given = context.limits;
  // The buffers of a .gltf are part of it; its reader knows their size.
  if (row.format != Format::Gltf) context.limits = given.for_input(bytes.size());
  auto document = row.load(bytes, options, context);
  context.limits = given;
  if (!document) return in_file(std::move(document.error()), options.name);
  document->name = options.name;
  document->byte_count = bytes.size();
  document->parts = options.parts;
  if (document->format == Format::Unknown) document->format = row.format;
  return document;
}

Format saved_format(const Document& document, const SaveOptions& options) {
  const Format format = options.format.value_or(document.format);
  const std::optional<Game> game = options.game ? options.game : document.game;
  const bool is_for_anvil = game ? family_of(*game) == GameFamily::Anvil : document.anvil() != nullptr;
  if (format != Format::Xml || !is_for_anvil) return format;
  // The extension .xml does not select a dialect: the file keeps its own.
  const anvil::Skeleton* origin = document.anvil();
  if (!is_anvil(document.format) || !origin) return Format::AnvilStandard;
  return origin->origin.dialect == anvil::Dialect::Schema ? Format::AnvilSchema : Format::AnvilStandard;
}

Result<std::vector<SavedFile>> save(const Document& document, const SaveOptions& options, Context& context) {
  SaveOptions own = options;
  own.format = saved_format(document, options);
  if (own.name.empty()) own.name = stem_of(document.name);
  const FormatRow& row = format_row(*own.format);
  if (!row.save) return in_file(cannot_hold(*own.format, document).error(), document.name);
  auto files = row.save(document, own, context);
  if (!files) return in_file(std::move(files.error()), document.name);
  return files;
}

}  // namespace marrow
