// SPDX-License-Identifier: MIT
// Options and reports of `convert` and `merge` as data.
#include "core/try.h"
#include "marrow/core/text.h"
#include "ops/clip/bound.h"
#include "ops/files/convert.h"

namespace marrow {
namespace {

void describe_save(FieldList& fields, SaveOptions& save, std::optional<Units>& units) {
  fields(
      "format", save.format,
      {.help = "write this format", .placeholder = "FORMAT", .otherwise = "the output's extension, else the input's"});
  fields("to", save.game, {.help = "write for this game", .placeholder = "GAME", .otherwise = "the input's"});
  fields("units", units,
         {.help = "length unit of glTF files, and of packfiles made of FBX and BVH",
          .placeholder = "UNITS",
          .otherwise = "metre in glTF, game in packfiles"});
  fields("show_bones", save.show_bones, {.help = "add a mesh to glTF files that makes bones visible"});
  fields("root_motion", save.root_motion,
         {.help = "root motion in glTF files: kept aside, as motion of the root node, or baked into the root bones",
          .placeholder = "HOW"});
  fields("ragdoll", save.ragdoll, {.help = "export ragdoll skeletons too"});
  fields("head_parts", save.head_parts, {.help = "shapes for Skyrim SE become head parts, which the game morphs"});
}

void describe_rate(FieldList& fields, FrameRate& fps) {
  fields(
      "fps", fps,
      {.help = "frames per second of clips from glTF files of other programs, FBX and BVH; source keeps the file's own",
       .placeholder = "N",
       .min = 1,
       .max = 1000,
       .otherwise = "the rate of their keys, of FBX and BVH 30"});
}

}  // namespace

void describe(FieldList& fields, ConvertOptions& options) {
  describe_save(fields, options.save, options.units);
  describe_textures(fields, options.textures);
  fields.input("skeleton", options.skeleton, options.second_skeleton,
               {.help = "the skeleton that clips are for (twice for the actors of paired clips), or the file that a "
                        "skeleton goes back into",
                .placeholder = "FILE"});
  describe_rate(fields, options.fps);
  describe_bound(fields, options.save.bound);
  fields("allow_loss", options.save.allow_loss,
         {.help = "write packfiles even if something of the input has no place in the output"});
  fields("clip", options.clip,
         {.help = "the clip to write, if a file has several: its name, else its number, counted from 0",
          .placeholder = "NAME"});
  fields("scale", options.scale,
         {.help = "game units per unit of an FBX or BVH file; auto fits the skeleton that is given",
          .placeholder = "F",
          .min = 0,
          .above_min = true,
          .otherwise = "as the file states its unit; BVH is in centimetres"});
  fields("rest", options.rest,
         {.help = "rest pose of an FBX or BVH file: its bind pose, the bones as they stand, or the first frame",
          .placeholder = "POSE"});
  fields("xml_style", options.save.xml_style,
         {.help = "exact keeps every bit; plain is what hkxcmd, hkxpack and hkxc write: six decimals, three lanes",
          .placeholder = "STYLE"});
  fields("pointer_size", options.save.pointer_size,
         {.help = "4 or 8 bytes, whatever the game",
          .placeholder = "BYTES",
          .min = 4,
          .max = 8,
          .otherwise = "that of the game"});
  fields("layout", options.save.layout,
         {.help = "packfile of the same version in another layout: pointer size (4, 8), little-endian (0, 1), reused "
                  "padding (0, 1), 1",
          .placeholder = "PEre",
          .otherwise = "that of the input"});
  fields("only_wrong", options.only_wrong,
         {.help = "write only files that are for another platform than the game: 32-bit files among 64-bit ones"});
}

void describe(FieldList& fields, PortChange& change) {
  fields("where", change.where, {.help = "the shape or node"});
  fields("what", change.what);
  fields("from", change.from);
  fields("to", change.to);
}

void describe(FieldList& fields, ConvertReport& report) {
  fields("format", report.format);
  fields("bytes", report.bytes, {.unit = "bytes"});
  fields("unchanged", report.is_unchanged, {.help = "true if the file is right as it is, and nothing is written"});
  fields("left_bones", report.left_bones, {.help = "bones of FBX and BVH that the skeleton does not have"});
  fields("changed", report.changed,
         {.help = "of a NIF for another game: what each thing became that has no equal there"});
  fields("left_out", report.left_out,
         {.help = "blocks of a NIF that the other game cannot have: how many of each type", .sparse = true});
  fields("because", report.because, {.help = "if only wrong files are written: what the game is taken to be, and why"});
}

void describe(FieldList& fields, MergeOptions& options) {
  describe_save(fields, options.save, options.units);
  describe_textures(fields, options.textures);
  describe_rate(fields, options.fps);
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

Result<void> described::NumberOrWord::set(std::optional<double>& value, bool& is_word, std::string_view word,
                                          const Json& json, const FieldInfo& info) {
  value.reset();
  is_word = json.is_text() && equal_ignoring_case(json.text(), word);
  if (is_word || json.is_null()) return {};
  if (json.is_text()) return refuse(info, "takes a number or '" + std::string(word) + "'");
  MARROW_TRY(value, number_of(json, info));
  return {};
}

}  // namespace marrow
