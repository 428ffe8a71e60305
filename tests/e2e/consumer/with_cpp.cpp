// SPDX-License-Identifier: MIT
// Prints how many clips a file has, and how large it is as XML: with_cpp FILE
#include <cstdio>

#include "marrow/marrow.h"
#include "marrow/ops/document/load.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto file = marrow::load_file(argv[1]);
  if (!file) return std::fprintf(stderr, "%s\n", file.error().message.c_str()), 1;
  marrow::Context context;
  const auto files =
      marrow::save(file->document(), {.format = marrow::Format::Xml}, context);  // needs pugixml, linked in
  if (!files) return std::fprintf(stderr, "%s\n", files.error().message.c_str()), 1;
  std::printf("%zu clips, %zu bytes of XML\n", file->document().clips.size(), files->front().bytes.size());
}
