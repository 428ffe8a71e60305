// SPDX-License-Identifier: MIT
// Names are `.marrow-SPACE-PROCESS-RANDOM.tmp`: nobody can foresee them, so that nobody can put a link there, and two
// processes never meet. The space (`system::process_space`) and the number of the process say whose they are.
#include "core/temporary_file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/path.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"

namespace marrow {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPrefix = ".marrow-", kSuffix = ".tmp";

// The paths that are being written. A signal handler may neither lock nor allocate: it only reads these.
using PathUnit = fs::path::value_type;
constexpr std::size_t kSlots = 1024;
std::array<std::atomic<PathUnit*>, kSlots> unfinished;

// Files are created and renamed inside this gate. Once it is closed, nothing new appears on the disk: whoever comes
// waits there for the end of the process, so that a run that is being stopped leaves nothing behind and reports no
// failure that is not one.
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
    while (true) system::wait_a_moment();
  }
  ~InsideGate() {
    --inside_gate;
    --inside_here;
  }
};

std::size_t enter(const fs::path& path) {
  const fs::path::string_type text = system::stored_form(path).native();
  PathUnit* copy = new PathUnit[text.size() + 1];
  std::copy_n(text.c_str(), text.size() + 1, copy);
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    PathUnit* none = nullptr;
    if (unfinished[slot].compare_exchange_strong(none, copy)) return slot;
  }
  delete[] copy;
  return kSlots;
}

void leave(std::size_t slot) {
  if (slot < kSlots) delete[] unfinished[slot].exchange(nullptr);
}

std::string own_start() { return std::string(kPrefix) + system::process_space() + '-'; }

fs::path temporary_beside(const fs::path& target) {
  static const std::string start = own_start() + std::to_string(system::process_id()) + '-';
  return target.parent_path() / (start + random_name() + std::string(kSuffix));
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
  if (!path_.empty()) system::remove(system::stored_form(path_).c_str());
  leave(slot_);
}

std::expected<system::File, std::string> TemporaryFile::open() {
  const InsideGate inside;
  return system::open_new(path_);
}

std::expected<void, std::string> TemporaryFile::become_target() {
  const InsideGate inside;
  auto renamed = system::rename(path_, target_);
  if (renamed) path_.clear();
  return renamed;
}

std::expected<bool, std::string> TemporaryFile::become_new(const fs::path& path) {
  const InsideGate inside;
  auto renamed = system::rename_to_new(path_, path);
  if (renamed && *renamed) path_.clear();
  return renamed;
}

std::string random_name() { return hex_text(system::random_bits(), 16).substr(2); }

bool is_temporary_name(const fs::path& path) {
  const std::string name = text_of_path(path.filename());
  return name.starts_with(kPrefix) && name.ends_with(kSuffix);
}

void remove_stale_temporaries(const fs::path& folder) {
  const std::string own = own_start();
  const auto names = names_in_folder(folder);
  if (!names || system::process_space().empty()) return;
  for (const fs::path& path : *names) {
    const std::string name = text_of_path(path);
    if (!is_temporary_name(path) || !name.starts_with(own)) continue;
    const std::size_t end = name.find('-', own.size());
    if (end == std::string::npos) continue;
    const auto process = parse_int(std::string_view(name).substr(own.size(), end - own.size()));
    if (process && *process > 0 && *process != system::process_id() && !system::runs(*process) &&
        system::is_own_file(folder / path))
      system::remove(system::stored_form(folder / path).c_str());
  }
}

void remove_unfinished_files() {
  gate_closed = true;
  // Whoever was let in is done within a moment, unless it is the code that a signal interrupted, or a disk hangs.
  for (int moment = 0; inside_gate > inside_here && moment < 1000; ++moment) system::wait_a_moment();
  for (const std::atomic<PathUnit*>& path : unfinished)
    if (const PathUnit* name = path.load()) system::remove(name);
}

}  // namespace marrow
