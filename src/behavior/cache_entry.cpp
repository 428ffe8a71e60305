// SPDX-License-Identifier: MIT
#include "behavior/cache_entry.h"

#include <algorithm>

#include "behavior/cache_lines.h"
#include "core/lines.h"
#include "core/try.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

/// A new line that takes its line away.
constexpr std::string_view kDeletes = "//* delete this line *//";

constexpr EntryPart kClip[] = {{.lines = 5}, {.is_list = true}};
constexpr EntryPart kMotion[] = {{.lines = 2}, {.is_list = true}, {.is_list = true}};
constexpr EntryPart kProject[] = {{.lines = 1}, {.is_list = true}, {.lines = 1}};
constexpr EntryPart kSet[] = {{.lines = 1},
                              {.is_list = true},
                              {.lines = 3, .is_list = true},
                              {.lines = 3, .is_list = true, .holds_attacks = true},
                              {.lines = 3, .is_list = true}};

std::unexpected<Error> bad_entry(std::string why) { return fail(ErrorCode::Malformed, std::move(why)); }

}  // namespace

std::span<const EntryPart> clip_parts() { return kClip; }
std::span<const EntryPart> motion_parts() { return kMotion; }
std::span<const EntryPart> project_parts() { return kProject; }
std::span<const EntryPart> set_parts() { return kSet; }

void CacheEdit::note(std::string_view code, Level level, std::string message) const {
  report->note({.code = std::string(code),
                .level = level,
                .mod = mods[static_cast<std::size_t>(mod)].mod,
                .where = where,
                .message = std::move(message)});
}

Result<std::vector<MarkedLine>> read_marked_lines(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<MarkedLine> lines;
  MarkedLine place;
  std::uint32_t blocks = 0;
  std::size_t number = 0;
  for (const TextLine& line : Lines(text)) {
    number = line.number;
    const std::string_view bare = trim(line.text);
    if (!bare.starts_with("<!--") || !bare.ends_with("-->")) {
      place.text = line.text;
      lines.push_back(place);
      continue;
    }
    const std::string_view comment = trim(bare.substr(4, bare.size() - std::min<std::size_t>(bare.size(), 7)));
    const auto wrong = [&](const char* why) { return bad_entry("line " + std::to_string(number) + ": " + why); };
    if (comment == "CLOSE") {
      if (place.mark == Mark::Normal) return wrong("CLOSE stands outside a block");
      place = {};
    } else if (comment == "ORIGINAL") {
      if (place.mark != Mark::New) return wrong("ORIGINAL stands outside the new part of a block");
      place.mark = Mark::Old;
    } else if (comment.starts_with("MOD_CODE") && comment.ends_with("OPEN")) {
      if (place.mark != Mark::Normal) return wrong("a block opens inside another");
      place.mark = Mark::New;
      place.block = ++blocks;
    }
  }
  if (place.mark != Mark::Normal) return bad_entry("line " + std::to_string(number) + ": a block is not closed");
  while (!lines.empty() && lines.back().mark == Mark::Normal && trim(lines.back().text).empty()) lines.pop_back();
  return lines;
}

CacheEntry::CacheEntry(std::span<const EntryPart> grammar, std::vector<std::string> lines) : grammar_(grammar) {
  for (std::string& line : lines) slots_.push_back({.text = std::move(line)});
  slots_.emplace_back();
  find_meanings();
}

// Counts say where lists end. The last list takes whatever follows.
void CacheEntry::find_meanings() {
  const std::size_t count = slots_.size() - 1;
  std::size_t at = 0;
  const auto add = [&](std::size_t part, Role role) {
    if (at >= count) return;
    meanings_.push_back({static_cast<std::uint8_t>(part), role});
    ++at;
  };
  for (std::size_t part = 0; part < grammar_.size(); ++part) {
    const EntryPart& each = grammar_[part];
    if (!each.is_list) {
      for (std::size_t i = 0; i < each.lines; ++i) add(part, Role::Item);
      continue;
    }
    std::uint64_t things = at < count ? plain_count(slots_[at].text).value_or(0) : 0;
    add(part, Role::Count);
    for (; things > 0 && at < count; --things) {
      if (!each.holds_attacks) {
        for (std::size_t i = 0; i < each.lines; ++i) add(part, Role::Item);
        continue;
      }
      add(part, Role::AttackEvent);
      add(part, Role::AttackMark);
      std::uint64_t clips = at < count ? plain_count(slots_[at].text).value_or(0) : 0;
      add(part, Role::AttackCount);
      for (; clips > 0 && at < count; --clips) add(part, Role::AttackClip);
    }
  }
  while (at < count) add(grammar_.size() - 1, Role::Item);
}

void CacheEntry::apply(const std::vector<MarkedLine>& patch, const CacheEdit& edit) {
  const std::size_t count = slots_.size() - 1;
  const auto known = static_cast<std::size_t>(
      std::ranges::count_if(patch, [](const MarkedLine& line) { return line.mark != Mark::New; }));
  const bool is_marked = std::ranges::any_of(patch, [](const MarkedLine& line) { return line.block != 0; });
  std::vector<std::string_view> now, before;
  if (!is_marked) {
    for (const MarkedLine& line : patch) now.push_back(line.text);
    for (std::size_t i = 0; i < count; ++i) before.push_back(slots_[i].text);
    return block(0, now, before, edit);
  }
  if (known != count)
    edit.note("PATCH_BASE_DIFFERS", Level::Warning,
              "the patch was made for an entry of " + std::to_string(known) + " lines; this one has " +
                  std::to_string(count));
  std::size_t at = 0;
  for (std::size_t i = 0; i < patch.size();) {
    if (patch[i].block == 0) {
      ++at;
      ++i;
      continue;
    }
    now.clear();
    before.clear();
    for (const std::uint32_t id = patch[i].block; i < patch.size() && patch[i].block == id; ++i)
      (patch[i].mark == Mark::New ? now : before).push_back(patch[i].text);
    block(at, now, before, edit);
    at += before.size();
  }
}

void CacheEntry::block(std::size_t at, std::span<const std::string_view> now, std::span<const std::string_view> before,
                       const CacheEdit& edit) {
  const std::size_t count = slots_.size() - 1;
  at = std::min(at, count);
  before = before.first(std::min(before.size(), count - at));
  // Removing a line is said by a word of its own, so that all others keep their places.
  if (now.size() != before.size())
    while (!now.empty() && trim(now.back()).empty()) now = now.first(now.size() - 1);
  std::size_t head = 0, tail = 0;
  const std::size_t most = std::min(now.size(), before.size());
  while (head < most && now[head] == before[head]) ++head;
  while (head + tail < most && now[now.size() - 1 - tail] == before[before.size() - 1 - tail]) ++tail;
  const std::size_t old_end = before.size() - tail, new_end = now.size() - tail;
  std::size_t o = head, n = head;
  for (; o < old_end; ++o) {
    Slot& slot = slots_[at + o];
    if (slot.by != -1 && slot.by != edit.mod)
      edit.note("PATCH_CONFLICT", Level::Info,
                "both " + edit.mods[static_cast<std::size_t>(slot.by)].mod + " and " +
                    edit.mods[static_cast<std::size_t>(edit.mod)].mod + " change line " + std::to_string(at + o + 1) +
                    "; the later one wins");
    slot.by = edit.mod;
    slot.is_removed = n >= new_end || trim(now[n]) == kDeletes;
    if (n < new_end) slot.text = now[n++];
    is_changed_ = true;
  }
  for (; n < new_end; ++n) {
    slots_[at + old_end].before.emplace_back(now[n], edit.mod);
    is_changed_ = true;
  }
}

// Whole attacks, if that is what the lines are; else names of clips for the attack that they stand in.
void CacheEntry::insert_attacks(const std::vector<std::string>& lines, std::size_t& current, std::size_t& next,
                                std::vector<CacheAttack>& attacks) const {
  std::vector<CacheAttack> whole;
  bool is_whole = true;
  for (std::size_t i = 0; i < lines.size() && is_whole;) {
    const auto clips = i + 2 < lines.size() ? plain_count(lines[i + 2]) : std::nullopt;
    is_whole = clips && (lines[i + 1] == "0" || lines[i + 1] == "1") && *clips <= lines.size() - i - 3;
    if (!is_whole) break;
    const auto first = lines.begin() + static_cast<std::ptrdiff_t>(i + 3);
    whole.push_back({lines[i], lines[i + 1], {first, first + static_cast<std::ptrdiff_t>(*clips)}});
    i += 3 + *clips;
  }
  if (!is_whole && current < attacks.size()) {
    attacks[current].clips.insert(attacks[current].clips.end(), lines.begin(), lines.end());
    return;
  }
  attacks.insert(attacks.begin() + static_cast<std::ptrdiff_t>(next), whole.begin(), whole.end());
  next += whole.size();
}

Result<EntryLines> CacheEntry::lines() const {
  EntryLines entry;
  entry.parts.resize(grammar_.size());
  std::size_t current = SIZE_MAX, next = 0;  // of the attacks
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const bool is_end = i + 1 == slots_.size();
    if (!slots_[i].before.empty()) {
      // What is inserted before a count is the end of the list before it.
      const std::size_t part = i > 0 ? meanings_[i - 1].part : 0;
      if (grammar_[part].holds_attacks) {
        // Each mod's lines are whole by themselves.
        for (std::size_t k = 0; k < slots_[i].before.size();) {
          std::vector<std::string> lines;
          for (const int by = slots_[i].before[k].second;
               k < slots_[i].before.size() && slots_[i].before[k].second == by; ++k)
            lines.push_back(slots_[i].before[k].first);
          insert_attacks(lines, current, next, entry.attacks);
        }
      } else {
        for (const auto& [text, by] : slots_[i].before) entry.parts[part].push_back(text);
      }
    }
    if (is_end || slots_[i].is_removed) continue;
    const std::string& text = slots_[i].text;
    switch (meanings_[i].role) {
      case Role::Count:
      case Role::AttackCount: break;
      case Role::Item: entry.parts[meanings_[i].part].push_back(text); break;
      case Role::AttackEvent:
        current = next++;
        entry.attacks.insert(entry.attacks.begin() + static_cast<std::ptrdiff_t>(current), CacheAttack{.event = text});
        break;
      case Role::AttackMark:
      case Role::AttackClip:
        if (current >= entry.attacks.size()) return bad_entry("an attack has no event");
        if (meanings_[i].role == Role::AttackMark)
          entry.attacks[current].mirrored = text;
        else
          entry.attacks[current].clips.push_back(text);
        break;
    }
  }
  for (std::size_t part = 0; part < grammar_.size(); ++part) {
    const EntryPart& each = grammar_[part];
    const std::size_t size = entry.parts[part].size();
    if (each.is_list ? size % each.lines != 0 : size != each.lines)
      return bad_entry("part " + std::to_string(part + 1) + " of the entry has " + std::to_string(size) +
                       " lines, which is not " + (each.is_list ? "a multiple of " : "") + std::to_string(each.lines));
  }
  return entry;
}

}  // namespace marrow::behavior
