// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstdio>
#include <unordered_set>

#include "behavior/draw.h"
#include "behavior/layout.h"
#include "havok/text/xml_source.h"
#include "marrow/core/text.h"

namespace marrow::behavior {
namespace {

// One decimal is a tenth of a pixel.
std::string pixels(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

// Text as XML; control characters and bytes that are not UTF-8 have no place in it.
std::string xml_text(std::string_view given) {
  std::string out;
  for (const char c : havok::needs_bytes(given) ? printable(given) : std::string(given)) switch (c) {
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
rect{stroke:#8a8f98;stroke-width:1;rx:5px;vector-effect:non-scaling-stroke}
.machine>rect{fill:#eef3fb;stroke:#3f6fb5;stroke-width:1.5}
.state>rect{fill:#fff;stroke:#7a8ea8}
.start>rect{stroke:#2a8a4a;stroke-width:3}
.clip>rect{fill:#fdf3dc;stroke:#c59a3a}
.generator>rect{fill:#f3f1f7;stroke:#9b8fb5}
.link>rect{fill:#f4f4f4;stroke-dasharray:4 3}
text{fill:#23272f}
.title{font-weight:600;cursor:pointer}
.line{font-size:11px;fill:#4b525e}
.any{fill:#8c3fae}
.in{fill:#6b6482;font-style:italic}
path{fill:none;stroke:#4a7fc4;stroke-width:1.2;opacity:.6;vector-effect:non-scaling-stroke}
.found>rect{stroke:#d02f2f;stroke-width:4}
.far>g,.far>path,.far>.line,.folded>g,.folded>path,.folded>.line{display:none}
#bar{font:13px system-ui,sans-serif;display:flex;gap:6px;align-items:center;flex-wrap:wrap;padding:8px}
#bar *{font:inherit;padding:3px 9px;border:1px solid #b9bfc9;border-radius:6px;background:#fff;color:#23272f}
#bar input{width:15em}
#bar span{border:0;background:#fbfbf8cc;color:#4b525e}
)";

// In a browser the picture is a map: what is too small to read shows its name alone, until one zooms in.
constexpr std::string_view kScript = R"({
const root=document.documentElement,ns='http://www.w3.org/2000/svg',html='http://www.w3.org/1999/xhtml';
const whole=root.getAttribute('viewBox').split(' ').map(Number),map=document.createElementNS(ns,'svg');
whole[1]-=whole[3]*.06;whole[3]*=1.06;
let view=whole.slice(),drag=null,hits=[],at=0,moved=false;
while(root.firstChild)map.append(root.firstChild);
root.append(map);root.removeAttribute('viewBox');map.setAttribute('width','100%');map.setAttribute('height','100%');
const top=[...map.children].filter(e=>e.tagName==='g');
const part=(g,name)=>[...g.children].find(e=>e.tagName===name);
const box=g=>{const r=part(g,'rect');return['x','y','width','height'].map(a=>+r.getAttribute(a))};
const isBox=g=>g.tagName==='g';
const title=(g,alone)=>{const t=part(g,'text'),[x,y,w,h]=box(g);
t.dataset.x??=t.getAttribute('x');t.dataset.y??=t.getAttribute('y');t.dataset.size??=t.style.fontSize;
const size=Math.min(h*.4,w*.92/(t.textContent.length*.76));
t.setAttribute('x',alone?x+w*.04:t.dataset.x);t.setAttribute('y',alone?y+h/2+size*.35:t.dataset.y);
t.style.fontSize=alone?size+'px':t.dataset.size};
const level=(g,scale)=>{const inside=[...g.children].filter(isBox);if(!inside.length)return;const[,,w,h]=box(g);
const far=w*scale<150||h*scale<70,alone=far||g.classList.contains('folded');
g.classList.toggle('far',far);title(g,alone);if(!alone)inside.forEach(e=>level(e,scale))};
const show=()=>{map.setAttribute('viewBox',view.join(' '));const scale=map.getScreenCTM().a;top.forEach(g=>level(g,scale))};
const zoomTo=g=>{const[x,y,w,h]=box(g);view=[x-w*.04,y-h*.04-30,w*1.08,h*1.08+40];show()};
const open=g=>{for(let e=g.parentNode;e&&e!==map;e=e.parentNode)e.classList.remove('folded');zoomTo(g)};
map.addEventListener('wheel',e=>{e.preventDefault();const p=new DOMPoint(e.clientX,e.clientY).matrixTransform(map.getScreenCTM().inverse()),f=Math.exp(e.deltaY*.0015);view=[p.x-(p.x-view[0])*f,p.y-(p.y-view[1])*f,view[2]*f,view[3]*f];show()},{passive:false});
map.addEventListener('pointerdown',e=>{drag=[e.clientX,e.clientY];moved=false});
map.addEventListener('pointermove',e=>{if(!drag||!e.buttons)return;moved=true;const s=map.getScreenCTM().a;view[0]-=(e.clientX-drag[0])/s;view[1]-=(e.clientY-drag[1])/s;drag=[e.clientX,e.clientY];show()});
map.addEventListener('click',e=>{const g=e.target.closest('g');if(moved||!g||!e.target.closest('.title'))return;
if(e.shiftKey){g.classList.toggle('folded');show()}else if(g.dataset.to)open(document.getElementById(g.dataset.to));else zoomTo(g)});
const bar=document.createElementNS(html,'div'),make=(tag,text)=>{const e=document.createElementNS(html,tag);e.textContent=text;bar.append(e);return e};
bar.id='bar';const field=make('input','');field.placeholder='state, clip, event or #node  ( / )';
const previous=make('button','\u25c0'),next=make('button','\u25b6'),fold=make('button','fold all'),all=make('button','whole (Esc)'),word=make('span','wheel zooms, drag moves, click a title: zoom to it, Shift+click: fold');
const frame=document.createElementNS(ns,'foreignObject');frame.setAttribute('width','100%');frame.setAttribute('height','44');frame.append(bar);root.append(frame);
const step=by=>{if(!hits.length)return;at=(at+by+hits.length)%hits.length;open(hits[at]);word.textContent=(at+1)+' of '+hits.length};
const find=()=>{const q=field.value.toLowerCase();hits.forEach(g=>g.classList.remove('found'));hits=!q?[]:[...map.querySelectorAll('g')].filter(g=>[...g.children].some(c=>/^(text|title)$/.test(c.tagName)&&c.textContent.toLowerCase().includes(q)));hits.forEach(g=>g.classList.add('found'));at=-1;word.textContent=q?hits.length+' found, Enter: next':'';};
field.addEventListener('input',find);field.addEventListener('keydown',e=>{if(e.key==='Enter')step(e.shiftKey?-1:1)});
previous.onclick=()=>step(-1);next.onclick=()=>step(1);
all.onclick=()=>{view=whole.slice();show()};
fold.onclick=()=>{const on=fold.textContent==='fold all';map.querySelectorAll('.state').forEach(g=>g.classList.toggle('folded',on&&[...g.children].some(isBox)));fold.textContent=on?'unfold all':'fold all';show()};
addEventListener('keydown',e=>{if(e.key==='Escape'){field.blur();all.onclick()}else if(e.key==='/'&&e.target!==field){e.preventDefault();field.focus()}});
addEventListener('resize',show);show();
})";

std::string_view class_of(BoxKind kind) {
  constexpr std::array<std::string_view, 5> kClasses = {"machine", "state", "clip", "generator", "link"};
  return kClasses[static_cast<std::size_t>(kind)];
}

std::string_view class_of(LineKind kind) {
  switch (kind) {
    case LineKind::Wildcard: return "line any";
    case LineKind::Wrapper: return "line in";
    case LineKind::Text:
    case LineKind::Transition: break;
  }
  return "line";
}

double line_top(const Box& box, std::size_t line) {
  return box.y + box.title_height() + kLineHeight * static_cast<double>(line);
}

void append_box(const Box& box, std::size_t number, std::string& out) {
  out += "<g id=\"b" + std::to_string(number) + "\" class=\"" + std::string(class_of(box.kind)) +
         (box.is_start ? " start\"" : "\"");
  if (box.same_as >= 0) out += " data-to=\"b" + std::to_string(box.same_as) + "\"";
  out += "><title>" + xml_text(box.hint) + "</title>";
  out += "<rect x=\"" + pixels(box.x) + "\" y=\"" + pixels(box.y) + "\" width=\"" + pixels(box.width) + "\" height=\"" +
         pixels(box.height) + "\"/>";
  out += "<text class=\"title\" font-size=\"" + pixels(box.title_size) + "px\" x=\"" + pixels(box.x + kPadding) +
         "\" y=\"" + pixels(box.y + box.title_size + 3.0) + "\">" + xml_text(box.title) + "</text>";
  for (std::size_t i = 0; i < box.lines.size(); ++i)
    out += "<text class=\"" + std::string(class_of(box.lines[i].kind)) + "\" x=\"" + pixels(box.x + kPadding) +
           "\" y=\"" + pixels(line_top(box, i) + 11.0) + "\">" + xml_text(box.lines[i].text) + "</text>";
}

// From the first line that leads to a state to the title of that state.
void append_arrows(const Layout& layout, const Box& box, std::string& out) {
  std::unordered_set<std::int32_t> targets;
  for (std::size_t i = 0; i < box.lines.size(); ++i) {
    if (box.lines[i].target < 0 || !targets.insert(box.lines[i].target).second) continue;
    const Box& to = layout.boxes[static_cast<std::size_t>(box.lines[i].target)];
    const double y = line_top(box, i) + 7.0;
    const bool goes_right = to.x >= box.x + box.width;
    const bool goes_left = to.x + to.width <= box.x;
    const double x = goes_left ? box.x : box.x + box.width;
    const double end = goes_right ? to.x : to.x + to.width;
    const double bend = std::max(24.0, std::abs(end - x) * 0.4);
    const double out_x = x + (goes_left ? -bend : bend), in_x = end + (goes_right ? -bend : bend);
    const double end_y = to.y + to.title_height() / 2.0;
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
                    "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" style=\"fill:#4a7fc4;stroke:none\"/></marker>"
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
    append_box(layout.boxes[box], box, out);
    open.push_back({box});
  };
  if (!layout.boxes.empty()) enter(0);
  while (!open.empty()) {
    Open& top = open.back();
    if (top.next < children[top.box].size()) {
      enter(children[top.box][top.next++]);
    } else {
      for (const std::size_t child : children[top.box]) append_arrows(layout, layout.boxes[child], out);
      out += "</g>\n";
      open.pop_back();
    }
  }
  return out + "<script>//<![CDATA[\n" + std::string(kScript) + "\n//]]></script>\n</svg>\n";
}

}  // namespace marrow::behavior
