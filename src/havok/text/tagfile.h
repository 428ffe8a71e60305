// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "havok/packfile/packfile.h"

namespace marrow::havok {

/// Reads a Havok XML tagfile (`<hktagfile version="1">`), as the content tools export it (docs/formats/tagfile.md).
/// Uses the classes of the version nearest to its `sdkversion`: members are matched by name and converted; missing ones
/// are zero or empty. Classes and members that the version does not have are skipped and become findings. So does an
/// animation type number of another version, which is corrected. Values that cannot be read are errors with their line.
/// Safe on untrusted bytes: the number of objects in place of records is limited by `Limits`, and none may contain
/// itself.
Result<Packfile> read_tagfile_xml(std::span<const std::byte> bytes, const ReadOptions& options = {});

/// Writes an XML tagfile. It reads back as an equal file except for the order of objects: the root comes first. Writes
/// ASCII, and floats as their bits. Fails on an object of unknown class.
Result<std::vector<std::byte>> write_tagfile_xml(const Packfile& file);

}  // namespace marrow::havok
