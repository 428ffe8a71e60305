// SPDX-License-Identifier: MIT
#include "core/base64.h"
#include "core/json.h"
#include "host.h"
#include "view.h"

namespace marrow::cli {
namespace {

// viewer/build.mjs writes this line. The browser does not run it: it is data.
constexpr std::string_view kOpening = "<script id=\"marrow-files\" type=\"application/json\">";
constexpr std::string_view kEmpty = "[]";

// A name may contain anything, also the end of the block.
std::string for_script(std::string text) {
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace

std::string page_with_files(std::string_view page, const std::vector<ShownFile>& files) {
  const std::size_t at = page.find(kOpening);
  if (at == std::string_view::npos || !page.substr(at + kOpening.size()).starts_with(kEmpty)) return {};
  Json list = Json::array();
  for (const ShownFile& file : files) {
    std::string data;
    append_base64(data, file.bytes);
    list.push(Json().set("path", file.name).set("data", std::move(data)));
  }
  const std::size_t begin = at + kOpening.size();
  return std::string(page.substr(0, begin)) + for_script(to_text(list, false)) +
         std::string(page.substr(begin + kEmpty.size()));
}

// PREFIX/bin/marrow has its page in PREFIX/share/marrow, in a build folder as well as installed.
std::vector<std::filesystem::path> viewer_page_places() {
  const std::filesystem::path beside = program_path().parent_path();
  return {beside.parent_path() / "share" / "marrow" / "viewer.html", beside / "share" / "marrow" / "viewer.html"};
}

}  // namespace marrow::cli
