// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/marrow.h"
#include "marrow/ops/body/textures.h"
#include "marrow/ops/table/describe.h"

namespace marrow {

struct ConvertOptions {
  SaveOptions save = {};
  const Document* skeleton = nullptr;         ///< that the clips are for, or that a skeleton is laid over
  const Document* second_skeleton = nullptr;  ///< of the second actor of paired clips; by default the first's
  std::string clip = {};                      ///< of several in the document, the one to write
  std::optional<double> fps = {};  ///< frames per second of glTF clips without a record; by default that of their keys
  /// Leaves files alone that are right for the game already, or cannot be made right without losing anything. Without a
  /// game, wrong are 32-bit files in a folder of Skyrim SE.
  bool only_wrong = false;
  TextureOptions textures = {};
  bool is_part_of_many = false;  ///< bodies are placed on their skeleton later, all together
};

struct ConvertReport {
  Format format = Format::Unknown;  ///< that is written
  std::size_t bytes = 0;
  bool is_unchanged = false;  ///< right as it is, so nothing is written
  std::string because = {};   ///< of a file that is left alone, or not: what the game is taken to be, and why

  void saved(const Document& document, const std::vector<SavedFile>& files);
};

/// Several files as one.
struct MergeOptions {
  SaveOptions save = {};
  std::optional<double> fps = {};             ///< as of `ConvertOptions`
  const Document* skeleton = nullptr;         ///< that the clips are for
  const Document* second_skeleton = nullptr;  ///< of the second actor of paired clips; by default the first's
  TextureOptions textures = {};
};

struct FailedInput {
  std::string path = {};
  Json error = {};
};

struct MergeReport {
  std::size_t files = 0;                 ///< that went in
  std::vector<FailedInput> failed = {};  ///< that could not be read
};

template <>
struct ChoiceWords<havok::XmlStyle> {
  static constexpr std::array<std::string_view, 2> words = {"exact", "plain"};
};
template <>
struct ChoiceWords<Units> {
  static constexpr std::array<std::string_view, 3> words = {"metre", "game", "blender"};
};

template <>
struct ChoiceWords<RootMotionAs> {
  static constexpr std::array<std::string_view, 3> words = {"none", "node", "bake"};
};

void describe(FieldList& fields, ConvertOptions& options);
void describe(FieldList& fields, ConvertReport& report);
void describe(FieldList& fields, MergeOptions& options);
void describe(FieldList& fields, FailedInput& failed);
void describe(FieldList& fields, MergeReport& report);

/// Returns the game that a file has to be converted for, by the rules of `ConvertOptions::only_wrong`; nothing if it
/// stays as it is. `because` is what the game is taken to be, and why; notes explain why a file is left alone.
std::optional<Game> wrong_for(const Document& document, const ConvertOptions& options, Context& context,
                              std::string& because);

/// True if a 32-bit Skyrim file lies in a folder of Skyrim SE, by the folder's name or the other files in it.
bool is_forgotten_32_bit(const Document& document, const Context& context);

/// Makes a document ready to be saved as another format or for another game: finds the skeleton of clips, fits clips to
/// a skeleton, lays a skeleton over the file it came from.
Result<ConvertReport> convert(Document& document, const ConvertOptions& options, Context& context);

/// Adds the skeletons and clips of a document to another: what moves the same skeleton stands together. Fails if their
/// units differ.
Result<void> merge_into(Document& merged, Document document);

}  // namespace marrow
