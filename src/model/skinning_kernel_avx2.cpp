// SPDX-License-Identifier: MIT
#define MARROW_SKINNING_KERNEL skin_avx2
#include "model/skinning_kernel.inc"
