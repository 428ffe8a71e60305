// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "havok/packfile/packfile.h"

namespace marrow::havok {

/// Returns every object and field with its value and its offset in the file, as readable text. Offsets are those of the
/// file that was read; a file that came from XML has none. `only` selects one object.
std::string dump_text(const Packfile& file, std::optional<ObjectId> only = {});

/// Returns the same as JSON: the properties of the file, and in "objects" each object with "class", "offset" and
/// "fields" (docs/formats/packfile-json.md). Without `only`, `read_json` reads it back as an equal file.
std::string dump_json(const Packfile& file, std::optional<ObjectId> only = {});

}  // namespace marrow::havok
