// SPDX-License-Identifier: MIT
#include "ops/archive/archive.h"

#include <algorithm>
#include <set>

#include "archive/pack.h"
#include "core/try.h"
#include "marrow/core/text.h"

namespace marrow {
namespace {

constexpr FieldText kMatch = {.help = "only files whose path matches, `*` for any text", .placeholder = "PATTERN"};

bool is_asked_for(const std::string& pattern, std::string_view path) {
  return pattern.empty() || matches(pattern, path);
}

// Names of a pattern as people type it: with either slash.
std::string with_slashes(std::string pattern) {
  std::ranges::replace(pattern, '\\', '/');
  return pattern;
}

}  // namespace

void describe(FieldList& fields, ListArchiveOptions& options) { fields("match", options.match, kMatch); }

void describe(FieldList& fields, ArchiveTextureInfo& texture) {
  fields("width", texture.width);
  fields("height", texture.height);
  fields("mips", texture.mips);
  fields("format", texture.format, {.help = "a DXGI format"});
}

void describe(FieldList& fields, ArchiveEntryInfo& entry) {
  fields("path", entry.path);
  fields("size", entry.size, {.help = "unpacked, as the archive states it", .unit = "bytes"});
  fields("packed", entry.packed, {.help = "in the archive", .unit = "bytes"});
  fields("compressed", entry.compressed);
  fields("texture", entry.texture, {.sparse = true});
}

void describe(FieldList& fields, ListArchiveReport& report) {
  fields("format", report.format, {.help = "bsa or ba2"});
  fields("version", report.version);
  fields("game", report.game, {.help = "that this version belongs to"});
  fields("flags", report.flags, {.help = "of a BSA"});
  fields("files", report.files);
}

void describe(FieldList& fields, ExtractArchiveOptions& options) { fields("match", options.match, kMatch); }

void describe(FieldList& fields, ExtractArchiveReport& report) {
  fields("files", report.files, {.help = "number of files that were extracted"});
  fields("bytes", report.bytes, {.unit = "bytes"});
  fields("failed", report.failed, {.help = "files that were not"});
}

void describe(FieldList& fields, PackArchiveOptions& options) {
  fields("to", options.game,
         {.help = "the game: skyrim-le and skyrim-se get a .bsa, fallout4 a .ba2",
          .placeholder = "GAME",
          .required = true});
  fields("compress", options.compress, {.help = "compress each file that becomes smaller"});
  fields("embed_names", options.embed_names, {.help = "BSA: repeat each path before its data, as texture archives do"});
  fields("textures_as_files", options.textures_as_files,
         {.help = "BA2: take .dds files too, as plain files; texture archives are not made"});
  fields("flags", options.flags,
         {.help = "BSA: the flags of another archive, as its list shows them: compressed, embedded names, and the "
                  "hints to the "
                  "game",
          .placeholder = "NUMBER"});
  fields("match", options.match, kMatch);
}

void describe(FieldList& fields, PackArchiveReport& report) {
  fields("format", report.format, {.help = "bsa or ba2"});
  fields("files", report.files, {.help = "number of files"});
  fields("unpacked", report.unpacked, {.help = "size of the files", .unit = "bytes"});
  fields("bytes", report.bytes, {.help = "size of the archive", .unit = "bytes"});
}

ListArchiveReport list_archive(const archive::Archive& archive, const ListArchiveOptions& options) {
  ListArchiveReport report{.format = std::string(to_string(archive.kind)),
                           .version = archive.version,
                           .game = std::string(archive.game()),
                           .flags = archive.flags};
  const std::string pattern = with_slashes(options.match);
  for (const archive::Entry& entry : archive.entries) {
    if (!is_asked_for(pattern, entry.path)) continue;
    ArchiveEntryInfo& info = report.files.emplace_back(ArchiveEntryInfo{
        .path = entry.path, .size = entry.size(), .packed = entry.stored(), .compressed = entry.is_compressed()});
    if (entry.texture)
      info.texture =
          ArchiveTextureInfo{entry.texture->width, entry.texture->height, entry.texture->mips, entry.texture->format};
  }
  return report;
}

Result<ExtractArchiveReport> extract_archive(const archive::Archive& archive, const ExtractArchiveOptions& options,
                                             Context& context, const std::function<Result<void>(SavedFile)>& put) {
  ExtractArchiveReport report;
  const std::string pattern = with_slashes(options.match);
  std::set<std::string> taken;  // in lower case, as disks that know no case would have them
  const auto extracted = [&](const archive::Entry& entry) -> Result<std::size_t> {
    if (const std::string_view reason = archive::unsafe_because(entry.path); !reason.empty())
      return fail(ErrorCode::Malformed, "is never extracted under this name: " + std::string(reason));
    if (!taken.insert(to_lower(entry.path)).second)
      return fail(ErrorCode::Malformed, "an earlier file of the archive has this name; only that one is extracted");
    MARROW_TRY(std::vector<std::byte> bytes, read_entry(archive, entry, context.limits));
    const std::size_t size = bytes.size();
    MARROW_CHECK(put({.name = entry.path, .bytes = std::move(bytes)}));
    return size;
  };
  const auto count = static_cast<double>(archive.entries.size());
  for (std::size_t i = 0; i < archive.entries.size(); ++i) {
    const archive::Entry& entry = archive.entries[i];
    if (!is_asked_for(pattern, entry.path)) continue;
    MARROW_CHECK(context.report(static_cast<double>(i) / count));
    auto size = extracted(entry);
    if (size) {
      ++report.files;
      report.bytes += *size;
    } else {
      report.failed.push_back({entry.path, to_json(size.error())});
    }
  }
  return report;
}

Result<SavedFile> pack_archive(const std::vector<FileToPack>& files, const PackArchiveOptions& options,
                               Context& context, PackArchiveReport& report) {
  const Game game = options.game.value_or(Game::SkyrimSe);
  if (game != Game::SkyrimLe && game != Game::SkyrimSe && game != Game::Fallout4)
    return fail(ErrorCode::BadOption, "archives are made for skyrim-le, skyrim-se and fallout4", kNoOffset, "to");
  const std::string pattern = with_slashes(options.match);
  std::vector<archive::PackFile> chosen;
  for (const FileToPack& file : files) {
    std::string path = with_slashes(file.path);
    if (!is_asked_for(pattern, path)) continue;
    chosen.push_back({path,
                      [&file, &context]() -> Result<std::vector<std::byte>> {
                        if (file.source->size() > context.limits.max_file_bytes)
                          return in_file({ErrorCode::LimitExceeded,
                                          "has " + std::to_string(file.source->size()) + " bytes, more than are read"},
                                         file.path);
                        std::vector<std::byte> bytes(static_cast<std::size_t>(file.source->size()));
                        if (auto done = file.source->read(0, bytes); !done)
                          return in_file(std::move(done.error()), file.path);
                        return bytes;
                      },
                      file.source->size()});
    report.unpacked += file.source->size();
  }
  if (chosen.empty()) return fail(ErrorCode::NotFound, "there is no file to pack");
  const bool is_ba2 = game == Game::Fallout4;
  const std::uint32_t flags = options.flags.value_or(0);
  if (options.flags && (is_ba2 || (flags & (archive::kXboxOrder | archive::kXmem)) != 0))
    return fail(ErrorCode::BadOption,
                is_ba2 ? "only a .bsa has flags" : "archives for the Xbox (64, 512) are not made; leave these bits out",
                kNoOffset, "flags");
  const bool compresses = options.compress || (flags & archive::kCompressed) != 0;
  // What cannot become smaller is refused before gigabytes are read.
  constexpr std::uint64_t kLargestBsa = 0x7FFFFFFF;
  if (!is_ba2 && !compresses && report.unpacked > kLargestBsa)
    return fail(ErrorCode::Unrepresentable,
                "the files have " + std::to_string(report.unpacked) +
                    " bytes, and the game reads 2 GiB of an archive; compress them, or pack the folder in two halves");
  SavedFile out{.extension = is_ba2 ? ".ba2" : ".bsa"};
  MARROW_TRY(out.bytes, archive::pack_archive(
                            chosen, {.game = game,
                                     .compress = compresses,
                                     .embed_names = options.embed_names || (flags & archive::kEmbeddedNames) != 0,
                                     .textures_as_files = options.textures_as_files,
                                     .hints = flags}));
  report.format = is_ba2 ? "ba2" : "bsa";
  report.files = chosen.size();
  report.bytes = out.bytes.size();
  return out;
}

}  // namespace marrow
