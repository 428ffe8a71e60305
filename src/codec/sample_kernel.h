// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "codec/compiled_layout.h"

// The hot loop, compiled once per instruction set; sampler.cpp chooses one when the program starts.

namespace marrow::codec {

/// Writes the moving channels of one frame of a block over `pose`; `fraction` is the part of a frame after it.
using SampleKernel = void (*)(const CompiledClip::Block& block, std::uint32_t frame, float fraction, float* pose);

void sample_moving_portable(const CompiledClip::Block& block, std::uint32_t frame, float fraction, float* pose);
void sample_moving_avx2(const CompiledClip::Block& block, std::uint32_t frame, float fraction, float* pose);

/// Returns the kernel that sampling uses: the best for this processor, unless a test or a benchmark sets another.
SampleKernel sample_kernel();
SampleKernel best_sample_kernel();
void set_sample_kernel(SampleKernel kernel);

}  // namespace marrow::codec
