// SPDX-License-Identifier: MIT
#include "ops/collision/ragdoll.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/lines.h"
#include "core/try.h"
#include "marrow/core/text.h"
#include "marrow/model/collision_names.h"
#include "marrow/model/pose.h"
#include "nif/bhk_measure.h"
#include "ops/collision/build_input.h"
#include "ops/collision/container.h"
#include "ops/collision/joints.h"
#include "ops/collision/port.h"

namespace marrow {
namespace {

/// One row of the table; angles are degrees.
struct RagdollRow {
  havok::RagdollBody body = {};
  std::string layer = "BIPED";
  JointKind joint = JointKind::Ragdoll;
  std::optional<JointRange> twist = {}, plane = {}, angle = {}, distance = {};
  std::optional<double> cone = {};
  std::optional<Vec3> normal = {}, axis = {};
  std::optional<float> friction = {};
};

void describe(FieldList& fields, RagdollRow& row) {
  havok::RagdollBody& body = row.body;
  fields("bone", body.bone, {.required = true});
  fields("shape", body.shape);
  fields("radius", body.radius, {.min = 0, .above_min = true});
  fields("half_extents", body.half_extents);
  fields("from", body.from);
  fields("to", body.to);
  fields("length", body.length, {.min = 0, .above_min = true});
  fields("mass", body.mass_kg, {.min = 0, .above_min = true});
  fields("layer", row.layer);
  fields("part", body.part, {.min = 0, .max = 255});
  fields("joint", row.joint);
  fields("twist", row.twist);
  fields("cone", row.cone, {.min = 0, .max = 180});
  fields("plane", row.plane);
  fields("normal", row.normal);
  fields("angle", row.angle);
  fields("axis", row.axis);
  fields("distance", row.distance);
  fields("friction", row.friction, {.min = 0});
}

float to_radians(double degrees) { return static_cast<float>(degrees * std::numbers::pi / 180.0); }

Result<void> set_range(const char* column, const std::optional<JointRange>& range, float& low, float& high) {
  if (!range) return {};
  const auto [first, last] = *range;
  if (!(std::isfinite(first) && std::isfinite(last) && first <= last))
    return fail(ErrorCode::Malformed, "takes two numbers, the smaller one first", kNoOffset, column);
  low = static_cast<float>(first);
  high = static_cast<float>(last);
  return {};
}

Result<void> set_angles(const char* column, const std::optional<JointRange>& range, float& low, float& high) {
  if (!range) return {};
  const auto [first, last] = *range;
  if (!(first <= last && first >= -180.0 && last <= 180.0))
    return fail(ErrorCode::Malformed, "takes two angles from -180 to 180 degrees, the smaller one first", kNoOffset,
                column);
  low = to_radians(first);
  high = to_radians(last);
  return {};
}

/// The columns that a kind of joint has, apart from those of its body.
struct JointColumns {
  JointKind kind;
  std::string_view columns;
};
constexpr std::array<JointColumns, 6> kJointColumns = {{{JointKind::Ball, ""},
                                                        {JointKind::Hinge, "axis"},
                                                        {JointKind::LimitedHinge, "angle axis friction"},
                                                        {JointKind::Ragdoll, "twist cone plane normal friction"},
                                                        {JointKind::Prismatic, "distance axis friction"},
                                                        {JointKind::Fixed, ""}}};

// A limit that the joint does not have would be lost without a word.
Result<void> check_columns(const RagdollRow& row) {
  const std::array<std::pair<const char*, bool>, 8> given = {{{"twist", row.twist.has_value()},
                                                              {"cone", row.cone.has_value()},
                                                              {"plane", row.plane.has_value()},
                                                              {"normal", row.normal.has_value()},
                                                              {"angle", row.angle.has_value()},
                                                              {"axis", row.axis.has_value()},
                                                              {"distance", row.distance.has_value()},
                                                              {"friction", row.friction.has_value()}}};
  const std::string_view own = std::ranges::find(kJointColumns, row.joint, &JointColumns::kind)->columns;
  const std::string_view word = ChoiceWords<JointKind>::words[static_cast<std::size_t>(row.joint)];
  for (const auto& [column, is_given] : given)
    if (is_given && own.find(column) == std::string_view::npos)
      return fail(ErrorCode::Malformed,
                  "is not a limit of a " + std::string(word) + " joint, which takes " +
                      (own.empty() ? "none" : std::string(own)),
                  kNoOffset, column);
  return {};
}

Result<havok::JointLimits> limits_of_row(const RagdollRow& row) {
  switch (row.joint) {
    case JointKind::Ragdoll: {
      havok::SwingLimits swing;
      MARROW_CHECK(set_angles("twist", row.twist, swing.twist_min, swing.twist_max));
      MARROW_CHECK(set_angles("plane", row.plane, swing.plane_min, swing.plane_max));
      if (row.cone) swing.cone = to_radians(*row.cone);
      swing.plane_normal = row.normal.value_or(swing.plane_normal);
      return swing;
    }
    case JointKind::LimitedHinge: {
      havok::TurnLimits turn;
      turn.axis = row.axis.value_or(turn.axis);
      MARROW_CHECK(set_angles("angle", row.angle, turn.min, turn.max));
      return turn;
    }
    case JointKind::Prismatic: {
      havok::SlideLimits slide;
      slide.axis = row.axis.value_or(slide.axis);
      MARROW_CHECK(set_range("distance", row.distance, slide.min, slide.max));
      return slide;
    }
    case JointKind::Hinge: return havok::FreeTurn{row.axis.value_or(havok::FreeTurn{}.axis)};
    case JointKind::Ball: return havok::FreeSwing{};
    case JointKind::Fixed: break;
  }
  return havok::NoMotion{};
}

/// What ragdolls of a game have, unless the table says otherwise.
struct RagdollRules {
  float swing_friction, turn_friction;  ///< of ragdoll joints and limited hinges
  std::uint32_t material;
  // Of every body; nothing: as `make_ragdoll` makes it.
  std::optional<float> friction = {}, restitution = {};
};
// By `CollisionGame`: organic skin and skin.
constexpr std::array kRagdollRules = {RagdollRules{3.0f, 3.0f, havok::RagdollOptions{}.material},
                                      RagdollRules{10.0f, 0.01f, 0x233DB702, 0.3f, 0.8f}};
const RagdollRules& rules_of(CollisionGame game) { return kRagdollRules[static_cast<std::size_t>(game)]; }

Result<havok::RagdollBody> body_of_row(RagdollRow row, CollisionGame game) {
  auto layer = find_layer(row.layer, game);
  if (!layer) return fail(ErrorCode::Malformed, layer.error().message, kNoOffset, "layer");
  row.body.layer = *layer;
  MARROW_CHECK(check_columns(row));
  MARROW_TRY(row.body.limits, limits_of_row(row));
  const RagdollRules& rules = rules_of(game);
  row.body.friction_torque =
      row.friction.value_or(row.joint == JointKind::LimitedHinge ? rules.turn_friction : rules.swing_friction);
  return std::move(row.body);
}

Result<havok::RagdollBody> body_of_json(Json json, CollisionGame game) {
  if (!json.is_object()) return fail(ErrorCode::Malformed, "each body is an object");
  if (const std::int64_t layer = json["layer"].integer(); json["layer"].is_number())
    json.set("layer", std::to_string(layer));
  RagdollRow row;
  FieldList fields;
  describe(fields, row);
  if (auto filled = described::record_from(fields, json); !filled)
    return fail(ErrorCode::Malformed, filled.error().message, kNoOffset, filled.error().path);
  return body_of_row(std::move(row), game);
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t comma = line.find(',');
    cells.push_back(trim(line.substr(0, comma)));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

Result<Json> number_cell(std::string_view text, const FieldInfo& column) {
  const auto number = parse_double(text);
  if (!number)
    return fail(ErrorCode::Malformed, "'" + std::string(text) + "' is not a number", kNoOffset,
                std::string(column.name));
  if (column.type != FieldType::Integer) return Json(*number);
  constexpr double kLargest = 1e9;  // far below where the cast would overflow
  if (!(std::abs(*number) <= kLargest) || *number != std::floor(*number))
    return fail(ErrorCode::Malformed, "'" + std::string(text) + "' is not a whole number", kNoOffset,
                std::string(column.name));
  return Json(static_cast<std::int64_t>(*number));
}

// A cell as JSON of the column's type; numbers of vectors and ranges are separated by spaces.
Result<Json> cell_json(std::string_view cell, const FieldInfo& column) {
  if (column.type == FieldType::Text || column.type == FieldType::Choice) return Json(cell);
  if (column.type != FieldType::Vector) return number_cell(cell, column);
  Json numbers = Json::array();
  while (!(cell = trim(cell)).empty()) {
    const std::size_t end = std::min(cell.find(' '), cell.size());
    MARROW_TRY(Json number, number_cell(cell.substr(0, end), column));
    numbers.push(std::move(number));
    cell.remove_prefix(end);
  }
  return numbers;
}

Result<std::vector<const FieldInfo*>> columns_of(std::string_view header, const std::vector<FieldInfo>& known) {
  std::vector<const FieldInfo*> columns;
  for (const std::string_view name : cells_of(header)) {
    const auto found = std::ranges::find(known, name, &FieldInfo::name);
    if (found == known.end()) {
      std::string names;
      for (const FieldInfo& each : known) (names += names.empty() ? "" : ", ") += each.name;
      return fail(ErrorCode::Malformed, "there is no column '" + std::string(name) + "'; columns are " + names);
    }
    columns.push_back(&*found);
  }
  return columns;
}

std::unexpected<Error> in_row(Error error, std::size_t row) {
  error.path = "row " + std::to_string(row) + (error.path.empty() ? "" : ", " + error.path);
  return std::unexpected(std::move(error));
}

Result<std::vector<havok::RagdollBody>> read_csv_table(std::string_view text, CollisionGame game) {
  const std::vector<FieldInfo> known = fields_of<RagdollRow>();
  std::vector<const FieldInfo*> columns;
  std::vector<havok::RagdollBody> bodies;
  for (const TextLine& each : Lines(text)) {
    const std::string_view line = trim(each.text);
    if (line.empty() || line.starts_with('#')) continue;
    if (columns.empty()) {
      MARROW_TRY(columns, columns_of(line, known));
      continue;
    }
    const std::vector<std::string_view> cells = cells_of(line);
    if (cells.size() > columns.size())
      return in_row({ErrorCode::Malformed, "there are more cells than columns"}, bodies.size() + 1);
    Json json = Json::object();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i].empty()) continue;
      auto value = cell_json(cells[i], *columns[i]);
      if (!value) return in_row(std::move(value.error()), bodies.size() + 1);
      json.set(columns[i]->name, std::move(*value));
    }
    auto body = body_of_json(std::move(json), game);
    if (!body) return in_row(std::move(body.error()), bodies.size() + 1);
    bodies.push_back(std::move(*body));
  }
  return bodies;
}

Result<std::vector<havok::RagdollBody>> read_json_table(std::string_view text, const Limits& limits,
                                                        CollisionGame game) {
  MARROW_TRY(const Json json, parse_json(text, limits));
  const Json& rows = json.is_object() ? json["bodies"] : json;
  if (!rows.is_array()) return fail(ErrorCode::Malformed, "the table is a list of bodies, or an object with `bodies`");
  std::vector<havok::RagdollBody> bodies;
  for (const Json& row : rows.items()) {
    auto body = body_of_json(row, game);
    if (!body) return in_row(std::move(body.error()), bodies.size() + 1);
    bodies.push_back(std::move(*body));
  }
  return bodies;
}

}  // namespace

void describe(FieldList& fields, RagdollCollisionOptions& options) {
  fields.input(
      "table", options.table,
      {.help = "CSV with a header, or JSON: bone, shape, radius, mass, layer, joint and its limits, one row per body",
       .placeholder = "TABLE",
       .required = true,
       .positional = true});
  fields("one_sided", options.one_sided,
         {.help = "do not mirror: bones on the other side get a body only if the table has one for them"});
  fields(
      "material", options.material,
      {.help = "collision material of all bodies", .placeholder = "NAME", .otherwise = "organic skin, in Skyrim skin"});
  fields("to", options.to,
         {.help = "the game: for Skyrim a NIF with the bones, for Fallout 4 a packfile",
          .placeholder = "GAME",
          .otherwise = "fallout4"});
}

void describe(FieldList& fields, RagdollBoneInfo& bone) {
  fields("body", bone.body);
  fields("bone", bone.bone);
  fields("mass", bone.mass, {.unit = "kilograms"});
  fields("mirrored", bone.mirrored, {.help = "made from the row of the other side"});
}

void describe(FieldList& fields, RagdollReport& report) {
  fields("bodies", report.bodies);
  fields("joints", report.joints);
  fields("bones", report.bones);
}

Result<std::vector<havok::RagdollBody>> read_ragdoll_table(std::string_view text, const Limits& limits,
                                                           CollisionGame game) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::string_view start = trim(text);
  const bool is_json = start.starts_with('[') || start.starts_with('{');
  MARROW_TRY(std::vector<havok::RagdollBody> bodies,
             is_json ? read_json_table(text, limits, game) : read_csv_table(text, game));
  if (bodies.empty()) return fail(ErrorCode::Malformed, "the table has no rows");
  return bodies;
}

namespace {

// Gives the bodies of a ragdoll the nodes of their bones, where these are in the rest pose.
void put_on_bones(DocumentCollision& collision, const Skeleton& skeleton) {
  std::vector<Transform> model(skeleton.bones.size());
  for (std::size_t i = 0; i < model.size(); ++i) model[i] = skeleton.bones[i].rest;
  local_to_model(skeleton, model, model);
  const Ragdoll& ragdoll = *collision.system.ragdoll;
  for (std::size_t i = 0; i < ragdoll.skeleton.bones.size(); ++i)
    if (const auto bone = find_bone(skeleton, ragdoll.skeleton.bones[i].name))
      collision.nodes.push_back({static_cast<std::uint32_t>(ragdoll.bone_to_body[i]),
                                 skeleton.bones[static_cast<std::size_t>(*bone)].name,
                                 model[static_cast<std::size_t>(*bone)], *bone});
}

// Lays over ported bodies what ragdolls of the game have.
void follow_rules(CollisionSystem& system, const RagdollRules& rules, std::uint32_t material) {
  for (SurfaceProperties& surface : system.surfaces) {
    if (rules.friction) surface.dynamic_friction = surface.static_friction = *rules.friction;
    if (rules.restitution) surface.restitution = *rules.restitution;
  }
  for (Shape& shape : system.shapes) shape.material = material;
  for (MotionProperties& properties : system.motion_properties) properties = bhk::new_motion_properties();
}

std::vector<NewNode> nodes_of(const Skeleton& skeleton) {
  std::vector<NewNode> nodes;
  for (const Bone& bone : skeleton.bones) nodes.push_back({bone.name, bone.parent, bone.rest});
  return nodes;
}

}  // namespace

Result<RagdollReport> build_ragdoll(const Document& source, const RagdollCollisionOptions& options, Document& document,
                                    Context& context) {
  MARROW_TRY(const DocumentSkeleton* found, main_skeleton(source));
  const Skeleton& skeleton = found->skeleton;
  const Game game = options.to.value_or(Game::Fallout4);
  MARROW_TRY(const CollisionContainer* container, container_of(game));
  const RagdollRules& rules = rules_of(container->game);
  auto rows = read_ragdoll_table(options.table, context.limits, container->game);
  if (!rows) {
    rows.error().path = "table" + (rows.error().path.empty() ? "" : ", " + rows.error().path);
    return std::unexpected(std::move(rows.error()));
  }
  // `attach` and `replace` find nodes by the names, and take them out: NIF files have none.
  havok::RagdollOptions make{.material = rules.material, .mirrored = !options.one_sided, .has_bone_names = true};
  if (options.material) {
    MARROW_TRY(make.material, option_material(*options.material, container->game));
  }
  DocumentCollision collision{.kind = EmbeddedKind::Ragdoll};
  MARROW_TRY(collision.system, havok::make_ragdoll(skeleton, *rows, make));
  CollisionSystem& system = collision.system;
  RagdollReport report{.bodies = system.bodies.size(), .joints = system.constraints.size()};
  for (std::size_t i = 0; i < system.ragdoll->skeleton.bones.size(); ++i) {
    const Bone& bone = system.ragdoll->skeleton.bones[i];
    const auto body = static_cast<std::size_t>(system.ragdoll->bone_to_body[i]);
    const bool is_given = std::ranges::find(*rows, bone.name, &havok::RagdollBody::bone) != rows->end();
    report.bones.push_back({body, bone.name, mass_of(system, system.bodies[body]), !is_given});
  }
  put_on_bones(collision, skeleton);
  if (container->game != system.game) {
    const std::uint32_t material = make.material;
    Notes steps;  // of names that are laid over below
    MARROW_TRY(collision, port_collision(collision, container->game, steps));
    follow_rules(collision.system, rules, material);
  }
  MARROW_CHECK(container->make(document, std::move(collision), nodes_of(skeleton), game, context));
  return report;
}

}  // namespace marrow
