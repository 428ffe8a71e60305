// SPDX-License-Identifier: MIT
#include "output.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <unordered_map>

#include "marrow/core/file.h"
#include "marrow/core/text.h"

namespace marrow::cli {
namespace fs = std::filesystem;

namespace {

// Clip names as file names: what some disk does not take becomes `_`.
std::string clip_file_name(std::string name) {
  std::ranges::replace_if(
      name,
      [](char c) {
        return std::string_view("/\\:*?\"<>|").find(c) != std::string_view::npos || static_cast<unsigned char>(c) < ' ';
      },
      '_');
  if (name.ends_with('.') || name.ends_with(' ')) name.back() = '_';
  if (is_device_name(name)) name = "_" + name;
  return name.empty() ? "clip" : name;
}

// Names that some disk takes for one are told apart by a number.
std::vector<std::string> file_names(const std::vector<SavedFile>& files) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const SavedFile& file : files) {
    const std::string wanted = clip_file_name(file.name);
    std::string name = wanted;
    for (int i = 2; !taken.insert(to_lower(name) + file.extension).second; ++i) name = wanted + "_" + std::to_string(i);
    names.push_back(std::move(name));
  }
  return names;
}

std::string known_extensions(const OperationInfo& info) {
  std::string known;
  for (const Format format : info.formats.empty() ? written_formats() : info.formats)
    if (known.find(extension_of(format)) == std::string::npos)
      (known += known.empty() ? "" : ", ") += extension_of(format);
  return known;
}

// Calls `use` with everything that a command reads.
template <class Use>
void for_each_read(const Command& command, const std::vector<Input>& inputs, const Use& use) {
  for (const Input& input : inputs) use(input.path());
  for (const auto& [role, paths] : command.files)
    for (const std::string& path : paths) use(path_of_text(path));
  if (command.names) use(path_of_text(*command.names));
}

}  // namespace

Outputs::Outputs(const Command& command, const std::vector<Input>& inputs, bool is_many) : command_(command) {
  const OperationInfo& info = command.info();
  wanted_ = command.output.has_value() || command.in_place;
  refuse_side_outputs(inputs);
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
  many_ = is_many || !out_.has_filename() || is_folder(out_);  // `out/` is a folder, there or not
  if (to_stdout_) {
    if (is_many) throw UsageError("several inputs do not go to stdout; give -o FOLDER");
    return;
  }
  if (!many_) refuse_extension();
  refuse_place();
  refuse_conflicts(inputs);
}

// Folders are made only inside a folder that exists: a typing mistake does not grow a tree.
void Outputs::refuse_place() const {
  const PathKind kind = path_kind(out_);
  if (kind != PathKind::Missing && kind != PathKind::Folder && (many_ || kind != PathKind::File))
    throw UsageError(
        "-o " + text_of_path(out_) +
        (many_ ? " is not a folder, and there are several outputs" : " is not a regular file; use -o - for stdout"));
  const fs::path folder = many_ ? out_ : out_.parent_path();
  if (folder.empty() || is_folder(folder)) return;
  const fs::path above = folder.has_filename() ? folder.parent_path() : folder.parent_path().parent_path();
  if (!above.empty() && !is_folder(above))
    throw UsageError("-o " + text_of_path(out_) + ": there is no folder " + text_of_path(above));
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
  std::string message = "'" + extension +
                        "' is not an extension that is written here; these are: " + known_extensions(info) +
                        ". Or give --format";
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
  const auto own = format_of_extension(text_of_path(input.path().extension()));
  return own && std::ranges::find(info.formats, *own) != info.formats.end() ? own : std::nullopt;
}

Json Outputs::options_for(const Input& input) const {
  Json options = command_.options;
  if (const auto format = wanted_ ? format_for(input) : std::nullopt) options.set("format", to_string(*format));
  return options;
}

fs::path Outputs::planned(const Input& input) const {
  if (command_.in_place) return input.path();
  if (!many_) return out_;
  fs::path path = out_ / input.relative();
  const OperationInfo& info = command_.info();
  // Files that are named after their clips are never called as the input is.
  if (info.names_outputs) path = path.parent_path() / (path.stem() += "_1") += path.extension();
  std::string extension;
  if (info.output == OutputKind::Text) extension = info.text_extension;
  const auto asked =
      info.output == OutputKind::Document ? find_format(command_.options["format"].text()) : std::nullopt;
  // A file keeps its own extension unless its format changes.
  if (asked && format_of_extension(text_of_path(input.path().extension())) != asked) extension = extension_of(*asked);
  if (!extension.empty()) path.replace_extension(extension);
  return path;
}

std::string Outputs::stem_for(const Input& input) const {
  return wanted_ && !to_stdout_ ? text_of_path(planned(input).stem()) : std::string();
}

// Places are kept as hashes, since there may be a hundred thousand; what has the hash of another is looked at again.
void Outputs::refuse_conflicts(const std::vector<Input>& inputs) const {
  std::unordered_map<std::size_t, const Input*> taken;
  const auto output_of = [&](const Input* input) { return place_of(input ? planned(*input) : out_); };
  if (inputs.empty()) taken.try_emplace(fs::hash_value(output_of(nullptr)), nullptr);
  for (const Input& input : inputs) {
    const fs::path place = output_of(&input);
    const auto [found, is_new] = taken.try_emplace(fs::hash_value(place), &input);
    if (!is_new && output_of(found->second) == place)
      throw UsageError(text_of_path(found->second->path()) + " and " + text_of_path(input.path()) +
                       " would both be written to " + text_of_path(planned(input)));
  }
  for_each_read(command_, inputs, [&](const fs::path& path) {
    const fs::path place = place_of(path);
    if (const auto found = taken.find(fs::hash_value(place)); found != taken.end() && output_of(found->second) == place)
      throw UsageError("the output would replace the input " + text_of_path(path) +
                       "; give -o another name, or --in-place");
  });
}

// What is written beside the output must not be the output or anything that is read.
void Outputs::refuse_side_outputs(const std::vector<Input>& inputs) const {
  std::map<std::string, std::string, std::less<>> sides = command_.extras;
  if (command_.report) sides["report"] = *command_.report;
  if (command_.sarif) sides["sarif"] = *command_.sarif;
  std::map<fs::path, std::string> taken;  // options by the places that they are written to
  const auto refuse = [](const std::string& option, const std::string& path) {
    throw UsageError("--" + spelled(option) + " would replace " + path + "; give it another name");
  };
  for (const auto& [option, path] : sides)
    if (!taken.try_emplace(place_of(path_of_text(path)), option).second) refuse(option, path);
  if (taken.empty()) return;
  const auto refuse_read = [&](const fs::path& path) {
    if (const auto found = taken.find(place_of(path)); found != taken.end()) refuse(found->second, text_of_path(path));
  };
  if (command_.output && *command_.output != "-") refuse_read(path_of_text(*command_.output));
  for_each_read(command_, inputs, refuse_read);
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
    const bool is_block = command_.info().name == "collision extract";
    return fail(ErrorCode::NeedsChoice,
                std::string("the file has several ") + (is_block ? "systems" : "animations") +
                    " and the output holds one: " + names,
                kNoOffset, is_block ? "block" : "");
  }
  const std::vector<std::string> names = file_names(files);
  std::vector<FileToWrite> all;
  for (std::size_t i = 0; i < files.size(); ++i) {
    fs::path path = target;
    if (is_one_per_clip) {
      const fs::path own = command_.info().names_outputs ? target.parent_path() : fs::path(target).replace_extension();
      path = (many_ ? own : target) / path_of_text(names[i] + files[i].extension);
    } else if (i > 0 || changes_extension(path, files[i])) {
      path.replace_extension(files[i].extension);
    }
    all.push_back({std::move(path), files[i].bytes});
  }
  // The backup goes with them: there is none if the file cannot be replaced, and it is there before the file changes.
  std::vector<std::byte> original;
  if (command_.in_place && command_.backup) {
    auto read = read_file(target);
    if (!read) return std::unexpected(std::move(read.error()));
    original = std::move(*read);
    fs::path backup = target;
    backup += ".bak";
    all.push_back({std::move(backup), original});
  }
  for (const FileToWrite& each : all) clean(each.path.parent_path());
  if (auto written = write_files(all); !written) return std::unexpected(std::move(written.error()));
  return is_one_per_clip ? all.front().path.parent_path() : all.front().path;
}

}  // namespace marrow::cli
