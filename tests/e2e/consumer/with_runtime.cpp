// SPDX-License-Identifier: MIT
// Plays a clip that was compiled before: with_runtime FILE SECONDS prints how many bones it has, and where the last is.
#include <cstdio>
#include <cstdlib>

#include "marrow/motion/sampler.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::vector<std::byte> bytes;
  std::FILE* file = std::fopen(argv[1], "rb");
  if (file == nullptr) return 1;
  for (int byte; (byte = std::fgetc(file)) != EOF;) bytes.push_back(static_cast<std::byte>(byte));
  std::fclose(file);
  const auto clip = marrow::Sampler::open(std::span<const std::byte>(bytes), {.loop = true});
  if (!clip) return std::fprintf(stderr, "%s\n", clip.error().message.c_str()), 1;
  std::vector<marrow::Transform> pose(clip->bone_count());
  clip->model_pose(std::atof(argv[2]), pose);
  std::printf("%zu bones, the last at %.3f\n", pose.size(), static_cast<double>(pose.back().translation.z));
}
