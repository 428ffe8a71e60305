// SPDX-License-Identifier: MIT
// Names are short, whatever the target is called, and say which process wrote them: `.marrow-HOST-PROCESS-NUMBER.tmp`.
#include "core/temporary_file.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "marrow/core/crc32.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"

#ifdef _WIN32
#include <io.h>
#include <process.h>
#include <windows.h>
#elif !defined(__wasi__)
#include <time.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#endif

namespace marrow {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPrefix = ".marrow-", kSuffix = ".tmp";

#if defined(_WIN32)
long long process_id() { return _getpid(); }
bool runs(long long) { return true; }  // its files are left to their owner
std::string host_name() { return {}; }
void remove_now(const char* path) { (void)_unlink(path); }
void wait_a_moment() { Sleep(1); }
#elif defined(__wasi__)
long long process_id() { return 0; }
bool runs(long long) { return true; }
std::string host_name() { return {}; }
void remove_now(const char*) {}
void wait_a_moment() {}
#else
long long process_id() { return getpid(); }
bool runs(long long process) { return kill(static_cast<pid_t>(process), 0) == 0 || errno != ESRCH; }
std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : std::string();
}
void remove_now(const char* path) { (void)unlink(path); }
void wait_a_moment() {
  const timespec millisecond{0, 1'000'000};
  nanosleep(&millisecond, nullptr);
}
#endif

// Several machines may write to one shared folder.
std::string host_mark() {
  const std::string host = host_name();
  std::string mark;
  for (std::uint32_t left = crc32(host), i = 0; i < 6; ++i, left >>= 4) mark += "0123456789abcdef"[left & 15];
  return mark;
}

// The paths that are being written. A signal handler may neither lock nor allocate: it only reads these.
constexpr std::size_t kSlots = 1024;
std::array<std::atomic<char*>, kSlots> unfinished;

// Files are created and renamed inside this gate. Once it is closed, nothing new appears on the disk: whoever comes
// waits there for the end of the process, so that a run that is being stopped leaves nothing behind and reports no
// failure that is none.
std::atomic<bool> gate_closed{false};
std::atomic<int> inside_gate{0};
thread_local int inside_here = 0;

class InsideGate {
 public:
  InsideGate() {
    ++inside_here;
    ++inside_gate;
    if (!gate_closed) return;
    --inside_gate;
    while (true) wait_a_moment();
  }
  ~InsideGate() {
    --inside_gate;
    --inside_here;
  }
};

std::size_t enter(const fs::path& path) {
  const std::string text = path.string();
  char* copy = new char[text.size() + 1];
  std::memcpy(copy, text.c_str(), text.size() + 1);
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    char* none = nullptr;
    if (unfinished[slot].compare_exchange_strong(none, copy)) return slot;
  }
  delete[] copy;
  return kSlots;
}

void leave(std::size_t slot) {
  if (slot < kSlots) delete[] unfinished[slot].exchange(nullptr);
}

fs::path temporary_beside(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  static const std::string start = std::string(kPrefix) + host_mark() + '-' + std::to_string(process_id()) + '-';
  return target.parent_path() / (start + std::to_string(counter++) + std::string(kSuffix));
}

}  // namespace

TemporaryFile::TemporaryFile(fs::path target)
    : target_(std::move(target)), path_(temporary_beside(target_)), slot_(enter(path_)) {}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : target_(std::move(other.target_)), path_(std::move(other.path_)), slot_(std::exchange(other.slot_, kSlots)) {
  other.path_.clear();
}

TemporaryFile::~TemporaryFile() {
  const InsideGate inside;
  std::error_code ignored;
  if (!path_.empty()) fs::remove(path_, ignored);
  leave(slot_);
}

std::FILE* TemporaryFile::open() {
  const InsideGate inside;
#ifdef _WIN32
  return _wfopen(path_.c_str(), L"wb");
#else
  return std::fopen(path_.c_str(), "wb");
#endif
}

std::error_code TemporaryFile::become_target() {
  const InsideGate inside;
  std::error_code status;
  fs::rename(path_, target_, status);
  if (!status) path_.clear();
  return status;
}

bool sync_to_disk(std::FILE* file) {
#if defined(_WIN32)
  return _commit(_fileno(file)) == 0;
#elif defined(__wasi__)
  return file != nullptr;
#else
  return fsync(fileno(file)) == 0 || errno == EINVAL || errno == EROFS;  // not every file system can
#endif
}

bool is_temporary_name(const fs::path& path) {
  const std::u8string name = path.filename().u8string();
  const std::string_view text(reinterpret_cast<const char*>(name.data()), name.size());
  return text.starts_with(kPrefix) && text.ends_with(kSuffix);
}

void remove_stale_temporaries(const fs::path& folder) {
  std::error_code status;
  const std::string own = std::string(kPrefix) + host_mark() + '-';
  for (fs::directory_iterator at(folder, status), end; !status && at != end; at.increment(status)) {
    if (!is_temporary_name(at->path())) continue;
    const std::string name = at->path().filename().string();
    if (!name.starts_with(own)) continue;
    const auto process = parse_int(std::string_view(name).substr(own.size(), name.find('-', own.size()) - own.size()));
    std::error_code ignored;
    if (process && *process != process_id() && !runs(*process)) fs::remove(at->path(), ignored);
  }
}

void remove_unfinished_files() {
  gate_closed = true;
  // Whoever was let in is done within a moment, unless it is the code that a signal interrupted, or a disk hangs.
  for (int moment = 0; inside_gate > inside_here && moment < 1000; ++moment) wait_a_moment();
  for (const std::atomic<char*>& path : unfinished)
    if (const char* name = path.load()) remove_now(name);
}

}  // namespace marrow
