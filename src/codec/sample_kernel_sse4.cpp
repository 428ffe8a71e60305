// SPDX-License-Identifier: MIT
#define MARROW_SAMPLE_KERNEL sample_moving_sse4
#include "codec/sample_kernel.inc"
