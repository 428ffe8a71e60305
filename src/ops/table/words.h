// SPDX-License-Identifier: MIT
/// Words as people type them, on a command line or in a script, as options and inputs of an operation.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "marrow/core/error.h"
#include "ops/table/operation.h"

namespace marrow {

/// What the words after the name of an operation say.
struct ParsedWords {
  Json options = Json::object();
  std::map<std::string, std::vector<std::string>, std::less<>> files = {};  ///< names by role of input
  std::vector<std::pair<std::string, std::string>> common =
      {};                               ///< options of the caller; the value of a flag is empty
  std::vector<std::string> loose = {};  ///< words that belong to no option
  bool wants_help = false;
};

/// A letter that stands for an option of the caller.
struct ShortOption {
  char letter;
  std::string_view name;
};

struct WordsOptions {
  std::span<const FieldInfo> common = {};    ///< options that the caller knows beside those of the operation
  std::span<const ShortOption> shorts = {};  ///< letters for some of them
  bool has_main = true;                      ///< false: the main input is given already
};

/// Parses words by the description of an operation: options by name with two dashes, `name=value` or the next word, and
/// inputs and positional fields by place. Checks names, ranges and choices. Fails with `BadOption` and a whole
/// sentence, with the nearest name if one is not known.
Result<ParsedWords> parse_words(const Operation& operation, const std::vector<std::string>& words,
                                const WordsOptions& options = {});

/// Splits a line into words at white space. Quotes, single or double, hold a word together; a `#` at the start of a
/// word begins a comment. Fails with `Malformed` if a quote is not closed.
Result<std::vector<std::string>> split_words(std::string_view line);

/// Returns `max-rotation-error` for `max_rotation_error`.
std::string spelled(std::string_view name);

}  // namespace marrow
