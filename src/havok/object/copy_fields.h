// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "havok/object/object.h"
#include "havok/packfile/packfile.h"

namespace marrow::havok {

/// How the parts of a record that are not plain values cross over.
struct CopyRules {
  std::function<ObjectId(ObjectId)> pointer;  ///< the object that takes another's place; null drops it
  std::function<void(const std::string& member)> dropped = {};  ///< a member that held something and has no place
  /// Finds the object behind a pointer, for arrays of pointers that are arrays of records in the other version.
  std::function<const Object*(ObjectId)> object = {};
};

/// Copies every member that both classes have, by name: numbers of other widths are converted, arrays element by
/// element. Members that only `to` has are left alone.
void copy_fields(const FieldsView& from, Fields to, const CopyRules& rules);

}  // namespace marrow::havok
