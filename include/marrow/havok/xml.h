// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "marrow/havok/packfile.h"

namespace marrow::havok {

/// Reads an XML packfile: the `hkpackfile` dialect of Havok's own tools, as hkxcmd and others write it, and the small
/// extensions that make it lossless (docs/formats/packfile.md). Objects keep their names (`Object::name`). Parameters
/// that a class does not have or that are missing, counts that are wrong and signatures that do not fit become findings
/// with the object and the line; values that cannot be read, and a `toplevelobject` that is not there, are errors. Safe
/// on untrusted bytes, and linear in their number.
Result<Packfile> read_xml(std::span<const std::byte> bytes, const ReadOptions& options = {});

/// How numbers are written, and what is written beyond them.
enum class XmlStyle : std::uint8_t {
  Exact,  ///< nothing is lost: floats in the fewest digits that keep their bits, fourth lanes, properties of the file
  Plain,  ///< as hkxcmd and other tools write and expect it: six decimals, three lanes, no attributes of our own
};

struct XmlWriteOptions {
  XmlStyle style = XmlStyle::Exact;
};

/// Writes an XML packfile. In the exact style it reads back as an equal file; in the plain style if six decimals hold
/// all its numbers, the fourth lanes of translations and scales are 0 and the file has the usual properties. Objects
/// that have a name keep it, the others get free ones. ASCII. Fails if the plain style meets an object of unknown
/// class.
Result<std::vector<std::byte>> write_xml(const Packfile& file, const XmlWriteOptions& options = {});

}  // namespace marrow::havok
