// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "marrow/havok/packfile.h"

namespace marrow::havok {

/// Reads a Havok XML tagfile (`<hktagfile version="1">`), as the content tools export it (docs/formats/tagfile.md). The
/// file is read in the classes of the version nearest to its `sdkversion`: members are matched by name and converted,
/// what is missing is zero or empty. Classes and members that the version does not have are skipped and become
/// findings; so does a number of an animation's type that belongs to another version, which is put right. Values that
/// cannot be read are errors with their line. Safe on untrusted bytes: objects that stand in place of records are
/// limited by `Limits`, and none may contain itself.
Result<Packfile> read_tagfile_xml(std::span<const std::byte> bytes, const ReadOptions& options = {});

/// Writes an XML tagfile that reads back as an equal file, but for the order of objects: the root comes first. ASCII,
/// floats as their bits. Fails if an object is of unknown class.
Result<std::vector<std::byte>> write_tagfile_xml(const Packfile& file);

}  // namespace marrow::havok
