# SPDX-License-Identifier: MIT
# Runs in every build: writes the commit of SOURCE into OUTPUT, which changes only if the commit does. COMMIT names it if
# the sources did not come with git.
if(NOT COMMIT)
  execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
                  OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  execute_process(COMMAND git -C ${SOURCE} diff --quiet HEAD -- . ERROR_QUIET RESULT_VARIABLE changed)
  if(failed)
    set(COMMIT "unknown")
  elseif(changed)
    string(APPEND COMMIT ", with changes")
  endif()
endif()
set(text "#define MARROW_COMMIT \"${COMMIT}\"\n")
set(before "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT before STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
