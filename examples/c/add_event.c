/* SPDX-License-Identifier: MIT */
/* Adds an event to a clip and writes it, everything else byte for byte: add_event CLIP SECONDS TEXT OUT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "example.h"

int main(int argc, char** argv) {
  if (argc < 5) return fprintf(stderr, "usage: add_event CLIP SECONDS TEXT OUT\n"), 2;
  const marrow_document document = load_file(argv[1]);

  uint32_t count;
  check(marrow_get_annotations(document, 0, NULL, 0, &count));
  marrow_annotation* events = calloc(count + 1, sizeof *events);
  check(marrow_get_annotations(document, 0, events, count, &count));
  events[count].text.data = argv[3];
  events[count].text.size = strlen(argv[3]);
  events[count].time_seconds = (float)atof(argv[2]);
  check(marrow_set_annotations(document, 0, events, count + 1));
  free(events);

  save_document(document, NULL, argv[4]);
  marrow_release(document);
  return 0;
}
