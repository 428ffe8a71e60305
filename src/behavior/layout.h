// SPDX-License-Identifier: MIT
// Where everything of a drawn graph stands: boxes in boxes, in the order in which they are met.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "behavior/graph.h"
#include "marrow/havok/packfile/packfile.h"

namespace marrow::behavior {

enum class BoxKind : std::uint8_t { Machine, State, Clip, Generator, Link };

/// One line of text in a box, perhaps the start of an arrow.
struct BoxLine {
  std::string text;
  std::int32_t target = -1;  ///< box of the state that it leads to; -1: none
  bool is_incoming = false;  ///< a wildcard that leads here
};

struct Box {
  BoxKind kind = BoxKind::Generator;
  havok::ObjectId id;
  std::string title;
  std::string hint;  ///< node and class
  std::vector<BoxLine> lines = {};
  std::int32_t parent = -1;
  bool is_start = false;
  double x = 0.0, y = 0.0;  ///< relative to the parent until the layout is done, then to the picture
  double width = 0.0, height = 0.0;
};

/// Sizes of texts and gaps, in pixels.
inline constexpr double kTitleHeight = 20.0, kLineHeight = 14.0, kPadding = 8.0, kLetterWidth = 6.3;

/// Boxes, parents before what they hold.
struct Layout {
  std::vector<Box> boxes;
  double width = 0.0, height = 0.0;
};

Layout lay_out_graph(const havok::Packfile& file, const NodeNames& names, const Graph& graph);

}  // namespace marrow::behavior
