// SPDX-License-Identifier: MIT
// Reading and rewriting packfiles, against a memcpy of the same bytes; the same for a large behaviour, which it makes;
// and `info` over a folder of many files.
//   bench_packfile [FOLDER of .hkx]    default: $MARROW_CORPUS/hkx, else ../shared/corpus/hkx, else files it makes
//   bench_packfile behaviour FILE      writes the behaviour, to measure the memory of programs that read it
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "havok/packfile/packfile.h"
#include "marrow/core/file.h"
#include "marrow/ops/document/load.h"
#include "ops/files/info.h"
#include "support/sample_packfile.h"

using namespace marrow;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Files = std::vector<std::vector<std::byte>>;

namespace {

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// The best of several runs: what the code costs when nothing else is in its way.
template <class Work>
double best_of(int runs, Work work) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    const auto start = Clock::now();
    work();
    best = std::min(best, seconds_since(start));
  }
  return best;
}

Files load_files(const fs::path& folder) {
  Files files;
  std::error_code error;
  if (fs::is_directory(folder, error))
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (auto bytes = read_file(entry.path()); bytes && detect(*bytes) == Format::Hkx)
        files.push_back(std::move(*bytes));
  if (files.empty()) {
    std::printf("no packfiles below %s: measuring files that the project makes\n", folder.string().c_str());
    for (const auto& [version, size] :
         {std::pair{havok::kVersion2010, 4u}, {havok::kVersion2010, 8u}, {havok::kVersion2014, 8u}})
      files.push_back(*havok::write_packfile(test::sample_packfile(version, size)));
    files.push_back(*havok::write_packfile(test::sample_behaviour(8)));
  }
  return files;
}

// A state machine as the games have them, a hundred times as large: each state plays a clip.
std::vector<std::byte> make_behaviour(std::uint32_t states) {
  havok::Packfile file = havok::make_packfile(*havok::builtin_schema(havok::kVersion2010), 8);
  file.root = file.add("hkRootLevelContainer");
  const havok::ObjectId machine = file.add("hkbStateMachine");
  file.at(machine).fields().set_text("name", "Machine");
  havok::Fields root = file.at(file.root).fields();
  root.reset_array("namedVariants", 1);
  root.element("namedVariants", 0).set_text("name", "hkbStateMachine");
  root.element("namedVariants", 0).set_text("className", "hkbStateMachine");
  root.element("namedVariants", 0).set_pointer("variant", machine);
  std::vector<havok::ObjectId> all;
  for (std::uint32_t i = 0; i < states; ++i) {
    const std::string number = std::to_string(10'000 + i);
    const havok::ObjectId clip = file.add("hkbClipGenerator");
    file.at(clip).fields().set_text("name", "Clip_" + number);
    file.at(clip).fields().set_text("animationName", "Animations\\Clip_" + number + ".hkx");
    file.at(clip).fields().set_real("playbackSpeed", 1.0);
    havok::Fields state = file.at(all.emplace_back(file.add("hkbStateMachineStateInfo"))).fields();
    state.set_text("name", "State_" + number);
    state.set_pointer("generator", clip);
    state.set_integer("stateId", i);
    state.set_real("probability", 1.0);
    state.set_integer("enable", 1);
  }
  file.at(machine).fields().set_pointers("states", all);
  return *havok::write_packfile(file);
}

void bench_rewrite(const Files& files) {
  std::size_t total = 0;
  for (const auto& file : files) total += file.size();
  std::vector<std::byte> copy(total);
  const double memcpy_time = best_of(50, [&] {
    std::size_t at = 0;
    for (const auto& file : files) {
      std::memcpy(copy.data() + at, file.data(), file.size());
      at += file.size();
    }
  });
  std::size_t objects = 0;
  const double read_time = best_of(30, [&] {
    objects = 0;
    for (const auto& file : files) objects += havok::read_packfile(file)->objects.size();
  });
  const double both_time = best_of(30, [&] {
    for (const auto& file : files)
      if (const auto again = havok::write_packfile(*havok::read_packfile(file));
          again->size() != file.size() || std::memcmp(again->data(), file.data(), file.size()) != 0)
        std::abort();
  });
  const double megabytes = static_cast<double>(total) / 1e6;
  std::printf("%zu files, %.2f MB, %zu objects\n", files.size(), megabytes, objects);
  std::printf("%-28s %10s %10s\n", "", "MB/s", "x memcpy");
  const auto row = [&](const char* name, double time) {
    std::printf("%-28s %10.0f %10.1f\n", name, megabytes / time, time / memcpy_time);
  };
  row("memcpy", memcpy_time);
  row("read", read_time);
  row("read, rewrite and compare", both_time);
}

void bench_info(const Files& files) {
  constexpr std::size_t count = 10'000;
  const fs::path folder = fs::temp_directory_path() / "marrow-bench-info";
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::vector<fs::path> paths;
  for (std::size_t i = 0; i < count; ++i) {
    paths.push_back(folder / (std::to_string(i) + ".hkx"));
    if (!write_file(paths.back(), files[i % files.size()])) std::abort();
  }
  std::printf("%zu files through info in one process\n", count);
  double alone = 0;
  for (const unsigned threads : {1u, 2u}) {
    const auto start = Clock::now();
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < paths.size(); i = next++) {
        Context context;
        const auto document = load(*read_file(paths[i]), {.parts = Parts::None}, context);
        if (!document || !info(*document, {}, context)) std::abort();
      }
    };
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
    work();
    others.clear();
    const double time = seconds_since(start);
    if (threads == 1) alone = time;
    std::printf("  %u thread%s  %8.0f files/s  (x %.2f of one thread)\n", threads, threads == 1 ? " " : "s",
                static_cast<double>(count) / time, alone / time);
  }
  fs::remove_all(folder);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::uint32_t kStates = 40'000;
  if (argc == 3 && std::string_view(argv[1]) == "behaviour")
    return write_file(fs::path(argv[2]), make_behaviour(kStates)) ? 0 : 1;
  const char* corpus = std::getenv("MARROW_CORPUS");
  const fs::path folder = argc > 1 ? fs::path(argv[1]) : fs::path(corpus ? corpus : "../shared/corpus") / "hkx";
  const Files files = load_files(folder);
  bench_rewrite(files);
  bench_rewrite({make_behaviour(kStates)});
  bench_info(files);
}
