// SPDX-License-Identifier: MIT
#include "marrow/ops/info.h"

#include <algorithm>

#include "core/try.h"
#include "marrow/anvil/hierarchy.h"
#include "marrow/havok/animation.h"
#include "marrow/ops/paired.h"

namespace marrow {
namespace {

using havok::FieldsView;
using havok::ObjectId;

void count(std::vector<std::pair<std::string, std::size_t>>& classes, std::string_view name) {
  const auto found = std::ranges::find(classes, name, &std::pair<std::string, std::size_t>::first);
  if (found == classes.end())
    classes.emplace_back(name, 1);
  else
    ++found->second;
}

// Reads the objects directly, so that a clip with broken motion can still be listed.
ClipInfo clip_info(const havok::Packfile& file, ObjectId id) {
  const FieldsView animation = file.at(id).fields();
  ClipInfo clip;
  clip.tracks = animation.integer("numberOfTransformTracks");
  clip.float_tracks = animation.integer("numberOfFloatTracks");
  clip.duration_seconds = animation.real("duration");
  if (animation.has("numFrames"))
    clip.frames = animation.integer("numFrames");
  else if (animation.has("transforms") && clip.tracks > 0)
    clip.frames = animation.array("transforms").size() / clip.tracks;
  clip.root_motion = !animation.pointer("extractedMotion").is_null();
  const havok::ArrayView tracks = animation.array("annotationTracks");
  for (std::uint32_t i = 0; i < tracks.size(); ++i) clip.annotations += tracks.record(i).array("annotations").size();
  if (const ObjectId binding = havok::find_binding(file, id); !binding.is_null())
    clip.additive = file.at(binding).fields().integer("blendHint") != 0;
  return clip;
}

ClipInfo clip_info(const Clip& clip) {
  ClipInfo info{.frames = clip.frame_count,
                .tracks = clip.track_count,
                .float_tracks = clip.float_track_count,
                .duration_seconds = static_cast<double>(clip.duration_seconds),
                .annotations = 0,
                .root_motion = clip.root_motion.has_value(),
                .additive = clip.blend_hint != BlendHint::Normal};
  for (const AnnotationTrack& track : clip.annotation_tracks) info.annotations += track.annotations.size();
  return info;
}

void sum_up(const havok::Packfile& file, InfoReport& report) {
  report.version = file.schema->version();
  report.pointer_size = file.pointer_size;
  for (const havok::Object& object : file.objects) count(report.classes, object.class_name());
  for (const ObjectId id : file.find_all("hkaSkeleton"))
    if (file.at(id).type) {
      const FieldsView skeleton = file.at(id).fields();
      report.skeletons.push_back({std::string(skeleton.text("name").value_or("")), skeleton.array("bones").size(), 0});
    }
  for (const ObjectId id : havok::find_animations(file)) {
    report.clips.push_back(clip_info(file, id));
    if (const auto header = havok::read_clip_header(file, id); header && is_paired(*header)) report.actors = 2;
  }
}

void sum_up(const anvil::Skeleton& skeleton, InfoReport& report) {
  report.version = skeleton.origin.tool + " " + skeleton.origin.tool_version;
  report.type = skeleton.type;
  report.id = skeleton.id;
  report.modifiers = report.named = 0;
  count(report.classes, "Skeleton");
  SkeletonInfo summary;
  const std::int32_t root = anvil::hierarchy_of(skeleton).find(skeleton.root);
  if (root >= 0) summary.name = anvil::display_name(skeleton.bones[static_cast<std::size_t>(root)].name);
  summary.bones = skeleton.bones.size();
  for (const anvil::Bone& bone : skeleton.bones) {
    count(report.classes, "Bone");
    *report.named += !bone.name.text.empty();
    *report.modifiers += bone.modifiers.size();
    bool has_fx = false;
    for (const auto& modifier : bone.modifiers) {
      count(report.classes, class_name(modifier));
      has_fx |= modifier.type() == ModifierType::Fx;
    }
    summary.fx_bones += has_fx;
  }
  report.skeletons.push_back(std::move(summary));
}

void sum_up(const NifFile& nif, const Document& document, InfoReport& report) {
  report.version = "20.2.0.7";
  for (std::size_t i = 0; i < nif.blocks.size(); ++i) count(report.classes, nif.type_of(static_cast<std::int32_t>(i)));
  report.systems = document.collision.size();
  report.bodies = 0;
  for (const DocumentCollision& each : document.collision) *report.bodies += each.system.bodies.size();
}

void sum_up_values(const Document& document, InfoReport& report) {
  if (is_gltf(document.format)) report.version = "2.0";
  for (const DocumentSkeleton& each : document.skeletons)
    report.skeletons.push_back({each.skeleton.name, each.skeleton.bones.size(), 0});
  for (const DocumentClip& each : document.clips) {
    report.clips.push_back(clip_info(each.clip));
    if (each.skeleton && is_paired(document.skeletons[*each.skeleton].skeleton)) report.actors = 2;
  }
  if (!document.meshes.empty()) report.meshes = document.meshes.size();
}

}  // namespace

void describe(FieldList&, InfoOptions&) {}

void describe(FieldList& fields, SkeletonInfo& skeleton) {
  fields("name", skeleton.name);
  fields("bones", skeleton.bones, {.help = "number of bones"});
  fields("fx_bones", skeleton.fx_bones, {.help = "bones with an FX modifier (Anvil)"});
}

void describe(FieldList& fields, ClipInfo& clip) {
  fields("frames", clip.frames);
  fields("tracks", clip.tracks);
  fields("float_tracks", clip.float_tracks);
  fields("duration_seconds", clip.duration_seconds, {.unit = "seconds"});
  fields("annotations", clip.annotations, {.help = "number of events"});
  fields("root_motion", clip.root_motion);
  fields("additive", clip.additive);
}

void describe(FieldList& fields, InfoReport& report) {
  fields("format", report.format);
  fields("game", report.game);
  fields("version", report.version, {.help = "as stated in the file"});
  fields("pointer_size", report.pointer_size, {.unit = "bytes"});
  fields("classes", report.classes, {.help = "number of objects by class"});
  fields("skeletons", report.skeletons);
  fields("clips", report.clips);
  fields("actors", report.actors, {.help = "2 if a clip is paired", .sparse = true});
  fields("meshes", report.meshes, {.sparse = true});
  fields("systems", report.systems, {.help = "physics systems, ragdolls and cloth of a NIF", .sparse = true});
  fields("bodies", report.bodies, {.help = "bodies of a NIF", .sparse = true});
  fields("type", report.type, {.help = "SkeletonType of Anvil skeletons, 8 for addons", .sparse = true});
  fields("id", report.id, {.help = "object id of an Anvil skeleton", .sparse = true});
  fields("modifiers", report.modifiers, {.help = "number of modifiers of an Anvil skeleton", .sparse = true});
  fields("named", report.named, {.help = "bones of an Anvil skeleton whose name is known", .sparse = true});
}

Result<InfoReport> info(const Document& document, const InfoOptions&, Context&) {
  InfoReport report;
  report.format = document.format;
  report.game = document.game;
  if (document.packfile())
    sum_up(*document.packfile(), report);
  else if (document.nif())
    sum_up(*document.nif(), document, report);
  else if (is_anvil(document.format))
    sum_up(*document.anvil(), report);
  else
    sum_up_values(document, report);
  return report;
}

}  // namespace marrow
