// SPDX-License-Identifier: MIT
// From the file of a mod to slots.
#include <algorithm>

#include "behavior/merge_tree.h"
#include "marrow/core/text.h"

namespace marrow::behavior {

using havok::FieldsView;
using havok::Member;

void NodeEdit::note(std::string_view code, Level level, const std::string& path, std::string message) {
  report_.note({.code = std::string(code),
                .level = level,
                .mod = mods_[static_cast<std::size_t>(mod_)].mod,
                .where = node_ + (path.empty() ? "" : " ") + path,
                .message = std::move(message)});
}

namespace {

// What one side of a conflict writes, if that fits into a line.
std::string side_text(const PatchValue* value) {
  constexpr std::size_t kMost = 60;
  if (!value || !value->items.empty() || !value->params.empty()) return {};
  return " (" + printable(std::string_view(value->text).substr(0, kMost)) + (value->text.size() > kMost ? "...)" : ")");
}

}  // namespace

// Records who changed a value; two mods at one value conflict, whatever they write.
void NodeEdit::conflict(int& by, const std::string& path, const PatchValue* before, const PatchValue* now) {
  if (by != kNobody && by != mod_) {
    const std::string& winner = mods_[static_cast<std::size_t>(mod_)].mod;
    note("PATCH_CONFLICT", Level::Info, path,
         "both " + mods_[static_cast<std::size_t>(by)].mod + side_text(before) + " and " + winner + side_text(now) +
             " change it; " + winner + " comes later and wins");
  }
  by = mod_;
}

// An edit inside an element that an earlier mod removes does not bring it back.
void NodeEdit::removed(int by, const std::string& path) {
  const std::string& remover = mods_[static_cast<std::size_t>(by)].mod;
  note("PATCH_CONFLICT", Level::Info, path,
       remover + " removes it and " + mods_[static_cast<std::size_t>(mod_)].mod + " edits it; it stays removed");
}

void NodeEdit::apply(const PatchValue& patch, MergeRecord& record, const FieldsView& game, const std::string& path) {
  const auto path_of = [&](const PatchParam& param) { return path.empty() ? param.name : path + "." + param.name; };
  const auto in_block = [&](const PatchParam& of, Mark mark) -> const PatchParam* {
    const auto found = std::ranges::find_if(patch.params, [&](const PatchParam& each) {
      return each.mark == mark && each.block == of.block && each.name == of.name;
    });
    return found == patch.params.end() ? nullptr : &*found;
  };
  for (const PatchParam& param : patch.params) {
    if (param.mark == Mark::Normal) {
      if (param.member) inside(param, record, game, path_of(param));
    } else if (!param.member) {
      if (param.mark == Mark::New || !in_block(param, Mark::New))
        note("PATCH_NO_FIELD", Level::Info, path_of(param), game.type().name + " has no such parameter; it is skipped");
    } else if (param.mark == Mark::New) {
      replace(param, in_block(param, Mark::Old), record, game, path_of(param));
    } else if (!in_block(param, Mark::New)) {
      note("PATCH_NO_FIELD", Level::Info, path_of(param), "a parameter cannot be removed; it stays as it is");
    }
  }
}

void NodeEdit::replace(const PatchParam& now, const PatchParam* before, MergeRecord& record, const FieldsView& game,
                       const std::string& path) {
  const Member& member = *now.member;
  MergeField& field = record.field(member);
  if (shape_of(member.type) == Shape::List) {
    if (!make_slots(field, game, path)) return;
    std::vector<const PatchValue*> fresh, old;
    for (const PatchItem& item : now.value.items) fresh.push_back(&item.value);
    if (before)
      for (const PatchItem& item : before->value.items) old.push_back(&item.value);
    if (before && old.size() + 1 != field.slots.size())
      note("PATCH_BASE_DIFFERS", Level::Warning, path,
           "the patch was made for a file with " + std::to_string(old.size()) + " elements here; this one has " +
               std::to_string(field.slots.size() - 1));
    return block(0, fresh, before ? &old : nullptr, before ? old.size() : field.slots.size() - 1, field, game, path);
  }
  if (before && !is_as_in_game(before->value, game, member, std::nullopt, names_))
    note("PATCH_ORIGINAL_DIFFERS", Level::Warning, path, "what the patch replaces is not what the file has");
  conflict(field.by, path, field.is_replaced ? &field.value : nullptr, &now.value);
  field.is_replaced = true;
  field.value = now.value;
  field.record.reset();
}

void NodeEdit::inside(const PatchParam& param, MergeRecord& record, const FieldsView& game, const std::string& path) {
  const Member& member = *param.member;
  switch (shape_of(member.type)) {
    case Shape::Leaf:
      if (param.value.is_marked) replace(param, nullptr, record, game, path);
      return;
    case Shape::Record: {
      if (!param.value.is_marked) return;
      MergeField& field = record.field(member);
      if (!field.record) field.record = std::make_unique<MergeRecord>();
      return apply(param.value, *field.record, game.record(member), path);
    }
    case Shape::List: return list(param.value, record, game, member, path);
  }
}

bool NodeEdit::make_slots(MergeField& field, const FieldsView& game, const std::string& path) {
  if (!field.slots.empty()) return true;
  const std::size_t count = std::size_t{list_size(game, *field.member)} + 1;
  if (!limits_.charge(count, sizeof(MergeSlot))) {
    note("PATCH_SYNTAX", Level::Error, path, "the elements take more memory than the limit allows");
    return false;
  }
  field.slots.resize(count);
  return true;
}

void NodeEdit::list(const PatchValue& patch, MergeRecord& record, const FieldsView& game, const Member& member,
                    const std::string& path) {
  const auto known = static_cast<std::size_t>(
      std::ranges::count_if(patch.items, [](const PatchItem& item) { return item.mark != Mark::New; }));
  if (known != list_size(game, member))
    note("PATCH_BASE_DIFFERS", Level::Warning, path,
         "the patch was made for a file with " + std::to_string(known) + " elements here; this one has " +
             std::to_string(list_size(game, member)));
  if (!patch.is_marked) return;
  MergeField& field = record.field(member);
  if (!make_slots(field, game, path)) return;
  const auto count = static_cast<std::uint32_t>(field.slots.size() - 1);
  std::uint32_t at = 0;  // index of the next element of the game
  for (std::size_t i = 0; i < patch.items.size();) {
    const PatchItem& item = patch.items[i];
    if (item.block == 0) {
      if (item.value.is_marked && at < count && element_class(member.type)) {
        MergeSlot& slot = field.slots[at];
        const std::string place = path + "[" + std::to_string(at) + "]";
        if (slot.is_removed && slot.by != mod_)
          removed(slot.by, place);
        else if (slot.by != kNobody && slot.by != mod_)
          conflict(slot.by, place);
        slot.inside = mod_;
        if (!slot.edits) slot.edits = std::make_unique<MergeRecord>();
        const bool is_array = havok::is_array(member.type.kind);
        apply(item.value, *slot.edits,
              is_array ? fields_at(*member.type.layout, game.ref(member).array(), at) : game.record(member, at), place);
      } else if (item.value.is_marked && at < count) {
        block(at, {&item.value}, nullptr, 1, field, game, path);
      }
      ++at;
      ++i;
      continue;
    }
    std::vector<const PatchValue*> now, before;
    const std::uint32_t id = item.block;
    for (; i < patch.items.size() && patch.items[i].block == id; ++i)
      (patch.items[i].mark == Mark::New ? now : before).push_back(&patch.items[i].value);
    block(at, now, &before, before.size(), field, game, path);
    at += static_cast<std::uint32_t>(before.size());
  }
}

// `before` are the `old_count` elements that the block replaces; null: those that the game has there.
void NodeEdit::block(std::uint32_t at, const std::vector<const PatchValue*>& now,
                     const std::vector<const PatchValue*>* before, std::size_t old_count, MergeField& field,
                     const FieldsView& game, const std::string& path) {
  const Member& member = *field.member;
  const auto count = static_cast<std::uint32_t>(field.slots.size() - 1);
  at = std::min(at, count);
  old_count = std::min<std::size_t>(old_count, count - at);
  const auto is_old = [&](std::size_t i, const PatchValue& value) {
    return before ? states_same(*(*before)[i], value)
                  : is_as_in_game(value, game, member, at + static_cast<std::uint32_t>(i), names_);
  };
  if (before)
    for (std::size_t i = 0; i < old_count; ++i)
      if (!is_as_in_game(*(*before)[i], game, member, at + static_cast<std::uint32_t>(i), names_)) {
        note("PATCH_ORIGINAL_DIFFERS", Level::Warning, path + "[" + std::to_string(at + i) + "]",
             "what the patch replaces is not what the file has");
        break;
      }
  std::size_t head = 0, tail = 0;
  const std::size_t most = std::min(old_count, now.size());
  while (head < most && is_old(head, *now[head])) ++head;
  while (head + tail < most && is_old(old_count - 1 - tail, *now[now.size() - 1 - tail])) ++tail;
  const std::size_t old_end = old_count - tail, new_end = now.size() - tail;
  std::size_t o = head, n = head;
  for (; o < old_end; ++o) {
    MergeSlot& slot = field.slots[at + o];
    const std::string place = path + "[" + std::to_string(at + o) + "]";
    if (slot.inside != kNobody && slot.inside != mod_ && slot.by != slot.inside) conflict(slot.inside, place);
    conflict(slot.by, place, slot.is_replaced ? &slot.value : nullptr, n < new_end ? now[n] : nullptr);
    slot.edits.reset();
    slot.is_replaced = n < new_end;
    slot.is_removed = n >= new_end;
    slot.owner = mod_;
    if (n < new_end) slot.value = *now[n++];
  }
  for (; n < new_end; ++n) field.slots[at + old_end].before.push_back({*now[n], mod_});
}

}  // namespace marrow::behavior
