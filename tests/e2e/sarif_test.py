#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`check --sarif` against the rules of SARIF 2.1.0 that code hosts rely on.

    sarif_test.py MARROW REPOSITORY
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

MARROW, REPOSITORY = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
SEEDS = REPOSITORY / "fuzz/seeds/packfile"


def structural_errors(log):
    """Returns what a reader of SARIF 2.1.0 would refuse: sections of the standard in brackets."""
    errors = []

    def need(condition, message):
        if not condition:
            errors.append(message)

    need(log.get("version") == "2.1.0", "version (3.13.2)")
    need(log.get("$schema", "").endswith("sarif-2.1.0.json"), "$schema (3.13.3)")
    need(isinstance(log.get("runs"), list) and log["runs"], "runs (3.13.4)")
    for run in log.get("runs", []):
        driver = run.get("tool", {}).get("driver", {})
        need(driver.get("name"), "tool.driver.name (3.19.8)")
        need(re.fullmatch(r"\d+\.\d+\.\d+", driver.get("semanticVersion", "")), "semanticVersion (3.19.12)")
        rules = [rule.get("id") for rule in driver.get("rules", [])]
        need(len(rules) == len(set(rules)), "rule ids are unique (3.19.23)")
        for rule in driver.get("rules", []):
            for text in ("shortDescription", "fullDescription", "help"):
                need(rule.get(text, {}).get("text"), f"{text} of {rule.get('id')} (3.49)")
        need(isinstance(run.get("results"), list), "results (3.14.23)")
        for result in run.get("results", []):
            need(result.get("ruleId") in rules, f"ruleId {result.get('ruleId')} is a rule (3.27.5)")
            need(result.get("level") in ("none", "note", "warning", "error"), "level (3.27.10)")
            need(result.get("message", {}).get("text"), "message.text (3.27.11)")
            need(result.get("partialFingerprints"), "partialFingerprints (3.27.17)")
            need(len(result.get("locations", [])) >= 1, "locations (3.27.12)")
            for location in result.get("locations", []):
                physical = location.get("physicalLocation", {})
                uri = physical.get("artifactLocation", {}).get("uri", "")
                need(re.fullmatch(r"(file://)?([A-Za-z0-9\-._~/:]|%[0-9A-F]{2})+", uri), f"uri {uri} (3.10.1)")
                need(physical.get("region", {}).get("startLine", 0) >= 1, "region.startLine (3.30.5)")
    return errors


class Sarif(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="marrow-sarif-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.mod = self.folder / "my mod/meshes"
        self.mod.mkdir(parents=True)
        shutil.copy(SEEDS / "clip-2010-32.hkx", self.mod / "ходьба.hkx")

    def check(self, *args):
        out = self.folder / "out.sarif"
        done = subprocess.run([MARROW, "check", *map(str, args), "--sarif", str(out)], cwd=self.folder, capture_output=True, text=True)
        return done, json.loads(out.read_text()) if out.exists() else None

    def results(self, log):
        return log["runs"][0]["results"]

    def test_findings_are_results_with_relative_places(self):
        done, log = self.check("my mod", "--game", "skyrim-se")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(structural_errors(log), [])
        pointer = [each for each in self.results(log) if each["ruleId"] == "E_POINTER_SIZE"]
        self.assertEqual(len(pointer), 1)
        self.assertEqual(pointer[0]["level"], "error")
        place = pointer[0]["locations"][0]
        self.assertEqual(place["physicalLocation"]["artifactLocation"]["uri"],
                         "my%20mod/meshes/%D1%85%D0%BE%D0%B4%D1%8C%D0%B1%D0%B0.hkx")
        self.assertIn("offset 16", place["logicalLocations"][0]["fullyQualifiedName"])
        self.assertEqual({each["level"] for each in self.results(log)}, {"error", "warning", "note"})

    def test_it_has_every_finding_that_json_has(self):
        _, log = self.check("my mod", "--game", "skyrim-se")
        listed = json.loads(subprocess.run([MARROW, "check", "my mod", "--game", "skyrim-se", "--json"], cwd=self.folder,
                                           capture_output=True, text=True).stdout)
        self.assertEqual([each["ruleId"] for each in self.results(log)],
                         [finding["code"] for file in listed for finding in file["findings"]])

    def test_a_file_that_cannot_be_read_is_an_error(self):
        broken = self.mod / "broken.hkx"
        broken.write_bytes(b"not one of ours")
        done, log = self.check(broken)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(structural_errors(log), [])
        self.assertEqual([each["ruleId"] for each in self.results(log)], ["E_UNREADABLE"])

    def test_lines_of_text_files_are_the_lines_of_results(self):
        rig = self.mod / "rig.xml"
        text = (REPOSITORY / "examples/anvil/addon_sword.xml").read_text(encoding="utf-16")
        rig.write_text(text.replace("<W>1</W>", "<W>3</W>"), encoding="utf-16")  # not rotations any more
        _, log = self.check(rig, "--game", "rogue")
        lines = {}
        for each in self.results(log):
            where = re.search(r"line (\d+)", each["message"]["text"])
            lines[each["locations"][0]["physicalLocation"]["region"]["startLine"]] = int(where[1]) if where else 1
        self.assertEqual(list(lines), list(lines.values()))
        self.assertGreater(max(lines), 1)

    def test_nothing_found_is_a_log_without_results(self):
        done, log = self.check(REPOSITORY / "examples/anvil/generic_male.xml", "--game", "rogue")
        self.assertEqual(structural_errors(log), [])
        self.assertEqual([each for each in self.results(log) if each["level"] != "note"], [] if done.returncode == 0 else None)

    def test_the_same_finding_has_the_same_fingerprint_and_another_place_another(self):
        shutil.copy(self.mod / "ходьба.hkx", self.mod / "other.hkx")
        prints = [[each["partialFingerprints"]["primaryLocationLineHash"] for each in self.results(self.check("my mod")[1])] for _ in range(2)]
        self.assertEqual(*prints)
        self.assertEqual(len(set(prints[0])), len(prints[0]))

    def test_it_never_replaces_an_input_and_goes_with_check_only(self):
        before = (self.mod / "ходьба.hkx").read_bytes()
        for args in (("check", self.mod / "ходьба.hkx", "--sarif", self.mod / "ходьба.hkx"), ("check", self.mod, "--sarif", "-"),
                     ("info", self.mod, "--sarif", "x"), ("check", self.mod, "--sarif", "x", "--report", "r", "--resume")):
            done = subprocess.run([MARROW, *map(str, args)], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, (args, done.stderr))
        self.assertEqual((self.mod / "ходьба.hkx").read_bytes(), before)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
