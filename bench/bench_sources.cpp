// SPDX-License-Identifier: MIT
// Where files lie and motion comes from: listing an archive of 2 GB that has holes instead of data, unpacking archives,
// and reading FBX and BVH, each beside memcpy of the bytes that come out; then what they cost against their size.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "archive/names.h"
#include "archive/pack.h"
#include "core/byte_writer.h"
#include "exchange/bvh/read.h"
#include "exchange/fbx/read.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"
#include "ops/archive/archive.h"
#include "support/fbx_sample.h"

using namespace marrow;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kFolders = 200, kFilesPerFolder = 100, kFileBytes = 100'000;

template <class Work>
double milliseconds(int times, const Work& work) {
  double best = 1e9;
  for (int i = 0; i < times; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

long peak_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// A BSA of 20,000 files of 100 KB whose data are holes: 2 GB that take no room on the disk.
fs::path sparse_archive() {
  struct Folder {
    std::string name;
    std::map<std::uint64_t, std::string> files;
  };
  std::map<std::uint64_t, Folder> folders;
  std::uint32_t folder_names = 0, file_names = 0;
  for (std::size_t i = 0; i < kFolders; ++i) {
    Folder folder{"meshes\\actors\\creature" + std::to_string(i) + "\\animations", {}};
    folder_names += static_cast<std::uint32_t>(folder.name.size() + 1);
    for (std::size_t k = 0; k < kFilesPerFolder; ++k) {
      std::string name = "attack_power_forward" + std::to_string(k) + ".hkx";
      file_names += static_cast<std::uint32_t>(name.size() + 1);
      folder.files[archive::bsa_file_hash(name)] = std::move(name);
    }
    folders[archive::bsa_folder_hash(folder.name)] = std::move(folder);
  }
  ByteWriter out;
  out.text({"BSA\0", 4});
  for (const std::uint32_t value :
       {105u, 36u, 3u, static_cast<std::uint32_t>(kFolders), static_cast<std::uint32_t>(kFolders * kFilesPerFolder),
        folder_names, file_names, 1u})
    out.u32(value);
  std::uint64_t block = 36 + kFolders * 24;
  for (const auto& [hash, folder] : folders) {
    out.u64(hash);
    out.u32(kFilesPerFolder);
    out.u32(0);
    out.u64(block + file_names);
    block += 2 + folder.name.size() + kFilesPerFolder * 16;
  }
  std::uint64_t data = block + file_names;
  for (const auto& [hash, folder] : folders) {
    out.u8(static_cast<std::uint8_t>(folder.name.size() + 1));
    out.text(folder.name);
    out.u8(0);
    for (const auto& [file_hash, name] : folder.files) {
      out.u64(file_hash);
      out.u32(kFileBytes);
      out.u32(static_cast<std::uint32_t>(data));
      data += kFileBytes;
    }
  }
  for (const auto& [hash, folder] : folders)
    for (const auto& [file_hash, name] : folder.files) {
      out.text(name);
      out.u8(0);
    }
  const std::vector<std::byte> tables = out.take();
  const auto written = write_new_file(fs::temp_directory_path(), "marrow-bench", ".bsa", tables);
  if (!written) std::abort();
  fs::resize_file(*written, data);
  return *written;
}

void list_sparse() {
  const fs::path path = sparse_archive();
  const long before = peak_kilobytes();
  std::size_t files = 0;
  const double once = milliseconds(1, [&] {
    const auto archive = archive::open_archive(*open_source(path));
    files = list_archive(*archive, {}).files.size();
  });
  const long after = peak_kilobytes();
  std::printf("list %zu files of an archive of %.1f GB: %.1f ms (aim 100), %.1f MB of memory (aim 32)\n", files,
              static_cast<double>(fs::file_size(path)) / 1e9, once, static_cast<double>(after - before) / 1024.0);
  fs::remove(path);
}

void row(const char* what, std::size_t bytes, double time, double copy) {
  std::printf("%-34s %9.0f MB/s  %7.1f times memcpy\n", what, static_cast<double>(bytes) / 1e3 / time, time / copy);
}

double copy_time(std::size_t bytes) {
  const std::vector<std::byte> from(bytes, std::byte{1});
  std::vector<std::byte> to(bytes);
  return milliseconds(20, [&] {
    std::memcpy(to.data(), from.data(), bytes);
    __asm__ volatile("" : : "r"(to.data()) : "memory");
  });
}

void unpack_archives() {
  // Half of each file repeats, as motion and meshes do.
  std::vector<std::byte> content(4 << 20);
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < content.size(); ++i) {
    state = state * 1664525 + 1013904223;
    content[i] = i % 64 < 32 ? static_cast<std::byte>(i % 16) : static_cast<std::byte>(state >> 24);
  }
  const archive::PackFile file{"meshes/a.hkx", [&]() -> Result<std::vector<std::byte>> { return content; }};
  const double copy = copy_time(content.size());
  for (const auto& [what, game, compress] : {std::tuple("read a stored file", Game::SkyrimLe, false),
                                             std::tuple("unpack zlib (BSA 104)", Game::SkyrimLe, true),
                                             std::tuple("unpack LZ4 (BSA 105)", Game::SkyrimSe, true),
                                             std::tuple("unpack zlib (BA2)", Game::Fallout4, true)}) {
    const auto packed = archive::pack_archive({&file, 1}, {.game = game, .compress = compress});
    const auto archive = archive::open_archive(std::make_shared<const MemorySource>(*packed));
    const double time = milliseconds(5, [&] { (void)archive::read_entry(*archive, archive->entries.front()); });
    row(what, content.size(), time, copy);
  }
}

// A chain of bones whose rotations have so many keys each.
test::FbxScene keyed_chain(int bone_count, int key_count) {
  test::FbxScene scene;
  std::vector<std::int64_t> bones;
  for (int i = 0; i < bone_count; ++i)
    bones.push_back(scene.model("Bone" + std::to_string(i), "LimbNode", i == 0 ? 0 : bones.back()));
  const auto layer = scene.layer(scene.stack("Take", 0, key_count / 30.0));
  for (const auto bone : bones)
    for (const char* axis : {"d|X", "d|Y", "d|Z"}) {
      std::vector<test::FbxKey> keys;
      for (int k = 0; k < key_count; ++k)
        keys.push_back({.seconds = k / 30.0, .value = static_cast<double>(k % 90), .flags = 0x8});
      scene.curve(layer, bone, "Lcl Rotation", axis, keys);
    }
  return scene;
}

// The same as a BVH: a chain of joints, and so many frames.
std::string captured_chain(int joints, int frames) {
  std::string bvh =
      "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n";
  for (int i = 1; i < joints; ++i)
    bvh += "JOINT J" + std::to_string(i) + "\n{\nOFFSET 0 10 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n";
  bvh += "End Site\n{\nOFFSET 0 1 0\n}\n";
  for (int i = 0; i < joints; ++i) bvh += "}\n";
  bvh += "MOTION\nFrames: " + std::to_string(frames) + "\nFrame Time: 0.0333333\n";
  for (int f = 0; f < frames; ++f) {
    for (int i = 0; i < 3 * joints + 3; ++i) bvh += std::to_string((f * 7 + i) % 180) + ".25 ";
    bvh += "\n";
  }
  return bvh;
}

void read_motion() {
  const test::FbxScene scene = keyed_chain(60, 1800);
  const std::string bvh = captured_chain(60, 1800);
  Notes notes;
  const auto binary = test::fbx_binary(scene.records(7400), 7400, true);
  const std::string text = test::fbx_text(scene.records(7400), 7400);
  std::shared_ptr<const MotionSource> source;
  for (const auto& [what, bytes] : {std::pair("read FBX, binary", std::span<const std::byte>(binary)),
                                    std::pair("read FBX, text", as_bytes(text))}) {
    const double time = milliseconds(3, [&] { source = *fbx::read_fbx(bytes, {}, notes); });
    row(what, bytes.size(), time, copy_time(bytes.size()));
  }
  const double sampled = milliseconds(3, [&] { (void)clip_from(*source, 0, 30.0, {}, {}); });
  row("sample FBX curves, 60 bones", 1801 * 60 * sizeof(Transform), sampled, copy_time(1801 * 60 * sizeof(Transform)));
  const double time = milliseconds(3, [&] { source = *bvh::read_bvh(bvh, {}, notes); });
  row("read BVH", bvh.size(), time, copy_time(bvh.size()));
}

// Cost per byte over three decades of size: a reader that is not linear shows here.
template <class Work>
void growth_row(const char* what, const Work& make_and_read) {
  std::printf("%-34s", what);
  for (const int times : {1, 10, 100, 1000}) {
    const auto [bytes, best] = make_and_read(times);
    std::printf("  %8zu KB %6.2f", bytes / 1024, best * 1e6 / static_cast<double>(bytes));
  }
  std::printf("\n");
}

void grow() {
  std::printf("\ncost against size, nanoseconds per byte\n");
  Notes notes;
  growth_row("read FBX, binary", [&](int times) {
    const auto file = test::fbx_binary(keyed_chain(3, 20 * times).records(7400), 7400, false);
    return std::pair(file.size(), milliseconds(3, [&] { (void)fbx::read_fbx(file, {}, notes); }));
  });
  growth_row("read FBX, text", [&](int times) {
    const std::string file = test::fbx_text(keyed_chain(3, 20 * times).records(7400), 7400);
    return std::pair(file.size(), milliseconds(3, [&] { (void)fbx::read_fbx(as_bytes(file), {}, notes); }));
  });
  growth_row("read BVH", [&](int times) {
    const std::string file = captured_chain(10, 20 * times);
    return std::pair(file.size(), milliseconds(3, [&] { (void)bvh::read_bvh(file, {}, notes); }));
  });
  for (const auto& [what, game] :
       {std::pair("open a BSA of small files", Game::SkyrimSe), std::pair("open a BA2 of small files", Game::Fallout4)})
    growth_row(what, [&](int times) {
      std::vector<archive::PackFile> files;
      for (int i = 0; i < 20 * times; ++i)
        files.push_back({"meshes/actors/creature" + std::to_string(i / 100) + "/attack" + std::to_string(i) + ".hkx",
                         []() -> Result<std::vector<std::byte>> { return std::vector<std::byte>(8); }});
      const auto file = std::make_shared<const MemorySource>(*archive::pack_archive(files, {.game = game}));
      return std::pair(static_cast<std::size_t>(file->size()),
                       milliseconds(3, [&] { (void)archive::open_archive(file); }));
    });
}

}  // namespace

int main() {
  list_sparse();
  unpack_archives();
  read_motion();
  grow();
}
