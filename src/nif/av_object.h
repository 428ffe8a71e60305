// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "marrow/core/byte_reader.h"
#include "marrow/model/transform.h"
#include "marrow/nif/nif_file.h"

namespace marrow {

/// What nodes and shapes begin with, and where in the block the parts lie that can be changed.
struct AvObject {
  std::string name;
  std::vector<std::int32_t> extra_data;
  Transform transform;
  std::int32_t collision_object = kNoBlock;
  std::size_t extra_count_at = 0;
  std::size_t extra_end_at = 0;
  std::size_t collision_object_at = 0;
};

/// Reads a count and as many references. A count that the block cannot hold fails in the reader.
std::vector<std::int32_t> read_references(ByteReader& reader);
AvObject read_av_object(const NifFile& file, ByteReader& reader);

}  // namespace marrow
