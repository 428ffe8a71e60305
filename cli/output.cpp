// SPDX-License-Identifier: MIT
#include "output.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "marrow/core/file.h"
#include "marrow/core/text.h"

namespace marrow::cli {
namespace fs = std::filesystem;

namespace {

// Clip names as file names: what some disk does not take becomes `_`.
std::string file_name(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos || c < ' '; }, '_');
  return name;
}

std::string known_extensions(const OperationInfo& info) {
  std::string known;
  for (const Format format : info.formats.empty() ? written_formats() : info.formats)
    if (known.find(extension_of(format)) == std::string::npos)
      (known += known.empty() ? "" : ", ") += extension_of(format);
  return known;
}

fs::path same_place(const fs::path& path) {
  std::error_code error;
  const fs::path full = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : full;
}

}  // namespace

Outputs::Outputs(const Command& command, const std::vector<Input>& inputs, bool is_many) : command_(command) {
  const OperationInfo& info = command.info();
  wanted_ = command.output.has_value() || command.in_place;
  if (!wanted_) {
    if (info.output == OutputKind::Document && !info.output_is_optional) throw UsageError("-o OUT is missing");
    if (info.output == OutputKind::Text && is_many && !command.json)
      throw UsageError("several inputs need -o FOLDER, one file per input");
    return;
  }
  if (command.in_place) {
    if (info.output == OutputKind::Text) throw UsageError("--in-place goes with verbs that change files");
    return;
  }
  to_stdout_ = *command.output == "-";
  out_ = path_of_text(*command.output);
  std::error_code error;
  many_ = is_many || fs::is_directory(out_, error);
  if (to_stdout_) {
    if (is_many) throw UsageError("several inputs do not go to stdout; give -o FOLDER");
    return;
  }
  if (!many_) refuse_extension();
  refuse_conflicts(inputs);
}

void Outputs::refuse_extension() const {
  const OperationInfo& info = command_.info();
  const std::string extension = text_of_path(out_.extension());
  if (info.output != OutputKind::Document || command_.has_format() || extension.empty()) return;
  const auto format = format_of_extension(extension);
  const bool is_written = format && (info.formats.empty() || std::ranges::any_of(info.formats, [&](Format each) {
                                       return extension_of(each) == extension_of(*format);
                                     }));
  if (is_written) return;
  std::string message = "'" + extension + "' is not an extension that is written here; these are: " +
                        known_extensions(info) + ". Or give --format";
  if (equal_ignoring_case(extension, ".fbx") || equal_ignoring_case(extension, ".kf"))
    message += ". For FBX write a .glb and export it from Blender";
  throw UsageError(message);
}

std::optional<Format> Outputs::format_for(const Input& input) const {
  const OperationInfo& info = command_.info();
  if (info.output != OutputKind::Document || command_.has_format()) return std::nullopt;
  if (!many_ && !command_.in_place) return format_of_extension(text_of_path(out_.extension()));
  // Of several, each keeps its format if the operation writes it.
  if (info.formats.empty() || info.formats == written_formats()) return std::nullopt;
  const auto own = format_of_extension(text_of_path(input.path.extension()));
  return own && std::ranges::find(info.formats, *own) != info.formats.end() ? own : std::nullopt;
}

Json Outputs::options_for(const Input& input) const {
  Json options = command_.options;
  if (const auto format = wanted_ ? format_for(input) : std::nullopt) options.set("format", to_string(*format));
  return options;
}

fs::path Outputs::planned(const Input& input) const {
  if (command_.in_place) return input.path;
  if (!many_) return out_;
  fs::path path = out_ / input.relative;
  const OperationInfo& info = command_.info();
  std::string extension;
  if (info.output == OutputKind::Text) extension = info.text_extension;
  const auto asked = info.output == OutputKind::Document ? find_format(command_.options["format"].text()) : std::nullopt;
  // A file keeps its own extension unless its format changes.
  if (asked && format_of_extension(text_of_path(input.path.extension())) != asked) extension = extension_of(*asked);
  if (!extension.empty()) path.replace_extension(extension);
  return path;
}

std::string Outputs::stem_for(const Input& input) const {
  return wanted_ && !to_stdout_ ? text_of_path(planned(input).stem()) : std::string();
}

void Outputs::refuse_conflicts(const std::vector<Input>& inputs) const {
  std::map<fs::path, const Input*> taken;
  if (inputs.empty()) taken.try_emplace(same_place(out_), nullptr);
  for (const Input& input : inputs) {
    const auto [found, is_new] = taken.try_emplace(same_place(planned(input)), &input);
    if (!is_new)
      throw UsageError(text_of_path(found->second->path) + " and " + text_of_path(input.path) +
                       " would both be written to " + text_of_path(planned(input)));
  }
  const auto refuse_input = [&](const fs::path& path) {
    if (taken.contains(same_place(path)))
      throw UsageError("the output would replace the input " + text_of_path(path) +
                       "; give -o another name, or --in-place");
  };
  for (const Input& input : inputs) refuse_input(input.path);
  for (const auto& [option, path] : command_.extras) taken.try_emplace(same_place(path_of_text(path)), nullptr);
  for (const auto& [role, paths] : command_.files)
    for (const std::string& path : paths) refuse_input(path_of_text(path));
}

// Of several files that an operation gave another format, each gets the extension of that; names of the user's own stay.
bool Outputs::changes_extension(const fs::path& path, const SavedFile& file) const {
  const OperationInfo& info = command_.info();
  if (!many_ || command_.in_place || command_.has_format() || info.output != OutputKind::Document) return false;
  if (info.formats.empty() || info.formats == written_formats()) return false;
  const auto own = format_of_extension(text_of_path(path.extension()));
  return own && own != format_of_extension(file.extension);
}

Result<fs::path> Outputs::write(const Input& input, const std::vector<SavedFile>& files) const {
  const fs::path target = planned(input);
  if (to_stdout_) {
    const std::vector<std::byte>& bytes = files.front().bytes;
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size())
      return fail(ErrorCode::Io, "stdout cannot be written");
    return target;
  }
  const bool is_one_per_clip = files.size() > 1 && !files.front().name.empty();
  if (is_one_per_clip && !many_ && target.has_extension()) {
    std::string names;
    for (const SavedFile& file : files) names += (names.empty() ? "" : ", ") + file.name;
    return fail(ErrorCode::NeedsChoice, "the file has several animations and the output holds one: " + names);
  }
  if (command_.in_place && command_.backup) {
    fs::path backup = target;
    backup += ".bak";
    if (auto copied = marrow::copy_file(target, backup); !copied) return std::unexpected(std::move(copied.error()));
  }
  fs::path first;
  for (const SavedFile& file : files) {
    fs::path path = target;
    if (is_one_per_clip) {
      const fs::path folder = many_ ? fs::path(target).replace_extension() : target;
      path = folder / path_of_text(file_name(file.name) + file.extension);
    } else if (!first.empty()) {
      path.replace_extension(file.extension);
    } else if (changes_extension(path, file)) {
      path.replace_extension(file.extension);
    }
    if (auto written = write_file(path, file.bytes); !written) {
      written.error().file = text_of_path(path);
      return std::unexpected(std::move(written.error()));
    }
    if (first.empty()) first = is_one_per_clip ? path.parent_path() : path;
  }
  return first;
}

}  // namespace marrow::cli
