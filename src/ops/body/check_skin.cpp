// SPDX-License-Identifier: MIT
#include "ops/body/check_skin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>

#include <glm/matrix.hpp>

#include "nif/node.h"
#include "nif/record.h"

namespace marrow {
namespace {

using nif::Record;
using SortedCorners = std::array<std::uint16_t, 3>;

bool has_bad_number(std::span<const float> numbers) {
  return std::ranges::any_of(numbers, [](float number) { return !std::isfinite(number); });
}

/// Checks the partitions of a skin of Skyrim.
class PartitionChecker {
 public:
  PartitionChecker(const NifFile& nif, const BodyShape& shape, const Record& instance, const Record& partitions,
                   ShapeFindings& out)
      : is_se_(nif.stream == nif::kSkyrimSe), shape_(shape), instance_(instance), partitions_(partitions), out_(out) {}

  void run() {
    const std::vector<Record>& all = partitions_.records("partitions");
    if (all.empty()) return out_.error("E_PARTITION", "the skin has no partitions: the game crashes");
    if (instance_.has("parts") && instance_.size("parts") != all.size())
      out_.error("E_PARTITION", "there are " + std::to_string(instance_.size("parts")) + " body parts for " +
                                    std::to_string(all.size()) + " partitions");
    for (std::size_t i = 0; i < all.size(); ++i) check(all[i], "partition " + std::to_string(i));
    if (!is_se_) check_cover(all);
  }

 private:
  void check(const Record& partition, const std::string& name) {
    const std::size_t limit = is_se_ ? 80 : 60;
    const auto bones = partition.values<std::uint16_t>("bones");
    const auto map = partition.values<std::uint16_t>("map");
    if (bones.size() > limit)
      out_.error("E_PARTITION_BONES",
                 name + " has " + std::to_string(bones.size()) + " bones; the game moves " + std::to_string(limit));
    if (std::ranges::any_of(bones, [&](std::uint16_t bone) { return bone >= shape_.bones.size(); }))
      out_.error("E_BONE_INDEX", name + " names a bone that is not there");
    if (std::ranges::any_of(map, [&](std::uint16_t vertex) { return vertex >= shape_.positions.size(); }))
      out_.error("E_VERTEX_INDEX", name + " names a vertex that is not there");
    const auto indices = partition.values<std::uint8_t>("indices");
    const auto weights = partition.values<float>("weights");
    if (has_bad_number(weights)) out_.error("E_NAN", "a weight of " + name + " is not finite");
    for (std::size_t i = 0; i < std::min(indices.size(), weights.size()); ++i)
      if (weights[i] > 0.0f && indices[i] >= bones.size()) {
        out_.error("E_BONE_INDEX", name + " has an index past its bones");
        break;
      }
    const std::size_t most = is_se_ ? shape_.positions.size() : map.size();
    for (const std::string_view list : {"triangles", "strips", "triangles_copy"})
      if (partition.has(list) &&
          std::ranges::any_of(partition.values<std::uint16_t>(list), [&](std::uint16_t v) { return v >= most; }))
        out_.error("E_VERTEX_INDEX", name + " has a triangle with a vertex that is not there");
    if (is_se_) check_copy(partition, name, bones);
  }

  void check_copy(const Record& partition, const std::string& name, const std::vector<std::uint16_t>& bones) {
    if (partition.integer("description") != partitions_.integer("description"))
      out_.error("E_PARTITION", name + " describes its vertices otherwise than the buffer");
    const auto triangles = partition.values<SortedCorners>("triangles");
    if (triangles != partition.values<SortedCorners>("triangles_copy"))
      out_.warning("W_PARTITION_COPY", "the two triangle lists of " + name + " differ");
    for (const SortedCorners& triangle : triangles)
      for (const std::uint16_t corner : triangle) {
        if (corner >= shape_.weights.size()) continue;
        for (std::size_t k = 0; k < 4; ++k)
          if (shape_.weights[corner].weights[k] > 0.0f && shape_.weights[corner].bones[k] < shape_.bones.size() &&
              std::ranges::find(bones, shape_.weights[corner].bones[k]) == bones.end())
            return out_.warning("W_PARTITION_PALETTE", "the bones of " + name + " lack one of its vertices'");
      }
  }

  // Skyrim LE draws partitions: a triangle that is in none is not seen.
  void check_cover(const std::vector<Record>& all) {
    const auto sorted = [](SortedCorners corners) {
      std::ranges::sort(corners);
      return corners;
    };
    std::multiset<SortedCorners> drawn, mesh;
    for (const Record& partition : all) {
      if (partition.integer("strip_count") != 0) return;
      const auto map = partition.values<std::uint16_t>("map");
      for (SortedCorners triangle : partition.values<SortedCorners>("triangles")) {
        for (std::uint16_t& corner : triangle) corner = corner < map.size() ? map[corner] : std::uint16_t{0xFFFF};
        drawn.insert(sorted(triangle));
      }
    }
    std::size_t missing = 0, extra = 0;
    for (const auto& triangle : shape_.triangles) mesh.insert(sorted(triangle));
    for (const SortedCorners& triangle : mesh) missing += !drawn.contains(triangle);
    for (const SortedCorners& triangle : drawn) extra += !mesh.contains(triangle);
    if (missing > 0)
      out_.error("E_PARTITION_TRIANGLE",
                 std::to_string(missing) + " triangles of the mesh are in no partition and are not drawn");
    if (extra > 0) out_.warning("W_PARTITION_TRIANGLE", std::to_string(extra) + " triangles are in partitions only");
  }

  bool is_se_;
  const BodyShape& shape_;
  const Record& instance_;
  const Record& partitions_;
  ShapeFindings& out_;
};

void check_bones(const NifFile& nif, const BodyShape& shape, ShapeFindings& out) {
  for (std::size_t i = 0; i < shape.bones.size(); ++i)
    if (!is_node(nif, shape.bones[i].node))
      out.error("E_SKIN_BONE", "bone " + std::to_string(i) + " of the skin is not a node of the file");
  if (shape.bones.size() > 256)
    out.error("E_SKIN_BONES", std::to_string(shape.bones.size()) + " bones; vertices can name 256");
  else if (shape.bones.size() > 80 && nif.stream == nif::kSkyrimSe)
    out.warning("W_SKIN_BONES", std::to_string(shape.bones.size()) +
                                    " bones; Skyrim SE moves 80 of a shape, the others pull it to the origin");
  for (const BodyBone& bone : shape.bones)
    if (!std::isfinite(bone.bound.x + bone.bound.y + bone.bound.z + bone.bound.w))
      out.error("E_NAN", "a number of the bound of bone '" + bone.name + "' is not finite");
  for (const BodyBone& bone : shape.bones)
    if (const float volume = glm::determinant(glm::mat3(matrix_of(bone.bind)));
        std::isfinite(volume) && std::abs(volume) < 1e-9f)
      out.error("E_BIND_POSE", "the bind transform of bone '" + bone.name + "' has no inverse");
}

void check_skin_data(const Record& data, const BodyShape& shape, ShapeFindings& out) {
  if (data.has("rotation") &&
      (has_bad_number(data.reals<9>("rotation")) || has_bad_number(data.reals<3>("translation")) ||
       !std::isfinite(data.get<float>("scale"))))
    out.error("E_NAN", "a number of the skin's own transform is not finite");
  const std::size_t count = data.size("bones");
  if (count != shape.bones.size())
    return out.error("E_SKIN_DATA", "the skin data are for " + std::to_string(count) + " bones, the skin has " +
                                        std::to_string(shape.bones.size()));
  if (!data.has("has_weights") || data.integer("has_weights") == 0) return;
  std::vector<std::uint8_t> influences(shape.positions.size());
  bool has_bad_weight = false;
  for (const Record& bone : data.records("bones")) {
    const std::span<const std::byte> weights = bone.bytes("weights");
    const std::size_t step = bone.type().find("weights")->record->packed_bytes;
    for (std::size_t at = 0; at < weights.size(); at += step) {
      const auto vertex = load<std::uint16_t>(weights, at);
      if (vertex >= influences.size())
        return out.error("E_VERTEX_INDEX", "the skin data have a weight for vertex " + std::to_string(vertex) + " of " +
                                               std::to_string(influences.size()));
      if (influences[vertex] < 255) ++influences[vertex];
      has_bad_weight |=
          !std::isfinite(load<float>(weights, at + bone.type().find("weights")->record->offset_of("weight")));
    }
  }
  if (has_bad_weight) out.error("E_NAN", "a weight of the skin data is not finite");
  if (const auto many = std::ranges::count_if(influences, [](std::uint8_t n) { return n > 4; }); many > 0)
    out.info("I_INFLUENCES", std::to_string(many) + " vertices have more than four weights; four are drawn");
}

}  // namespace

void check_skin(const NifFile& nif, const BodyShape& shape, ShapeFindings& out) {
  check_bones(nif, shape, out);
  const auto record = nif::read_block(nif, shape.block);
  if (!record) return;
  const auto instance = nif::type_of(nif, record->reference("skin")) ? nif::read_block(nif, record->reference("skin"))
                                                                     : Result<Record>(std::unexpect);
  const bool is_instance = instance && instance->has("skeleton_root");
  if (!is_instance) return out.error("E_SKIN_DATA", "the skin is not one");
  const bool is_skyrim = instance->has("partition");
  const auto data = nif::read_block_of(nif, instance->reference("data"), is_skyrim ? "NiSkinData" : "BSSkin::BoneData");
  if (!data || !*data)
    out.error("E_SKIN_DATA", "the skin has no data: its bones have no bind transforms");
  else
    check_skin_data(**data, shape, out);
  if (!is_skyrim) return;
  const auto partitions = nif::read_block_of(nif, instance->reference("partition"), "NiSkinPartition");
  if (!partitions || !*partitions) return out.error("E_PARTITION", "the skin has no partitions: the game crashes");
  PartitionChecker(nif, shape, *instance, **partitions, out).run();
}

}  // namespace marrow
