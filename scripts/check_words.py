#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds phrases that read oddly to people who learned English at work, and says what to write instead.

    check_words.py REPOSITORY

Sources, headers, help, docs and tests are searched; names in the C ABI and in JSON are contracts and stay.
"""
import pathlib
import re
import sys

# What is counted, and what there is one of it for.
COUNTED = (
    r"(?:[Oo]ne|two|three|four|ten|once|frames|steps|samples|turns|gusts|bytes|entry|slots|metres|units|row|rows|value"
    r"|number|line|file|table|call|floats|bits|channels|(?:nano|micro|milli)?seconds|[Nn]anoseconds|us|ms|ns|MB|KB)"
)
EACH = (
    r"(?:bone|second|track|frame|triangle|clip|file|object|body|hull|vertex|line|side|shape|block|byte|step|character|actor"
    r"|joint|lane|node|section|folder|face|part|modifier|minute|link|class|row|character|entry|word)"
)
PHRASES = [
    (rf"(?-i:\b{COUNTED}) an? {EACH}\b(?! (?:is|was|has|that|which|the|once))", "one per bone, frames per second"),
    (r"\w+_an?_(?:second|bone|track|frame|triangle|vertex)\b", "frames_per_second"),
    (r"\bwhere there (?:is|are) (?:none|no)\b|\bwhere (?:it|they|that) (?:was|were|is|are) not given\b", "if there is none; if it was not given"),
    (r"\btells? of\b|\b(?:is|are|was|were) told(?! (?:apart|from|to|so|otherwise|nothing))\b", "reports, reported"),
    (r"\bsays? why\b", "explains why"),
    (r"\bpassed over\b", "skipped"),
    (r"\b(?:is|are) no text\b", "is not text"),
    (r"\b(?:that|which|it|this|name|value|word|axis|failure|numbers) (?:is|are) (?-i:none)\b(?! (?:is|was|of them is))", "is not one, is not one of"),
    (r"\bnone of ours\b|\bnone of our formats\b", "the format is not supported"),
    (r"\bstarts? anew\b|\bleft all numbers\b", "is reset; is no longer finite"),
    (r"\bputs? right\b|\bputs it right\b|\bbe put right\b", "repairs, corrects"),
    (r"\bfeet of frames\b", "foot contacts per frame"),
    (r"\b(?:has|have|had) otherwise\b", "differs in"),
    (r"\bthings? is found by\b|\boff the head of\b", "all indices are in range; splits a leading name off"),
    (r"\bto be said against\b", "`check` or `diff` found something"),
    (r"\bsize times 0\.\d", "23 % smaller than"),
    (r"\bnot where the \w+ is\b", "False if"),
]
# What the rules must find, lest one of them stops to work.
EXAMPLES = (
    "one a bone", "gusts a second", "one a triangle", "frames_a_second", "where there is none", "where it was not given", "tells of", "it was told",
    "says why", "passed over", "is no text", "the name is none", "What has left all numbers starts anew", "True; not where the clip is none",
    "Every number that another thing is found by", "off the head of `path`", "that two skeletons have otherwise", "feet of frames",
    "has put right what can be put right", "a file is none of ours", "something to be said against the input", "the games' size times 0.771",
)
SUFFIXES = {".h", ".c", ".cpp", ".inc", ".html", ".css", ".lua", ".cs", ".rs", ".sh", ".in", ".py", ".pyi", ".md", ".ts", ".mjs", ".txt", ".cmake", ".svg"}
FOLDERS = ("include", "src", "cli", "python", "blender", "viewer/src", "tests", "fuzz", "bench", "docs", "examples", "scripts")
SKIPPED = {"node_modules", "seeds", "build", "dist"}


def texts(root):
    yield from (path for path in sorted(root.glob("*.md")))
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            inside = path.relative_to(root)
            if path.suffix in SUFFIXES and path.is_file() and not SKIPPED & set(inside.parts):
                yield path


def main(root):
    # A blank of a phrase may be the end of a line and the head of the next one, which is filled with NULs.
    rules = [(re.compile(pattern.replace(" ", " \0*"), re.I), instead) for pattern, instead in PHRASES]
    problems = 0
    for example in EXAMPLES:
        if not any(rule.search(example) for rule, _ in rules):
            print(f"no rule finds '{example}'")
            problems += 1
    for path in texts(root):
        if path.name == pathlib.Path(__file__).name:
            continue
        # A phrase may go on in the next line of a comment.
        text = re.sub(r"[ \t]*\n[ \t]*(?://+|\*|#|\")?[ \t]*", lambda found: " " * (len(found[0]) - 1) + "\n", path.read_text(errors="replace"))
        flat = re.sub(r"\s", " ", text)
        for rule, instead in rules:
            for found in rule.finditer(re.sub(r" {2,}", lambda run: " " + "\0" * (len(run[0]) - 1), flat)):
                line = text.count("\n", 0, found.start()) + 1
                phrase = found[0].replace("\0", "")
                print(f"{path.relative_to(root)}:{line}: '{phrase}'; write '{instead}'")
                problems += 1
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
