// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace marrow {

/// Asks the system to back a block of many megabytes by large pages: handing out pages of 4 KB one by one takes longer
/// than filling them. A hint; small blocks and other systems are left alone.
void use_large_pages(void* block, std::size_t size);

}  // namespace marrow
