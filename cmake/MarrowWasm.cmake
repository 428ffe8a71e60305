# SPDX-License-Identifier: MIT
# What the library needs for wasm: dependencies that are compiled here, and headers of just the ones that are not.
include(DebianSource)

# A folder with links to single libraries: /usr/include itself would hide what wasi-libc lacks behind glibc's headers.
set(links ${CMAKE_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${links})
foreach(header fast_float glm nlohmann tiny_gltf.h)
  if(NOT EXISTS /usr/include/${header})
    message(FATAL_ERROR "/usr/include/${header} is missing; run scripts/setup build wasm")
  endif()
  file(CREATE_LINK /usr/include/${header} ${links}/${header} SYMBOLIC)
endforeach()
include_directories(SYSTEM ${CMAKE_SOURCE_DIR}/cmake/wasm/include ${links})
add_compile_options(-msimd128 -fvisibility=hidden -ffunction-sections -fdata-sections)

marrow_debian_source(pugixml pugixml_folder)
add_library(pugixml STATIC ${pugixml_folder}/src/pugixml.cpp)
target_include_directories(pugixml SYSTEM PUBLIC ${pugixml_folder}/src)
target_compile_definitions(pugixml PUBLIC PUGIXML_NO_EXCEPTIONS PUGIXML_NO_XPATH)
target_compile_options(pugixml PRIVATE -fno-exceptions -fno-rtti)

# Debian's qhull jumps out of its errors; only it is compiled with what that takes.
marrow_debian_source(qhull qhull_folder)
set(qhull_sources geom_r geom2_r global_r io_r libqhull_r mem_r merge_r poly_r poly2_r qset_r random_r stat_r
    user_r usermem_r userprintf_r userprintf_rbox_r)
list(TRANSFORM qhull_sources PREPEND ${qhull_folder}/src/libqhull_r/)
list(TRANSFORM qhull_sources APPEND .c)
add_library(qhull_r STATIC ${qhull_sources} ${CMAKE_SOURCE_DIR}/cmake/wasm/setjmp.c)
add_library(Qhull::qhull_r ALIAS qhull_r)
target_include_directories(qhull_r SYSTEM PUBLIC ${qhull_folder}/src)
target_compile_definitions(qhull_r PRIVATE _WASI_EMULATED_PROCESS_CLOCKS)
target_compile_options(qhull_r PRIVATE -w -mexception-handling "SHELL:-mllvm -wasm-enable-sjlj")

add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
