// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "core/json.h"
#include "verbs.h"
#include "view.h"

using namespace marrow;
using namespace marrow::cli;

namespace {

constexpr std::string_view kHead = "<body><script id=\"marrow-files\" type=\"application/json\">";
constexpr std::string_view kTail = "</script></body>";

std::string page_of(std::string_view files) { return std::string(kHead) + std::string(files) + std::string(kTail); }

std::vector<std::byte> bytes_of(std::string_view text) {
  std::vector<std::byte> bytes;
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

}  // namespace

TEST_CASE("files are put into the page as base64, whatever their length") {
  const std::string page = page_with_files(
      page_of("[]"), {{"a", bytes_of("Man")}, {"b", bytes_of("Ma")}, {"c", bytes_of("M")}, {"d", bytes_of("")}});
  CHECK(page == page_of(R"([{"path":"a","data":"TWFu"},{"path":"b","data":"TWE="},{"path":"c","data":"TQ=="},)"
                        R"({"path":"d","data":""}])"));
}

TEST_CASE("a name cannot end the block that it is in") {
  const std::string page = page_with_files(page_of("[]"), {{"</script><script>alert(1)</script>", bytes_of("x")}});
  CHECK(page.find("</script><script>") == std::string::npos);
  CHECK(page.find("\\u003c/script>") != std::string::npos);
}

TEST_CASE("a page that is not the viewer's, or has files already, is refused") {
  CHECK(page_with_files("<html></html>", {}).empty());
  CHECK(page_with_files(page_of("[1]"), {}).empty());
}

TEST_CASE("the program has the operations of the library and view") {
  CHECK(verbs().size() == operations().size() + 1);
  REQUIRE(find_verb("view"));
  CHECK(find_operation("view") == nullptr);
  CHECK(program_help().find("view") != std::string::npos);
  const Command command = parse_command(*find_verb("view"), {"a.hkx", "b.hkx", "--no-open", "-o", "page.html"});
  CHECK(command.files.at("file").size() == 2);
  CHECK(command.options["no_open"].boolean());
}
