// SPDX-License-Identifier: MIT
// The archives of a mod folder, opened for its examination.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ops/files/doctor.h"

namespace marrow {

/// The files of a folder with those of its archives, and what is wrong with the archives themselves: by name of the
/// archive.
struct OpenedArchives {
  std::vector<ExaminedFile> files = {};
  std::vector<std::pair<std::string, Finding>> findings = {};
};

/// Adds the files of every archive of a folder, below its name. Each is unpacked only when it is read. An archive that
/// cannot be read, names that must not be paths and sizes that lie are findings, and so is an archive that no plugin
/// loads.
OpenedArchives open_archives(std::span<const ExaminedFile> files, const Limits& limits);

}  // namespace marrow
