// SPDX-License-Identifier: MIT
#include "ops/pair/check.h"

#include <algorithm>

namespace marrow {
namespace {

// Returns "3 bones, the first is X".
std::string counted(const std::vector<std::string>& names) {
  return std::to_string(names.size()) + (names.size() == 1 ? " bone, " : " bones, the first is ") + "\"" +
         names.front() + "\"";
}

void check_actor(const std::vector<std::string>& names, const std::vector<std::int32_t>& tracks, const Skeleton& actor,
                 std::string_view who, const std::string& where, Findings& findings) {
  std::vector<std::string> missing, unordered;
  std::int32_t last = kNoBone;
  for (const std::int32_t track : tracks) {
    const std::string& name = names[static_cast<std::size_t>(track)];
    if (name.empty()) continue;
    const auto bone = find_bone(actor, own_name(name));
    if (!bone)
      missing.push_back(name);
    else if (*bone < last)
      unordered.push_back(name);
    last = bone ? std::max(last, *bone) : last;
  }
  if (!missing.empty())
    findings.push_back({"W_PAIRED_BONE", Level::Warning,
                        "the skeleton of the " + std::string(who) + " actor, " + actor.name + ", does not have " +
                            counted(missing) + " of the clip: they do not move. Check that it is the right skeleton",
                        where});
  if (!unordered.empty())
    findings.push_back({"W_PAIRED_ORDER", Level::Warning,
                        "tracks of the " + std::string(who) + " actor are not in the order of its skeleton: " +
                            counted(unordered) + ". The game may move the wrong bones",
                        where});
}

}  // namespace

void check_paired(const Clip& clip, const Actors& actors, const std::string& where, Findings& findings) {
  std::vector<std::string> names;
  for (const AnnotationTrack& track : clip.annotation_tracks) names.push_back(track.name);
  if (std::ranges::all_of(names, &std::string::empty)) return;
  const PairedParts parts = paired_parts(names);
  std::string lost;
  const auto need = [&](std::int32_t part, std::string_view name) {
    if (part == kNoBone) (lost += lost.empty() ? "" : ", ") += name;
  };
  need(parts.root, kPairedRoot);
  need(parts.first_place, kFirstActor);
  need(parts.second_place, kSecondActor);
  if (!lost.empty())
    findings.push_back({"I_PAIRED_PLACE", Level::Info,
                        "a paired clip has tracks PairedRoot, NPC and 2_ for where its actors stand, but this one has "
                        "no " +
                            lost + ": the actors may snap to one place",
                        where});
  if (!actors.first) return;
  check_actor(names, parts.first, *actors.first, "first", where, findings);
  check_actor(names, parts.second, actors.other(), "second", where, findings);
}

}  // namespace marrow
