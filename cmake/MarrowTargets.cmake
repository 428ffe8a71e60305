# SPDX-License-Identifier: MIT
# How targets are declared: the flags of the house, a room of the library, a test, a fuzz target.

function(marrow_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ 12 sees dangling and out-of-bounds accesses in its own std::string and std::variant at -O2.
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow
                                             -Wno-stringop-overread)
  else()
    # clang sees libstdc++ 12's own use of a deprecated function in std::stable_sort, and counts the characters of the
    # class tables.
    target_compile_options(${target} PRIVATE -Wno-deprecated-declarations -Wno-overlength-strings)
  endif()
endfunction()

# The library promises not to throw, and not to need run-time type information. Floating point is evaluated as it is
# written: a fused multiply-add would give other bits on other machines.
function(marrow_library_flags target)
  marrow_warnings(${target})
  target_compile_options(${target} PRIVATE -fno-exceptions -fno-rtti -ffp-contract=off)
endfunction()

# marrow_room(core HEADERS error.h ... SOURCES error.cpp ...): headers live in include/marrow/<room>, sources here.
function(marrow_room room)
  cmake_parse_arguments(ARG "" "" "HEADERS;SOURCES" ${ARGN})
  list(TRANSFORM ARG_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/include/marrow/${room}/)
  list(TRANSFORM ARG_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/src/${room}/)
  target_sources(marrow PRIVATE ${ARG_SOURCES})
  target_sources(marrow PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${ARG_HEADERS})
endfunction()

# marrow_test(unit_core a_test.cpp ...): one doctest program, one ctest entry.
function(marrow_test name)
  add_executable(test_${name} ${ARGN})
  marrow_warnings(test_${name})
  # What is tested is optimised; the tests themselves only have to compile soon.
  target_compile_options(test_${name} PRIVATE -O1)
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(test_${name} PRIVATE marrow test_support)
  add_test(NAME ${name} COMMAND test_${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endfunction()

# marrow_fuzz(packfile): fuzz/packfile.cpp as a libFuzzer program where asked for; in every test run its seeds
# (fuzz/seeds/packfile/*, and what the target makes itself) are replayed.
function(marrow_fuzz name)
  if(MARROW_BUILD_FUZZ)
    add_executable(fuzz_${name} ${name}.cpp)
    target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(fuzz_${name} PRIVATE marrow)
  endif()
  if(MARROW_BUILD_TESTS)
    add_executable(replay_${name} ${name}.cpp ${PROJECT_SOURCE_DIR}/fuzz/replay.cpp)
    target_link_libraries(replay_${name} PRIVATE marrow)
    add_test(NAME fuzz_replay_${name} COMMAND replay_${name} ${PROJECT_SOURCE_DIR}/fuzz/seeds/${name}
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  endif()
endfunction()
