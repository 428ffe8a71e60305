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
  if(CMAKE_SYSTEM_NAME STREQUAL "WASI")
    # Sizes have 64 bits where they are checked against the limits, and 32 in memory. Both are checked by the builds in
    # which they are equal.
    target_compile_options(${target} PRIVATE -Wno-shorten-64-to-32 -Wno-sign-conversion)
  endif()
endfunction()

# What is built by default is hardened as what is shipped: files come from strangers. Sanitizers check more than this and
# do not go with it; wasm and mingw have none of it.
function(marrow_harden)
  if(NOT MARROW_HARDEN OR WIN32 OR CMAKE_SYSTEM_NAME STREQUAL "WASI" OR CMAKE_CXX_FLAGS MATCHES "-fsanitize" OR
     CMAKE_BUILD_TYPE STREQUAL "Debug")
    return()
  endif()
  add_compile_options(-fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    add_compile_options(-fcf-protection=full)
  endif()
  if(NOT APPLE)
    add_link_options(-Wl,-z,relro,-z,now)
  endif()
endfunction()

# The library promises not to throw, and not to need run-time type information (scripts/check_layers.py and the other
# builds hold it to that). Where the program caps its memory, an allocation that is refused has to pass through: with
# MARROW_UNWIND it frees what the library held, so that only the file at hand fails. Floating point is evaluated as it is
# written: a fused multiply-add would give other bits on other machines. Nobody reads errno after a square root: without
# it, values are computed side by side.
function(marrow_library_flags target)
  marrow_warnings(${target})
  target_compile_options(${target} PRIVATE -fno-rtti -ffp-contract=off -fno-math-errno)
  if(NOT MARROW_UNWIND)
    target_compile_options(${target} PRIVATE -fno-exceptions)
  endif()
  marrow_fast_build(${target})
endfunction()

# Half the time of a build is the front end reading the same standard headers. They are compiled once per target, and
# the sources of a target are compiled several to a unit. MARROW_UNITY=OFF compiles each source alone: slower as a
# whole, faster for who edits one file, and the proof that each includes what it uses.
function(marrow_fast_build target)
  if(NOT MARROW_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON)
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <cstdint> <expected> <functional> <map>
    <memory> <optional> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>)
endfunction()

# Sources of a room share units with each other only, twelve at a time.
set(MARROW_UNITY_SIZE 12 CACHE STRING "Sources per unit of a room")
function(marrow_unity_groups room)
  get_property(count GLOBAL PROPERTY marrow_sources_of_${room})
  if(NOT count)
    set(count 0)
  endif()
  foreach(source ${ARGN})
    math(EXPR group "${count} / ${MARROW_UNITY_SIZE}")
    set_source_files_properties(${source} TARGET_DIRECTORY marrow PROPERTIES UNITY_GROUP ${room}_${group})
    math(EXPR count "${count} + 1")
  endforeach()
  set_property(GLOBAL PROPERTY marrow_sources_of_${room} ${count})
endfunction()

# marrow_room(core HEADERS error.h ... SOURCES error.cpp ...): headers live in include/marrow/<room>, sources here.
function(marrow_room room)
  cmake_parse_arguments(ARG "" "" "HEADERS;SOURCES" ${ARGN})
  list(TRANSFORM ARG_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/include/marrow/${room}/)
  list(TRANSFORM ARG_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/src/${room}/)
  target_sources(marrow PRIVATE ${ARG_SOURCES})
  marrow_unity_groups(${room} ${ARG_SOURCES})
  target_sources(marrow PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${ARG_HEADERS})
endfunction()

# What is tested is optimised; the tests themselves only have to compile soon.
function(marrow_test_flags target)
  marrow_warnings(${target})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)  # one precompiled header serves all
  target_compile_options(${target} PRIVATE -O1)
endfunction()

# marrow_test(unit_core a_test.cpp ...): one doctest program, one ctest entry.
function(marrow_test name)
  add_executable(test_${name} ${ARGN})
  marrow_test_flags(test_${name})
  if(MARROW_UNITY)
    set_target_properties(test_${name} PROPERTIES UNITY_BUILD ON)
    target_precompile_headers(test_${name} REUSE_FROM test_support)
  endif()
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(test_${name} PRIVATE marrow test_support test_main)
  add_test(NAME ${name} COMMAND test_${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  if(name MATCHES "^unit_")
    add_dependencies(unit_tests test_${name})
  endif()
endfunction()

# marrow_fuzz(packfile mutate_packfile.cpp): fuzz/packfile.cpp, with a mutator of its own if it has one, as a libFuzzer
# program if asked for. In every test run its seeds (fuzz/seeds/packfile/*) are replayed, damaged and mutated.
function(marrow_fuzz name)
  if(MARROW_BUILD_FUZZ)
    add_executable(fuzz_${name} ${name}.cpp ${ARGN})
    target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(fuzz_${name} PRIVATE marrow)
    add_dependencies(fuzz_targets fuzz_${name})
  endif()
  if(MARROW_BUILD_TESTS)
    add_executable(replay_${name} ${name}.cpp ${ARGN} ${PROJECT_SOURCE_DIR}/fuzz/replay.cpp)
    target_compile_definitions(replay_${name} PRIVATE MARROW_FUZZ_REPLAY)
    target_link_libraries(replay_${name} PRIVATE marrow)
    add_test(NAME fuzz_replay_${name} COMMAND replay_${name} ${PROJECT_SOURCE_DIR}/fuzz/seeds/${name}
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  endif()
endfunction()
