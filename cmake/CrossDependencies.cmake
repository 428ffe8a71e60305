# SPDX-License-Identifier: MIT
# What every cross build needs: headers of the machine's own packages, and libraries that are compiled here.
include(DebianSource)

# marrow_header_links(glm nlohmann ...): makes a folder with links to single libraries in /usr/include, and puts it on the
# search path. /usr/include itself would hide what the target's C library lacks behind glibc's headers.
function(marrow_header_links)
  set(links ${CMAKE_BINARY_DIR}/include)
  file(MAKE_DIRECTORY ${links})
  foreach(header ${ARGN})
    if(NOT EXISTS /usr/include/${header})
      message(FATAL_ERROR "/usr/include/${header} is missing; run scripts/setup build test")
    endif()
    file(CREATE_LINK /usr/include/${header} ${links}/${header} SYMBOLIC)
  endforeach()
  include_directories(SYSTEM ${links})
endfunction()

# pugixml::static, from Debian's sources.
function(marrow_pugixml_source)
  marrow_debian_source(pugixml pugixml_folder)
  add_library(pugixml STATIC ${pugixml_folder}/src/pugixml.cpp)
  add_library(pugixml::static ALIAS pugixml)
  target_include_directories(pugixml SYSTEM PUBLIC ${pugixml_folder}/src)
  target_compile_definitions(pugixml PUBLIC PUGIXML_NO_EXCEPTIONS PUGIXML_NO_XPATH)
  target_compile_options(pugixml PRIVATE -fno-exceptions -fno-rtti)
endfunction()

add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
