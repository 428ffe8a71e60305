// SPDX-License-Identifier: MIT
#include "options.h"

#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "marrow/ops/convert.h"

namespace marrow::cli {

std::string game_option(const Arguments& arguments, std::string_view name) {
  const std::string word = arguments.find(name).value_or("");
  if (!word.empty() && !is_game(word))
    throw UsageError(std::string(name) + ": there is no game '" + word + "'; see marrow --help for their names");
  return word;
}

std::vector<std::byte> file_option(const Arguments& arguments, std::string_view name) {
  const auto path = arguments.find(name);
  if (!path) return {};
  auto bytes = read_file(*path);
  if (!bytes) throw UsageError(std::string(name) + ": " + *path + " " + bytes.error().message);
  return std::move(*bytes);
}

std::vector<std::string> names_option(const Arguments& arguments) {
  std::vector<std::string> names;
  const std::vector<std::byte> bytes = file_option(arguments, "--names");
  for (std::string_view text = as_text(bytes); !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (const std::string_view line = trim(text.substr(0, end)); !line.empty()) names.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return names;
}

}  // namespace marrow::cli
