// SPDX-License-Identifier: MIT
#include "marrow/model/named_bone.h"

#include <string>
#include <vector>

#include "marrow/core/nearest.h"

namespace marrow {

Result<std::int32_t> named_bone(const Skeleton& skeleton, std::string_view name) {
  if (const auto bone = find_bone(skeleton, name)) return *bone;
  std::vector<std::string_view> names;
  for (const Bone& bone : skeleton.bones) names.push_back(bone.name);
  std::string message = "the skeleton has no bone '" + std::string(name) + "'";
  if (const std::string_view near = nearest_name(name, names); !near.empty())
    message += "; there is '" + std::string(near) + "'";
  return fail(ErrorCode::NotFound, std::move(message));
}

}  // namespace marrow
