// SPDX-License-Identifier: MIT
// What is said about bodies, shapes and joints.
#include <fmt/format.h>

#include <array>
#include <optional>

#include "text_words.h"

namespace marrow::cli {
namespace {

std::string body_text(const Json& body) {
  std::string text = fmt::format("  body {:<3} {:<9}", body["id"].integer(), body["motion"].text());
  if (body["mass"].number() > 0) text += fmt::format(" {} kg,", number_text(body["mass"]));
  if (const Json& shape = body["shape"]; shape.is_object()) {
    text += " " + shape["type"].text();
    if (shape["children"].integer() > 0) text += fmt::format(" of {}", shape["children"].integer());
    if (shape["triangles"].integer() > 0) text += fmt::format(", {} triangles", shape["triangles"].integer());
    text += ", " + body["material"].text();
  }
  text += ", " + body["layer"].text();
  if (body["node"].is_text()) text += ", on '" + body["node"].text() + "'";
  std::string facts;
  const auto add = [&](const std::string& fact) { facts += (facts.empty() ? "" : ", ") + fact; };
  if (const Json& size = body["shape"]["size"]; size.size() == 3)
    add(fmt::format("size {:.4g} x {:.4g} x {:.4g} around {}", size.items()[0].number(), size.items()[1].number(),
                    size.items()[2].number(), vector_text(body["shape"]["center"])));
  for (const char* field : {"friction", "restitution"})
    if (body[field].is_number()) add(fmt::format("{} {:.4g}", field, body[field].number()));
  return text + (facts.empty() ? "\n" : "\n           " + facts + "\n");
}

std::string joint_text(std::size_t index, const Json& joint) {
  constexpr double kDegrees = 57.29577951308232;
  std::string text =
      fmt::format("  joint {:<2} {}, body {} to {}", index, joint["type"].text(), joint["body_a"].integer(),
                  joint["body_b"].is_number() ? fmt::format("body {}", joint["body_b"].integer()) : "the world");
  for (const char* field : {"angle", "twist", "plane"})
    if (const Json& range = joint[field]; range.size() == 2)
      text += fmt::format(", {} {:.4g} to {:.4g}", field, kDegrees * range.items()[0].number(),
                          kDegrees * range.items()[1].number());
  if (joint["cone"].is_number()) text += fmt::format(", cone {:.4g}", kDegrees * joint["cone"].number());
  if (joint.contains("angle") || joint.contains("cone")) text += " degrees";
  if (joint["friction_torque"].is_number()) text += fmt::format(", friction {:.4g}", joint["friction_torque"].number());
  if (joint["break_threshold"].is_number())
    text += fmt::format(", breaks at {:.4g}", joint["break_threshold"].number());
  return text + "\n";
}

std::string collision_text(const ReportPlace& place, const Json& report) {
  std::string text;
  for (const Json& system : report["systems"].items()) {
    text += place.path;
    if (system["block"].is_number()) text += fmt::format(", block {}", system["block"].integer());
    text += fmt::format(": {}, {}, {}\n", system["kind"].text(), counted(system["bodies"].size(), "body", "bodies"),
                        counted(system["constraints"].size(), "constraint", "constraints"));
    for (const Json& body : system["bodies"].items()) text += body_text(body);
    for (std::size_t i = 0; i < system["constraints"].size(); ++i)
      text += joint_text(i, system["constraints"].items()[i]);
  }
  if (const Json& legacy = report["legacy"]; legacy.size() > 0)
    text += fmt::format("{}: {} from before Fallout 4, which the game does not load\n", place.path,
                        counted(legacy.size(), "collision object", "collision objects"));
  for (const Json& each : report["legacy"].items()) {
    text += fmt::format("  block {:<3} {}", each["block"].integer(), each["type"].text());
    for (const char* field : {"body", "shape"})
      if (each[field].is_text() && each[field] != each["type"]) text += ", " + each[field].text();
    if (each["layer"].is_text()) text += ", layer " + each["layer"].text();
    if (each["node"].is_text()) text += ", on '" + each["node"].text() + "'";
    text += "\n";
  }
  return text.empty() ? place.path + ": no collision\n" : text;
}

std::string joint_details(const Json& joint) {
  const auto end = [](const Json& body, const Json& node) {
    if (!body.is_number()) return std::string("the world");
    return fmt::format("body {}{}", body.integer(), node.is_text() ? " '" + node.text() + "'" : "");
  };
  std::string text = fmt::format("  joint {:<2} {}, {} to {}\n", joint["joint"].integer(), joint["type"].text(),
                                 end(joint["body"], joint["node"]), end(joint["to"], joint["to_node"]));
  const auto line = [&](const char* name, const std::string& value) {
    text += fmt::format("    {:<9} {}\n", name, value);
  };
  for (const auto& [name, a, b] : {std::array{"pivot", "pivot", "to_pivot"}, std::array{"axis", "axis", "to_axis"},
                                   std::array{"normal", "normal", "to_normal"}})
    if (joint[a].size() == 3)
      line(name, vector_text(joint[a]) + " on the body, " + vector_text(joint[b]) + " on the other");
  for (const char* range : {"twist", "plane", "angle", "distance"})
    if (const Json& both = joint[range]; both.size() == 2)
      line(range, fmt::format("{:.4g} to {:.4g} {}", both.items()[0].number(), both.items()[1].number(),
                              std::string_view(range) == "distance" ? "game units" : "degrees"));
  if (joint["cone"].is_number()) line("cone", fmt::format("{:.4g} degrees", joint["cone"].number()));
  if (joint["friction"].is_number()) line("friction", fmt::format("{:.4g}", joint["friction"].number()));
  if (joint["break_threshold"].is_number()) line("breaks at", fmt::format("{:.4g}", joint["break_threshold"].number()));
  for (const Json& motor : joint["motors"].items()) {
    std::string facts = fmt::format("{} of {}, {}", motor["type"].text(), motor["drives"].text(),
                                    joint["motors_on"].boolean() ? "on" : "off");
    if (motor["max_force"].is_number())
      facts += fmt::format(", force {:.4g} to {:.4g}", motor["min_force"].number(), motor["max_force"].number());
    for (const char* field : {"stiffness", "damping"})
      if (motor[field].is_number()) facts += fmt::format(", {} {:.4g}", field, motor[field].number());
    line("motor", facts);
  }
  return text;
}

std::string joints_text(const ReportPlace& place, const Json& report) {
  std::string text;
  std::optional<Json> block;
  for (const Json& joint : report["joints"].items()) {
    if (!block || *block != joint["block"]) {
      block = joint["block"];
      text += place.path + (block->is_number() ? fmt::format(", block {}", block->integer()) : "") + ":\n";
    }
    text += joint_details(joint);
  }
  return text.empty() ? place.path + ": no joints\n" : text;
}

std::string edited_joints_text(const ReportPlace& place, const Json& report) {
  std::string numbers;
  for (const Json& joint : report["joints"].items()) numbers += (numbers.empty() ? "" : ", ") + number_text(joint);
  return fmt::format("{}: joint {}\n", arrow(place), numbers);
}

std::string ragdoll_text(const ReportPlace& place, const Json& report) {
  std::string text = fmt::format("{}: {}, {}\n", arrow(place), counted(report["bodies"].integer(), "body", "bodies"),
                                 counted(report["joints"].integer(), "joint", "joints"));
  for (const Json& bone : report["bones"].items())
    text += fmt::format("  body {:<3} {}, {} kg{}\n", bone["body"].integer(), bone["bone"].text(),
                        number_text(bone["mass"]), bone["mirrored"].boolean() ? ", mirrored" : "");
  return text;
}

std::string exported_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}, {} shapes\n", arrow(place), report["shapes"].integer());
}

std::string block_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: block {} -> {}\n", place.path, report["block"].integer(), place.output);
}

std::string replace_text(const ReportPlace& place, const Json& report) {
  if (report["block"].is_number()) return block_text(place, report);
  std::string text = fmt::format("{}: {} changed\n", arrow(place), counted(report["changed"].size(), "body", "bodies"));
  for (const Json& body : report["changed"].items())
    text += fmt::format("  body {:<3} {}, {}\n", body["body"].integer(), body["name"].text(), body["shape"].text());
  for (const Json& name : report["removed"].items()) text += fmt::format("  removed  {}\n", name.text());
  return text;
}

std::string extract_text(const ReportPlace& place, const Json& report) {
  std::string blocks;
  for (const Json& block : report["blocks"].items())
    blocks += fmt::format("{}{}", blocks.empty() ? "" : ", ", block.integer());
  return fmt::format("{}: block {} -> {}\n", place.path, blocks, place.output);
}

std::string one_body_text(const ReportPlace& place, const Json& report) {
  std::string text = fmt::format("{}: body {}", arrow(place), report["body"].integer());
  if (report["block"].is_number()) text += fmt::format(" of block {}", report["block"].integer());
  if (report["shape"].is_text()) text += ", " + report["shape"].text();
  return text + "\n";
}

std::string detach_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: off {}\n", arrow(place), joined(report["nodes"]));
}

std::string materials_text(const ReportPlace&, const Json& report) {
  std::string text;
  for (const Json& material : report["materials"].items())
    text +=
        fmt::format("{:<36} {:<32} {}\n", material["name"].text(), material["plain"].text(), material["crc"].text()) +
        (material["used_by"].is_text()
             ? fmt::format("    no name in the game's lists; used by {}\n", material["used_by"].text())
             : "");
  return text;
}

std::string layers_text(const ReportPlace&, const Json& report) {
  std::string text;
  for (const Json& layer : report["layers"].items())
    text += fmt::format("{:>3}  {}\n", layer["number"].integer(), layer["name"].text());
  return text;
}

std::string set_text(const ReportPlace& place, const Json& report) {
  return fmt::format("{}: {} changed\n", arrow(place), counted(report["bodies"].integer(), "body", "bodies"));
}

std::string build_text(const ReportPlace& place, const Json& report) {
  std::string text = fmt::format("{}: {}, {} bytes\n", place.output,
                                 counted(report["count"].integer(), "body", "bodies"), report["bytes"].integer());
  for (const Json& body : report["bodies"].items())
    text += fmt::format("  body {:<3} {}\n", body["body"].integer(), body["name"].text());
  for (const Json& one : report["decompositions"].items())
    text += fmt::format("  {}: {} hulls, volume {:+.1f} %, at most {:.2f} units off, {:.1f} % covered\n",
                        one["object"].text(), one["hulls"].integer(), 100.0 * one["volume_error"].number(),
                        one["worst_distance"].number(), 100.0 * one["coverage"].number());
  return text;
}

std::string boxes_text(const ReportPlace& place, const Json& report) {
  std::string text = fmt::format("{}: {} boxes\n", place.path, report["boxes"].items().size());
  for (const Json& box : report["boxes"].items()) {
    const Json &size = box["size"], &centre = box["centre"];
    text += fmt::format("  body {:<3} depth {:<2} at {:.1f} {:.1f} {:.1f}, {:.1f} x {:.1f} x {:.1f}\n",
                        box["body"].integer(), box["depth"].integer(), centre.items()[0].number(),
                        centre.items()[1].number(), centre.items()[2].number(), size.items()[0].number(),
                        size.items()[1].number(), size.items()[2].number());
  }
  return text;
}

constexpr WordingRow kCollisionWordings[] = {
    {"collision boxes", boxes_text},
    {"collision list", collision_text},
    {"collision export", exported_text},
    {"collision extract", extract_text},
    {"collision replace", replace_text},
    {"collision attach", block_text},
    {"collision detach", detach_text},
    {"collision set-shape", one_body_text},
    {"collision add-body", one_body_text},
    {"collision remove-body", one_body_text},
    {"collision set", set_text},
    {"collision joints", joints_text},
    {"collision add-joint", edited_joints_text},
    {"collision set-joint", edited_joints_text},
    {"collision remove-joint", edited_joints_text},
    {"collision ragdoll", ragdoll_text},
    {"collision build", build_text},
    {"collision materials", materials_text},
    {"collision layers", layers_text},
};

}  // namespace

std::span<const WordingRow> collision_wordings() { return kCollisionWordings; }

}  // namespace marrow::cli
