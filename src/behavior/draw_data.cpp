// SPDX-License-Identifier: MIT
// Graphs as JSON and for Graphviz.
#include "behavior/draw.h"
#include "behavior/records.h"
#include "havok/packfile/unreachable.h"
#include "havok/text/xml_source.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

using havok::ObjectId;
using havok::Packfile;

// Calls `node(id)` for what the root reaches, by number, then `edge(from, place, to)` for its pointers.
template <class Node, class Edge>
void for_each_part(const Packfile& file, const NodeNames& names, Node node, Edge edge) {
  const std::vector<bool> is_reached = havok::reachable(file);
  const std::vector<ObjectId> order = names.in_order();
  for (const ObjectId id : order)
    if (is_reached[id.index]) node(id);
  for (const ObjectId id : order)
    if (is_reached[id.index])
      for_each_pointer_place(file.at(id), [&](const Place& place, ObjectId to) {
        if (to.index < file.objects.size()) edge(id, place, to);
      });
}

std::string dot_text(std::string_view given) {
  std::string out = "\"";
  for (const char c : havok::needs_bytes(given) ? printable(given) : std::string(given)) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out + "\"";
}

}  // namespace

Json graph_json(const Packfile& file, const NodeNames& names) {
  Json nodes = Json::array(), edges = Json::array();
  for_each_part(
      file, names,
      [&](ObjectId id) {
        nodes.push(Json()
                       .set("node", names.of(id))
                       .set("class", file.at(id).class_name())
                       .set("name", name_of_node(file.at(id))));
      },
      [&](ObjectId from, const Place& place, ObjectId to) {
        edges.push(Json().set("from", names.of(from)).set("to", names.of(to)).set("field", place.text()));
      });
  return Json().set("nodes", std::move(nodes)).set("edges", std::move(edges));
}

std::string graph_dot(const Packfile& file, const NodeNames& names) {
  std::string out = "digraph behavior {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n";
  for_each_part(
      file, names,
      [&](ObjectId id) {
        const std::string name = name_of_node(file.at(id));
        std::string label = std::string(names.of(id)) + " " + std::string(file.at(id).class_name());
        if (!name.empty()) label += ": " + name;
        out += "  " + dot_text(names.of(id)) + " [label=" + dot_text(label) + "];\n";
      },
      [&](ObjectId from, const Place& place, ObjectId to) {
        out += "  " + dot_text(names.of(from)) + " -> " + dot_text(names.of(to)) + " [label=" + dot_text(place.text()) +
               "];\n";
      });
  return out + "}\n";
}

}  // namespace marrow::behavior
