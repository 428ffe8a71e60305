// SPDX-License-Identifier: MIT
#include "drop.h"

#include <algorithm>
#include <set>

#include "files.h"
#include "marrow/core/file.h"
#include "ops/table/operation.h"
#include "store.h"

namespace marrow::cli {
namespace {

constexpr std::string_view kOld = "skyrim-le", kNew = "skyrim-se";
constexpr std::size_t kMostShown = 100;  // all of them go into one page

// A name beside `path` that neither a file nor an earlier offer has: walk_se.hkx, walk_se_2.hkx.
std::string new_name(const std::string& path, const PathExists& exists, std::set<std::string>& taken) {
  const std::size_t name = path.find_last_of("/\\") + 1;  // npos + 1 is 0
  const std::size_t dot = path.rfind('.');
  const std::size_t end = dot == std::string::npos || dot <= name ? path.size() : dot;
  for (int number = 1;; ++number) {
    const std::string mark = "_se" + (number == 1 ? std::string() : "_" + std::to_string(number));
    std::string candidate = path.substr(0, end) + mark + path.substr(end);
    if (!exists(candidate) && taken.insert(candidate).second) return candidate;
  }
}

std::string counted_files(std::size_t count) { return count == 1 ? "the file" : std::to_string(count) + " files"; }

// A verb for everything that was dropped, each path once.
Offer offer_of(char key, std::string text, std::string verb, const std::vector<DroppedFile>& files) {
  Offer offer{.key = key, .text = std::move(text), .commands = {{std::move(verb)}}};
  std::set<std::string> named;
  for (const DroppedFile& file : files)
    if (named.insert(file.dropped).second) offer.commands.front().push_back(file.dropped);
  return offer;
}

Offer convert_offer(const std::vector<DroppedFile>& files, const PathExists& exists) {
  Offer offer{.key = 's'};
  std::set<std::string> done, taken;
  std::size_t count = 0;
  for (const DroppedFile& file : files) {
    if (file.game != kOld || !file.is_readable) continue;
    ++count;
    if (!done.insert(file.dropped).second) continue;  // the folder is converted as a whole
    offer.commands.push_back(
        {"convert", file.dropped, "-o", new_name(file.dropped, exists, taken), "--to", std::string(kNew)});
  }
  if (offer.commands.empty()) return offer;
  offer.text = "convert " + counted_files(count) + " of Skyrim LE to SE, as " + offer.commands.front()[3];
  if (offer.commands.size() > 1) offer.text += " and so on";
  return offer;
}

// What `info` reports about a file, as far as offers depend on it.
DroppedFile described(const Input& input, const std::string& dropped) {
  DroppedFile file{.path = text_of_path(input.path()), .dropped = dropped, .game = {}, .is_readable = false};
  const auto bytes = read_any(input.path());
  if (!bytes) return file;
  const Json options = Json::object();
  Context context;
  const Operation* info = find_operation("info");
  const std::vector<OperationInput> inputs = {
      {.role = info->info.inputs.front().role, .name = file.path, .bytes = *bytes}};
  OperationCall call{.options = options, .inputs = inputs, .context = context};
  if (const auto result = info->run(call)) {
    file.is_readable = true;
    file.game = result->report["game"].text();
  }
  return file;
}

std::vector<DroppedFile> described(const std::vector<std::string>& paths) {
  std::vector<DroppedFile> files;
  for (const std::string& path : paths)
    for (const Input& input : expand_inputs({path})) files.push_back(described(input, path));
  return files;
}

}  // namespace

Start start_of(const std::vector<std::string>& words, bool has_own_window, const PathExists& exists) {
  if (!has_own_window) return Start::Command;
  if (words.empty()) return Start::DoubleClick;
  return std::ranges::all_of(words, exists) ? Start::DroppedFiles : Start::Command;
}

std::vector<Offer> offers_for(const std::vector<DroppedFile>& files, const PathExists& exists, bool can_show) {
  std::vector<Offer> offers;
  if (files.empty()) return offers;
  offers.push_back(offer_of('c', "check " + counted_files(files.size()), "check", files));
  if (can_show && files.size() <= kMostShown && std::ranges::any_of(files, &DroppedFile::is_readable))
    offers.push_back(offer_of('v', "see " + counted_files(files.size()) + " in the browser", "view", files));
  if (Offer offer = convert_offer(files, exists); !offer.commands.empty()) offers.push_back(std::move(offer));
  return offers;
}

std::string welcome_text() {
  return "Marrow " MARROW_VERSION
         " reads, checks, edits and converts animations, skeletons and collision of games.\n\n"
         "Drag files or a whole folder onto marrow.exe: it shows what they are, and offers to check, see or convert "
         "them.\n\n"
         "For everything else, open a terminal in this folder and type, for example:\n\n"
         "    marrow --help\n"
         "    marrow check \"C:\\My Mod\" --game skyrim-se\n"
         "    marrow convert \"C:\\My Mod\" -o \"C:\\My Mod SE\" --to skyrim-se\n\n"
         "Press a key to close this window.\n";
}

int run_dropped(const std::vector<std::string>& paths, const DropHost& host) {
  std::vector<std::string> words = {"info"};
  words.insert(words.end(), paths.begin(), paths.end());
  int done = host.run(words);
  const std::vector<DroppedFile> files = described(paths);
  while (true) {
    const auto exists = [](const std::string& path) { return path_exists(path_of_text(path)); };
    const auto offers = offers_for(files, exists, host.can_show);
    std::string menu = "\n";
    for (const Offer& offer : offers) (menu += static_cast<char>(offer.key - 'a' + 'A')) += "  " + offer.text + "\n";
    host.show(menu + (offers.empty() ? "Press a key to close this window.\n" : "Any other key closes this window.\n"));
    const char key = host.wait_for_key();
    const auto chosen = std::ranges::find(offers, key, &Offer::key);
    if (chosen == offers.end()) return done;
    host.show("\n");
    for (const std::vector<std::string>& command : chosen->commands) done = host.run(command);
  }
}

}  // namespace marrow::cli
