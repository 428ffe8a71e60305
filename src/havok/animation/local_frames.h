// SPDX-License-Identifier: MIT
// The places that a skeleton names on its bones: objects of their own, which the skeleton lists.
#pragma once

#include <vector>

#include "havok/packfile/packfile.h"
#include "marrow/core/error.h"
#include "marrow/model/skeleton.h"

namespace marrow::havok {

/// One for every entry of the list. An entry without an object, or with one of a class that is not known, has no name
/// and lies in the bone's own place.
std::vector<LocalFrame> read_local_frames(const Packfile& file, ObjectId skeleton);

/// Entries that say what the file says already keep their objects, with all that hangs on those: children, groups, the
/// matrix to the last bit. None at all leaves the file's list, since most that bring a skeleton know of no frames.
Result<void> set_local_frames(Packfile& file, ObjectId id, const Skeleton& skeleton);

}  // namespace marrow::havok
