// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/codec/stored_spline.h"

namespace marrow::gltf {

/// Returns spline data as text for the record: numbers and base64, separated by spaces (docs/formats/gltf-extras.md).
std::string keep_spline(const codec::StoredSpline& spline);
/// Reads such text. Returns nothing if it is damaged; the frames are in the file in any case. Safe on untrusted text.
std::optional<codec::StoredSpline> kept_spline(std::string_view text);

/// Writes any bytes as text, and reads them back.
std::string keep_bytes(std::span<const std::byte> bytes);
std::optional<std::vector<std::byte>> kept_bytes(std::string_view text);

}  // namespace marrow::gltf
