// SPDX-License-Identifier: MIT
#include "marrow/ops/info.h"

#include "ops/formats.h"

namespace marrow {

Result<FileInfo> info(std::span<const std::byte> bytes, const Limits& limits, const std::filesystem::path& folder) {
  switch (detect(bytes)) {
    case Format::HavokPackfile:
    case Format::HavokXml: return info_havok(bytes, limits);
    case Format::Glb:
    case Format::Gltf: return info_gltf(bytes, limits, folder);
    case Format::AnvilXml: return info_anvil(bytes, limits);
    case Format::Nif: return info_nif(bytes, limits);
    default: return refuse_format(bytes, "info");
  }
}

}  // namespace marrow
