// SPDX-License-Identifier: MIT
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "core/system.h"
#include "marrow/core/path.h"

namespace marrow {
namespace fs = std::filesystem;

namespace system {
namespace {

// Some failures leave no reason behind; "Success" would be a lie.
std::unexpected<Reason> failed(const char* otherwise) {
  return std::unexpected(errno ? std::generic_category().message(errno) : Reason(otherwise));
}

std::expected<File, Reason> open(const Path& path, const char* mode, const char* otherwise) {
  errno = 0;
  File file(std::fopen(path.c_str(), mode));
  if (!file) return failed(otherwise);
  return file;
}

}  // namespace

std::expected<File, Reason> open_to_read(const Path& path) {
  auto file = open(path, "rb", "no reason is given");
  // Files are read in one piece; a buffer would take memory, and split the reading.
  if (file) std::setvbuf(file->get(), nullptr, _IONBF, 0);
  return file;
}

std::expected<File, Reason> open_to_write(const Path& path, bool append) {
  return open(path, append ? "ab" : "wb", "it cannot be created");
}

std::expected<std::uint64_t, Reason> size_of(std::FILE* file) {
  struct stat status{};
  errno = 0;
  if (fstat(fileno(file), &status) != 0) return failed("no reason is given");
  return S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
}

bool sync(std::FILE* file) {
  return fsync(fileno(file)) == 0 || errno == EINVAL || errno == EROFS;  // not every file system can
}

void make_folders(const Path& folder) {
  std::error_code ignored;
  fs::create_directories(folder, ignored);
}

std::expected<void, Reason> may_replace(const Path&) { return {}; }

std::expected<void, Reason> rename(const Path& from, const Path& to) {
  std::error_code status;
  fs::rename(from, to, status);
  if (status) return std::unexpected(status.message());
  return {};
}

void remove(const Path::value_type* path) { (void)unlink(path); }

Path stored_form(const Path& path) { return path; }

Path resolved(const Path& path) {
  std::error_code status;
  if (!fs::is_symlink(path, status)) return path;
  const Path target = fs::canonical(path, status);
  return status ? path : target;
}

long long process_id() { return getpid(); }

bool runs(long long process) { return kill(static_cast<pid_t>(process), 0) == 0 || errno != ESRCH; }

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : std::string();
}

void wait_a_moment() {
  const timespec millisecond{0, 1'000'000};
  nanosleep(&millisecond, nullptr);
}

}  // namespace system

fs::path path_of_text(std::string_view text) { return fs::path(std::string(text)); }
std::string text_of_path(const fs::path& path) { return path.native(); }

PathKind path_kind(const fs::path& path, std::string* reason) {
  std::error_code status;
  switch (fs::status(path, status).type()) {
    case fs::file_type::not_found: return PathKind::Missing;
    case fs::file_type::regular: return PathKind::File;
    case fs::file_type::directory: return PathKind::Folder;
    case fs::file_type::character: return PathKind::Device;
    case fs::file_type::none:
      if (reason) *reason = status.message();
      return PathKind::Unknown;
    default: return PathKind::Other;
  }
}

Result<std::vector<fs::path>> names_in_folder(const fs::path& folder) {
  std::vector<fs::path> names;
  std::error_code status;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, status), end; !status && at != end;
       at.increment(status))
    names.push_back(at->path().filename());
  if (status) return fail(ErrorCode::Io, status.message());
  std::ranges::sort(names, {}, text_of_path);
  return names;
}

fs::path place_of(const fs::path& path) {
  std::error_code status;
  const fs::path absolute = fs::absolute(path, status);
  const fs::path full = status ? absolute : fs::weakly_canonical(absolute, status);
  return status ? path.lexically_normal() : full;
}

}  // namespace marrow
