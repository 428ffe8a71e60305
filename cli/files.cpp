// SPDX-License-Identifier: MIT
#include "files.h"

#include <algorithm>
#include <array>

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

// Walks one folder in order of name, so that runs are the same everywhere.
void walk(const fs::path& folder, const fs::path& relative, std::vector<Input>& inputs) {
  std::error_code error;
  std::vector<fs::directory_entry> entries;
  for (const auto& entry : fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, error))
    entries.push_back(entry);
  std::ranges::sort(entries, {}, [](const auto& entry) { return entry.path().filename(); });
  for (const auto& entry : entries) {
    const fs::path name = relative / entry.path().filename();
    if (entry.is_directory(error) && !entry.is_symlink(error))
      walk(entry.path(), name, inputs);
    else if (entry.is_regular_file(error) && is_candidate(entry.path()))
      inputs.push_back({entry.path(), name, true});
  }
}

}  // namespace

fs::path path_of_text(const std::string& text) { return fs::path(std::u8string(text.begin(), text.end())); }

std::string text_of_path(const fs::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

std::vector<Input> expand_inputs(const std::vector<std::string>& paths) {
  std::vector<Input> inputs;
  for (const std::string& text : paths) {
    const fs::path path = path_of_text(text);
    std::error_code error;
    if (fs::is_directory(path, error))
      walk(path, {}, inputs);
    else
      inputs.push_back({path, path.filename()});
  }
  return inputs;
}

bool names_many(const std::vector<std::string>& paths) {
  std::error_code error;
  return paths.size() > 1 || (paths.size() == 1 && fs::is_directory(path_of_text(paths.front()), error));
}

Lookup disk_lookup() {
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
        for (const auto& entry : fs::directory_iterator(path_of_text(folder.empty() ? "." : folder), error))
          if (entry.is_regular_file(error)) names.push_back(text_of_path(entry.path().filename()));
        return names;
      });
}

}  // namespace marrow::cli
