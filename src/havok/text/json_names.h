// SPDX-License-Identifier: MIT
#pragma once

// The names of a packfile as JSON (docs/formats/packfile-json.md).

namespace marrow::havok::json {

inline constexpr char kFormat[] = "format";
inline constexpr char kFormatName[] = "havok-packfile";
inline constexpr char kVersion[] = "version";
inline constexpr char kPointerSize[] = "pointer_size";
inline constexpr char kRoot[] = "root";
inline constexpr char kPadding[] = "padding";
inline constexpr char kUserTag[] = "user_tag";
inline constexpr char kFlags[] = "flags";
inline constexpr char kMaxPredicate[] = "max_predicate";
inline constexpr char kPredicates[] = "predicates";
inline constexpr char kObjects[] = "objects";
inline constexpr char kObject[] = "object";
inline constexpr char kClass[] = "class";
inline constexpr char kName[] = "name";
inline constexpr char kOffset[] = "offset";
inline constexpr char kFields[] = "fields";
inline constexpr char kLatin1[] = "latin1";
inline constexpr char kSignature[] = "signature";
inline constexpr char kBytes[] = "bytes";
inline constexpr char kLocalFixups[] = "local_fixups";
inline constexpr char kGlobalFixups[] = "global_fixups";
inline constexpr char kTypeFixups[] = "type_fixups";

}  // namespace marrow::havok::json
