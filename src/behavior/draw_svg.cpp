// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstdio>

#include "behavior/layout.h"
#include "behavior/draw.h"

namespace marrow::behavior {
namespace {

// One decimal is a tenth of a pixel.
std::string pixels(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

// Text as XML; control characters have no place in it.
std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  return out;
}

constexpr std::string_view kStyle = R"(
svg{background:#fbfbf8;font:12px system-ui,sans-serif}
rect{stroke:#8a8f98;stroke-width:1;rx:5px}
.machine>rect{fill:#eef3fb;stroke:#3f6fb5;stroke-width:1.5}
.state>rect{fill:#fff;stroke:#7a8ea8}
.start>rect{stroke:#2a8a4a;stroke-width:3}
.clip>rect{fill:#fdf3dc;stroke:#c59a3a}
.generator>rect{fill:#f3f1f7;stroke:#9b8fb5}
.link>rect{fill:#f4f4f4;stroke-dasharray:4 3}
text{fill:#23272f}
.title{font-weight:600}
.line{font-size:11px;fill:#4b525e}
.any{fill:#8c3fae}
path{fill:none;stroke:#4a7fc4;stroke-width:1.2;opacity:.55}
.found>rect{stroke:#d02f2f;stroke-width:4}
.folded>g{display:none}
.title{cursor:pointer}
)";

// Wheel zooms, dragging moves, a click on a title zooms to its box, with Shift it folds; `/` searches.
constexpr std::string_view kScript = R"(
const svg=document.documentElement,whole=svg.getAttribute('viewBox').split(' ').map(Number);let view=whole.slice(),drag=null;
const show=()=>svg.setAttribute('viewBox',view.join(' '));
const zoomTo=g=>{const r=g.querySelector('rect'),n=a=>+r.getAttribute(a),w=n('width'),h=n('height');view=[n('x')-w*.05,n('y')-h*.05,w*1.1,h*1.1];show()};
svg.addEventListener('wheel',e=>{e.preventDefault();const p=new DOMPoint(e.clientX,e.clientY).matrixTransform(svg.getScreenCTM().inverse()),f=Math.exp(e.deltaY*.0015);view=[p.x-(p.x-view[0])*f,p.y-(p.y-view[1])*f,view[2]*f,view[3]*f];show()},{passive:false});
svg.addEventListener('pointerdown',e=>{drag=[e.clientX,e.clientY]});
svg.addEventListener('pointermove',e=>{if(!drag||!e.buttons)return;const s=svg.getScreenCTM().a;view[0]-=(e.clientX-drag[0])/s;view[1]-=(e.clientY-drag[1])/s;drag=[e.clientX,e.clientY];show()});
svg.addEventListener('click',e=>{if(!e.target.classList.contains('title'))return;const g=e.target.parentNode;e.shiftKey?g.classList.toggle('folded'):zoomTo(g)});
let hits=[],at=0;
addEventListener('keydown',e=>{if(e.key==='Escape'){view=whole.slice();show()}
if(e.key==='n'&&hits.length)zoomTo(hits[at=(at+1)%hits.length]);
if(e.key==='/'){e.preventDefault();const q=(prompt('Find a state, clip, event or #node')||'').toLowerCase();hits.forEach(g=>g.classList.remove('found'));hits=!q?[]:[...svg.querySelectorAll('g')].filter(g=>[...g.children].some(c=>/text|title/.test(c.tagName)&&c.textContent.toLowerCase().includes(q)));hits.forEach(g=>g.classList.add('found'));at=0;if(hits.length)zoomTo(hits[0])}});
)";

std::string_view class_of(BoxKind kind) {
  constexpr std::array<std::string_view, 5> kClasses = {"machine", "state", "clip", "generator", "link"};
  return kClasses[static_cast<std::size_t>(kind)];
}

void append_box(const Box& box, std::string& out) {
  out += "<g class=\"" + std::string(class_of(box.kind)) + (box.is_start ? " start" : "") + "\"";
  out += "><title>" + xml_text(box.hint) + "</title>";
  out += "<rect x=\"" + pixels(box.x) + "\" y=\"" + pixels(box.y) + "\" width=\"" + pixels(box.width) + "\" height=\"" +
         pixels(box.height) + "\"/>";
  out += "<text class=\"title\" x=\"" + pixels(box.x + kPadding) + "\" y=\"" + pixels(box.y + 15.0) + "\">" +
         xml_text(box.title) + "</text>";
  for (std::size_t i = 0; i < box.lines.size(); ++i)
    out += "<text class=\"line" + std::string(box.lines[i].is_incoming ? " any" : "") + "\" x=\"" +
           pixels(box.x + kPadding) + "\" y=\"" +
           pixels(box.y + kTitleHeight + kLineHeight * static_cast<double>(i) + 11.0) + "\">" +
           xml_text(box.lines[i].text) + "</text>";
}

// From the line of a transition to the title of the state that it leads to.
void append_arrows(const Layout& layout, const Box& box, std::string& out) {
  for (std::size_t i = 0; i < box.lines.size(); ++i) {
    if (box.lines[i].target < 0) continue;
    const Box& to = layout.boxes[static_cast<std::size_t>(box.lines[i].target)];
    const double y = box.y + kTitleHeight + kLineHeight * static_cast<double>(i) + 7.0;
    const bool goes_right = to.x >= box.x + box.width;
    const bool goes_left = to.x + to.width <= box.x;
    const double x = goes_left ? box.x : box.x + box.width;
    const double end = goes_right ? to.x : to.x + to.width;
    const double bend = std::max(24.0, std::abs(end - x) * 0.4);
    const double out_x = x + (goes_left ? -bend : bend), in_x = end + (goes_right ? -bend : bend);
    const double end_y = to.y + 10.0;
    out += "<path marker-end=\"url(#head)\" d=\"M" + pixels(x) + " " + pixels(y) + "C" + pixels(out_x) + " " +
           pixels(y) + " " + pixels(in_x) + " " + pixels(end_y) + " " + pixels(end) + " " + pixels(end_y) + "\"/>\n";
  }
}

}  // namespace

std::string graph_svg(const havok::Packfile& file, const NodeNames& names, const Graph& graph) {
  const Layout layout = lay_out_graph(file, names, graph);
  const double margin = 30.0;
  const std::string size = pixels(layout.width + 2.0 * margin) + " " + pixels(layout.height + 2.0 * margin);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"" + pixels(-margin) + " " + pixels(-margin) +
                    " " + size + "\">\n<title>" + xml_text(graph.name) + "</title>\n<style>" + std::string(kStyle) +
                    "</style>\n<defs><marker id=\"head\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"4\" "
                    "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" style=\"fill:#4a7fc4;stroke:none;opacity:1\"/></marker>"
                    "</defs>\n";
  // Boxes are nested as they are drawn, so that one that is folded takes what it holds along.
  std::vector<std::vector<std::size_t>> children(layout.boxes.size());
  for (std::size_t i = 1; i < layout.boxes.size(); ++i)
    children[static_cast<std::size_t>(layout.boxes[i].parent)].push_back(i);
  struct Open {
    std::size_t box;
    std::size_t next = 0;
  };
  std::vector<Open> open;
  const auto enter = [&](std::size_t box) {
    append_box(layout.boxes[box], out);
    open.push_back({box});
  };
  if (!layout.boxes.empty()) enter(0);
  while (!open.empty()) {
    Open& top = open.back();
    if (top.next < children[top.box].size()) {
      enter(children[top.box][top.next++]);
    } else {
      out += "</g>\n";
      open.pop_back();
    }
  }
  for (const Box& box : layout.boxes) append_arrows(layout, box, out);
  return out + "<script>//<![CDATA[" + std::string(kScript) + "//]]></script>\n</svg>\n";
}

}  // namespace marrow::behavior
