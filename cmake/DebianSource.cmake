# SPDX-License-Identifier: MIT
# Libraries that a cross build has to compile itself come from Debian's source packages, at configure time.

# marrow_debian_source(pugixml FOLDER): unpacks the sources of a package and sets FOLDER to where they are. Nothing is
# downloaded if they are there already. MARROW_SOURCE_DIR_pugixml names sources from elsewhere.
function(marrow_debian_source package folder)
  set(given "${MARROW_SOURCE_DIR_${package}}")
  set(place ${CMAKE_BINARY_DIR}/sources/${package})
  if(given)
    set(${folder} ${given} PARENT_SCOPE)
    return()
  endif()
  if(NOT EXISTS ${place}/.complete)
    execute_process(COMMAND ${CMAKE_SOURCE_DIR}/scripts/fetch_source ${package} ${place} RESULT_VARIABLE failed)
    if(failed)
      message(FATAL_ERROR "The sources of ${package} could not be fetched. Unpack them somewhere, and configure with "
                          "-DMARROW_SOURCE_DIR_${package}=FOLDER.")
    endif()
  endif()
  set(${folder} ${place} PARENT_SCOPE)
endfunction()
