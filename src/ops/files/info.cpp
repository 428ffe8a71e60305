// SPDX-License-Identifier: MIT
#include "ops/files/info.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "anvil/hierarchy.h"
#include "anvil/to_model.h"
#include "codec/bspline.h"
#include "core/try.h"
#include "havok/animation/animation.h"
#include "havok/animation/rows.h"
#include "havok/animation/skeleton.h"
#include "havok/object/game.h"
#include "nif/embedded.h"
#include "ops/document/as_saved.h"
#include "ops/pair/paired.h"

namespace marrow {
namespace {

using havok::FieldsView;
using havok::ObjectId;

/// Counts by name, in the order of the first of each.
class ClassCounts {
 public:
  explicit ClassCounts(InfoReport& report) : classes_(report.classes) {}

  void add(std::string_view name) {
    const auto [place, is_new] = places_.try_emplace(std::string(name), classes_.size());
    if (is_new) classes_.emplace_back(name, 0);
    ++classes_[place->second].second;
  }

 private:
  std::vector<std::pair<std::string, std::size_t>>& classes_;
  std::unordered_map<std::string, std::size_t> places_;
};

std::string_view word_of(BlendHint hint) {
  constexpr std::array<std::string_view, 3> kWords = {"normal", "additive", "additive-deprecated"};
  return kWords[static_cast<std::size_t>(hint)];
}

double frames_per_second(std::int64_t frames, double seconds) {
  return frames > 1 && seconds > 0.0 ? static_cast<double>(frames - 1) / seconds : 0.0;
}

void count_event(ClipInfo& clip, float seconds) {
  ++clip.annotations;
  clip.first_annotation = std::min(seconds, clip.first_annotation.value_or(seconds));
  clip.last_annotation = std::max(seconds, clip.last_annotation.value_or(seconds));
}

// Returns the encodings of channels that store anything, in the order of their names.
std::vector<std::string> encodings_of(const codec::SplineSummary& summary) {
  std::vector<std::string> names;
  const auto add = [&](unsigned set, unsigned member, auto name) {
    if ((set >> member & 1) != 0) names.emplace_back(name);
  };
  for (unsigned degree = 0; degree <= codec::kMaxDegree; ++degree)
    add(summary.degrees, degree, "curve of degree " + std::to_string(degree));
  for (unsigned i = 0; i < 8; ++i)
    add(summary.rotation_encodings, i, "rotation " + std::string(to_string(static_cast<codec::QuaternionEncoding>(i))));
  const auto add_scalar = [&](const std::string& kind, unsigned set) {
    add(set, static_cast<unsigned>(codec::ScalarEncoding::Bits8), kind + " 8-bit");
    add(set, static_cast<unsigned>(codec::ScalarEncoding::Bits16), kind + " 16-bit");
  };
  add_scalar("scale", summary.scale_encodings);
  add_scalar("translation", summary.translation_encodings);
  std::ranges::sort(names);
  return names;
}

// Motion that cannot be read has its size and nothing else.
void add_motion(const havok::Packfile& file, ObjectId id, ClipInfo& clip) {
  const FieldsView animation = file.at(id).fields();
  clip.encoding = animation.type().name;
  if (const auto view = havok::spline_data(file, id)) {
    clip.bytes.total = view->data.size();
    const auto summary = codec::summarize(*view);
    if (!summary) return;
    const codec::ChannelBytes& channels = summary->channels;
    clip.bytes = {channels.masks,  channels.translation, channels.rotation, channels.scale,
                  channels.floats, channels.padding,     view->data.size()};
    clip.encodings = encodings_of(*summary);
  } else if (animation.has("transforms")) {
    clip.encodings = {"uncompressed"};
    clip.bytes.floats = animation.has("floats") ? animation.array("floats").storage().pods().size() : 0;
    clip.bytes.total = animation.array("transforms").storage().pods().size() + clip.bytes.floats;
  } else if (animation.has("dataBuffer")) {
    clip.bytes.total = animation.array("dataBuffer").storage().pods().size();
  }
}

// Reads the objects directly, so that a clip with broken motion can still be listed.
ClipInfo clip_info(const havok::Packfile& file, ObjectId id, const havok::Bindings& bindings) {
  const FieldsView animation = file.at(id).fields();
  ClipInfo clip;
  clip.tracks = animation.integer("numberOfTransformTracks");
  clip.float_tracks = animation.has("numberOfFloatTracks") ? animation.integer("numberOfFloatTracks") : 0;
  clip.duration_seconds = animation.real("duration");
  if (animation.has("numFrames"))
    clip.frames = animation.integer("numFrames");
  else if (animation.has("numberOfPoses"))
    clip.frames = animation.integer("numberOfPoses");
  else if (animation.has("transforms") && clip.tracks > 0)
    clip.frames = animation.array("transforms").size() / clip.tracks;
  clip.root_motion = !animation.pointer("extractedMotion").is_null();
  const havok::ArrayView tracks = animation.array("annotationTracks");
  for (std::uint32_t i = 0; i < tracks.size(); ++i) {
    const auto row = havok::row_at(file, tracks, i);
    if (!row || !row->has("annotations")) continue;
    const havok::ArrayView events = row->array("annotations");
    for (std::uint32_t e = 0; e < events.size(); ++e)
      count_event(clip, static_cast<float>(events.record(e).real("time")));
  }
  clip.frames_per_second = frames_per_second(clip.frames, clip.duration_seconds);
  clip.blend_hint = word_of(BlendHint::Normal);
  if (const ObjectId binding = bindings.of(id); !binding.is_null()) {
    const FieldsView fields = file.at(binding).fields();
    clip.additive = fields.integer("blendHint") != 0;
    if (fields.has("originalSkeletonName")) clip.skeleton = fields.text("originalSkeletonName").value_or("");
    if (const auto header = havok::read_clip_header(file, id, bindings)) clip.blend_hint = word_of(header->blend_hint);
  }
  add_motion(file, id, clip);
  return clip;
}

ClipInfo clip_info(const Clip& clip) {
  ClipInfo info{.frames = clip.frame_count,
                .tracks = clip.track_count,
                .float_tracks = clip.float_track_count,
                .duration_seconds = static_cast<double>(clip.duration_seconds),
                .annotations = 0,
                .root_motion = clip.root_motion.has_value(),
                .additive = clip.blend_hint != BlendHint::Normal,
                .frames_per_second = frames_per_second(clip.frame_count, static_cast<double>(clip.duration_seconds)),
                .skeleton = clip.skeleton_name,
                .blend_hint = std::string(word_of(clip.blend_hint)),
                .encoding = "frames"};
  for (const AnnotationTrack& track : clip.annotation_tracks)
    for (const Annotation& event : track.annotations) count_event(info, event.time_seconds);
  return info;
}

std::vector<BoneInfo> table_of(const Skeleton& skeleton) {
  std::vector<BoneInfo> table;
  for (const Bone& bone : skeleton.bones) {
    BoneInfo row{.index = table.size(),
                 .name = bone.name,
                 .parent = bone.parent < 0 ? std::nullopt : std::optional(bone.parent),
                 .position = bone.rest.translation,
                 .rotation = bone.rest.rotation,
                 .scale = bone.rest.scale};
    if (bone.lock_translation) row.flags.emplace_back("lock-translation");
    table.push_back(std::move(row));
  }
  return table;
}

std::vector<std::string> texts(const FieldsView& fields, std::string_view member) {
  std::vector<std::string> out;
  const havok::ArrayView list = fields.array(member);
  for (std::uint32_t i = 0; i < list.size(); ++i) out.emplace_back(list.text(i).value_or(""));
  return out;
}

std::optional<BehaviourInfo> behaviour_info(const havok::Packfile& file) {
  const auto first = [&](std::string_view name) -> std::optional<FieldsView> {
    for (const ObjectId id : file.find_all(name))
      if (file.at(id).type) return file.at(id).fields();
    return std::nullopt;
  };
  if (const auto graph = first("hkbBehaviorGraph")) {
    BehaviourInfo info{.kind = "behavior", .name = std::string(graph->text("name").value_or(""))};
    if (const auto names = first("hkbBehaviorGraphStringData")) {
      info.events = names->array("eventNames").size();
      info.variables = names->array("variableNames").size();
    }
    info.machines = file.find_all("hkbStateMachine").size();
    info.states = file.find_all("hkbStateMachineStateInfo").size();
    info.clips = file.find_all("hkbClipGenerator").size();
    for (const ObjectId id : file.find_all("hkbBehaviorReferenceGenerator"))
      if (file.at(id).type) info.references.emplace_back(file.at(id).fields().text("behaviorName").value_or(""));
    return info;
  }
  if (const auto character = first("hkbCharacterStringData"))
    return BehaviourInfo{.kind = "character",
                         .name = std::string(character->text("name").value_or("")),
                         .rig = std::string(character->text("rigName").value_or("")),
                         .behavior = std::string(character->text("behaviorFilename").value_or("")),
                         .animations = character->array("animationNames").size()};
  if (const auto project = first("hkbProjectStringData"))
    return BehaviourInfo{.kind = "project", .characters = texts(*project, "characterFilenames")};
  return std::nullopt;
}

std::string actor_order(const Clip& clip) {
  std::vector<std::string> names;
  for (const AnnotationTrack& track : clip.annotation_tracks) names.push_back(track.name);
  const PairedParts parts = paired_parts(names);
  if (parts.second.empty() || parts.first.empty()) return "not named";
  return order_of(parts) == PairOrder::SecondFirst ? "2_, NPC" : "NPC, 2_";
}

void sum_up(const havok::Packfile& file, const InfoOptions& options, InfoReport& report) {
  report.version = file.schema->version();
  report.pointer_size = file.pointer_size;
  report.endian = file.is_big_endian ? "big" : "little";
  if (!file.tag_types)
    report.layout =
        std::vector<std::uint32_t>{file.pointer_size, file.is_big_endian ? 0u : 1u, file.reuses_padding ? 1u : 0u, 1u};
  if (const std::string_view known = havok::known_game(file); !known.empty()) report.known_as = known;
  ClassCounts counts(report);
  for (const havok::Object& object : file.objects) counts.add(object.class_name());
  for (const ObjectId id : file.find_all("hkaSkeleton"))
    if (file.at(id).type) {
      const FieldsView skeleton = file.at(id).fields();
      SkeletonInfo& info = report.skeletons.emplace_back();
      info.name = skeleton.text("name").value_or("");
      info.bones = skeleton.array("bones").size();
      if (options.bones)
        if (const auto read = havok::read_skeleton(file, id)) info.table = table_of(*read);
    }
  const havok::Bindings bindings(file);
  for (const ObjectId id : havok::find_animations(file)) {
    report.clips.push_back(clip_info(file, id, bindings));
    if (const auto header = havok::read_clip_header(file, id, bindings); header && is_paired(*header)) {
      report.actors = 2;
      report.actor_order = actor_order(*header);
    }
  }
  report.about = behaviour_info(file);
}

void sum_up(const anvil::Skeleton& skeleton, const InfoOptions& options, InfoReport& report) {
  report.version = skeleton.origin.tool + " " + skeleton.origin.tool_version;
  report.type = skeleton.type;
  report.id = skeleton.id;
  report.modifiers = report.named = 0;
  ClassCounts counts(report);
  counts.add("Skeleton");
  SkeletonInfo summary;
  const std::int32_t root = anvil::hierarchy_of(skeleton).find(skeleton.root);
  if (root >= 0) summary.name = anvil::display_name(skeleton.bones[static_cast<std::size_t>(root)].name);
  summary.bones = skeleton.bones.size();
  for (const anvil::Bone& bone : skeleton.bones) {
    counts.add("Bone");
    *report.named += !bone.name.text.empty();
    *report.modifiers += bone.modifiers.size();
    bool has_fx = false;
    for (const auto& modifier : bone.modifiers) {
      counts.add(class_name(modifier));
      has_fx |= modifier.type() == ModifierType::Fx;
    }
    summary.fx_bones += has_fx;
  }
  if (options.bones)
    if (const auto rig = anvil::to_model(skeleton)) summary.table = table_of(rig->skeleton);
  report.skeletons.push_back(std::move(summary));
}

Result<void> sum_up(const NifFile& nif, const Document& document, const Limits& limits, InfoReport& report) {
  report.version = "20.2.0.7";
  ClassCounts counts(report);
  for (std::size_t i = 0; i < nif.blocks.size(); ++i) counts.add(nif.type_of(static_cast<std::int32_t>(i)));
  report.systems = document.collision.size();
  report.bodies = 0;
  for (const DocumentCollision& each : document.collision) *report.bodies += each.system.bodies.size();
  MARROW_TRY(report.shapes, shape_infos(nif, limits));
  return {};
}

void sum_up_values(const Document& document, const InfoOptions& options, InfoReport& report) {
  if (is_gltf(document.format)) report.version = "2.0";
  for (const DocumentSkeleton& each : document.skeletons)
    report.skeletons.push_back({.name = each.skeleton.name,
                                .bones = each.skeleton.bones.size(),
                                .table = options.bones ? std::optional(table_of(each.skeleton)) : std::nullopt});
  for (const DocumentClip& each : document.clips) {
    report.clips.push_back(clip_info(each.clip));
    if (is_gltf(document.format)) report.clips.back().name = each.name;
    if (each.skeleton && is_paired(document.skeletons[*each.skeleton].skeleton)) report.actors = 2;
  }
  if (!document.meshes.empty()) report.meshes = Json(document.meshes.size());
}

// What a file of another program states, at its own rate and in its own units.
void sum_up(const MotionSource& source, const InfoOptions& options, Context& context, InfoReport& report) {
  report.version = source.version ? Json(*source.version) : Json();
  report.up_axis = source.space.up_axis;
  report.unit_cm = source.space.centimetres_per_unit;
  if (!source.bones.empty()) {
    SkeletonInfo& skeleton = report.skeletons.emplace_back(SkeletonInfo{.name = source.name});
    skeleton.bones = source.bones.size();
    if (options.bones) skeleton.table = table_of(skeleton_from(source, {}, context.notes));
  }
  for (const SourceClip& clip : source.clips) {
    ClipInfo& info = report.clips.emplace_back(ClipInfo{.name = clip.name});
    info.frames = clip.frame_count;
    info.tracks = static_cast<std::int64_t>(source.bones.size());
    info.duration_seconds = clip.duration_seconds();
    info.frames_per_second = clip.frames_per_second;
    info.start_seconds = clip.start_seconds;
    info.blend_hint = word_of(BlendHint::Normal);
    info.encoding = report.format == Format::Fbx ? "curves" : "frames";
  }
  std::vector<MeshInfo> meshes;
  for (const SourceMesh& mesh : source.meshes) {
    MeshInfo& info = meshes.emplace_back(
        MeshInfo{.name = mesh.name, .vertices = mesh.vertices.size(), .triangles = mesh.triangle_count()});
    for (const SourceMesh::Binding& binding : mesh.bindings)
      if (binding.bone != kNoBone && !binding.influences.empty())
        info.bones.push_back(source.bones[static_cast<std::size_t>(binding.bone)].name);
  }
  if (report.format == Format::Fbx) report.meshes = described::Traits<std::vector<MeshInfo>>::get(meshes);
}

}  // namespace

Result<InfoReport> info(const Document& given, const InfoOptions& options, Context& context) {
  MARROW_TRY(Document document, as_saved(given, context));
  InfoReport report;
  report.format = document.format;
  report.game = document.game;
  if (const MotionSource* source = document.motion_source()) {
    sum_up(*source, options, context, report);
  } else if (document.packfile()) {
    sum_up(*document.packfile(), options, report);
  } else if (document.nif()) {
    MARROW_CHECK(read_parts(document, Parts::Collision, context));
    MARROW_CHECK(sum_up(*document.nif(), document, context.limits, report));
  } else if (is_anvil(document.format) && document.anvil()) {
    sum_up(*document.anvil(), options, report);
  } else {
    sum_up_values(document, options, report);
  }
  return report;
}

}  // namespace marrow
