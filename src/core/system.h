// SPDX-License-Identifier: MIT
// What differs between systems when files are read and written: one implementation per system, system_NAME.cpp. All
// take paths of any length. Failures come with their reason in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <memory>
#include <span>
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
/// Creates a file that is not there yet, whatever leads to its name. Fails if anything has that name.
std::expected<File, Reason> open_new(const Path& path);
/// Gives an open file the mode and owner of another, as far as the system lets it. Never more rights than that one has.
void take_rights(std::FILE* file, const Path& from);
std::expected<std::uint64_t, Reason> size_of(std::FILE* file);
/// What changes when somebody writes to a file: its size and the time of the last change, in steps of the system's own.
struct Stamp {
  std::uint64_t size = 0;
  std::int64_t changed = 0;

  bool operator==(const Stamp&) const = default;
};
std::expected<Stamp, Reason> stamp_of(std::FILE* file);
/// Reads bytes at an offset, whatever place other threads read at. Returns how many were there.
std::expected<std::size_t, Reason> read_at(std::FILE* file, std::uint64_t offset, std::span<std::byte> out);
/// Waits until the written bytes are on the disk.
bool sync(std::FILE* file);

/// Makes a folder and those above it. Whoever needs them notices if that failed.
void make_folders(const Path& folder);
/// Fails if the system would not let another file take the place of this one, or if it must not be asked to.
std::expected<void, Reason> may_replace(const Path& path);
/// Renames a file over `to`, which may exist.
std::expected<void, Reason> rename(const Path& from, const Path& to);
/// Renames a file to a name that nothing has yet. False if something has it.
std::expected<bool, Reason> rename_to_new(const Path& from, const Path& to);
/// Removes a file. Safe in a signal handler; `path` is in the form of `stored_form`.
void remove(const Path::value_type* path);
/// Returns the form of a path in which the system takes it whatever its length.
Path stored_form(const Path& path);
/// Returns the file that a link leads to, or the path itself.
Path resolved(const Path& path);

long long process_id();
/// True if a process runs, or if that cannot be told.
bool runs(long long process);
/// Returns what names the processes among which `process_id` is unique: the running system, and the part of it that
/// this process sees. Empty if that cannot be told.
std::string process_space();
/// True if a path itself, not what it links to, is a regular file of this user.
bool is_own_file(const Path& path);
/// Returns bits that nobody can foresee.
std::uint64_t random_bits();
void wait_a_moment();

}  // namespace marrow::system
