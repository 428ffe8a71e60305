// SPDX-License-Identifier: MIT
// The calls with wide texts. Those of the C library and of libstdc++ take no path of more than 260 characters, and take
// the `?` of its long form for a wildcard.
#define _CRT_RAND_S  // rand_s, before the first header
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <windows.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "core/file_name.h"
#include "core/path.h"
#include "core/system.h"
#include "core/wide_text.h"
#include "marrow/core/text.h"

namespace marrow {
namespace fs = std::filesystem;

namespace system {
namespace {

// Folders may have twelve characters less than files: room for a name.
constexpr std::size_t kLongestPlainPath = MAX_PATH - 12;
constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

struct CloseHandleOf {
  using pointer = HANDLE;
  void operator()(HANDLE handle) const { CloseHandle(handle); }
};
using Handle = std::unique_ptr<HANDLE, CloseHandleOf>;

Handle handle_or_null(HANDLE handle) { return Handle(handle == INVALID_HANDLE_VALUE ? nullptr : handle); }

std::u16string_view units_of(std::wstring_view wide) {
  return {reinterpret_cast<const char16_t*>(wide.data()), wide.size()};
}

std::wstring wide_of(const std::u16string& units) { return {units.begin(), units.end()}; }

bool has_attribute(const Path& path, DWORD attribute) {
  const DWORD all = GetFileAttributesW(path.c_str());
  return all != INVALID_FILE_ATTRIBUTES && (all & attribute) != 0;
}

// What the system says about an error, in English if it can.
Reason system_text(DWORD code) {
  std::array<wchar_t, 512> text{};
  constexpr DWORD kFlags = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS | FORMAT_MESSAGE_MAX_WIDTH_MASK;
  for (const DWORD language : {DWORD{MAKELANGID(LANG_ENGLISH, SUBLANG_ENGLISH_US)}, DWORD{0}})
    if (const DWORD length = FormatMessageW(kFlags, nullptr, code, language, text.data(), text.size(), nullptr))
      return std::string(trim(utf8_of_utf16(units_of({text.data(), length}))));
  return "error " + std::to_string(code);
}

// Words for what people meet; `path` is what could not be used.
Reason reason_of(DWORD code, const Path& path) {
  switch (code) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_DRIVE: return "No such file or directory";
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_USER_MAPPED_FILE: return "another program has it open; close it there and try again";
    case ERROR_ACCESS_DENIED:
      if (has_attribute(path, FILE_ATTRIBUTE_READONLY)) return "it is read-only";
      return "access is denied, or another program has it open";
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL: return "No space left on device";
    case ERROR_INVALID_NAME: return "Windows does not take this name";
    default: return system_text(code);
  }
}

std::unexpected<Reason> failed(const Path& path) { return std::unexpected(reason_of(GetLastError(), path)); }

std::expected<File, Reason> open(const Path& path, DWORD access, DWORD share, DWORD creation, int flags,
                                 const char* mode) {
  const Path stored = stored_form(path);
  Handle handle =
      handle_or_null(CreateFileW(stored.c_str(), access, share, nullptr, creation, FILE_ATTRIBUTE_NORMAL, nullptr));
  if (!handle) return failed(stored);
  const int descriptor = _open_osfhandle(reinterpret_cast<std::intptr_t>(handle.get()), flags | _O_BINARY);
  if (descriptor == -1) return std::unexpected(Reason("too many files are open"));
  (void)handle.release();  // the descriptor owns it
  File file(_fdopen(descriptor, mode));
  if (!file) {
    _close(descriptor);
    return std::unexpected(Reason("too many files are open"));
  }
  return file;
}

std::wstring full_path(const Path& path) {
  const DWORD size = GetFullPathNameW(path.c_str(), 0, nullptr, nullptr);
  std::wstring full(size, L'\0');
  full.resize(GetFullPathNameW(path.c_str(), size, full.data(), nullptr));
  return full;
}

Handle opened_to_ask(const Path& path) {
  return handle_or_null(CreateFileW(stored_form(path).c_str(), 0, kShareAll, nullptr, OPEN_EXISTING,
                                    FILE_FLAG_BACKUP_SEMANTICS, nullptr));
}

// The path of what is open, through links and in the case of the disk; empty if the system does not say.
std::wstring final_path(const Handle& handle) {
  const DWORD size = GetFinalPathNameByHandleW(handle.get(), nullptr, 0, FILE_NAME_NORMALIZED);
  std::wstring path(size, L'\0');
  path.resize(size == 0 ? 0 : GetFinalPathNameByHandleW(handle.get(), path.data(), size, FILE_NAME_NORMALIZED));
  return path;
}

}  // namespace

std::expected<File, Reason> open_to_read(const Path& path) {
  return open(path, GENERIC_READ, kShareAll, OPEN_EXISTING, _O_RDONLY, "rb");
}

std::expected<File, Reason> open_to_write(const Path& path, bool append) {
  return append ? open(path, FILE_APPEND_DATA | SYNCHRONIZE | FILE_READ_ATTRIBUTES, FILE_SHARE_READ, OPEN_ALWAYS,
                       _O_WRONLY | _O_APPEND, "ab")
                : open(path, GENERIC_WRITE, FILE_SHARE_READ, CREATE_ALWAYS, _O_WRONLY, "wb");
}

std::expected<File, Reason> open_new(const Path& path) {
  return open(path, GENERIC_WRITE, FILE_SHARE_READ, CREATE_NEW, _O_WRONLY, "wb");
}

// A new file has the rights of its folder, as the one it replaces had unless somebody changed them.
void take_rights(std::FILE*, const Path&) {}

std::expected<std::uint64_t, Reason> size_of(std::FILE* file) {
  const auto handle = reinterpret_cast<HANDLE>(_get_osfhandle(_fileno(file)));
  if (GetFileType(handle) != FILE_TYPE_DISK) return 0;
  LARGE_INTEGER size{};
  if (!GetFileSizeEx(handle, &size)) return failed({});
  return static_cast<std::uint64_t>(size.QuadPart);
}

std::expected<Stamp, Reason> stamp_of(std::FILE* file) {
  BY_HANDLE_FILE_INFORMATION info{};
  const auto handle = reinterpret_cast<HANDLE>(_get_osfhandle(_fileno(file)));
  if (!GetFileInformationByHandle(handle, &info)) return failed({});
  return Stamp{std::uint64_t{info.nFileSizeHigh} << 32 | info.nFileSizeLow,
               static_cast<std::int64_t>(std::uint64_t{info.ftLastWriteTime.dwHighDateTime} << 32 |
                                         info.ftLastWriteTime.dwLowDateTime)};
}

std::expected<std::size_t, Reason> read_at(std::FILE* file, std::uint64_t offset, std::span<std::byte> out) {
  const auto handle = reinterpret_cast<HANDLE>(_get_osfhandle(_fileno(file)));
  std::size_t done = 0;
  while (done < out.size()) {
    constexpr std::size_t kMost = std::size_t{1} << 30;
    OVERLAPPED place{};
    place.Offset = static_cast<DWORD>(offset + done);
    place.OffsetHigh = static_cast<DWORD>((offset + done) >> 32);
    DWORD got = 0;
    if (!ReadFile(handle, out.data() + done, static_cast<DWORD>(std::min(out.size() - done, kMost)), &got, &place)) {
      if (GetLastError() == ERROR_HANDLE_EOF) break;
      return failed({});
    }
    if (got == 0) break;
    done += got;
  }
  return done;
}

bool sync(std::FILE* file) { return _commit(_fileno(file)) == 0; }

void make_folders(const Path& folder) {
  std::vector<Path> missing;
  for (Path at = full_path(folder); !is_folder(at) && at != at.parent_path(); at = at.parent_path())
    missing.push_back(at);
  for (; !missing.empty(); missing.pop_back()) CreateDirectoryW(stored_form(missing.back()).c_str(), nullptr);
}

std::expected<void, Reason> may_replace(const Path& path) {
  const Path stored = stored_form(path);
  if (has_attribute(stored, FILE_ATTRIBUTE_READONLY)) return std::unexpected(reason_of(ERROR_ACCESS_DENIED, stored));
  return {};
}

std::expected<void, Reason> rename(const Path& from, const Path& to) {
  const Path source = stored_form(from), target = stored_form(to);
  // Virus scanners look into new files for a moment, and keep them from being renamed.
  constexpr int kTries = 6;
  for (int moment = 10, i = 0; i < kTries; ++i, moment *= 2) {
    if (MoveFileExW(source.c_str(), target.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) return {};
    const DWORD code = GetLastError();
    const bool may_pass = (code == ERROR_ACCESS_DENIED || code == ERROR_SHARING_VIOLATION) &&
                          !has_attribute(target, FILE_ATTRIBUTE_DIRECTORY);
    if (!may_pass || i + 1 == kTries) return std::unexpected(reason_of(code, target));
    Sleep(static_cast<DWORD>(moment));
  }
  return {};
}

std::expected<bool, Reason> rename_to_new(const Path& from, const Path& to) {
  const Path target = stored_form(to);
  if (MoveFileExW(stored_form(from).c_str(), target.c_str(), MOVEFILE_WRITE_THROUGH)) return true;
  const DWORD code = GetLastError();
  if (code == ERROR_ALREADY_EXISTS || code == ERROR_FILE_EXISTS) return false;
  return std::unexpected(reason_of(code, target));
}

void remove(const Path::value_type* path) { (void)DeleteFileW(path); }

Path stored_form(const Path& path) {
  if (path.native().starts_with(L"\\\\?\\") || path.native().starts_with(L"\\\\.\\")) return path;
  const std::wstring full = full_path(path);
  return full.size() < kLongestPlainPath ? path : Path(wide_of(long_form(units_of(full))));
}

Path resolved(const Path& path) {
  if (!has_attribute(stored_form(path), FILE_ATTRIBUTE_REPARSE_POINT)) return path;
  const Handle handle = opened_to_ask(path);
  const std::wstring target = handle ? final_path(handle) : std::wstring();
  return target.empty() ? path : Path(target);
}

long long process_id() { return GetCurrentProcessId(); }

bool runs(long long process) {
  const Handle handle(OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, static_cast<DWORD>(process)));
  if (!handle) return GetLastError() != ERROR_INVALID_PARAMETER;  // it is there, and somebody else's
  DWORD code = STILL_ACTIVE;
  return !GetExitCodeProcess(handle.get(), &code) || code == STILL_ACTIVE;
}

// The name of the machine. A file that another machine of that name is writing is open there, and is not removed.
std::string process_space() {
  std::array<wchar_t, MAX_COMPUTERNAME_LENGTH + 1> name{};
  DWORD length = name.size();
  if (!GetComputerNameW(name.data(), &length)) return {};
  std::string space;
  for (const char c : utf8_of_utf16(units_of({name.data(), length})))
    space += (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ? c : '_';
  return space;
}

bool is_own_file(const Path& path) {
  const Path stored = stored_form(path);
  return !has_attribute(stored, FILE_ATTRIBUTE_DIRECTORY) && !has_attribute(stored, FILE_ATTRIBUTE_REPARSE_POINT);
}

std::uint64_t random_bits() {
  unsigned low = 0, high = 0;
  if (rand_s(&low) != 0 || rand_s(&high) != 0) return GetTickCount64();
  return static_cast<std::uint64_t>(high) << 32 | low;
}

void wait_a_moment() { Sleep(1); }

}  // namespace system

fs::path path_of_text(std::string_view text) { return system::wide_of(utf16_of_utf8(text)); }
std::string text_of_path(const fs::path& path) { return utf8_of_utf16(plain_form(system::units_of(path.native()))); }

PathKind path_kind(const fs::path& path, std::string* reason) {
  if (path.empty()) return PathKind::Missing;
  if (is_device_name(text_of_path(path.filename()))) return PathKind::Device;
  const fs::path stored = system::stored_form(path);
  DWORD attributes = GetFileAttributesW(stored.c_str());
  if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) {
    BY_HANDLE_FILE_INFORMATION target{};
    const system::Handle handle = system::opened_to_ask(path);
    attributes =
        handle && GetFileInformationByHandle(handle.get(), &target) ? target.dwFileAttributes : INVALID_FILE_ATTRIBUTES;
  }
  if (attributes != INVALID_FILE_ATTRIBUTES)
    return (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? PathKind::Folder : PathKind::File;
  const DWORD code = GetLastError();
  constexpr std::array<DWORD, 7> kMissing = {ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND, ERROR_INVALID_DRIVE,
                                             ERROR_INVALID_NAME,   ERROR_BAD_NETPATH,    ERROR_BAD_NET_NAME,
                                             ERROR_BAD_PATHNAME};
  if (std::ranges::find(kMissing, code) != kMissing.end()) return PathKind::Missing;
  if (code == ERROR_SHARING_VIOLATION) return PathKind::File;
  if (reason) *reason = system::reason_of(code, stored);
  return PathKind::Unknown;
}

bool is_link(const fs::path& path) {
  return system::has_attribute(system::stored_form(path), FILE_ATTRIBUTE_REPARSE_POINT);
}

Result<std::vector<fs::path>> names_in_folder(const fs::path& folder) {
  std::vector<fs::path> names;
  const fs::path pattern = system::stored_form(system::full_path(folder.empty() ? L"." : folder)) / L"*";
  WIN32_FIND_DATAW found{};
  const HANDLE search = FindFirstFileExW(pattern.c_str(), FindExInfoBasic, &found, FindExSearchNameMatch, nullptr,
                                         FIND_FIRST_EX_LARGE_FETCH);
  if (search == INVALID_HANDLE_VALUE) return fail(ErrorCode::Io, system::reason_of(GetLastError(), folder));
  do {
    const std::wstring_view name = found.cFileName;
    if (name != L"." && name != L"..") names.emplace_back(name);
  } while (FindNextFileW(search, &found));
  const DWORD ended = GetLastError();
  FindClose(search);
  if (ended != ERROR_NO_MORE_FILES) return fail(ErrorCode::Io, system::reason_of(ended, folder));
  std::ranges::sort(names, {}, text_of_path);
  return names;
}

fs::path place_of(const fs::path& path) {
  const fs::path full = system::full_path(path);
  std::wstring place = full.native();
  // The part that exists, as the disk has it; the rest as it was given.
  for (fs::path at = full; at.has_relative_path(); at = at.parent_path()) {
    const system::Handle handle = system::opened_to_ask(at);
    const std::wstring known = handle ? system::final_path(handle) : std::wstring();
    if (known.empty()) continue;
    place = system::wide_of(plain_form(system::units_of(known))) + place.substr(at.native().size());
    break;
  }
  std::wstring folded(place.size(), L'\0');
  const int length = static_cast<int>(place.size());
  LCMapStringEx(LOCALE_NAME_INVARIANT, LCMAP_UPPERCASE, place.data(), length, folded.data(), length, nullptr, nullptr,
                0);
  return folded;
}

}  // namespace marrow
