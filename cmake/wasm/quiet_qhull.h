/* SPDX-License-Identifier: MIT */
/* Included before every source of qhull: its messages, which nobody reads in a module, are left out with their texts. */
#include <libqhull_r/qhull_ra.h>

#define qh_fprintf(...) ((void)0)

/* io_r.c prints what was found, which is called by all others and never wanted. */
#ifndef marrow_is_io
#define qh_produce_output(...) ((void)0)
#define qh_printafacet(...) ((void)0)
#define qh_printbegin(...) ((void)0)
#define qh_printend(...) ((void)0)
#define qh_printfacet(...) ((void)0)
#define qh_printneighborhood(...) ((void)0)
#define qh_printpoint(...) ((void)0)
#define qh_printpointid(...) ((void)0)
#define qh_printridge(...) ((void)0)
#define qh_printvertex(...) ((void)0)
#define qh_printvertexlist(...) ((void)0)
#endif
