# SPDX-License-Identifier: MIT
# Mathematics by musl, compiled here. mingw-w64 leaves sines to the processor's oldest unit, which is wrong in the fifth
# digit near multiples of pi; simulations and round shapes would differ from those of every other system.
include(DebianSource)

marrow_debian_source(musl musl_folder)
set(musl_sources
  __rem_pio2 __rem_pio2_large
  __math_divzero __math_divzerof __math_invalid __math_invalidf __math_oflow __math_oflowf __math_uflow __math_uflowf
  __math_xflow __math_xflowf
  acosf asinf atan atan2f atanf exp exp2f_data exp_data expf fmod fmodf pow pow_data powf powf_data remainder
  remainderf remquo remquof)
# What exact_math.c defines with their help.
set(musl_helpers acos asin atan2 hypot)
set(exact_math ${CMAKE_SOURCE_DIR}/cmake/windows/exact_math.c)
list(TRANSFORM musl_sources PREPEND ${musl_folder}/src/math/)
list(TRANSFORM musl_sources APPEND .c)
foreach(name ${musl_helpers})
  set(source ${musl_folder}/src/math/${name}.c)
  list(APPEND musl_sources ${source})
  set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS ${name}=musl_${name})
endforeach()
add_library(musl_math STATIC ${musl_sources} ${exact_math})
target_include_directories(musl_math PRIVATE ${CMAKE_SOURCE_DIR}/cmake/windows/include ${musl_folder}/src/internal)
target_compile_options(musl_math PRIVATE -std=gnu11 -w -ffp-contract=off -fno-builtin -Dhidden=
                                         "SHELL:-idirafter ${musl_folder}/arch/generic")
set_source_files_properties(${exact_math} PROPERTIES COMPILE_OPTIONS "-Wall;-Wextra")
