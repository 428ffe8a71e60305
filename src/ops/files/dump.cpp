// SPDX-License-Identifier: MIT
#include "ops/files/dump.h"

#include "anvil/json.h"
#include "core/try.h"
#include "havok/text/dump.h"
#include "marrow/core/byte_reader.h"
#include "nif/values.h"
#include "ops/document/as_saved.h"
#include "ops/table/define.h"

namespace marrow {

SavedFile DumpReport::text() const {
  const auto bytes = as_bytes(dump);
  return {{}, is_json ? ".json" : ".txt", {bytes.begin(), bytes.end()}};
}

void describe(FieldList& fields, DumpOptions& options) {
  fields("object", options.object,
         {.help = "only object N, of a NIF block N, counted from 0", .placeholder = "N", .min = 0});
  fields("format", options.format,
         {.help = "text for people, or JSON, which of a packfile is read back into the same file",
          .placeholder = "FORMAT"});
}

void describe(FieldList& fields, DumpReport& report) { fields("dump", report.dump); }

Result<DumpReport> dump(const Document& given, const DumpOptions& options, Context& context) {
  MARROW_TRY(const Document document, as_saved(given, context));
  const bool as_json = options.format == DumpFormat::Json;
  if (const anvil::Skeleton* skeleton = is_anvil(document.format) ? document.anvil() : nullptr) {
    if (options.object)
      return fail(ErrorCode::BadOption, "chooses an object of a packfile; a rig has bones instead", Cure{"rig show"},
                  "object");
    return DumpReport{as_json ? to_text(anvil::to_json(*skeleton)) + "\n" : anvil::dump_text(*skeleton), as_json};
  }
  if (const NifFile* nif = document.nif()) {
    if (options.object && *options.object >= nif->blocks.size())
      return fail(ErrorCode::NotFound, "there is no block " + std::to_string(*options.object) + "; the file has " +
                                           std::to_string(nif->blocks.size()) + ", counted from 0");
    const auto only = options.object ? std::optional(static_cast<std::int32_t>(*options.object)) : std::nullopt;
    return DumpReport{as_json ? nif::dump_json(*nif, only, context.limits) : nif::dump_text(*nif, only, context.limits),
                      as_json};
  }
  const havok::Packfile* file = document.packfile();
  MARROW_CHECK(takes("dump", document, file != nullptr));
  std::optional<havok::ObjectId> only;
  if (options.object) {
    if (*options.object >= file->objects.size())
      return fail(ErrorCode::NotFound, "there is no object " + std::to_string(*options.object) + "; the file has " +
                                           std::to_string(file->objects.size()) + ", counted from 0");
    only = havok::ObjectId{*options.object};
  }
  return DumpReport{as_json ? dump_json(*file, only) : dump_text(*file, only), as_json};
}

}  // namespace marrow
