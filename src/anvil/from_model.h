// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "anvil/edit.h"
#include "anvil/skeleton.h"
#include "marrow/core/error.h"
#include "marrow/model/skeleton.h"

namespace marrow::anvil {

/// Creates a skeleton with the bones of a model, in metres and Z up. Names are hashed and global poses computed; bones
/// that are named for the two sides are mirrors of each other, and there are no modifiers. Several roots get a common
/// parent bone `Reference`. A root `Reference` makes it a biped, any other root a custom skeleton, as addons are.
/// Reports assumptions in `notes`. Fails if the model is not valid, two names have the same hash or there is no bone.
Result<Skeleton> from_model(const marrow::Skeleton& model, EditNotes& notes, const IdScheme& ids = {});

/// Applies the edits of a model that `to_model` once returned for this skeleton. Takes over rest poses and parents that
/// differ, adds new bones, renames bones and removes those that the model no longer has or that `gone` lists by their
/// index in it. Everything else keeps its bits. Bones are matched by name. A bone is renamed if one is gone and one is
/// new on the same parent, in the same place or with the same children. Changes nothing if it fails.
Result<EditNotes> follow_model(Skeleton& skeleton, const marrow::Skeleton& model,
                               std::span<const std::int32_t> gone = {});

}  // namespace marrow::anvil
