// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "marrow/core/error.h"
#include "marrow/model/body.h"
#include "nif/nif_file.h"

namespace marrow {

/// Copies a shape with all that belongs to it: mesh, skin, shader, textures, alpha. Nodes stay one: bones and the root
/// of the skeleton are shared. The copy hangs beside the shape. Blocks whose references are not known are shared too.
/// Returns the number of the copy.
Result<std::int32_t> copy_shape(NifFile& file, std::int32_t shape);

/// Gives a shape or node another name.
Result<void> set_object_name(NifFile& file, std::int32_t block, std::string_view name);

/// Takes a shape out of the tree. Its blocks stay until they are removed (`orphaned_blocks`).
Result<void> detach_shape(NifFile& file, std::int32_t shape);

/// A bone to add to a skin.
struct NewSkinBone {
  std::string_view name;
  Transform place;     ///< in the scene; of a node that is not there yet
  BindTransform bind;  ///< from the space of the skin to that of the bone
};

/// Adds a bone to the skin of a shape: the node of that name, in any case, or a new one below the root. Fails with
/// `InvalidArgument` if the shape has no skin.
Result<void> add_skin_bone(NifFile& file, std::int32_t shape, const NewSkinBone& bone);

}  // namespace marrow
