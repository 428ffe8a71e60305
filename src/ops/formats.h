// SPDX-License-Identifier: MIT
#pragma once

// Each format's part in the operations that cross formats. ops/info.cpp, convert.cpp, check.cpp and diff.cpp look at
// the bytes and call the one that fits; a new format adds its functions here and a case there.

#include <filesystem>

#include "marrow/anvil/names.h"
#include "marrow/anvil/skeleton.h"
#include "marrow/gltf/scene.h"
#include "marrow/havok/packfile.h"
#include "marrow/ops/check.h"
#include "marrow/ops/convert.h"
#include "marrow/ops/diff.h"
#include "marrow/ops/info.h"

namespace marrow {

/// A packfile from either of its forms, binary or XML.
Result<havok::Packfile> read_havok(std::span<const std::byte> bytes, const havok::ReadOptions& options);

Result<FileInfo> info_havok(std::span<const std::byte> bytes, const Limits& limits);
Result<Converted> convert_havok(std::span<const std::byte> bytes, const ConvertOptions& options);
/// Skeletons and clips of any format as glTF, `options.format` says which of its two containers.
Result<Converted> convert_to_gltf(std::span<const std::byte> bytes, const ConvertOptions& options);
Result<Converted> convert_gltf(std::span<const std::byte> bytes, const ConvertOptions& options);
Result<FileInfo> info_gltf(std::span<const std::byte> bytes, const Limits& limits, const std::filesystem::path& folder);
Result<Findings> check_gltf(std::span<const std::byte> bytes, const CheckOptions& options);
Result<Findings> check_havok(std::span<const std::byte> bytes, const CheckOptions& options);
Result<std::vector<Difference>> diff_havok(std::span<const std::byte> left, std::span<const std::byte> right,
                                           const Limits& limits);

Result<FileInfo> info_anvil(std::span<const std::byte> bytes, const Limits& limits);
Result<Converted> convert_anvil(std::span<const std::byte> bytes, const ConvertOptions& options);
/// What `convert_anvil` does with the skeleton that it has read: mends, ports and writes it.
Result<Converted> write_anvil(anvil::Skeleton skeleton, const ConvertOptions& options);
/// The inverse of an Anvil skeleton's way to glTF: its own XML with what was edited laid over it, or a new skeleton.
Result<Converted> gltf_to_anvil(const gltf::Scene& scene, const ConvertOptions& options);
/// The names that are compiled in, and more.
anvil::NameTable names_with(const std::vector<std::string>& more);
Result<Findings> check_anvil(std::span<const std::byte> bytes, const CheckOptions& options);
Result<std::vector<Difference>> diff_anvil(std::span<const std::byte> left, std::span<const std::byte> right,
                                           const Limits& limits);

/// The rules for clips and skeletons, and the comparison of two files' clips and skeletons by what they show.
void check_animation(const havok::Packfile& file, const CheckOptions& options, Findings& findings);
Result<std::vector<Difference>> diff_animation(const havok::Packfile& left, const havok::Packfile& right,
                                               const Limits& limits);

Result<FileInfo> info_nif(std::span<const std::byte> bytes, const Limits& limits);
Result<Findings> check_nif(std::span<const std::byte> bytes, const CheckOptions& options);
Result<std::vector<Difference>> diff_nif(std::span<const std::byte> left, std::span<const std::byte> right,
                                         const Limits& limits);
/// A NIF as a NIF, its packfiles rewritten through their objects; or the collision of a NIF or packfile as a mesh.
Result<Converted> convert_collision(std::span<const std::byte> bytes, const ConvertOptions& options);

/// The error for bytes that no reader of ours takes, or that this operation does not.
std::unexpected<Error> refuse_format(std::span<const std::byte> bytes, std::string_view operation);

}  // namespace marrow
