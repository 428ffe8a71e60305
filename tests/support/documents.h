// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "havok/packfile/packfile.h"
#include "marrow/ops/document/load.h"

namespace marrow::test {

using Bytes = std::vector<std::byte>;

/// Documents without a disk. Each aborts the test if it fails.
Document loaded(std::span<const std::byte> bytes, Parts parts = Parts::All, const std::string& name = {});
Document loaded(const havok::Packfile& file, Parts parts = Parts::All, const std::string& name = {});
Bytes saved(const Document& document, const SaveOptions& options = {});

/// A clip file of `waving_clip`, a skeleton file of `chain_skeleton`.
Document clip_document(std::int32_t bones, std::int32_t frames, Game game = Game::SkyrimSe, Parts parts = Parts::All);
Document skeleton_document_of(std::int32_t bones, Game game = Game::SkyrimSe);

}  // namespace marrow::test
