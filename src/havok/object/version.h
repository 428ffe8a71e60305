// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "marrow/havok/object/schema.h"

namespace marrow::havok {

/// The number that a version gives to a class of animations in `hkaAnimation::type`.
struct AnimationType {
  std::string_view class_name;
  std::int64_t number;
};

/// A version of Havok: all that differs between its files and those of another. Nothing else asks which version it is.
/// A new one is a row of the table in version.cpp and a file of classes in schema/.
struct HavokVersion {
  std::string_view name;   ///< in the header of files
  std::string_view games;  ///< that have it, for messages
  std::int32_t file_version;
  std::uint32_t section_header_size;
  bool has_predicates;  ///< between the header and the section headers
  std::uint16_t usual_max_predicate;
  std::span<const std::uint8_t> usual_predicates;  ///< what the games' own animations and skeletons have
  std::span<const AnimationType> animation_types;  ///< those that have a number
  std::int64_t additive_deprecated;                ///< blend hint of additive clips of the older kind
  std::optional<std::int64_t> additive;            ///< of the newer kind, if the version has it
};

/// All versions, the oldest first. XML files that do not say theirs are read as the first.
std::span<const HavokVersion> havok_versions();
/// Returns the version of that name; null if there is none.
const HavokVersion* find_version(std::string_view name);
/// Returns the version nearest to a stated one, `hk_2012.1.0-r1`; the first if the text is not one.
const HavokVersion& nearest_version(std::string_view name);
/// Returns the version of a schema; the first for a schema of another name.
const HavokVersion& version_of(const Schema& schema);
/// Returns the versions for a message: `hk_2010.2.0-r1 (Skyrim) and hk_2014.1.0-r1 (Fallout 4)`.
std::string supported_versions();

}  // namespace marrow::havok
