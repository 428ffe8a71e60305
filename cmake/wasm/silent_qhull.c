/* SPDX-License-Identifier: MIT */
/* What userprintf_r.c and userprintf_rbox_r.c of qhull print; in a module there is nowhere to print to. */
#undef qh_fprintf

void qh_fprintf(qhT* qh, FILE* file, int code, const char* format, ...) {
  (void)qh;
  (void)file;
  (void)code;
  (void)format;
}
void qh_fprintf_rbox(qhT* qh, FILE* file, int code, const char* format, ...) {
  (void)qh;
  (void)file;
  (void)code;
  (void)format;
}
