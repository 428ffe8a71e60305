// SPDX-License-Identifier: MIT
#include "ops/document/as_saved.h"

#include "core/try.h"
#include "havok/packfile/unreachable.h"
#include "havok/object/game.h"
#include "ops/document/anvil_format.h"
#include "ops/document/havok_format.h"
#include "ops/document/nif_edit.h"
#include "ops/document/origin.h"

namespace marrow {
namespace {

// All of a document but its values.
Document shell_of(const Document& document) {
  return {.name = document.name,
          .format = document.format,
          .game = document.game,
          .metres_per_unit = document.metres_per_unit,
          .byte_count = document.byte_count};
}

}  // namespace

Result<std::shared_ptr<const havok::Packfile>> packfile_as_saved(const Document& document, Context& context,
                                                                 const SaveOptions& options) {
  if (!document.packfile() && (!is_havok(document.format) || OriginAccess::content(document))) return nullptr;
  MARROW_TRY(const std::vector<NamedPackfile> files, packfiles_as_saved(document, options, context));
  // Several new clips would be several files, which are not one packfile.
  return files.size() == 1 ? files.front().file : nullptr;
}

Result<Document> as_saved(const Document& document, Context& context, const SaveOptions& options) {
  Document saved = shell_of(document);
  const bool is_transcribed = document.packfile() && (options.game || options.pointer_size || !options.layout.empty());
  if (OriginAccess::content(document) && OriginAccess::read(document) == Parts::None && !is_transcribed) {
    saved.origin = document.origin;
    return saved;
  }
  if (document.nif()) {
    MARROW_TRY(NifFile nif, nif_as_saved(document, context));
    const bool is_same = nif == *document.nif();
    OriginAccess::set(saved, {NifOrigin{std::move(nif)}, is_same ? findings_of_reading(document) : Findings{}});
    return saved;
  }
  if (document.anvil() && is_anvil(document.format)) {
    MARROW_TRY(anvil::Skeleton skeleton, anvil_as_saved(document, context));
    OriginAccess::set(saved, {AnvilOrigin{std::move(skeleton), origin_of<AnvilOrigin>(document)->keep_order}});
    return saved;
  }
  MARROW_TRY(const std::shared_ptr<const havok::Packfile> file, packfile_as_saved(document, context, options));
  if (!file) {
    // Several files are not one packfile: the values are all that there is.
    Document values = document;
    if (values.packfile()) OriginAccess::drop(values);
    return values;
  }
  const bool is_same = document.packfile() && *file == *document.packfile();
  saved.game = havok::game_of(*file);
  havok::Packfile content = *file;
  if (!is_same && document.format == Format::Hkx) havok::put_in_file_order(content);
  OriginAccess::set(saved, {HavokOrigin{std::move(content)}, is_same ? findings_of_reading(document) : Findings{}});
  return saved;
}

Findings findings_of_reading(const Document& document) {
  const OriginAccess::Content* content = OriginAccess::content(document);
  return content ? content->findings : Findings{};
}

}  // namespace marrow
