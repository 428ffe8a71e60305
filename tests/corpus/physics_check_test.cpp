// SPDX-License-Identifier: MIT
// The rules of `check` about collision, held against the game's own files.
#include <doctest/doctest.h>

#include "nif/embedded.h"
#include "nif/node.h"
#include "ops/collision/check.h"
#include "ops/collision/collision.h"
#include "ops/files/check.h"
#include "ops/files/diff.h"
#include "support/corpus.h"
#include "support/documents.h"

using namespace marrow;

TEST_CASE("check finds nothing in the packfiles of the game's NIFs by themselves, and diff no difference with itself") {
  std::size_t blobs = 0;
  for (const auto& path : test::files_below(test::corpus(), ".nif")) {
    CAPTURE(path.string());
    const auto nif = read_nif(test::bytes_of(path));
    REQUIRE(nif);
    const auto embedded = read_embedded(*nif);
    REQUIRE(embedded);
    for (const EmbeddedPackfile& one : *embedded) {
      if (one.kind == EmbeddedKind::Cloth) continue;
      Context context;
      const auto report = check(one.bytes, "blob.hkx", {}, context);
      REQUIRE(report);
      for (const Finding& finding : report->findings) CHECK_MESSAGE(false, finding.code << " at " << finding.where);
      const Document document = test::loaded(one.bytes, Parts::None);
      const auto same = diff(document, document, {}, context);
      REQUIRE(same);
      for (const Difference& each : same->differences) CHECK_MESSAGE(false, each.object << " " << each.field);
      ++blobs;
    }
  }
  if (!test::corpus().empty()) CHECK(blobs == 24);
}

TEST_CASE("bodies that no node uses and blocks that nothing leads to are found") {
  const auto path = test::corpus() / "nif" / "TerminalOn.nif";
  if (test::corpus().empty() || !std::filesystem::exists(path)) return;
  auto nif = read_nif(test::bytes_of(path));
  REQUIRE(nif);
  const auto codes = [&] {
    std::vector<std::string> found;
    for (const Finding& finding : check_collision(test::loaded(write_nif(*nif), Parts::Collision)))
      found.push_back(finding.code + " " + finding.where);
    return found;
  };
  CHECK(codes().empty());
  Notes notes;
  REQUIRE(detach(*nif, *find_node(*nif, "c_screen"), notes, &probe_system));
  CHECK(codes() == std::vector<std::string>{"W_UNUSED_BODY blocks[16].bodies[1]"});
  const auto objects = read_collision_objects(*nif);
  REQUIRE(set_collision_object(*nif, objects->front().target, kNoBlock));
  CHECK(codes() == std::vector<std::string>{"W_ORPHANED_BLOCK blocks[15]", "W_ORPHANED_BLOCK blocks[16]"});
}
