// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/ops/document/load.h"
#include "nif/port.h"
#include "ops/body/textures.h"
#include "ops/table/describe.h"

namespace marrow {

/// Frames per second: a number, or `source` for what the file has.
struct FrameRate {
  std::optional<double> value = {};
  bool is_own = false;
};

/// The size of a unit: a number, or `auto` to be found from the skeleton that the clip is for.
struct SourceScale {
  std::optional<double> value = {};
  bool is_auto = false;
};

struct ConvertOptions {
  SaveOptions save = {};
  std::optional<Units> units = {};            ///< of glTF files that are written, else of packfiles made of FBX and BVH
  const Document* skeleton = nullptr;         ///< that the clips are for, or that a skeleton is laid over
  const Document* second_skeleton = nullptr;  ///< of the second actor of paired clips; by default the first's
  std::string clip = {};   ///< of several in the document, the one to write: its name, else its number
  FrameRate fps = {};      ///< of glTF clips without a record, by default that of their keys; of FBX and BVH 30
  SourceScale scale = {};  ///< FBX and BVH: units of the result per unit of the file
  SourceRest rest = SourceRest::Bind;  ///< FBX and BVH
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
  std::vector<std::string> left_bones = {};  ///< bones of FBX and BVH that the skeleton does not have
  std::vector<PortChange> changed = {};      ///< of a NIF for another game: what is another thing there
  std::optional<Json> left_out = {};         ///< blocks of a NIF that the other game cannot have: how many of each type

  void saved(const Document& document, const std::vector<SavedFile>& files);
};

/// Several files as one.
struct MergeOptions {
  SaveOptions save = {};
  std::optional<Units> units = {};            ///< of the glTF file
  FrameRate fps = {};                         ///< as of `ConvertOptions`
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
struct ChoiceWords<SourceRest> {
  static constexpr std::array<std::string_view, 4> words = {"bind", "file", "frame0", "offsets"};
};

namespace described {

/// A number, or one word instead of it.
struct NumberOrWord {
  static void fill(FieldInfo& info) {
    info.type = FieldType::Number;
    info.is_optional = true;
  }
  static Json get(const std::optional<double>& value, bool is_word, std::string_view word) {
    return is_word ? Json(word) : value ? Json(*value) : Json();
  }
  static Result<void> set(std::optional<double>& value, bool& is_word, std::string_view word, const Json& json,
                          const FieldInfo& info);
};
template <>
struct Traits<FrameRate> : NumberOrWord {
  static Json get(const FrameRate& rate) { return NumberOrWord::get(rate.value, rate.is_own, "source"); }
  static Result<void> set(FrameRate& rate, const Json& json, const FieldInfo& info) {
    return NumberOrWord::set(rate.value, rate.is_own, "source", json, info);
  }
};
template <>
struct Traits<SourceScale> : NumberOrWord {
  static Json get(const SourceScale& scale) { return NumberOrWord::get(scale.value, scale.is_auto, "auto"); }
  static Result<void> set(SourceScale& scale, const Json& json, const FieldInfo& info) {
    return NumberOrWord::set(scale.value, scale.is_auto, "auto", json, info);
  }
};

}  // namespace described

template <>
struct ChoiceWords<RootMotionAs> {
  static constexpr std::array<std::string_view, 3> words = {"none", "node", "bake"};
};

void describe(FieldList& fields, ConvertOptions& options);
void describe(FieldList& fields, ConvertReport& report);
void describe(FieldList& fields, MergeOptions& options);
void describe(FieldList& fields, FailedInput& failed);
void describe(FieldList& fields, marrow::MergeReport& report);

/// Returns how a file is loaded to be converted so.
LoadOptions load_options(const ConvertOptions& options);

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
