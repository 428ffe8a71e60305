// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "havok/packfile/packfile.h"
#include "marrow/codec/spline_blob.h"
#include "marrow/model/clip.h"
#include "marrow/model/skeleton.h"

namespace marrow::havok {

/// Creates a file of any version and layout with one clip, as `make_clip_file` does for a game.
Result<Packfile> make_clip_file_of(const Clip& clip, const Schema& schema, FileLayout layout,
                                   const codec::SplineBlob* motion = nullptr, Notes* notes = nullptr);
/// Creates a file of any version and layout that holds these skeletons and nothing else.
Result<Packfile> make_skeleton_file_of(std::span<const Skeleton> skeletons, const Schema& schema, FileLayout layout,
                                       Notes* notes = nullptr);

}  // namespace marrow::havok
