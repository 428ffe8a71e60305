/* SPDX-License-Identifier: MIT */
/* Included before every source of qhull: its messages, which nobody reads in a module, are left out with their texts. */
#include <libqhull_r/qhull_ra.h>

#define qh_fprintf(...) ((void)0)
