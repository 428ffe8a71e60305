// SPDX-License-Identifier: MIT
#include "ops/files/convert.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "core/try.h"
#include "havok/animation/animation.h"
#include "havok/object/game.h"
#include "havok/object/transcribe.h"
#include "havok/packfile/packfile.h"
#include "havok/physics/physics.h"
#include "marrow/core/text.h"
#include "nif/bhk.h"
#include "nif/embedded.h"
#include "nif/node.h"
#include "nif/port.h"
#include "nif/schema.h"
#include "ops/body/rig.h"
#include "ops/clip/bound.h"
#include "ops/clip/choose_clip.h"
#include "ops/clip/fit.h"
#include "ops/collision/collision.h"
#include "ops/collision/port.h"
#include "ops/document/as_saved.h"
#include "ops/document/format_rows.h"
#include "ops/document/nif_edit.h"
#include "ops/document/origin.h"
#include "ops/files/convert_motion.h"
#include "ops/pair/paired.h"

namespace marrow {
namespace {

// Returns the skeletons of the options as those of the actors. A skeleton.nif beside a skeleton.hkx has bones of
// bodies, not of another actor.
Result<Actors> given_actors(const Document* first, const Document* second) {
  if (first && second && first->nif()) std::swap(first, second);
  if (first && second && second->nif()) second = nullptr;
  Actors actors;
  if (first) {
    MARROW_TRY(const DocumentSkeleton* found, main_skeleton(*first));
    actors.first = &found->skeleton;
  }
  if (second) {
    MARROW_TRY(const DocumentSkeleton* found, main_skeleton(*second));
    actors.second = &found->skeleton;
  }
  return actors;
}

// Fits clips that another program wrote to the bones of the game's skeleton.
void fit_clips(Document& document, const Actors& actors, Context& context) {
  for (DocumentClip& clip : document.clips) {
    if (!clip.skeleton) continue;
    const DocumentSkeleton& from = document.skeletons[*clip.skeleton];
    Skeleton skeleton = *actors.first;
    if (is_paired(from.skeleton)) {
      const PairedParts parts = paired_parts(from.skeleton);
      const bool is_placed = parts.root != kNoBone || parts.second_place != kNoBone;
      skeleton = from.is_guessed ? paired_skeleton(actors, is_placed) : skeleton_for(clip.clip, actors);
    }
    clip.clip = fit_to_skeleton(from, clip.clip, skeleton, context.notes);
    // A paired clip is recognised by its names.
    if (is_paired(skeleton) && clip.clip.annotation_tracks.empty())
      for (const Bone& bone : skeleton.bones) clip.clip.annotation_tracks.push_back({bone.name, {}});
  }
}

// Writes the skeleton into the file that it came from: only that file has the ragdoll, physics and mappers.
Result<void> lay_over(Document& document, const Document& base, Context& context) {
  if (!base.packfile()) return fail(ErrorCode::WrongKind, "a skeleton can only be written into a packfile");
  MARROW_TRY(const DocumentSkeleton* edited, main_skeleton(document));
  MARROW_TRY(const DocumentSkeleton* before, main_skeleton(base));
  if (before->skeleton.bones.size() != edited->skeleton.bones.size())
    context.note("the skeleton had " + std::to_string(before->skeleton.bones.size()) +
                 " bones; the ragdoll and the mappers of the file still refer to those");
  const DocumentSkeleton skeleton = *edited;
  std::string name = std::move(document.name);
  document = base;
  document.name = std::move(name);
  forget_parts(document, without(Parts::All, Parts::Skeletons));
  *std::ranges::find(document.skeletons, false, &DocumentSkeleton::is_ragdoll) = skeleton;
  return {};
}

Result<void> prepare_for_havok(Document& document, const ConvertOptions& options, ConvertReport& report,
                               Context& context) {
  if (document.packfile() || document.nif()) return {};
  MARROW_CHECK(choose_clip(document, options.clip, context));
  if (!options.skeleton) {
    if (std::ranges::any_of(document.clips, [&](const DocumentClip& clip) {
          return clip.skeleton && document.skeletons[*clip.skeleton].is_guessed;
        }))
      context.note("without the game's skeleton the bones keep the order of the file, which may not match any game");
    return {};
  }
  if (document.clips.empty()) return lay_over(document, *options.skeleton, context);
  MARROW_TRY(const Actors actors, given_actors(options.skeleton, options.second_skeleton));
  if (document.motion_source())
    MARROW_CHECK(fit_motion_source(document, *actors.first, report.left_bones, context));
  else
    fit_clips(document, actors, context);
  for (DocumentSkeleton& skeleton : document.skeletons) skeleton.goes_along = false;
  return {};
}

// Returns the file that goes along in glTF, so that a clip that nobody touches comes back byte for byte, with all its
// objects; nothing if a document is not a packfile with one clip.
Result<std::vector<std::byte>> file_to_keep(const Document& document, Context& context) {
  if (!document.packfile() || havok::find_animations(*document.packfile()).size() != 1) return std::vector<std::byte>{};
  MARROW_TRY(const std::shared_ptr<const havok::Packfile> file, packfile_as_saved(document, context));
  if (!file) return std::vector<std::byte>{};  // clips were added
  return havok::write_packfile(*file).value_or(std::vector<std::byte>{});
}

Result<void> prepare_for_gltf(Document& document, const ConvertOptions& options, std::vector<std::byte> whole_file,
                              Context& context) {
  if (document.motion_source() && !options.clip.empty()) MARROW_CHECK(choose_clip(document, options.clip, context));
  if (!is_havok(document.format)) return {};
  if (document.clips.empty()) {
    if (document.skeletons.empty() && document.collision.empty())
      return fail(ErrorCode::WrongKind, "the file contains neither a skeleton nor an animation");
    return {};
  }
  MARROW_TRY(Actors actors, given_actors(options.skeleton, options.second_skeleton));
  MARROW_TRY(const Skeleton* actor, skeleton_for_clips(document, actors.first, context));
  const Skeleton kept = *actor;  // a copy: it may belong to the document, which changes
  actors.first = &kept;
  attach_skeleton(document, actors, context);
  if (document.clips.size() == 1) document.clips[0].kept_file = std::move(whole_file);
  return {};
}

// Returns the blocks of the nodes of a system, in the order of `nodes`. Names may be those of several nodes.
Result<std::vector<std::int32_t>> node_blocks(const NifFile& nif, const DocumentCollision& collision) {
  std::vector<std::int32_t> blocks;
  if (bhk::keeps_blocks(nif.stream)) {
    for (const BodyNode& node : collision.nodes) blocks.push_back(node.block);
    return blocks;
  }
  MARROW_TRY(const std::vector<CollisionObject> objects, read_collision_objects(nif));
  MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(nif));
  for (const CollisionObject& object : objects)
    if (object.system == collision.block && std::ranges::any_of(nodes, [&](const NifNode& node) {
          return node.block == object.target && node.collision_object == object.block;
        }))
      blocks.push_back(object.target);
  blocks.resize(collision.nodes.size(), kNoBlock);
  return blocks;
}

// Between Skyrim and Fallout 4 nodes and collision are ported; other blocks are left out and counted.
Result<void> port_to_game(Document& document, std::uint32_t stream, std::map<std::string, std::size_t>& left_out,
                          std::vector<PortChange>& changes, Context& context) {
  MARROW_CHECK(read_parts(document, Parts::Collision, context));
  MARROW_TRY(PortedNodes nodes, port_nodes(*document.nif(), stream, left_out, &changes));
  NifFile& nif = nodes.file;
  for (const auto& [type, count] : left_out)
    context.note(std::to_string(count) + (count == 1 ? " block of type " : " blocks of type ") + type +
                 " cannot be written for the other game, and " + (count == 1 ? "is" : "are") + " left out");
  const CollisionGame to = bhk::keeps_blocks(stream) ? CollisionGame::Skyrim : CollisionGame::Fallout4;
  std::vector<DocumentCollision> ported;
  for (const DocumentCollision& each : document.collision) {
    if (each.kind == EmbeddedKind::Cloth) {
      changes.push_back({"collision", "cloth", std::to_string(each.system.bodies.size()) + " bodies", "left out"});
      context.note("cloth has no counterpart in the other game, and is left out");
      continue;
    }
    MARROW_TRY(DocumentCollision one, port_collision(each, to, context.notes, &changes));
    MARROW_TRY(const std::vector<std::int32_t> blocks, node_blocks(*document.nif(), each));
    for (std::size_t i = 0; i < one.nodes.size(); ++i)
      one.nodes[i].block = blocks[i] == kNoBlock ? kNoBlock : nodes.number[static_cast<std::size_t>(blocks[i])];
    ported.push_back(std::move(one));
  }
  // Bodies that no node uses are in no game.
  const std::string name = document.name;
  document.collision.clear();
  document.game = game_of_stream(stream);
  Notes steps;
  if (to == CollisionGame::Fallout4) {
    for (const DocumentCollision& each : ported) {
      MARROW_TRY(const havok::Packfile file, havok::make_physics(each.system, &context.notes));
      MARROW_TRY(const std::vector<std::byte> bytes, havok::write_packfile(file));
      std::vector<Attachment> where;
      for (const BodyNode& node : each.nodes) where.push_back({node.name, node.body, node.block});
      MARROW_CHECK(attach(nif, bytes, each.kind, where, steps, &probe_system));
    }
    OriginAccess::set(document, {NifOrigin{std::move(nif)}});
    document.name = name;
    return {};
  }
  OriginAccess::set(document, {NifOrigin{std::move(nif)}});
  document.name = name;
  OriginAccess::set_read(document, Parts::Collision);
  for (DocumentCollision& each : ported) {
    MARROW_CHECK(keep_bodies_on_nodes(each, context.notes));
    // Both kinds of systems are one in Skyrim.
    const auto same = std::ranges::find(document.collision, each.kind, &DocumentCollision::kind);
    if (same == document.collision.end()) {
      document.collision.push_back(std::move(each));
      continue;
    }
    MARROW_CHECK(join_systems(*same, each));
  }
  return store_systems(document, context, steps);
}

// Shapes of Skyrim LE and SE are stored otherwise.
Result<void> prepare_for_nif(Document& document, const ConvertOptions& options,
                             std::map<std::string, std::size_t>& left_out, std::vector<PortChange>& changes,
                             Context& context) {
  if (!document.nif() || !options.save.game || options.save.game == document.game) return {};
  const std::optional<std::uint32_t> stream = nif_stream(*options.save.game);
  if (!stream)
    return fail(ErrorCode::WrongGame, std::string(to_string(*options.save.game)) + " does not read NIF files",
                kNoOffset, "to");
  if ((*stream == nif::kFallout4) != (document.nif()->stream == nif::kFallout4))
    return port_to_game(document, *stream, left_out, changes, context);
  MARROW_TRY(NifFile nif, nif_as_saved(document, context));
  MARROW_CHECK(port_nif(nif, *stream, {.head_parts = options.save.head_parts, .limits = context.limits}, context.notes,
                        &changes));
  MARROW_CHECK(take_container(document, std::move(nif), context));
  document.game = options.save.game;
  return {};
}

}  // namespace

LoadOptions load_options(const ConvertOptions& options) {
  const Format format = options.save.format.value_or(Format::Hkx);
  // Output for Anvil is in metres.
  const bool is_for_anvil =
      is_anvil(format) || (options.save.game && family_of(*options.save.game) == GameFamily::Anvil);
  const bool is_in_metres = is_for_anvil || (options.units == Units::Metre && !is_gltf(format));
  return {.parts = Parts::None,
          .metres_per_unit = is_in_metres ? kMetresPerAnvilUnit : kMetresPerGameUnit,
          .frames_per_second = options.fps.value,
          .own_rate = options.fps.is_own,
          .scale = options.scale.value,
          .rest = options.rest};
}

void ConvertReport::saved(const Document&, const std::vector<SavedFile>& files) {
  for (const SavedFile& file : files) bytes += file.bytes.size();
}

namespace {

// A layout is one of a packfile that stays what it is otherwise.
Result<void> check_layout(const SaveOptions& save, Format target) {
  if (save.layout.empty()) return {};
  const auto refuse = [](std::string why) { return fail(ErrorCode::BadOption, std::move(why), kNoOffset, "layout"); };
  if (!havok::parse_layout(save.layout))
    return refuse("'" + save.layout +
                  "' is not a layout: pointer size 4 or 8, little-endian 0 or 1, reused padding 0 or 1, and 1");
  if (save.game) return refuse("a game has its own layout; leave out one of them");
  if (save.pointer_size) return refuse("the layout has a pointer size; leave out the other");
  if (target == Format::HkxIds && save.layout != "8101") return refuse("node ids are part of layout 8101 only");
  if (target != Format::Hkx && target != Format::HkxIds) return refuse("only packfiles (hkx) have a layout");
  return {};
}

// Node ids are part of one layout. A file that has some goes into another without them.
void leave_out_node_ids(Document& document, const SaveOptions& save, Context& context) {
  const havok::Packfile* file = document.packfile();
  const auto layout = havok::parse_layout(save.layout);
  if (!layout || save.format || !file || document.format != Format::HkxIds || *layout == file->layout()) return;
  document.format = Format::Hkx;
  context.note("its node ids are left out; only layout 8101 has them");
}

// Objects that another game's version has no classes for are dropped only if that is allowed.
Result<void> refuse_left_behind(const Document& document, const ConvertOptions& options, Format target) {
  const havok::Packfile* file = document.packfile();
  const bool is_port = file && options.save.game && family_of(*options.save.game) == GameFamily::Havok;
  if (!is_port || options.save.allow_loss || !is_havok(target)) return {};
  // A file that holds neither a clip nor a skeleton is refused with a better reason.
  if (havok::find_animations(*file).empty() && file->find_all("hkaSkeleton").empty()) return {};
  const std::string lost = havok::left_behind(*file, *options.save.game);
  if (lost.empty()) return {};
  return fail(
      ErrorCode::Unrepresentable,
      lost + ". Allow losses to write the skeletons and clips without them, or write them into the game's own file");
}

}  // namespace

Result<ConvertReport> convert(Document& document, const ConvertOptions& options, Context& context) {
  leave_out_node_ids(document, options.save, context);
  const Format target = saved_format(document, options.save);
  MARROW_CHECK(check_layout(options.save, target));
  MARROW_CHECK(refuse_left_behind(document, options, target));
  std::vector<std::byte> whole_file;
  if (is_gltf(target)) {
    MARROW_TRY(whole_file, file_to_keep(document, context));
  }
  MARROW_CHECK(read_parts(document, parts_to_save(document, options.save), context));
  if (document.motion_source() && !options.scale.value && !options.scale.is_auto)
    note_taken_unit(*document.motion_source(), 0.01 / static_cast<double>(load_options(options).metres_per_unit),
                    context);
  ConvertReport report{.format = target};
  std::map<std::string, std::size_t> left_out;
  if (target == Format::Nif) MARROW_CHECK(prepare_for_nif(document, options, left_out, report.changed, context));
  if (is_havok(target)) MARROW_CHECK(prepare_for_havok(document, options, report, context));
  if (is_gltf(target) || target == Format::Csv)
    MARROW_CHECK(prepare_for_gltf(document, options, std::move(whole_file), context));
  // An edit does not touch what it did not change; a conversion rewrites everything.
  if (target == Format::Nif && document.nif()) MARROW_CHECK(rewrite_nif(document, nullptr, context));
  if (is_gltf(target) && !options.is_part_of_many && !document.bodies.empty() && !document.motion_source()) {
    const std::array skeletons = {options.skeleton, options.second_skeleton};
    MARROW_CHECK(place_bodies(document, skeletons, context));
    embed_textures(document, options.textures, context);
  }
  for (const auto& [type, count] : left_out) {
    if (!report.left_out) report.left_out = Json::object();
    report.left_out->set(type, count);
  }
  return report;
}

Result<void> merge_into(Document& merged, Document document) {
  if (!merged.skeletons.empty() && merged.metres_per_unit != document.metres_per_unit)
    return fail(ErrorCode::InvalidArgument, "files of games with different units cannot be written into one file");
  merged.metres_per_unit = document.metres_per_unit;
  if (!merged.game) merged.game = document.game;
  if (merged.format == Format::Unknown) merged.format = document.format;
  std::vector<std::size_t> place;
  for (DocumentSkeleton& skeleton : document.skeletons) {
    // The nodes of a body are a rig of its own until all bodies are placed on one.
    const auto same = document.bodies.empty()
                          ? std::ranges::find(merged.skeletons, skeleton.skeleton, &DocumentSkeleton::skeleton)
                          : merged.skeletons.end();
    place.push_back(static_cast<std::size_t>(same - merged.skeletons.begin()));
    if (same == merged.skeletons.end()) merged.skeletons.push_back(std::move(skeleton));
  }
  for (DocumentClip& clip : document.clips) {
    clip.source = {};
    if (clip.skeleton) clip.skeleton = place[*clip.skeleton];
    merged.clips.push_back(std::move(clip));
  }
  const auto first = static_cast<std::uint16_t>(merged.materials.size());
  for (DocumentMesh& mesh : document.meshes) {
    for (std::uint16_t& material : mesh.mesh.materials) material = static_cast<std::uint16_t>(material + first);
    merged.meshes.push_back(std::move(mesh));
  }
  std::ranges::move(document.materials, std::back_inserter(merged.materials));
  for (DocumentBody& body : document.bodies) {
    if (body.skeleton) body.skeleton = place[*body.skeleton];
    merged.bodies.push_back(std::move(body));
  }
  return {};
}

}  // namespace marrow
