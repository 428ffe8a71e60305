// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "marrow/anvil/edit.h"
#include "marrow/anvil/skeleton.h"
#include "marrow/core/error.h"
#include "marrow/model/skeleton.h"

namespace marrow::anvil {

/// A new skeleton with the bones of a model, in metres and Z up: names hashed, global poses computed, no mirrors and no
/// modifiers. Several roots get a bone `Reference` above them. A root `Reference` makes it a biped, any other a custom
/// skeleton, as addons are. What was assumed is told in `notes`. Fails where two names have one hash or there is no
/// bone.
Result<Skeleton> from_model(const marrow::Skeleton& model, EditNotes& notes);

/// Makes a skeleton follow the model that `to_model` once gave of it and that was edited since: rest poses that differ
/// are taken over, bones that are new are added, bones that the model has not, or that `gone` lists by their index in
/// it, are removed. Everything else keeps its bits. Bones are matched by name and keep their parents. Changes nothing
/// where it fails.
Result<EditNotes> follow_model(Skeleton& skeleton, const marrow::Skeleton& model,
                               std::span<const std::int32_t> gone = {});

}  // namespace marrow::anvil
