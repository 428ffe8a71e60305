// SPDX-License-Identifier: MIT
// The only interface to tinygltf and its JSON: neither is visible outside of this folder.
#pragma once

#define TINYGLTF_NOEXCEPTION
#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_EXTERNAL_IMAGE
#include <tiny_gltf.h>

#include <cstddef>
#include <span>
#include <vector>

#include "exchange/gltf/read.h"
#include "exchange/gltf/write.h"

namespace marrow::gltf {

/// Parses either container. The indices in the result are as untrusted as the bytes.
Result<tinygltf::Model> parse_document(std::span<const std::byte> bytes, const ReadOptions& options);

Result<std::vector<std::byte>> serialise_document(const tinygltf::Model& model, Container container);

}  // namespace marrow::gltf
