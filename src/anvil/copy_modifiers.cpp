// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "anvil/at.h"
#include "anvil/edit.h"
#include "anvil/hierarchy.h"
#include "anvil/ids.h"
#include "anvil/mirror_values.h"
#include "anvil/names.h"
#include "core/try.h"

namespace marrow::anvil {
namespace {

/// Copies between pairs of bones of two skeletons, which may be the same.
class Copier {
 public:
  Copier(const Skeleton& from, Skeleton& to, std::span<const CopyPair> pairs, const CopyOptions& options)
      : from_(from), to_(to), from_tree_(hierarchy_of(from)), to_tree_(hierarchy_of(to)), options_(options), ids_(to) {
    for (const CopyPair& pair : pairs) pairs_.push_back({from_tree_.find_hash(pair.from), to_tree_.find_hash(pair.to)});
  }

  Result<EditNotes> run() {
    for (const Places& pair : pairs_)
      if (pair.from < 0 || pair.to < 0) return fail(ErrorCode::NotFound, "a bone to copy between is not there");
    // Copies are made before any is added: in one skeleton a bone may be both source and target.
    std::vector<std::vector<Modifier>> copies(pairs_.size());
    for (std::size_t k = 0; k < pairs_.size(); ++k)
      for (const Modifier& modifier : from_.bones[at(pairs_[k].from)].modifiers)
        if (!options_.only || modifier.type() == *options_.only) copy(modifier, k, copies[k]);
    if (notes_.empty()) return fail(ErrorCode::NotFound, nothing());
    std::map<std::int32_t, std::vector<Modifier>> by_target;
    for (std::size_t k = 0; k < pairs_.size(); ++k)
      for (Modifier& each : copies[k]) by_target[pairs_[k].to].push_back(std::move(each));
    for (auto& [bone, modifiers] : by_target) place(bone, std::move(modifiers));
    return std::move(notes_);
  }

 private:
  struct Places {
    std::int32_t from, to;
  };

  std::string name_from(std::int32_t bone) const { return display_name(from_.bones[at(bone)].name); }
  std::string name_to(std::int32_t bone) const { return display_name(to_.bones[at(bone)].name); }

  std::string nothing() const {
    if (pairs_.size() == 1) return name_from(pairs_[0].from) + " has no modifier to copy";
    return "none of the " + std::to_string(pairs_.size()) + " bones has a modifier to copy";
  }

  // Returns the bone of the source skeleton on the other side, or the bone itself if it has none.
  std::int32_t other_side_of(std::int32_t bone) const {
    const Bone& own = from_.bones[at(bone)];
    if (const std::int32_t mirror = from_tree_.find(own.mirror); mirror >= 0 && mirror != bone) return mirror;
    const std::string name = mirrored_name(display_name(own.name));
    const std::int32_t named = name.empty() ? Hierarchy::kNone : from_tree_.find_hash(hash_of(name));
    return named >= 0 ? named : bone;
  }

  // Returns the counterpart of a bone of the source, for the pair `k`; kNone if there is none.
  std::int32_t counterpart(std::int32_t bone, std::size_t k) const {
    std::optional<std::size_t> best;
    const auto away = [&](std::size_t i) { return i > k ? i - k : k - i; };
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (pairs_[i].from == bone && (!best || away(i) < away(*best))) best = i;
    if (best) return pairs_[*best].to;
    const std::int32_t across = options_.mirror ? other_side_of(bone) : bone;
    return to_tree_.find_hash(from_.bones[at(across)].name.hash);
  }

  void copy(Modifier modifier, std::size_t k, std::vector<Modifier>& copies) {
    const Bone& target = to_.bones[at(pairs_[k].to)];
    const std::string what = std::string(class_name(modifier)) + " of " + name_from(pairs_[k].from);
    const std::string where = name_to(pairs_[k].to);
    if (options_.mirror) mirror(modifier, k, what);
    std::string missing;
    remap_links(modifier, [&](BoneLink link) {
      const std::int32_t bone = from_tree_.find(link);
      const std::int32_t found = bone < 0 ? Hierarchy::kNone : counterpart(bone, k);
      if (found >= 0) return BoneLink{to_.bones[at(found)].id};
      missing = bone < 0 ? std::to_string(link.target) : name_from(bone);
      return BoneLink{};
    });
    if (!missing.empty()) {
      notes_.push_back(what + " is left out: it needs the bone " + missing);
      return;
    }
    modifier.owner = {target.id};
    const auto same = [&](const Modifier& present) { return same_effect(present, modifier); };
    if (const auto present = std::ranges::find_if(target.modifiers, same); present != target.modifiers.end()) {
      notes_.push_back(where + " already has the " + what);
      if (!options_.add) copies.push_back(*present);
      return;
    }
    ids_.number(modifier, where);
    notes_.push_back(what + " is copied to " + where + " as " + std::to_string(modifier.id));
    copies.push_back(std::move(modifier));
  }

  // Copies stand where those of their class stood, which are removed; the rest follow.
  void place(std::int32_t bone, std::vector<Modifier> copies) {
    std::vector<Modifier>& there = to_.bones[at(bone)].modifiers;
    std::vector<Modifier> placed;
    std::set<ModifierType> replaced;
    if (!options_.add)
      for (const Modifier& copy : copies) replaced.insert(copy.type());
    for (Modifier& old : there) {
      if (!replaced.contains(old.type())) {
        placed.push_back(std::move(old));
        continue;
      }
      const auto copy = std::ranges::find(copies, old.type(), [](const Modifier& each) { return each.type(); });
      if (copy == copies.end() || copy->id != old.id)
        notes_.push_back(std::string(class_name(old)) + " " + std::to_string(old.id) + " of " + name_to(bone) +
                         " is replaced");
      if (copy == copies.end()) continue;
      placed.push_back(std::move(*copy));
      copies.erase(copy);
    }
    placed.insert(placed.end(), std::make_move_iterator(copies.begin()), std::make_move_iterator(copies.end()));
    there = std::move(placed);
  }

  Crossing crossing(std::int32_t bone, std::size_t k) const {
    const std::int32_t other = bone < 0 ? Hierarchy::kNone : counterpart(bone, k);
    if (other < 0) return {};
    return {global_rest(from_.bones[at(bone)]).rotation, global_rest(to_.bones[at(other)]).rotation};
  }

  void mirror(Modifier& modifier, std::size_t k, const std::string& what) {
    const std::int32_t bone = pairs_[k].from, other = pairs_[k].to;
    const std::int32_t parent = from_tree_.parent[at(bone)], other_parent = to_tree_.parent[at(other)];
    Crossings crossings{.owner = crossing(bone, k), .parent = {}, .of = {}};
    if (parent >= 0 && other_parent >= 0)
      crossings.parent = {global_rest(from_.bones[at(parent)]).rotation,
                          global_rest(to_.bones[at(other_parent)]).rotation};
    crossings.of = [&](BoneLink link) { return crossing(from_tree_.find(link), k); };
    if (const std::string why = mirror_values(modifier, crossings); !why.empty())
      notes_.push_back(what + " is not an exact mirror image: " + why);
  }

  const Skeleton& from_;
  Skeleton& to_;
  Hierarchy from_tree_, to_tree_;
  CopyOptions options_;
  std::vector<Places> pairs_;
  IdPool ids_;
  EditNotes notes_;
};

}  // namespace

Result<EditNotes> copy_modifiers(const Skeleton& from, Skeleton& to, std::span<const CopyPair> pairs,
                                 const CopyOptions& options) {
  const Skeleton source = from;  // `to` may be the same
  return Copier(source, to, pairs, options).run();
}

std::vector<CopyPair> pair_chains(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to) {
  std::vector<CopyPair> pairs;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const double along = to.size() > 1 ? static_cast<double>(i) / static_cast<double>(to.size() - 1) : 0.0;
    const auto source = static_cast<std::size_t>(std::lround(along * static_cast<double>(from.size() - 1)));
    pairs.push_back({from[source], to[i]});
  }
  return pairs;
}

}  // namespace marrow::anvil
