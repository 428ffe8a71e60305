# SPDX-License-Identifier: MIT
# marrow_runtime: what a game needs at run time, without any file format. Plays clips (marrow/motion/sampler.h, from
# values or from files that it saved) and evaluates bone modifiers (marrow/motion/evaluate.h). Its objects are sections
# per function, so that a program carries only what it calls.
set(runtime_sources
  core/byte_reader.cpp core/error.cpp core/finding.cpp core/hash.cpp core/limits.cpp core/text.cpp
  model/clip.cpp model/modifiers.cpp model/modifiers_fields.cpp model/pose.cpp model/skeleton.cpp model/transform.cpp
  codec/bspline.cpp codec/compact_block.cpp codec/compact_floats.cpp codec/compile_clip.cpp codec/compiled_file.cpp codec/control_points.cpp
  codec/packed_quaternion.cpp codec/sample_kernel_portable.cpp codec/sampler.cpp codec/spline_parser.cpp
  codec/stored_spline.cpp
  motion/compiled_rig.cpp motion/contacts.cpp motion/crowd.cpp motion/crowd_kernel_2.cpp motion/evaluate.cpp
  motion/frame_contacts.cpp motion/plan_contacts.cpp motion/sampler.cpp motion/sampler_file.cpp motion/schedule.cpp
  motion/state.cpp)
list(TRANSFORM runtime_sources PREPEND ${PROJECT_SOURCE_DIR}/src/)

# The solvers of modifiers, and the kernels of this processor, as the library has them.
get_target_property(library_sources marrow SOURCES)
list(FILTER library_sources INCLUDE REGEX "/(motion/solvers/.*|codec/sample_kernel_(avx2|sse4)|motion/crowd_kernel_[48])\\.cpp$")

add_library(marrow_runtime STATIC ${runtime_sources} ${library_sources})
add_library(marrow::runtime ALIAS marrow_runtime)
set_target_properties(marrow_runtime PROPERTIES EXPORT_NAME runtime)
marrow_library_flags(marrow_runtime)
set_target_properties(marrow_runtime PROPERTIES UNITY_BUILD_BATCH_SIZE 12)
target_compile_options(marrow_runtime PRIVATE -ffunction-sections -fdata-sections)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  target_compile_definitions(marrow_runtime PRIVATE MARROW_HAS_AVX2_KERNEL)
endif()
target_include_directories(marrow_runtime PRIVATE src PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                           $<INSTALL_INTERFACE:include>)
target_compile_features(marrow_runtime PUBLIC cxx_std_23)
if(TARGET musl_math)
  target_link_libraries(marrow_runtime PRIVATE $<BUILD_INTERFACE:musl_math>)
endif()
if(NOT APPLE AND NOT MSVC)
  target_link_options(marrow_runtime INTERFACE -Wl,--gc-sections)
endif()
