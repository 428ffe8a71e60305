// SPDX-License-Identifier: MIT
#include "own_files.h"

#include "command.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"

namespace marrow::cli {

void refuse_foreign_file(std::string_view option, const std::string& path, std::string_view mark,
                         std::string_view what) {
  constexpr std::size_t kHead = 512;
  const auto place = path_of_text(path);
  if (!is_file(place)) return;
  const auto head = read_file_head(place, kHead);
  if (head && (head->empty() || as_text(*head).contains(mark))) return;
  throw UsageError("--" + std::string(option) + ": " + path + " exists and is not " + std::string(what) +
                   " of an earlier run; give another name");
}

}  // namespace marrow::cli
