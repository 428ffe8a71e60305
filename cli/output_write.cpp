// SPDX-License-Identifier: MIT
// Writes what an operation made to the places that were planned.
#include <algorithm>
#include <cstdio>

#include "core/try.h"
#include "host.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "outcome.h"
#include "output.h"
#include "store.h"

namespace marrow::cli {
namespace fs = std::filesystem;

namespace {

// A pipe gets a file as it is; a terminal would obey what is in it.
Result<void> write_to_stdout(std::span<const std::byte> bytes) {
  std::string_view text = as_text(bytes);
  std::string shown;
  if (stdout_is_terminal()) {
    if (text.contains('\0'))
      return fail(ErrorCode::InvalidArgument,
                  "is not text, and stdout is a terminal; give -o FILE, or read it from a pipe");
    text = shown = escaped(text, true);
  }
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return {};
  return fail(ErrorCode::Io, "stdout cannot be written");
}

}  // namespace

// A file that turned out to be needed, such as the skeleton beside a clip, is an input like any other.
Result<void> Outputs::refuse_found(const fs::path& path) const {
  if (!found_.has(path)) return {};
  return in_file({ErrorCode::InvalidArgument, "would be replaced, and was read for this run; give -o another name"},
                 text_of_path(path));
}

// What goes into a folder stays in it: a link in a folder of a stranger may lead anywhere.
Result<void> Outputs::refuse_target(const fs::path& path) const {
  if (!many_ || command_.in_place || command_.follow || is_inside(place_of(path), place_of(out_)))
    return refuse_found(path);
  return in_file({ErrorCode::InvalidArgument,
                  "would be written through a link that leads out of the folder; --follow allows that"},
                 text_of_path(path));
}

Result<void> Outputs::write_extras(std::span<const FileToWrite> extras) const {
  for (const FileToWrite& each : extras) MARROW_CHECK(refuse_found(each.path));
  return extras.empty() ? Result<void>() : write_files(extras);
}

// Files whose names only their content decides are judged when they are known, before the first of them is written.
Result<void> Outputs::claim(const Input& input, const std::vector<FileToWrite>& files) const {
  const std::scoped_lock lock(mutex_);
  for (const FileToWrite& file : files) {
    if (file.is_kept_apart || (command_.in_place && file.path == input.path())) continue;
    MARROW_CHECK(refuse_target(file.path));
    if (places_.write(file.path, {Places::Use::Output, index_of(input)}))
      return in_file({ErrorCode::InvalidArgument,
                      "would replace another file that this run reads or writes; give -o "
                      "another folder"},
                     text_of_path(file.path));
  }
  return {};
}

// Of several files that an operation gave another format, each gets the extension of that; names of the user's own
// stay.
bool Outputs::changes_extension(const fs::path& path, const SavedFile& file) const {
  const OperationInfo& info = command_.info();
  if (!many_ || command_.in_place || command_.has_format() || info.output != OutputKind::Document) return false;
  if (info.formats.empty() || info.formats == written_formats()) return false;
  const auto own = format_of_extension(text_of_path(path.extension()));
  return own && own != format_of_extension(file.extension);
}

// What a killed run has left in a folder goes before the first file is written to it.
void Outputs::clean(const fs::path& folder) const {
  const std::scoped_lock lock(mutex_);
  if (cleaned_.insert(folder).second) remove_stale_temporaries(folder);
}

Result<void> Outputs::put(const SavedFile& file) const {
  if (const std::string_view reason = unsafe_here(file.name); !reason.empty())
    return fail(ErrorCode::Malformed, "is never extracted under this name: " + std::string(reason));
  const fs::path path = out_ / path_of_text(file.name + file.extension);
  if (!command_.force && path_exists(path))
    return fail(ErrorCode::Io, "exists already in " + text_of_path(out_) + "; --force replaces it");
  MARROW_CHECK(refuse_target(path));
  {
    const std::scoped_lock lock(mutex_);
    if (const auto taken = places_.write(path, {Places::Use::Output, 0}); taken && taken->use != Places::Use::Output)
      return fail(ErrorCode::InvalidArgument, "would replace a file that this run reads; give -o another folder");
  }
  clean(path.parent_path());
  return write_file(path, file.bytes);
}

// The operation names its files; none of the names may lead out of the folder.
Result<fs::path> Outputs::write_folder(const std::vector<SavedFile>& files) const {
  std::vector<FileToWrite> all;
  for (const SavedFile& file : files) {
    const fs::path name = path_of_text(file.name + file.extension);
    const bool leads_out = name.empty() || name.is_absolute() || name.has_root_path() ||
                           std::ranges::any_of(name, [](const fs::path& part) { return part == ".."; });
    if (leads_out) return in_file({ErrorCode::InvalidArgument, "the name leads out of the output folder"}, file.name);
    all.push_back({.path = out_ / name, .bytes = file.bytes});
  }
  for (const FileToWrite& file : all) MARROW_CHECK(refuse_target(file.path));
  const std::scoped_lock lock(mutex_);
  for (const FileToWrite& file : all)
    if (places_.write(file.path, {Places::Use::Output, 0}))
      return in_file({ErrorCode::InvalidArgument, "would replace a file that this run reads; give -o another folder"},
                     text_of_path(file.path));
  if (auto written = write_files(all); !written) return std::unexpected(std::move(written.error()));
  return out_;
}

Result<fs::path> Outputs::write(const Input& input, const std::vector<SavedFile>& files,
                                std::span<const FileToWrite> extras) const {
  if (command_.info().output == OutputKind::Folder || to_stdout_) {
    MARROW_CHECK(write_extras(extras));
    if (!to_stdout_) return write_folder(files);
    MARROW_CHECK(write_to_stdout(files.front().bytes));
    return planned(input);
  }
  const fs::path target = planned(input);
  if (command_.info().output == OutputKind::File &&
      !equal_ignoring_case(text_of_path(target.extension()), files.front().extension))
    return fail(ErrorCode::BadOption,
                "what is written is a " + files.front().extension + " file, not a " + text_of_path(target.extension()),
                kNoOffset, "output");
  const bool is_one_per_clip = files.size() > 1 && !files.front().name.empty();
  if (is_one_per_clip && !many_ && target.has_extension()) {
    std::string names;
    for (const SavedFile& file : files) names += (names.empty() ? "" : ", ") + file.name;
    const bool is_block = command_.info().name == "collision extract";
    return fail(ErrorCode::NeedsChoice,
                std::string("the file has several ") + (is_block ? "systems" : "animations") +
                    " and the output holds one: " + names,
                kNoOffset, is_block ? "block" : "");
  }
  std::vector<FileToWrite> all;
  for (std::size_t i = 0; i < files.size(); ++i) {
    fs::path path = target;
    if (is_one_per_clip) {
      const fs::path own = command_.info().names_outputs ? target.parent_path() : fs::path(target).replace_extension();
      path = (many_ ? own : target) / path_of_text(files[i].name + files[i].extension);
    } else if (i > 0 || changes_extension(path, files[i])) {
      path.replace_extension(files[i].extension);
    }
    all.push_back({.path = std::move(path), .bytes = files[i].bytes});
  }
  // The backup goes with them: there is none if the file cannot be replaced, and it is there before the file changes.
  std::vector<std::byte> original;
  if (command_.in_place && command_.backup) {
    auto read = read_file(target);
    if (!read) return std::unexpected(std::move(read.error()));
    original = std::move(*read);
    all.push_back({.path = backup_of(target), .bytes = original, .is_kept_apart = true, .rights_of = target});
  }
  if (auto claimed = claim(input, all); !claimed) return std::unexpected(std::move(claimed.error()));
  for (const FileToWrite& each : extras) {
    MARROW_CHECK(refuse_found(each.path));
    all.push_back(each);
  }
  for (const FileToWrite& each : all) clean(each.path.parent_path());
  if (auto written = write_files(all); !written) return std::unexpected(std::move(written.error()));
  return is_one_per_clip ? all.front().path.parent_path() : all.front().path;
}

}  // namespace marrow::cli
