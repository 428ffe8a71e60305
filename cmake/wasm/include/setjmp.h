/* SPDX-License-Identifier: MIT */
/* wasi-libc of Debian 12 has no setjmp; clang lowers it to exceptions and calls the three functions of setjmp.c. */
#ifndef MARROW_WASM_SETJMP_H
#define MARROW_WASM_SETJMP_H

typedef struct {
  void* invocation;
  unsigned label;
  struct {
    void* environment;
    int value;
  } argument;
} jmp_buf[1];

int setjmp(jmp_buf environment) __attribute__((returns_twice));
_Noreturn void longjmp(jmp_buf environment, int value);

#endif
