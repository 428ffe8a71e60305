// SPDX-License-Identifier: MIT
#include "marrow/ops/dump.h"

#include "core/try.h"
#include "marrow/havok/dump.h"
#include "ops/formats.h"

namespace marrow {

Result<std::string> dump(std::span<const std::byte> bytes, const DumpOptions& options) {
  const Format format = detect(bytes);
  if (format != Format::HavokPackfile && format != Format::HavokXml) return refuse_format(bytes, "dump");
  MARROW_TRY(const havok::Packfile file, read_havok(bytes, {.limits = options.limits}));
  std::optional<havok::ObjectId> only;
  if (options.object) {
    if (*options.object >= file.objects.size())
      return fail(ErrorCode::NotFound, "there is no object " + std::to_string(*options.object) + "; the file has " +
                                           std::to_string(file.objects.size()) + ", counted from 0");
    only = havok::ObjectId{*options.object};
  }
  return options.json ? dump_json(file, only) : dump_text(file, only);
}

}  // namespace marrow
