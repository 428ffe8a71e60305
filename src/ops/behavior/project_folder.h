// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "behavior/graph.h"
#include "havok/packfile/packfile.h"
#include "marrow/ops/document/load.h"

namespace marrow {

/// The files of a behaviour project, read by `Context::lookup` under the names that its files use.
class ProjectFolder {
 public:
  /// `name` is that of the file that is walked, `kind` what it is: a project lies in the folder that names are relative
  /// to, other files one below it.
  ProjectFolder(const std::string& name, behavior::FileKind kind, Context& context);

  /// Returns a file in any case that is usual; nothing if it is not there.
  std::optional<std::vector<std::byte>> read(const std::string& name) const;
  /// Returns a packfile, or the XML that stands in for it; null if it is not there.
  std::shared_ptr<const havok::Packfile> packfile(const std::string& name) const;
  /// Returns a file with its skeletons and clips; null if it is not there or cannot be read. Read once.
  std::shared_ptr<const Document> document(const std::string& name);

 private:
  std::string file_;  // in the folder of the project
  Context& context_;
  std::map<std::string, std::shared_ptr<const Document>> documents_;
};

}  // namespace marrow
