// SPDX-License-Identifier: MIT
// How reading, checking, merging and writing Anvil skeletons grow with the count of bones: twice the bones should take
// twice the time, up to the most that the games can count. Beside them, pugixml parses and saves the same bytes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "anvil/check.h"
#include "anvil/hierarchy.h"
#include "anvil/merge.h"
#include "anvil/xml.h"

using namespace marrow;
using namespace marrow::anvil;

namespace {

// Limbs of 40 bones on a spine; every eighth bone swings.
Skeleton make_rig(std::size_t count, std::uint64_t first_id, const std::string& prefix, bool addon) {
  Skeleton skeleton = make_skeleton();
  skeleton.id = first_id;
  skeleton.type = addon ? kCustomSkeleton : 0;
  skeleton.root = {first_id + 1};
  for (std::size_t i = 0; i < count; ++i) {
    Bone bone = make_bone();
    bone.id = first_id + 1 + i;
    const std::string name = i == 0 ? "Reference" : prefix + std::to_string(i);
    bone.name = {hash_of(name), name};
    bone.mirror = {bone.id};
    bone.local_position = Vec4(0.01f, 0, 0, 0);
    if (i > 0) bone.parent = {i % 40 == 1 ? first_id + 1 : bone.id - 1};
    if (i % 8 == 7) {
      anvil::Modifier swing = anvil::make_modifier(ModifierType::BallJoint);
      swing.id = first_id + 1'000'000 + i;
      swing.owner = {bone.id};
      std::get<BallJointModifier>(swing.data).constraint_angle = 15;
      bone.modifiers.push_back(std::move(swing));
    }
    skeleton.bones.push_back(std::move(bone));
  }
  set_global_rest(skeleton.bones[0], local_rest(skeleton.bones[0]));
  rebuild_globals(skeleton);
  return skeleton;
}

template <class Work>
double milliseconds(const Work& work) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    // Processor time: other programs on the machine do not count.
    const std::clock_t start = std::clock();
    work();
    best = std::min(best, 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

struct Saved : pugi::xml_writer {
  std::string text;
  void write(const void* data, std::size_t size) override { text.append(static_cast<const char*>(data), size); }
};

void parse_with_pugixml(const std::vector<std::byte>& bytes, pugi::xml_document& document) {
  if (!document.load_buffer(bytes.data(), bytes.size())) std::exit(1);
}

[[noreturn]] void stop(const char* what) {
  std::fprintf(stderr, "bench_anvil: %s failed\n", what);
  std::exit(1);
}

}  // namespace

int main() {
  const std::size_t sizes[] = {7'500, 15'000, 30'000, 60'000};
  const char* steps[] = {"read Standard", "read Schema",   "check",         "merge +1/12",  "write Standard",
                         "write Schema",  "pugi parse St", "pugi parse Sc", "pugi save St", "pugi save Sc"};
  std::vector<std::vector<double>> times(std::size(steps));
  for (const std::size_t size : sizes) {
    const Skeleton base = make_rig(size, 1, "Bone", false);
    const Skeleton addon = make_rig(size / 12, 10'000'000, "Addon", true);
    const WriteOptions schema{.dialect = Dialect::Schema, .game = Game::Unity};
    const auto standard_bytes = write_xml(base), schema_bytes = write_xml(base, schema);
    if (!standard_bytes || !schema_bytes) stop("write");
    const Part part{&addon, "addon"};
    std::size_t at = 0;
    const auto measure = [&](auto work) { times[at++].push_back(milliseconds(work)); };
    measure([&] {
      if (!read_xml(*standard_bytes)) stop("read");
    });
    measure([&] {
      if (!read_xml(*schema_bytes)) stop("read");
    });
    measure([&] {
      if (has_errors(check(base, {.game = Game::Unity}))) stop("check");
    });
    measure([&] {
      if (!merge(base, std::span(&part, 1), {.game = Game::Unity}).succeeded()) stop("merge");
    });
    measure([&] {
      if (!write_xml(base)) stop("write");
    });
    measure([&] {
      if (!write_xml(base, schema)) stop("write");
    });
    pugi::xml_document standard_tree, schema_tree;
    measure([&] { parse_with_pugixml(*standard_bytes, standard_tree); });
    measure([&] { parse_with_pugixml(*schema_bytes, schema_tree); });
    measure([&] {
      Saved saved;
      standard_tree.save(saved, "\t", pugi::format_default, pugi::encoding_utf16_le);
    });
    measure([&] {
      Saved saved;
      schema_tree.save(saved, "  ", pugi::format_default, pugi::encoding_utf8);
    });
  }
  std::printf("%-16s", "milliseconds");
  for (const std::size_t size : sizes) std::printf("%12zu", size);
  std::printf("   growth for twice the bones\n");
  for (std::size_t i = 0; i < std::size(steps); ++i) {
    std::printf("%-16s", steps[i]);
    for (const double time : times[i]) std::printf("%12.1f", time);
    std::printf("  ");
    for (std::size_t k = 1; k < times[i].size(); ++k) std::printf(" x%.2f", times[i][k] / times[i][k - 1]);
    std::printf("\n");
  }
  const auto ratio = [&](std::size_t step, std::size_t peer) { return times[step].back() / times[peer].back(); };
  std::printf("times pugixml at %zu bones: read Standard %.2f, Schema %.2f; write Standard %.2f, Schema %.2f\n",
              sizes[std::size(sizes) - 1], ratio(0, 6), ratio(1, 7), ratio(4, 8), ratio(5, 9));
}
