// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "havok/packfile/packfile.h"

namespace marrow::test {

/// A behaviour project of the project's own: two states, three clips, a selector, a trigger and a condition. By file
/// name, with `/`.
std::map<std::string, havok::Packfile> behavior_project(std::uint32_t pointer_size = 8);

}  // namespace marrow::test
