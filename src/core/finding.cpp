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

std::string kind_of(const Finding& finding) { return finding.code; }

std::size_t text_size_of(const Finding& finding) {
  return sizeof(Finding) + finding.code.size() + finding.message.size() + finding.where.size();
}

Finding shortened(const Finding& finding) {
  constexpr std::size_t kLongest = 300;
  return {finding.code, finding.level, finding.message.substr(0, kLongest), {}};
}

Finding remark_on(const Finding& finding, std::size_t count) {
  return {
      finding.code, finding.level, std::to_string(count) + " more like this are not listed: " + finding.message, {}};
}

}  // namespace marrow
