// SPDX-License-Identifier: MIT
#include "side_inputs.h"

#include "marrow/core/file.h"
#include "ops/document/tree_name.h"
#include "store.h"

namespace marrow::cli {
namespace fs = std::filesystem;

namespace {

/// A file of many, which is open only while it is read.
class FileOnDemand final : public ByteSource {
 public:
  FileOnDemand(fs::path path, std::uint64_t size) : path_(std::move(path)), size_(size) {}

  std::uint64_t size() const override { return size_; }
  Result<void> read(std::uint64_t offset, std::span<std::byte> out) const override {
    if (!place_in_archive(path_)) {
      const auto source = open_source(path_);
      if (!source) return std::unexpected(source.error());
      if ((*source)->size() != size_) return has_changed();
      return (*source)->read(offset, out);
    }
    auto bytes = read_any(path_);
    if (!bytes) return std::unexpected(std::move(bytes.error()));
    if (bytes->size() != size_) return has_changed();
    return ByteSourceView(*bytes).read(offset, out);
  }

 private:
  static std::unexpected<Error> has_changed() {
    return fail(ErrorCode::Io, "the file has changed since it was listed; run again when nobody writes to it");
  }

  fs::path path_;
  std::uint64_t size_;
};

}  // namespace

SideInputs::SideInputs(const Command& command, Context& context) {
  const InputInfo* main = main_input(command.info());
  for (const InputInfo& info : command.info().inputs)
    if (&info != main)
      if (const auto found = command.files.find(info.role); found != command.files.end())
        for (const std::string& path : found->second) add(info, path, context);
}

Result<std::vector<OperationInput>> SideInputs::for_input(const Input& input,
                                                          std::deque<std::vector<std::byte>>& kept) const {
  std::vector<OperationInput> inputs = inputs_;
  for (const auto& [info, folder] : folders_) {
    const fs::path path = (folder / input.relative()).replace_extension(".txt");
    auto bytes = read_any(path);
    if (!bytes) return in_file(std::move(bytes.error()), text_of_path(path));
    kept.push_back(std::move(*bytes));
    inputs.push_back({.role = info->role, .name = text_of_path(path), .bytes = kept.back()});
  }
  return inputs;
}

void SideInputs::add_to(Hash64& hash) const {
  for (const OperationInput& input : inputs_) hash.add(input.role).add(input.name).add(input.bytes);
}

void SideInputs::add(const InputInfo& info, const std::string& text, Context& context) {
  const fs::path path = path_of_text(text);
  if (info.kind == InputKind::Text && !info.is_list && is_folder(path)) {
    folders_.emplace_back(&info, path);
    return;
  }
  if (info.kind == InputKind::Bytes) {
    if (info.is_list)
      add_files(info, text);
    else
      add_source(info, path);
    return;
  }
  if (info.kind == InputKind::Tree) return add_tree(info, text, context);
  if (info.is_list) {
    for (const Input& input : expand_inputs({text})) {
      if (input.problem && !error_) error_ = in_file(*input.problem, text_of_path(input.path())).error();
      read(info, input.path(), context);
    }
    return;
  }
  if (info.builtin && !path_exists(path) && !text.empty() && !info.builtin(text).empty()) {
    inputs_.push_back({.role = info.role, .name = text});
    return;
  }
  read(info, path, context);
}

void SideInputs::add_source(const InputInfo& info, const fs::path& path) {
  auto source = open_source(path);
  if (source)
    inputs_.push_back({.role = info.role, .name = text_of_path(path), .source = std::move(*source)});
  else if (!error_)
    error_ = in_file(std::move(source.error()), text_of_path(path)).error();
}

// Every file of a folder or an archive, each with its place below it.
void SideInputs::add_files(const InputInfo& info, const std::string& text) {
  for (const Input& input : expand_inputs({text}, {.wanted = Wanted::Everything})) {
    auto size = input.problem ? std::unexpected(*input.problem) : size_of_any(input.path());
    const std::string folder = input.is_from_folder ? text : text_of_path(input.path().parent_path());
    if (size)
      inputs_.push_back({.role = info.role,
                         .name = tree_name(folder, generic_text_of_path(input.relative())),
                         .source = std::make_shared<const FileOnDemand>(input.path(), *size)});
    else if (!error_)
      error_ = in_file(std::move(size.error()), text_of_path(input.path())).error();
  }
}

// Files keep their place below the folder: it decides what they are, and where they go.
void SideInputs::add_tree(const InputInfo& info, const std::string& text, Context& context) {
  const WalkOptions walk{.wanted = info.takes_all ? Wanted::Everything : Wanted::Known};
  for (const Input& input : expand_inputs({text}, walk)) {
    const std::string name = text_of_path(input.path());
    auto bytes = input.problem ? Result<std::vector<std::byte>>(std::unexpected(*input.problem))
                               : read_any(input.path(), context.limits);
    if (!bytes) {
      if (!error_) error_ = in_file(std::move(bytes.error()), name).error();
      return;
    }
    bytes_.push_back(std::move(*bytes));
    std::string below = input.is_from_folder ? tree_name(text, generic_text_of_path(input.relative())) : name;
    inputs_.push_back({.role = info.role, .name = std::move(below), .bytes = bytes_.back()});
  }
}

void SideInputs::read(const InputInfo& info, const fs::path& path, Context& context) {
  const std::string name = text_of_path(path);
  auto bytes = read_any(path, context.limits);
  if (bytes && bytes->empty()) bytes = fail(ErrorCode::Truncated, "the file is empty", 0);
  if (!bytes) {
    if (info.builtin) bytes.error().message += "; presets are " + std::string(info.builtin({}));
    if (!error_) error_ = in_file(std::move(bytes.error()), name).error();
    return;
  }
  bytes_.push_back(std::move(*bytes));
  OperationInput input{.role = info.role, .name = name, .bytes = bytes_.back()};
  const bool is_mesh = info.role == "mesh" || (info.role == "file" && info.is_list);
  if (info.kind != InputKind::Text && !is_mesh) {
    auto document = load(bytes_.back(), {.name = name, .parts = info.parts}, context);
    if (document && info.kind == InputKind::Skeleton && !main_skeleton(*document))
      document = std::unexpected(main_skeleton(*document).error());
    if (!document) {
      if (!error_) error_ = std::move(document.error());
      return;
    }
    documents_.push_back(std::move(*document));
    input.document = &documents_.back();
  }
  inputs_.push_back(std::move(input));
}

}  // namespace marrow::cli
