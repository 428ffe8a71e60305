# SPDX-License-Identifier: MIT
# What the program and the library need for Windows when they are built on another system.
include(CrossDependencies)

set(headers fast_float fmt glm nlohmann tiny_gltf.h)
if(MARROW_BUILD_TESTS)
  list(APPEND headers doctest)
  add_library(doctest::doctest INTERFACE IMPORTED)
endif()
marrow_header_links(${headers})
marrow_pugixml_source()
include(QhullSource)
include(MuslMath)
add_library(fmt::fmt-header-only INTERFACE IMPORTED)
target_compile_definitions(fmt::fmt-header-only INTERFACE FMT_HEADER_ONLY)
find_package(Threads REQUIRED)

# One file each, that needs nothing but Windows; the same bytes every time.
add_link_options(-static -s -Wl,--no-insert-timestamp)
