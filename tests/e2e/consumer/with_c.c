/* SPDX-License-Identifier: MIT */
/* Prints the version, and the frames of a clip: with_c CLIP */
#include <marrow/marrow_c.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  FILE* file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file) return 2;
  static unsigned char bytes[1 << 20];
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  marrow_document document;
  marrow_clip_info clip;
  if (marrow_load(bytes, size, argv[1], NULL, &document) || marrow_get_clip(document, 0, &clip)) return 1;
  printf("%s: %u frames\n", marrow_version(), clip.frame_count);
  marrow_release(document);
  return 0;
}
