// SPDX-License-Identifier: MIT
/// PoseGroups, IKData, COMData and Reflex data: XML whose meaning is not known, readable and settable by path.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "anvil/skeleton.h"
#include "marrow/core/error.h"

namespace marrow::anvil {

/// One value inside opaque data: the text of an element, or an attribute.
struct OpaqueValue {
  std::string path;  ///< `IkChainDescriptor[1].Weight`, `IkChainDescriptor[1]@ID`
  std::string value;
};

/// Returns the values in the order of the file. Elements go by their `Name`, or by their tag if they have none, with an
/// index from 0 if there are several. Attributes that are not `Name` or `Type` are values too.
std::vector<OpaqueValue> opaque_values(const Opaque& data);

/// Sets one value by its path. Fails with `NotFound` and the nearest path.
Result<void> set_opaque_value(Opaque& data, std::string_view path, std::string_view value);

/// Replaces the data by an XML element, or by nothing if the text is empty or `none`. `name` is the field it is for.
/// Safe on untrusted input; fails with `Malformed` if the text is not one element.
Result<void> set_opaque(Opaque& data, std::string_view name, std::string_view text);

}  // namespace marrow::anvil
