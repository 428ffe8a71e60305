/* SPDX-License-Identifier: MIT */
/* Runs any operation on a file and prints its report: run_operation OPERATION ROLE FILE [OPTIONS_JSON] */
#include <stdio.h>

#include "example.h"

int main(int argc, char** argv) {
  if (argc < 4) return fprintf(stderr, "usage: run_operation OPERATION ROLE FILE [OPTIONS_JSON]\n"), 2;
  size_t size;
  void* bytes = read_file(argv[3], &size);
  const marrow_input input = {.role = argv[2], .name = argv[3], .bytes = bytes, .byte_count = size};
  marrow_result result;
  check(marrow_run(argv[1], argc > 4 ? argv[4] : NULL, &input, 1, NULL, NULL, &result));
  free(bytes);

  marrow_result_info info;
  check(marrow_get_result(result, &info));
  printf("%s\n", info.report.data);
  for (uint32_t i = 0; i < info.file_count; ++i) {
    marrow_file file;
    check(marrow_get_file(result, i, &file));
    fprintf(stderr, "would write %s%s, %zu bytes\n", file.name.data, file.extension.data, file.byte_count);
  }
  marrow_release(result);
  return 0;
}
