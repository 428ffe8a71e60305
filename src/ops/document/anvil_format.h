// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "anvil/names.h"
#include "anvil/skeleton.h"
#include "marrow/model/game.h"
#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"

namespace marrow {

/// Returns the bone names that are compiled in, with those of the context.
anvil::NameTable bone_names(const Context& context);

/// Returns how new objects of a document are numbered: by the file that the result is for, or from `base` on.
anvil::IdScheme id_scheme(const Document& document, const Context& context, std::optional<std::uint64_t> base = {});

/// Returns `game` if it is one of the Anvil family or none. Fails with `WrongGame`.
Result<std::optional<Game>> anvil_game(const std::optional<Game>& game);

/// Returns the Anvil skeleton of a document with what was changed in `skeletons`.
Result<anvil::Skeleton> anvil_as_saved(const Document& document, Context& context);

/// Gives the Anvil skeleton of a document the order and the numbers that saving gives it: what is looked at in memory
/// is what is saved.
void put_in_saved_order(Document& document);

/// A change of the Anvil skeleton of a document. `skeletons`, which is made from it, follows when the edit ends.
class AnvilEdit {
 public:
  AnvilEdit(AnvilEdit&& other) noexcept;
  AnvilEdit& operator=(AnvilEdit&&) = delete;
  ~AnvilEdit();

  anvil::Skeleton& operator*() const { return *skeleton_; }
  anvil::Skeleton* operator->() const { return skeleton_; }

 private:
  friend Result<AnvilEdit> edit_anvil(Document& document, Context& context, std::optional<std::uint64_t> id_base);
  explicit AnvilEdit(Document& document);

  Document* document_;
  anvil::Skeleton* skeleton_;
  bool is_read_;  ///< bones have been asked for
};

/// Starts to change the Anvil skeleton of a document. What was changed in `skeletons` is part of it. Fails with
/// `WrongKind`. New objects are numbered from `id_base` on, else by the file that the result is for.
Result<AnvilEdit> edit_anvil(Document& document, Context& context, std::optional<std::uint64_t> id_base = {});

}  // namespace marrow
