# SPDX-License-Identifier: MIT
# What the library needs for wasm: dependencies that are compiled here, and headers of just the ones that are not.
include(CrossDependencies)

include_directories(SYSTEM ${CMAKE_SOURCE_DIR}/cmake/wasm/include)
marrow_header_links(fast_float glm nlohmann tiny_gltf.h)
# One thread, and a process that never ends: nothing guards what is made once, and nothing destroys it.
add_compile_options(-msimd128 -mnontrapping-fptoint -mbulk-memory -fvisibility=hidden -ffunction-sections -fdata-sections
                    -fno-threadsafe-statics $<$<COMPILE_LANGUAGE:CXX>:-fno-c++-static-destructors>)
# The linker sees the whole library: what the ABI does not reach goes, and equal functions become one.
# A call costs less here than LLVM believes.
add_compile_options(-flto "SHELL:-Xclang -fmerge-functions" "SHELL:-mllvm -inline-call-penalty=5")

marrow_pugixml_source()

# qhull jumps out of its errors; only it is compiled with what that takes.
add_library(wasm_runtime STATIC cmake/wasm/abort.cpp cmake/wasm/decimal.cpp cmake/wasm/sort.cpp cmake/wasm/setjmp.c cmake/wasm/thread_exit.c)
target_compile_options(wasm_runtime PRIVATE -fno-lto)
set_source_files_properties(cmake/wasm/setjmp.c PROPERTIES COMPILE_OPTIONS -mexception-handling)
include(QhullSource)
get_target_property(qhull_sources qhull_r SOURCES)
list(FILTER qhull_sources EXCLUDE REGEX "userprintf|usermem")
set_target_properties(qhull_r PROPERTIES SOURCES "${qhull_sources};${CMAKE_SOURCE_DIR}/cmake/wasm/silent_qhull.c")
target_link_libraries(qhull_r PUBLIC wasm_runtime)
target_compile_definitions(qhull_r PRIVATE _WASI_EMULATED_PROCESS_CLOCKS)
target_compile_options(qhull_r PRIVATE -fno-lto -mexception-handling "SHELL:-mllvm -wasm-enable-sjlj"
                                       "SHELL:-include ${CMAKE_SOURCE_DIR}/cmake/wasm/quiet_qhull.h")
target_compile_definitions(qhull_r PRIVATE qh_NOtrace)
# Without statistics its state has another layout, so that all who see it must know.
target_compile_definitions(qhull_r PUBLIC qh_KEEPstatistics=0)
set_source_files_properties(${qhull_folder}/src/libqhull_r/io_r.c PROPERTIES COMPILE_DEFINITIONS marrow_is_io)

# tinygltf is compiled in one place, with streams that need no locale.
function(marrow_wasm_streams)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/exchange/gltf/tiny.cpp TARGET_DIRECTORY marrow PROPERTIES
    COMPILE_OPTIONS "-isystem${CMAKE_SOURCE_DIR}/cmake/wasm/streams" SKIP_PRECOMPILE_HEADERS ON
    COMPILE_DEFINITIONS "JSON_NO_IO;JSON_HAS_FILESYSTEM=0;JSON_HAS_EXPERIMENTAL_FILESYSTEM=0")
endfunction()

# What runs for every actor in every frame is made for speed, all else for size.
function(marrow_wasm_hot_sources)
  foreach(source codec/sampler codec/sample_kernel_portable codec/compact_block codec/compile_clip model/pose model/transform model/skinning_kernel_portable
                 ops/clip/motion_sampler motion/evaluate)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/${source}.cpp TARGET_DIRECTORY marrow
                                PROPERTIES COMPILE_OPTIONS -O2 SKIP_UNITY_BUILD_INCLUSION ON
                                           SKIP_PRECOMPILE_HEADERS ON)
  endforeach()
endfunction()

# marrow_wasm_module(marrow_wasm marrow_c): marrow.wasm, which exports what marrow_c.h declares and nothing else.
function(marrow_wasm_module target library)
  add_executable(${target} ${CMAKE_SOURCE_DIR}/cmake/wasm/module.cpp)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME marrow)
  target_link_libraries(${target} PRIVATE ${library} wasm_runtime wasi-emulated-process-clocks)
  # -O0 is for the compiler's driver, which would run wasm-opt too.
  target_link_options(${target} PRIVATE -flto -O0 -Wl,-mllvm,-inline-call-penalty=5 -mexec-model=reactor -Wl,--gc-sections -Wl,--strip-all
                                        -Wl,-z,stack-size=1048576)
  set(header ${PROJECT_SOURCE_DIR}/include/marrow/marrow_c.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(STRINGS ${header} declarations REGEX "^MARROW_API .*marrow_[a-z_0-9]+\\(")
  foreach(declaration ${declarations})
    string(REGEX MATCH "marrow_[a-z_0-9]+\\(" name "${declaration}")
    string(REPLACE "(" "" name "${name}")
    target_link_options(${target} PRIVATE -Wl,--export=${name})
  endforeach()
  # Calls are as fast as before and the module is a tenth smaller. The first kilobyte of memory holds nothing (data start
  # at 1024), so that additions of small numbers become offsets of loads; the second round finds what that uncovers.
  find_program(WASM_OPT wasm-opt)
  if(WASM_OPT)
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND ${WASM_OPT} -Oz -Oz --low-memory-unused --enable-simd --enable-exception-handling --enable-bulk-memory --enable-sign-ext
              --enable-mutable-globals --enable-nontrapping-float-to-int $<TARGET_FILE:${target}> -o $<TARGET_FILE:${target}>)
  endif()
  find_program(NODE node)
  if(NODE)
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND ${NODE} ${CMAKE_SOURCE_DIR}/cmake/wasm/order.mjs $<TARGET_FILE:${target}>)
  endif()
endfunction()
