// SPDX-License-Identifier: MIT
#include "data_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"
#include "store.h"

namespace marrow::cli {
namespace fs = std::filesystem;

namespace {

/// Where Steam keeps a game, and the archives that are the game's own.
struct SteamGame {
  Game game;
  std::string_view folder;
};
constexpr std::array kSteamGames = {SteamGame{Game::SkyrimSe, "Skyrim Special Edition"},
                                    SteamGame{Game::SkyrimLe, "Skyrim"}, SteamGame{Game::Fallout4, "Fallout 4"}};

// The official plugins, in the order in which the games load them; what is loaded later wins.
constexpr std::array<std::string_view, 13> kOfficial = {
    "skyrim",   "fallout4",      "oblivion", "update",        "dawnguard",     "hearthfires", "dragonborn",
    "dlcrobot", "dlcworkshop01", "dlccoast", "dlcworkshop02", "dlcworkshop03", "dlcnukaworld"};

// An archive is of the plugin whose name it has, `Name.bsa` or `Name - Textures.bsa`. The game's own come first, then
// those whose plugin is not there, master files and other plugins.
std::pair<std::size_t, std::string> load_order(const fs::path& folder, const fs::path& archive) {
  const std::string stem = to_lower(text_of_path(archive.stem())), plugin = stem.substr(0, stem.find(" - "));
  if (const auto found = std::ranges::find(kOfficial, plugin); found != kOfficial.end())
    return {static_cast<std::size_t>(found - kOfficial.begin()), stem};
  const std::string name = text_of_path(archive.stem());
  const auto has = [&](const char* extension) {
    for (const std::string& each : {name, name.substr(0, name.find(" - "))})
      if (path_exists(folder / path_of_text(each + extension))) return true;
    return false;
  };
  const std::size_t last = kOfficial.size();
  return {has(".esp") || has(".esl") ? last + 2 : has(".esm") ? last + 1 : last, stem};
}

bool has_archive_extension(const fs::path& path) {
  const std::string extension = to_lower(text_of_path(path.extension()));
  return extension == ".bsa" || extension == ".ba2";
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::vector<fs::path> steam_folders() {
  std::vector<fs::path> folders;
  const auto add = [&](const std::string& base, std::string_view below) {
    if (!base.empty()) folders.push_back(path_of_text(base) / path_of_text(below));
  };
  add(variable("HOME"), ".local/share/Steam");
  add(variable("HOME"), ".steam/steam");
  add(variable("HOME"), ".var/app/com.valvesoftware.Steam/data/Steam");
  add(variable("ProgramFiles(x86)"), "Steam");
  add(variable("ProgramFiles"), "Steam");
  return folders;
}

// The data folders of the games that Steam has here.
std::vector<std::pair<Game, fs::path>> games_in_steam() {
  std::vector<fs::path> libraries;
  for (const fs::path& steam : steam_folders()) {
    libraries.push_back(steam);
    for (const char* list : {"steamapps/libraryfolders.vdf", "config/libraryfolders.vdf"})
      if (const auto bytes = read_file(steam / list))
        for (fs::path& library : library_folders(as_text(*bytes))) libraries.push_back(std::move(library));
  }
  std::vector<std::pair<Game, fs::path>> found;
  for (const SteamGame& game : kSteamGames)
    for (const fs::path& library : libraries) {
      const fs::path data = library / "steamapps" / "common" / path_of_text(game.folder) / "Data";
      if (!is_folder(data)) continue;
      found.emplace_back(game.game, data);
      break;
    }
  return found;
}

fs::path automatic_folder(const Command& command) {
  const auto found = games_in_steam();
  if (found.empty()) throw UsageError("--data auto: no Skyrim or Fallout 4 was found in the libraries of Steam");
  std::optional<Game> wanted;
  for (const char* option : {"to", "game"})
    if (const auto game = find_game(command.options[option].text())) wanted = game;
  const auto chosen = std::ranges::find_if(found, [&](const auto& each) { return !wanted || each.first == *wanted; });
  if (chosen == found.end())
    throw UsageError("--data auto: " + std::string(to_string(*wanted)) + " was not found in the libraries of Steam");
  if (!command.quiet) fmt::print(stderr, "note: the data folder is {}\n", printable(text_of_path(chosen->second)));
  return chosen->second;
}

}  // namespace

std::vector<fs::path> library_folders(std::string_view vdf) {
  std::vector<fs::path> folders;
  // "path"  "C:\\Games\\Steam", one per library
  constexpr std::string_view kKey = "\"path\"";
  for (std::size_t at = vdf.find(kKey); at != std::string_view::npos; at = vdf.find(kKey, at + 1)) {
    const std::size_t start = vdf.find('"', at + kKey.size());
    if (start == std::string_view::npos) break;
    std::string text;
    std::size_t i = start + 1;
    for (; i < vdf.size() && vdf[i] != '"'; ++i) {
      if (vdf[i] == '\\' && i + 1 < vdf.size()) ++i;
      text += vdf[i];
    }
    if (i < vdf.size() && !text.empty()) folders.push_back(path_of_text(text));
  }
  return folders;
}

DataFolder::DataFolder(fs::path folder) : folder_(std::move(folder)) {
  if (const auto names = names_in_folder(folder_))
    for (const fs::path& name : *names)
      if (has_archive_extension(name) && is_archive_file(folder_ / name)) archives_.push_back(folder_ / name);
  // What is asked first wins.
  std::ranges::stable_sort(archives_, std::ranges::greater(),
                           [&](const fs::path& archive) { return load_order(folder_, archive); });
}

std::optional<fs::path> DataFolder::find_loose(std::string_view path) const {
  fs::path at = folder_;
  for (const fs::path& part : path_of_text(path)) {
    if (path_exists(at / part)) {
      at /= part;
      continue;
    }
    const auto names = names_in_folder(at);
    if (!names) return std::nullopt;
    const auto found = std::ranges::find_if(
        *names, [&](const fs::path& name) { return equal_ignoring_case(text_of_path(name), text_of_path(part)); });
    if (found == names->end()) return std::nullopt;
    at /= *found;
  }
  return is_file(at) ? std::optional(at) : std::nullopt;
}

std::optional<fs::path> DataFolder::find(std::string_view path) const {
  const std::string wanted = with_slashes(path);
  if (!archive::unsafe_because(wanted).empty()) return std::nullopt;
  if (auto loose = find_loose(wanted)) return loose;
  for (const fs::path& archive : archives_) {
    const auto open = archive_at(archive);
    if (const archive::Entry* entry = open ? (*open)->find(wanted) : nullptr)
      return path_of_text(text_of_path(archive) + "/" + entry->path);
  }
  return std::nullopt;
}

std::optional<fs::path> DataFolder::find_skeleton(std::string_view character) const {
  for (const std::string_view place : {"character assets", "characterassets"})
    if (auto found = find("meshes/actors/" + std::string(character) + "/" + std::string(place) + "/skeleton.hkx"))
      return found;
  return std::nullopt;
}

std::optional<fs::path> DataFolder::find_like(const fs::path& path) const {
  const std::string text = generic_text_of_path(path.lexically_normal());
  const std::string lower = to_lower(text);
  for (const std::string_view part : {"meshes/", "textures/"})
    if (const std::size_t at = lower.rfind(part); at != std::string::npos && (at == 0 || lower[at - 1] == '/'))
      return find(text.substr(at));
  return std::nullopt;
}

std::optional<DataFolder> data_folder_of(const Command& command) {
  if (!command.data) return std::nullopt;
  const fs::path folder = *command.data == "auto" ? automatic_folder(command) : path_of_text(*command.data);
  if (!is_folder(folder)) throw UsageError("--data: " + text_of_path(folder) + " is not a folder");
  return DataFolder(folder);
}

void find_files_in(const DataFolder& data, Command& command) {
  for (const InputInfo& input : command.info().inputs) {
    const auto given = command.files.find(input.role);
    if (given == command.files.end()) continue;
    const bool may_be_name =
        input.kind == InputKind::Skeleton || input.role == "skeleton" || input.role == "from" || input.role == "to";
    for (std::string& text : given->second) {
      const fs::path path = path_of_text(text);
      if (path_exists(path) || is_any_file(path)) continue;
      auto found = data.find(text);
      if (!found && may_be_name) found = data.find_skeleton(text);
      if (found) text = text_of_path(*found);
    }
  }
}

std::optional<DataFolder> take_data_folder(Command& command) {
  Json folders = command.options["data"];
  const bool is_listed = folders.is_array() && folders.size() > 0;
  if (!command.data && is_listed) command.data = folders.items().front().text();
  std::optional<DataFolder> data = data_folder_of(command);
  if (!data) return data;
  if (is_listed) {
    Json found = Json::array();
    for (const Json& each : folders.items())
      found.push(each.text() == "auto" ? Json(text_of_path(data->folder())) : each);
    command.options.set("data", std::move(found));
  }
  find_files_in(*data, command);
  return data;
}

}  // namespace marrow::cli
