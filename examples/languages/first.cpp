// SPDX-License-Identifier: MIT
// Load, sample, change and save with the C++ wrapper of the C ABI; any compiler with C++17.
#include <cstdio>

#include <marrow/marrow_c.hpp>

int main(int count, char** words) {
  if (count != 3) return std::fprintf(stderr, "first CLIP OUT\n"), 2;
  try {
    marrow::abi::Document clip(words[1]);
    const marrow_clip_info info = clip.clip();
    std::printf("%u frames, %u tracks\n", info.frame_count, info.track_count);
    const std::vector<float> pose = marrow::abi::Sampler(clip).at(0.25, true);
    std::printf("%.3f %.3f %.3f\n", pose[10], pose[11], pose[12]);
    clip.apply("annotations add", R"({"time": 0.25, "text": "FootLeft"})");
    clip.save_file(words[2]);
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
  }
}
