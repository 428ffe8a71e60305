// SPDX-License-Identifier: MIT
#include "marrow/ops/document/load.h"

#include <algorithm>

#include "core/file_name.h"
#include "core/try.h"
#include "havok/animation/animation.h"
#include "havok/animation/skeleton.h"
#include "ops/document/as_saved.h"
#include "ops/document/format_rows.h"
#include "ops/document/origin.h"

namespace marrow {

namespace {

constexpr Parts kFramesAlone = without(Parts::Frames, Parts::Clips);

// How many values a document has, so that those of a part that turns out to be damaged go again.
class Counts {
 public:
  explicit Counts(const Document& document)
      : skeletons_(document.skeletons.size()),
        clips_(document.clips.size()),
        collision_(document.collision.size()),
        meshes_(document.meshes.size()),
        bodies_(document.bodies.size()) {}

  void restore(Document& document) const {
    drop_from(skeletons_, document.skeletons);
    drop_from(clips_, document.clips);
    drop_from(collision_, document.collision);
    drop_from(meshes_, document.meshes);
    drop_from(bodies_, document.bodies);
  }

 private:
  template <class T>
  static void drop_from(std::size_t count, std::vector<T>& values) {
    if (values.size() > count) values.erase(values.begin() + static_cast<std::ptrdiff_t>(count), values.end());
  }

  std::size_t skeletons_, clips_, collision_, meshes_, bodies_;
};

// Reads the parts one by one, so that one that is damaged does not stop those before it.
Result<void> read_missing(Document& document, Parts missing, Context& context) {
  struct Reader {
    Document& document;
    Parts parts;
    Context& context;

    Result<void> operator()(const HavokOrigin&) const { return read_havok_parts(document, parts, context); }
    Result<void> operator()(const NifOrigin&) const { return read_nif_parts(document, parts, context); }
    Result<void> operator()(const AnvilOrigin&) const { return read_anvil_parts(document, parts, context); }
    Result<void> operator()(const MotionOrigin&) const { return read_motion_parts(document, parts, context); }
    Result<void> operator()(const CacheOrigin&) const { return {}; }
  };
  const auto read = [&](Parts part) -> Result<void> {
    if (!has(missing, part)) return {};
    const auto content = OriginAccess::shared_content(document);  // stays, whatever reading does with the document
    const Counts before(document);
    if (content)
      if (auto done = std::visit(Reader{document, part, context}, content->from); !done) {
        before.restore(document);
        return done;
      }
    OriginAccess::set_read(document, OriginAccess::read(document) | part);
    missing = without(missing, part);
    return {};
  };
  MARROW_CHECK(read(Parts::Skeletons));
  MARROW_CHECK(read(Parts::Frames));  // both at once is quicker
  for (const Parts part : {Parts::Clips, kFramesAlone, Parts::Collision, Parts::Meshes, Parts::Bodies, Parts::Shapes})
    MARROW_CHECK(read(part));
  return {};
}

}  // namespace

Result<void> read_parts(Document& document, Parts parts, Context& context) {
  if (has_parts(document, parts)) return {};
  Parts missing = without(parts, OriginAccess::read(document));
  if (has(parts, Parts::Frames)) missing = missing | kFramesAlone;
  const Limits given = context.limits;
  context.limits = given.for_input(document.byte_count);
  if (context.cap_memory) context.cap_memory(given.most_memory(document.byte_count));
  auto done = read_missing(document, missing, context);
  if (done && has(parts, Parts::Frames))
    for (DocumentClip& clip : document.clips)
      if (done) done = decode_frames(clip, context.limits);
  if (context.cap_memory) context.cap_memory(0);
  context.limits = given;
  if (!done) return in_file(std::move(done.error()), document.name);
  return {};
}

Result<Document> load(std::span<const std::byte> bytes, const LoadOptions& options, Context& context) {
  if (bytes.empty()) return in_file({ErrorCode::Truncated, "the file is empty", 0}, options.name);
  if (bytes.size() > context.limits.max_file_bytes)
    return in_file({ErrorCode::LimitExceeded, "has " + std::to_string(bytes.size()) + " bytes; at most " +
                                                  std::to_string(context.limits.max_file_bytes) + " are read"},
                   options.name);
  LoadOptions own = options;
  if (!own.format) own.format = detect(bytes);
  const FormatRow& row = format_row(*own.format);
  if (!row.load)
    return in_file(
        {row.format == Format::Unknown ? ErrorCode::BadMagic : ErrorCode::Unsupported, std::string(row.refusal), 0},
        options.name);
  const Limits given = context.limits;
  // The buffers of a .gltf are part of it; its reader knows their size, and whoever counts memory reads them.
  if (row.format != Format::Gltf) context.limits = given.for_input(bytes.size());
  if (context.cap_memory) context.cap_memory(given.most_memory(bytes.size()));
  auto document = row.load(bytes, own, context);
  if (context.cap_memory) context.cap_memory(0);
  context.limits = given;
  if (!document) return in_file(std::move(document.error()), options.name);
  document->name = options.name;
  document->byte_count = bytes.size();
  if (document->format == Format::Unknown) document->format = row.format;
  MARROW_CHECK(read_parts(*document, options.parts, context));
  return document;
}

Format saved_format(const Document& document, const SaveOptions& options) {
  // Motion of other programs is read, not written.
  const Format own = is_motion_source(document.format) ? Format::Hkx : document.format;
  const Format format = options.format.value_or(own);
  const std::optional<Game> game = options.game ? options.game : document.game;
  // Node ids are for tools, not for games.
  if (!options.format && options.game && format == Format::HkxIds) return Format::Hkx;
  // A tagfile stays one, whatever the extension, unless it is to become a packfile of a game: none has its version.
  if (own == Format::Tagfile && format == Format::Hkx && !options.game && options.layout.empty() &&
      !options.pointer_size)
    return own;
  const bool is_for_anvil = game ? family_of(*game) == GameFamily::Anvil : document.anvil() != nullptr;
  if (format != Format::Xml || !is_for_anvil) return format;
  // The extension .xml does not select a dialect: the file keeps its own.
  const anvil::Skeleton* origin = document.anvil();
  if (!is_anvil(document.format) || !origin) return Format::AnvilStandard;
  return origin->origin.dialect == anvil::Dialect::Schema ? Format::AnvilSchema : Format::AnvilStandard;
}

Parts parts_to_save(const Document& document, const SaveOptions& options) {
  const bool is_rig = is_anvil(document.format);
  switch (const Format target = saved_format(document, options)) {
    case Format::Glb:
    case Format::Gltf:
      if (document.nif() && !options.collision && !options.show) return Parts::Collision | Parts::Bodies;
      if (options.collision || document.nif())
        return options.show ? Parts::Collision | Parts::Shapes : Parts::Collision;
      // A packfile without bones shows its collision.
      if (document.packfile() && havok::find_skeletons(*document.packfile()).empty() &&
          havok::find_animations(*document.packfile()).empty())
        return Parts::Collision;
      if (document.motion_source()) return Parts::Skeletons | Parts::Frames | Parts::Bodies;
      return Parts::Skeletons | Parts::Frames | Parts::Meshes;
    case Format::Obj: return Parts::Collision | Parts::Meshes;
    case Format::Csv: return Parts::Skeletons | Parts::Frames;
    case Format::AnvilStandard:
    case Format::AnvilSchema: return is_rig ? Parts::None : Parts::Skeletons;
    case Format::Hkx:
    case Format::HkxIds:
    case Format::Xml:
    case Format::XmlTagfile:
    case Format::Tagfile:
      if (document.packfile()) return Parts::None;
      return target == Format::Xml && is_rig ? Parts::None : Parts::Skeletons | Parts::Frames;
    default: return Parts::None;
  }
}

namespace {

// Files that are named after their clips get names that every disk takes and tells apart.
void name_files(std::vector<SavedFile>& files) {
  if (files.size() < 2 || std::ranges::all_of(files, &std::string::empty, &SavedFile::name)) return;
  FileNames names("clip");
  for (SavedFile& file : files) file.name = names.add(file.name, file.extension);
}

Result<std::vector<SavedFile>> save_complete(const Document& document, const SaveOptions& options, Context& context) {
  SaveOptions own = options;
  own.format = saved_format(document, options);
  if (own.name.empty()) own.name = stem_of(document.name);
  const FormatRow& row = format_row(*own.format);
  if (!row.save) return in_file(cannot_hold(*own.format, document).error(), document.name);
  auto files = row.save(document, own, context);
  if (!files) return in_file(std::move(files.error()), document.name);
  name_files(*files);
  return files;
}

}  // namespace

Result<std::vector<SavedFile>> save(const Document& document, const SaveOptions& options, Context& context) {
  const Parts needed = parts_to_save(document, options);
  // What other formats say about a NIF names blocks by the numbers that they have when it is saved.
  const bool names_blocks = document.nif() && saved_format(document, options) != Format::Nif;
  MARROW_TRY(const bool is_ready, names_blocks ? is_settled(document, context) : Result<bool>(true));
  if (is_ready && has_parts(document, needed)) return save_complete(document, options, context);
  Document complete = document;
  if (!is_ready) MARROW_CHECK(settle(complete, context));
  MARROW_CHECK(read_parts(complete, needed, context));
  return save_complete(complete, options, context);
}

}  // namespace marrow
