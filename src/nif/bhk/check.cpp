// SPDX-License-Identifier: MIT
// The rules that Skyrim's collision blocks keep: docs/formats/bhk.md, "Checks".
#include "nif/bhk_check.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "marrow/model/collision_names.h"
#include "nif/bhk.h"
#include "nif/bhk/checker.h"
#include "nif/bsx_flags.h"
#include "nif/references.h"

namespace marrow::bhk {
namespace {

bool is_block_of_collision(std::string_view type) { return type.starts_with("bhk") || type.starts_with("hkPacked"); }

// Finds the first number of a record that is not finite. Leftovers of memory do not count.
std::string first_bad_number(const nif::Record& record) {
  for (const nif::Field& field : record.type().fields) {
    if (field.name.starts_with("unused")) continue;
    if (field.is_list()) {
      for (const nif::Record& each : record.records(field.name))
        if (std::string bad = first_bad_number(each); !bad.empty()) return field.name + "." + bad;
      continue;
    }
    if (field.kind != nif::Kind::F32) continue;
    if (field.count != nif::Count::One) {
      for (const float number : record.values<float>(field.name))
        if (!std::isfinite(number)) return field.name;
      continue;
    }
    for (std::size_t i = 0; i < field.width; ++i)
      if (!std::isfinite(record.get<float>(field.name, i))) return field.name;
  }
  return {};
}

class Checker {
 public:
  Checker(const NifFile& file, const Limits& limits, Findings& findings) : checked_{file, limits, findings} {
    if (auto nodes = read_nodes(file)) nodes_ = std::move(*nodes);
  }

  void run() {
    const NifFile& file = checked_.file;
    find_owners();
    for (std::size_t i = 0; i < file.blocks.size(); ++i) {
      const auto block = static_cast<std::int32_t>(i);
      if (!is_block_of_collision(file.type_of(block)) || !nif::type_of(file, block)) continue;
      check_block(block);
    }
    check_flags();
  }

 private:
  // Walks from the nodes over all blocks of collision.
  void find_owners() {
    const NifFile& file = checked_.file;
    checked_.owner.resize(file.blocks.size());
    std::vector<bool> seen(file.blocks.size());
    for (const NifNode& node : nodes_) {
      std::vector<std::int32_t> open = {node.collision_object};
      while (!open.empty()) {
        const std::int32_t block = open.back();
        open.pop_back();
        if (!file.has_block(block) || !is_block_of_collision(file.type_of(block))) continue;
        const auto at = static_cast<std::size_t>(block);
        if (seen[at]) continue;
        seen[at] = true;
        checked_.owner[at] = node.name;
        std::vector<std::size_t> places;
        const nif::RecordType* type = nif::type_of(file, block);
        // A joint leads to bodies of other nodes.
        if (type && (type->is_a("bhk_constraint") || type->is_a("bhk_chain"))) continue;
        if (!type || !nif::read_record(*type, file.blocks[at].bytes, checked_.limits, &places)) continue;
        for (const std::size_t place : places) open.push_back(load<std::int32_t>(file.blocks[at].bytes, place));
      }
    }
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (!seen[i] && is_block_of_collision(file.type_of(static_cast<std::int32_t>(i))) &&
          nif::type_of(file, static_cast<std::int32_t>(i)) &&
          !nif::type_of(file, static_cast<std::int32_t>(i))->is_a("bhk_controller") &&
          file.type_of(static_cast<std::int32_t>(i)).find("Action") == std::string_view::npos)
        checked_.add("W_BHK_ORPHAN", Level::Warning,
                     "no node leads to this " + std::string(file.type_of(static_cast<std::int32_t>(i))) +
                         ": it is not in the game",
                     static_cast<std::int32_t>(i));
  }

  void check_block(std::int32_t block) {
    const NifFile& file = checked_.file;
    const nif::RecordType& type = *nif::type_of(file, block);
    const auto record = nif::read_block(file, block, checked_.limits);
    if (!record) return checked_.add("E_BHK_LAYOUT", Level::Error, record.error().message, block);
    if (!record->rest.empty())
      return checked_.add(
          "E_BHK_LAYOUT", Level::Error,
          "the " + std::string(file.type_of(block)) + " has " + std::to_string(record->rest.size()) + " bytes too many",
          block);
    if (const std::string bad = first_bad_number(*record); !bad.empty()) {
      checked_.add("E_BHK_NUMBER", Level::Error, bad + " is not a finite number", block);
      return;
    }
    if (type.is_a("bhk_object")) check_object(block, *record);
    if (type.is_a("bhk_world_object")) check_world_object(block, *record);
    if (type.is_a("bhk_rigid_body")) check_body(block, *record);
    if (type.is_a("bhk_constraint") || type.is_a("bhk_chain")) check_joint(block, *record);
    if (type.is_a("bhk_mopp_shape") || type.is_a("bhk_transform_shape"))
      check_made_of(block, record->reference("shape"), checked_.is_shape(record->reference("shape")), "shape");
    if (type.is_a("bhk_list_shape")) check_list(block, *record);
    if (type.is_a("bhk_compressed_mesh")) {
      const std::int32_t target = record->reference("target");
      if (target != kNoBlock && std::ranges::find(nodes_, target, &NifNode::block) == nodes_.end())
        checked_.add("E_COLLISION_REF", Level::Error,
                     "the target of the mesh is block " + std::to_string(target) + ", which is not a node", block);
      check_made_of(block, record->reference("data"), checked_.is(record->reference("data"), "bhk_mesh_data"), "data");
    }
    if (type.is_a("bhk_packed_shape"))
      check_made_of(block, record->reference("data"), checked_.is(record->reference("data"), "bhk_packed_data"),
                    "data");
    if (record->has("material") && type.find("material")->kind == nif::Kind::U32 && !type.is_a("bhk_list_shape"))
      check_material(block, record->get<std::uint32_t>("material"));
    if (file.type_of(block) == "bhkCapsuleShape") check_capsule(block, *record);
    if (file.type_of(block) == "bhkConvexVerticesShape") check_hull(checked_, block, *record);
    if (type.is_a("bhk_mesh_data")) {
      struct Material {
        std::uint32_t crc, filter;
      };
      for (const Material& each : record->values<Material>("materials")) check_material(block, each.crc);
      check_mesh_data(checked_, block, *record);
    }
    if (type.is_a("bhk_mopp_shape") && checked_.is_shape(record->reference("shape")))
      check_code(checked_, block, *record);
  }

  // A block comes behind what it is made of.
  void check_made_of(std::int32_t block, std::int32_t part, bool is_right, std::string_view what) {
    if (!is_right)
      checked_.add("E_COLLISION_REF", Level::Error,
                   "the " + std::string(what) + " of the " + std::string(checked_.file.type_of(block)) +
                       (part == kNoBlock ? " is missing" : " is block " + std::to_string(part) + ", which is not one"),
                   block);
    else if (part >= block)
      check_order(block, part);
  }

  void check_order(std::int32_t block, std::int32_t part) {
    checked_.add("W_BLOCK_ORDER", Level::Warning,
                 "block " + std::to_string(part) + ", which it is made of, comes behind it", block);
  }

  void check_object(std::int32_t block, const nif::Record& record) {
    const std::int32_t target = record.reference("target"), body = record.reference("body");
    const auto node = std::ranges::find(nodes_, target, &NifNode::block);
    if (node == nodes_.end())
      checked_.add("E_COLLISION_NODE", Level::Error, "the collision object names no node", block);
    else if (node->collision_object != block)
      checked_.add("E_COLLISION_NODE", Level::Error,
                   "node '" + node->name + "' has another collision object than the one that names it", block);
    else if (target >= block)
      checked_.add("W_BLOCK_ORDER", Level::Warning, "its node comes behind it", block);
    check_made_of(block, body, checked_.is(body, "bhk_world_object"), "body");
  }

  void check_world_object(std::int32_t block, const nif::Record& record) {
    constexpr std::uint8_t kLastLayer = 54;
    const auto layer = record.get<std::uint8_t>("layer");
    if (layer > kLastLayer)
      checked_.add("W_LAYER", Level::Warning, "there is no layer " + std::to_string(layer), block,
                   Cure{"collision set"});
    if (record.has("min")) return;  // a phantom that is a box has no shape
    const std::int32_t shape = record.reference("shape");
    check_made_of(block, shape, checked_.is_shape(shape), "shape");
  }

  void check_body(std::int32_t block, const nif::Record& record) {
    constexpr std::uint8_t kStatic = 1, kClutter = 4, kWeapon = 5;
    const auto number = [&](std::string_view field) { return record.get<std::uint8_t>(field); };
    if (number("motion_system") > 9 || number("quality") > 9 || number("solver_deactivation") > 5 ||
        number("deactivator") > 2)
      checked_.add("E_BODY_ENUM", Level::Error,
                   "motion system " + std::to_string(number("motion_system")) + ", quality " +
                       std::to_string(number("quality")) + ", solver deactivation " +
                       std::to_string(number("solver_deactivation")) + " and deactivator " +
                       std::to_string(number("deactivator")) + " are at most 9, 9, 5 and 2",
                   block);
    const auto q = record.reals<4>("rotation");
    const float length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (std::abs(length - 1.0f) > 0.01f)
      checked_.add("E_BODY_ROTATION", Level::Error, "the rotation of the body is not a quaternion of length 1", block);
    const float mass = record.get<float>("mass");
    if (mass < 0.0f) checked_.add("E_BODY_MASS", Level::Error, "the mass is negative", block);
    if (number("layer") != number("layer_copy") || number("filter_flags") != number("filter_flags_copy") ||
        record.get<std::uint16_t>("group") != record.get<std::uint16_t>("group_copy"))
      checked_.add("W_FILTER_COPY", Level::Warning, "the two copies of the collision filter differ", block);
    const auto inertia = record.reals<12>("inertia");
    if (mass > 0.0f && std::ranges::all_of(inertia, [](float value) { return value == 0.0f; }))
      checked_.add("W_BODY_INERTIA", Level::Warning, "the body has a mass and no inertia", block);
    if (mass == 0.0f && (number("layer") == kClutter || number("layer") == kWeapon))
      checked_.add("W_BODY_MASS", Level::Warning,
                   "the body is on " + layer_name(number("layer"), CollisionGame::Skyrim) + " and has no mass", block,
                   Cure{"collision set"});
    if (mass > 0.0f && number("layer") == kStatic)
      checked_.add("W_BODY_STATIC", Level::Warning, "the body is on STATIC and has a mass", block,
                   Cure{"collision set"});
  }

  void check_list(std::int32_t block, const nif::Record& record) {
    const auto shapes = record.values<std::int32_t>("shapes");
    for (const std::int32_t child : shapes) check_made_of(block, child, checked_.is_shape(child), "child");
    if (record.has("filters") && record.size("filters") != shapes.size())
      checked_.add("W_LIST_FILTERS", Level::Warning,
                   "the list has " + std::to_string(shapes.size()) + " shapes and " +
                       std::to_string(record.size("filters")) + " filters",
                   block);
  }

  void check_capsule(std::int32_t block, const nif::Record& record) {
    const float radius = record.get<float>("radius");
    if (record.get<float>("a_radius") != radius || record.get<float>("b_radius") != radius)
      checked_.add("W_CAPSULE_RADIUS", Level::Warning, "the three radii of the capsule differ", block);
  }

  void check_material(std::int32_t block, std::uint32_t crc) {
    if (crc != 0 && material_name(crc, CollisionGame::Skyrim).starts_with("0x") && said_materials_.insert(crc).second)
      checked_.add("I_MATERIAL", Level::Info,
                   "no material of the game has the CRC " + material_name(crc, CollisionGame::Skyrim), block);
  }

  void check_joint(std::int32_t block, const nif::Record& record) {
    const std::int32_t a = record.reference("entity_a"), b = record.reference("entity_b");
    if (!checked_.is(a, "bhk_rigid_body")) {
      checked_.add("E_JOINT_BODY", Level::Error, "the first body of the joint is missing or is not one", block);
      return;
    }
    if (a >= block) check_order(block, a);
    if (b != kNoBlock) check_made_of(block, b, checked_.is(b, "bhk_rigid_body"), "second body");
    if (const auto body = nif::read_block(checked_.file, a, checked_.limits))
      if (const auto joints = body->values<std::int32_t>("joints"); std::ranges::find(joints, block) == joints.end())
        checked_.add("W_JOINT_OWNER", Level::Warning, "the body of the joint does not list it", block);
    check_limits(block, record);
    const bool has_frames =
        record.has("frames") &&
        (!record.has("wrapped") || (record.integer("wrapped") != 0 && record.integer("wrapped") != 8));
    if (has_frames) check_frames(block, record.reals<32>("frames"));
  }

  void check_limits(std::int32_t block, const nif::Record& record) {
    bool is_wrong = false;
    const std::uint64_t wrapped = record.has("wrapped") ? record.integer("wrapped") : 0;
    if (record.has("ragdoll_limits") && (!record.has("wrapped") || wrapped == 7)) {
      const auto v = record.reals<6>("ragdoll_limits");
      is_wrong |= v[1] > v[2] || v[3] > v[4];
    }
    if (record.has("limits") && (!record.has("wrapped") || wrapped == 2 || wrapped == 6)) {
      const auto v = record.reals<3>("limits");
      is_wrong |= v[0] > v[1];
    }
    if (is_wrong) checked_.add("W_JOINT_LIMITS", Level::Warning, "a limit of the joint is the wrong way round", block);
  }

  void check_frames(std::int32_t block, const std::array<float, 32>& v) {
    for (const std::size_t first : {std::size_t{0}, std::size_t{16}}) {
      const Vec3 x(v[first], v[first + 1], v[first + 2]), y(v[first + 4], v[first + 5], v[first + 6]);
      if (std::abs(glm::dot(x, y)) > 0.01f)
        return checked_.add("W_JOINT_FRAME", Level::Warning, "the axes of the joint are not at right angles", block);
    }
  }

  void check_flags() {
    const auto expected = expected_bsx_flags(checked_.file);
    if (!expected || (*expected & bsx_flag::kHavok) == 0) return;
    const std::uint32_t present = bsx_flags(checked_.file).value_or(0);
    const auto add = [&](std::string code, Level level, std::string message) {
      checked_.findings.push_back({std::move(code), level, std::move(message), "BSXFlags", automatic_cure()});
    };
    if ((present & bsx_flag::kHavok) == 0)
      add("W_BSX_FLAGS", Level::Warning, "no BSXFlags with the Havok bit (2): the game ignores the collision");
    else if (((present ^ *expected) & bsx_flag::kRagdoll) != 0)
      add("W_BSX_FLAGS", Level::Warning,
          (*expected & bsx_flag::kRagdoll) != 0 ? "the file has a ragdoll, but BSXFlags lack its bit (4)"
                                                : "BSXFlags say that there is a ragdoll (4), and there is none");
    else if (present != *expected)
      checked_.findings.push_back({"I_BSX_FLAGS", Level::Info,
                                   "BSXFlags are " + std::to_string(present) + "; most files with these bodies have " +
                                       std::to_string(*expected),
                                   "BSXFlags"});
  }

  CheckedFile checked_;
  std::vector<NifNode> nodes_;
  std::unordered_set<std::uint32_t> said_materials_;
};

}  // namespace

Findings check(const NifFile& file, const Limits& limits) {
  Findings findings;
  if (keeps_blocks(file.stream)) Checker(file, limits, findings).run();
  return findings;
}

}  // namespace marrow::bhk
