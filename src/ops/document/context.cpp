// SPDX-License-Identifier: MIT
#include "marrow/ops/document/context.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/memory.h"
#include "core/sync.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "marrow/ops/document/load.h"

namespace marrow {
namespace {

// Returns the folder of a file name with its slash; empty for a bare name.
std::string folder_of(std::string_view name) {
  const std::size_t slash = name.find_last_of("/\\");
  return std::string(slash == std::string_view::npos ? std::string_view() : name.substr(0, slash + 1));
}

// meshes/actors/character/animations/mod/submod/x.hkx: search some folders up, not the whole disk.
constexpr int kFoldersUp = 6;
// XML stands in for a packfile that is not there, as in projects of behaviours.
constexpr std::array<std::string_view, 5> kSkeletonPlaces = {
    "skeleton.hkx", "character assets/skeleton.hkx", "characterassets/skeleton.hkx", "character assets/skeleton.xml",
    "characterassets/skeleton.xml"};

// Enough files to identify a folder.
constexpr int kFilesOfFolder = 512;

constexpr std::size_t kSkeletonsOfFolder = 64;

// True if a packfile lists the class of skeletons. The names of classes come first in the file.
bool lists_skeletons(std::span<const std::byte> head) {
  constexpr std::string_view kListed("\thkaSkeleton\0", 13);
  return as_text(head).find(kListed) != std::string_view::npos;
}

// Returns the pointer size of a binary packfile of file version 8, 0 for anything else.
int pointer_size_of_2010(std::span<const std::byte> head) {
  const auto at = [&](std::size_t i) { return std::to_integer<int>(head[i]); };
  return head.size() >= 17 && at(0) == 0x57 && at(1) == 0xE0 && at(12) == 8 ? at(16) : 0;
}

}  // namespace

struct Lookup::Cache {
  Mutex mutex;
  std::map<std::string, std::shared_ptr<const Document>> skeletons;  // by name; null: there is none
  std::map<std::string, Lookup::Widths> widths_of_folders;
  std::map<std::string, std::vector<std::shared_ptr<const Document>>> skeletons_of_folders;
};

Lookup::Lookup(Read read, List list, const Limits& limits, Inside inside)
    : read_(std::move(read)),
      list_(std::move(list)),
      limits_(limits),
      inside_(std::move(inside)),
      cache_(std::make_unique<Cache>()) {}
Lookup::~Lookup() = default;

Result<std::vector<std::byte>> Lookup::read(std::string_view from, std::string_view reference) const {
  const std::string folder = folder_of(from), name = folder + std::string(reference);
  if (inside_ && !inside_(folder, name))
    return fail(ErrorCode::NotFound, "\"" + std::string(reference) + "\" is a link that leads out of the folder");
  return read_(name, limits_.max_file_bytes);
}

Result<std::vector<std::byte>> Lookup::head(const std::string& name, std::size_t at_most) const {
  return read_(name, at_most);
}

std::shared_ptr<const Document> Lookup::skeleton_at(const std::string& name) const {
  {
    const ScopedLock<Mutex> lock(cache_->mutex);
    if (const auto found = cache_->skeletons.find(name); found != cache_->skeletons.end()) return found->second;
  }
  // Parsed outside the lock, so that other threads go on. Two may parse the same file.
  std::shared_ptr<const Document> skeleton;
  if (const auto bytes = read_(name, limits_.max_file_bytes)) {
    Context context{.limits = limits_};
    auto loaded = load(*bytes, {.name = name, .parts = Parts::Skeletons}, context);
    if (loaded && main_skeleton(*loaded)) skeleton = std::make_shared<const Document>(std::move(*loaded));
  }
  const ScopedLock<Mutex> lock(cache_->mutex);
  return cache_->skeletons.try_emplace(name, std::move(skeleton)).first->second;
}

std::shared_ptr<const Document> Lookup::skeleton_near(const std::string& clip) const {
  std::string folder = folder_of(clip);
  for (int up = 0; up < kFoldersUp; ++up, folder += "../") {
    for (const std::string_view place : kSkeletonPlaces) {
      const std::string name = folder + std::string(place);
      if (name == clip) continue;
      if (const auto found = skeleton_at(name)) return found;
    }
  }
  return nullptr;
}

std::vector<std::shared_ptr<const Document>> Lookup::skeletons_beside(const std::string& file) const {
  if (!list_) return {};
  const std::string folder = folder_of(file);
  {
    const ScopedLock<Mutex> lock(cache_->mutex);
    const auto found = cache_->skeletons_of_folders.find(folder);
    if (found != cache_->skeletons_of_folders.end()) return found->second;
  }
  std::vector<std::shared_ptr<const Document>> skeletons;
  std::vector<std::string> names = list_(folder);
  std::ranges::sort(names);
  for (const std::string& name : names) {
    if (skeletons.size() >= kSkeletonsOfFolder) break;
    if (!to_lower(name).ends_with(".hkx")) continue;
    const auto head = read_(folder + name, kDetectBytes);
    if (!head || !lists_skeletons(*head)) continue;
    if (auto found = skeleton_at(folder + name)) skeletons.push_back(std::move(found));
  }
  const ScopedLock<Mutex> lock(cache_->mutex);
  return cache_->skeletons_of_folders.try_emplace(folder, std::move(skeletons)).first->second;
}

Lookup::Widths Lookup::widths_beside(const std::string& file) const {
  if (!list_) return {};
  const std::string folder = folder_of(file);
  const ScopedLock<Mutex> lock(cache_->mutex);
  const MustAllocate whole;
  const auto [entry, is_new] = cache_->widths_of_folders.try_emplace(folder);
  if (!is_new) return entry->second;
  Widths& widths = entry->second;
  for (const std::string& name : list_(folder)) {
    if (widths.narrow + widths.wide >= kFilesOfFolder) break;
    if (!to_lower(name).ends_with(".hkx")) continue;
    const auto head = read_(folder + name, 17);
    const int size = head ? pointer_size_of_2010(*head) : 0;
    widths.narrow += size == 4;
    widths.wide += size == 8;
  }
  return widths;
}

Result<void> Context::report(double share) const {
  if (progress && !progress(share)) return fail(ErrorCode::Cancelled, "cancelled");
  return {};
}

Result<const Document*> skeleton_document(const Document& document, const Document* given, Context& context) {
  if (given) return given;
  if (main_skeleton(document)) return &document;
  if (context.lookup)
    if (auto near = context.lookup->skeleton_near(document.name)) {
      std::string text = "the skeleton is taken from " + near->name;
      if (std::ranges::find(context.notes, text, &Note::message) == context.notes.end()) context.note(std::move(text));
      context.held.push_back(near);
      return near.get();
    }
  return in_file({ErrorCode::NeedsSkeleton, "a clip does not contain its skeleton, which is needed here"},
                 document.name);
}

Result<const Skeleton*> skeleton_for_clips(const Document& document, const Skeleton* given, Context& context) {
  if (given) return given;
  MARROW_TRY(const Document* holder, skeleton_document(document, nullptr, context));
  MARROW_TRY(const DocumentSkeleton* found, main_skeleton(*holder));
  return &found->skeleton;
}

}  // namespace marrow
