// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "havok/object/schema.h"

namespace marrow::havok {

/// The number that a version gives to a class of animations in `hkaAnimation::type`.
struct AnimationType {
  std::string_view class_name;
  std::int64_t number;
};

/// A version of Havok: all that differs between its files and those of another. Nothing else asks which version it is.
/// A new one is a row of the table in version.cpp and a file of classes in schema/.
struct HavokVersion {
  std::string_view name;    ///< in the header of files
  std::string_view games;   ///< that have it, for messages; empty if they are not known
  std::string_view table;   ///< the file of classes in schema/
  std::string_view others;  ///< the table of another version, whose classes hold if the signature agrees; may be empty
  /// False if the version is known to exist and no file of it was at hand: its classes follow from its neighbours.
  bool is_tested;
  /// True if the version lies outside of all that are known: a class holds only if the file states its signature.
  bool is_beyond;
  std::int32_t file_version;
  std::int32_t usual_flags;             ///< of the header
  std::uint32_t array_flags;            ///< or-ed to the capacity of arrays
  std::uint32_t string_list_alignment;  ///< of the texts in an array of texts
  bool keeps_class_list;                ///< files list classes that they have no objects of, in an order of their own
  bool marks_null_classes;              ///< the table of pointers ends with an empty row per null pointer to a class
  std::uint16_t usual_max_predicate;
  std::span<const std::uint8_t> usual_predicates;  ///< what the games' own animations and skeletons have
  std::span<const AnimationType> animation_types;  ///< those that have a number
  std::int64_t additive_deprecated;                ///< blend hint of additive clips of the older kind
  std::optional<std::int64_t> additive;            ///< of the newer kind, if the version has it

  /// True if the table has all classes of the version, not only those of animations.
  bool is_complete() const { return others.empty() && is_tested && usual_flags == 0; }
};

/// File versions from this on have predicates between the header and the section headers, and longer section headers.
inline constexpr std::int32_t kPredicateFileVersion = 11;
constexpr bool has_predicates(std::int32_t file_version) { return file_version >= kPredicateFileVersion; }
constexpr std::uint32_t section_header_size(std::int32_t file_version) {
  return has_predicates(file_version) ? 0x40 : 0x30;
}

/// All versions of the table, the oldest first.
std::span<const HavokVersion> havok_versions();
/// Returns the version of that name. One that is not in the table, `hk_2013.2.0-r1`, is as the one before it, untested;
/// of those only so many are kept as a folder may have. Null for other texts.
const HavokVersion* find_version(std::string_view name);
/// Returns the version of XML files that do not state theirs.
const HavokVersion& default_version();
/// Returns the version with a complete table that is nearest to a stated one, `hk_2012.1.0-r1`; the default one if the
/// text is not a version.
const HavokVersion& nearest_version(std::string_view name);
/// Returns the version of a schema; for a schema of another name, that of the newest with a complete table.
const HavokVersion& version_of(const Schema& schema);
/// Returns the versions for a message: the name of the oldest, `to`, and that of the newest.
std::string supported_versions();

}  // namespace marrow::havok
