// SPDX-License-Identifier: MIT
#include "marrow/core/json.h"
#include "view.h"

namespace marrow::cli {
namespace {

// viewer/build.mjs writes this line. The browser does not run it: it is data.
constexpr std::string_view kOpening = "<script id=\"marrow-files\" type=\"application/json\">";
constexpr std::string_view kEmpty = "[]";

std::string base64(const std::vector<std::byte>& bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? std::to_integer<unsigned>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? kLetters[group >> (18 - 6 * k) & 63u] : '=';
  }
  return text;
}

// A name may contain anything, also the end of the block.
std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace

std::string page_with_files(std::string_view page, const std::vector<ShownFile>& files) {
  const std::size_t at = page.find(kOpening);
  if (at == std::string_view::npos || !page.substr(at + kOpening.size()).starts_with(kEmpty)) return {};
  Json list = Json::array();
  for (const ShownFile& file : files) {
    Json entry;
    entry.set("path", file.name).set("data", base64(file.bytes));
    list.push(std::move(entry));
  }
  const std::size_t begin = at + kOpening.size();
  return std::string(page.substr(0, begin)) + escaped(to_text(list, false)) +
         std::string(page.substr(begin + kEmpty.size()));
}

}  // namespace marrow::cli
