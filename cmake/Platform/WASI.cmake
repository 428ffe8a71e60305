# SPDX-License-Identifier: MIT
# CMake 3.25 does not know the platform: executables are modules.
set(CMAKE_EXECUTABLE_SUFFIX ".wasm")
