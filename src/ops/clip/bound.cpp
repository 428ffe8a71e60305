// SPDX-License-Identifier: MIT
#include "ops/clip/bound.h"

namespace marrow {

void describe_bound(FieldList& fields, EncodingBound& bound) {
  fields("max_rotation_error", bound.max_rotation_error,
         {.help = "largest rotation error of motion that is encoded, of any bone",
          .unit = "degrees",
          .placeholder = "DEG",
          .min = 0.001,
          .max = 180,
          .otherwise = "0.02"});
  fields("max_position_error", bound.max_position_error,
         {.help = "largest translation error of motion that is encoded, of any bone",
          .unit = "units",
          .placeholder = "UNITS",
          .min = 1e-6,
          .otherwise = "0.004"});
}

}  // namespace marrow
