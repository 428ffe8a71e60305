#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The documentation as a site: every link leads somewhere, every command that is marked runs, and every other command
names a verb and options that exist.

    docs_test.py MARROW REPOSITORY WALK_CYCLE

Marked commands are the indented lines after `<!-- run -->`; they run in one folder with these files: walk.hkx and
skeleton.hkx (Skyrim LE), clips/, capture.bvh, crate.obj, room.nif, body.xml, hair.xml, meshes/ and mods/ of the fox of
examples/fox, MyMod/.
"""
import html.parser
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import markdown  # noqa: F401
except ImportError:
    print("python3-markdown is not installed: the site is not built")
    sys.exit(77)

MARROW, REPOSITORY, WALK_CYCLE = (pathlib.Path(each).resolve() for each in sys.argv[1:4])
sys.path[:0] = [str(REPOSITORY / "tests/e2e"), str(REPOSITORY / "scripts")]
import make_docs  # noqa: E402
import fbx_writer  # noqa: E402
import sample_nif  # noqa: E402

PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md")), *sorted((REPOSITORY / "examples").rglob("*.md"))]
CRATE = "o crate\nusemtl wood\n" + "".join(f"v {x} {y} {z}\n" for x in (-20, 20) for y in (-10, 10) for z in (0, 30)) + \
    "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.addresses, self.names = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src"):
                self.addresses.append(value)
            elif name in ("id", "name"):
                self.names.add(value)


def marked_commands(text):
    for block in re.findall(r"^<!-- run -->\n((?:    .*\n)+)", text, re.M):
        yield "".join(line[4:] + "\n" for line in block.splitlines())


def shown_commands(text):
    """Yields the words of every line of a block that calls the program."""
    for line in re.findall(r"^(?:    |\t)(?:\$ )?(marrow [a-z].*)$", text, re.M):
        line = re.sub(r"\s+#\s.*$|\s*(?:\|\||&&|;|\|).*$", "", line.rstrip("\\"))
        try:
            yield shlex.split(line.replace("...", " "))
        except ValueError:
            continue


class Documentation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-docs-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.site = cls.folder / "site"
        make_docs.main(cls.site, with_reference=False)

    def test_every_link_of_the_site_leads_to_a_file_and_a_place_in_it(self):
        pages = {path: Links(path.read_text()) for path in self.site.rglob("*.html")}
        self.assertGreater(len(pages), 60)
        for path, links in pages.items():
            for address in links.addresses:
                if re.match(r"[a-z]+:", address):
                    continue
                name, _, part = address.partition("#")
                target = (path.parent / name).resolve() if name else path
                target = target / "index.html" if target.is_dir() else target
                self.assertTrue(target.exists(), f"{path.relative_to(self.site)}: {address}")
                if part and target in pages:
                    self.assertIn(part, pages[target].names, f"{path.relative_to(self.site)}: {address}")

    def test_every_page_is_in_the_contents(self):
        listed = Links((self.site / "contents.html").read_text()).addresses
        for path in (REPOSITORY / "docs").glob("*.md"):
            if path.name != "README.md":
                self.assertTrue(any(address == f"{path.stem}.html" for address in listed), path.name)

    def test_every_source_that_a_page_names_is_there(self):
        named = 0
        for page in [*PAGES, *REPOSITORY.glob("*.md")]:
            for path in re.findall(r"`((?:include|marrow|src|cli|tests|scripts|viewer|fuzz|cmake)/[\w./-]+\.[a-z]+)`", page.read_text()):
                if re.search("[A-Z]{4,}", path):  # stands for a name
                    continue
                places = [REPOSITORY / path, REPOSITORY / "include" / path]
                self.assertTrue(any(each.exists() for each in places), f"{page.name}: {path}")
                named += 1
        self.assertGreater(named, 40)

    def test_marked_commands_run(self):
        subprocess.run([WALK_CYCLE, self.folder / "walk"], check=True, stdout=subprocess.DEVNULL)
        bin_folder = self.folder / "bin"
        bin_folder.mkdir()
        (bin_folder / "marrow").symlink_to(MARROW)
        count = 0
        for page in PAGES:
            for commands in marked_commands(page.read_text()):
                work = self.folder / f"work{count}"
                (work / "clips").mkdir(parents=True)
                le = self.folder / "walk/skyrim-le"
                for target in ("walk.hkx", "clips/walk.hkx"):
                    shutil.copy(le / "walk.hkx", work / target)
                shutil.copy(next(le.rglob("skeleton.hkx")), work / "skeleton.hkx")
                (work / "crate.obj").write_text(CRATE)
                (work / "capture.bvh").write_bytes(fbx_writer.captured_walk())
                sample_nif.write_nif(work / "room.nif")
                for fox in ("meshes", "mods"):
                    shutil.copytree(REPOSITORY / "examples/fox" / fox, work / fox)
                shutil.copytree(self.folder / "walk/skyrim-le", work / "MyMod/meshes/actors/walker")
                shutil.copy(REPOSITORY / "examples/anvil/generic_male.xml", work / "body.xml")
                shutil.copy(REPOSITORY / "examples/anvil/addon_hair_strand.xml", work / "hair.xml")
                environment = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}"}
                done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", commands], cwd=work, env=environment, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, f"{page.name}\n{commands}\n{done.stdout}\n{done.stderr}")
                count += 1
        self.assertGreaterEqual(count, 12)

    def test_other_commands_name_verbs_and_options_that_exist(self):
        help_of, checked = {}, 0

        def help_text(verb):
            if verb not in help_of:
                done = subprocess.run([MARROW, *verb.split(), "--help"], capture_output=True, text=True)
                help_of[verb] = done.stdout if done.returncode == 0 and "Usage: marrow " + verb in done.stdout else ""
            return help_of[verb]

        for page in PAGES:
            for words in shown_commands(page.read_text()):
                verb = " ".join(words[1:3]) if len(words) > 2 and help_text(" ".join(words[1:3])) else words[1]
                if verb in ("pack", "unpack", "verify", "update") or "-i" in words or verb == "VERB":
                    continue
                text = help_text(verb)
                self.assertTrue(text, f"{page.name}: {words}")
                for option in (word for word in words if re.match(r"--[a-z]", word)):
                    self.assertRegex(text, re.escape(option.split("=")[0]) + r"\b", f"{page.name}: {words}")
                checked += 1
        self.assertGreater(checked, 80)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
