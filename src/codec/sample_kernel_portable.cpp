// SPDX-License-Identifier: MIT
#define MARROW_SAMPLE_KERNEL sample_moving_portable
#include "codec/sample_kernel.inc"
