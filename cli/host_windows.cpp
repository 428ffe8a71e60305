// SPDX-License-Identifier: MIT
#include <conio.h>
#include <fcntl.h>
#include <io.h>
#include <windows.h>
// After windows.h, which it needs.
#include <shellapi.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "core/path.h"
#include "host.h"

namespace marrow::cli {
namespace {

namespace fs = std::filesystem;

// The terminal is the user's: it gets back what it had.
UINT code_page_before = 0;
std::array<DWORD, 2> modes_before = {};
constexpr std::array<DWORD, 2> kStreams = {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};

void restore_console() {
  SetConsoleOutputCP(code_page_before);
  for (std::size_t i = 0; i < kStreams.size(); ++i)
    if (modes_before[i] != 0) SetConsoleMode(GetStdHandle(kStreams[i]), modes_before[i]);
}

void (*clean_up_once)() = nullptr;

// Runs in a thread of its own, while the others go on.
BOOL WINAPI stop(DWORD) {
  clean_up_once();
  if (code_page_before != 0) restore_console();
  return FALSE;  // the system ends the program, as it would have without this
}

}  // namespace

std::vector<std::string> arguments(int, char**) {
  std::vector<std::string> words;
  int count = 0;
  wchar_t** all = CommandLineToArgvW(GetCommandLineW(), &count);
  for (int i = 1; all && i < count; ++i) words.push_back(text_of_path(all[i]));
  LocalFree(all);
  return words;
}

void prepare_streams() {
  _setmode(_fileno(stdout), _O_BINARY);
  _setmode(_fileno(stderr), _O_BINARY);
  // Without a buffer every byte goes to the terminal alone, and characters of several bytes fall apart.
  std::setvbuf(stdout, nullptr, _IOFBF, 1 << 16);
  code_page_before = GetConsoleOutputCP();
  if (code_page_before == 0) return;  // there is no terminal
  SetConsoleOutputCP(CP_UTF8);
  for (std::size_t i = 0; i < kStreams.size(); ++i)
    if (GetConsoleMode(GetStdHandle(kStreams[i]), &modes_before[i]))
      SetConsoleMode(GetStdHandle(kStreams[i]),
                     modes_before[i] | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  std::atexit(restore_console);
}

void clean_up_when_stopped(void (*clean_up)()) {
  clean_up_once = clean_up;
  SetConsoleCtrlHandler(stop, TRUE);
}

bool stdout_is_terminal() { return _isatty(_fileno(stdout)) != 0; }
bool stderr_is_terminal() { return _isatty(_fileno(stderr)) != 0; }

fs::path program_path() {
  std::wstring buffer(32768, L'\0');
  buffer.resize(GetModuleFileNameW(nullptr, buffer.data(), static_cast<DWORD>(buffer.size())));
  return buffer;
}

void open_page(const fs::path& page) {
  ShellExecuteW(nullptr, L"open", fs::absolute(page).c_str(), nullptr, nullptr, SW_SHOWNORMAL);
}

bool has_own_window() {
  std::array<DWORD, 2> processes{};
  return GetConsoleProcessList(processes.data(), processes.size()) == 1 && stdout_is_terminal();
}

char wait_for_key() {
  std::fflush(stdout);
  const wint_t key = _getwch();
  if (key == 0 || key == 0xE0) (void)_getwch();  // the second half of a key that is not a character
  if (key >= L'A' && key <= L'Z') return static_cast<char>(key - L'A' + 'a');
  const bool is_plain = (key >= L'a' && key <= L'z') || (key >= L'0' && key <= L'9');
  return is_plain ? static_cast<char>(key) : '\0';
}

}  // namespace marrow::cli
