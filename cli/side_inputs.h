// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "command.h"
#include "core/hash.h"
#include "files.h"

namespace marrow::cli {

/// The files beside the main input, read and parsed once for the whole run.
class SideInputs {
 public:
  SideInputs(const Command& command, Context& context);

  /// The first of them that cannot be used.
  const std::optional<Error>& error() const { return error_; }

  /// Returns the inputs of one run; a text input that is a folder gives the file of the same name in it. `kept` holds
  /// what was read for it.
  Result<std::vector<OperationInput>> for_input(const Input& input, std::deque<std::vector<std::byte>>& kept) const;

  /// Adds all that was read to a hash.
  void add_to(Hash64& hash) const;

 private:
  void add(const InputInfo& info, const std::string& text, Context& context);
  void add_source(const InputInfo& info, const std::filesystem::path& path);
  void add_files(const InputInfo& info, const std::string& text);
  void add_tree(const InputInfo& info, const std::string& text, Context& context);
  void read(const InputInfo& info, const std::filesystem::path& path, Context& context);

  std::vector<OperationInput> inputs_;
  std::vector<std::pair<const InputInfo*, std::filesystem::path>> folders_;
  std::deque<std::vector<std::byte>> bytes_;
  std::deque<Document> documents_;
  std::optional<Error> error_;
};

}  // namespace marrow::cli
