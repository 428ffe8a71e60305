// SPDX-License-Identifier: MIT
#include "store.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "core/file_name.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"

namespace marrow::cli {
namespace fs = std::filesystem;

namespace {

Limits unpacking(Limits limits) {
  limits.max_file_bytes = std::min(limits.max_file_bytes, limits.max_expanded_bytes);
  return limits;
}

Result<std::shared_ptr<const OpenArchive>> opened(const fs::path& path) {
  auto source = open_source(path);
  if (!source) return in_file(std::move(source.error()), text_of_path(path));
  auto archive = archive::open_archive(std::move(*source));
  if (!archive) return in_file(std::move(archive.error()), text_of_path(path));
  auto open = std::make_shared<OpenArchive>(OpenArchive{std::move(*archive)});
  for (std::size_t i = 0; i < open->archive.entries.size(); ++i)
    open->by_name.try_emplace(to_lower(open->archive.entries[i].path), i);
  return open;
}

// The entry that a place names.
Result<const archive::Entry*> entry_at(const OpenArchive& archive, const ArchivePlace& place) {
  if (const archive::Entry* entry = archive.find(place.inside)) return entry;
  return fail(ErrorCode::NotFound, "there is no such file in the archive");
}

}  // namespace

std::string with_slashes(std::string_view path) {
  std::string text(path);
  std::ranges::replace(text, '\\', '/');
  return text;
}

const archive::Entry* OpenArchive::find(std::string_view path) const {
  if (!archive::unsafe_because(path).empty()) return nullptr;
  const auto found = by_name.find(to_lower(path));
  if (found == by_name.end()) return nullptr;
  const archive::Entry& first = archive.entries[found->second];
  return first.path == path ? &first : archive.find(path);
}

std::string_view unsafe_on_windows(std::string_view path) {
  while (!path.empty()) {
    const std::size_t end = std::min(path.find_first_of("/\\"), path.size());
    const std::string_view part = path.substr(0, end);
    if (is_device_name(part)) return "it is the name of a device";
    if (part.ends_with('.') || part.ends_with(' ')) return "a part of it ends with a dot or a blank";
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return {};
}

std::string_view unsafe_here(std::string_view path) {
  const std::string_view reason = archive::unsafe_because(path);
#ifdef _WIN32
  if (reason.empty()) return unsafe_on_windows(path);
#endif
  return reason;
}

bool is_archive_file(const fs::path& path) {
  if (!is_file(path)) return false;
  const auto head = read_file_head(path, 4);
  return head && archive::is_archive(*head);
}

Result<std::shared_ptr<const OpenArchive>> archive_at(const fs::path& path) {
  static std::mutex mutex;
  static std::map<fs::path, std::shared_ptr<const OpenArchive>> open;
  const fs::path place = place_of(path);
  {
    const std::scoped_lock lock(mutex);
    if (const auto found = open.find(place); found != open.end()) return found->second;
  }
  auto made = opened(path);
  if (!made) return std::unexpected(std::move(made.error()));
  const std::scoped_lock lock(mutex);
  return open.try_emplace(place, std::move(*made)).first->second;
}

std::optional<ArchivePlace> place_in_archive(const fs::path& path) {
  const std::string text = text_of_path(path);
  if (path_exists(path)) return std::nullopt;
  for (std::size_t at = text.find_first_of("/\\", 1); at != std::string::npos; at = text.find_first_of("/\\", at + 1)) {
    const fs::path above = path_of_text(text.substr(0, at));
    const PathKind kind = path_kind(above);
    if (kind == PathKind::File) {
      if (!is_archive_file(above)) return std::nullopt;
      std::string inside = with_slashes(text.substr(at + 1));
      while (inside.ends_with('/')) inside.pop_back();
      return ArchivePlace{above, std::move(inside)};
    }
    // Where `\` is no separator, a name may go on behind it.
    if (kind != PathKind::Folder && text[at] == '/') return std::nullopt;
  }
  return std::nullopt;
}

bool is_folder_in_archive(const ArchivePlace& place) {
  const auto archive = archive_at(place.archive);
  if (place.inside.empty()) return true;
  if (!archive || (*archive)->find(place.inside)) return false;
  const std::string start = to_lower(place.inside) + "/";
  return std::ranges::any_of((*archive)->archive.entries,
                             [&](const archive::Entry& entry) { return to_lower(entry.path).starts_with(start); });
}

bool is_folder_in_archive(const fs::path& path) {
  const auto place = place_in_archive(path);
  return place && is_folder_in_archive(*place);
}

Result<std::vector<std::byte>> read_any(const fs::path& path, const Limits& limits) {
  const auto place = place_in_archive(path);
  if (!place) return read_file(path, limits);
  auto archive = archive_at(place->archive);
  if (!archive) return std::unexpected(std::move(archive.error()));
  auto entry = entry_at(**archive, *place);
  if (!entry) return std::unexpected(std::move(entry.error()));
  auto bytes = archive::read_entry((*archive)->archive, **entry, unpacking(limits));
  // The offset is one of the archive, and the path is said with it.
  if (!bytes) return in_file(std::move(bytes.error()), text_of_path(place->archive));
  return bytes;
}

Result<std::vector<std::byte>> read_any_head(const fs::path& path, std::size_t count) {
  if (!place_in_archive(path)) return read_file_head(path, count);
  auto bytes = read_any(path);
  if (bytes && bytes->size() > count) bytes->resize(count);
  return bytes;
}

Result<std::uint64_t> size_of_any(const fs::path& path) {
  const auto place = place_in_archive(path);
  if (!place) {
    const auto source = open_source(path);
    if (!source) return std::unexpected(source.error());
    return (*source)->size();
  }
  const auto archive = archive_at(place->archive);
  if (!archive) return std::unexpected(archive.error());
  const auto entry = entry_at(**archive, *place);
  if (!entry) return std::unexpected(entry.error());
  return (*entry)->size();
}

bool is_any_file(const fs::path& path) {
  if (is_file(path)) return true;
  const auto place = place_in_archive(path);
  const auto archive = place ? archive_at(place->archive) : Result<std::shared_ptr<const OpenArchive>>();
  return place && archive && (*archive)->find(place->inside);
}

std::vector<std::string> names_of_files_in(const fs::path& folder) {
  std::vector<std::string> found;
  auto place = place_in_archive(folder);
  if (!place && is_archive_file(folder)) place = ArchivePlace{folder, {}};
  if (place) {
    const auto archive = archive_at(place->archive);
    if (!archive) return found;
    const std::string start = place->inside.empty() ? "" : to_lower(place->inside) + "/";
    for (const archive::Entry& entry : (*archive)->archive.entries)
      if (to_lower(entry.path).starts_with(start) && entry.path.find('/', start.size()) == std::string::npos)
        found.push_back(entry.path.substr(start.size()));
    return found;
  }
  if (const auto names = names_in_folder(folder))
    for (const fs::path& name : *names)
      if (is_file(folder / name)) found.push_back(text_of_path(name));
  return found;
}

fs::path normal_inside(const fs::path& path) {
  const auto place = place_in_archive(path);
  if (!place || !place->inside.contains("..")) return path;
  const std::string inside = generic_text_of_path(path_of_text(place->inside).lexically_normal());
  if (inside.starts_with("..")) return path;
  return path_of_text(text_of_path(place->archive) + "/" + inside);
}

}  // namespace marrow::cli
