// SPDX-License-Identifier: MIT
// What makes a clip or skeleton crash the game, T-pose or jitter. Every rule names what it prevents.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "marrow/havok/animation.h"
#include "marrow/havok/skeleton.h"
#include "marrow/ops/paired.h"
#include "marrow/ops/sample.h"
#include "ops/formats.h"

namespace marrow {
namespace {

using namespace havok;

/// A turn between two frames of 1/30 s that no body makes.
constexpr float kJumpDegrees = 150.0f;
/// What floats of seconds are off by, and tools that count frames from one.
constexpr float kTimeTolerance = 1e-3f;

class ClipCheck {
 public:
  ClipCheck(const Packfile& file, ObjectId id, const Skeleton* skeleton, Findings& findings)
      : file_(file), id_(id), fields_(file.at(id).fields()), skeleton_(skeleton), findings_(findings) {}

  void run(const Limits& limits) {
    const auto header = read_clip_header(file_, id_);
    if (!header) return report("E_CLIP", Level::Error, header.error().message + "; the game crashes on it");
    clip_ = *header;
    if (skeleton_) actors_ = skeleton_for(clip_, *skeleton_);
    check_binding();
    check_tracks();
    check_floats();
    check_events();
    check_timing();
    check_motion(limits);
  }

 private:
  void report(std::string_view code, Level level, std::string message, std::string_view member = {}) {
    findings_.push_back(
        {std::string(code), level, std::move(message),
         "objects[" + std::to_string(id_.index) + "]" + (member.empty() ? "" : "." + std::string(member))});
  }

  void check_binding() {
    if (find_binding(file_, id_).is_null())
      report(
          "E_NO_BINDING", Level::Error,
          "no binding plays the animation, so the game shows a T-pose; write the clip anew with compress or convert");
    else if (clip_.skeleton_name.empty())
      report("W_NO_SKELETON_NAME", Level::Info, "the binding does not name the skeleton that the clip is for");
  }

  void check_tracks() {
    const auto tracks = static_cast<std::size_t>(clip_.track_count);
    if (!clip_.track_to_bone.empty() && clip_.track_to_bone.size() != tracks)
      report("E_TRACK_MAP", Level::Error,
             "the binding maps " + std::to_string(clip_.track_to_bone.size()) + " tracks, the clip has " +
                 std::to_string(tracks) + ": the game reads past the end and crashes",
             "transformTrackToBoneIndices");
    if (std::ranges::any_of(clip_.track_to_bone, [](std::int16_t bone) { return bone < -1; }))
      report("E_TRACK_BONE", Level::Error, "a track is mapped to a negative bone: the game crashes");
    if (!clip_.annotation_tracks.empty() && clip_.annotation_tracks.size() != tracks)
      report("W_ANNOTATION_TRACKS", Level::Info,
             std::to_string(clip_.annotation_tracks.size()) + " annotation tracks for " + std::to_string(tracks) +
                 " tracks; the games have as many");
    if (!skeleton_) return;
    std::int64_t highest = clip_.track_to_bone.empty() ? clip_.track_count - 1 : -1;
    for (const std::int16_t bone : clip_.track_to_bone) highest = std::max<std::int64_t>(highest, bone);
    if (highest < static_cast<std::int64_t>(skeleton_->bones.size())) return;
    const std::string what = "the clip moves bone " + std::to_string(highest) + ", the skeleton " + skeleton_->name +
                             " has " + std::to_string(skeleton_->bones.size());
    if (highest < static_cast<std::int64_t>(actors_.bones.size()))
      report("I_PAIRED", Level::Info, what + "; it is a paired clip, whose second actor has the rest");
    else if (is_paired(clip_))
      report("I_PAIRED", Level::Info, what + "; it is a paired clip, whose second actor has another skeleton");
    else
      report("E_TRACK_BONE", Level::Error,
             what + ": the game crashes or T-poses. Use the skeleton that the clip was made for, or retarget it");
  }

  void check_floats() {
    const auto floats = static_cast<std::size_t>(clip_.float_track_count);
    if (!clip_.float_to_slot.empty() && clip_.float_to_slot.size() != floats)
      report("E_FLOAT_MAP", Level::Error,
             "the binding maps " + std::to_string(clip_.float_to_slot.size()) + " float tracks, the clip has " +
                 std::to_string(floats) + ": the game reads past the end",
             "floatTrackToFloatSlotIndices");
    if (!skeleton_ || is_paired(clip_) || is_paired(actors_)) return;
    for (const std::int16_t slot : clip_.float_to_slot)
      if (slot < 0 || static_cast<std::size_t>(slot) >= skeleton_->float_slots.size())
        return report("W_FLOAT_SLOT", Level::Warning,
                      "a float track moves slot " + std::to_string(slot) + ", the skeleton has " +
                          std::to_string(skeleton_->float_slots.size()) + ": what it hides or fades stays as it is");
  }

  void check_events() {
    for (std::size_t t = 0; t < clip_.annotation_tracks.size(); ++t)
      for (const Annotation& event : clip_.annotation_tracks[t].annotations) {
        const std::string where = "annotationTracks[" + std::to_string(t) + "]";
        if (!(event.time_seconds >= 0.0f) || event.time_seconds > clip_.duration_seconds + kTimeTolerance)
          report("W_ANNOTATION_TIME", Level::Warning,
                 "\"" + event.text + "\" at " + float_text(event.time_seconds) + " s lies outside the clip of " +
                     float_text(clip_.duration_seconds) + " s and never happens: a sound, hit or state is missing",
                 where);
        if (event.text.empty())
          report("W_ANNOTATION_EMPTY", Level::Warning, "an event without a text does nothing", where);
      }
  }

  void check_timing() {
    if (!fields_.has("frameDuration")) return;
    const float frame = static_cast<float>(fields_.real("frameDuration"));
    const auto stride = static_cast<float>(fields_.integer("maxFramesPerBlock") - 1);
    const auto off = [](float a, float b) { return !(std::abs(a - b) <= kTimeTolerance + 1e-4f * std::abs(b)); };
    if (off(clip_.duration_seconds, static_cast<float>(clip_.frame_count - 1) * frame))
      report("E_DURATION", Level::Error,
             "the duration is " + float_text(clip_.duration_seconds) + " s, but " + std::to_string(clip_.frame_count) +
                 " frames of " + float_text(frame) + " s make " +
                 float_text(static_cast<float>(clip_.frame_count - 1) * frame) + ": the motion jitters or freezes",
             "duration");
    if (off(static_cast<float>(fields_.real("blockDuration")), stride * frame))
      report("E_BLOCK_STRIDE", Level::Error,
             "a block lasts " + float_text(static_cast<float>(fields_.real("blockDuration"))) + " s, but " +
                 float_text(stride) + " frames make " + float_text(stride * frame) +
                 ": every block starts at the wrong place and the motion jumps",
             "blockDuration");
    if (const auto blocks = static_cast<std::int64_t>(fields_.array("blockOffsets").size());
        fields_.integer("numBlocks") != blocks)
      report("E_BLOCK_COUNT", Level::Error,
             "numBlocks is " + std::to_string(fields_.integer("numBlocks")) + ", but there are " +
                 std::to_string(blocks) + " blocks: the game reads past the data and crashes",
             "numBlocks");
  }

  void check_motion(const Limits& limits) {
    const auto clip = read_clip(file_, id_, limits);
    if (!clip) {
      findings_.push_back(
          {"E_MOTION", Level::Error, clip.error().message + ": the game crashes or T-poses on it", clip.error().path});
      return;
    }
    const auto tracks = static_cast<std::size_t>(clip->track_count);
    std::vector<bool> told(tracks);
    for (std::size_t i = 0; i < clip->transforms.size(); ++i) {
      const std::size_t track = i % tracks;
      if (told[track]) continue;
      const Quat& q = clip->transforms[i].rotation;
      const std::string place = "track " + std::to_string(track) + ", frame " + std::to_string(i / tracks);
      const float length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
      if (!(std::abs(length - 1.0f) < 1e-2f)) {
        told[track] = true;
        report("E_NOT_UNIT", Level::Error,
               "a rotation has length " + float_text(length) + ", not 1: the bone is stretched or jitters", place);
      } else if (i >= tracks && angle_degrees(clip->transforms[i - tracks].rotation, q) > kJumpDegrees) {
        told[track] = true;
        report("W_JUMP", Level::Warning,
               "the bone turns by " + float_text(angle_degrees(clip->transforms[i - tracks].rotation, q)) +
                   " degrees from one frame to the next: it jitters or flips",
               place);
      }
    }
  }

  const Packfile& file_;
  ObjectId id_;
  FieldsView fields_;
  const Skeleton* skeleton_;
  Findings& findings_;
  Clip clip_;
  Skeleton actors_;  // the skeleton, twice where the clip is paired
};

void check_skeleton(const Skeleton& skeleton, ObjectId id, Findings& findings) {
  const std::string where = "objects[" + std::to_string(id.index) + "] " + skeleton.name;
  if (const auto valid = validate(skeleton); !valid)
    findings.push_back({"E_SKELETON", Level::Error,
                        valid.error().message + ": the game crashes or bends the body wrong",
                        where + ", " + valid.error().path});
  for (std::size_t i = 0; i < skeleton.bones.size(); ++i)
    if (skeleton.bones[i].name.empty())
      findings.push_back({"W_EMPTY_NAME", Level::Warning,
                          "a bone without a name: nothing can be attached to it, and the game may crash when it looks",
                          where + ", bones[" + std::to_string(i) + "]"});
  for (const FloatSlot& slot : skeleton.float_slots)
    if (slot.name.empty())
      findings.push_back({"W_EMPTY_NAME", Level::Warning, "a float slot without a name does nothing", where});
  for (const LocalFrame& frame : skeleton.local_frames)
    if (frame.bone < 0 || static_cast<std::size_t>(frame.bone) >= skeleton.bones.size())
      findings.push_back({"E_LOCAL_FRAME", Level::Error,
                          "the local frame \"" + frame.name + "\" lies on bone " + std::to_string(frame.bone) +
                              ", which is not there: the game reads past the end and crashes",
                          where});
}

/// Pointer size of a binary packfile of 2010, 0 for anything else.
int pointer_size_at(const std::filesystem::path& path) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.string().c_str(), "rb"), &std::fclose);
  std::array<unsigned char, 17> head{};
  if (!file || std::fread(head.data(), 1, head.size(), file.get()) != head.size()) return 0;
  return head[0] == 0x57 && head[1] == 0xE0 && head[12] == 8 ? head[16] : 0;
}

/// A 32-bit file where the others are 64-bit: one that was forgotten when a mod moved to Skyrim SE.
void check_folder(const Packfile& file, const CheckOptions& options, Findings& findings) {
  if (options.path.empty() || !options.game.empty() || game_of(file) != Game::SkyrimLe) return;
  namespace fs = std::filesystem;
  std::error_code error;
  int narrow = 0, wide = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(options.path).parent_path(), error)) {
    if (narrow + wide >= 64) break;
    if (!entry.is_regular_file(error) || to_lower(entry.path().extension().string()) != ".hkx") continue;
    const int size = pointer_size_at(entry.path());
    narrow += size == 4;
    wide += size == 8;
  }
  const bool named = to_lower(options.path).find("skyrim special edition") != std::string::npos;
  if (named || wide > narrow)
    findings.push_back({"E_POINTER_SIZE", Level::Error,
                        "a 32-bit file of Skyrim LE in a folder of Skyrim SE: the game crashes or T-poses; convert it "
                        "with --to skyrim-se",
                        "header, offset 16"});
}

/// The skeleton that clips are measured by: the one given, one in the same file, or the one found beside it.
std::optional<Skeleton> skeleton_for(const Packfile& file, const CheckOptions& options) {
  const auto first = [](const Packfile& holder) -> std::optional<Skeleton> {
    for (const ObjectId id : find_skeletons(holder))
      if (auto skeleton = read_skeleton(holder, id)) return std::move(*skeleton);
    return std::nullopt;
  };
  const auto from_bytes = [&](std::span<const std::byte> bytes) -> std::optional<Skeleton> {
    const auto holder = read_havok(bytes, {.limits = options.limits});
    return holder ? first(*holder) : std::nullopt;
  };
  if (!options.skeleton.empty()) return from_bytes(options.skeleton);
  if (auto own = first(file)) return own;
  if (options.path.empty()) return std::nullopt;
  // A skeleton that lies right beside a clip may be anyone's; one in the games' own folders is the actor's.
  const auto beside = find_skeleton_beside(options.path);
  if (!beside || !to_lower(beside->parent_path().filename().string()).starts_with("character")) return std::nullopt;
  const auto bytes = read_file(*beside, options.limits);
  return bytes ? from_bytes(*bytes) : std::nullopt;
}

}  // namespace

void check_animation(const Packfile& file, const CheckOptions& options, Findings& findings) {
  const auto animations = find_animations(file);
  for (const ObjectId id : find_skeletons(file)) {
    const auto skeleton = read_skeleton(file, id);
    if (skeleton)
      check_skeleton(*skeleton, id, findings);
    else
      findings.push_back(
          {"E_SKELETON", Level::Error, skeleton.error().message + ": the game crashes", skeleton.error().path});
  }
  check_folder(file, options, findings);
  if (animations.empty()) return;
  const auto skeleton = skeleton_for(file, options);
  for (const ObjectId id : animations)
    ClipCheck(file, id, skeleton ? &*skeleton : nullptr, findings).run(options.limits);
}

}  // namespace marrow
