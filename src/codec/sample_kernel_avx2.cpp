// SPDX-License-Identifier: MIT
#define MARROW_SAMPLE_KERNEL sample_moving_avx2
#include "codec/sample_kernel.inc"
