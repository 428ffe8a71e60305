// SPDX-License-Identifier: MIT
#include "view.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <set>

#include "files.h"
#include "host.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"
#include "marrow/ops/document/document.h"
#include "outcome.h"
#include "places.h"
#include "store.h"

namespace marrow::cli {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> find_viewer_page() {
  for (const fs::path& page : viewer_page_places())
    if (is_file(page)) return page;
  return std::nullopt;
}

Result<std::string> viewer_page() {
  if (const auto page = find_viewer_page()) {
    const auto bytes = read_file(*page);
    if (!bytes) return in_file(bytes.error(), text_of_path(*page));
    return std::string(as_text(*bytes));
  }
  return fail(ErrorCode::NotFound,
              "the viewer's page share/marrow/viewer.html is missing; build it with `make viewer`");
}

// The files of the command, and the skeletons that lie near clips which have none.
Result<std::vector<ShownFile>> shown_files(const std::vector<Input>& inputs, FoundFiles& found) {
  std::vector<ShownFile> files;
  std::set<std::string> names;
  const Lookup lookup = disk_lookup({}, false, nullptr, &found);
  for (const Input& input : inputs) {
    if (input.problem) continue;
    auto bytes = read_any(input.path());
    if (!bytes) return in_file(bytes.error(), text_of_path(input.path()));
    names.insert(text_of_path(fs::absolute(input.path()).lexically_normal()));
    files.push_back({generic_text_of_path(input.relative()), std::move(*bytes)});
  }
  for (const Input& input : inputs) {
    const auto near = lookup.skeleton_near(text_of_path(input.path()));
    if (!near) continue;
    const fs::path path = fs::absolute(path_of_text(near->name)).lexically_normal();
    if (!names.insert(text_of_path(path)).second) continue;
    auto bytes = read_any(path);
    if (bytes) files.push_back({text_of_path(path.filename()), std::move(*bytes)});
  }
  return files;
}

// A page of files that nobody can read would show nothing. Textures and buffers beside them are welcome.
Result<void> check_one_is_known(const std::vector<ShownFile>& files) {
  const auto is_zip = [](const ShownFile& file) { return as_text(file.bytes).starts_with("PK\x03\x04"); };
  for (const ShownFile& file : files)
    if (detect(file.bytes) != Format::Unknown || is_zip(file)) return {};
  Error error{ErrorCode::BadMagic, "is not of a format that the page shows"};
  if (!files.empty()) error.file = files.front().name;
  return std::unexpected(std::move(error));
}

fs::path page_path(const Command& command, const std::vector<Input>& inputs) {
  if (!command.output) return {};
  const fs::path out = path_of_text(*command.output);
  for (const Input& input : inputs)
    if (place_of(out) == place_of(input.path())) throw UsageError("the output " + *command.output + " is an input");
  if (path_exists(out) && !is_file(out)) throw UsageError("the output " + *command.output + " is not a file");
  if (out.has_parent_path() && !is_folder(out.parent_path()))
    throw UsageError("the folder of the output " + *command.output + " does not exist");
  return out;
}

// A page without a name gets one of its own in the folder for temporary files: two views at a time are two pages.
Result<void> write_page(fs::path& out, const std::string& text) {
  if (!out.empty()) {
    auto written = write_file(out, as_bytes(text));
    return written ? written : in_file(std::move(written.error()), text_of_path(out));
  }
  auto written = write_new_file(fs::temp_directory_path(), "marrow-view", ".html", as_bytes(text));
  if (!written) return std::unexpected(std::move(written.error()));
  out = std::move(*written);
  return {};
}

int refuse(const Error& error) {
  fmt::print(stderr, "{}\n", escaped((error.file.empty() ? "marrow: " : error.file + ": ") + error.message));
  return kFailed;
}

}  // namespace

bool has_viewer_page() { return find_viewer_page().has_value(); }

int run_view(const Command& command) {
  const auto given = command.files.find("file");
  const std::vector<Input> inputs =
      given == command.files.end()
          ? std::vector<Input>{}
          : expand_inputs(given->second, {.follow = command.follow, .match = with_slashes(command.match)});
  const bool is_printed = command.output == "-";
  fs::path out = is_printed ? fs::path() : page_path(command, inputs);
  const auto page = viewer_page();
  if (!page) return refuse(page.error());
  FoundFiles found;
  const auto files = shown_files(inputs, found);
  if (!files) return refuse(files.error());
  if (files->empty()) return refuse({ErrorCode::NotFound, "there are no files to show"});
  if (const auto known = check_one_is_known(*files); !known) return refuse(known.error());
  if (!out.empty() && found.has(out)) throw UsageError("the output " + *command.output + " is shown, too");
  const std::string text = page_with_files(*page, *files);
  if (text.empty()) return refuse({ErrorCode::Malformed, "the viewer's page is of another version; run `make viewer`"});
  if (is_printed) return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? kDone : kFailed;
  if (const auto written = write_page(out, text); !written) return refuse(written.error());
  if (command.json) {
    Json names = Json::array(), report;
    for (const ShownFile& file : *files) names.push(file.name);
    report.set("path", text_of_path(out)).set("files", std::move(names));
    fmt::print("{}\n", to_text(report, true));
  } else if (!command.quiet) {
    fmt::print("{}: {} {}, {} KB\n", escaped(text_of_path(out)), files->size(), files->size() == 1 ? "file" : "files",
               text.size() / 1024);
  }
  if (!command.options["no_open"].boolean()) open_page(out);
  return kDone;
}

}  // namespace marrow::cli
