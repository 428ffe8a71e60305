// SPDX-License-Identifier: MIT
#include "collision.h"

#include <fmt/format.h>

#include <limits>

#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "marrow/model/collision_names.h"

#include "verbs.h"

namespace marrow::cli {

std::optional<std::int32_t> block_option(const Arguments& arguments) {
  const auto block = arguments.integer("--block");
  if (!block) return std::nullopt;
  if (*block < 0 || *block > std::numeric_limits<std::int32_t>::max())
    throw UsageError("--block takes the number of a block, as `collision list` tells");
  return static_cast<std::int32_t>(*block);
}

std::optional<MotionType> motion_option(const Arguments& arguments) {
  const auto word = arguments.find("--motion");
  if (!word) return std::nullopt;
  return *word == "static" ? MotionType::Static : *word == "keyframed" ? MotionType::Keyframed : MotionType::Dynamic;
}

std::optional<std::uint32_t> material_option(const Arguments& arguments) {
  const auto word = arguments.find("--material");
  if (!word) return std::nullopt;
  const auto material = find_material(*word);
  if (!material) throw UsageError(material.error().message);
  return *material;
}

std::optional<std::uint8_t> layer_option(const Arguments& arguments) {
  const auto word = arguments.find("--layer");
  if (!word) return std::nullopt;
  const auto layer = find_layer(*word);
  if (!layer) throw UsageError(layer.error().message);
  return *layer;
}

std::optional<float> real_option(const Arguments& arguments, std::string_view name) {
  const auto value = arguments.number(name);
  return value ? std::optional(static_cast<float>(*value)) : std::nullopt;
}

std::uint64_t body_number(const std::string& text) {
  const auto number = parse_uint(text);
  if (!number || *number >= kNoBody) throw UsageError("--body takes the number of a body, from 0, not '" + text + "'");
  return *number;
}

Result<std::string> OneFile::write(const Result<CollisionOutput>& made, std::string_view message) const {
  if (!made) return std::unexpected(made.error());
  const std::string& output = arguments.get("-o");
  if (const auto written = write_file(output, made->bytes); !written) return std::unexpected(written.error());
  return fmt::format(fmt::runtime(message), made->block, output);
}

int run_one(const Arguments& arguments, const std::vector<std::string_view>& positionals,
            const std::function<Result<std::string>(const OneFile&)>& work) {
  Notes notes;
  OneFile files{arguments, {}, notes};
  for (const std::string_view positional : positionals) {
    auto bytes = read_file(arguments.get(positional));
    if (!bytes) {
      fmt::print(stderr, "{}\n", error_line(arguments.get(positional), bytes.error()));
      return kFailed;
    }
    files.bytes.push_back(std::move(*bytes));
  }
  const std::filesystem::path path = arguments.get(positionals.front());
  const auto done = work(files);
  if (!arguments.has("-q"))
    for (const Note& note : notes) fmt::print(stderr, "note: {}\n", note_line(path, note));
  if (!done) {
    fmt::print(stderr, "{}\n", error_line(path, done.error()));
    return kFailed;
  }
  if (!arguments.has("-q") && !arguments.has("--json")) fmt::print("{}: {}\n", path.string(), *done);
  return kDone;
}

Verb collision_verb() {
  return {.name = "collision",
          .summary = "Fallout 4 collision: list, see, edit, build it, and put it into NIF files",
          .verbs = {collision_list_verb(), collision_export_verb(), collision_extract_verb(), collision_replace_verb(),
                    collision_attach_verb(), collision_set_verb(), collision_build_verb()}};
}

}  // namespace marrow::cli
