// SPDX-License-Identifier: MIT
// Load and save of packfiles, binary and XML.
#include "ops/document/havok_format.h"

#include <algorithm>

#include "core/try.h"
#include "havok/animation/animation.h"
#include "havok/animation/block_frames.h"
#include "havok/animation/names.h"
#include "havok/animation/skeleton.h"
#include "havok/object/game.h"
#include "havok/object/transcribe.h"
#include "havok/physics/physics.h"
#include "havok/tag/tagfile.h"
#include "havok/text/dump.h"
#include "havok/text/json.h"
#include "havok/text/tagfile.h"
#include "havok/text/xml.h"
#include "marrow/core/byte_reader.h"
#include "ops/document/format_rows.h"
#include "ops/document/origin.h"
#include "ops/document/packfile_values.h"

namespace marrow {
namespace {

using havok::ObjectId;
using havok::Packfile;

Result<void> load_skeletons(const Packfile& file, Document& document, Context& context) {
  const std::vector<ObjectId> ids = havok::find_skeletons(file);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    auto skeleton = havok::read_skeleton(file, ids[i]);
    if (!skeleton && i == 0) return std::unexpected(std::move(skeleton.error()));
    if (!skeleton)
      context.note("the skeleton of a ragdoll cannot be read: " + skeleton.error().message, skeleton.error().path);
    document.skeletons.push_back({.skeleton = skeleton ? std::move(*skeleton) : Skeleton{}, .is_ragdoll = i > 0});
  }
  return {};
}

ObjectId animation_of(const DocumentClip& clip) { return {clip.source.value}; }

void note_short_curves(const codec::SplineBlobView& view, ObjectId id, Context& context) {
  const auto summary = codec::summarize(view);
  if (summary && summary->frames_short > 0)
    context.note("the curves of the last block end " + std::to_string(summary->frames_short) +
                     (summary->frames_short == 1 ? " frame" : " frames") + " early and are continued as the games do",
                 "objects[" + std::to_string(id.index) + "].data", {}, automatic_cure());
}

// Delta and wavelet animations store float tracks in a form that is not known.
void note_unread_floats(const Packfile& file, const DocumentClip& clip, Context& context) {
  const ObjectId id = animation_of(clip);
  if (havok::has_unread_floats(file.at(id)))
    context.note("float tracks of " + file.at(id).type->name + " are not decoded: all their values read as 0",
                 path_of(id) + ".dataBuffer");
}

Result<DocumentClip> load_clip(const Packfile& file, ObjectId id, const havok::Bindings& bindings, bool with_frames,
                               Context& context) {
  const Limits& limits = context.limits;
  DocumentClip clip;
  clip.source = {id.index};
  if (const auto spline = havok::spline_data(file, id)) {
    clip.spline = codec::stored(*spline);
    note_short_curves(*spline, id, context);
  }
  if (with_frames) {
    MARROW_TRY(clip.clip, havok::read_clip(file, id, bindings, limits));
    return clip;
  }
  // Stored frames are the motion itself. A clip that cannot be decoded still has events to edit.
  if (!clip.spline) {
    auto read = havok::read_clip(file, id, bindings, limits);
    if (read) {
      clip.clip = std::move(*read);
      return clip;
    }
    clip.undecoded = std::move(read.error());
  }
  MARROW_TRY(clip.clip, havok::read_clip_header(file, id, bindings));
  return clip;
}

// Clips that have been read already, and perhaps changed, only get the frames that they lack.
Result<void> add_frames(const Packfile& file, Document& document, const Limits& limits) {
  const havok::Bindings bindings(file);
  for (DocumentClip& clip : document.clips) {
    MARROW_CHECK(decode_frames(clip, limits));
    if (clip.has_frames() || !clip.source.is_set()) continue;
    MARROW_TRY(const Clip whole, havok::read_clip(file, animation_of(clip), bindings, limits));
    clip.clip.transforms = whole.transforms;
    clip.clip.floats = whole.floats;
  }
  return {};
}

Result<void> load_clips(const Packfile& file, bool with_frames, Document& document, Context& context) {
  const std::string_view stem = stem_of(document.name);
  const std::vector<ObjectId> ids = havok::find_animations(file);
  const havok::Bindings bindings(file);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    MARROW_TRY(DocumentClip clip, load_clip(file, ids[i], bindings, with_frames, context));
    note_unread_floats(file, clip, context);
    clip.name = stem.empty() ? "clip" : stem;
    if (ids.size() > 1) clip.name += "_" + std::to_string(i + 1);
    document.clips.push_back(std::move(clip));
  }
  return {};
}

// A game with the version and pointer size decides if the file can have them.
Result<Packfile> with_pointer_size(const Packfile& file, std::uint32_t pointer_size) {
  for (const Game game : games_of(GameFamily::Havok))
    if (havok::version_of(game) == file.schema->version() && havok::pointer_size_of(game) == pointer_size)
      return havok::with_pointer_size_of(file, game);
  return fail(
      ErrorCode::BadOption,
      "no game reads " + file.schema->version() + " with pointers of " + std::to_string(pointer_size) + " bytes",
      kNoOffset, "pointer_size");
}

// Reports what plain XML does not say.
void note_plain_loss(const Packfile& file, std::span<const std::byte> xml, Context& context) {
  if (file.pointer_size == 4)
    context.note("plain XML does not say that the file is 32-bit; name the game, skyrim-le, to get it back");
  const auto back = havok::read_xml(xml, {.limits = context.limits});
  if (!back) return;
  std::size_t lossy = 0;
  for (std::size_t i = 0; i < std::min(back->objects.size(), file.objects.size()); ++i)
    lossy += !(back->objects[i] == file.objects[i]);
  if (lossy > 0)
    context.note(std::to_string(lossy) + " of " + std::to_string(file.objects.size()) +
                 " objects hold numbers that six decimals or three lanes do not; exact XML keeps them");
}

// What could not be read cannot be written. That is never silent, and it fails unless the caller allows it.
Result<void> refuse_loss(const Packfile& source, const SaveOptions& options, Context& context) {
  if (source.unread_fixups == 0) return {};
  const std::string what = std::to_string(source.unread_fixups) +
                           (source.unread_fixups == 1 ? " fixup belongs" : " fixups belong") +
                           " to no field that its class has, and what it leads to would be dropped";
  if (!options.allow_loss)
    return fail(ErrorCode::Unrepresentable,
                what + "; the file may be of a form that is not known. Allow losses to go on", kNoOffset, "__data__");
  context.note(what, "__data__");
  return {};
}

Result<std::vector<std::byte>> written(const Packfile& file, const SaveOptions& options, Context& context) {
  const Format format = *options.format;
  if (format == Format::Hkx || format == Format::HkxIds) {
    if (file.has_node_ids == (format == Format::HkxIds)) return havok::write_packfile(file);
    Packfile other = file;
    other.has_node_ids = format == Format::HkxIds;
    return havok::write_packfile(other);
  }
  if (format == Format::Xml) {
    MARROW_TRY(std::vector<std::byte> xml, havok::write_xml(file, {.style = options.xml_style}));
    if (options.xml_style == havok::XmlStyle::Plain) note_plain_loss(file, xml, context);
    return xml;
  }
  if (format == Format::XmlTagfile) return havok::write_tagfile_xml(file);
  if (format == Format::Tagfile) return havok::write_tagfile(file);
  const std::string json = havok::dump_json(file);
  const auto bytes = as_bytes(json);
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

}  // namespace

Result<Packfile> read_havok(std::span<const std::byte> bytes, Format format, const havok::ReadOptions& options,
                            std::span<const std::byte> tag_types) {
  switch (format) {
    case Format::Xml: return havok::read_xml(bytes, options);
    case Format::XmlTagfile: return havok::read_tagfile_xml(bytes, options);
    case Format::Json: return havok::read_json(bytes, options);
    case Format::Tagfile: return havok::read_tagfile(bytes, tag_types, options);
    default: return havok::read_packfile(bytes, options);
  }
}

Result<void> load_systems(const Packfile& file, std::size_t packfile, std::optional<std::int32_t> block,
                          Document& document, const Limits& limits) {
  // Those of tagfiles have other classes, which may look like ours.
  if (file.tag_types) return {};
  const std::vector<ObjectId> systems = havok::find_physics(file);
  for (std::size_t i = 0; i < systems.size(); ++i) {
    MARROW_TRY(CollisionSystem system, havok::read_physics(file, systems[i], {.limits = limits}));
    const EmbeddedKind kind = system.ragdoll ? EmbeddedKind::Ragdoll : EmbeddedKind::Physics;
    document.collision.push_back({block, kind, packfile, i, std::move(system), {}});
  }
  return {};
}

Result<Document> load_havok(std::span<const std::byte> bytes, const LoadOptions& options, Context& context) {
  const Format format = *options.format;
  Findings findings;
  auto file = read_havok(bytes, format, {.limits = context.limits, .findings = &findings}, context.tag_types);
  if (options.findings) options.findings->insert(options.findings->end(), findings.begin(), findings.end());
  if (!file) return std::unexpected(std::move(file.error()));
  findings.tell_hidden();
  // What is wrong with a text that people edit by hand is noted by every operation, not only found by `check`.
  if (!options.findings && format != Format::Hkx)
    for (const Finding& finding : findings)
      if (finding.level != Level::Info)
        context.notes.push_back({finding.message, kNoOffset, finding.where, options.name});
  Document document;
  document.game = havok::game_of(*file);
  if (file->has_node_ids) document.format = Format::HkxIds;
  OriginAccess::set(document, {HavokOrigin{std::move(*file)}, std::move(findings)});
  return document;
}

Result<void> read_havok_parts(Document& document, Parts parts, Context& context) {
  const Packfile& file = *document.packfile();
  if (has(parts, Parts::Skeletons)) MARROW_CHECK(load_skeletons(file, document, context));
  const bool with_frames = has(parts, without(Parts::Frames, Parts::Clips));
  if (has(parts, Parts::Clips))
    MARROW_CHECK(load_clips(file, with_frames, document, context));
  else if (with_frames)
    MARROW_CHECK(add_frames(file, document, context.limits));
  if (has(parts, Parts::Collision)) MARROW_CHECK(load_systems(file, 0, std::nullopt, document, context.limits));
  return {};
}

Result<std::vector<NamedPackfile>> packfiles_as_saved(const Document& document, const SaveOptions& options,
                                                      Context& context) {
  const auto* origin = origin_of<HavokOrigin>(document);
  if (!origin) return new_packfiles(document, options, context);
  if (has_other_clips(document)) {
    context.note("clips were added or removed, so the clips alone are written, without the other objects of the file");
    return new_packfiles(document, options, context);
  }
  // Shares the file with the document as long as nothing changes.
  std::shared_ptr<const Packfile> file(OriginAccess::shared_content(document), &origin->file);
  const auto change = [&](Result<Packfile> changed) -> Result<void> {
    if (!changed) return std::unexpected(std::move(changed.error()));
    file = std::make_shared<const Packfile>(std::move(*changed));
    return {};
  };
  if (OriginAccess::read(document) != Parts::None) MARROW_CHECK(change(changed_file(document, options.bound, context)));
  if (options.game) {
    MARROW_TRY(const Game game, game_for(document, options));
    const bool is_foreign = !havok::game_of(*file);
    MARROW_CHECK(change(havok::transcribed(*file, game, context.notes)));
    if (is_foreign) MARROW_CHECK(change(encoded_as_games(*file, options.bound, context)));
  }
  if (const auto layout = havok::parse_layout(options.layout)) MARROW_CHECK(change(havok::with_layout(*file, *layout)));
  // Files with node ids are 64-bit, whatever the game.
  const bool widens = options.format == Format::HkxIds && !options.game && file->pointer_size != 8;
  if (widens || options.pointer_size) MARROW_CHECK(change(with_pointer_size(*file, options.pointer_size.value_or(8))));
  return std::vector{NamedPackfile{{}, std::move(file)}};
}

Result<std::vector<SavedFile>> save_havok(const Document& document, const SaveOptions& options, Context& context) {
  // Clips that were made in memory have no packfile yet.
  const bool is_of_objects = *options.format == Format::Json && !is_havok(document.format);
  if (!document.packfile() && (document.nif() || is_of_objects)) return cannot_hold(*options.format, document);
  if (const Packfile* read = document.packfile()) {
    MARROW_CHECK(refuse_loss(*read, options, context));
    const bool are_systems = has(OriginAccess::read(document), Parts::Collision) && !read->tag_types;
    if (are_systems && havok::find_physics(*read).size() != document.collision.size()) return other_systems();
  }
  MARROW_TRY(const std::vector<NamedPackfile> packfiles, packfiles_as_saved(document, options, context));
  std::vector<SavedFile> files;
  for (const NamedPackfile& each : packfiles) {
    MARROW_TRY(std::vector<std::byte> bytes, written(*each.file, options, context));
    files.push_back({each.name, std::string(extension_of(*options.format)), std::move(bytes)});
  }
  return files;
}

}  // namespace marrow
