// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

/// Sets a float track to one value; a track that is not there is added.
struct FloatSetOptions {
  std::string slot = {};  ///< the number of the slot, or its name
  double value = 0.0;
  std::optional<std::int32_t> first = {};  ///< frame from which it holds; by default the first
  std::optional<std::int32_t> last = {};   ///< frame to which it holds; by default the last
  const Skeleton* skeleton = nullptr;      ///< for names of slots
};

/// Replaces float tracks by those of a table; slots that the table does not have stay.
struct FloatImportOptions {
  std::string_view table = {};  ///< `frame,slot,value`, as `sample` prints it; between frames values are interpolated
};

struct FloatRemoveOptions {
  std::string slot = {};
  const Skeleton* skeleton = nullptr;
};

struct FloatReport {
  std::int32_t tracks = 0;   ///< that the clip has now
  std::int32_t changed = 0;  ///< that were set, added or removed
};

void describe(FieldList& fields, FloatSetOptions& options);
void describe(FieldList& fields, FloatImportOptions& options);
void describe(FieldList& fields, FloatRemoveOptions& options);
void describe(FieldList& fields, FloatReport& report);

/// All of them work on every clip of a document and need `Parts::Frames`. They fail with `NoClip`, and with `NotFound`
/// if there is no such slot.
Result<FloatReport> set_floats(Document& document, const FloatSetOptions& options, Context& context);
Result<FloatReport> import_floats(Document& document, const FloatImportOptions& options, Context& context);
Result<FloatReport> remove_floats(Document& document, const FloatRemoveOptions& options, Context& context);

}  // namespace marrow
