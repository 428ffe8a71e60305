# SPDX-License-Identifier: MIT
# Mathematics by musl, compiled here. mingw-w64 leaves sines to the processor's oldest unit, which is wrong in the fifth
# digit near multiples of pi; simulations and round shapes would differ from those of every other system.
include(DebianSource)

marrow_debian_source(musl musl_folder)
set(musl_sources
  __cos __cosdf __rem_pio2 __rem_pio2_large __rem_pio2f __sin __sindf
  __math_divzero __math_divzerof __math_invalid __math_invalidf __math_oflow __math_oflowf __math_uflow __math_uflowf
  __math_xflow __math_xflowf
  acos acosf asin asinf atan atan2 atan2f atanf cos cosf exp exp2f_data exp_data expf fmod fmodf hypot hypotf pow pow_data
  powf powf_data remainder remainderf remquo remquof sin sincos sincosf sinf)
list(TRANSFORM musl_sources PREPEND ${musl_folder}/src/math/)
list(TRANSFORM musl_sources APPEND .c)
add_library(musl_math STATIC ${musl_sources})
target_include_directories(musl_math PRIVATE ${CMAKE_SOURCE_DIR}/cmake/windows/include ${musl_folder}/src/internal)
target_compile_options(musl_math PRIVATE -std=gnu11 -w -ffp-contract=off -fno-builtin -Dhidden=
                                         "SHELL:-idirafter ${musl_folder}/arch/generic")
