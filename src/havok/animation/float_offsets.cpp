// SPDX-License-Identifier: MIT
#include "havok/animation/float_offsets.h"

#include <algorithm>
#include <string>

#include "havok/animation/animation.h"
#include "havok/animation/names.h"

namespace marrow::havok {

std::vector<WrongFloatOffsets> find_wrong_float_offsets(const Packfile& file) {
  std::vector<WrongFloatOffsets> wrong;
  for (const ObjectId id : find_animations(file)) {
    const auto view = spline_data(file, id);
    if (!view || view->float_track_count != 0) continue;
    auto right = codec::float_block_offsets_of(*view);
    if (right && !std::ranges::equal(*right, view->float_block_offsets)) wrong.push_back({id, std::move(*right)});
  }
  return wrong;
}

void report_wrong_float_offsets(const Packfile& file, Findings& findings) {
  for (const auto& [id, right] : find_wrong_float_offsets(file)) {
    const std::uint64_t at = file.at(id).body().source_offset();
    findings.push_back({"W_FLOAT_BLOCK_OFFSETS", Level::Warning,
                        "'floatBlockOffsets' does not say where the float data of the clip begin; the clip has no "
                        "float tracks, so nothing reads it, and writing the file corrects it",
                        "object " + std::to_string(id.index) + " (" + std::string(file.at(id).class_name()) + ")" +
                            (at > 0 ? " at offset " + std::to_string(at) : ""),
                        automatic_cure()});
  }
}

}  // namespace marrow::havok
