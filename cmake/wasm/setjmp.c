/* SPDX-License-Identifier: MIT */
/* The runtime behind clang's -wasm-enable-sjlj: a jump is an exception that the function with the label catches. */
#include <setjmp.h>

__asm__(
    ".globl __c_longjmp\n"
    ".tagtype __c_longjmp i32\n"
    "__c_longjmp:\n");

enum { kLongjmpTag = 1 };

void __wasm_setjmp(void* environment, unsigned label, void* invocation) {
  jmp_buf* buffer = environment;
  (*buffer)->invocation = invocation;
  (*buffer)->label = label;
}

unsigned __wasm_setjmp_test(void* environment, void* invocation) {
  jmp_buf* buffer = environment;
  return (*buffer)->invocation == invocation ? (*buffer)->label : 0;
}

_Noreturn void __wasm_longjmp(void* environment, int value) {
  jmp_buf* buffer = environment;
  (*buffer)->argument.environment = environment;
  (*buffer)->argument.value = value == 0 ? 1 : value;
  __builtin_wasm_throw(kLongjmpTag, &(*buffer)->argument);
  __builtin_unreachable();
}
