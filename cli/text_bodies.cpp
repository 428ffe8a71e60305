// SPDX-License-Identifier: MIT
// What is said about bodies.
#include <fmt/format.h>

#include "text_words.h"

namespace marrow::cli {
namespace {

std::string parts_text(const Json& shape) {
  std::string text;
  for (const Json& part : shape["partitions"].items())
    text += fmt::format(
        "    {}: {}, {}, {}\n",
        part["body_part"].is_number() ? fmt::format("body part {}", part["body_part"].integer()) : "partition",
        counted(part["vertices"].integer(), "vertex", "vertices"),
        counted(part["triangles"].integer(), "triangle", "triangles"),
        counted(part["bones"].integer(), "bone", "bones"));
  for (const Json& segment : shape["segments"].items())
    text += fmt::format("    segment: {}, {}\n", counted(segment["triangles"].integer(), "triangle", "triangles"),
                        counted(segment["sub_segments"].integer(), "part", "parts"));
  return text;
}

std::string list_text(const ReportPlace& place, const Json& report) {
  std::string text = fmt::format("{}: {}, {}\n", place.path, report["game"].text(),
                                 counted(report["shapes"].size(), "shape", "shapes"));
  for (const Json& shape : report["shapes"].items()) {
    text += fmt::format("  '{}' {} in block {}: {}, {}", shape["name"].text(), shape["type"].text(),
                        shape["block"].integer(), counted(shape["vertices"].integer(), "vertex", "vertices"),
                        counted(shape["triangles"].integer(), "triangle", "triangles"));
    if (shape["skinned"].boolean()) text += ", " + counted(shape["bones"].size(), "bone", "bones");
    text += "\n" + parts_text(shape);
    if (!shape["material"].text().empty()) text += "    material " + shape["material"].text() + "\n";
    for (const Json& texture : shape["textures"].items())
      if (!texture.text().empty()) text += "    texture " + texture.text() + "\n";
  }
  return text;
}

std::string body_replace_text(const ReportPlace& place, const Json& report) {
  std::string text = arrow(place) + "\n";
  constexpr std::pair<const char*, const char*> kCounts[] = {
      {"positions", "vertices moved"},        {"normals", "normals changed"},
      {"tangents", "tangents computed"},      {"uvs", "UVs changed"},
      {"colors", "colours changed"},          {"weights", "vertices weighted otherwise"},
      {"added_vertices", "vertices added"},   {"removed_vertices", "vertices removed"},
      {"added_triangles", "triangles added"}, {"removed_triangles", "triangles removed"}};
  for (const Json& shape : report["shapes"].items()) {
    std::string changes;
    for (const auto& [key, words] : kCounts)
      if (shape[key].integer() > 0)
        changes += fmt::format("{}{} {}", changes.empty() ? "" : ", ", shape[key].integer(), words);
    text += fmt::format("  '{}': {}\n", shape["name"].text(), changes.empty() ? "unchanged" : changes);
    if (shape["worst_rounding"].number() > 0.0)
      text += fmt::format("    positions are off by up to {:.4g} units, since the format stores halves\n",
                          shape["worst_rounding"].number());
  }
  return text;
}

std::string new_body_text(const ReportPlace& place, const Json& report) {
  std::string text = arrow(place) + "\n";
  for (const Json& shape : report["shapes"].items()) {
    text += fmt::format("  '{}' like '{}': {}, {}", shape["name"].text(), shape["like"].text(),
                        counted(shape["vertices"].integer(), "vertex", "vertices"),
                        counted(shape["triangles"].integer(), "triangle", "triangles"));
    if (shape["added_bones"].size() > 0)
      text += ", " + counted(shape["added_bones"].size(), "bone", "bones") + " added";
    if (shape["transferred"].boolean())
      text += fmt::format(", weights of the surface below, up to {:.2f} units away", shape["farthest"].number());
    if (shape.contains("mean_difference"))
      text += fmt::format("; they differ from its own by {:.3f} on average, {:.3f} at worst",
                          shape["mean_difference"].number(), shape["worst_difference"].number());
    text += "\n";
  }
  return text;
}

constexpr WordingRow kBodyWordings[] = {{"body list", list_text},
                                        {"body weights", nothing},
                                        {"body replace", body_replace_text},
                                        {"body picture", nothing},
                                        {"body new", new_body_text}};

}  // namespace

std::span<const WordingRow> body_wordings() { return kBodyWordings; }

}  // namespace marrow::cli
