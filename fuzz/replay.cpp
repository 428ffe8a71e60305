// SPDX-License-Identifier: MIT
// Runs a fuzz target over files and folders of seeds, for compilers without libFuzzer and for every test run. Each seed
// is also cut at every one of 64 places and given single wrong bytes, in a buffer of its exact size. If the target has
// a mutator, each seed is mutated as well, some of them several times over.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "mutate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
#ifndef _WIN32
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                                             unsigned seed);
#endif

// In place of libFuzzer's: one wrong byte.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t) {
  static marrow::fuzz::Chooser choose(1);
  if (size > 0) data[choose.below(size)] = static_cast<std::uint8_t>(choose.bits());
  return size;
}

namespace {

constexpr unsigned kMutations = 400;
constexpr std::size_t kRoom = 1024;  // that a seed may grow by

void run_mutated(const std::vector<std::uint8_t>& seed) {
#ifndef _WIN32
  if (!LLVMFuzzerCustomMutator) return;
  std::vector<std::uint8_t> bytes;
  for (unsigned i = 0; i < kMutations; ++i) {
    if (i % 4 == 0) bytes = seed;  // the others go on from the one before
    const std::size_t old = bytes.size();
    bytes.resize(seed.size() + kRoom);
    bytes.resize(LLVMFuzzerCustomMutator(bytes.data(), old, bytes.size(), i));
    bytes.shrink_to_fit();
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
#endif
}

void run(const std::vector<std::uint8_t>& seed) {
  // A copy a run: a sanitizer then sees any read past the end.
  const auto once = [](std::vector<std::uint8_t> bytes) {
    bytes.shrink_to_fit();
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  };
  once(seed);
  const std::size_t step = seed.size() / 64 + 1;
  for (std::size_t cut = 0; cut < seed.size(); cut += step)
    once({seed.begin(), seed.begin() + static_cast<std::ptrdiff_t>(cut)});
  for (std::size_t at = 0; at < seed.size(); at += step) {
    std::vector<std::uint8_t> damaged = seed;
    damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ 0xFF);
    once(std::move(damaged));
  }
  run_mutated(seed);
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t seeds = 0;
  LLVMFuzzerTestOneInput(nullptr, 0);
  for (int i = 1; i < argc; ++i) {
    if (!std::filesystem::is_directory(argv[i])) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      run({std::istreambuf_iterator<char>(file), {}});
      ++seeds;
    }
  }
  std::printf("%zu seeds replayed, each with cuts and wrong bytes\n", seeds);
  return seeds > 0 ? 0 : 1;
}
