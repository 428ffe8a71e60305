// SPDX-License-Identifier: MIT
// Options and report of `info` as data.
#include "ops/files/info.h"

namespace marrow {

void describe(FieldList& fields, InfoOptions& options) {
  fields("bones", options.bones, {.help = "list the bones of each skeleton: index, parent, name, rest pose, flags"});
}

void describe(FieldList& fields, BoneInfo& bone) {
  fields("index", bone.index);
  fields("name", bone.name);
  fields("parent", bone.parent, {.help = "index of the parent; null for a root"});
  fields("position", bone.position, {.help = "at rest, relative to the parent", .unit = "units"});
  fields("rotation", bone.rotation, {.help = "x, y, z, w"});
  fields("scale", bone.scale);
  fields("flags", bone.flags);
}

void describe(FieldList& fields, MotionBytes& bytes) {
  for (const auto& [name, value] :
       {std::pair("masks", &MotionBytes::masks), std::pair("translation", &MotionBytes::translation),
        std::pair("rotation", &MotionBytes::rotation), std::pair("scale", &MotionBytes::scale),
        std::pair("floats", &MotionBytes::floats), std::pair("padding", &MotionBytes::padding),
        std::pair("total", &MotionBytes::total)})
    fields(name, bytes.*value, {.unit = "bytes"});
}

void describe(FieldList& fields, SkeletonInfo& skeleton) {
  fields("name", skeleton.name);
  fields("bones", skeleton.bones, {.help = "number of bones"});
  fields("fx_bones", skeleton.fx_bones, {.help = "bones with an FX modifier (Anvil)"});
  fields("table", skeleton.table, {.help = "the bones, if asked for", .sparse = true});
}

void describe(FieldList& fields, MeshInfo& mesh) {
  fields("name", mesh.name);
  fields("vertices", mesh.vertices);
  fields("triangles", mesh.triangles);
  fields("bones", mesh.bones, {.help = "that bend it"});
}

void describe(FieldList& fields, ClipInfo& clip) {
  fields("name", clip.name, {.help = "of a clip of glTF, FBX and BVH", .sparse = true});
  fields("frames", clip.frames);
  fields("tracks", clip.tracks);
  fields("float_tracks", clip.float_tracks);
  fields("duration_seconds", clip.duration_seconds, {.unit = "seconds"});
  fields("annotations", clip.annotations, {.help = "number of events"});
  fields("root_motion", clip.root_motion);
  fields("additive", clip.additive);
  fields("frames_per_second", clip.frames_per_second, {.help = "0 if the clip does not move"});
  fields("skeleton", clip.skeleton, {.help = "the skeleton that the binding names"});
  fields("blend_hint", clip.blend_hint, {.help = "normal, additive or additive-deprecated"});
  fields("encoding", clip.encoding, {.help = "class of the animation"});
  fields("encodings", clip.encodings, {.help = "of its channels"});
  fields("bytes", clip.bytes, {.help = "stored motion by kind of channel"});
  fields("first_annotation", clip.first_annotation, {.unit = "seconds", .sparse = true});
  fields("last_annotation", clip.last_annotation, {.unit = "seconds", .sparse = true});
  fields("start_seconds", clip.start_seconds,
         {.help = "of FBX and BVH, by the clock of the file", .unit = "seconds", .sparse = true});
}

void describe(FieldList& fields, BehaviourInfo& info) {
  fields("kind", info.kind, {.help = "project, character or behavior"});
  fields("name", info.name, {.help = "of the character or the graph"});
  fields("rig", info.rig, {.help = "the skeleton file of a character"});
  fields("behavior", info.behavior, {.help = "the behaviour file of a character"});
  fields("characters", info.characters, {.help = "the character files of a project"});
  fields("references", info.references, {.help = "further behaviour files of a behaviour"});
  fields("animations", info.animations, {.help = "number of clips of a character"});
  fields("events", info.events);
  fields("variables", info.variables);
  fields("machines", info.machines, {.help = "state machines of a behaviour"});
  fields("states", info.states);
  fields("clips", info.clips, {.help = "nodes of a behaviour that play a clip"});
}

void describe(FieldList& fields, InfoReport& report) {
  fields("format", report.format);
  fields("game", report.game);
  fields("version", report.version, {.help = "as stated in the file"});
  fields("pointer_size", report.pointer_size, {.unit = "bytes"});
  fields("endian", report.endian, {.help = "byte order of Havok's binary files, little or big", .sparse = true});
  fields("layout", report.layout,
         {.help = "of a packfile: pointer size, little-endian, reused padding, empty bases", .sparse = true});
  fields("known_as", report.known_as,
         {.help = "another game that has such files, for which none are written", .sparse = true});
  fields("classes", report.classes, {.help = "number of objects by class"});
  fields("skeletons", report.skeletons);
  fields("clips", report.clips);
  fields("actors", report.actors, {.help = "2 if a clip is paired", .sparse = true});
  fields(
      "actor_order", report.actor_order,
      {.help = "of a paired clip, whose tracks come first: \"NPC, 2_\", \"2_, NPC\" or \"not named\"", .sparse = true});
  fields("about", report.about, {.help = "what a project, character or behaviour file is about", .sparse = true});
  fields("meshes", report.meshes, {.help = "number of meshes; of FBX, the meshes", .sparse = true});
  fields("up_axis", report.up_axis, {.help = "of FBX and BVH: y, -z", .sparse = true});
  fields("unit_cm", report.unit_cm, {.help = "of FBX and BVH: one unit of the file", .unit = "cm", .sparse = true});
  fields("systems", report.systems, {.help = "physics systems, ragdolls and cloth of a NIF", .sparse = true});
  fields("bodies", report.bodies, {.help = "bodies of a NIF", .sparse = true});
  fields("shapes", report.shapes, {.help = "visible shapes of a NIF", .sparse = true});
  fields("type", report.type, {.help = "SkeletonType of Anvil skeletons, 8 for addons", .sparse = true});
  fields("id", report.id, {.help = "object id of an Anvil skeleton", .sparse = true});
  fields("modifiers", report.modifiers, {.help = "number of modifiers of an Anvil skeleton", .sparse = true});
  fields("named", report.named, {.help = "bones of an Anvil skeleton whose name is known", .sparse = true});
}

}  // namespace marrow
