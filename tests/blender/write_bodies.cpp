// SPDX-License-Identifier: MIT
// Writes the small bodies of each kind that the tests in Blender take: write_bodies FOLDER
#include <cstdio>
#include <filesystem>
#include <string>

#include "marrow/core/file.h"
#include "support/body_sample.h"

using namespace marrow;

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::filesystem::path folder = arguments[1];
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  for (const test::BodyKind& kind : test::body_kinds()) {
    const std::string name = std::to_string(kind.stream) + "-" + std::string(kind.type) +
                             (kind.is_skinned ? "-skinned" : "-static") + ".nif";
    if (!write_file(folder / name, write_nif(test::sample_body(kind)))) {
      std::fprintf(stderr, "%s cannot be written\n", name.c_str());
      return 1;
    }
  }
  return 0;
}
