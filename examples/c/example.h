/* SPDX-License-Identifier: MIT */
/* What the examples share: files, and ending with a message. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <marrow/marrow_c.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program with the last error, as `file:offset: path: message`. */
static inline void check(marrow_status status) {
  if (status == MARROW_OK) return;
  marrow_error error;
  marrow_last_error(&error);
  if (error.file.size) fprintf(stderr, "%s:", error.file.data);
  if (error.offset != MARROW_NO_OFFSET) fprintf(stderr, "%llu:", (unsigned long long)error.offset);
  if (error.path.size) fprintf(stderr, " %s:", error.path.data);
  fprintf(stderr, " %s\n", error.message.data);
  exit(1);
}

static inline void* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (!file) perror(path), exit(1);
  char* bytes = NULL;
  *size = 0;
  for (size_t got = 1; got > 0; *size += got) {
    bytes = realloc(bytes, *size + 65536);
    if (!bytes) perror(path), exit(1);
    got = fread(bytes + *size, 1, 65536, file);
  }
  fclose(file);
  return bytes;
}

static inline marrow_document load_file(const char* path) {
  marrow_document document;
  check(marrow_load_file(path, NULL, &document));
  return document;
}

/* Writes a document; `options` as those of the operation `convert`. */
static inline void save_document(marrow_document document, const char* options, const char* path) {
  marrow_result result;
  marrow_file file;
  check(marrow_save(document, options, NULL, NULL, &result));
  check(marrow_get_file(result, 0, &file));
  FILE* out = fopen(path, "wb");
  if (!out || fwrite(file.bytes, 1, file.byte_count, out) != file.byte_count || fclose(out)) perror(path), exit(1);
  marrow_release(result);
}

#endif
