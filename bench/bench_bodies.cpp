// SPDX-License-Identifier: MIT
// Reading bodies, in megabytes per second, beside a memcpy of the same bytes; and skinning 10,000 vertices with 80
// bones, beside a plain loop and a memcpy of what it reads and writes.
//   bench_bodies [FOLDER of .nif]    default: ../shared/characters/body, else files it makes
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <vector>

#include "marrow/core/file.h"
#include "marrow/model/skinning.h"
#include "model/skinning_kernel.h"
#include "nif/shape.h"
#include "support/body_sample.h"

using namespace marrow;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

// The best of several runs: what the code costs if nothing else is in its way.
template <class Work>
double best_of(int runs, Work work) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    const auto start = Clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

std::vector<std::vector<std::byte>> load_bodies(const fs::path& folder) {
  std::vector<std::vector<std::byte>> files;
  std::error_code error;
  if (fs::is_directory(folder, error))
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".nif")
        if (auto bytes = read_file(entry.path())) files.push_back(std::move(*bytes));
  if (files.empty()) {
    std::printf("no bodies below %s: measuring small ones that the project makes\n", folder.string().c_str());
    for (const test::BodyKind& kind : test::body_kinds()) files.push_back(write_nif(test::sample_body(kind)));
  }
  return files;
}

void bench_reading(const fs::path& folder) {
  const auto files = load_bodies(folder);
  std::size_t bytes = 0, vertices = 0, largest = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    bytes += files[i].size();
    if (files[i].size() > files[largest].size()) largest = i;
  }
  const auto read_all = [&](std::span<const std::vector<std::byte>> some) {
    vertices = 0;
    for (const auto& file : some) {
      const auto nif = read_nif(file);
      if (!nif) continue;
      if (const auto shapes = read_shapes(*nif))
        for (const BodyShape& shape : *shapes) vertices += shape.positions.size();
    }
  };
  std::vector<std::byte> copy(bytes);
  const double copying = best_of(50, [&] {
    std::size_t at = 0;
    for (const auto& file : files) std::memcpy(copy.data() + at, file.data(), file.size()), at += file.size();
  });
  const double one = best_of(50, [&] { read_all(std::span(files).subspan(largest, 1)); });
  std::printf("largest body: %zu bytes, %zu vertices, %.0f MB/s\n", files[largest].size(), vertices,
              static_cast<double>(files[largest].size()) / one / 1e6);
  const double all = best_of(20, [&] { read_all(files); });
  std::printf("%zu bodies: %zu bytes, %zu vertices, %.0f MB/s; memcpy %.0f MB/s\n", files.size(), bytes, vertices,
              static_cast<double>(bytes) / all / 1e6, static_cast<double>(bytes) / copying / 1e6);
}

// The formula as it is written, one vertex after the other.
void skin_plainly(const SkinningJob& job) {
  for (std::size_t i = 0; i < job.positions.size(); ++i) {
    const VertexWeights& own = job.weights[i];
    float total = 0.0f;
    for (const float weight : own.weights) total += weight;
    Vec4 sum(0.0f);
    for (std::size_t k = 0; k < 4; ++k)
      if (own.weights[k] > 0.0f)
        sum += own.weights[k] / total * (job.bones[own.bones[k]] * Vec4(job.positions[i], 1.0f));
    job.moved[i] = Vec3(sum);
  }
}

void bench_skinning() {
  constexpr std::size_t kVertices = 10'000, kBones = 80;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> number(-1.0f, 1.0f);
  std::vector<Mat4> bones(kBones);
  for (Mat4& bone : bones)
    for (int i = 0; i < 16; ++i) bone[i / 4][i % 4] = number(random);
  std::vector<Vec3> positions(kVertices), normals(kVertices), moved(kVertices), turned(kVertices);
  std::vector<VertexWeights> weights(kVertices);
  for (std::size_t i = 0; i < kVertices; ++i) {
    positions[i] = normals[i] = {number(random), number(random), number(random)};
    for (std::size_t k = 0; k < 4; ++k) {
      weights[i].bones[k] = static_cast<std::uint16_t>(random() % kBones);
      weights[i].weights[k] = 1.0f + number(random);
    }
  }
  const SkinningJob job{bones, positions, weights, moved};
  const SkinningJob with_normals{bones, positions, weights, moved, normals, turned};
  const SkinningArrays arrays{reinterpret_cast<const float*>(bones.data()),
                              reinterpret_cast<const float*>(positions.data()),
                              nullptr,
                              reinterpret_cast<const std::byte*>(weights.data()),
                              reinterpret_cast<float*>(moved.data()),
                              nullptr,
                              kVertices};
  const double plain = best_of(300, [&] { skin_plainly(job); });
  const double portable = best_of(300, [&] { skin_portable(arrays); });
  const double best = best_of(300, [&] { job.run(); });
  const double both = best_of(300, [&] { with_normals.run(); });
  const std::size_t bytes = kVertices * (sizeof(Vec3) + sizeof(VertexWeights) + sizeof(Vec3));
  std::vector<std::byte> from(bytes), to(bytes);
  const double copying = best_of(300, [&] { std::memcpy(to.data(), from.data(), bytes); });
  std::printf(
      "skinning %zu vertices with %zu bones: %.1f us; with normals %.1f us; portable kernel %.1f us; plain loop "
      "%.1f us; memcpy of the same bytes %.1f us\n",
      kVertices, kBones, best * 1e6, both * 1e6, portable * 1e6, plain * 1e6, copying * 1e6);
}

}  // namespace

int main(int count, char** arguments) {
  bench_reading(count > 1 ? arguments[1] : "../shared/characters/body");
  bench_skinning();
}
