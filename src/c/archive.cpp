// SPDX-License-Identifier: MIT
// Archives as folders.
#include "c/convert.h"
#include "c/objects.h"
#include "core/try.h"
#if !defined(__wasi__)
#include "core/path.h"
#include "marrow/core/file.h"
#endif

using namespace marrow;
using namespace marrow::c;

namespace {

Outcome<std::shared_ptr<const ByteSource>> source_of(const char* path, const void* bytes, std::size_t byte_count) {
  if (!path) {
    if (byte_count > 0) MARROW_CHECK(required(bytes, "bytes"));
    const auto given = bytes_of(bytes, byte_count);
    return std::make_shared<const MemorySource>(std::vector<std::byte>(given.begin(), given.end()));
  }
#if defined(__wasi__)
  return fail(ErrorCode::Unsupported, "there is no disk here; give the bytes of the archive");
#else
  auto source = open_source(path_of_text(path));
  if (!source) return in_file(std::move(source).error(), path);
  return std::move(*source);
#endif
}

}  // namespace

marrow_status marrow_open_archive(const char* path, const void* bytes, std::size_t byte_count,
                                  const marrow_context* context, marrow_archive* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    CallContext called(context);
    MARROW_TRY(auto source, source_of(path, bytes, byte_count));
    auto opened = archive::open_archive(std::move(source), called->limits);
    if (!opened) return in_file(std::move(opened).error(), std::string(view_of(path)));
    auto object = std::make_shared<ArchiveObject>();
    object->archive = std::move(*opened);
    *out = open(ArchiveObject::kKind, std::move(object));
    return {};
  });
}

marrow_status marrow_get_archive(marrow_archive archive, marrow_archive_info* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, reading<ArchiveObject>(archive));
    *out = {.format = text_of(to_string(from->archive.kind)),
            .game = text_of(from->archive.game()),
            .version = from->archive.version,
            .flags = from->archive.flags,
            .entry_count = static_cast<std::uint32_t>(from->archive.entries.size()),
            .reserved = 0};
    return {};
  });
}

marrow_status marrow_get_archive_entry(marrow_archive archive, std::uint32_t index, marrow_archive_entry* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, reading<ArchiveObject>(archive));
    MARROW_CHECK(in_range(index, from->archive.entries.size(), "entry"));
    const archive::Entry& entry = from->archive.entries[index];
    *out = {.path = text_of(entry.path),
            .size = entry.size(),
            .packed = entry.stored(),
            .compressed = entry.is_compressed() ? 1u : 0u,
            .safe = archive::unsafe_because(entry.path).empty() ? 1u : 0u};
    return {};
  });
}

marrow_status marrow_find_archive_entry(marrow_archive archive, const char* path, std::uint32_t* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(path, "path"));
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, reading<ArchiveObject>(archive));
    const archive::Entry* found = from->archive.find(path);
    if (!found) return fail(ErrorCode::NotFound, "there is no '" + std::string(path) + "' in the archive");
    *out = static_cast<std::uint32_t>(found - from->archive.entries.data());
    return {};
  });
}

marrow_status marrow_read_archive_entry(marrow_archive archive, std::uint32_t index, const marrow_context* context,
                                        marrow_result* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    CallContext called(context);
    MARROW_TRY(const auto from, reading<ArchiveObject>(archive));
    MARROW_CHECK(in_range(index, from->archive.entries.size(), "entry"));
    const archive::Entry& entry = from->archive.entries[index];
    auto object = std::make_shared<ResultObject>();
    object->report = "{}";
    object->notes = "[]";
    MARROW_TRY(std::vector<std::byte> bytes, archive::read_entry(from->archive, entry, called->limits));
    object->files.push_back({.name = entry.path, .bytes = std::move(bytes)});
    *out = open(ResultObject::kKind, std::move(object));
    return {};
  });
}
