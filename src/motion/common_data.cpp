// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <pugixml.hpp>
#include <utility>
#include <vector>

#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "marrow/motion/sidecar.h"
#include "motion/json_fields.h"

namespace marrow::motion {
namespace {

// One set of shared values; id 0 applies to every ball joint.
struct CommonData {
  std::uint64_t id = 0;
  Modifier values = make_modifier(ModifierType::BallJoint);
};

Modifier blank() {
  Modifier modifier = make_modifier(ModifierType::BallJoint);
  auto& joint = std::get<BallJointModifier>(modifier.data);
  joint.mass = joint.constraint_scale_y = joint.constraint_scale_z = 0.0f;
  joint.own_gravity = Vec4(0.0f);
  return modifier;
}

Result<std::vector<CommonData>> read_json(std::string_view text) {
  MARROW_TRY(const Json root, parse_json(text));
  const Json& list = root.contains("common") ? root["common"] : root;
  constexpr std::string_view kKeys[] = {"id", "comment"};
  const FieldContext context{.find_bone = [](const std::string&) -> Result<BoneLink> {
    return fail(ErrorCode::Malformed, "shared data must not name bones");
  }};
  std::vector<CommonData> all;
  for (const Json& item : one_or_many(list)) {
    const std::string path = "common[" + std::to_string(all.size()) + "]";
    if (!item.is_object())
      return fail(ErrorCode::Malformed, "expected an object of ball joint fields", kNoOffset, path);
    CommonData common{.values = blank()};
    if (item.contains("id")) {
      const auto id = item["id"].natural();
      if (!id) return fail(ErrorCode::Malformed, "expected the id of a file", kNoOffset, path);
      common.id = *id;
    }
    if (auto status = set_fields(common.values, item, context, kKeys); !status) {
      status.error().path = path + "." + status.error().path;
      return std::unexpected(std::move(status.error()));
    }
    all.push_back(std::move(common));
  }
  return all;
}

// Reads elements anywhere below `node` that have the name of a field, in either dialect.
void read_values(const pugi::xml_node& node, Modifier& values) {
  walk_fields(values, [&](const Field& field, auto& value) {
    using T = std::remove_cvref_t<decltype(value)>;
    const pugi::xml_node found =
        node.find_node([&](const pugi::xml_node& element) { return field.name == element.attribute("Name").value(); });
    if (!found) return;
    if constexpr (std::is_same_v<T, float>) {
      if (const auto number = parse_float(found.child_value())) value = *number;
    } else if constexpr (std::is_same_v<T, std::int32_t>) {
      if (const auto number = parse_int(found.child_value())) value = static_cast<std::int32_t>(*number);
    } else if constexpr (std::is_same_v<T, Vec4>) {
      constexpr const char* kParts[] = {"X", "Y", "Z", "W"};
      for (int i = 0; i < 4; ++i)
        if (const auto number = parse_float(found.child(kParts[i]).child_value())) value[i] = *number;
    }
  });
}

Result<std::vector<CommonData>> read_xml(std::span<const std::byte> bytes) {
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(bytes.data(), bytes.size());
  if (!parsed)
    return fail(ErrorCode::Malformed, parsed.description(),
                static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(parsed.offset, 0)));
  std::vector<CommonData> all;
  const auto add = [&](const pugi::xml_node& node) {
    CommonData common{.values = blank()};
    common.id = parse_uint(node.attribute("ID").value()).value_or(0);
    read_values(node, common.values);
    all.push_back(std::move(common));
  };
  const auto is_common = [](const pugi::xml_node& node) {
    return std::string_view(node.name()) == "BallJointCommonData" ||
           std::string_view(node.attribute("Type").value()) == "BallJointCommonData";
  };
  struct Walker : pugi::xml_tree_walker {
    std::vector<pugi::xml_node> found;
    bool (*wanted)(const pugi::xml_node&) = nullptr;
    bool for_each(pugi::xml_node& node) override {
      if (wanted(node)) found.push_back(node);
      return true;
    }
  } walker;
  walker.wanted = is_common;
  document.traverse(walker);
  for (const pugi::xml_node& node : walker.found) add(node);
  if (all.empty()) return fail(ErrorCode::NotFound, "the file has no BallJointCommonData");
  return all;
}

template <class T>
bool is_zero(const T& value) {
  if constexpr (std::is_same_v<T, Vec4>)
    return value == Vec4(0.0f);
  else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, std::int32_t>)
    return value == T{};
  else
    return false;
}

void fill_zeros(BallJointModifier& joint, const Modifier& common) {
  const auto& shared = std::get<BallJointModifier>(common.data);
  for (const Field& field : modifier_fields(ModifierType::BallJoint))
    std::visit(
        [&](auto* value) {
          const auto* from = std::get<std::remove_cvref_t<decltype(value)>>(field(shared));
          if (is_zero(*value)) *value = *from;
        },
        field(joint));
}

}  // namespace

Result<std::size_t> apply_common_data(std::span<const std::byte> file, Rig& rig) {
  const std::string_view text = trim(as_text(file));
  const bool is_xml = text.starts_with('<') || text.starts_with("\xEF\xBB\xBF<") || text.starts_with("\xFF\xFE") ||
                      text.starts_with("\xFE\xFF");
  MARROW_TRY(const std::vector<CommonData> all, is_xml ? read_xml(file) : read_json(text));
  std::size_t filled = 0;
  for (Modifier& modifier : rig.modifiers) {
    auto* joint = std::get_if<BallJointModifier>(&modifier.data);
    if (!joint) continue;
    bool found = false;
    // Entries for this joint are applied before entries for all joints, wherever they are in the file.
    for (const bool own : {true, false})
      for (const CommonData& common : all)
        if (own ? common.id != 0 && common.id == joint->common_data.id : common.id == 0) {
          fill_zeros(*joint, common.values);
          found = true;
        }
    if (found) ++filled;
  }
  return filled;
}

}  // namespace marrow::motion
