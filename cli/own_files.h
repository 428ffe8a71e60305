// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace marrow::cli {

/// Keeps what is not ours: throws a UsageError if there is a file at `path` that is neither empty nor has `mark` among
/// its first bytes. A log of a run is given a name by hand, and is made before it is known what the run reads.
/// `what` names the kind of file that may be replaced, "a report".
void refuse_foreign_file(std::string_view option, const std::string& path, std::string_view mark,
                         std::string_view what);

}  // namespace marrow::cli
