// SPDX-License-Identifier: MIT
/// Every operation of Marrow as data: what it takes, what it gives, how it is run. A door (command line, C, Python, a
/// page) translates and shows; it decides nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "marrow/core/byte_source.h"
#include "marrow/core/error.h"
#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

/// A file that an operation is given.
struct OperationInput {
  std::string_view role = {};  ///< which input of the operation, `clip`, `skeleton`
  std::string name = {};       ///< of the file, for messages and for what lies near it
  std::span<const std::byte> bytes = {};
  std::vector<std::byte>* owner = nullptr;  ///< of `bytes`, if the operation may free them once they are parsed
  const Document* document = nullptr;       ///< instead of `bytes`: parsed already, with all parts that are needed
  std::shared_ptr<const ByteSource> source = {};  ///< instead of `bytes`, for an input of kind `Bytes`
};

/// What an operation gave.
struct OperationResult {
  Json report = Json::object();
  std::vector<SavedFile> files = {};  ///< empty if the operation writes none
  bool found = false;                 ///< true if `check` or `diff` found something
};

/// One input of an operation.
struct InputInfo {
  std::string_view role;
  std::string_view placeholder;  ///< `CLIP`
  std::string_view help;
  InputKind kind = InputKind::Document;
  bool is_positional = true;
  bool is_required = true;
  bool is_list = false;  ///< takes any number of files at once
  bool is_pair = false;  ///< takes one file or two, for the two actors of a paired clip
  bool is_main = false;  ///< the operation runs once for each file given here
  std::string_view rest =
      {};                     ///< of a main input: it runs once for all files, and those after the first have this role
  Parts parts = Parts::None;  ///< what is made values of, if it is parsed beforehand
  bool takes_all = false;     ///< of a tree: files of every kind, not only of formats that are known
  std::string_view (*builtin)(std::string_view name) = nullptr;  ///< as in `FieldText`
};

/// A text of the report that can be kept as a file of its own.
struct ExtraOutput {
  std::string_view option;  ///< `save_map`
  std::string_view field;   ///< of the report
  std::string_view help;
  bool is_per_file = false;  ///< each main input has one of its own, so that it goes with one input only
};

/// What an operation writes.
enum class OutputKind : std::uint8_t {
  None,      ///< only its report
  Document,  ///< a document, in any of `OperationInfo::formats`
  Text,      ///< a text; printed if no output is named
  Files,     ///< files below a folder, each named by its path there
  File,      ///< one file that is not a document, with one of `OperationInfo::extensions`
  Folder,    ///< files below a folder, each by its own path
};

/// One call of an operation.
struct OperationCall {
  const Json& options;  ///< an object: fields of the operation's options and, if it writes a document, `format`
  std::span<const OperationInput> inputs;
  Context& context;
  bool wants_files = true;               ///< false: only the report is needed
  bool wants_report = true;              ///< false: the report of a text may stay empty
  std::string output_name = {};          ///< stem of the output, for files that come with another
  std::vector<std::string> extras = {};  ///< options of the `ExtraOutput`s that are wanted
  /// Of an operation that writes files below a folder: takes each as soon as it is made. A file that it refuses is one
  /// that failed. Empty: all are returned together.
  std::function<Result<void>(SavedFile file)> put = {};
};

struct OperationInfo {
  std::string_view name;     ///< `compress`, `collision build`
  std::string_view summary;  ///< one line, a fragment
  std::string_view details = {};
  std::vector<InputInfo> inputs = {};
  std::vector<FieldInfo> options = {};
  std::vector<FieldInfo> report = {};
  OutputKind output = OutputKind::None;
  std::vector<Format> formats = {};               ///< of a document; empty: that of the input
  std::string_view text_extension = {};           ///< of a text, `.csv`
  std::vector<std::string_view> extensions = {};  ///< of a file, `.bsa`
  /// Of what is not to be printed but is a file of one of several kinds: their extensions. The option `form` says which
  /// it is, without the dot; the command line takes it from the name of the output.
  std::vector<std::string_view> text_forms = {};
  bool output_is_optional = false;    ///< a document that is written only if an output is named
  std::string_view output_flag = {};  ///< of a document that is written only if asked for: `fix`
  std::vector<ExtraOutput> extras = {};
  bool names_outputs = false;  ///< its files are named after their clips, in the output folder itself
  std::string_view rows = {};  ///< the list of the report that is printed as one object per element
  /// It may read Anvil skeletons, whose files name bones by hash: `Context::bone_names` makes a difference.
  bool takes_bone_names = false;
  /// It only reports on its inputs: all its work may take as much memory as reading them, unless it writes a document.
  bool is_bounded = false;
  /// An operation that explains a word after this one: help on `rig add-modifier BallJoint` shows its fields.
  std::string_view explained_by = {};
};

/// One row of the table.
struct Operation {
  OperationInfo info;
  /// Checks options by themselves: names, ranges, choices, what is required. Fails with `BadOption`.
  Result<void> (*check_options)(const Json& options);
  std::function<Result<OperationResult>(OperationCall&)> run;
  /// Of an operation that changes a document: does that to one in memory, without loading and saving. Returns the
  /// report. The main input of the call is not used. Empty for other operations.
  std::function<Result<Json>(Document& document, OperationCall&)> edit = {};
};

/// Returns all operations, in the order in which help lists them.
std::span<const Operation> operations();
/// Returns the operation of that name; null if there is none.
const Operation* find_operation(std::string_view name);
/// Returns the whole table as JSON, for other languages.
Json describe_operations();

/// Runs an operation by name. Fails with `NotFound` if there is none of that name.
Result<OperationResult> run_operation(std::string_view name, OperationCall& call);

}  // namespace marrow
