// SPDX-License-Identifier: MIT
// The values of a document laid over the packfile that it was read from, or made a new one.
#pragma once

#include <cstddef>
#include <vector>

#include "havok/packfile/packfile.h"
#include "marrow/ops/document/load.h"
#include "ops/document/havok_format.h"

namespace marrow {

/// Returns the packfile that a document was read from, with the changes of the document.
Result<havok::Packfile> changed_file(const Document& document, const EncodingBound& bound, Context& context);

/// True if clips were added to a document or removed from it since its packfile was read: then it is saved as one that
/// was made in memory, a file per clip.
bool has_other_clips(const Document& document);

/// Returns a document as a new packfile, or as one for each clip.
Result<std::vector<NamedPackfile>> new_packfiles(const Document& document, const SaveOptions& options,
                                                 Context& context);

/// Encodes the clips of another game's file whose motion our games would not have in that form.
Result<havok::Packfile> encoded_as_games(havok::Packfile file, const EncodingBound& bound, Context& context);

/// Returns the game of the Skyrim and Fallout 4 family that a document is saved for. Fails with `NeedsGame` if it is
/// not known, with `WrongGame` if it is one of another family.
Result<Game> game_for(const Document& document, const SaveOptions& options);

/// Lays systems over those of a packfile that they were read from: the packfile of that number. Fails with
/// `Unrepresentable` if one was added.
Result<void> lay_systems_over(havok::Packfile& file, std::size_t packfile, const std::vector<DocumentCollision>& all,
                              Notes& notes);

/// Returns the error for a document whose systems of collision are not those of its file.
std::unexpected<Error> other_systems();

}  // namespace marrow
