// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <set>
#include <unordered_set>

#include "behavior/merge_store.h"
#include "havok/packfile/node_numbers.h"
#include "havok/packfile/unreachable.h"
#include "marrow/core/text.h"

namespace marrow::behavior {

std::string kind_of(const PatchNote& note) { return note.code + '\n' + note.mod + '\n' + note.file; }
std::size_t text_size_of(const PatchNote& note) {
  return note.code.size() + note.mod.size() + note.file.size() + note.where.size() + note.message.size();
}
PatchNote shortened(const PatchNote& note) {
  constexpr std::size_t kMost = 400;
  PatchNote less = note;
  for (std::string* text : {&less.mod, &less.file, &less.where, &less.message})
    text->resize(std::min(text->size(), kMost));
  return less;
}
PatchNote remark_on(const PatchNote& note, std::size_t count) {
  PatchNote remark = note;
  remark.where.clear();
  remark.message = std::to_string(count) + " more of this kind";
  return remark;
}

namespace {

using havok::FieldsView;
using havok::Member;
using havok::ObjectId;
using havok::Packfile;

/// A file of a patch by what its name says.
struct NodeFile {
  const PatchFile* file = nullptr;
  bool is_own = false;
  std::string key = {};      ///< `0057`, or what follows the `$`
  std::uint64_t number = 0;  ///< of the key; the greatest if it is not one
};

std::optional<NodeFile> node_file(const PatchFile& file) {
  std::string_view name = file.name;
  if (name.size() < 6 || !name.starts_with('#') || !equal_ignoring_case(name.substr(name.size() - 4), ".txt"))
    return std::nullopt;
  name = name.substr(1, name.size() - 5);
  NodeFile node{.file = &file};
  const std::size_t dollar = name.find('$');
  node.is_own = dollar != std::string_view::npos;
  node.key = node.is_own ? name.substr(dollar + 1) : name;
  node.number = UINT64_MAX;
  if (node.key.find_first_not_of("0123456789") == std::string::npos)
    node.number = parse_uint(node.key).value_or(UINT64_MAX);
  return node;
}

/// Numbers ascending, then nodes of the mod's own by theirs.
std::vector<NodeFile> node_files(const Patch& patch) {
  std::vector<NodeFile> files;
  for (const PatchFile& file : patch.files)
    if (auto node = node_file(file)) files.push_back(std::move(*node));
  std::ranges::stable_sort(files, {},
                           [](const NodeFile& each) { return std::tuple(each.is_own, each.number, each.key); });
  return files;
}

/// The tables of a behaviour that belong together by position: names, and what is stored per name.
struct ParallelTable {
  std::string_view names;
  std::vector<std::pair<ObjectId, const Member*>> lists = {};  ///< the names first
};

class Merge {
 public:
  Merge(const Packfile& base, std::span<const Patch> mods, MergeReport& report, const Limits& limits)
      : base_(base), mods_(mods), report_(report), limits_(limits), node_names_(base) {
    names_.base = &node_names_;
  }

  Packfile run() {
    for (int mod = 0; mod < static_cast<int>(mods_.size()); ++mod) take(mod);
    name_own_nodes();
    const std::vector<ParallelTable> tables = find_tables();
    for (const ParallelTable& table : tables) drop_names_twice(table);
    names_.events = NameTable(merged_names(tables, "eventNames"));
    names_.variables = NameTable(merged_names(tables, "variableNames"));
    Packfile merged = base_;
    for (const auto& [object, record] : touched_) {
      const std::string name(node_names_.of({object}));
      NodeStore(name, object, names_, mods_, report_)
          .store(merged.objects[object].fields(), record, base_.objects[object].fields());
      report_.changed += !(merged.objects[object] == base_.objects[object]);
    }
    for (const Own& own : own_) {
      havok::Object& object = merged.objects.emplace_back(*own.node.type);
      object.set_name(havok::numbered_name(next_number_ + (merged.objects.size() - 1 - base_.objects.size())));
      NodeStore(own.name, UINT32_MAX, names_, mods_, report_).store_new(object.fields(), own.node.value, own.mod);
    }
    for (const ParallelTable& table : tables) check_table(table, merged);
    report_.added = own_.size();
    report_.nodes = merged.objects.size();
    return merged;
  }

 private:
  /// A node of a mod's own.
  struct Own {
    int mod;
    std::string name;  ///< `#mod$3`
    std::string key;
    PatchNode node;
  };

  void note(std::string_view code, Level level, int mod, std::string where, std::string message) {
    report_.note({.code = std::string(code),
                  .level = level,
                  .mod = mods_[static_cast<std::size_t>(mod)].mod,
                  .where = std::move(where),
                  .message = std::move(message)});
  }

  void take(int mod) {
    std::set<std::pair<bool, std::string>> seen;
    for (const NodeFile& file : node_files(mods_[static_cast<std::size_t>(mod)])) {
      const std::string name(file.file->name.substr(0, file.file->name.size() - 4));
      const std::string key = file.number == UINT64_MAX ? file.key : std::to_string(file.number);
      if (!seen.emplace(file.is_own, key).second) {
        note("PATCH_DUPLICATE_NODE", Level::Warning, mod, name, "the mod has this node twice; the first counts");
        continue;
      }
      auto node = read_patch_node(file.file->text, *base_.schema, limits_);
      if (!node)
        note("PATCH_SYNTAX", Level::Error, mod, name, node.error().message);
      else if (file.is_own)
        take_own(mod, name, file.key, std::move(*node));
      else
        take_edit(mod, name, *node);
    }
  }

  void take_own(int mod, const std::string& name, const std::string& key, PatchNode node) {
    if (!node.type)
      return note("PATCH_WRONG_CLASS", Level::Error, mod, name,
                  "there is no class '" + printable(node.class_name.substr(0, 80)) + "'");
    if (base_.objects.size() + own_.size() >= limits_.max_objects)
      return note("PATCH_SYNTAX", Level::Error, mod, name, "there are more nodes than the limit allows");
    own_.push_back({mod, name, key, std::move(node)});
  }

  void take_edit(int mod, const std::string& name, const PatchNode& node) {
    const ObjectId id = node_names_.find(name);
    if (id.is_null()) return note("PATCH_NO_TARGET", Level::Error, mod, name, "the file has no such node");
    const havok::Object& object = base_.at(id);
    if (!object.type || node.type != object.type)
      return note("PATCH_WRONG_CLASS", Level::Error, mod, name,
                  "the patch is for a " + printable(node.class_name.substr(0, 80)) + ", and the node is a " +
                      std::string(object.class_name()) + "; it was made for another file or version");
    NodeEdit edit(std::string(node_names_.of(id)), mod, mods_, node_names_, limits_, report_);
    edit.apply(node.value, touched_[id.index], object.fields());
  }

  void name_own_nodes() {
    next_number_ = node_names_.next_number();
    for (std::uint32_t i = 0; i < own_.size(); ++i)
      names_.own.emplace(std::pair(own_[i].mod, own_[i].key),
                         ObjectId{static_cast<std::uint32_t>(base_.objects.size()) + i});
  }

  const MergeField* field_of(ObjectId id, const Member& member) const {
    const auto record = touched_.find(id.index);
    return record == touched_.end() ? nullptr : record->second.find(member);
  }

  // The tables of all graphs and characters of the file; there is one.
  std::vector<ParallelTable> find_tables() const {
    std::vector<ParallelTable> tables;
    for (const std::string_view class_name : {"hkbBehaviorGraphData", "hkbCharacterData"})
      for (const ObjectId id : base_.find_all(class_name)) {
        if (!base_.at(id).type) continue;
        const bool is_graph = base_.at(id).type->is_a("hkbBehaviorGraphData");
        const FieldsView data = base_.at(id).fields();
        const ObjectId texts = data.pointer("stringData"),
                       values = data.pointer(is_graph ? "variableInitialValues" : "characterPropertyValues");
        const auto add = [&](std::string_view names, std::string_view infos, bool has_values) {
          ParallelTable table{names};
          const auto list = [&](ObjectId object, std::string_view name) {
            if (object.index >= base_.objects.size() || !base_.at(object).type) return;
            if (const Member* member = base_.at(object).type->find(name)) table.lists.emplace_back(object, member);
          };
          list(texts, names);
          if (table.lists.empty()) return;
          list(id, infos);
          if (has_values) list(values, "wordVariableValues");
          tables.push_back(std::move(table));
        };
        if (is_graph) {
          add("eventNames", "eventInfos", false);
          add("variableNames", "variableInfos", true);
        }
        add("characterPropertyNames", "characterPropertyInfos", !is_graph);
      }
    return tables;
  }

  std::string text_of(const MergeSource& source, const std::pair<ObjectId, const Member*>& list) const {
    if (source.value) return source.value->text;
    return std::string(base_.at(list.first).fields().ref(*list.second).array().refs()[source.base].text().value_or(""));
  }

  void drop_names_twice(const ParallelTable& table) {
    const MergeField* field = field_of(table.lists[0].first, *table.lists[0].second);
    if (!field || field->slots.empty()) return;
    for (const MergeSlot& slot : field->slots)
      if (slot.is_removed)
        note("PATCH_REMOVES_NAME", Level::Warning, slot.by, std::string(node_names_.of(table.lists[0].first)),
             "takes a name out of " + std::string(table.names) + ": every later index shifts by one");
    if (table.names == "characterPropertyNames") return;
    const std::vector<MergeSource> sources = flattened(*field);
    std::unordered_set<std::string> known;
    for (const MergeSource& source : sources)
      if (!source.is_inserted) known.insert(text_of(source, table.lists[0]));
    std::vector<std::uint32_t> dropped;
    for (std::uint32_t i = 0; i < sources.size(); ++i) {
      if (!sources[i].is_inserted || known.insert(sources[i].value->text).second) continue;
      dropped.push_back(i);
      note("PATCH_NAME_TWICE", Level::Info, sources[i].by, std::string(node_names_.of(table.lists[0].first)),
           "'" + printable(sources[i].value->text) + "' is in " + std::string(table.names) +
               " already; it is added once");
    }
    if (dropped.empty()) return;
    for (const auto& [object, member] : table.lists) names_.dropped[{object.index, member}] = dropped;
  }

  std::vector<std::string> merged_names(const std::vector<ParallelTable>& tables, std::string_view which) const {
    const auto table = std::ranges::find(tables, which, &ParallelTable::names);
    std::vector<std::string> names;
    if (table == tables.end()) return names;
    const auto& list = table->lists[0];
    const MergeField* field = field_of(list.first, *list.second);
    if (!field || field->slots.empty()) {
      for (const havok::Ref& ref : base_.at(list.first).fields().ref(*list.second).array().refs())
        names.emplace_back(ref.text().value_or(""));
      return names;
    }
    const auto dropped = names_.dropped.find({list.first.index, list.second});
    std::uint32_t i = 0;
    for (const MergeSource& source : flattened(*field)) {
      if (dropped == names_.dropped.end() || !std::ranges::binary_search(dropped->second, i))
        names.push_back(text_of(source, list));
      ++i;
    }
    return names;
  }

  void check_table(const ParallelTable& table, const Packfile& merged) {
    const auto size = [](const Packfile& file, const auto& list) {
      return file.at(list.first).fields().ref(*list.second).array().count();
    };
    bool is_touched = false, differs = false;
    for (const auto& list : table.lists) {
      is_touched |= field_of(list.first, *list.second) != nullptr;
      differs |= size(merged, list) != size(merged, table.lists[0]);
    }
    if (!is_touched || !differs) return;
    std::string sizes;
    for (const auto& list : table.lists)
      sizes += (sizes.empty() ? "" : ", ") + list.second->name + " " + std::to_string(size(merged, list));
    report_.note({.code = "PATCH_TABLES_DIFFER",
                  .level = Level::Warning,
                  .where = std::string(node_names_.of(table.lists[0].first)),
                  .message = "the tables of one kind differ in length: " + sizes});
  }

  const Packfile& base_;
  std::span<const Patch> mods_;
  MergeReport& report_;
  const Limits& limits_;
  NodeNames node_names_;
  std::uint64_t next_number_ = 0;
  std::map<std::uint32_t, MergeRecord> touched_;  // by object
  std::vector<Own> own_;
  MergeNames names_;
};

}  // namespace

Packfile merge_patches(const Packfile& base, std::span<const Patch> mods, MergeReport& report, const Limits& limits) {
  Packfile named = base;
  name_nodes(named);
  return Merge(named, mods, report, limits).run();
}

void name_nodes(Packfile& file) {
  const auto numbers = havok::behaviour_numbers(file);
  if (!numbers) return;
  for (std::size_t i = 0; i < file.objects.size(); ++i) file.objects[i].set_name(havok::numbered_name(numbers->of[i]));
  havok::put_in_order(file, numbers->in_order);
}

void drop_unreached(Packfile& file, MergeReport& report) {
  const std::vector<bool> stays = havok::reachable(file);
  if (std::ranges::find(stays, false) == stays.end()) return;
  constexpr std::size_t kMostNamed = 8;
  std::string first, list;
  std::size_t count = 0;
  for (std::size_t i = 0; i < stays.size(); ++i) {
    if (stays[i]) continue;
    const std::string name(file.objects[i].name());
    if (count == 0) first = name;
    if (++count <= kMostNamed)
      list += (list.empty() ? "" : ", ") + name + " " + std::string(file.objects[i].class_name());
  }
  if (count > kMostNamed) list += " and " + std::to_string(count - kMostNamed) + " more";
  report.note({.code = "PATCH_UNREACHED",
               .level = Level::Info,
               .where = std::move(first),
               .message = "the root does not reach " + std::to_string(count) + (count == 1 ? " node" : " nodes") +
                          ", so that the packfile does not have " + (count == 1 ? "it: " : "them: ") + list});
  havok::keep_objects(file, stays);
}

}  // namespace marrow::behavior
