// SPDX-License-Identifier: MIT
#include "marrow/ops/dump.h"

#include <fmt/format.h>

#include <cstdio>

#include "batch.h"
#include "marrow/core/file.h"
#include "verbs.h"

namespace marrow::cli {
namespace {

int run(const Arguments& arguments) {
  const std::filesystem::path path = arguments.get("FILE");
  DumpOptions options{.json = arguments.has("--json")};
  if (const auto object = arguments.integer("--object")) {
    if (*object < 0 || *object > UINT32_MAX) throw UsageError("--object takes the number of an object, from 0");
    options.object = static_cast<std::uint32_t>(*object);
  }
  const auto bytes = read_file(path);
  const auto text = bytes ? dump(*bytes, options) : std::unexpected(bytes.error());
  if (!text) {
    fmt::print(stderr, "{}\n", error_line(path, text.error()));
    return kFailed;
  }
  std::fwrite(text->data(), 1, text->size(), stdout);
  return kDone;
}

}  // namespace

Verb dump_verb() {
  return {.name = "dump",
          .summary = "print every object and field of a packfile, with value and offset",
          .positionals = {{"FILE", "a packfile, binary or XML"}},
          .options = {{"--object", "N", "only object N, counted from 0"}},
          .run = run};
}

}  // namespace marrow::cli
