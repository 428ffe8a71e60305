// SPDX-License-Identifier: MIT
#include "marrow/core/file.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>

namespace marrow {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

File open_file(const std::filesystem::path& path, bool writing) {
#ifdef _WIN32
  return File(_wfopen(path.c_str(), writing ? L"wb" : L"rb"));
#else
  return File(std::fopen(path.c_str(), writing ? "wb" : "rb"));
#endif
}

std::string last_system_error() { return std::generic_category().message(errno); }

// A name beside the target that no other thread or process of ours is using.
std::filesystem::path temporary_beside(const std::filesystem::path& path) {
  static std::atomic<unsigned> counter{0};
  const auto ticks = std::chrono::steady_clock::now().time_since_epoch().count();
  std::filesystem::path temporary = path;
  temporary += "." + std::to_string(ticks) + "-" + std::to_string(counter++) + ".tmp";
  return temporary;
}

}  // namespace

Result<std::vector<std::byte>> read_file(const std::filesystem::path& path, const Limits& limits) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status)) return fail(ErrorCode::Io, "is a folder, not a file");
  const File file = open_file(path, false);
  if (!file) return fail(ErrorCode::Io, "cannot be opened: " + last_system_error());
  const std::uintmax_t size = std::filesystem::file_size(path, status);
  if (status) return fail(ErrorCode::Io, "cannot get its size: " + status.message());
  if (size > limits.max_file_bytes)
    return fail(ErrorCode::LimitExceeded, "has " + std::to_string(size) + " bytes; at most " +
                                              std::to_string(limits.max_file_bytes) + " are read");
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  if (std::fread(bytes.data(), 1, bytes.size(), file.get()) != bytes.size())
    return fail(ErrorCode::Io, "cannot be read: " + last_system_error());
  return bytes;
}

Result<std::vector<std::byte>> read_file_head(const std::filesystem::path& path, std::size_t count) {
  const File file = open_file(path, false);
  if (!file) return fail(ErrorCode::Io, "cannot be opened: " + last_system_error());
  std::vector<std::byte> bytes(count);
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
  return bytes;
}

Result<void> copy_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code status;
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, status);
  if (status) return fail(ErrorCode::Io, "cannot be copied: " + status.message());
  return {};
}

Result<void> write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::error_code status;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), status);
  const std::filesystem::path temporary = temporary_beside(path);
  const auto give_up = [&](std::string why) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    return fail(ErrorCode::Io, "cannot be written: " + why);
  };
  File file = open_file(temporary, true);
  if (!file) return give_up(last_system_error());
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) return give_up(last_system_error());
  if (std::fclose(file.release()) != 0) return give_up(last_system_error());
  std::filesystem::rename(temporary, path, status);
  if (status) return give_up(status.message());
  return {};
}

}  // namespace marrow
