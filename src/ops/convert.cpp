// SPDX-License-Identifier: MIT
#include "marrow/ops/convert.h"

#include <algorithm>
#include <iterator>

#include "core/try.h"
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

// Fits clips that another program wrote to the bones of the game's skeleton.
void fit_clips(Document& document, const Skeleton& target, Context& context) {
  for (DocumentClip& clip : document.clips) {
    if (!clip.skeleton) continue;
    const DocumentSkeleton& from = document.skeletons[*clip.skeleton];
    Skeleton skeleton = target;
    if (is_paired(from.skeleton))
      skeleton = from.is_guessed ? paired_skeleton(target) : skeleton_for(clip.clip, target);
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
  MARROW_TRY(const DocumentSkeleton* target, main_skeleton(*options.skeleton));
  fit_clips(document, target->skeleton, context);
  return {};
}

Result<void> prepare_for_gltf(Document& document, const ConvertOptions& options, Context& context) {
  if (!document.packfile()) return {};
  if (document.clips.empty()) {
    if (document.skeletons.empty() && document.collision.empty())
      return fail(ErrorCode::WrongKind, "the file contains neither a skeleton nor an animation");
    return {};
  }
  const Skeleton* given = nullptr;
  if (options.skeleton) {
    MARROW_TRY(const DocumentSkeleton* found, main_skeleton(*options.skeleton));
    given = &found->skeleton;
  }
  MARROW_TRY(const Skeleton* actor, skeleton_for_clips(document, given, context));
  const Skeleton kept = *actor;  // a copy: it may belong to the document, which changes
  attach_skeleton(document, kept, context);
  return {};
}

void describe_save(FieldList& fields, SaveOptions& save) {
  fields("format", save.format,
         {.help = "write this format", .placeholder = "FORMAT", .otherwise = "the output's extension, else the input's"});
  fields("to", save.game, {.help = "write for this game", .placeholder = "GAME", .otherwise = "the input's"});
  fields("units", save.units, {.help = "length unit of glTF files", .placeholder = "UNITS"});
  fields("show_bones", save.show_bones, {.help = "add a mesh to glTF files that makes bones visible"});
  fields("ragdoll", save.ragdoll, {.help = "export ragdoll skeletons too"});
}

}  // namespace

void describe(FieldList& fields, ConvertOptions& options) {
  describe_save(fields, options.save);
  fields.input("skeleton", options.skeleton,
               {.help = "the skeleton that clips are for, or the file that a skeleton goes back into",
                .placeholder = "FILE"});
  fields("clip", options.clip, {.help = "the clip to write, if a glTF file has several", .placeholder = "NAME"});
}

void describe(FieldList& fields, ConvertReport& report) {
  fields("format", report.format);
  fields("bytes", report.bytes, {.unit = "bytes"});
}

void describe(FieldList& fields, MergeOptions& options) {
  describe_save(fields, options.save);
  fields.input("skeleton", options.skeleton, {.help = "the skeleton that the clips are for", .placeholder = "FILE"});
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
  switch (target) {
    case Format::Glb:
    case Format::Gltf:
      return from == Format::Nif ? Parts::Collision : Parts::Skeletons | Parts::Frames | Parts::Meshes;
    case Format::Obj: return from == Format::Nif ? Parts::Collision : Parts::Collision | Parts::Meshes;
    case Format::Csv: return Parts::Skeletons | Parts::Frames;
    case Format::AnvilStandard:
    case Format::AnvilSchema: return is_anvil(from) ? Parts::None : Parts::Skeletons;
    case Format::Hkx:
    case Format::Xml:
    case Format::XmlTagfile:
      if (is_havok(from) && !is_for_anvil) return Parts::None;
      return target == Format::Xml && is_anvil(from) ? Parts::None : Parts::Skeletons | Parts::Frames;
    default: return Parts::None;
  }
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
