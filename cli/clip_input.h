// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "marrow/ops/annotations.h"
#include "marrow/ops/detect.h"

namespace marrow::cli {

/// What is surely no clip: skeletons, of which every folder of clips has one near.
inline bool has_no_clip(std::span<const std::byte> bytes) {
  const Format format = detect(bytes);
  if (format == Format::HavokPackfile || format == Format::HavokXml) return !holds_clip(bytes);
  return format == Format::AnvilXml;
}

}  // namespace marrow::cli
