// SPDX-License-Identifier: MIT
// Load and save of Anvil skeletons, in both XML dialects.
#include <algorithm>
#include <utility>

#include "anvil/from_model.h"
#include "anvil/hierarchy.h"
#include "anvil/json.h"
#include "anvil/to_model.h"
#include "anvil/xml.h"
#include "core/memory.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/model/pose.h"
#include "ops/document/anvil_format.h"
#include "ops/document/format_rows.h"
#include "ops/document/origin.h"
#include "ops/rig/merge.h"

namespace marrow {
namespace {

Format format_of(anvil::Dialect dialect) {
  return dialect == anvil::Dialect::Schema ? Format::AnvilSchema : Format::AnvilStandard;
}

void add_notes(const anvil::EditNotes& texts, Context& context) {
  for (const std::string& text : texts) context.note(text);
}

Skeleton in_metres(Skeleton skeleton, float metres_per_unit) {
  if (metres_per_unit != kMetresPerAnvilUnit)
    for (Bone& bone : skeleton.bones) bone.rest.translation *= metres_per_unit;
  return skeleton;
}

// Returns a model with the parents that its file has, in any order, and local rest poses relative to them.
Skeleton with_file_parents(const DocumentSkeleton& model) {
  Skeleton out = model.skeleton;
  if (model.reparented.empty()) return out;
  std::vector<Transform> pose(out.bones.size());
  for (std::size_t i = 0; i < pose.size(); ++i) pose[i] = out.bones[i].rest;
  local_to_model(model.skeleton, pose, pose);
  for (const auto& [bone, parent] : model.reparented) {
    Bone& moved = out.bones[static_cast<std::size_t>(bone)];
    moved.parent = parent;
    moved.rest = inverse(pose[static_cast<std::size_t>(parent)]) * pose[static_cast<std::size_t>(bone)];
  }
  return out;
}

Result<anvil::Skeleton> new_skeleton(const Document& document, const std::string& file, Context& context) {
  MARROW_TRY(const DocumentSkeleton* model, main_skeleton(document));
  anvil::EditNotes notes;
  auto skeleton = anvil::from_model(in_metres(model->skeleton, document.metres_per_unit), notes, {.file = file});
  add_notes(notes, context);
  return skeleton;
}

}  // namespace

Result<anvil::Skeleton> anvil_as_saved(const Document& document, Context& context) {
  anvil::Skeleton skeleton = *document.anvil();
  if (!has_parts(document, Parts::Skeletons) || document.skeletons.empty()) return skeleton;
  const DocumentSkeleton& model = document.skeletons.front();
  if (is_anvil(document.format)) {
    MARROW_TRY(const Rig before, anvil::to_model(skeleton));
    if (before.skeleton == model.skeleton) return skeleton;
  } else {
    MARROW_CHECK(validate(model.skeleton));
  }
  skeleton.origin.ids = id_scheme(document, context);
  MARROW_TRY(const anvil::EditNotes notes, anvil::follow_model(skeleton, with_file_parents(model), model.missing));
  add_notes(notes, context);
  return skeleton;
}

anvil::NameTable bone_names(const Context& context) {
  anvil::NameTable names = anvil::NameTable::beside_builtin();
  for (const std::string& name : context.bone_names) names.add(name);
  return names;
}

anvil::IdScheme id_scheme(const Document& document, const Context& context, std::optional<std::uint64_t> base) {
  std::string_view name = document.name;
  if (const std::size_t slash = name.find_last_of("/\\"); slash != std::string_view::npos)
    name.remove_prefix(slash + 1);
  return {.file = context.output_name.empty() ? std::string(name.substr(0, name.rfind('.'))) : context.output_name,
          .base = base};
}

Result<std::optional<Game>> anvil_game(const std::optional<Game>& game) {
  if (!game || family_of(*game) == GameFamily::Anvil) return game;
  std::string known;
  for (const Game each : games_of(GameFamily::Anvil)) (known += known.empty() ? "" : ", ") += to_string(each);
  return fail(ErrorCode::WrongGame,
              "an Anvil skeleton cannot be written for " + std::string(to_string(*game)) + "; choose one of " + known);
}

namespace {

Document document_of(anvil::Skeleton skeleton) {
  Document document;
  document.format = format_of(skeleton.origin.dialect);
  document.metres_per_unit = kMetresPerAnvilUnit;
  OriginAccess::set(document, {AnvilOrigin{std::move(skeleton)}});
  return document;
}

}  // namespace

Result<void> read_anvil_parts(Document& document, Parts parts, Context&) {
  // The skeleton in the record of a glTF file is not the document's own.
  if (!has(parts, Parts::Skeletons) || !is_anvil(document.format)) return {};
  MARROW_TRY(Rig rig, anvil::to_model(*document.anvil()));
  document.skeletons.push_back({.skeleton = std::move(rig.skeleton)});
  return {};
}

Result<AnvilEdit> edit_anvil(Document& document, Context& context, std::optional<std::uint64_t> id_base) {
  MARROW_CHECK(anvil_skeleton(document));
  if (has_parts(document, Parts::Skeletons)) {
    MARROW_TRY(anvil::Skeleton current, anvil_as_saved(document, context));
    own_origin_of<AnvilOrigin>(document)->skeleton = std::move(current);
  }
  AnvilEdit edit(document);
  edit->origin.ids = id_scheme(document, context, id_base);
  return edit;
}

void put_in_saved_order(Document& document) {
  AnvilOrigin& origin = *own_origin_of<AnvilOrigin>(document);
  if (!origin.keep_order) anvil::sort_depth_first(origin.skeleton);
  anvil::restate_numbers(origin.skeleton);
}

AnvilEdit::AnvilEdit(Document& document)
    : document_(&document),
      skeleton_(&own_origin_of<AnvilOrigin>(document)->skeleton),
      is_read_(has_parts(document, Parts::Skeletons)) {}

AnvilEdit::AnvilEdit(AnvilEdit&& other) noexcept
    : document_(std::exchange(other.document_, nullptr)), skeleton_(other.skeleton_), is_read_(other.is_read_) {}

AnvilEdit::~AnvilEdit() {
  if (!document_) return;
  put_in_saved_order(*document_);
  if (!is_read_) return;
  // What can no longer be made out of the skeleton is reported when somebody asks for it.
  forget_parts(*document_, Parts::Skeletons);
  const MustAllocate whole;
  Context context;
  (void)read_parts(*document_, Parts::Skeletons, context);
}

Result<Document> load_anvil(std::span<const std::byte> bytes, const LoadOptions& options, Context& context) {
  MARROW_TRY(anvil::Skeleton skeleton, anvil::read_xml(bytes, bone_names(context), context.limits));
  if (!options.findings)  // else the check reports it
    for (const anvil::Dropped& each : skeleton.origin.dropped)
      context.note(each.what + "; it is not kept", "line " + std::to_string(each.line), options.name);
  return document_of(std::move(skeleton));
}

Result<Document> load_json(std::span<const std::byte> bytes, const LoadOptions& options, Context& context) {
  if (as_text(bytes).substr(0, kDetectBytes).contains(kPackfileJsonMark)) return load_havok(bytes, options, context);
  MARROW_TRY(const Json json, parse_json(as_text(bytes), context.limits));
  MARROW_TRY(anvil::Skeleton skeleton, anvil::from_json(json));
  return document_of(std::move(skeleton));
}

Result<std::vector<SavedFile>> save_json(const Document& document, const SaveOptions& options, Context& context) {
  if (!document.anvil() || !is_anvil(document.format)) return save_havok(document, options, context);
  MARROW_TRY(const std::optional<Game> game, anvil_game(options.game));
  MARROW_TRY(anvil::Skeleton skeleton, anvil_as_saved(document, context));
  if (options.port && game) add_notes(anvil::to_game(skeleton, *game), context);
  const std::string text = to_text(anvil::to_json(skeleton)) + "\n";
  return one_file(Format::Json, {as_bytes(text).begin(), as_bytes(text).end()});
}

Result<std::vector<SavedFile>> save_anvil(const Document& document, const SaveOptions& options, Context& context) {
  if (is_havok(document.format) && document.skeletons.empty()) return cannot_hold(*options.format, document);
  if (document.nif()) return cannot_hold(*options.format, document);
  MARROW_TRY(const std::optional<Game> game, anvil_game(options.game));
  MARROW_TRY(anvil::Skeleton skeleton,
             document.anvil() ? anvil_as_saved(document, context) : new_skeleton(document, options.name, context));
  if (document.skeletons.size() > 1)
    context.note("the file has " + std::to_string(document.skeletons.size()) +
                 " skeletons; the one that is written is \"" + document.skeletons.front().skeleton.name + "\"");
  if (!document.clips.empty()) context.note("a skeleton file holds no clips; the clips are left out");
  if (options.port && game) add_notes(anvil::to_game(skeleton, *game), context);
  const auto* origin = origin_of<AnvilOrigin>(document);
  MARROW_TRY(std::vector<std::byte> bytes,
             anvil::write_xml(skeleton, {.dialect = options.format == Format::AnvilSchema ? anvil::Dialect::Schema
                                                                                          : anvil::Dialect::Standard,
                                         .game = game,
                                         .keep_order = origin && origin->keep_order}));
  return one_file(*options.format, std::move(bytes));
}

}  // namespace marrow
