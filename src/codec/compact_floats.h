// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "codec/sample_kernel.h"

namespace marrow::codec {

/// Writes the moving float tracks of a compact block over `floats`.
void sample_packed_floats(const SampleTask& task, std::span<float> floats);

}  // namespace marrow::codec
