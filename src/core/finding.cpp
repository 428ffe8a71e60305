// SPDX-License-Identifier: MIT
#include "marrow/core/finding.h"

namespace marrow {

std::string_view to_string(Level level) {
  switch (level) {
    case Level::Info: return "info";
    case Level::Warning: return "warning";
    case Level::Error: return "error";
  }
  return "error";
}

}  // namespace marrow
