// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "command.h"
#include "files.h"
#include "marrow/core/error.h"
#include "marrow/core/file.h"
#include "places.h"

namespace marrow::cli {

/// Decides where the output files of a command go. All rules for outputs are here: nothing is overwritten silently.
class Outputs {
 public:
  /// Plans every file that the run will write. Throws a UsageError if two of them are one, if one would replace a file
  /// that is read, or if the extension of a single output is not supported.
  /// `inputs` must outlive this; it is empty if the operation runs once, on files that are not its main input. So must
  /// `found`, which grows while files are read: none of them is replaced.
  Outputs(const Command& command, const std::vector<Input>& inputs, bool is_many, const FoundFiles& found);

  /// True if there is any output.
  bool are_wanted() const { return wanted_; }
  bool are_printed() const { return to_stdout_; }

  /// Returns the options for one input, including the format of its output.
  Json options_for(const Input& input) const;
  /// Returns the file name of one input's output, without extension.
  std::string stem_for(const Input& input) const;

  /// Writes texts of the report that the command wants as files of their own, of a run without other outputs.
  Result<void> write_extras(std::span<const FileToWrite> extras) const;

  /// Writes one of the files of an operation that writes below a folder. Fails if there is one already, unless the
  /// command says to replace it.
  Result<void> put(const SavedFile& file) const;
  /// Returns the folder of such an operation.
  std::filesystem::path folder() const { return out_; }

  /// Writes the files that an operation returned for one input, and with them the texts that the command wants as files
  /// of their own: all or none. Returns the path of the first file.
  Result<std::filesystem::path> write(const Input& input, const std::vector<SavedFile>& files,
                                      std::span<const FileToWrite> extras) const;

 private:
  std::filesystem::path planned(const Input& input) const;
  std::optional<Format> format_for(const Input& input) const;
  std::vector<std::filesystem::path> all_planned(const Input& input) const;
  void refuse_place() const;
  void plan_trees();
  Result<std::filesystem::path> write_folder(const std::vector<SavedFile>& files) const;
  void plan_inputs();
  void plan_side_outputs();
  void plan_outputs();
  [[noreturn]] void refuse_taken(const Places::Owner& taken, const std::filesystem::path& path,
                                 const Input* input) const;
  std::size_t index_of(const Input& input) const;
  Result<void> refuse_found(const std::filesystem::path& path) const;
  Result<void> refuse_target(const std::filesystem::path& path) const;
  Result<void> claim(const Input& input, const std::vector<FileToWrite>& files) const;
  void refuse_extension() const;
  /// Returns the formats of a text, if its extension decides between several; null otherwise.
  const std::vector<std::string>* text_formats() const;
  /// Returns the format of a text by the extension of the output; nothing if that does not decide.
  std::optional<std::string> text_format() const;
  /// The form of a text that the extension of the output names; nothing if it names none.
  std::optional<std::string> form_of_output() const;
  void clean(const std::filesystem::path& folder) const;
  bool changes_extension(const std::filesystem::path& path, const SavedFile& file) const;

  const Command& command_;
  const std::vector<Input>& inputs_;
  const FoundFiles& found_;
  std::vector<std::string> sides_;  ///< options of files beside the outputs
  bool many_ = false, wanted_ = false, to_stdout_ = false;
  std::filesystem::path out_;
  mutable std::mutex mutex_;
  mutable Places places_;
  mutable std::set<std::filesystem::path> cleaned_;
};

}  // namespace marrow::cli
