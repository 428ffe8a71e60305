// SPDX-License-Identifier: MIT
#define MARROW_SKINNING_KERNEL skin_portable
#include "model/skinning_kernel.inc"
