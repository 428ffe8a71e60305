// SPDX-License-Identifier: MIT
#include "ops/document/packfile_values.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <map>
#include <set>

#include "core/try.h"
#include "havok/animation/animation.h"
#include "havok/animation/skeleton.h"
#include "havok/object/game.h"
#include "havok/object/transcribe.h"
#include "havok/physics/physics.h"
#include "model/clip_values.h"
#include "ops/document/origin.h"
#include "ops/document/spline_motion.h"

namespace marrow {
namespace {

using havok::ObjectId;
using havok::Packfile;

ObjectId animation_of(const DocumentClip& clip) { return {clip.source.value}; }

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

}  // namespace

std::unexpected<Error> other_systems() {
  return fail(ErrorCode::Unrepresentable,
              "systems of collision were added to the document or removed from it, which saving cannot do for them",
              Cure{"collision attach"}, "collision");
}

Result<void> lay_systems_over(Packfile& file, std::size_t packfile, const std::vector<DocumentCollision>& all,
                              Notes& notes) {
  const std::vector<ObjectId> systems = havok::find_physics(file);
  std::set<std::size_t> written;
  for (const DocumentCollision& collision : all) {
    if (collision.packfile != packfile || collision.kind == EmbeddedKind::Cloth) continue;
    // One that was added has none to be laid over.
    if (collision.ordinal >= systems.size() || !written.insert(collision.ordinal).second) return other_systems();
    MARROW_CHECK(havok::write_physics(collision.system, file, systems[collision.ordinal], &notes));
  }
  return {};
}

bool has_other_clips(const Document& document) {
  if (!document.packfile() || !has(OriginAccess::read(document), Parts::Clips)) return false;
  std::vector<std::uint32_t> before, now;
  for (const ObjectId id : havok::find_animations(*document.packfile())) before.push_back(id.index);
  for (const DocumentClip& clip : document.clips) now.push_back(animation_of(clip).index);
  std::ranges::sort(before);
  std::ranges::sort(now);
  return before != now;
}

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
  MARROW_CHECK(lay_systems_over(file, 0, document.collision, context.notes));
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

Result<std::vector<NamedPackfile>> new_packfiles(const Document& document, const SaveOptions& options,
                                                 Context& context) {
  std::vector<NamedPackfile> files;
  const auto add = [&](std::string name, Result<Packfile> file) -> Result<void> {
    if (!file) return std::unexpected(std::move(file.error()));
    files.push_back({std::move(name), std::make_shared<const Packfile>(std::move(*file))});
    return {};
  };
  if (!document.collision.empty() && document.clips.empty()) {
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

}  // namespace marrow
