// SPDX-License-Identifier: MIT
#include "alias.h"

#include <doctest/doctest.h>

#include "command.h"

using namespace marrow::cli;

namespace {

using Words = std::vector<std::string>;

Words meant(Words words) {
  std::string note;
  return without_aliases(std::move(words), note);
}

}  // namespace

TEST_CASE("commands of other tools become Marrow's") {
  CHECK(meant({"verify", "a.hkx"}) == Words{"check", "a.hkx"});
  CHECK(meant({"pack", "in", "-o", "out"}) == Words{"convert", "in", "-o", "out", "--format", "hkx"});
  CHECK(meant({"unpack", "no-such-folder/a.hkx"}) ==
        Words{"convert", "no-such-folder/a.hkx", "-o", "no-such-folder/a.xml", "--format", "xml"});
  CHECK(meant({"convert", "-i", "a.hkx", "-o", "b.hkx", "-v", "AMD64"}) ==
        Words{"convert", "a.hkx", "-o", "b.hkx", "--format", "hkx", "--pointer-size", "8"});
  CHECK(meant({"convert", "-v:win32", "-i", "a.hkx", "-o", "b.hkx"}) ==
        Words{"convert", "a.hkx", "-o", "b.hkx", "--format", "hkx", "--pointer-size", "4"});
  CHECK(meant({"update", "-i", "events.txt", "a.hkx"}) ==
        Words{"annotations", "import", "a.hkx", "events.txt", "--in-place"});
  CHECK(meant({"update", "-i", "events.txt", "a.hkx", "-o", "b.hkx"}) ==
        Words{"annotations", "import", "a.hkx", "-o", "b.hkx", "events.txt"});
}

TEST_CASE("hkanno's dump has its output first, Marrow's after the file") {
  CHECK(meant({"dump", "-o", "events.txt", "a.hkx"}) == Words{"annotations", "export", "a.hkx", "-o", "events.txt"});
  const Words own = {"dump", "a.hkx", "-o", "objects.txt"};
  CHECK(meant(own) == own);
}

TEST_CASE("what is none of their words stays, and a target that is not there is refused") {
  for (const Words& words : {Words{}, Words{"info", "-i"}, Words{"convert", "a", "-o", "b"}})
    CHECK(meant(words) == words);
  CHECK_THROWS_AS(meant({"convert", "a", "-v", "AMD46"}), UsageError);
  CHECK_THROWS_AS(meant({"update", "a.hkx"}), UsageError);
}
