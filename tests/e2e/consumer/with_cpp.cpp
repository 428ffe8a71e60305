// SPDX-License-Identifier: MIT
// Prints how many clips a file has, and how large it is as XML: with_cpp FILE
#include <cstdio>

#include "marrow/core/file.h"
#include "marrow/marrow.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto bytes = marrow::read_file(argv[1]);
  if (!bytes) return 1;
  marrow::Context context;
  const auto document = marrow::load(*bytes, {.name = argv[1]}, context);
  if (!document) return std::fprintf(stderr, "%s\n", document.error().message.c_str()), 1;
  const auto files = marrow::save(*document, {.format = marrow::Format::Xml}, context);  // needs pugixml, linked in
  if (!files) return std::fprintf(stderr, "%s\n", files.error().message.c_str()), 1;
  std::printf("%zu clips, %zu bytes of XML\n", document->clips.size(), files->front().bytes.size());
}
