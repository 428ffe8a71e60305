/* SPDX-License-Identifier: MIT */
/* Instead of userprintf_r.c, userprintf_rbox_r.c and usermem_r.c of qhull: in a module there is nowhere to print to. */
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
void qh_fprintf_stderr(int code, const char* format, ...) {
  (void)code;
  (void)format;
}
void qh_exit(int code) { exit(code); }
void qh_free(void* memory) { free(memory); }
void* qh_malloc(size_t size) { return malloc(size); }
