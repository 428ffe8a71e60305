// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "havok/packfile/packfile.h"

namespace marrow::havok {

/// For each object, whether a chain of pointers leads to it from the root.
std::vector<bool> reachable(const Packfile& file);

/// Takes out all objects but those whose flag is set; none of them points to one that goes. Numbers of objects change.
void keep_objects(Packfile& file, const std::vector<bool>& stays);

/// Takes out the objects that nothing leads to any more: those that were reachable before, as `was_reachable` says, and
/// those that are newer than it. Numbers of objects change.
void drop_unreachable(Packfile& file, const std::vector<bool>& was_reachable);

/// Puts the objects in this order, which names each once. Numbers of objects change.
void put_in_order(Packfile& file, const std::vector<std::uint32_t>& order);

/// Numbers the objects as reading the written packfile would: depth first from the root, unreachable ones last.
void put_in_file_order(Packfile& file);

}  // namespace marrow::havok
