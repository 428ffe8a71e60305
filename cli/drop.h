// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace marrow::cli {

/// How the program was started.
enum class Start {
  Command,       ///< from a shell, with a verb
  DoubleClick,   ///< in a window of its own, with nothing
  DroppedFiles,  ///< in a window of its own, with paths only
};

using PathExists = std::function<bool(const std::string& path)>;

Start start_of(const std::vector<std::string>& words, bool has_own_window, const PathExists& exists);

/// What is known about a file that was dropped on the program, or that is in a folder that was.
struct DroppedFile {
  std::string path;
  std::string dropped;    ///< the path that was dropped: the file itself, or a folder above it
  std::string game = {};  ///< as `info` reports it; empty if it is not known
  bool is_readable = true;
};

/// Something that can be done with the files that were dropped, by pressing a key.
struct Offer {
  char key = 0;
  std::string text = {};                                ///< what it does, in one line
  std::vector<std::vector<std::string>> commands = {};  ///< one after the other, as they would be typed
};

/// Returns what makes sense for these files: always a check; a look at them in the browser if `can_show` and there are
/// not too many; if there are files of Skyrim LE, writing them for SE beside the originals, under names that nothing
/// has yet. No offer replaces a file.
std::vector<Offer> offers_for(const std::vector<DroppedFile>& files, const PathExists& exists, bool can_show = false);

/// What a run with dropped files needs of the program around it.
struct DropHost {
  std::function<int(const std::vector<std::string>& words)> run;  ///< a command; reports its own failure
  std::function<void(const std::string& text)> show;
  std::function<char()> wait_for_key;
  bool can_show = false;  ///< the viewer's page is there
};

/// What a double click without files shows: what the program does, and the two ways to use it.
std::string welcome_text();

/// Shows what was dropped, offers what can be done with it, and does it until a key is pressed that means nothing.
/// Returns the exit code of the last command.
int run_dropped(const std::vector<std::string>& paths, const DropHost& host);

}  // namespace marrow::cli
