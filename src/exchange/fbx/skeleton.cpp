// SPDX-License-Identifier: MIT
#include "exchange/fbx/skeleton.h"

#include <algorithm>
#include <ranges>

namespace marrow::fbx {
namespace {

bool is_bone_type(std::string_view type) { return type == "LimbNode" || type == "Limb"; }

// The first model above another by a plain connection.
const Object* parent_of(const Objects& objects, const Object& model) {
  for (const Link& link : objects.above(model))
    if (link.property.empty() && link.object->kind == "Model") return link.object;
  return nullptr;
}

bool bends_a_mesh(const Objects& objects, const Object& model) {
  return std::ranges::any_of(objects.above(model), [](const Link& link) {
    return link.property.empty() && link.object->kind == "Deformer" && link.object->type == "Cluster";
  });
}

}  // namespace

Nodes nodes_of(const Objects& objects) {
  Nodes nodes;
  for (const Object& object : objects.all()) {
    if (object.kind != "Model") continue;
    // Climb until a node that is placed, or one that this climb has met before: a circle is cut there.
    std::vector<const Object*> chain;
    std::unordered_map<std::int64_t, bool> met;
    for (const Object* at = &object; at && !nodes.by_id.contains(at->id) && met.try_emplace(at->id, true).second;
         at = parent_of(objects, *at))
      chain.push_back(at);
    for (const Object* each : std::views::reverse(chain)) {
      const Object* above = parent_of(objects, *each);
      const auto parent = above ? nodes.by_id.find(above->id) : nodes.by_id.end();
      nodes.parents.push_back(parent == nodes.by_id.end() ? kNoBone : parent->second);
      nodes.by_id[each->id] = static_cast<std::int32_t>(nodes.models.size());
      nodes.models.push_back(each);
    }
  }
  return nodes;
}

BoneNodes bones_of(const Objects& objects, const Nodes& nodes) {
  const std::size_t count = nodes.models.size();
  std::vector<bool> is_bone(count), has_bone_above(count);
  for (std::size_t i = 0; i < count; ++i)
    is_bone[i] = is_bone_type(nodes.models[i]->type) || bends_a_mesh(objects, *nodes.models[i]);
  if (std::ranges::find(is_bone, true) == is_bone.end())
    for (std::size_t i = 0; i < count; ++i)
      is_bone[i] = nodes.models[i]->type != "Camera" && nodes.models[i]->type != "Light" &&
                   nodes.models[i]->type != "CameraSwitcher";
  // What lies between two bones is one: the nodes above a bone that have a bone above themselves.
  for (std::size_t i = 0; i < count; ++i)
    if (const std::int32_t parent = nodes.parents[i]; parent != kNoBone)
      has_bone_above[i] = is_bone[static_cast<std::size_t>(parent)] || has_bone_above[static_cast<std::size_t>(parent)];
  for (std::size_t i = count; i-- > 0;)
    if (const std::int32_t parent = nodes.parents[i];
        is_bone[i] && parent != kNoBone && has_bone_above[static_cast<std::size_t>(parent)])
      is_bone[static_cast<std::size_t>(parent)] = true;
  BoneNodes bones{.nodes = {}, .bone_of = std::vector<std::int32_t>(count, kNoBone)};
  for (std::size_t i = 0; i < count; ++i)
    if (is_bone[i]) {
      bones.bone_of[i] = static_cast<std::int32_t>(bones.nodes.size());
      bones.nodes.push_back(static_cast<std::int32_t>(i));
    }
  return bones;
}

std::vector<std::optional<Place>> bind_places(const Objects& objects, const Nodes& nodes) {
  std::vector<std::optional<Place>> places(nodes.models.size());
  const auto set = [&](std::int64_t id, const Node* matrix) {
    const auto node = nodes.by_id.find(id);
    if (node == nodes.by_id.end() || !matrix) return;
    std::optional<Place>& place = places[static_cast<std::size_t>(node->second)];
    if (const std::vector<double> values = matrix->numbers(); !place && values.size() == 16)
      place = place_of_matrix(values);
  };
  for (const Object& object : objects.all())
    if (object.kind == "Deformer" && object.type == "Cluster")
      for (const Link& link : objects.below(object))
        if (link.property.empty() && link.object->kind == "Model")
          set(link.object->id, object.node->find("TransformLink"));
  for (const Object& object : objects.all())
    if (object.kind == "Pose" && object.type == "BindPose")
      for (const Node& each : object.node->children)
        if (const Node* id = each.find("Node"); each.name == "PoseNode" && id) set(id->integer(0), each.find("Matrix"));
  return places;
}

}  // namespace marrow::fbx
