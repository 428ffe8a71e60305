// SPDX-License-Identifier: MIT
// Files that are for another platform than the game around them.
#include "havok/object/game.h"
#include "havok/packfile/packfile.h"
#include "marrow/core/text.h"
#include "ops/files/convert.h"

namespace marrow {
namespace {

/// The game that Skyrim's files of a folder are taken to be for.
struct FolderGame {
  std::optional<Game> game;  // nothing if the folder does not show it
  std::string because;
};

FolderGame game_of_folder(const Document& document, const Context& context) {
  constexpr std::string_view kSpecial = "skyrim special edition";
  if (to_lower(document.name).find(kSpecial) != std::string::npos)
    return {Game::SkyrimSe, "the game is taken to be skyrim-se: a folder above is called Skyrim Special Edition"};
  const Lookup::Widths widths = context.lookup ? context.lookup->widths_beside(document.name) : Lookup::Widths{};
  const int all = widths.narrow + widths.wide;
  const auto counted = [&](int count, const char* bits) {
    return std::to_string(count) + " of " + std::to_string(all) + " packfiles in the folder are " + bits;
  };
  if (all == 0) return {};
  if (widths.wide > widths.narrow)
    return {Game::SkyrimSe, "the game is taken to be skyrim-se: " + counted(widths.wide, "64-bit")};
  if (widths.narrow > widths.wide)
    return {Game::SkyrimLe, "the game is taken to be skyrim-le: " + counted(widths.narrow, "32-bit")};
  return {std::nullopt, "the game is not known: " + counted(widths.narrow, "32-bit") + " and as many 64-bit"};
}

}  // namespace

bool is_forgotten_32_bit(const Document& document, const Context& context) {
  return document.game == Game::SkyrimLe && game_of_folder(document, context).game == Game::SkyrimSe;
}

std::optional<Game> wrong_for(const Document& document, const ConvertOptions& options, Context& context,
                              std::string& because) {
  const havok::Packfile* file = document.packfile();
  if (!file) return std::nullopt;
  const std::optional<Game> game = options.save.game;
  if (!game) {
    const bool is_skyrim = document.game == Game::SkyrimLe || document.game == Game::SkyrimSe;
    const FolderGame folder = is_skyrim ? game_of_folder(document, context) : FolderGame{};
    because = folder.because;
    if (document.game == Game::SkyrimLe && folder.game == Game::SkyrimSe) return Game::SkyrimSe;
    // Files that are as most around them are right, or all of them are wrong: only the user knows.
    if (folder.game != Game::SkyrimSe && !because.empty())
      context.note("left alone; " + because + ". Name the game to convert all files for it");
    return std::nullopt;
  }
  because = "the game is " + std::string(to_string(*game)) + ", as asked for";
  if (family_of(*game) != GameFamily::Havok || document.game == game) return std::nullopt;
  if (file->schema->version() == havok::version_of(*game)) return game;
  context.note("the file is for " +
                   (document.game ? std::string(to_string(*document.game)) : "a game of " + file->schema->version()) +
                   " and is left alone; its clips must be retargeted to a skeleton of " + std::string(to_string(*game)),
               {}, {}, Cure{"retarget"});
  return std::nullopt;
}

}  // namespace marrow
