// SPDX-License-Identifier: MIT
#include "files.h"

#include <algorithm>
#include <array>
#include <set>

#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "marrow/ops/document/format.h"

namespace marrow::cli {
namespace fs = std::filesystem;

namespace {

// True if a file met in a folder is one of ours: by content, or broken with an extension of ours.
bool is_candidate(const fs::path& path) {
  constexpr std::array<std::string_view, 5> kOurs = {".hkx", ".hkt", ".nif", ".glb", ".gltf"};
  const std::string extension = to_lower(text_of_path(path.extension()));
  if (std::ranges::find(kOurs, extension) != kOurs.end()) return true;  // without opening it
  const auto head = read_file_head(path, kDetectBytes);
  return !head || detect(*head) != Format::Unknown;  // that it cannot be opened is for the verb to say
}

// Our own leftovers: temporary files, and the backups `x.bak`, `x.bak.1` of a file that is still there.
bool is_leftover(const fs::path& path) {
  const std::string extension = text_of_path(path.extension());
  const bool is_numbered = extension.size() > 1 && extension.find_first_not_of("0123456789", 1) == std::string::npos;
  const fs::path backup = is_numbered ? fs::path(path).replace_extension() : path;
  return is_temporary_name(path) || (backup.extension() == ".bak" && path_exists(fs::path(backup).replace_extension()));
}

// True if a place is a folder or inside it.
bool is_inside(const fs::path& place, const fs::path& folder) {
  const auto [end, unused] = std::ranges::mismatch(folder, place);
  return end == folder.end();
}

/// Walks folders in order of name, so that runs are the same everywhere.
class Walk {
 public:
  Walk(const fs::path& root, const WalkOptions& options, std::vector<Input>& inputs)
      : root_(place_of(root)), options_(options), inputs_(inputs) {
    const fs::path output = path_of_text(options.output);
    if (!output.empty() && is_folder(output)) seen_.insert(place_of(output));
  }

  void folder(const fs::path& path, const fs::path& relative) {
    // Links may lead round in circles, and the output of this run is not its input.
    if (!seen_.insert(place_of(path)).second) return;
    const auto names = names_in_folder(path);
    if (!names) {
      inputs_.emplace_back(path, relative, true);
      inputs_.back().problem =
          std::make_shared<const Error>(ErrorCode::Io, "the folder cannot be read: " + names.error().message);
      return;
    }
    for (const fs::path& name : *names) {
      const fs::path full = path / name;
      const PathKind kind = path_kind(full);
      if (kind == PathKind::Folder && stays_inside(full))
        folder(full, relative / name);
      else if (kind == PathKind::File && !is_leftover(full) && stays_inside(full) &&
               (options_.takes_all || is_candidate(full)))
        inputs_.emplace_back(full, relative / name, true);
    }
  }

 private:
  // A link in a folder of a stranger may lead anywhere.
  bool stays_inside(const fs::path& path) {
    if (options_.follow || !is_link(path) || is_inside(place_of(path), root_)) return true;
    if (options_.left_out) options_.left_out->push_back(text_of_path(path));
    return false;
  }

  fs::path root_;
  const WalkOptions& options_;
  std::vector<Input>& inputs_;
  std::set<fs::path> seen_;
};

// On Windows, programs expand `*` and `?` themselves. No file has them in its name there.
#ifdef _WIN32
constexpr bool kShellExpands = false;
#else
constexpr bool kShellExpands = true;
#endif

// Returns the files whose names match the pattern that a path ends in, or the path itself if it is not a pattern.
std::vector<fs::path> expand_pattern(const fs::path& path) {
  const std::string pattern = text_of_path(path.filename());
  if (kShellExpands || pattern.find_first_of("*?") == std::string::npos) return {path};
  std::vector<fs::path> found;
  if (const auto names = names_in_folder(path.parent_path()))
    for (const fs::path& name : *names)
      if (matches(pattern, text_of_path(name))) found.push_back(path.parent_path() / name);
  return found.empty() ? std::vector{path} : found;
}

}  // namespace

std::vector<Input> expand_inputs(const std::vector<std::string>& paths, const WalkOptions& options) {
  std::vector<Input> inputs;
  for (const std::string& text : paths)
    for (const fs::path& path : expand_pattern(path_of_text(text))) {
      if (is_folder(path))
        Walk(path, options, inputs).folder(path, {});
      else
        inputs.emplace_back(path, path.filename());
    }
  return inputs;
}

bool names_many(const std::vector<std::string>& paths) {
  if (paths.size() != 1) return paths.size() > 1;
  const std::vector<fs::path> found = expand_pattern(path_of_text(paths.front()));
  return found.size() > 1 || is_folder(found.front());
}

Lookup disk_lookup(const Limits& limits, bool follow) {
  return Lookup(
      [](const std::string& name, std::size_t at_most) -> Result<std::vector<std::byte>> {
        const fs::path path = path_of_text(name);
        if (!is_file(path)) return fail(ErrorCode::NotFound, "there is no such file");
        return at_most <= kDetectBytes ? read_file_head(path, at_most) : read_file(path);
      },
      [](const std::string& folder) {
        std::vector<std::string> found;
        const fs::path path = path_of_text(folder);
        if (const auto names = names_in_folder(path))
          for (const fs::path& name : *names)
            if (is_file(path / name)) found.push_back(text_of_path(name));
        return found;
      },
      limits,
      [follow](const std::string& folder, const std::string& name) {
        const fs::path above = path_of_text(folder.empty() ? "." : folder);
        return follow || is_inside(place_of(path_of_text(name)), place_of(above));
      });
}

}  // namespace marrow::cli
