// SPDX-License-Identifier: MIT
#include "files.h"

#include <algorithm>
#include <array>
#include <set>

#include "data_folder.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "marrow/ops/document/format.h"
#include "memory.h"
#include "places.h"
#include "store.h"

namespace marrow::cli {
namespace fs = std::filesystem;

namespace {

bool has_our_extension(const fs::path& path) {
  constexpr std::array<std::string_view, 7> kOurs = {".hkx", ".hkt", ".nif", ".glb", ".gltf", ".fbx", ".bvh"};
  return std::ranges::find(kOurs, to_lower(text_of_path(path.extension()))) != kOurs.end();
}

// True if a file met in a folder is one of ours: by content, or broken with an extension of ours.
bool is_candidate(const fs::path& path, Wanted wanted) {
  if (wanted == Wanted::Everything) return true;
  if (wanted == Wanted::Archives) return is_archive_file(path);
  if (has_our_extension(path)) return true;  // without opening it
  const auto head = read_file_head(path, kDetectBytes);
  if (!head) return true;  // that it cannot be opened is for the verb to say
  return detect(*head) != Format::Unknown && !archive::is_archive(*head);
}

// The same of an entry. Only texts that may be of any kind are unpacked to be looked at.
bool is_candidate(const archive::Archive& archive, const archive::Entry& entry, Wanted wanted) {
  constexpr std::array<std::string_view, 4> kTexts = {".xml", ".obj", ".json", ".txt"};
  const fs::path path = path_of_text(entry.path);
  if (wanted == Wanted::Everything || has_our_extension(path)) return true;
  if (std::ranges::find(kTexts, to_lower(text_of_path(path.extension()))) == kTexts.end()) return false;
  const auto bytes = archive::read_entry(archive, entry);
  return bytes && detect(*bytes) != Format::Unknown;
}

// Adds the files of an archive, or of a folder in it, as if it were a folder: below `relative`, which its own path ends
// with.
void add_archive(const fs::path& path, const fs::path& relative, const std::string& inside, const WalkOptions& options,
                 std::vector<Input>& inputs) {
  const auto refuse = [&](const fs::path& full, Error error) {
    inputs.emplace_back(full, full.filename(), true);
    inputs.back().problem = std::make_shared<const Error>(std::move(error));
  };
  const auto archive = archive_at(path);
  if (!archive) return refuse(path, archive.error());
  std::set<std::string> met;  // in lower case, as disks that know no case would have them
  const std::string start = inside.empty() ? "" : to_lower(inside) + "/";
  for (const archive::Entry& entry : (*archive)->archive.entries) {
    if (!to_lower(entry.path).starts_with(start)) continue;
    if (!options.match.empty() && !matches(options.match, entry.path)) continue;
    const fs::path full = path_of_text(text_of_path(path) + "/" + entry.path);
    if (const std::string_view reason = unsafe_here(entry.path); !reason.empty()) {
      refuse(full, {ErrorCode::Malformed, "this name of an archive is not used: " + std::string(reason)});
    } else if (!met.insert(to_lower(entry.path)).second) {
      refuse(full, {ErrorCode::Malformed, "an earlier file of the archive has this name; only that one is read"});
    } else if (is_candidate((*archive)->archive, entry, options.wanted)) {
      const std::string name = entry.path.substr(start.size());
      const fs::path below = relative.empty() ? path_of_text(name) : path_of_text(text_of_path(relative) + "/" + name);
      inputs.emplace_back(full, below, true);
    } else if (options.other_kinds) {
      ++*options.other_kinds;
    }
  }
}

// Our own leftovers: temporary files, and the backups `x.bak`, `x.bak.1` of a file that is still there.
bool is_leftover(const fs::path& path) {
  const std::string extension = text_of_path(path.extension());
  const bool is_numbered = extension.size() > 1 && extension.find_first_not_of("0123456789", 1) == std::string::npos;
  const fs::path backup = is_numbered ? fs::path(path).replace_extension() : path;
  return is_temporary_name(path) || (backup.extension() == ".bak" && path_exists(fs::path(backup).replace_extension()));
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
      else if (kind == PathKind::File && !is_leftover(full) && stays_inside(full))
        file(full, relative / name);
    }
  }

 private:
  void file(const fs::path& full, const fs::path& relative) {
    if (options_.opens_archives && is_archive_file(full)) return add_archive(full, relative, {}, options_, inputs_);
    if (!options_.match.empty() && !matches(options_.match, generic_text_of_path(relative))) return;
    if (is_candidate(full, options_.wanted)) inputs_.emplace_back(full, relative, true);
  }

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
      else if (options.wanted != Wanted::Archives && is_archive_file(path))
        add_archive(path, {}, {}, options, inputs);
      else if (const auto place = place_in_archive(path); place && is_folder_in_archive(*place))
        add_archive(place->archive, {}, place->inside, options, inputs);
      else if (place)  // in one spelling, whatever the slashes
        inputs.emplace_back(path_of_text(text_of_path(place->archive) + "/" + place->inside),
                            path_of_text(place->inside).filename());
      else
        inputs.emplace_back(path, path.filename());
    }
  return inputs;
}

bool names_many(const std::vector<std::string>& paths, Wanted wanted) {
  if (paths.size() != 1) return paths.size() > 1;
  const std::vector<fs::path> found = expand_pattern(path_of_text(paths.front()));
  return found.size() > 1 || is_folder(found.front()) ||
         (wanted != Wanted::Archives && (is_archive_file(found.front()) || is_folder_in_archive(found.front())));
}

Lookup disk_lookup(const Limits& limits, bool follow, const DataFolder* data, FoundFiles* found) {
  return Lookup(
      [data, found](const std::string& name, std::size_t at_most) -> Result<std::vector<std::byte>> {
        fs::path path = normal_inside(path_of_text(name));
        if (data && !is_any_file(path))
          if (auto like = data->find_like(path)) path = std::move(*like);
        if (!is_any_file(path)) return fail(ErrorCode::NotFound, "there is no such file");
        if (at_most <= kDetectBytes) return read_any_head(path, at_most);
        if (found) found->add(path);
        auto bytes = read_any(path);
        // The work on a file is bounded by what it reads, and this is part of it now.
        if (MemoryAccount* account = current_account(); account && bytes)
          account->raise_cap(Limits{}.most_memory(bytes->size()) - Limits{}.most_memory(0));
        return bytes;
      },
      [](const std::string& folder) { return names_of_files_in(normal_inside(path_of_text(folder))); }, limits,
      [follow](const std::string& folder, const std::string& name) {
        const fs::path above = path_of_text(folder.empty() ? "." : folder);
        return follow || is_inside(place_of(path_of_text(name)), place_of(above));
      });
}

}  // namespace marrow::cli
