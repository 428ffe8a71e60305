// SPDX-License-Identifier: MIT
#pragma once

#include "havok/tag/types.h"

namespace marrow::havok {

/// Makes the classes, elements and slots of types whose statements are complete. Fails on types that contain
/// themselves, on members outside their type, and on records that would take too much memory to describe.
Result<void> make_tag_classes(TagTypes& types, std::string version, std::uint64_t at, const Limits& limits);

}  // namespace marrow::havok
