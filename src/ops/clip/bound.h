// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

/// Describes the bounds that every operation takes that may have to encode motion.
void describe_bound(FieldList& fields, EncodingBound& bound);

}  // namespace marrow
