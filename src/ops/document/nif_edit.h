// SPDX-License-Identifier: MIT
// Edits of a NIF's collision that go through the container.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "havok/packfile/packfile.h"
#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"
#include "nif/embedded.h"

namespace marrow {

/// Returns the stream number of a game's NIF files; nothing if it reads none.
std::optional<std::uint32_t> nif_stream(Game game);
/// Returns the game of a stream number.
Game game_of_stream(std::uint32_t stream);

/// Reads the packfiles of a NIF, unless somebody has. `Document::collision` is made from them.
Result<void> read_nif_packfiles(Document& document, Context& context);

/// Returns the NIF as it is saved: `Document::collision` laid over its blocks. A block that nobody changed stays as it
/// is.
Result<NifFile> nif_as_saved(const Document& document, Context& context);

/// Makes a changed container that of a document. Packfiles that are still there keep their values, with the numbers
/// that their blocks have now; only new ones are read.
Result<void> take_container(Document& document, NifFile nif, Context& context);

/// Lays the systems of a document over the blocks of its NIF, as `save` would. BSXFlags follow if what they state has
/// changed; others, right or wrong, are left alone. `about_flags` gets the note about that.
Result<void> store_systems(Document& document, Context& context, Notes& about_flags);

/// Writes the blocks of a NIF and its packfiles anew by the rules, after `repair` of each packfile if there is one.
Result<void> rewrite_nif(Document& document, Result<void> (*repair)(havok::Packfile& file, Context& context),
                         Context& context);

/// Updates BSXFlags if they should be others than `expected_before`.
Result<void> follow_with_flags(NifFile& nif, std::uint32_t expected_before, Notes& notes);

/// Adds one note about the flags for an edit of several steps.
void note_flags(std::optional<std::uint32_t> before, const NifFile& nif, Notes& notes);

/// Takes collision objects off their nodes until none is left that `is_gone` picks. Returns the names of the nodes.
/// `about_flags` gets what became of the BSXFlags on the way.
Result<std::vector<std::string>> detach_all(NifFile& nif, bool (*is_gone)(const CollisionObject&), Notes& notes,
                                            Notes& about_flags);

/// Marks collision objects that are to go. No system has so many bodies.
inline constexpr std::uint32_t kGoneBody = 0xFFFFFFF0;
inline bool is_marked_gone(const CollisionObject& object) { return object.body == kGoneBody; }

}  // namespace marrow
