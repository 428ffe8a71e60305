// SPDX-License-Identifier: MIT
// Files as the library's first header has them: a document with its notes, read from the disk and written to it.
#include <algorithm>

#include "anvil/select.h"
#include "core/path.h"
#include "core/try.h"
#include "marrow/core/file.h"
#include "marrow/marrow.h"
#include "marrow/ops/document/load.h"
#include "ops/collision/author.h"
#include "ops/document/anvil_format.h"
#include "ops/document/as_saved.h"
#include "ops/document/origin.h"
#include "ops/table/operation.h"

namespace marrow {
namespace {

/// The files of the disk, for what belongs to a file.
Lookup files_of_disk() {
  return Lookup(
      [](const std::string& name, std::size_t at_most) -> Result<std::vector<std::byte>> {
        const std::filesystem::path path = path_of_text(name);
        if (!is_file(path)) return fail(ErrorCode::NotFound, "there is no such file");
        return at_most <= kDetectBytes ? read_file_head(path, at_most) : read_file(path);
      },
      [](const std::string& folder) {
        std::vector<std::string> names;
        if (const auto found = names_in_folder(path_of_text(folder.empty() ? "." : folder)))
          for (const std::filesystem::path& name : *found) names.push_back(text_of_path(name));
        return names;
      },
      {},
      [](const std::string& folder, const std::string& name) {
        const std::string above = generic_text_of_path(place_of(path_of_text(folder.empty() ? "." : folder)));
        return generic_text_of_path(place_of(path_of_text(name))).starts_with(above + "/");
      });
}

/// A call that has the disk, and leaves its notes with the file.
struct FileCall {
  explicit FileCall(File& of) : file(of) { context.lookup = &lookup; }
  ~FileCall() {
    for (Note& note : context.notes) file.notes().push_back(std::move(note));
  }

  File& file;
  Lookup lookup = files_of_disk();
  Context context = {};
};

Format format_for(std::string_view path, const Document& document, const SaveOptions& options) {
  const std::size_t dot = path.find_last_of("./\\");
  const auto named =
      dot == std::string_view::npos || path[dot] != '.' ? std::nullopt : format_of_extension(path.substr(dot));
  SaveOptions own = options;
  // The extension keeps what it also stands for: tagfiles and packfiles are all `.hkx`.
  if (!own.format && named && extension_of(*named) != extension_of(saved_format(document, {}))) own.format = named;
  return saved_format(document, own);
}

}  // namespace

File::File(Document document) : document_(new Document(std::move(document))) {}
File::File(File&& other) noexcept
    : document_(std::exchange(other.document_, nullptr)), notes_(std::move(other.notes_)) {}
File& File::operator=(File&& other) noexcept {
  std::swap(document_, other.document_);
  std::swap(notes_, other.notes_);
  return *this;
}
File::~File() { delete document_; }

template <class Modifier>
Modifier* File::modifier(std::string_view bone) {
  if (!document_->anvil() || !is_anvil(document_->format)) return nullptr;
  Context context;
  const auto skeleton = edit_anvil(*document_, context);
  if (!skeleton) return nullptr;
  const auto hash = anvil::bone_named(**skeleton, bone);
  if (!hash) return nullptr;
  for (anvil::Bone& each : (*skeleton)->bones)
    if (each.name.hash == *hash)
      for (anvil::Modifier& modifier : each.modifiers)
        if (auto* found = std::get_if<Modifier>(&modifier.data)) return found;
  return nullptr;
}
#define MARROW_ROW(name, ...) template name##Modifier* File::modifier<name##Modifier>(std::string_view);
MARROW_MODIFIERS(MARROW_ROW)
#undef MARROW_ROW

Result<File> load_file(std::string_view path) { return load_file(path, {.parts = Parts::All | Parts::Bodies}); }

Result<File> load_file(std::string_view path, const LoadOptions& options) {
  File file{Document{}};
  FileCall call(file);
  LoadOptions own = options;
  if (own.name.empty()) own.name = std::string(path);
  const auto bytes = read_file(path_of_text(path), call.context.limits);
  if (!bytes) return in_file(bytes.error(), own.name);
  MARROW_TRY(file.document(), load(*bytes, own, call.context));
  for (Note& note : call.context.notes) file.notes().push_back(std::move(note));
  call.context.notes.clear();
  return file;
}

Result<void> save_file(File& file, std::string_view path) { return save_file(file, path, {}); }

Result<void> save_file(File& file, std::string_view path, const SaveOptions& options) {
  FileCall call(file);
  SaveOptions own = options;
  const std::filesystem::path target = path_of_text(path);
  const bool is_into_folder = is_folder(target);
  if (!is_into_folder) {
    own.format = format_for(path, file.document(), options);
    if (own.name.empty()) own.name = stem_of(path);
  }
  MARROW_TRY(const std::vector<SavedFile> saved, save(file.document(), own, call.context));
  const bool is_named = saved.size() > 1 && !saved.front().name.empty();
  if (is_named && !is_into_folder)
    return fail(ErrorCode::NeedsChoice, "the document has " + std::to_string(saved.size()) +
                                            " clips, and the format holds one; name a folder for them");
  std::vector<FileToWrite> files;
  for (const SavedFile& each : saved) {
    const std::string stem(stem_of(each.name.empty() ? file.document().name : each.name));
    std::filesystem::path place = is_into_folder ? target / path_of_text(stem + each.extension) : target;
    if (!is_into_folder && &each != &saved.front()) place.replace_extension(path_of_text(each.extension));
    files.push_back({.path = std::move(place), .bytes = each.bytes});
  }
  return write_files(files);
}

Result<void> add_collision(File& file, const geometry::TriangleMesh& mesh, const AddCollisionOptions& options) {
  Document document{.name = "mesh", .format = Format::Obj};
  document.meshes.push_back({.name = "mesh", .mesh = mesh});
  return add_collision(file, File(std::move(document)), options);
}

Result<void> add_collision(File& file, const File& mesh, const AddCollisionOptions& options) {
  FileCall call(file);
  Document meshes = mesh.document(), edited = file.document();  // so that a failure changes nothing
  MARROW_CHECK(read_parts(meshes, Parts::Meshes, call.context));
  MARROW_CHECK(settle(edited, call.context));
  MARROW_CHECK(read_parts(edited, Parts::Collision, call.context));
  AddBodyOptions add{
      .mesh = &meshes,
      .shape = options.shape,
      .material = options.material,
      .layer = options.layer,
      .world = options.in_scene,
      .build = {.mass_kg = options.mass_kg, .friction = options.friction, .restitution = options.restitution}};
  if (!options.node.empty()) add.node = options.node;
  auto added = add_body_to(edited, add, call.context);
  if (!added) return in_file(std::move(added.error()), edited.name);
  file.document() = std::move(edited);
  return {};
}

Result<OperationOutput> run(File& file, std::string_view operation, std::string_view options,
                            std::initializer_list<OperationFile> others) {
  const Operation* found = find_operation(operation);
  if (!found) return fail(ErrorCode::NotFound, "there is no operation '" + std::string(operation) + "'");
  MARROW_TRY(const Json given, parse_json(options));
  const std::vector<InputInfo>& roles = found->info.inputs;
  std::vector<OperationInput> inputs;
  const auto add = [&](std::string_view role, const File& from) {
    inputs.push_back({.role = role, .name = from.document().name, .document = &from.document()});
  };
  FileCall call(file);
  for (const OperationFile& each : others) {
    if (std::ranges::find(roles, each.role, &InputInfo::role) == roles.end())
      return fail(ErrorCode::InvalidArgument,
                  "'" + std::string(each.role) + "' is not an input of '" + std::string(operation) + "'");
    add(each.role, each.file);
  }
  OperationOutput output;
  if (found->edit) {
    Document edited = file.document();
    OperationCall made{.options = given, .inputs = inputs, .context = call.context, .wants_files = false};
    MARROW_TRY(const Json report, found->edit(edited, made));
    file.document() = std::move(edited);
    output.report = to_text(report);
    return output;
  }
  if (!roles.empty()) {
    const auto main = std::ranges::find(roles, true, &InputInfo::is_main);
    add((main == roles.end() ? roles.front() : *main).role, file);
    std::ranges::rotate(inputs, inputs.end() - 1);
  }
  OperationCall made{.options = given, .inputs = inputs, .context = call.context};
  MARROW_TRY(OperationResult result, found->run(made));
  output.report = to_text(result.report);
  output.found = result.found;
  for (SavedFile& each : result.files)
    output.files.push_back(
        {(each.name.empty() ? std::string(stem_of(file.document().name)) : each.name) + each.extension,
         std::move(each.bytes)});
  return output;
}

}  // namespace marrow
