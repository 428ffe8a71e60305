// SPDX-License-Identifier: MIT
#pragma once

namespace marrow::havok::xml {

// Elements and attributes of Havok's dialect.
inline constexpr char kPackfile[] = "hkpackfile";
inline constexpr char kSection[] = "hksection";
inline constexpr char kObject[] = "hkobject";
inline constexpr char kParam[] = "hkparam";
inline constexpr char kString[] = "hkcstring";
inline constexpr char kClassVersion[] = "classversion";
inline constexpr char kContentsVersion[] = "contentsversion";
inline constexpr char kTopLevelObject[] = "toplevelobject";
inline constexpr char kName[] = "name";
inline constexpr char kClass[] = "class";
inline constexpr char kSignature[] = "signature";
inline constexpr char kCount[] = "numelements";

// What is added so that nothing is lost; each is left out where it says nothing.
inline constexpr char kPointerSize[] = "pointersize";
inline constexpr char kPadding[] = "padding";
inline constexpr char kPredicates[] = "predicates";
inline constexpr char kMaxPredicate[] = "maxpredicate";
inline constexpr char kUserTag[] = "usertag";
inline constexpr char kFlags[] = "flags";
inline constexpr char kLatin1[] = "latin1";  // the text is bytes, one per character
inline constexpr char kOpaque[] = "opaque";
inline constexpr char kBytes[] = "bytes";
inline constexpr char kLocalFixups[] = "localfixups";
inline constexpr char kGlobalFixups[] = "globalfixups";
inline constexpr char kTypeFixups[] = "typefixups";

// Havok's sign for a string that is not there, U+2400.
inline constexpr char kNullText[] = "\xE2\x90\x80";

}  // namespace marrow::havok::xml
