// SPDX-License-Identifier: MIT
// Load and save of animation caches.
#include "behavior/cache.h"
#include "marrow/core/byte_reader.h"
#include "ops/document/format_rows.h"
#include "ops/document/origin.h"

namespace marrow {

Result<Document> load_cache(std::span<const std::byte> bytes, const LoadOptions&, Context& context) {
  if (!context.limits.charge(bytes.size()))
    return fail(ErrorCode::LimitExceeded, "the text takes more memory than the limit allows");
  Document document;
  OriginAccess::set(document, {CacheOrigin{std::string(as_text(bytes))}});
  return document;
}

Result<std::vector<SavedFile>> save_cache(const Document& document, const SaveOptions& options, Context&) {
  if (!document.cache() || *options.format != document.format) return cannot_hold(*options.format, document);
  const auto bytes = as_bytes(*document.cache());
  return one_file(*options.format, {bytes.begin(), bytes.end()});
}

}  // namespace marrow
