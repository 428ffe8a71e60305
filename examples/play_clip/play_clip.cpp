// SPDX-License-Identifier: MIT
// A game's side of a clip: maps what compile_clip wrote and plays it, with nothing but marrow_runtime.
// play_clip CLIP SECONDS prints where each bone is, in model space, and how far the character has moved.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "marrow/motion/sampler.h"

using namespace marrow;

namespace {

/// A file in memory, as long as this lives.
class Mapped {
 public:
  explicit Mapped(const char* path) {
    const int file = open(path, O_RDONLY);
    struct stat about{};
    if (file >= 0 && fstat(file, &about) == 0 && about.st_size > 0) {
      size_ = static_cast<std::size_t>(about.st_size);
      memory_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      if (memory_ == MAP_FAILED) memory_ = nullptr;
    }
    if (file >= 0) close(file);
  }
  ~Mapped() {
    if (memory_ != nullptr) munmap(memory_, size_);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(memory_), memory_ == nullptr ? 0 : size_};
  }

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: play_clip CLIP SECONDS\n"), 2;
  const Mapped file(argv[1]);
  const auto clip = Sampler::open(file.bytes(), {.loop = true});
  if (!clip) return std::fprintf(stderr, "%s: %s\n", argv[1], clip.error().message.c_str()), 1;
  const double seconds = std::atof(argv[2]);
  std::vector<Transform> pose(clip->bone_count());
  Sampler::Scratch scratch;
  clip->model_pose(seconds, pose, scratch);
  for (std::size_t i = 0; i < pose.size(); ++i) {
    const Vec3& place = pose[i].translation;
    std::printf("%zu %.4f %.4f %.4f\n", i, place.x, place.y, place.z);
  }
  const Vec3 moved = clip->root_motion(seconds).translation;
  std::printf("moved %.4f %.4f %.4f\n", moved.x, moved.y, moved.z);
}
