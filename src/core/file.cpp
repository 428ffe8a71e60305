// SPDX-License-Identifier: MIT
#include "marrow/core/file.h"

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include "core/system.h"
#include "core/temporary_file.h"
#include "marrow/core/path.h"

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

Result<void> write_temporary(TemporaryFile& temporary, std::span<const std::byte> bytes) {
  auto file = temporary.open();
  if (!file) return fail(ErrorCode::Io, "cannot be written: " + file.error());
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file->get()) != bytes.size() || std::fflush(file->get()) != 0 ||
      !system::sync(file->get()))
    return fail(ErrorCode::Io, "cannot be written: " + last_system_error("the disk took only part of it"));
  if (std::fclose(file->release()) != 0)
    return fail(ErrorCode::Io, "cannot be written: " + last_system_error("it cannot be closed"));
  return {};
}

}  // namespace

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
    auto target = target_of(file.path);
    if (!target) return in_this(std::move(target.error()), file);
    if (target->has_parent_path()) system::make_folders(target->parent_path());
    TemporaryFile& temporary = temporaries.emplace_back(*target);
    if (auto written = write_temporary(temporary, file.bytes); !written)
      return in_this(std::move(written.error()), file);
  }
  for (std::size_t i = files.size(); i-- > 0;)
    if (auto renamed = temporaries[i].become_target(); !renamed)
      return in_this({ErrorCode::Io, "cannot be written: " + renamed.error()}, files[i]);
  return {};
}

Result<void> write_file(const fs::path& path, std::span<const std::byte> bytes) {
  const FileToWrite file{path, bytes};
  return write_files({&file, 1});
}

}  // namespace marrow
