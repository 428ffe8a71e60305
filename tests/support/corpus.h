// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

namespace marrow::test {

/// The folder of real files: $MARROW_CORPUS, else ../shared/corpus. Empty if there is none; the first to ask prints
/// that tests are skipped, so that nobody takes the silence for proof.
std::filesystem::path corpus();
/// The folder of right answers: $MARROW_GOLDEN, else ../shared/golden.
std::filesystem::path golden();
/// The folder of files that other tools wrote: $MARROW_FOREIGN, else ../shared/foreign.
std::filesystem::path foreign();
/// The folder of whole characters and their sources: $MARROW_CHARACTERS, else ../shared/characters.
std::filesystem::path characters();
/// Every file below `folder` with this extension (".hkx"), in order of path.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder, std::string_view extension);
/// The bytes of a file that must be readable.
std::vector<std::byte> bytes_of(const std::filesystem::path& path);

}  // namespace marrow::test
