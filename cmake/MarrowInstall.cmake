# SPDX-License-Identifier: MIT
# `cmake --install`: the program with its manual page and completions, the headers, both libraries, and what CMake and
# pkg-config need to find them. docs/library.md shows how they are used.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The static library as others link it: one archive with the C++ API, the C ABI, and the libraries that they need.
set(marrow_archive ${CMAKE_BINARY_DIR}/archive/${CMAKE_STATIC_LIBRARY_PREFIX}marrow${CMAKE_STATIC_LIBRARY_SUFFIX})
add_custom_command(OUTPUT ${marrow_archive} VERBATIM
  COMMAND ${CMAKE_COMMAND} -DAR=${CMAKE_AR} -DOUTPUT=${marrow_archive}
          -P ${PROJECT_SOURCE_DIR}/cmake/MergeArchives.cmake -- $<TARGET_FILE:marrow> $<TARGET_FILE:marrow_c>
          $<TARGET_FILE:pugixml::static> $<TARGET_FILE:qhull_r> $<TARGET_FILE:marrow_compression>
  DEPENDS marrow marrow_c qhull_r marrow_compression)
add_custom_target(marrow_archive ALL DEPENDS ${marrow_archive})

# The target's own archive, without what it needs, stays in the build folder: the one above goes to its place.
install(TARGETS marrow EXPORT marrow-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT unbundled EXCLUDE_FROM_ALL
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
if(TARGET marrow_runtime)
  install(TARGETS marrow_runtime EXPORT marrow-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
endif()
install(FILES ${marrow_archive} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(FILES include/marrow/marrow_c.h include/marrow/marrow_c.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/marrow COMPONENT development)
install(TARGETS marrow_shared EXPORT marrow-targets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT library
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# find_package(marrow)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/marrow)
install(EXPORT marrow-targets NAMESPACE marrow:: DESTINATION ${package_folder} COMPONENT development)
configure_package_config_file(cmake/install/marrow-config.cmake.in ${CMAKE_BINARY_DIR}/install/marrow-config.cmake
  INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/install/marrow-config-version.cmake
  COMPATIBILITY SameMinorVersion)  # until 1.0; see docs/versions.md
install(FILES ${CMAKE_BINARY_DIR}/install/marrow-config.cmake ${CMAKE_BINARY_DIR}/install/marrow-config-version.cmake
  DESTINATION ${package_folder} COMPONENT development)

# pkg-config. Paths are relative to the file, so that an installed tree can be moved.
file(RELATIVE_PATH MARROW_PREFIX_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" MARROW_PREFIX_FROM_PC ${MARROW_PREFIX_FROM_PC})
foreach(name marrow marrow-c)
  configure_file(cmake/install/${name}.pc.in ${CMAKE_BINARY_DIR}/install/${name}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/install/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
          COMPONENT development)
endforeach()

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
if(MARROW_BUILD_CLI)
  install(TARGETS marrow_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  install(FILES ${CMAKE_BINARY_DIR}/share/marrow/viewer.html DESTINATION ${CMAKE_INSTALL_DATADIR}/marrow
          COMPONENT program OPTIONAL)
endif()

# The program describes itself, if it runs here.
if(MARROW_BUILD_CLI AND NOT CMAKE_CROSSCOMPILING)
  function(marrow_printed_file output folder)
    set(file ${CMAKE_BINARY_DIR}/install/${output})
    add_custom_command(OUTPUT ${file} DEPENDS marrow_cli VERBATIM
      COMMAND sh -c "\"$0\" \"$@\" > \"${file}.new\" && mv \"${file}.new\" \"${file}\"" $<TARGET_FILE:marrow_cli> ${ARGN})
    install(FILES ${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} COMPONENT program)
    set_property(GLOBAL APPEND PROPERTY marrow_printed_files ${file})
  endfunction()
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/install/bash)
  marrow_printed_file(marrow.1 man/man1 --man)
  marrow_printed_file(bash/marrow bash-completion/completions --completion bash)
  marrow_printed_file(_marrow zsh/vendor-completions --completion zsh)
  marrow_printed_file(marrow.fish fish/vendor_completions.d --completion fish)
  get_property(files GLOBAL PROPERTY marrow_printed_files)
  add_custom_target(marrow_printed ALL DEPENDS ${files})
endif()
