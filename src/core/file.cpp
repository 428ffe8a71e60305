// SPDX-License-Identifier: MIT
#include "marrow/core/file.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>

#include "core/temporary_file.h"

namespace marrow {
namespace fs = std::filesystem;

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

File open_file(const fs::path& path) {
#ifdef _WIN32
  return File(_wfopen(path.c_str(), L"rb"));
#else
  return File(std::fopen(path.c_str(), "rb"));
#endif
}

// Some failures leave no reason behind; "Success" would be a lie.
std::string last_system_error(std::string_view otherwise) {
  return errno ? std::generic_category().message(errno) : std::string(otherwise);
}

// Returns the file that a path stands for, through links. Fails if it is something that must not be replaced.
Result<fs::path> target_of(const fs::path& path) {
  std::error_code status;
  const fs::file_type type = fs::status(path, status).type();
  if (type == fs::file_type::not_found) return path;
  if (type == fs::file_type::directory) return fail(ErrorCode::Io, "cannot be written: it is a folder");
  if (type != fs::file_type::regular)
    return fail(ErrorCode::Io, status ? "cannot be written: " + status.message()
                                      : "cannot be written: it is a device or a pipe, which is never replaced");
  if (!fs::is_symlink(path, status)) return path;
  const fs::path target = fs::canonical(path, status);
  return status ? path : target;
}

Result<void> write_temporary(TemporaryFile& temporary, std::span<const std::byte> bytes) {
  errno = 0;
  File file(temporary.open());
  if (!file) return fail(ErrorCode::Io, "cannot be written: " + last_system_error("it cannot be created"));
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() || std::fflush(file.get()) != 0 ||
      !sync_to_disk(file.get()))
    return fail(ErrorCode::Io, "cannot be written: " + last_system_error("the disk took only part of it"));
  if (std::fclose(file.release()) != 0)
    return fail(ErrorCode::Io, "cannot be written: " + last_system_error("it cannot be closed"));
  return {};
}

}  // namespace

Result<std::vector<std::byte>> read_file(const fs::path& path, const Limits& limits) {
  std::error_code status;
  const fs::file_type type = fs::status(path, status).type();
  if (type == fs::file_type::directory) return fail(ErrorCode::Io, "is a folder, not a file");
  if (type == fs::file_type::fifo || type == fs::file_type::socket || type == fs::file_type::block)
    return fail(ErrorCode::Io, "is not a regular file");
  errno = 0;
  const File file = open_file(path);
  if (!file) return fail(ErrorCode::Io, "cannot be opened: " + last_system_error("no reason is given"));
  const std::uintmax_t size = type == fs::file_type::regular ? fs::file_size(path, status) : 0;
  if (status) return fail(ErrorCode::Io, "cannot get its size: " + status.message());
  if (size > limits.max_file_bytes)
    return fail(ErrorCode::LimitExceeded, "has " + std::to_string(size) + " bytes; at most " +
                                              std::to_string(limits.max_file_bytes) + " are read");
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  errno = 0;
  if (std::fread(bytes.data(), 1, bytes.size(), file.get()) != bytes.size())
    return fail(ErrorCode::Io, "cannot be read: " + last_system_error("it became shorter while it was read"));
  return bytes;
}

Result<std::vector<std::byte>> read_file_head(const fs::path& path, std::size_t count) {
  errno = 0;
  const File file = open_file(path);
  if (!file) return fail(ErrorCode::Io, "cannot be opened: " + last_system_error("no reason is given"));
  std::vector<std::byte> bytes(count);
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
  return bytes;
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
    const std::u8string name = file.path.u8string();
    return in_file(std::move(error), std::string(name.begin(), name.end()));
  };
  for (const FileToWrite& file : files) {
    auto target = target_of(file.path);
    if (!target) return in_this(std::move(target.error()), file);
    std::error_code status;
    if (target->has_parent_path()) fs::create_directories(target->parent_path(), status);
    TemporaryFile& temporary = temporaries.emplace_back(*target);
    if (auto written = write_temporary(temporary, file.bytes); !written)
      return in_this(std::move(written.error()), file);
  }
  for (std::size_t i = files.size(); i-- > 0;)
    if (const std::error_code status = temporaries[i].become_target())
      return in_this({ErrorCode::Io, "cannot be written: " + status.message()}, files[i]);
  return {};
}

Result<void> write_file(const fs::path& path, std::span<const std::byte> bytes) {
  const FileToWrite file{path, bytes};
  return write_files({&file, 1});
}

}  // namespace marrow
