// SPDX-License-Identifier: MIT
// What a file says twice: mirrors and names, words and numbers.
#include <algorithm>

#include "anvil/at.h"
#include "anvil/bone_names.h"
#include "anvil/edit.h"
#include "anvil/names.h"
#include "anvil/report.h"
#include "anvil/slots.h"

namespace marrow::anvil {
namespace {

constexpr std::int32_t kNotMirrored = 0;  // BONEMIRRORING_NONE

// A mirror that is symmetric may still be the wrong bone: names tell which one is meant. Bones of an addon whose other
// side is not in the file are their own mirror.
void check_mirror_name(Report& report, std::size_t bone, std::int32_t mirror) {
  const std::string name = report.name(bone), other = mirrored_name(name);
  if (other.empty() || report.skeleton().bones[bone].mirroring_type == kNotMirrored) return;
  const std::int32_t named = report.tree().find_hash(hash_of(other));
  if (named < 0 || named == mirror || at(named) == bone) return;
  if (at(mirror) == bone && stays_on_side(name)) return;
  if (at(mirror) == bone)
    report.add("W_MIRROR_SELF", bone,
               name + " is its own mirror, although " + other + " is here: a mirrored pose keeps it on its side",
               Cure{"rig mirror", {{"bone", name}, {"with", other}}});
  else
    report.add("W_MIRROR_NAME", bone,
               "the mirror of " + name + " is " + report.name(at(mirror)) + ", although " + other + " is here",
               Cure{"rig mirror", {{"bone", name}, {"with", other}}});
}

void check_mirrors(Report& report) {
  const auto& bones = report.skeleton().bones;
  for (std::size_t i = 0; i < bones.size(); ++i) {
    const std::int32_t mirror = report.tree().find(bones[i].mirror);
    if (mirror == Hierarchy::kDangling) {
      report.add("W_MIRROR_DANGLING", i,
                 "MirrorBone leads to object " + std::to_string(bones[i].mirror.target) + ", which is not in the file",
                 automatic_cure());
    } else if (mirror >= 0 && report.tree().find(bones[at(mirror)].mirror) != static_cast<std::int32_t>(i)) {
      report.add("W_MIRROR_ASYM", i,
                 "the mirror of " + report.name(i) + " is " + report.name(at(mirror)) + ", whose mirror is " +
                     report.name(bones[at(mirror)].mirror) + "; the two must name each other",
                 Cure{"rig mirror", {{"bone", report.name(i)}, {"with", report.name(at(mirror))}}});
    } else if (mirror >= 0) {
      check_mirror_name(report, i, mirror);
    }
  }
}

// A word of an enumeration beside the number of another. The game reads the number.
template <class Say>
void check_words(const Slots& slots, const Kept& kept, const Say& say) {
  for (const Kept::Label& label : kept.labels) {
    if (label.field < 0 || static_cast<std::size_t>(label.field) >= slots.size()) continue;
    const Slot& slot = slots[static_cast<std::size_t>(label.field)];
    if (!slot.words) continue;
    const auto word = std::ranges::find(slot.words->words, label.word);
    if (word == slot.words->words.end() || word - slot.words->words.begin() == label.value) continue;
    say(std::string(slot.standard_name) + " says " + label.word + ", which is " +
        std::to_string(word - slot.words->words.begin()) + ", beside the number " + std::to_string(label.value) +
        ". The game uses the number; set the one that is meant");
  }
}

void check_words(Report& report) {
  constexpr std::string_view code = "W_WORD_NUMBER";
  check_words(slots_to_read(report.skeleton()), report.skeleton().kept,
              [&](std::string text) { report.add(code, std::move(text)); });
  const auto& bones = report.skeleton().bones;
  for (std::size_t i = 0; i < bones.size(); ++i) {
    if (!bones[i].kept.labels.empty())
      check_words(slots_to_read(bones[i]), bones[i].kept,
                  [&](std::string text) { report.add(code, i, std::move(text)); });
    for (const Modifier& modifier : bones[i].modifiers)
      if (!modifier.kept.labels.empty())
        check_words(slots_to_read(modifier), modifier.kept,
                    [&](std::string text) { report.add(code, i, modifier, std::move(text)); });
  }
}

}  // namespace

void check_agreement(Report& report) {
  check_mirrors(report);
  check_words(report);
}

}  // namespace marrow::anvil
