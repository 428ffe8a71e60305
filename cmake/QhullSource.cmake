# SPDX-License-Identifier: MIT
# qhull, compiled here: Debian's static library is not position independent, and no other system has Debian's.
include(DebianSource)

marrow_debian_source(qhull qhull_folder)
set(qhull_sources geom_r geom2_r global_r io_r libqhull_r mem_r merge_r poly_r poly2_r qset_r random_r stat_r user_r
    usermem_r userprintf_r userprintf_rbox_r)
list(TRANSFORM qhull_sources PREPEND ${qhull_folder}/src/libqhull_r/)
list(TRANSFORM qhull_sources APPEND .c)
add_library(qhull_r STATIC ${qhull_sources})
add_library(Qhull::qhull_r ALIAS qhull_r)
target_include_directories(qhull_r SYSTEM PUBLIC ${qhull_folder}/src)
target_compile_options(qhull_r PRIVATE -w)
