// SPDX-License-Identifier: MIT
#include "archive/check.h"

#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "archive/names.h"
#include "marrow/core/text.h"

namespace marrow::archive {
namespace {

constexpr std::uint64_t kLargest = std::uint64_t{1} << 31;  // the game reads offsets as signed numbers

void add(Findings& findings, std::string_view code, Level level, std::string message, std::string where) {
  findings.push_back(
      {.code = std::string(code), .level = level, .message = std::move(message), .where = std::move(where)});
}

// The game searches by halves: what is out of order is not found.
void check_order(const Archive& archive, Findings& findings) {
  const bool xbox = archive.flags & kXboxOrder;
  const auto out_of_order = [&](const std::string& what, const std::string& where) {
    add(findings, "E_ARCHIVE_ORDER", Level::Error, what + " is not in the order of its hash; the game does not find it",
        where);
  };
  for (std::size_t i = 1; i < archive.folders.size(); ++i)
    if (bsa_sort_key(archive.folders[i].hash, xbox) < bsa_sort_key(archive.folders[i - 1].hash, xbox))
      out_of_order("a folder", "folder " + std::to_string(i));
  for (const Folder& folder : archive.folders)
    for (std::size_t i = 1; i < folder.entry_count; ++i) {
      const Entry& before = archive.entries[folder.first_entry + i - 1];
      const Entry& entry = archive.entries[folder.first_entry + i];
      if (bsa_sort_key(entry.file_hash, xbox) < bsa_sort_key(before.file_hash, xbox))
        out_of_order("a file", entry.path);
    }
}

bool has_right_hash(const Archive& archive, const Entry& entry) {
  if (entry.name.empty()) return true;
  if (archive.kind == Kind::Ba2)
    return ba2_hash(entry.name) == Ba2Hash{.stem = static_cast<std::uint32_t>(entry.file_hash),
                                           .extension = entry.extension,
                                           .folder = static_cast<std::uint32_t>(entry.folder_hash)};
  const auto [folder, file] = split_folder(entry.name);
  return bsa_folder_hash(folder) == entry.folder_hash && bsa_file_hash(file) == entry.file_hash;
}

void check_offsets(const Archive& archive, Findings& findings) {
  for (std::size_t i = 0; i < archive.folders.size(); ++i)
    if (archive.folders[i].stated_offset != archive.folders[i].right_offset)
      add(findings, "W_ARCHIVE_OFFSET", Level::Warning,
          "the folder record states offset " + std::to_string(archive.folders[i].stated_offset) +
              ", its files are at " + std::to_string(archive.folders[i].right_offset),
          "folder " + std::to_string(i));
}

void check_twice(const Archive& archive, Findings& findings) {
  std::set<std::string> paths;
  std::set<std::pair<std::uint64_t, std::uint64_t>> hashes;
  for (const Entry& entry : archive.entries) {
    const bool is_new = paths.insert(to_lower(entry.path)).second;
    const bool is_new_hash = archive.kind != Kind::Bsa || hashes.insert({entry.folder_hash, entry.file_hash}).second;
    if (!is_new || !is_new_hash)
      add(findings, "E_ARCHIVE_TWICE", Level::Error,
          is_new ? "another file of the folder has the same hash; the game finds only one of them"
                 : "the archive has this path twice; the game finds only one of them",
          entry.path);
  }
}

void check_shared(const Archive& archive, Findings& findings) {
  std::unordered_map<std::uint64_t, const Entry*> by_offset;
  for (const Entry& entry : archive.entries)
    for (const Chunk& chunk : entry.chunks)
      if (chunk.stored > 0)
        if (const auto [other, is_new] = by_offset.try_emplace(chunk.offset, &entry); !is_new)
          add(findings, "I_ARCHIVE_SHARED", Level::Info, "shares its data with " + other->second->path, entry.path);
}

void check_contents(const Archive& archive, const Entry& entry, const Limits& limits, Findings& findings) {
  if (entry.is_xmem) {
    add(findings, "W_ARCHIVE_XMEM", Level::Warning, "is packed for the Xbox; its content was not looked at",
        entry.path);
    return;
  }
  if (const auto bytes = read_entry(archive, entry, limits); !bytes)
    add(findings, "E_ARCHIVE_UNPACK", Level::Error, bytes.error().message, entry.path);
}

}  // namespace

Findings check_archive(const Archive& archive, const Limits& limits) {
  Findings findings;
  check_order(archive, findings);
  check_offsets(archive, findings);
  for (const Entry& entry : archive.entries) {
    if (const std::string_view reason = unsafe_because(entry.path); !reason.empty())
      add(findings, "E_ARCHIVE_NAME", Level::Error, "the name is never extracted: " + std::string(reason), entry.path);
    if (!has_right_hash(archive, entry))
      add(findings, "E_ARCHIVE_HASH", Level::Error,
          "the stored hash is not that of the name; the game does not find the file", entry.path);
    if (archive.kind == Kind::Bsa && !entry.chunks.empty() && entry.chunks.front().offset + entry.stored() > kLargest)
      add(findings, "W_ARCHIVE_LARGE", Level::Warning, "its data lie past 2 GiB, where the game does not read",
          entry.path);
  }
  check_twice(archive, findings);
  check_shared(archive, findings);
  for (const Entry& entry : archive.entries) check_contents(archive, entry, limits, findings);
  return findings;
}

}  // namespace marrow::archive
