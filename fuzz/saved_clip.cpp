// SPDX-License-Identifier: MIT
// Clips that a sampler saved: opened in place, as a mapped file is, and played. What opens is saved and opens again.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>

#include "marrow/motion/sampler.h"

using namespace marrow;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete(memory, std::align_val_t{64}); }
  };
  // Of exactly its size, so that a sanitizer sees each read beyond it.
  const std::unique_ptr<std::byte, Free> memory(
      static_cast<std::byte*>(::operator new(size == 0 ? 1 : size, std::align_val_t{64})));
  if (size > 0) std::memcpy(memory.get(), data, size);
  const auto sampler = Sampler::open(std::span<const std::byte>(memory.get(), size), {.loop = true});
  if (!sampler) return 0;
  std::vector<Transform> pose(sampler->bone_count());
  std::vector<float> floats(sampler->float_count());
  for (const double seconds : {0.0, 0.37, sampler->duration_seconds()}) {
    sampler->pose(seconds, pose);
    sampler->floats(seconds, floats);
    (void)sampler->root_motion(seconds);
  }
  if (!Sampler::open(std::span<const std::byte>(sampler->save()))) std::abort();
  return 0;
}
