// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "havok/object/schema.h"

namespace marrow::havok::tagfile {

// Elements and attributes of the dialect.
inline constexpr char kTagfile[] = "hktagfile";
inline constexpr char kSdkVersion[] = "sdkversion";
inline constexpr char kObject[] = "object";
inline constexpr char kId[] = "id";
inline constexpr char kType[] = "type";
inline constexpr char kName[] = "name";
inline constexpr char kSize[] = "size";
inline constexpr char kArray[] = "array";
inline constexpr char kTuple[] = "tuple";
inline constexpr char kStruct[] = "struct";
inline constexpr char kRef[] = "ref";
inline constexpr char kString[] = "string";

/// Returns the element that holds a value: `byte`, `int`, `real`, `vec4`, `string`, `ref`, `struct`, `void`.
std::string_view word_of(Kind kind);

}  // namespace marrow::havok::tagfile
