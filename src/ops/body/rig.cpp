// SPDX-License-Identifier: MIT
#include "ops/body/rig.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "core/try.h"
#include "core/unused_names.h"
#include "marrow/core/text.h"

namespace marrow {
namespace {

const std::array kSkinBones = {
#include "ops/body/skin_bones.inc"
};

/// Adds skeletons to one another. A bone whose name has a place already stands there.
class RigJoiner {
 public:
  explicit RigJoiner(bool has_skeleton) : has_skeleton_(has_skeleton) {}

  /// Adds a whole skeleton as it is.
  void add_base(const Skeleton& skeleton) {
    rig_ = skeleton;
    names_.resize(rig_.bones.size());
    for (std::size_t i = 0; i < rig_.bones.size(); ++i) {
      used_.take(rig_.bones[i].name);
      place_of_.try_emplace(to_lower(rig_.bones[i].name), Place{static_cast<std::int32_t>(i), 0});
    }
  }

  /// Adds the bones of another file that are needed. Returns the bone of the rig that each of its bones is.
  std::vector<std::int32_t> add(const Skeleton& skeleton, const std::vector<bool>& is_needed) {
    ++source_;
    std::vector<std::int32_t> bone_of(skeleton.bones.size(), kNoBone);
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
      const Bone& bone = skeleton.bones[i];
      const std::int32_t parent = bone.parent == kNoBone ? kNoBone : bone_of[static_cast<std::size_t>(bone.parent)];
      const auto found = bone.name.empty() ? place_of_.end() : place_of_.find(to_lower(bone.name));
      if (found == place_of_.end()) {
        if (is_needed[i]) bone_of[i] = add_bone(bone.name, parent, bone.rest);
      } else if (found->second.source != source_) {
        bone_of[i] = found->second.bone;
      } else if (is_needed[i]) {
        // Two nodes of one file with one name stay two; on a skeleton they stand in one place.
        bone_of[i] =
            has_skeleton_ ? add_bone(bone.name, found->second.bone, {}) : add_bone(bone.name, parent, bone.rest);
      }
    }
    return bone_of;
  }

  void add_skin_bones() {
    ++source_;
    for (const SkinBone& each : kSkinBones) {
      const auto parent = place_of_.find(to_lower(each.parent));
      if (parent == place_of_.end() || place_of_.contains(to_lower(each.name))) continue;
      add_bone(std::string(each.name), parent->second.bone, each.local);
    }
  }

  std::optional<std::int32_t> find(std::string_view name) const {
    const auto found = place_of_.find(to_lower(name));
    return found == place_of_.end() ? std::nullopt : std::optional(found->second.bone);
  }

  DocumentSkeleton take() {
    DocumentSkeleton joined{.skeleton = std::move(rig_)};
    if (std::ranges::any_of(names_, [](const std::string& name) { return !name.empty(); }))
      joined.node_names = std::move(names_);
    return joined;
  }

 private:
  struct Place {
    std::int32_t bone;
    std::size_t source;
  };

  std::int32_t add_bone(const std::string& wanted, std::int32_t parent, const Transform& rest) {
    const auto index = static_cast<std::int32_t>(rig_.bones.size());
    const std::string name =
        used_.add(wanted.empty() ? "node " + std::to_string(index) : wanted, [](const std::string& own, int number) {
          return own + " again" + (number == 1 ? "" : " " + std::to_string(number));
        });
    names_.push_back(name == wanted || wanted.empty() ? std::string() : wanted);
    rig_.bones.push_back({name, parent, rest, false});
    if (!wanted.empty()) place_of_.try_emplace(to_lower(wanted), Place{index, source_});
    return index;
  }

  bool has_skeleton_;
  Skeleton rig_;
  std::vector<std::string> names_;
  UnusedNames used_;
  std::unordered_map<std::string, Place> place_of_;
  std::size_t source_ = 0;
};

// Bones that move something, and those above them.
std::vector<bool> needed_bones(const Document& document, std::size_t skeleton, bool all) {
  const Skeleton& bones = document.skeletons[skeleton].skeleton;
  std::vector<bool> is_needed(bones.bones.size(), all);
  for (const DocumentBody& body : document.bodies)
    if (body.skeleton == skeleton)
      for (const std::int32_t bone : body.rig_bones)
        if (bone != kNoBone) is_needed[static_cast<std::size_t>(bone)] = true;
  for (std::size_t i = bones.bones.size(); i-- > 0;)
    if (is_needed[i] && bones.bones[i].parent != kNoBone)
      is_needed[static_cast<std::size_t>(bones.bones[i].parent)] = true;
  return is_needed;
}

struct Sources {
  std::optional<std::size_t> base_index;  // of the document's own skeletons
  const Skeleton* base = nullptr;
  std::vector<const Skeleton*> nifs;
};

Sources find_sources(const Document& document, std::span<const Document* const> given,
                     const std::vector<bool>& is_body) {
  Sources sources;
  for (std::size_t i = 0; i < document.skeletons.size() && !sources.base; ++i)
    if (!is_body[i] && !document.skeletons[i].is_ragdoll) {
      sources.base_index = i;
      sources.base = &document.skeletons[i].skeleton;
    }
  for (const Document* each : given) {
    if (!each) continue;
    if (each->nif()) {
      for (const DocumentSkeleton& skeleton : each->skeletons) sources.nifs.push_back(&skeleton.skeleton);
    } else if (!sources.base) {
      if (const auto main = main_skeleton(*each)) sources.base = &(*main)->skeleton;
    }
  }
  return sources;
}

void note_lost_bones(const DocumentBody& body, const std::vector<std::int32_t>& bone_of, const Skeleton& own,
                     std::size_t base_count, const Skeleton& rig, Context& context) {
  std::string lost;
  for (std::size_t i = 0; i < body.rig_bones.size(); ++i) {
    if (body.rig_bones[i] == kNoBone) continue;
    std::int32_t bone = bone_of[static_cast<std::size_t>(body.rig_bones[i])];
    while (bone >= static_cast<std::int32_t>(base_count)) bone = rig.bones[static_cast<std::size_t>(bone)].parent;
    if (bone != kNoBone) continue;
    const std::string& name = own.bones[static_cast<std::size_t>(body.rig_bones[i])].name;
    lost += (lost.empty() ? "'" : ", '") + name + "'";
  }
  if (!lost.empty())
    context.note("the skeleton has no bone " + lost + ", and none above it; it stays where the file has it",
                 "shape '" + body.shape.name + "'");
}

}  // namespace

std::span<const SkinBone> fallout4_skin_bones() { return kSkinBones; }

Skeleton skeleton_of_nodes(const std::vector<NifNode>& nodes, std::vector<std::int32_t>* bone_of) {
  std::unordered_map<std::int32_t, std::size_t> index;
  for (std::size_t i = 0; i < nodes.size(); ++i) index[nodes[i].block] = i;
  Skeleton skeleton;
  std::vector<std::int32_t> bones(nodes.size(), kNoBone);
  std::vector<std::size_t> chain;
  std::vector<bool> is_open(nodes.size());
  for (std::size_t start = 0; start < nodes.size(); ++start) {
    // Up to an ancestor that is a bone already, then down again; a cycle is cut where it closes.
    chain.clear();
    for (std::size_t at = start; bones[at] == kNoBone && !is_open[at];) {
      is_open[at] = true;
      chain.push_back(at);
      const auto parent = index.find(nodes[at].parent);
      if (parent == index.end()) break;
      at = parent->second;
    }
    for (auto each = chain.rbegin(); each != chain.rend(); ++each) {
      const NifNode& node = nodes[*each];
      const auto parent = index.find(node.parent);
      bones[*each] = static_cast<std::int32_t>(skeleton.bones.size());
      skeleton.bones.push_back({node.name, parent == index.end() ? kNoBone : bones[parent->second], node.local, false});
    }
  }
  if (!nodes.empty()) skeleton.name = nodes.front().name;
  if (bone_of) *bone_of = std::move(bones);
  return skeleton;
}

Result<void> place_bodies(Document& document, std::span<const Document* const> given, Context& context) {
  std::vector<bool> is_body(document.skeletons.size());
  for (const DocumentBody& body : document.bodies)
    if (body.skeleton) is_body[*body.skeleton] = true;
  const Sources sources = find_sources(document, given, is_body);
  const bool has_skeleton = sources.base || !sources.nifs.empty();
  const bool is_rigged = has_skeleton || std::ranges::any_of(document.bodies, [](const DocumentBody& body) {
                           return body.shape.is_skinned;
                         });

  RigJoiner joiner(has_skeleton);
  if (sources.base) joiner.add_base(*sources.base);
  for (const Skeleton* each : sources.nifs) joiner.add(*each, std::vector<bool>(each->bones.size(), true));
  if (document.game == Game::Fallout4 && sources.base && sources.nifs.empty()) joiner.add_skin_bones();
  std::vector<std::vector<std::int32_t>> bone_of(document.skeletons.size());
  for (std::size_t i = 0; i < document.skeletons.size(); ++i)
    if (is_body[i] && is_rigged)
      bone_of[i] = joiner.add(document.skeletons[i].skeleton, needed_bones(document, i, !has_skeleton));

  std::vector<std::optional<std::int32_t>> attached;
  for (const DocumentBody& body : document.bodies) attached.push_back(joiner.find(body.attach_bone));
  DocumentSkeleton rig = joiner.take();
  const std::size_t base_count = sources.base ? sources.base->bones.size() : 0;
  for (std::size_t i = 0; i < document.bodies.size(); ++i) {
    DocumentBody& body = document.bodies[i];
    if (!body.skeleton) continue;
    if (has_skeleton && body.shape.is_skinned && sources.nifs.empty())
      note_lost_bones(body, bone_of[*body.skeleton], document.skeletons[*body.skeleton].skeleton, base_count,
                      rig.skeleton, context);
    for (std::int32_t& bone : body.rig_bones)
      if (bone != kNoBone) bone = bone_of[*body.skeleton][static_cast<std::size_t>(bone)];
    if (has_skeleton && attached[i] && !body.attach_bone.empty()) body.rig_parent = *attached[i];
  }

  std::vector<DocumentSkeleton> skeletons;
  std::vector<std::size_t> moved(document.skeletons.size(), 0);
  if (!rig.skeleton.bones.empty()) {
    if (rig.skeleton.name.empty()) rig.skeleton.name = "Rig";
    skeletons.push_back(std::move(rig));
  }
  for (std::size_t i = 0; i < document.skeletons.size(); ++i) {
    if (is_body[i] || sources.base_index == i) continue;
    moved[i] = skeletons.size();
    skeletons.push_back(std::move(document.skeletons[i]));
  }
  for (DocumentClip& clip : document.clips)
    if (clip.skeleton) clip.skeleton = moved[*clip.skeleton];
  for (DocumentBody& body : document.bodies) body.skeleton = is_rigged ? std::optional<std::size_t>(0) : std::nullopt;
  document.skeletons = std::move(skeletons);
  return {};
}

}  // namespace marrow
