// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "havok/packfile/packfile.h"
#include "marrow/model/clip.h"

// Havok's spelling of the classes that clips and skeletons are made of, and what differs between its versions.

namespace marrow::havok {

inline constexpr std::string_view kAnimation = "hkaAnimation";
inline constexpr std::string_view kSplineAnimation = "hkaSplineCompressedAnimation";
inline constexpr std::string_view kInterleavedAnimation = "hkaInterleavedUncompressedAnimation";
inline constexpr std::string_view kDeltaAnimation = "hkaDeltaCompressedAnimation";
inline constexpr std::string_view kWaveletAnimation = "hkaWaveletCompressedAnimation";
inline constexpr std::string_view kLosslessAnimation = "hkaLosslessCompressedAnimation";
inline constexpr std::string_view kBinding = "hkaAnimationBinding";
inline constexpr std::string_view kReferenceFrame = "hkaDefaultAnimatedReferenceFrame";
inline constexpr std::string_view kAnimationContainer = "hkaAnimationContainer";
inline constexpr std::string_view kBone = "hkaBone";
inline constexpr std::string_view kAnnotationTrack = "hkaAnnotationTrack";
inline constexpr std::string_view kSkeleton = "hkaSkeleton";
inline constexpr std::string_view kRootContainer = "hkRootLevelContainer";
inline constexpr std::string_view kResourceContainer = "hkMemoryResourceContainer";

/// True if a class is `name`, derives from it, or is what version 5 has in its place.
bool is_kind(const Class& type, std::string_view name);
/// Returns the name of a class of animations in a version: `name`, or what version 5 has in its place.
std::string_view name_in(const Schema& schema, std::string_view name);

/// Returns `hkaAnimation::type` of a class in a version; 0, unknown, if it has no number.
std::int64_t animation_type(const Schema& schema, std::string_view class_name);

/// Returns the blend hint's number in a version, and back. The older version knows one kind of additive clip; the newer
/// still plays it, under the same number, and has another.
std::int64_t blend_hint_number(const Schema& schema, BlendHint hint);
BlendHint blend_hint_of(const Schema& schema, std::int64_t number);

/// A root and an animation container as the games name them; `finish_file` adds the empty resource container that
/// stands last in their files.
ObjectId start_file(Packfile& file);
void finish_file(Packfile& file);

}  // namespace marrow::havok
