// SPDX-License-Identifier: MIT
// Where bones stand at rest, and skins that get bones they did not have.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"
#include "nif/nif_file.h"

namespace marrow {

/// The places of bones at rest in model space, by name in lower case.
class BonePlaces {
 public:
  /// Takes them from skeletons, the first that has a bone; of Fallout 4 with the bones that only skins use.
  BonePlaces(std::span<const Document* const> skeletons, std::optional<Game> game);
  /// Takes them from the nodes of a file.
  explicit BonePlaces(const NifFile& file);

  const Transform* find(std::string_view name) const;
  bool empty() const { return places_.empty(); }

 private:
  void add(const Skeleton& skeleton);

  std::map<std::string, Transform, std::less<>> places_;
};

/// Returns the matrix from the space of a skin to that of the model, as the bone that moves most of it says; nothing if
/// none of its bones has a place.
std::optional<Mat4> skin_to_model(const BodyShape& shape, const BonePlaces& places);

/// Returns the names of bones that have weight in a mesh and that the shape lacks.
std::vector<std::string> missing_bones(const BodyShape& mesh, const BodyShape& shape);

/// Adds bones to the skin of a shape. They stand where the skeleton has them, else where the file has a node of that
/// name. Fails with `NotFound` for a bone that neither has.
Result<void> add_bones(NifFile& file, const BodyShape& shape, const std::vector<std::string>& names,
                       const BonePlaces& skeleton);

}  // namespace marrow
