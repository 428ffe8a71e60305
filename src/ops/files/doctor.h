// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/byte_source.h"
#include "marrow/core/finding.h"
#include "marrow/ops/document/context.h"
#include "ops/table/describe.h"

namespace marrow {

/// A file of the folder that is examined, read only while it is looked at.
struct ExaminedFile {
  std::string name;  ///< below the folder, with forward slashes
  std::shared_ptr<const ByteSource> source;
  std::string folder = {};   ///< as it was given; empty if that is not known
  std::string archive = {};  ///< the archive of the folder that it lies in; its name begins with that of the archive
  bool may_be_ours = true;   ///< false: counted, and not looked into
};

struct DoctorOptions {
  std::optional<Game> game = {};            ///< whose rules; by default the game that most files are for
  std::vector<std::string> installed = {};  ///< parts of this installation, as `NAME=PLACE`
  std::size_t pictures = 0;                 ///< draw so many bodies, skeletons and clips
};

/// A part of the installation.
struct InstalledPart {
  std::string name = {};
  std::string place = {};  ///< empty: it is not installed
};

/// Files of one kind.
struct FilesOfKind {
  std::string kind = {};  ///< `animation`, `body`
  std::optional<Game> game = {};
  std::size_t files = 0;
  std::uint64_t bytes = 0;
};

/// What is wrong with one or more files, for one reason.
struct Diagnosis {
  std::string code = {};
  Level level = Level::Info;
  std::string message = {};             ///< of the first file
  std::vector<std::string> files = {};  ///< the first few
  std::size_t count = 0;                ///< files
  std::optional<Cure> cure = {};
  /// What the cure is for: the file, or the folder of several files if the cure leaves the others in it as they should
  /// be. Empty if it has to be chosen.
  std::string path = {};
};

struct DoctorPicture {
  std::string name = {};  ///< of the file
  std::string png = {};   ///< as base64
};

struct DoctorReport {
  std::vector<InstalledPart> installed = {};
  std::vector<std::string> games = {};  ///< that are supported
  std::size_t files = 0;
  std::optional<Game> game = {};  ///< what the folder is taken to be for
  std::string reason = {};        ///< why
  std::vector<FilesOfKind> contents = {};
  std::vector<Diagnosis> problems = {};  ///< worst first
  std::vector<DoctorPicture> pictures = {};

  /// True if there is an error or a warning.
  bool found() const;
};

void describe(FieldList& fields, DoctorOptions& options);
void describe(FieldList& fields, InstalledPart& part);
void describe(FieldList& fields, FilesOfKind& kind);
void describe(FieldList& fields, Diagnosis& diagnosis);
void describe(FieldList& fields, DoctorPicture& picture);
void describe(FieldList& fields, DoctorReport& report);

/// Examines a mod folder: what is in it and in its archives, for which game, what would crash, T-pose or be ignored.
/// Files are read one at a time, and neighbours are looked for among them alone. Safe on untrusted bytes: a broken file
/// is a finding. Without files the report only has what is installed.
Result<DoctorReport> examine(std::span<const ExaminedFile> files, const DoctorOptions& options, Context& context);

/// Draws what a file shows: bodies on their skeleton, a clip or a skeleton as bones. Empty if it shows nothing.
Result<std::vector<std::byte>> draw_document(const Document& document, Context& context);

}  // namespace marrow
