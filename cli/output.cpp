// SPDX-License-Identifier: MIT
#include "output.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "store.h"

namespace marrow::cli {
namespace fs = std::filesystem;

namespace {

std::string known_extensions(const OperationInfo& info) {
  std::string known;
  for (const Format format : info.formats.empty() ? written_formats() : info.formats)
    if (known.find(extension_of(format)) == std::string::npos)
      (known += known.empty() ? "" : ", ") += extension_of(format);
  return known;
}

// What is written beside a file of a format, under the same name.
std::string_view companion_of(const fs::path& path) {
  const auto format = format_of_extension(text_of_path(path.extension()));
  if (format == Format::Obj) return ".mtl";
  return format == Format::Gltf ? ".bin" : "";
}

// Returns the name that the next backup of a file gets.
fs::path next_backup_of(const fs::path& path) {
  fs::path name = backup_of(path);
  for (int i = 1; path_exists(name); ++i) (name = backup_of(path)) += "." + std::to_string(i);
  return name;
}

}  // namespace

Outputs::Outputs(const Command& command, const std::vector<Input>& inputs, bool is_many, const FoundFiles& found)
    : command_(command), inputs_(inputs), found_(found) {
  const OperationInfo& info = command.info();
  wanted_ = command.output.has_value() || command.in_place;
  plan_inputs();
  plan_trees();
  plan_side_outputs();
  if (!wanted_) {
    const bool is_needed =
        info.output == OutputKind::Files || info.output == OutputKind::File || !info.text_forms.empty() ||
        ((info.output == OutputKind::Document || info.output == OutputKind::Folder) && !info.output_is_optional);
    const bool is_report_enough = !info.text_forms.empty() && command.json;
    if (is_needed && !is_report_enough)
      throw UsageError(info.output == OutputKind::Files ? "-o FOLDER is missing" : "-o OUT is missing");
    if (info.output == OutputKind::Text && is_many && !command.json)
      throw UsageError("several inputs need -o FOLDER, one file per input");
    return;
  }
  if (command.in_place) {
    if (info.output == OutputKind::Text) throw UsageError("--in-place goes with verbs that change files");
    for (const Input& input : inputs)
      if (place_in_archive(input.path())) throw UsageError("nothing is written into an archive; give -o FOLDER");
    plan_outputs();
    return;
  }
  to_stdout_ = *command.output == "-";
  out_ = path_of_text(*command.output);
  many_ = is_many || !out_.has_filename() || is_folder(out_);  // `out/` is a folder, there or not
  if (place_in_archive(out_)) throw UsageError("-o " + *command.output + ": nothing is written into an archive");
  if (info.output == OutputKind::Files || info.output == OutputKind::Folder) {
    if (to_stdout_) throw UsageError("several files do not go to stdout; give -o FOLDER");
    many_ = true;
    refuse_place();
    return;
  }
  if (info.output == OutputKind::File && (many_ || to_stdout_)) throw UsageError("-o takes the name of a file");
  if (to_stdout_) {
    if (is_many) throw UsageError("several inputs do not go to stdout; give -o FOLDER");
    return;
  }
  if (!many_) refuse_extension();
  refuse_place();
  plan_outputs();
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

// A text that is written in one of several formats has their extensions as the choices of its option `format`.
const std::vector<std::string>* Outputs::text_formats() const {
  const OperationInfo& info = command_.info();
  const auto option = std::ranges::find(info.options, "format", &FieldInfo::name);
  if (info.output != OutputKind::Text || option == info.options.end() || info.text_extension.empty()) return nullptr;
  const bool are_extensions =
      std::ranges::find(option->choices, info.text_extension.substr(1)) != option->choices.end();
  return are_extensions ? &option->choices : nullptr;
}

std::optional<std::string> Outputs::text_format() const {
  const auto* formats = text_formats();
  if (!formats || many_ || to_stdout_ || !wanted_ || command_.options.contains("format")) return std::nullopt;
  const std::string extension = to_lower(text_of_path(out_.extension()));
  const auto found = std::ranges::find(*formats, extension.empty() ? extension : extension.substr(1));
  return found == formats->end() ? std::nullopt : std::optional(*found);
}

void Outputs::refuse_extension() const {
  const OperationInfo& info = command_.info();
  const std::string extension = text_of_path(out_.extension());
  if (info.output == OutputKind::File &&
      std::ranges::find(info.extensions, to_lower(extension)) == info.extensions.end()) {
    std::string known;
    for (const std::string_view each : info.extensions) (known += known.empty() ? "" : ", ") += each;
    throw UsageError("'" + extension + "' is not an extension that is written here; these are: " + known);
  }
  if (const auto* formats = text_formats();
      formats && !extension.empty() && !command_.options.contains("format") && !text_format()) {
    std::string known;
    for (const std::string& each : *formats) known += (known.empty() ? "." : ", .") + each;
    throw UsageError("'" + extension + "' is not an extension that is written here; these are: " + known +
                     ". Or give --format");
  }
  if (!info.text_forms.empty() && !form_of_output()) {
    std::string known;
    for (const std::string_view form : info.text_forms) known += (known.empty() ? "." : ", .") + std::string(form);
    throw UsageError("'" + extension + "' is not an extension that is written here; these are: " + known);
  }
  if (info.output != OutputKind::Document || command_.has_format() || extension.empty()) return;
  const auto format = format_of_extension(extension);
  const bool writes_all = info.formats.empty() || info.formats == written_formats();
  const std::string_view meant = format ? extension_of(*format) : std::string_view(extension);
  const bool is_written = writes_all ? format.has_value() : std::ranges::any_of(info.formats, [&](Format each) {
    return equal_ignoring_case(extension_of(each), meant);
  });
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
  if (!many_ && !command_.in_place) {
    const auto by_name = format_of_extension(text_of_path(out_.extension()));
    // A packfile that stays one keeps its node ids.
    const bool writes_all = info.formats.empty() || info.formats == written_formats();
    const auto head = writes_all && by_name == Format::Hkx ? read_any_head(input.path(), kDetectBytes)
                                                           : Result<std::vector<std::byte>>{};
    return head && detect(*head) == Format::Hkx ? std::nullopt : by_name;
  }
  // Of several, each keeps its format if the operation writes it.
  if (info.formats.empty() || info.formats == written_formats()) return std::nullopt;
  const auto own = format_of_extension(text_of_path(input.path().extension()));
  return own && std::ranges::find(info.formats, *own) != info.formats.end() ? own : std::nullopt;
}

std::optional<std::string> Outputs::form_of_output() const {
  const std::string extension = text_of_path(out_.extension());
  for (const std::string_view form : command_.info().text_forms)
    if (extension.size() == form.size() + 1 && equal_ignoring_case(extension.substr(1), form)) return std::string(form);
  return std::nullopt;
}

Json Outputs::options_for(const Input& input) const {
  Json options = command_.options;
  if (wanted_ && !many_ && !to_stdout_ && !options.contains("form"))
    if (const auto form = form_of_output()) options.set("form", *form);
  if (const auto format = wanted_ ? format_for(input) : std::nullopt) options.set("format", to_string(*format));
  if (const auto format = text_format()) options.set("format", *format);
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
  if (!info.text_forms.empty() && command_.options.contains("form")) extension = "." + command_.options["form"].text();
  const auto asked =
      info.output == OutputKind::Document ? find_format(command_.options["format"].text()) : std::nullopt;
  // A file keeps its own extension unless its format changes.
  if (asked && format_of_extension(text_of_path(input.path().extension())) != asked) extension = extension_of(*asked);
  // Motion of other programs is read, not written.
  const std::string own = to_lower(text_of_path(path.extension()));
  if (info.output == OutputKind::Document && extension.empty() && (own == ".fbx" || own == ".bvh")) extension = ".hkx";
  if (!extension.empty()) path.replace_extension(extension);
  return path;
}

std::string Outputs::stem_for(const Input& input) const {
  return wanted_ && !to_stdout_ ? text_of_path(planned(input).stem()) : std::string();
}

// An operation without files of its own runs once.
std::size_t Outputs::index_of(const Input& input) const {
  return inputs_.empty() ? 0 : static_cast<std::size_t>(&input - inputs_.data());
}

void Outputs::plan_inputs() {
  for (const Input& input : inputs_) places_.read(input.path(), {Places::Use::Input, index_of(input)});
  for (const auto& [role, paths] : command_.files)
    for (const std::string& path : paths) places_.read(path_of_text(path), {Places::Use::SideInput, 0});
  for (const auto& side : {command_.names, command_.types})
    if (side) places_.read(path_of_text(*side), {Places::Use::SideInput, 0});
}

// What is written beside the output must not be anything that is read, nor each other.
void Outputs::plan_side_outputs() {
  std::map<std::string, std::string, std::less<>> sides = command_.extras;
  if (command_.report) sides["report"] = *command_.report;
  if (command_.sarif) sides["sarif"] = *command_.sarif;
  for (const auto& [option, path] : sides) {
    if (places_.write(path_of_text(path), {Places::Use::Side, sides_.size()}))
      throw UsageError("--" + spelled(option) + " would replace " + path + "; give it another name");
    sides_.push_back(option);
  }
}

// Files below folders are read too, and none of them is replaced.
void Outputs::plan_trees() {
  for (const InputInfo& info : command_.info().inputs) {
    const auto given = command_.files.find(info.role);
    if (given == command_.files.end() || (info.kind != InputKind::Tree && info.kind != InputKind::Bytes)) continue;
    for (const std::string& path : given->second)
      if (is_folder(path_of_text(path)))
        for (const Input& input : expand_inputs({path}, {.wanted = Wanted::Everything}))
          places_.read(input.path(), {Places::Use::SideInput, 0});
  }
}

// Every file that can be known before the work is judged here: against all that is read and all that is written.
void Outputs::plan_outputs() {
  const auto plan = [&](const fs::path& path, const Input* input) {
    const auto taken = places_.write(path, {Places::Use::Output, input ? index_of(*input) : 0});
    if (taken) refuse_taken(*taken, path, input);
  };
  if (inputs_.empty()) {
    plan(out_, nullptr);
    if (const std::string_view extension = companion_of(out_); !extension.empty())
      plan(fs::path(out_).replace_extension(extension), nullptr);
  }
  for (const Input& input : inputs_)
    if (input.problem) {
      continue;  // fails, and writes nothing
    } else if (command_.in_place) {
      if (const auto other = places_.write(input.path(), {Places::Use::Output, index_of(input)});
          other && *other != Places::Owner{Places::Use::Input, index_of(input)} && other->use != Places::Use::SideInput)
        refuse_taken(*other, input.path(), &input);
      if (command_.backup) plan(next_backup_of(input.path()), &input);
    } else {
      for (const fs::path& path : all_planned(input)) plan(path, &input);
    }
}

void Outputs::refuse_taken(const Places::Owner& taken, const fs::path& path, const Input* input) const {
  switch (taken.use) {
    case Places::Use::Side:
      throw UsageError("--" + spelled(sides_[taken.index]) + " would replace the output " + text_of_path(path) +
                       "; give it another name");
    case Places::Use::Output:
      throw UsageError(text_of_path(inputs_[taken.index].path()) + " and " + text_of_path(input->path()) +
                       " would both be written to " + text_of_path(path));
    default:
      throw UsageError("the output " + text_of_path(path) + " would replace a file that is read; give -o another name" +
                       (command_.in_place ? std::string() : ", or --in-place"));
  }
}

std::vector<fs::path> Outputs::all_planned(const Input& input) const {
  std::vector<fs::path> all = {planned(input)};
  const OperationInfo& info = command_.info();
  if (info.output != OutputKind::Document) return all;
  if (const std::string_view extension = companion_of(all.front()); !extension.empty())
    all.push_back(fs::path(all.front()).replace_extension(extension));
  if (info.names_outputs) {  // of two clips
    fs::path second = out_ / input.relative();
    all.push_back(second.parent_path() / (second.stem() += "_2") += all.front().extension());
  }
  return all;
}

}  // namespace marrow::cli
