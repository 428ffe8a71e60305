#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes one static site of the documentation: make_docs.py OUT [--no-reference]

Every page of docs/ and the pages of the repository that they link to become HTML with one navigation, from docs/README.md.
Links between pages are turned into links between HTML files; links to sources become the file itself. The search looks into
an index that is made with the pages and loaded with the first letter, so that it works from a disk too. If doxygen is
installed, the reference of the headers goes to OUT/api; it takes a minute, and --no-reference leaves it out.
"""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys

import markdown

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "bench/RESULTS.md"]
DARK = "color-scheme:dark;--ink:#dfe3e8;--dim:#98a1ad;--paper:#15181c;--side:#1b1f24;--line:#2d333b;--link:#7db1f2;--code:#20252b;--mark:#f08a5d"
STYLE = """
:root{color-scheme:light;--ink:#1d2127;--dim:#5d6672;--paper:#fff;--side:#f4f5f7;--line:#dfe3e8;--link:#1f5fb0;--code:#f1f3f5;--mark:#b0441a}
@media(prefers-color-scheme:dark){:root:not([data-theme=light]){DARK}}:root[data-theme=dark]{DARK}
*{box-sizing:border-box}body{margin:0;color:var(--ink);background:var(--paper);font:16px/1.6 system-ui,"Segoe UI",Roboto,sans-serif;display:grid;grid-template-columns:17rem minmax(0,1fr)}
nav{background:var(--side);border-right:1px solid var(--line);padding:1.2rem 1.1rem;height:100vh;position:sticky;top:0;overflow:auto;font-size:.9rem}
nav h2{font-size:.74rem;text-transform:uppercase;letter-spacing:.07em;color:var(--dim);margin:1.3rem 0 .3rem;border:0}
nav a{display:block;padding:.12rem 0;color:var(--ink)}nav a.here{color:var(--mark);font-weight:600}nav .name{font-size:1.25rem;font-weight:700}
main{padding:2rem 2.4rem 5rem;max-width:60rem}a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
h1{font-size:2rem;line-height:1.2;margin:.2rem 0 1rem}h2{margin-top:2.2rem;border-bottom:1px solid var(--line);padding-bottom:.25rem}
pre{background:var(--code);padding:.8rem 1rem;overflow:auto;border-radius:6px;line-height:1.45}code{font:.87em ui-monospace,Consolas,monospace;background:var(--code);padding:.1em .3em;border-radius:4px}pre code{padding:0}
table{border-collapse:collapse;width:100%;display:block;overflow-x:auto}th,td{text-align:left;vertical-align:top;padding:.4rem .7rem;border-bottom:1px solid var(--line)}th{color:var(--dim);font-weight:600}
img{max-width:100%;height:auto;border-radius:6px}
nav .bar{display:flex;align-items:center;gap:.5rem}nav .bar .name{flex:1}nav button{font:inherit;color:inherit;background:none;border:1px solid var(--line);border-radius:6px;padding:.1rem .55rem;cursor:pointer}#menu{display:none}
#search{font:inherit;width:100%;margin:.9rem 0 0;padding:.35rem .6rem;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:6px}
#found a{padding:.3rem 0;border-bottom:1px solid var(--line)}#found small{display:block;color:var(--dim)}#found:not(:empty)+.pages{display:none}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border:0;border-bottom:1px solid var(--line);padding:.8rem 1rem}#menu{display:block}nav .pages{display:none}nav.open .pages{display:block}nav .pages a{padding:.35rem 0}main{padding:1.2rem 1rem 4rem}h1{font-size:1.6rem}}
""".replace("DARK", DARK)
SCRIPT = """
const root = document.documentElement, nav = document.querySelector('nav'), field = document.getElementById('search');
const found = document.getElementById('found'), up = document.currentScript.dataset.up;
const remembered = { get: () => { try { return localStorage.getItem('marrow-docs-theme'); } catch { return null; } }, set: (v) => { try { localStorage.setItem('marrow-docs-theme', v); } catch {} } };
if (remembered.get()) root.dataset.theme = remembered.get();
document.getElementById('theme').onclick = () => {
  const isDark = (root.dataset.theme || (matchMedia('(prefers-color-scheme:dark)').matches ? 'dark' : 'light')) === 'dark';
  root.dataset.theme = isDark ? 'light' : 'dark';
  remembered.set(root.dataset.theme);
};
document.getElementById('menu').onclick = (event) => event.currentTarget.setAttribute('aria-expanded', String(nav.classList.toggle('open')));
let loading = null;
const index = () => (loading ??= new Promise((done) => {
  const script = document.createElement('script');
  script.src = up + 'search-index.js';
  script.onload = () => done(window.marrowIndex);
  document.head.append(script);
}));
field.oninput = async () => {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  if (words.length === 0) return found.replaceChildren();
  const scored = [];
  for (const row of await index()) {
    const [address, page, heading, text] = row, title = (page + ' ' + heading).toLowerCase(), low = text.toLowerCase();
    if (!words.every((word) => title.includes(word) || low.includes(word))) continue;
    scored.push([words.reduce((sum, word) => sum + (title.includes(word) ? 4 : 0) + (low.includes(word) ? 1 : 0), 0), row]);
  }
  scored.sort((a, b) => b[0] - a[0]);
  const rows = scored.slice(0, 20).map(([, [address, page, heading, text]]) => {
    const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 30);
    const link = Object.assign(document.createElement('a'), { href: up + address, textContent: heading ? page + ' \u203a ' + heading : page });
    link.append(Object.assign(document.createElement('small'), { textContent: (at > 0 ? '\u2026' : '') + text.slice(at, at + 90) }));
    return link;
  });
  found.replaceChildren(...(rows.length > 0 ? rows : [Object.assign(document.createElement('p'), { textContent: 'Nothing found.' })]));
};
addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== field) event.preventDefault(), field.focus();
  if (event.key === 'Escape') field.value = '', found.replaceChildren();
});
""".replace("\\\\", "\\")
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>{title}</title><link rel="stylesheet" href="{up}style.css"></head>
<body><nav aria-label="Pages"><div class="bar"><a class="name" href="{up}index.html">Marrow</a>
<button id="theme" type="button" aria-label="Light or dark">◐</button><button id="menu" type="button" aria-expanded="false" aria-label="All pages">☰</button></div>
<input id="search" type="search" placeholder="Search ( / )" aria-label="Search"><div id="found" role="status"></div>
<div class="pages">{menu}</div></nav><main>
{body}
</main><script src="{up}site.js" data-up="{up}"></script></body></html>
"""


def target_of(page):
    """Returns where the HTML of a page goes, relative to the site."""
    if page == pathlib.Path("README.md"):
        return pathlib.Path("index.html")
    if page == pathlib.Path("docs/README.md"):
        return pathlib.Path("contents.html")
    place = page.relative_to("docs") if page.parts[0] == "docs" else page
    return place.with_name("index.html" if place.name == "README.md" else place.stem + ".html")


def relative(place, start):
    return pathlib.Path(*[".."] * len(start.parent.parts), place).as_posix() if start.parent.parts else place.as_posix()


class Site:
    def __init__(self, out):
        self.out = out
        listed = sorted(path.relative_to(ROOT) for folder in ("docs", "examples") for path in (ROOT / folder).rglob("*.md"))
        self.pages = [pathlib.Path(page) for page in PAGES if (ROOT / page).exists()] + listed
        self.targets = {page: target_of(page) for page in self.pages}
        self.index = []  # address, title of the page, heading, text

    def link(self, page, address):
        """Returns the address on the site of a link of a page, and copies what it leads to if it is not a page."""
        if re.match(r"[a-z]+:|#", address):
            return address
        name, hash_mark, part = address.partition("#")
        found = (ROOT / page.parent / name).resolve()
        if not found.is_relative_to(ROOT):
            raise SystemExit(f"{page}: {address} leads out of the repository")
        path = found.relative_to(ROOT)
        if found.is_dir():
            path = path / "README.md"
        if path in self.targets:
            return relative(self.targets[path], self.targets[page]) + hash_mark + part
        if name == "api/index.html" and page.parts[0] == "docs":
            return relative(pathlib.Path("api/index.html"), self.targets[page])
        if not (ROOT / path).exists() and not found.is_dir():
            raise SystemExit(f"{page}: {address} leads nowhere")
        if found.is_dir():
            return self.listing(page, found.relative_to(ROOT))
        place = path.relative_to("docs") if path.parts[0] == "docs" else pathlib.Path("files") / path
        (self.out / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(found, self.out / place)
        return relative(place, self.targets[page])

    def listing(self, page, folder):
        """A folder without a page of its own: a list of its files."""
        place = pathlib.Path("files") / folder / "index.html"
        rows = []
        for path in sorted((ROOT / folder).iterdir()):
            if path.is_file():
                (self.out / place).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, self.out / place.parent / path.name)
                rows.append(f'<li><a href="{html.escape(path.name)}">{html.escape(path.name)}</a></li>')
        text = PAGE.format(title=folder, up="../" * (len(place.parts) - 1), menu=self.menu(place), body=f"<h1>{folder}</h1><ul>{''.join(rows)}</ul>")
        (self.out / place).write_text(text)
        return relative(place, self.targets[page])

    def menu(self, place):
        """The navigation, made of the lists of docs/README.md."""
        out = []
        for line in (ROOT / "docs/README.md").read_text().splitlines():
            if line.startswith("## "):
                out.append(f"<h2>{html.escape(line[3:])}</h2>")
            for text, address in re.findall(r"\[([^\]]+)\]\(([^)#]+)\)", line) if line.startswith("- ") else ():
                target = self.targets[(ROOT / "docs" / address).resolve().relative_to(ROOT)]
                here = ' class="here"' if target == place else ""
                name = html.escape("From " + text if line.startswith("- Coming from") else text[0].upper() + text[1:])
                out.append(f'<a{here} href="{relative(target, place)}">{name}</a>')
        return "\n".join(out)

    def write(self, page):
        text = (ROOT / page).read_text()
        text = re.sub(r"^<!-- run -->\n", "<!-- -->\n\n", text, flags=re.M)
        # Lists that follow a line of text at once are lists on the host of the repository, too.
        text = re.sub(r"^((?!\s*[-|>#]|    ).+)\n(?=- )", r"\1\n\n", text, flags=re.M)
        body = markdown.markdown(text, extensions=["tables", "fenced_code", "toc", "sane_lists"])
        body = re.sub(r'(href|src)="([^"]*)"', lambda m: f'{m[1]}="{html.escape(self.link(page, html.unescape(m[2])))}"', body)
        title = re.search(r"^# (.+)$", text, re.M)
        place = self.targets[page]
        self.add_to_index(place, title[1] if title else page.stem, body)
        (self.out / place).parent.mkdir(parents=True, exist_ok=True)
        (self.out / place).write_text(PAGE.format(title=html.escape(title[1] if title else page.stem), up="../" * (len(place.parts) - 1),
                                                  menu=self.menu(place), body=body))


    def add_to_index(self, place, title, body):
        """Adds each section of a page, by its heading."""
        for part in re.split(r"(?=<h[1-3] id=)", body):
            heading = re.match(r'<h([1-3]) id="([^"]*)">(.*?)</h\1>', part, re.S)
            plain = lambda text: re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text))).strip()
            text = plain(part[heading.end():] if heading else part)
            if heading and heading[1] != "1":
                self.index.append([f"{place.as_posix()}#{heading[2]}", title, plain(heading[3]), text])
            elif text:
                self.index.append([place.as_posix(), title, "", text])


def reference(out):
    """The reference of the public headers, made by doxygen. Returns whether it is there."""
    if not shutil.which("doxygen"):
        print("doxygen is not installed: the site has no reference of the headers")
        return False
    settings = {"PROJECT_NAME": "Marrow", "INPUT": ROOT / "include", "RECURSIVE": "YES", "OUTPUT_DIRECTORY": out, "HTML_OUTPUT": "api",
                "GENERATE_LATEX": "NO", "QUIET": "YES", "WARNINGS": "NO", "WARN_IF_DOC_ERROR": "NO", "WARN_IF_INCOMPLETE_DOC": "NO", "EXTRACT_ALL": "YES", "JAVADOC_AUTOBRIEF": "YES",
                "STRIP_FROM_PATH": ROOT / "include", "FULL_PATH_NAMES": "YES", "HAVE_DOT": "NO", "SOURCE_BROWSER": "NO",
                "HTML_TIMESTAMP": "NO", "GENERATE_TREEVIEW": "YES", "DISABLE_INDEX": "NO", "PREDEFINED": "MARROW_API="}
    text = "\n".join(f'{name} = "{value}"' if isinstance(value, pathlib.Path) else f"{name} = {value}" for name, value in settings.items())
    subprocess.run(["doxygen", "-"], input=text, text=True, check=True, cwd=ROOT)
    return True


def main(out, with_reference=True):
    out = pathlib.Path(out).resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    site = Site(out)
    for page in site.pages:
        site.write(page)
    (out / "style.css").write_text(STYLE)
    (out / "site.js").write_text(SCRIPT)
    (out / "search-index.js").write_text("window.marrowIndex=" + json.dumps(site.index, ensure_ascii=False, separators=(",", ":")))
    if not (with_reference and reference(out)):
        (out / "api").mkdir()
        text = "<h1>Reference</h1><p>It was left out, or doxygen was not installed. The headers are in <code>include/marrow</code>.</p>"
        (out / "api/index.html").write_text(PAGE.format(title="Reference", up="../", menu=site.menu(pathlib.Path("api/index.html")), body=text))
    print(f"{len(site.pages)} pages in {out}/index.html")


if __name__ == "__main__":
    main(sys.argv[1], "--no-reference" not in sys.argv)
