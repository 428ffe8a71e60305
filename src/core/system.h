// SPDX-License-Identifier: MIT
// What differs between systems when files are read and written: one implementation per system, system_NAME.cpp. All
// take paths of any length. Failures come with their reason in words.
#pragma once

#include <cstdint>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>

namespace marrow::system {

using Path = std::filesystem::path;
using Reason = std::string;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// Opens a file that others may have open, too.
std::expected<File, Reason> open_to_read(const Path& path);
/// Creates or empties a file, or opens it to write at its end.
std::expected<File, Reason> open_to_write(const Path& path, bool append);
std::expected<std::uint64_t, Reason> size_of(std::FILE* file);
/// Waits until the written bytes are on the disk.
bool sync(std::FILE* file);

/// Makes a folder and those above it. Whoever needs them notices if that failed.
void make_folders(const Path& folder);
/// Fails if the system would not let another file take the place of this one, or if it must not be asked to.
std::expected<void, Reason> may_replace(const Path& path);
/// Renames a file over `to`, which may exist.
std::expected<void, Reason> rename(const Path& from, const Path& to);
/// Removes a file. Safe in a signal handler; `path` is in the form of `stored_form`.
void remove(const Path::value_type* path);
/// Returns the form of a path in which the system takes it whatever its length.
Path stored_form(const Path& path);
/// Returns the file that a link leads to, or the path itself.
Path resolved(const Path& path);

long long process_id();
/// True if a process runs, or if that cannot be told.
bool runs(long long process);
std::string host_name();
void wait_a_moment();

}  // namespace marrow::system
