// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "havok/packfile/packfile.h"
#include "marrow/havok/text/xml_style.h"

namespace marrow::havok {

/// Reads an XML packfile: the `hkpackfile` dialect of Havok's own tools, as hkxcmd and others write it, and the small
/// extensions that make it lossless (docs/formats/packfile.md). Objects keep their names (`Object::name`). Unknown or
/// missing parameters, wrong counts and wrong signatures become findings with the object and the line. Values that
/// cannot be read, and a missing `toplevelobject`, are errors. Safe on untrusted bytes, and linear in their number.
Result<Packfile> read_xml(std::span<const std::byte> bytes, const ReadOptions& options = {});

/// Reads an XML packfile in which pointers lead to objects that are not there: such pointers become null, and such
/// elements of lists go. For repairs.
Result<Packfile> read_xml_without_dangling(std::span<const std::byte> bytes, const ReadOptions& options = {});

struct XmlWriteOptions {
  XmlStyle style = XmlStyle::Exact;
};

/// Writes an XML packfile. In the exact style it reads back as an equal file. In the plain style it does so only if six
/// decimals hold all its numbers, the fourth lanes of translations and scales are 0 and the file has the usual
/// properties. Objects with a name keep it, the others get free ones. Writes ASCII. The plain style fails on an object
/// of unknown class.
Result<std::vector<std::byte>> write_xml(const Packfile& file, const XmlWriteOptions& options = {});

}  // namespace marrow::havok
