// SPDX-License-Identifier: MIT
#include "ops/document/as_saved.h"

#include <optional>

#include "anvil/to_model.h"
#include "core/try.h"
#include "havok/object/game.h"
#include "havok/packfile/unreachable.h"
#include "nif/bhk.h"
#include "ops/document/anvil_format.h"
#include "ops/document/havok_format.h"
#include "ops/document/nif_edit.h"
#include "ops/document/nif_values.h"
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

// The NIF with all values whose blocks operations look at; nothing if nobody has asked for these. Packfiles in it keep
// the numbers of their blocks, whatever changes in them.
Result<std::optional<NifFile>> settled_nif(const Document& document, Context& context) {
  if (bhk::keeps_blocks(document.nif()->stream)) {
    if (!has_parts(document, Parts::Bodies) && !has_parts(document, Parts::Collision)) return std::nullopt;
    return nif_as_saved(document, context);
  }
  if (!has_parts(document, Parts::Bodies)) return std::nullopt;
  NifFile nif = *document.nif();
  MARROW_CHECK(lay_shapes_over(nif, document, context.limits));
  return nif;
}

bool owns_bones(const Document& document) {
  return is_anvil(document.format) && document.anvil() && has_parts(document, Parts::Skeletons) &&
         !document.skeletons.empty();
}

}  // namespace

Result<bool> is_settled(const Document& document, Context& context) {
  if (document.nif()) {
    Context quiet;
    quiet.limits = context.limits;
    const auto nif = settled_nif(document, quiet);
    // Collision that cannot be written back is no reason not to look at a damaged file; saving reports it.
    if (!nif && !has_parts(document, Parts::Bodies)) return true;
    if (!nif) return std::unexpected(nif.error());
    return !*nif || **nif == *document.nif();
  }
  if (!owns_bones(document)) return true;
  MARROW_TRY(const Rig rig, anvil::to_model(*document.anvil()));
  // A damaged skeleton with numbers that are not finite is not equal to itself, and nobody has changed it.
  return rig.skeleton == document.skeletons.front().skeleton || rig.skeleton != rig.skeleton;
}

Result<void> settle(Document& document, Context& context) {
  MARROW_TRY(const bool is_done, is_settled(document, context));
  if (is_done) return {};
  if (document.nif()) {
    MARROW_TRY(std::optional<NifFile> nif, settled_nif(document, context));
    return take_container(document, std::move(*nif), context);
  }
  MARROW_CHECK(edit_anvil(document, context));
  return {};
}

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
