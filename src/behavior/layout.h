// SPDX-License-Identifier: MIT
// Where everything of a drawn graph stands: boxes in boxes, in the order in which they are met.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "behavior/graph.h"
#include "havok/packfile/packfile.h"

namespace marrow::behavior {

enum class BoxKind : std::uint8_t { Machine, State, Clip, Generator, Link };

enum class LineKind : std::uint8_t {
  Text,
  Transition,  ///< to another state
  Wildcard,    ///< leads here from any state
  Wrapper,     ///< a node around this one that holds nothing else
};

/// One line of text in a box, perhaps the start of an arrow.
struct BoxLine {
  std::string text;
  LineKind kind = LineKind::Text;
  std::int32_t target = -1;  ///< box of the state that it leads to; -1: none
};

struct Box {
  BoxKind kind = BoxKind::Generator;
  havok::ObjectId id;
  std::string title;
  std::string hint;  ///< node and class
  std::vector<BoxLine> lines = {};
  std::int32_t parent = -1;
  std::int32_t same_as = -1;  ///< of a link: the box that the node is drawn in
  bool is_start = false;
  double title_size = 12.0;  ///< of its letters: what holds much can be read from afar
  double x = 0.0, y = 0.0;   ///< relative to the parent until the layout is done, then to the picture
  double width = 0.0, height = 0.0;

  double title_height() const { return title_size * 1.35 + 4.0; }
};

/// Sizes of texts and gaps, in pixels.
inline constexpr double kLineHeight = 14.0, kPadding = 8.0;

/// Boxes, parents before what they hold.
struct Layout {
  std::vector<Box> boxes;
  double width = 0.0, height = 0.0;
};

Layout lay_out_graph(const havok::Packfile& file, const NodeNames& names, const Graph& graph);

}  // namespace marrow::behavior
