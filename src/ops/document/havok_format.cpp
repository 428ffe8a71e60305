// SPDX-License-Identifier: MIT
// Load and save of packfiles, binary and XML.
#include "ops/document/havok_format.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <map>

#include "core/try.h"
#include "havok/animation/block_frames.h"
#include "havok/animation/names.h"
#include "marrow/core/byte_reader.h"
#include "havok/animation/animation.h"
#include "havok/animation/skeleton.h"
#include "havok/object/game.h"
#include "havok/object/transcribe.h"
#include "havok/physics/physics.h"
#include "havok/tag/tagfile.h"
#include "havok/text/dump.h"
#include "havok/text/json.h"
#include "havok/text/tagfile.h"
#include "havok/text/xml.h"
#include "model/clip_values.h"
#include "ops/document/format_rows.h"
#include "ops/document/origin.h"
#include "ops/document/spline_motion.h"

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

// Frames that went through another program come back with rounding errors, or as -q for q; those that are stored win.
bool take_stored_frames(const Clip& stored, Clip& clip) {
  if (stored.transforms.size() != clip.transforms.size() || stored.floats != clip.floats) return false;
  bool is_same = true;
  for (std::size_t i = 0; i < clip.transforms.size(); ++i) {
    Transform& now = clip.transforms[i];
    const Transform& before = stored.transforms[i];
    if (glm::length(now.translation - before.translation) <= 1e-4f && glm::length(now.scale - before.scale) <= 1e-5f &&
        angle_degrees(now.rotation, before.rotation) <= 1e-4f)
      now = before;
    else
      is_same = false;
  }
  return is_same;
}

Result<void> lay_motion_over(Packfile& file, ObjectId id, const Clip& before, const DocumentClip& clip,
                             const havok::Bindings& bindings, const EncodingBound& bound, const Limits& limits) {
  if (clip.as_frames) return havok::set_frames(file, id, clip.clip);
  if (!clip.spline && !clip.has_frames()) return {};
  const bool is_timed_alike = before.duration_seconds == clip.clip.duration_seconds;
  // Without tracks there is nothing to write, however many frames the file speaks of.
  const bool is_empty = clip.clip.track_count == 0 && clip.clip.float_track_count == 0;
  if (is_empty && is_timed_alike && before.frame_count == clip.clip.frame_count) return {};
  const auto stored = havok::spline_data(file, id);
  if (is_timed_alike && stored && clip.spline && codec::stored(*stored) == *clip.spline && !clip.has_frames())
    return {};
  if (!stored && !clip.spline) {
    // Uncompressed frames stay uncompressed.
    MARROW_TRY(const Clip frames, havok::read_clip(file, id, bindings, limits));
    Clip changed = clip.clip;
    if (changed.transforms != frames.transforms) MARROW_CHECK(check_values(changed));
    const bool is_same = take_stored_frames(frames, changed);
    return is_same && is_timed_alike ? Result<void>{} : havok::set_frames(file, id, changed);
  }
  MARROW_TRY(const codec::SplineBlob motion, spline_of(clip, limits, bound));
  if (stored && is_timed_alike)
    if (const auto old = codec::read_spline_blob(*stored, limits); old && *old == motion) return {};
  return havok::set_spline_motion(file, id, motion, clip.clip.duration_seconds);
}

// Writes the changes of a clip into an animation. Returns true if numbers of objects have changed.
Result<bool> lay_over(Packfile& file, ObjectId id, const DocumentClip& clip, const havok::Bindings& bindings,
                      const EncodingBound& bound, Context& context) {
  MARROW_TRY(const Clip before, havok::read_clip_header(file, id, bindings));
  const Clip& now = clip.clip;
  if (before.annotation_tracks != now.annotation_tracks) havok::set_annotations(file, id, now.annotation_tracks);
  MARROW_CHECK(lay_motion_over(file, id, before, clip, bindings, bound, context.limits));
  const bool is_bound_alike = before.skeleton_name == now.skeleton_name && before.track_to_bone == now.track_to_bone &&
                              before.float_to_slot == now.float_to_slot && before.partitions == now.partitions &&
                              before.blend_hint == now.blend_hint;
  if (!is_bound_alike) havok::set_binding(file, id, now, &context.notes);
  const bool moves_alike = before.root_motion == now.root_motion;
  if (!moves_alike) havok::set_root_motion(file, id, now.root_motion);
  return !is_bound_alike || !moves_alike;
}

std::map<std::uint32_t, std::size_t> places_of(const std::vector<ObjectId>& ids) {
  std::map<std::uint32_t, std::size_t> places;
  for (std::size_t i = 0; i < ids.size(); ++i) places.emplace(ids[i].index, i);
  return places;
}

// Returns the file that a document came from, with the changes of the document.
Result<Packfile> changed_file(const Document& document, const EncodingBound& bound, Context& context) {
  Packfile file = *document.packfile();
  if (has_parts(document, Parts::Skeletons)) {
    const std::vector<ObjectId> ids = havok::find_skeletons(file);
    for (std::size_t i = 0; i < std::min(ids.size(), document.skeletons.size()); ++i) {
      const auto before = havok::read_skeleton(file, ids[i]);
      if (before && *before != document.skeletons[i].skeleton)
        MARROW_CHECK(havok::set_skeleton(file, ids[i], document.skeletons[i].skeleton, &context.notes));
    }
  }
  // Animations keep their order, though not their numbers.
  std::vector<ObjectId> animations = havok::find_animations(file);
  const std::map<std::uint32_t, std::size_t> places = places_of(animations);
  havok::Bindings bindings(file);
  for (const DocumentClip& clip : document.clips) {
    const auto place = places.find(clip.source.value);
    if (!clip.source.is_set() || place == places.end()) continue;
    MARROW_TRY(const bool is_renumbered, lay_over(file, animations[place->second], clip, bindings, bound, context));
    if (!is_renumbered) continue;
    animations = havok::find_animations(file);
    bindings = havok::Bindings(file);
  }
  const std::vector<ObjectId> systems = havok::find_physics(file);
  for (const DocumentCollision& collision : document.collision)
    MARROW_CHECK(havok::write_physics(collision.system, file, systems[collision.ordinal], &context.notes));
  return file;
}

Result<Game> game_for(const Document& document, const SaveOptions& options) {
  const std::optional<Game> game = options.game ? options.game : document.game;
  if (!game) return fail(ErrorCode::NeedsGame, "the file does not state which game it is for");
  if (family_of(*game) != GameFamily::Havok)
    return fail(ErrorCode::WrongGame, "a Havok file cannot be written for " + std::string(to_string(*game)) +
                                          "; choose skyrim-le, skyrim-se or fallout4");
  return *game;
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

// True if the curves of a clip are encoded as those of the games: 40-bit rotations, 16-bit numbers.
bool is_encoded_as_games(const Packfile& file, ObjectId id, const Limits& limits) {
  const auto view = havok::spline_data(file, id);
  const auto blob = view ? codec::read_spline_blob(*view, limits) : fail(ErrorCode::WrongKind, {});
  if (!blob) return false;
  const auto is_usual = [](const codec::TransformTrack& track) {
    return (track.rotation.codes.empty() || track.rotation.encoding == codec::QuaternionEncoding::ThreeComp40) &&
           (track.translation.codes.empty() || track.translation.encoding == codec::ScalarEncoding::Bits16) &&
           (track.scale.codes.empty() || track.scale.encoding == codec::ScalarEncoding::Bits16);
  };
  return std::ranges::all_of(
      blob->blocks, [&](const codec::SplineBlock& block) { return std::ranges::all_of(block.transforms, is_usual); });
}

// Encodes the clips of another game's file whose motion our games would not have in that form.
Result<Packfile> encoded_as_games(Packfile file, const EncodingBound& bound, Context& context) {
  const havok::Bindings bindings(file);
  for (const ObjectId id : havok::find_animations(file)) {
    if (is_encoded_as_games(file, id, context.limits)) continue;
    DocumentClip clip;
    MARROW_TRY(clip.clip, havok::read_clip(file, id, bindings, context.limits));
    MARROW_TRY(const codec::SplineBlob motion, spline_of(clip, context.limits, bound));
    MARROW_CHECK(havok::set_spline_motion(file, id, motion, clip.clip.duration_seconds));
  }
  return file;
}

// Returns the file that a glTF record keeps, with the changes of the clip; nothing if it is not usable.
Result<std::optional<Packfile>> kept_file(const DocumentClip& clip, Game game, const EncodingBound& bound,
                                          Context& context) {
  if (clip.kept_file.empty()) return std::nullopt;
  auto file = havok::read_packfile(clip.kept_file, {.limits = context.limits});
  const auto animations = file ? havok::find_animations(*file) : std::vector<ObjectId>{};
  if (animations.size() != 1) return std::nullopt;
  MARROW_CHECK(lay_over(*file, animations.front(), clip, havok::Bindings(*file), bound, context));
  if (havok::game_of(*file) != game) return havok::transcribed(*file, game, context.notes);
  return std::move(*file);
}

Result<Packfile> clip_file(const DocumentClip& clip, Game game, const EncodingBound& bound, Context& context) {
  MARROW_TRY(std::optional<Packfile> kept, kept_file(clip, game, bound, context));
  if (kept) return std::move(*kept);
  if (clip.as_frames) return havok::make_clip_file(clip.clip, game, nullptr, &context.notes);
  MARROW_TRY(const codec::SplineBlob motion, spline_of(clip, context.limits, bound));
  return havok::make_clip_file(clip.clip, game, &motion, &context.notes);
}

Result<Packfile> skeleton_file(const Document& document, Game game, Context& context) {
  std::vector<Skeleton> skeletons;
  for (const DocumentSkeleton& each : document.skeletons) skeletons.push_back(each.skeleton);
  context.note("the file has no ragdoll or physics; to keep those, write it into the game's own skeleton.hkx");
  return havok::make_skeleton_file(skeletons, game, &context.notes);
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

// Returns a document that was not a packfile as a new one, or as one for each clip.
Result<std::vector<NamedPackfile>> new_packfiles(const Document& document, const SaveOptions& options,
                                                 Context& context) {
  std::vector<NamedPackfile> files;
  const auto add = [&](std::string name, Result<Packfile> file) -> Result<void> {
    if (!file) return std::unexpected(std::move(file.error()));
    files.push_back({std::move(name), std::make_shared<const Packfile>(std::move(*file))});
    return {};
  };
  if (!document.collision.empty()) {
    MARROW_CHECK(add({}, havok::make_physics(document.collision.front().system, &context.notes)));
    return files;
  }
  if (document.clips.empty() && document.skeletons.empty())
    return fail(ErrorCode::WrongKind, "the file contains neither a skeleton nor an animation");
  MARROW_TRY(const Game game, game_for(document, options));
  if (document.clips.empty()) MARROW_CHECK(add({}, skeleton_file(document, game, context)));
  for (const DocumentClip& clip : document.clips) {
    auto file = clip_file(clip, game, options.bound, context);
    const DocumentSkeleton* skeleton = clip.skeleton ? &document.skeletons[*clip.skeleton] : nullptr;
    if (file && skeleton && skeleton->goes_along && clip.kept_file.empty())
      MARROW_CHECK(havok::add_skeleton(*file, skeleton->skeleton, &context.notes));
    MARROW_CHECK(add(document.clips.size() > 1 ? clip.name : std::string(), std::move(file)));
  }
  return files;
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
  if (!document.packfile() && (document.nif() || is_of_objects))
    return cannot_hold(*options.format, document);
  if (const Packfile* read = document.packfile()) MARROW_CHECK(refuse_loss(*read, options, context));
  MARROW_TRY(const std::vector<NamedPackfile> packfiles, packfiles_as_saved(document, options, context));
  std::vector<SavedFile> files;
  for (const NamedPackfile& each : packfiles) {
    MARROW_TRY(std::vector<std::byte> bytes, written(*each.file, options, context));
    files.push_back({each.name, std::string(extension_of(*options.format)), std::move(bytes)});
  }
  return files;
}

}  // namespace marrow
