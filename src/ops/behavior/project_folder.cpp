// SPDX-License-Identifier: MIT
#include "ops/behavior/project_folder.h"

#include <algorithm>

#include "marrow/core/text.h"

namespace marrow {
namespace {

std::string file_in_root(const std::string& name, behavior::FileKind kind) {
  if (kind == behavior::FileKind::Project) return name;
  const std::size_t slash = name.find_last_of("/\\");
  return slash == std::string::npos ? "../" + name : name.substr(0, slash + 1) + "../" + name.substr(slash + 1);
}

}  // namespace

ProjectFolder::ProjectFolder(const std::string& name, behavior::FileKind kind, Context& context)
    : file_(file_in_root(name, kind)), context_(context) {}

std::optional<std::vector<std::byte>> ProjectFolder::read(const std::string& name) const {
  if (!context_.lookup || name.empty()) return std::nullopt;
  std::string path = name;
  std::ranges::replace(path, '\\', '/');
  if (path.starts_with('/') || path.find("..") != std::string::npos || path.find(':') != std::string::npos)
    return std::nullopt;
  // The games ignore case; on a disk that does not, names are usually as they are written, or in lower case.
  const std::size_t slash = path.find_last_of('/') + 1;
  const std::string folder = path.substr(0, slash), bare = path.substr(slash);
  for (const std::string& spelled : {path, to_lower(path), folder + to_lower(bare), to_lower(folder) + bare})
    if (auto bytes = context_.lookup->read(file_, spelled)) return std::move(*bytes);
  if (!to_lower(path).ends_with(".hkx")) return std::nullopt;
  return read(path.substr(0, path.size() - 4) + ".xml");
}

std::shared_ptr<const havok::Packfile> ProjectFolder::packfile(const std::string& name) const {
  const auto bytes = read(name);
  if (!bytes || !is_havok(detect(*bytes))) return nullptr;
  Context quiet{.limits = context_.limits};
  auto document = load(*bytes, {.name = name, .parts = Parts::None}, quiet);
  if (!document || !document->packfile()) return nullptr;
  const auto kept = std::make_shared<const Document>(std::move(*document));
  return {kept, kept->packfile()};
}

std::shared_ptr<const Document> ProjectFolder::document(const std::string& name) {
  const auto [entry, is_new] = documents_.try_emplace(to_lower(name));
  if (!is_new) return entry->second;
  const auto bytes = read(name);
  if (!bytes) return nullptr;
  Context quiet{.limits = context_.limits};
  auto document = load(*bytes, {.name = name, .parts = Parts::Skeletons | Parts::Clips}, quiet);
  if (document) entry->second = std::make_shared<const Document>(std::move(*document));
  return entry->second;
}

}  // namespace marrow
