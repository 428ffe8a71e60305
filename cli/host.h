// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace marrow::cli {

/// What differs between systems around the program: one implementation per system, host_NAME.cpp.

/// Returns the words of the command line after the program's name, as UTF-8.
std::vector<std::string> arguments(int argc, char** argv);

/// Makes stdout and stderr carry bytes as they are written, and a terminal show them as UTF-8.
void prepare_streams();

/// Calls `clean_up` before the program is ended from outside: Ctrl-C, a signal, a closed window. Only what is safe in a
/// signal handler may happen there.
void clean_up_when_stopped(void (*clean_up)());

bool stdout_is_terminal();
bool stderr_is_terminal();

std::filesystem::path program_path();

/// Opens a page with the system's own program for it, if there is a display. A machine without one just has the page.
void open_page(const std::filesystem::path& page);

/// True if the program's window closes with it: it was started by a double click, or files were dropped on it.
bool has_own_window();
/// Waits for a key and returns it in lower case; 0 for a key that is not a letter or digit, or if there is no keyboard.
char wait_for_key();

}  // namespace marrow::cli
