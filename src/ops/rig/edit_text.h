// SPDX-License-Identifier: MIT
// Texts of options that several edits of rigs have, and what they have in common.
#pragma once

#include <optional>

#include "anvil/check.h"
#include "anvil/edit.h"
#include "core/try.h"
#include "ops/document/anvil_format.h"
#include "ops/rig/merge.h"

namespace marrow {

inline constexpr FieldText kIdBase{.help = "count the ids of new objects from N on",
                                   .placeholder = "N",
                                   .otherwise = "a hash of the names of file and bone"};
inline constexpr FieldText kForce{.help = "write it even if check calls the result an error"};
inline constexpr FieldText kAdd{
    .help = "keep the modifiers of the same class that a bone already has, instead of replacing them"};

/// Edits a skeleton: whole, or not at all. Refuses a result with errors that the skeleton did not have, unless forced.
template <class Edit>
Result<anvil::EditNotes> edit_soundly(anvil::Skeleton& skeleton, bool force, const Edit& edit) {
  anvil::Skeleton edited = skeleton;
  MARROW_TRY(anvil::EditNotes notes, edit(edited));
  if (!force) MARROW_CHECK(anvil::refuse_new_errors(skeleton, edited));
  skeleton = std::move(edited);
  return notes;
}

}  // namespace marrow
