// SPDX-License-Identifier: MIT
#pragma once

#include "havok/packfile/packfile.h"

namespace marrow::test {

/// A small file of the project's own with every kind of thing in it: nested arrays, strings (null, empty, of odd
/// length), repeated members, pointers shared and null, tuples with all lanes, an enum, and an object of an unknown
/// class.
havok::Packfile sample_packfile(std::string_view version, std::uint32_t pointer_size, bool with_opaque = false);

/// A behaviour graph as the games structure theirs: state machine, clips, variable bindings, string data. Havok 2010.
havok::Packfile sample_behaviour(std::uint32_t pointer_size);

}  // namespace marrow::test
