// SPDX-License-Identifier: MIT
#include "marrow/ops/collision_nif.h"

#include <fmt/format.h>

#include "collision.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"

namespace marrow::cli {
namespace {

int extract(const Arguments& arguments) {
  return run_one(arguments, {"NIF"}, [&](const OneFile& in) {
    return in.write(extract_collision(in.bytes[0], block_option(arguments)), "block {} -> {}");
  });
}

int replace(const Arguments& arguments) {
  return run_one(arguments, {"NIF", "BLOB"}, [&](const OneFile& in) {
    return in.write(replace_collision(in.bytes[0], in.bytes[1], block_option(arguments)), "block {} replaced -> {}");
  });
}

std::vector<Attachment> attachments_of(const Arguments& arguments) {
  const std::vector<std::string> nodes = arguments.all("--node"), bodies = arguments.all("--body");
  if (!bodies.empty() && bodies.size() != nodes.size())
    throw UsageError("give one --body for each --node, or none: then the nodes get bodies 0, 1, 2 ... in order");
  std::vector<Attachment> attachments;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::uint64_t body = bodies.empty() ? i : body_number(bodies[i]);
    attachments.push_back({nodes[i], static_cast<std::uint32_t>(body)});
  }
  return attachments;
}

int attach_blob(const Arguments& arguments) {
  const std::vector<Attachment> attachments = attachments_of(arguments);
  return run_one(arguments, {"NIF", "BLOB"}, [&](const OneFile& in) {
    return in.write(attach_collision(in.bytes[0], in.bytes[1], attachments, in.notes), "attached as block {} -> {}");
  });
}

}  // namespace

Verb collision_extract_verb() {
  return {
      .name = "extract",
      .summary = "take a system out of a NIF as a bare packfile",
      .positionals = {{"NIF", "the file"}},
      .options = {{"--block", "N", "which, where there are several"}, {"-o,--output", "BLOB", "the packfile", true}},
      .run = extract};
}

Verb collision_replace_verb() {
  return {.name = "replace",
          .summary = "put a packfile in the place of a system of a NIF; nothing else changes",
          .positionals = {{"NIF", "the file"}, {"BLOB", "the packfile"}},
          .options = {{"--block", "N", "which, where there are several"}, {"-o,--output", "NIF", "the new file", true}},
          .run = replace};
}

Verb collision_attach_verb() {
  return {.name = "attach",
          .summary = "hang a packfile on nodes of a NIF, each with a body of it",
          .positionals = {{"NIF", "the file"}, {"BLOB", "the packfile"}},
          .options = {{"--node", "NAME", "a node; several may share the system", true, true},
                      {"--body", "N", "the body of each node, in the same order (default: 0, 1, 2 ...)", false, true},
                      {"-o,--output", "NIF", "the new file", true}},
          .run = attach_blob};
}

}  // namespace marrow::cli
