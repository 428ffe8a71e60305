# SPDX-License-Identifier: MIT
# zlib and LZ4, compiled here for the reasons that qhull is: Debian's static libraries are not position independent, and
# no other system has Debian's.
include(DebianSource)

marrow_debian_source(zlib zlib_folder)
set(zlib_sources adler32 compress crc32 deflate inffast inflate inftrees trees zutil)
list(TRANSFORM zlib_sources PREPEND ${zlib_folder}/)
list(TRANSFORM zlib_sources APPEND .c)

marrow_debian_source(lz4 lz4_folder)
set(lz4_sources lz4 lz4frame lz4hc xxhash)
list(TRANSFORM lz4_sources PREPEND ${lz4_folder}/lib/)
list(TRANSFORM lz4_sources APPEND .c)

add_library(marrow_compression STATIC ${zlib_sources} ${lz4_sources})
target_include_directories(marrow_compression SYSTEM PRIVATE ${zlib_folder} ${lz4_folder}/lib)
# Only core/compression sees their headers.
set(MARROW_COMPRESSION_INCLUDES ${zlib_folder} ${lz4_folder}/lib)
target_compile_options(marrow_compression PRIVATE -w)
# A program that links another copy of xxhash must not meet this one. Names that start with marrow_ are exported: these do not.
target_compile_definitions(marrow_compression PRIVATE XXH_NAMESPACE=within_marrow_)
