// SPDX-License-Identifier: MIT
#include "marrow/ops/diff.h"

#include <fmt/format.h>

#include "batch.h"
#include "marrow/core/file.h"
#include "verbs.h"

namespace marrow::cli {
namespace {

int run(const Arguments& arguments) {
  const std::filesystem::path left = arguments.get("A"), right = arguments.get("B");
  const auto a = read_file(left), b = read_file(right);
  for (const auto& [path, bytes] : {std::pair{&left, &a}, {&right, &b}})
    if (!*bytes) fmt::print(stderr, "{}\n", error_line(*path, bytes->error()));
  if (!a || !b) return kFailed;
  const auto differences = diff(*a, *b);
  if (!differences) {
    fmt::print(stderr, "{}\n", error_line(left, differences.error()));
    return kFailed;
  }
  Json json = Json::array();
  for (const auto& [where, was, is] : *differences) {
    json.push_back({{"where", where}, {"left", was}, {"right", is}});
    if (!arguments.has("--json")) fmt::print("{}\n  - {}\n  + {}\n", where, was, is);
  }
  if (arguments.has("--json")) fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
  return differences->empty() ? kDone : kFindings;
}

}  // namespace

Verb diff_verb() {
  return {.name = "diff",
          .summary = "compare two files by meaning; exit 3 where they differ",
          .positionals = {{"A", "a file"}, {"B", "another of the same kind"}},
          .run = run};
}

}  // namespace marrow::cli
