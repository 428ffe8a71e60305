// SPDX-License-Identifier: MIT
// What libstdc++ and libgcc of the building system take from a newer glibc than users have, by older means, so that the
// library and the program load wherever glibc is 2.34 or newer (RHEL 9, Ubuntu 22.04). All of it is hidden: nobody else
// sees these names. `tests/unit/c/glibc_test.py` fails if a newer symbol comes in.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

#define HIDDEN __attribute__((visibility("hidden")))

// glibc 2.36. `std::random_device` asks for it.
HIDDEN uint32_t arc4random(void) {
  uint32_t out = 0;
  if (getrandom(&out, sizeof out, 0) != (ssize_t)sizeof out) abort();
  return out;
}

#if defined(__x86_64__)
// glibc 2.35 gave hypot a new version, which differs only in that it does not set errno.
double older_hypot(double x, double y);
__asm__(".symver older_hypot,hypot@GLIBC_2.2.5");
HIDDEN double hypot(double x, double y) { return older_hypot(x, y); }
#endif

struct search {
  uintptr_t address;
  struct dl_find_object* out;
};

static int look(struct dl_phdr_info* info, size_t size, void* state) {
  const struct search* search = state;
  uintptr_t begin = 0, end = 0, frames = 0;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* part = &info->dlpi_phdr[i];
    const uintptr_t start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_GNU_EH_FRAME) frames = start;
    if (part->p_type == PT_LOAD && search->address >= start && search->address - start < part->p_memsz) {
      begin = start;
      end = start + part->p_memsz;
    }
  }
  if (end == 0 || frames == 0) return 0;
  search->out->dlfo_flags = 0;
  search->out->dlfo_map_start = (void*)begin;
  search->out->dlfo_map_end = (void*)end;
  search->out->dlfo_link_map = NULL;
  search->out->dlfo_eh_frame = (void*)frames;
  return 1;
}

// glibc 2.35. libgcc finds the tables of an exception's frames with it, and looks at nothing but `dlfo_eh_frame`.
HIDDEN int _dl_find_object(void* address, struct dl_find_object* out) {
  struct search search = {(uintptr_t)address, out};
  return dl_iterate_phdr(look, &search) == 1 ? 0 : -1;
}
