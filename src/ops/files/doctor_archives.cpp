// SPDX-License-Identifier: MIT
#include "ops/files/doctor_archives.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "archive/archive.h"
#include "core/sync.h"
#include "core/try.h"
#include "marrow/core/text.h"
#include "ops/files/check.h"

namespace marrow {
namespace {

/// An archive whose files are read one after another: the last one is kept, since it is looked at more than once.
struct SharedArchive {
  archive::Archive tables;
  Limits limits;
  Mutex mutex = {};
  const archive::Entry* last = nullptr;
  std::vector<std::byte> bytes = {};
};

class EntrySource final : public ByteSource {
 public:
  EntrySource(std::shared_ptr<SharedArchive> shared, const archive::Entry& entry)
      : shared_(std::move(shared)), entry_(entry) {}

  std::uint64_t size() const override { return entry_.size(); }
  Result<void> read(std::uint64_t offset, std::span<std::byte> out) const override {
    const ScopedLock<Mutex> lock(shared_->mutex);
    if (shared_->last != &entry_) {
      shared_->last = nullptr;
      MARROW_TRY(shared_->bytes, archive::read_entry(shared_->tables, entry_, shared_->limits));
      shared_->last = &entry_;
    }
    return ByteSourceView(shared_->bytes).read(offset, out);
  }

 private:
  std::shared_ptr<SharedArchive> shared_;
  const archive::Entry& entry_;  // of that archive
};

bool has_extension(std::string_view name, std::span<const std::string_view> extensions) {
  const std::string lower = to_lower(name);
  return std::ranges::any_of(extensions, [&](std::string_view each) { return lower.ends_with(each); });
}

// What an archive has beside textures and sounds; those would be unpacked to learn nothing.
bool may_be_ours(std::string_view name) {
  constexpr std::array<std::string_view, 11> kOurs = {".hkx",  ".hkt", ".nif", ".xml", ".txt", ".json",
                                                      ".gltf", ".glb", ".fbx", ".bvh", ".obj"};
  return has_extension(name, kOurs);
}

bool is_archive_name(std::string_view name) {
  constexpr std::array<std::string_view, 2> kArchives = {".bsa", ".ba2"};
  return has_extension(name, kArchives);
}

// The games name their own archives in their settings; others are loaded with the plugin that has their name, before
// ` - ` if they have one.
bool is_loaded(const std::string& name, const std::set<std::string>& names) {
  constexpr std::array<std::string_view, 3> kOwn = {"skyrim", "fallout4", "oblivion"};
  const std::string lower = to_lower(name), stem = lower.substr(0, lower.find_last_of('.'));
  const std::size_t start = stem.find_last_of('/') + 1;
  const std::string first = stem.substr(0, std::min(stem.find(" - ", start), stem.size()));
  if (std::ranges::find(kOwn, std::string_view(first).substr(start)) != kOwn.end()) return true;
  for (const std::string_view extension : {".esp", ".esm", ".esl"})
    if (names.contains(stem + std::string(extension)) || names.contains(first + std::string(extension))) return true;
  return false;
}

Finding not_loaded(const std::string& name) {
  const std::string file = name.substr(name.find_last_of('/') + 1), stem = file.substr(0, file.find_last_of('.'));
  return {"W_ARCHIVE_PLUGIN",
          Level::Warning,
          "no plugin of this name lies beside the archive (" + stem.substr(0, stem.find(" - ")) +
              ".esp): the game does not load it",
          {}};
}

}  // namespace

OpenedArchives open_archives(std::span<const ExaminedFile> files, const Limits& limits) {
  OpenedArchives opened;
  std::set<std::string> names;
  for (const ExaminedFile& file : files) names.insert(to_lower(file.name));
  for (const ExaminedFile& file : files) {
    opened.files.push_back(file);
    if (!is_archive_name(file.name)) continue;
    if (!is_loaded(file.name, names)) opened.findings.emplace_back(file.name, not_loaded(file.name));
    auto tables = archive::open_archive(file.source, limits);
    if (!tables) {
      opened.findings.emplace_back(file.name, finding_of(tables.error()));
      continue;
    }
    const auto shared = std::make_shared<SharedArchive>(std::move(*tables), limits);
    std::set<std::string> met;  // in lower case, as the game finds them
    for (const archive::Entry& entry : shared->tables.entries) {
      constexpr std::uint64_t kMostPerByte = 1032;  // of deflate
      if (const std::string_view reason = archive::unsafe_because(entry.path); !reason.empty()) {
        opened.findings.emplace_back(
            file.name,
            Finding{"E_ARCHIVE_NAME", Level::Error, "a name in the archive is not used: " + std::string(reason), {}});
      } else if (entry.size() > kMostPerByte * (entry.stored() + 1)) {
        opened.findings.emplace_back(
            file.name,
            Finding{"E_ARCHIVE_UNPACK", Level::Error, entry.path + " cannot unpack to the size that is stated", {}});
      } else if (met.insert(to_lower(entry.path)).second) {
        opened.files.push_back({file.name + "/" + entry.path, std::make_shared<EntrySource>(shared, entry), file.folder,
                                file.name, may_be_ours(entry.path)});
      }
    }
  }
  return opened;
}

}  // namespace marrow
