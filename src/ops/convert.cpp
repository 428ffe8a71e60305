// SPDX-License-Identifier: MIT
#include "marrow/ops/convert.h"

#include <algorithm>
#include <iterator>

#include "core/try.h"
#include "marrow/core/text.h"
#include "marrow/havok/game.h"
#include "marrow/havok/packfile.h"
#include "marrow/ops/fit.h"
#include "marrow/ops/paired.h"

namespace marrow {
namespace {

Result<void> choose_clip(Document& document, const std::string& name) {
  if (name.empty()) return {};
  std::string known;
  for (DocumentClip& clip : document.clips) {
    if (clip.name == name) {
      document.clips = {DocumentClip(std::move(clip))};
      return {};
    }
    known += (known.empty() ? "" : ", ") + clip.name;
  }
  return fail(ErrorCode::NotFound, "there is no animation \"" + name + "\" in the file; there is " + known);
}

// Returns the skeletons of the options as those of the actors.
Result<Actors> given_actors(const Document* first, const Document* second) {
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
  document.collision.clear();
  document.parts = Parts::Skeletons;
  *std::ranges::find(document.skeletons, false, &DocumentSkeleton::is_ragdoll) = skeleton;
  return {};
}

Result<void> prepare_for_havok(Document& document, const ConvertOptions& options, Context& context) {
  if (document.packfile() || document.nif()) return {};
  MARROW_CHECK(choose_clip(document, options.clip));
  if (!options.skeleton) {
    if (std::ranges::any_of(document.clips, [&](const DocumentClip& clip) {
          return clip.skeleton && document.skeletons[*clip.skeleton].is_guessed;
        }))
      context.note("without the game's skeleton the bones keep the order of the file, which may not match any game");
    return {};
  }
  if (document.clips.empty()) return lay_over(document, *options.skeleton, context);
  MARROW_TRY(const Actors actors, given_actors(options.skeleton, options.second_skeleton));
  fit_clips(document, actors, context);
  return {};
}

Result<void> prepare_for_gltf(Document& document, const ConvertOptions& options, Context& context) {
  if (!document.packfile()) return {};
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
  // The whole file goes along, so that a clip that nobody touches comes back byte for byte, with all its objects.
  if (is_gltf(saved_format(document, options.save)) && document.clips.size() == 1)
    if (auto bytes = havok::write_packfile(*document.packfile())) document.clips[0].kept_file = std::move(*bytes);
  return {};
}

void describe_save(FieldList& fields, SaveOptions& save) {
  fields(
      "format", save.format,
      {.help = "write this format", .placeholder = "FORMAT", .otherwise = "the output's extension, else the input's"});
  fields("to", save.game, {.help = "write for this game", .placeholder = "GAME", .otherwise = "the input's"});
  fields("units", save.units, {.help = "length unit of glTF files", .placeholder = "UNITS"});
  fields("show_bones", save.show_bones, {.help = "add a mesh to glTF files that makes bones visible"});
  fields("root_motion", save.root_motion,
         {.help = "root motion in glTF files: kept aside, as motion of the root node, or baked into the root bones",
          .placeholder = "HOW"});
  fields("ragdoll", save.ragdoll, {.help = "export ragdoll skeletons too"});
}

}  // namespace

void describe(FieldList& fields, ConvertOptions& options) {
  describe_save(fields, options.save);
  fields.input("skeleton", options.skeleton, options.second_skeleton,
               {.help = "the skeleton that clips are for (twice for the actors of paired clips), or the file that a "
                        "skeleton goes back into",
                .placeholder = "FILE"});
  fields("clip", options.clip, {.help = "the clip to write, if a glTF file has several", .placeholder = "NAME"});
  fields("xml_style", options.save.xml_style,
         {.help = "exact keeps every bit; plain is what hkxcmd, hkxpack and hkxc write: six decimals, three lanes",
          .placeholder = "STYLE"});
  fields("pointer_size", options.save.pointer_size,
         {.help = "4 or 8 bytes, whatever the game",
          .placeholder = "BYTES",
          .min = 4,
          .max = 8,
          .otherwise = "that of the game"});
  fields("only_wrong", options.only_wrong,
         {.help = "write only files that are for another platform than the game: 32-bit files among 64-bit ones"});
}

void describe(FieldList& fields, ConvertReport& report) {
  fields("format", report.format);
  fields("bytes", report.bytes, {.unit = "bytes"});
  fields("unchanged", report.is_unchanged, {.help = "true if the file is right as it is, and nothing is written"});
}

void describe(FieldList& fields, MergeOptions& options) {
  describe_save(fields, options.save);
  fields.input(
      "skeleton", options.skeleton, options.second_skeleton,
      {.help = "the skeleton that the clips are for; twice for the actors of paired clips", .placeholder = "FILE"});
}

void describe(FieldList& fields, FailedInput& failed) {
  fields("path", failed.path);
  fields("error", failed.error);
}

void describe(FieldList& fields, MergeReport& report) {
  fields("files", report.files, {.help = "number of files that were read"});
  fields("failed", report.failed, {.help = "files that could not be read"});
}

void ConvertReport::saved(const Document&, const std::vector<SavedFile>& files) {
  for (const SavedFile& file : files) bytes += file.bytes.size();
}

Parts parts_to_convert(Format from, const SaveOptions& to) {
  const Format target = to.format.value_or(from);
  const bool is_for_anvil = to.game && family_of(*to.game) == GameFamily::Anvil;
  const bool is_rig = is_anvil(from) || from == Format::Json;  // the JSON that is read is that of a rig
  switch (target) {
    case Format::Glb:
    case Format::Gltf: return from == Format::Nif ? Parts::Collision : Parts::Skeletons | Parts::Frames | Parts::Meshes;
    case Format::Obj: return Parts::Collision | Parts::Meshes;
    case Format::Csv: return Parts::Skeletons | Parts::Frames;
    case Format::AnvilStandard:
    case Format::AnvilSchema: return is_rig ? Parts::None : Parts::Skeletons;
    case Format::Hkx:
    case Format::Xml:
    case Format::XmlTagfile:
      if (is_havok(from) && !is_for_anvil) return Parts::None;
      return target == Format::Xml && is_rig ? Parts::None : Parts::Skeletons | Parts::Frames;
    default: return Parts::None;
  }
}

bool is_forgotten_32_bit(const Document& document, const Context& context) {
  if (document.game != Game::SkyrimLe) return false;
  const bool is_named = to_lower(document.name).find("skyrim special edition") != std::string::npos;
  return is_named || (context.lookup && context.lookup->is_among_64_bit(document.name));
}

std::optional<Game> wrong_for(const Document& document, const ConvertOptions& options, Context& context) {
  const havok::Packfile* file = document.packfile();
  if (!file) return std::nullopt;
  const std::optional<Game> game = options.save.game;
  if (!game) return is_forgotten_32_bit(document, context) ? std::optional(Game::SkyrimSe) : std::nullopt;
  if (family_of(*game) != GameFamily::Havok || document.game == game) return std::nullopt;
  if (file->schema->version() == havok::version_of(*game)) return game;
  context.note("the file is for " + std::string(to_string(*document.game)) +
               " and is left alone; `retarget` plays its clips on a skeleton of " + std::string(to_string(*game)));
  return std::nullopt;
}

Result<ConvertReport> convert(Document& document, const ConvertOptions& options, Context& context) {
  const Format target = saved_format(document, options.save);
  if (is_havok(target)) MARROW_CHECK(prepare_for_havok(document, options, context));
  if (is_gltf(target) || target == Format::Csv) MARROW_CHECK(prepare_for_gltf(document, options, context));
  return ConvertReport{.format = target};
}

Result<void> merge_into(Document& merged, Document document) {
  if (!merged.skeletons.empty() && merged.metres_per_unit != document.metres_per_unit)
    return fail(ErrorCode::InvalidArgument, "files of games with different units cannot be written into one file");
  merged.metres_per_unit = document.metres_per_unit;
  if (!merged.game) merged.game = document.game;
  if (merged.format == Format::Unknown) merged.format = document.format;
  std::vector<std::size_t> place;
  for (DocumentSkeleton& skeleton : document.skeletons) {
    const auto same = std::ranges::find(merged.skeletons, skeleton.skeleton, &DocumentSkeleton::skeleton);
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
  merged.parts = merged.parts | document.parts;
  return {};
}

}  // namespace marrow
