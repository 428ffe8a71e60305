// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <sys/random.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "core/path.h"
#include "core/system.h"

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

// A pipe that nobody reads is refused instead of waited for.
std::expected<File, Reason> open_to_write(const Path& path, bool append) {
  errno = 0;
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC | (append ? O_APPEND : O_TRUNC), 0666);
  if (descriptor == -1) return failed("it cannot be created");
  const int flags = fcntl(descriptor, F_GETFL);
  File file(flags != -1 && fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0
                ? fdopen(descriptor, append ? "ab" : "wb")
                : nullptr);
  if (file) return file;
  close(descriptor);
  return failed("it cannot be created");
}

std::expected<File, Reason> open_new(const Path& path) {
  errno = 0;
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor == -1) return failed("it cannot be created");
  File file(fdopen(descriptor, "wb"));
  if (file) return file;
  close(descriptor);
  return failed("it cannot be created");
}

void take_rights(std::FILE* file, const Path& from) {
  struct stat wanted{}, own{};
  const int descriptor = fileno(file);
  if (stat(from.c_str(), &wanted) != 0 || fstat(descriptor, &own) != 0) return;
  const bool is_owned = (own.st_uid == wanted.st_uid && own.st_gid == wanted.st_gid) ||
                        fchown(descriptor, wanted.st_uid, wanted.st_gid) == 0;
  // What the group or the set-id bits allow is meant for the owner that the file has.
  const mode_t mode = wanted.st_mode & (is_owned ? 07777u : 0707u);
  (void)fchmod(descriptor, mode);
}

std::expected<std::uint64_t, Reason> size_of(std::FILE* file) {
  struct stat status{};
  errno = 0;
  if (fstat(fileno(file), &status) != 0) return failed("no reason is given");
  return S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
}

std::expected<Stamp, Reason> stamp_of(std::FILE* file) {
  struct stat status{};
  errno = 0;
  if (fstat(fileno(file), &status) != 0) return failed("no reason is given");
#if defined(__APPLE__)
  const timespec time = status.st_mtimespec;
#else
  const timespec time = status.st_mtim;
#endif
  return Stamp{static_cast<std::uint64_t>(status.st_size),
               static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec};
}

std::expected<std::size_t, Reason> read_at(std::FILE* file, std::uint64_t offset, std::span<std::byte> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    errno = 0;
    const ssize_t got = pread(fileno(file), out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed("no reason is given");
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

bool sync(std::FILE* file) {
  return fsync(fileno(file)) == 0 || errno == EINVAL || errno == EROFS;  // not every file system can
}

void make_folders(const Path& folder) {
  std::error_code ignored;
  fs::create_directories(folder, ignored);
}

// The folder would let the file be replaced; whoever made it read-only meant it to stay. The superuser may write every
// file.
std::expected<void, Reason> may_replace(const Path& path) {
  if (access(path.c_str(), W_OK) == 0 || errno == ENOENT) return {};
  return std::unexpected(Reason(errno == EROFS ? "the disk is read-only" : "it is read-only"));
}

std::expected<void, Reason> rename(const Path& from, const Path& to) {
  std::error_code status;
  fs::rename(from, to, status);
  if (status) return std::unexpected(status.message());
  return {};
}

std::expected<bool, Reason> rename_to_new(const Path& from, const Path& to) {
  if (link(from.c_str(), to.c_str()) == 0) {
    (void)unlink(from.c_str());
    return true;
  }
  if (errno == EEXIST) return false;
  // Some disks have no second names for a file. There, somebody else may take the name in between.
  struct stat status{};
  if (lstat(to.c_str(), &status) == 0) return false;
  auto renamed = system::rename(from, to);
  if (!renamed) return std::unexpected(std::move(renamed.error()));
  return true;
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

// Containers on one machine have processes of the same number, and so have machines that are copies of each other; no
// two of them have the same boot and the same space of processes.
std::string process_space() {
  const auto boot = open("/proc/sys/kernel/random/boot_id", "rb", "");
  std::array<char, 64> text{};
  const std::size_t length = boot ? std::fread(text.data(), 1, text.size(), boot->get()) : 0;
  std::error_code status;
  const std::string space = fs::read_symlink("/proc/self/ns/pid", status).native();
  if (length < 36 || status) return {};
  std::string name(text.data(), 36);
  std::erase(name, '-');
  name += '-';
  for (const char c : space)
    if (c >= '0' && c <= '9') name += c;
  return name;
}

bool is_own_file(const Path& path) {
  struct stat status{};
  return lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid();
}

std::uint64_t random_bits() {
  std::uint64_t bits = 0;
  if (getentropy(&bits, sizeof bits) == 0) return bits;
  // Never on the systems of today; then names are only unlikely to be taken, and a taken name is refused.
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_nsec) * 0x9E3779B97F4A7C15u ^ static_cast<std::uint64_t>(now.tv_sec) << 32 ^
         static_cast<std::uint64_t>(getpid());
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

bool is_link(const fs::path& path) {
  std::error_code status;
  return fs::is_symlink(path, status);
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
