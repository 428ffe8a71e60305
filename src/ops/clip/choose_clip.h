// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "marrow/model/skeleton.h"
#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"

namespace marrow {

/// Keeps one clip of a document: the one of that name, else of that number, counted from 0. Without a name all stay; of
/// FBX the first, with a note. Fails with `NotFound`.
Result<void> choose_clip(Document& document, const std::string& name, Context& context);

/// Returns the clips that a word chooses: those of this name in any case, else the one of this number, counted from 0;
/// all of them if it is empty. Fails with `NotFound` if there is none.
Result<std::vector<std::size_t>> chosen_clips(const Document& document, const std::string& name);

/// Readies a document whose clips were edited for the format that it is saved in. If a file of that format holds one
/// clip, the one that was edited by name (`clip`; empty for all) is left. glTF needs the skeleton of its clips: it is
/// `skeleton`, if that is given and the clips have none. Fails with `NotFound` if there is no such clip.
Result<void> fit_clips_to_format(Document& document, Format format, const std::string& clip, const Skeleton* skeleton,
                                 Context& context);

}  // namespace marrow
