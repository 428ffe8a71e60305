// SPDX-License-Identifier: MIT
#include "ops/rig/simulate.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

#include "core/try.h"
#include "model/named_bone.h"
#include "ops/clip/bound.h"
#include "ops/clip/on_skeleton.h"
#include "ops/document/spline_motion.h"
#include "ops/rig/edit_text.h"
#include "ops/rig/sidecar.h"
#include "ops/rig/simulate_plot.h"

namespace marrow {
namespace {

constexpr std::int64_t kMaxFrames = 1'000'000;
// What hangs with the friction of the presets is at rest within a tenth of a degree after this.
constexpr double kUsualSettling = 10.0;
constexpr std::size_t kMostPlots = 6;

TracePlace place_of(const Transform& t) { return {t.translation, t.rotation, t.scale}; }

Explanation explain(const Rig& rig, const motion::CompiledRig& compiled, const std::vector<motion::Trace>& traces,
                    std::size_t bone, std::int64_t frame) {
  Explanation explanation{.bone = rig.skeleton.bones[bone].name, .frame = frame};
  std::size_t order = 0;
  for (const std::uint32_t index : compiled.schedule()) {
    const Modifier& modifier = rig.modifiers[index];
    const std::size_t place = order++;
    if (modifier.owner.target != bone) continue;
    const motion::Trace& t = traces[index];
    explanation.modifiers.push_back(
        {.order = place,
         .type = std::string(class_name(modifier)),
         .ran = t.ran,
         .reset = t.reset,
         .weight = static_cast<double>(t.weight),
         .input = place_of(t.input),
         .target = place_of(t.target),
         .result = place_of(t.result),
         .moved_degrees = static_cast<double>(angle_degrees(t.input.rotation, t.target.rotation)),
         .moved_metres = static_cast<double>(glm::length(t.target.translation - t.input.translation)),
         .limit = std::string(motion::to_string(t.limit))});
  }
  return explanation;
}

// Returns the options of the run, completed from the clip.
Result<motion::SimulateOptions> run_options(const SimulateOptions& options, const Clip* clip, double key_rate) {
  motion::SimulateOptions run;
  const bool has_length = clip && clip->duration_seconds > 0.0f;
  if (has_length && clip->frame_count > 1)
    run.frames_per_second = (clip->frame_count - 1) / static_cast<double>(clip->duration_seconds);
  if (key_rate > 0.0) run.frames_per_second = key_rate;
  if (has_length) run.seconds = static_cast<double>(clip->duration_seconds);
  if (options.fps) run.frames_per_second = *options.fps;
  if (options.seconds) run.seconds = *options.seconds;
  if (run.frames_per_second * run.seconds > static_cast<double>(kMaxFrames))
    return fail(ErrorCode::BadOption, "would give more than a million frames", kNoOffset,
                options.fps ? "fps" : "seconds");
  run.loop = options.loop;
  // A loop is exactly as long as its clip: at another rate its frames are slightly closer together or further apart.
  if (clip && !options.seconds && run.loop && run.seconds > 0.0)
    run.frames_per_second = std::max(1.0, std::round(run.seconds * run.frames_per_second)) / run.seconds;
  if (options.no_settle && options.settle)
    return fail(ErrorCode::BadOption, "contradicts a time to settle", kNoOffset, "no_settle");
  // The rounds of a loop settle by themselves.
  const bool is_settled = clip && !run.loop && !options.no_settle;
  run.settle_seconds = options.settle.value_or(is_settled ? kUsualSettling : 0.0);
  run.shake_metres = options.shake[0];
  run.shake_hertz = options.shake[1];
  run.environment.wind.velocity = options.wind;
  run.environment.wind.gust_share = static_cast<float>(options.gusts);
  run.environment.gravity = options.gravity;
  run.environment.lod = options.lod;
  if (options.frame && !options.explain)
    return fail(ErrorCode::BadOption, "needs a bone to explain", kNoOffset, "frame");
  const double last = std::round(run.seconds * run.frames_per_second);
  if (options.explain) run.trace_frame = options.frame.value_or(static_cast<std::int64_t>(last));
  if (run.trace_frame && *run.trace_frame > static_cast<std::int64_t>(last))
    return fail(ErrorCode::BadOption,
                "the frame to explain is after the last frame, " + std::to_string(static_cast<std::int64_t>(last)),
                kNoOffset, "frame");
  return run;
}

void add_progress(motion::SimulateOptions& run, const Context& context) {
  const double frames = std::max(1.0, std::round(run.seconds * run.frames_per_second) + 1.0);
  if (context.progress)
    run.on_frame = [&context, frames, done = 0.0]() mutable { (void)context.progress(++done / frames); };
}

std::string sidecar_with_bones(std::string_view text, const std::vector<std::string>& bones) {
  std::string out(text);
  constexpr std::string_view kOpen = "\"$bone\"";
  const std::string names =
      to_text(bones.size() == 1 ? Json(bones[0]) : Json(Json::Array(bones.begin(), bones.end())), false);
  for (std::size_t at = 0; !bones.empty() && (at = out.find(kOpen, at)) != std::string::npos; at += names.size())
    out.replace(at, kOpen.size(), names);
  return out;
}

// Returns the bones to draw: those that were named, else those that modifiers move.
Result<std::vector<std::int32_t>> bones_to_plot(const Rig& rig, const motion::CompiledRig& compiled,
                                                const SimulateOptions& options) {
  std::vector<std::int32_t> bones;
  for (const std::string& name : options.plot_bones) {
    MARROW_TRY(const std::int32_t bone, named_bone(rig.skeleton, name));
    bones.push_back(bone);
  }
  if (bones.empty() && options.explain) {
    MARROW_TRY(const std::int32_t bone, named_bone(rig.skeleton, *options.explain));
    bones.push_back(bone);
  }
  for (const std::uint32_t index : compiled.schedule()) {
    if (!options.plot_bones.empty() || options.explain || bones.size() == kMostPlots) break;
    const auto owner = static_cast<std::int32_t>(rig.modifiers[index].owner.target);
    if (std::ranges::find(bones, owner) == bones.end()) bones.push_back(owner);
  }
  return bones;
}

// Returns the places of the clips to run.
Result<std::vector<std::size_t>> clips_to_run(const Document& document, const std::optional<std::string>& name) {
  std::vector<std::size_t> places;
  std::string names;
  for (std::size_t i = 0; i < document.clips.size(); ++i) {
    (names += names.empty() ? "'" : ", '") += document.clips[i].name + "'";
    if (!name || document.clips[i].name == *name) places.push_back(i);
  }
  if (places.empty())
    return in_file({ErrorCode::NotFound, "there is no clip '" + *name + "'; there is " + names}, document.name);
  return places;
}

struct Run {
  const Rig& rig;
  const motion::CompiledRig& compiled;
  const SimulateOptions& options;
  Format format;
  Context& context;

  // Simulates one clip, or the rest pose, and returns the clip to write.
  Result<DocumentClip> over(DocumentClip clip, bool is_rest, const std::string& file, SimulateReport& report) const {
    const Clip* animated = is_rest ? nullptr : &clip.clip;
    if (animated && animated->blend_hint != BlendHint::Normal)
      return in_file({ErrorCode::Unsupported,
                      "an additive clip holds differences, not poses; simulate the clip that it is added to"},
                     file);
    MARROW_TRY(motion::SimulateOptions run, run_options(options, animated, clip.key_rate));
    run.compensate_stretch = format != Format::Csv;
    add_progress(run, context);
    const bool is_first = report.clips.empty();
    std::optional<MotionPlot> plot;
    if (options.plot && is_first) {
      MARROW_TRY(const std::vector<std::int32_t> bones, bones_to_plot(rig, compiled, options));
      plot.emplace(rig, compiled, bones);
      run.on_trace = [&](std::int64_t, std::span<const motion::Trace> traces) { plot->add(traces); };
    }
    MARROW_TRY(motion::Simulation result, motion::simulate(rig, compiled, animated, run));
    if (plot) report.plot = plot->svg(result.clip, run.frames_per_second);
    for (Note& note : result.notes) {
      note.file = file;
      context.notes.push_back(std::move(note));
    }
    report.clips.push_back({clip.name, result.clip.frame_count, run.frames_per_second});
    report.frames = report.clips.front().frames;
    report.fps = report.clips.front().fps;
    if (is_first && result.loop.rounds > 0)
      report.loop = LoopReport{result.loop.rounds, result.loop.closed, result.loop.open_degrees};
    if (is_first && options.explain) {
      MARROW_TRY(const std::int32_t bone, named_bone(rig.skeleton, *options.explain));
      report.explain = explain(rig, compiled, result.trace, static_cast<std::size_t>(bone), *run.trace_frame);
    }
    clip.clip = animated && format != Format::Csv ? motion::bake(*animated, result.clip, rig, compiled)
                                                  : std::move(result.clip);
    clip.clip.skeleton_name = rig.skeleton.name;
    return clip;
  }
};

}  // namespace

void describe(FieldList& fields, SimulateOptions& options) {
  fields.input("skeleton", options.rig.skeleton,
               {.help = "Anvil XML, .hkx or .glb", .placeholder = "SKELETON", .required = true, .positional = true});
  fields.input(
      "addon", options.rig.addons,
      {.help = "Anvil addons to merge into it", .placeholder = "ADDON", .positional = true, .parts = Parts::None});
  fields.input("modifiers", options.rig.modifiers,
               {.help = "modifiers for any skeleton: a sidecar, or the name of a preset",
                .placeholder = "JSON",
                .builtin = find_preset});
  fields.input("collide", options.rig.colliders,
               {.help = "colliders that chains are kept out of: a sidecar, or 'body'",
                .placeholder = "JSON",
                .builtin = find_colliders});
  fields("bone", options.rig.bones,
         {.help = "the bone of a preset, a pattern with *, or a chain FIRST..LAST; may be repeated",
          .placeholder = "NAME"});
  fields("add", options.rig.add, kAdd);
  fields.input("common", options.rig.common,
               {.help = "shared data for fields that ball joints leave at 0 (JSON or XML)", .placeholder = "FILE"});
  fields("game", options.game,
         {.help = "the game whose rules apply: what it does not have does not run; or the one that a .hkx is for",
          .placeholder = "GAME"});
  fields("fps", options.fps,
         {.help = "frames per second",
          .placeholder = "N",
          .min = 0,
          .max = 1e6,
          .above_min = true,
          .otherwise = "the clip's, else 30"});
  fields("seconds", options.seconds,
         {.help = "length; a clip is repeated",
          .unit = "seconds",
          .placeholder = "S",
          .min = 0,
          .max = 1e6,
          .above_min = true,
          .otherwise = "the clip's, else 4"});
  fields("loop", options.loop, {.help = "repeat until the end meets the start, for clips that are played as loops"});
  fields("settle", options.settle,
         {.help = "hold the first pose before frame 0, so that hanging parts come to rest",
          .unit = "seconds",
          .placeholder = "S",
          .min = 0,
          .max = 3600,
          .otherwise = "10 with a clip that is not a loop, else 0"});
  fields("no_settle", options.no_settle, {.help = "start a clip from its first pose, as it is"});
  fields("clip_name", options.clip_name,
         {.help = "run this clip of a file with several", .placeholder = "NAME", .otherwise = "all of them"});
  fields("teleport", options.teleport,
         {.help = "physics of a bone that moves further within one frame is reset",
          .unit = "metres",
          .placeholder = "D",
          .min = 0,
          .above_min = true});
  fields("ground", options.ground, {.help = "keep chains above this height", .unit = "metres", .placeholder = "Z"});
  fields("shake", options.shake, {.help = "swing the root along X", .placeholder = "METRES,HZ"});
  fields("wind", options.wind, {.help = "metres per second", .placeholder = "X,Y,Z"});
  fields("gusts", options.gusts, {.help = "how much gusts vary the wind", .placeholder = "SHARE", .min = 0, .max = 1});
  fields("gravity", options.gravity, {.help = "metres per second squared", .placeholder = "X,Y,Z"});
  fields("lod", options.lod, {.help = "level of detail", .placeholder = "N", .min = 0, .max = 255});
  fields("native_law", options.native_law,
         {.help = "use the engine's own per-frame laws for Hinge, SpringBox and Roll"});
  fields("self_collision", options.self_collision, {.help = "ball joints push each other apart by CollisionRadius"});
  fields("explain", options.explain,
         {.help = "report what each modifier did to a bone in a frame", .placeholder = "BONE"});
  fields("frame", options.frame,
         {.help = "the frame to explain", .placeholder = "N", .min = 0, .otherwise = "the last"});
  fields("plot_bone", options.plot_bones,
         {.help = "a bone to plot; may be repeated",
          .placeholder = "BONE",
          .otherwise = "the first six that modifiers move"});
  fields("hide_bones", options.hide_bones, {.help = "leave out of glTF files the mesh that makes bones visible"});
  describe_bound(fields, options.bound);
}

void describe(FieldList& fields, TracePlace& place) {
  fields("position", place.position, {.unit = "metres"});
  fields("rotation", place.rotation);
  fields("scale", place.scale);
}

void describe(FieldList& fields, ModifierTrace& trace) {
  fields("order", trace.order, {.help = "place in the solving order, from 0"});
  fields("type", trace.type);
  fields("ran", trace.ran);
  fields("reset", trace.reset, {.help = "physics was reset to the pose"});
  fields("weight", trace.weight);
  fields("input", trace.input);
  fields("target", trace.target);
  fields("result", trace.result);
  fields("moved_degrees", trace.moved_degrees, {.unit = "degrees"});
  fields("moved_metres", trace.moved_metres, {.unit = "metres"});
  fields("limit", trace.limit, {.help = "the limit that it ran into"});
}

void describe(FieldList& fields, Explanation& explanation) {
  fields("bone", explanation.bone);
  fields("frame", explanation.frame);
  fields("modifiers", explanation.modifiers);
}

void describe(FieldList& fields, WrinkleReport& wrinkle) {
  fields("bone", wrinkle.bone);
  fields("category", wrinkle.category);
  fields("factor", wrinkle.factor);
}

void describe(FieldList& fields, LoopReport& loop) {
  fields("rounds", loop.rounds);
  fields("closed", loop.closed);
  fields("open_degrees", loop.open_degrees, {.unit = "degrees"});
}

void describe(FieldList& fields, SimulatedClip& clip) {
  fields("name", clip.name);
  fields("frames", clip.frames);
  fields("fps", clip.fps);
}

void describe(FieldList& fields, SimulateReport& report) {
  fields("frames", report.frames, {.help = "of the first clip"});
  fields("fps", report.fps);
  fields("clips", report.clips);
  fields("bones", report.bones);
  fields("modifiers", report.modifiers, {.help = "number of modifiers that ran"});
  fields("fx_bones", report.fx_bones);
  fields("wrinkles", report.wrinkles);
  fields("loop", report.loop, {.sparse = true});
  fields("explain", report.explain, {.sparse = true});
  fields("plot", report.plot, {.help = "angles and limits over time, as SVG", .sparse = true});
  fields("sidecar", report.sidecar, {.help = "the modifiers that were added, as a file to edit", .sparse = true});
}

Result<SimulateReport> simulate(Document& document, const SimulateOptions& options, Format format, Context& context) {
  RigOptions rig_options = options.rig;
  // A game of the other family decides the output, not how addons merge.
  if (options.game && family_of(*options.game) == GameFamily::Anvil) rig_options.game = options.game;
  if (!options.rig.bones.empty() && options.rig.modifiers.empty())
    return fail(ErrorCode::BadOption, "needs modifiers; give those too", kNoOffset, "bone");
  MARROW_TRY(Rig rig, load_rig(rig_options, context));
  if (options.ground) rig.ground = static_cast<float>(*options.ground);
  MARROW_TRY(const motion::CompiledRig compiled,
             motion::CompiledRig::compile(rig,
                                          {.reset_distance = options.teleport,
                                           .native_law = options.native_law,
                                           .self_collision = options.self_collision},
                                          &context.notes));
  if (compiled.schedule().empty()) context.note("no modifier has an effect; add some with a sidecar or a preset");
  if (options.explain) MARROW_CHECK(named_bone(rig.skeleton, *options.explain));

  const Document& holder = *options.rig.skeleton;
  Document out = document_of(rig.skeleton, holder);
  out.name = document.name;
  out.format = format;
  if (!out.game) out.game = document.game;
  SimulateReport report{.bones = rig.skeleton.bones.size(), .modifiers = compiled.schedule().size()};
  const Run run{rig, compiled, options, format, context};
  if (document.clips.empty()) {
    MARROW_TRY(DocumentClip clip, run.over({.name = "simulation", .clip = {}, .skeleton = 0}, true, {}, report));
    out.clips.push_back(std::move(clip));
  } else {
    // Skeletons from glTF files have the name of their armature.
    MARROW_TRY(const std::vector<std::size_t> places, clips_to_run(document, options.clip_name));
    for (const std::size_t place : places) {
      MARROW_CHECK(take_saved_motion(document, document.clips[place], context.limits));
      DocumentClip moved = clip_on_skeleton(document, place, rig.skeleton, is_havok(holder.format), context);
      MARROW_TRY(DocumentClip clip, run.over(std::move(moved), false, document.name, report));
      out.clips.push_back(std::move(clip));
    }
  }
  for (const std::int32_t bone : compiled.fx_bones())
    report.fx_bones.push_back(rig.skeleton.bones[static_cast<std::size_t>(bone)].name);
  for (const Wrinkle& each : compiled.wrinkles())
    report.wrinkles.push_back(
        {rig.skeleton.bones[static_cast<std::size_t>(each.bone)].name, each.category, each.factor});
  if (!options.rig.modifiers.empty()) report.sidecar = sidecar_with_bones(options.rig.modifiers, options.rig.bones);
  document = std::move(out);
  return report;
}

}  // namespace marrow
