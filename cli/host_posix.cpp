// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "core/path.h"
#include "host.h"

namespace marrow::cli {
namespace {

namespace fs = std::filesystem;

void (*clean_up_once)() = nullptr;

void stop(int signal) {
  clean_up_once();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

bool has_display() {
#if defined(__APPLE__)
  return true;
#else
  return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
#endif
}

}  // namespace

std::vector<std::string> arguments(int argc, char** argv) { return {argv + 1, argv + argc}; }

// A stream that the caller closed would give its number to the next file that is opened, and what is printed would go
// into that file. Such a stream is opened for reading instead: writing to it fails, as it should.
void prepare_streams() {
  for (int stream = 0; stream <= 2; ++stream)
    if (fcntl(stream, F_GETFD) == -1) (void)!open("/dev/null", O_RDONLY);
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a failed write, reported as one
  std::signal(SIGXFSZ, SIG_IGN);  // so is a file that is larger than the user may have
}

void clean_up_when_stopped(void (*clean_up)()) {
  clean_up_once = clean_up;
  std::signal(SIGINT, stop);
  std::signal(SIGTERM, stop);
}

bool stdout_is_terminal() { return isatty(fileno(stdout)) != 0; }
bool stderr_is_terminal() { return isatty(fileno(stderr)) != 0; }

fs::path program_path() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

void open_page(const fs::path& page) {
  if (!has_display()) return;
#if defined(__APPLE__)
  std::string opener = "open";
#else
  std::string opener = "xdg-open";
#endif
  std::string path = text_of_path(page);
  char* words[] = {opener.data(), path.data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, opener.c_str(), nullptr, nullptr, words, environ) == 0) waitpid(child, nullptr, 0);
}

bool has_own_window() { return false; }

char wait_for_key() { return 0; }

}  // namespace marrow::cli
