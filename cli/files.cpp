// SPDX-License-Identifier: MIT
#include "files.h"

#include <algorithm>
#include <array>
#include <set>

#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "marrow/ops/format.h"

namespace marrow::cli {
namespace fs = std::filesystem;

namespace {

// True if a file met in a folder is one of ours: by content, or broken with an extension of ours.
bool is_candidate(const fs::path& path) {
  const auto head = read_file_head(path, kDetectBytes);
  if (!head || detect(*head) != Format::Unknown) return true;  // that it cannot be opened is for the verb to say
  constexpr std::array<std::string_view, 5> kOurs = {".hkx", ".hkt", ".nif", ".glb", ".gltf"};
  return std::ranges::find(kOurs, to_lower(text_of_path(path.extension()))) != kOurs.end();
}

// Our own leftovers: temporary files, and the backup of a file that is still there.
bool is_leftover(const fs::path& path) {
  std::error_code ignored;
  return is_temporary_name(path) ||
         (path.extension() == ".bak" && fs::exists(fs::path(path).replace_extension(), ignored));
}

/// Walks folders in order of name, so that runs are the same everywhere.
class Walk {
 public:
  Walk(const fs::path& output, std::vector<Input>& inputs) : inputs_(inputs) {
    std::error_code ignored;
    if (!output.empty() && fs::is_directory(output, ignored)) seen_.insert(fs::canonical(output, ignored));
  }

  void folder(const fs::path& path, const fs::path& relative) {
    std::error_code error;
    // Links may lead round in circles, and the output of this run is not its input.
    const fs::path place = fs::canonical(path, error);
    if (!error && !seen_.insert(place).second) return;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) entries.push_back(*at);
    if (error) {
      inputs_.emplace_back(path, relative, true);
      inputs_.back().problem =
          std::make_shared<const Error>(ErrorCode::Io, "the folder cannot be read: " + error.message());
    }
    std::ranges::sort(entries, {}, [](const auto& entry) { return entry.path().filename(); });
    for (const auto& entry : entries) {
      const fs::path name = relative / entry.path().filename();
      if (entry.is_directory(error))
        folder(entry.path(), name);
      else if (entry.is_regular_file(error) && !is_leftover(entry.path()) && is_candidate(entry.path()))
        inputs_.emplace_back(entry.path(), name, true);
    }
  }

 private:
  std::vector<Input>& inputs_;
  std::set<fs::path> seen_;
};

}  // namespace

fs::path path_of_text(const std::string& text) { return fs::path(std::u8string(text.begin(), text.end())); }

std::string text_of_path(const fs::path& path) { return text_of_path(path.u8string()); }
std::string text_of_path(const std::u8string& path) { return {path.begin(), path.end()}; }

std::vector<Input> expand_inputs(const std::vector<std::string>& paths, const std::string& output) {
  std::vector<Input> inputs;
  for (const std::string& text : paths) {
    const fs::path path = path_of_text(text);
    std::error_code error;
    if (fs::is_directory(path, error))
      Walk(path_of_text(output), inputs).folder(path, {});
    else
      inputs.emplace_back(path, path.filename());
  }
  return inputs;
}

bool names_many(const std::vector<std::string>& paths) {
  std::error_code error;
  return paths.size() > 1 || (paths.size() == 1 && fs::is_directory(path_of_text(paths.front()), error));
}

Lookup disk_lookup(const Limits& limits) {
  return Lookup(
      [](const std::string& name, std::size_t at_most) -> Result<std::vector<std::byte>> {
        const fs::path path = path_of_text(name);
        std::error_code error;
        if (!fs::is_regular_file(path, error)) return fail(ErrorCode::NotFound, "there is no such file");
        return at_most <= kDetectBytes ? read_file_head(path, at_most) : read_file(path);
      },
      [](const std::string& folder) {
        std::vector<std::string> names;
        std::error_code error;
        const fs::path path = path_of_text(folder.empty() ? "." : folder);
        for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
          std::error_code ignored;
          if (at->is_regular_file(ignored)) names.push_back(text_of_path(at->path().filename()));
        }
        return names;
      },
      limits);
}

}  // namespace marrow::cli
