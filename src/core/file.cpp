// SPDX-License-Identifier: MIT
#include "marrow/core/file.h"

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include "core/path.h"
#include "core/system.h"
#include "core/temporary_file.h"
#include "core/try.h"

namespace marrow {
namespace fs = std::filesystem;

namespace {

// Some failures leave no reason behind; "Success" would be a lie.
std::string last_system_error(std::string_view otherwise) {
  return errno ? std::generic_category().message(errno) : std::string(otherwise);
}

// Returns the file that a path stands for, through links. Fails if it is something that must not be replaced.
Result<fs::path> target_of(const fs::path& path) {
  std::string reason;
  switch (path_kind(path, &reason)) {
    case PathKind::Missing: return path;
    case PathKind::File:
      if (auto allowed = system::may_replace(path); !allowed)
        return fail(ErrorCode::Io, "cannot be written: " + allowed.error());
      return system::resolved(path);
    case PathKind::Folder: return fail(ErrorCode::Io, "cannot be written: it is a folder");
    case PathKind::Unknown: return fail(ErrorCode::Io, "cannot be written: " + reason);
    default: return fail(ErrorCode::Io, "cannot be written: it is a device or a pipe, which is never replaced");
  }
}

// Creates a temporary file with the rights of another, before the first byte is in it: nobody reads what they may not
// read in the end.
Result<system::File> open_temporary(TemporaryFile& temporary, const fs::path& rights_of) {
  auto file = temporary.open();
  if (!file) return fail(ErrorCode::Io, "cannot be written: " + file.error());
  if (is_file(rights_of)) system::take_rights(file->get(), rights_of);
  return std::move(*file);
}

Result<void> put(std::FILE* file, std::span<const std::byte> bytes) {
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size()) return {};
  return fail(ErrorCode::Io, "cannot be written: " + last_system_error("the disk took only part of it"));
}

Result<void> close_written(system::File file) {
  errno = 0;
  if (std::fflush(file.get()) != 0 || !system::sync(file.get()))
    return fail(ErrorCode::Io, "cannot be written: " + last_system_error("the disk took only part of it"));
  if (std::fclose(file.release()) != 0)
    return fail(ErrorCode::Io, "cannot be written: " + last_system_error("it cannot be closed"));
  return {};
}

Result<void> write_temporary(TemporaryFile& temporary, const FileToWrite& wanted, const fs::path& target) {
  MARROW_TRY(system::File file, open_temporary(temporary, wanted.rights_of.empty() ? target : wanted.rights_of));
  MARROW_CHECK(put(file.get(), wanted.bytes));
  return close_written(std::move(file));
}

// Gives a file the first free name of `path`, `path.1`, `path.2` ...
Result<void> rename_apart(TemporaryFile& temporary, const fs::path& path) {
  constexpr int kMost = 100'000;
  for (int i = 0; i < kMost; ++i) {
    fs::path name = path;
    if (i > 0) name += "." + std::to_string(i);
    const auto renamed = temporary.become_new(name);
    if (!renamed) return fail(ErrorCode::Io, "cannot be written: " + renamed.error());
    if (*renamed) return {};
  }
  return fail(ErrorCode::Io, "cannot be written: there are too many files of that name");
}

/// A file that stays open. Each read asks whether somebody has written to it.
class FileSource final : public ByteSource {
 public:
  FileSource(system::File file, const system::Stamp& stamp) : file_(std::move(file)), stamp_(stamp) {}

  std::uint64_t size() const override { return stamp_.size; }

  Result<void> read(std::uint64_t offset, std::span<std::byte> out) const override {
    if (offset > stamp_.size || out.size() > stamp_.size - offset) return beyond_end(offset, out.size(), stamp_.size);
    const auto got = system::read_at(file_.get(), offset, out);
    if (!got) return fail(ErrorCode::Io, "cannot be read: " + got.error(), offset);
    const auto now = system::stamp_of(file_.get());
    if (!now || *now != stamp_ || *got != out.size())
      return fail(ErrorCode::Io, "the file has changed since it was opened; run again when nobody writes to it",
                  offset);
    return {};
  }

 private:
  system::File file_;
  system::Stamp stamp_;
};

}  // namespace

Result<std::shared_ptr<const ByteSource>> open_source(const fs::path& path) {
  const PathKind kind = path_kind(path);
  if (kind == PathKind::Folder) return fail(ErrorCode::Io, "is a folder, not a file");
  if (kind == PathKind::Other) return fail(ErrorCode::Io, "is not a regular file");
  auto file = system::open_to_read(path);
  if (!file) return fail(ErrorCode::Io, "cannot be opened: " + file.error());
  const auto stamp = system::stamp_of(file->get());
  if (!stamp) return fail(ErrorCode::Io, "cannot get its size: " + stamp.error());
  return std::make_shared<const FileSource>(std::move(*file), *stamp);
}

Result<std::vector<std::byte>> read_file(const fs::path& path, const Limits& limits) {
  const PathKind kind = path_kind(path);
  if (kind == PathKind::Folder) return fail(ErrorCode::Io, "is a folder, not a file");
  if (kind == PathKind::Other) return fail(ErrorCode::Io, "is not a regular file");
  const auto file = system::open_to_read(path);
  if (!file) return fail(ErrorCode::Io, "cannot be opened: " + file.error());
  const auto size = system::size_of(file->get());
  if (!size) return fail(ErrorCode::Io, "cannot get its size: " + size.error());
  if (*size > limits.max_file_bytes)
    return fail(ErrorCode::LimitExceeded, "has " + std::to_string(*size) + " bytes; at most " +
                                              std::to_string(limits.max_file_bytes) + " are read");
  std::vector<std::byte> bytes(static_cast<std::size_t>(*size));
  errno = 0;
  if (std::fread(bytes.data(), 1, bytes.size(), file->get()) != bytes.size())
    return fail(ErrorCode::Io, "cannot be read: " + last_system_error("it became shorter while it was read"));
  return bytes;
}

Result<std::vector<std::byte>> read_file_head(const fs::path& path, std::size_t count) {
  const auto file = system::open_to_read(path);
  if (!file) return fail(ErrorCode::Io, "cannot be opened: " + file.error());
  std::vector<std::byte> bytes(count);
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file->get()));
  return bytes;
}

Result<std::FILE*> open_to_write(const fs::path& path, bool append) {
  auto file = system::open_to_write(path, append);
  if (!file) return fail(ErrorCode::Io, "cannot be written: " + file.error());
  return file->release();
}

Result<void> copy_file(const fs::path& from, const fs::path& to) {
  auto bytes = read_file(from);
  if (!bytes) return std::unexpected(std::move(bytes.error()));
  return write_file(to, *bytes);
}

Result<void> write_files(std::span<const FileToWrite> files) {
  std::vector<TemporaryFile> temporaries;  // each removes itself, unless it was renamed
  temporaries.reserve(files.size());
  const auto in_this = [](Error error, const FileToWrite& file) {
    return in_file(std::move(error), text_of_path(file.path));
  };
  for (const FileToWrite& file : files) {
    auto target = file.is_kept_apart ? Result<fs::path>(file.path) : target_of(file.path);
    if (!target) return in_this(std::move(target.error()), file);
    if (target->has_parent_path()) system::make_folders(target->parent_path());
    TemporaryFile& temporary = temporaries.emplace_back(*target);
    if (auto written = write_temporary(temporary, file, *target); !written)
      return in_this(std::move(written.error()), file);
  }
  for (std::size_t i = files.size(); i-- > 0;) {
    if (files[i].is_kept_apart) {
      if (auto renamed = rename_apart(temporaries[i], files[i].path); !renamed)
        return in_this(std::move(renamed.error()), files[i]);
    } else if (auto renamed = temporaries[i].become_target(); !renamed) {
      return in_this({ErrorCode::Io, "cannot be written: " + renamed.error()}, files[i]);
    }
  }
  return {};
}

struct FileInPieces::State {
  std::string name;
  TemporaryFile temporary;
  system::File file;
};

FileInPieces::FileInPieces(std::unique_ptr<State> state) : state_(std::move(state)) {}
FileInPieces::FileInPieces(FileInPieces&& other) noexcept = default;
FileInPieces::~FileInPieces() = default;

Result<FileInPieces> FileInPieces::open(const fs::path& path) {
  const std::string name = text_of_path(path);
  auto target = target_of(path);
  if (!target) return in_file(std::move(target.error()), name);
  TemporaryFile temporary(*target);
  auto file = open_temporary(temporary, *target);
  if (!file) return in_file(std::move(file.error()), name);
  return FileInPieces(std::make_unique<State>(State{name, std::move(temporary), std::move(*file)}));
}

Result<void> FileInPieces::add(std::string_view text) {
  auto done = put(state_->file.get(), std::as_bytes(std::span(text)));
  return done ? done : in_file(std::move(done.error()), state_->name);
}

Result<void> FileInPieces::finish() {
  if (auto closed = close_written(std::move(state_->file)); !closed)
    return in_file(std::move(closed.error()), state_->name);
  if (auto renamed = state_->temporary.become_target(); !renamed)
    return in_file({ErrorCode::Io, "cannot be written: " + renamed.error()}, state_->name);
  return {};
}

Result<fs::path> write_new_file(const fs::path& folder, std::string_view prefix, std::string_view extension,
                                std::span<const std::byte> bytes) {
  fs::path path = folder / path_of_text(std::string(prefix) + "-" + random_name() + std::string(extension));
  auto file = system::open_new(path);
  if (!file) return in_file({ErrorCode::Io, "cannot be written: " + file.error()}, text_of_path(path));
  if (std::fwrite(bytes.data(), 1, bytes.size(), file->get()) != bytes.size() || std::fflush(file->get()) != 0) {
    const std::string reason = last_system_error("the disk took only part of it");
    system::remove(system::stored_form(path).c_str());
    return in_file({ErrorCode::Io, "cannot be written: " + reason}, text_of_path(path));
  }
  return path;
}

Result<void> write_file(const fs::path& path, std::span<const std::byte> bytes) {
  const FileToWrite file{path, bytes};
  return write_files({&file, 1});
}

}  // namespace marrow
