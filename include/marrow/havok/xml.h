// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "marrow/havok/packfile.h"

namespace marrow::havok {

/// Reads an XML packfile: the `hkpackfile` dialect of Havok's own tools, as hkxcmd and others write it, and the small
/// extensions that make it lossless (docs/formats/packfile.md). Parameters that a class does not have, counts that
/// are wrong and signatures that do not fit become findings; values that cannot be read are errors.
Result<Packfile> read_xml(std::span<const std::byte> bytes, const ReadOptions& options = {});

/// Writes an XML packfile that reads back as an equal file. ASCII, with floats in the fewest digits that keep their
/// bits.
Result<std::vector<std::byte>> write_xml(const Packfile& file);

}  // namespace marrow::havok
