// SPDX-License-Identifier: MIT
// The compressed motion of a clip, kept as text beside its frames while it is in a format that has only frames.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "marrow/codec/spline_blob.h"
#include "marrow/core/limits.h"
#include "marrow/model/clip.h"

namespace marrow {

/// The property that carries it.
inline constexpr const char* kSplineProperty = "spline";
inline constexpr const char* kGameProperty = "game";
/// An Anvil skeleton as Schema XML: all that a tree of bones cannot say of it.
inline constexpr const char* kAnvilProperty = "anvil";

/// Numbers and base64, separated by blanks: docs/formats/gltf-extras.md.
std::string keep_spline(const codec::SplineBlobView& spline);
/// Nothing where the text is damaged: the frames are there in any case. Safe on untrusted text.
std::optional<codec::SplineBlob> kept_spline(std::string_view text, const Limits& limits = {});

/// The spline of a clip: tracks that still have the values of `kept` keep their codes, the others are encoded anew,
/// well within what can be seen (0.02 degrees, 0.004 units).
Result<codec::SplineBlob> spline_of(const Clip& clip, const std::optional<codec::SplineBlob>& kept);

}  // namespace marrow
