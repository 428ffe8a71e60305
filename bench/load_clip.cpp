// SPDX-License-Identifier: MIT
// Loads a clip and decodes all its frames; prints the shortest time of 50 runs in milliseconds. bench/python_load.py
// compares the Python package with it.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "marrow/core/file.h"
#include "marrow/ops/document/load.h"

int main(int count, char** words) {
  if (count != 2) return std::puts("load_clip CLIP"), 0;
  const auto bytes = marrow::read_file(words[1]);
  if (!bytes) return std::puts("the clip cannot be read"), 1;
  double best = 1e9;
  for (int i = 0; i < 50; ++i) {
    const auto start = std::chrono::steady_clock::now();
    marrow::Context context;
    auto document = marrow::load(*bytes, {.name = "clip.hkx"}, context);
    if (!document || document->clips.empty()) return std::puts("there is no clip"), 1;
    if (!marrow::decode_frames(document->clips[0], context.limits)) return 1;
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  std::printf("%f\n", best);
}
