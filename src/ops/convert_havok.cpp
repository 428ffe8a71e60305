// SPDX-License-Identifier: MIT
#include <string>

#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/havok/dump.h"
#include "marrow/havok/game.h"
#include "marrow/havok/transcribe.h"
#include "marrow/havok/xml.h"
#include "ops/formats.h"

namespace marrow {

using namespace havok;

Result<Packfile> read_havok(std::span<const std::byte> bytes, const ReadOptions& options) {
  return detect(bytes) == Format::HavokXml ? read_xml(bytes, options) : read_packfile(bytes, options);
}

Result<Converted> convert_havok(std::span<const std::byte> bytes, const ConvertOptions& options) {
  MARROW_TRY(Packfile file, read_havok(bytes, {.limits = options.limits}));
  Converted converted;
  converted.format = options.format;
  if (converted.format == OutputFormat::Same)
    converted.format = detect(bytes) == Format::HavokXml ? OutputFormat::Xml : OutputFormat::Hkx;
  if (!options.game.empty()) {
    const auto game = find_game(options.game, GameFamily::Havok);
    if (!game)
      return fail(ErrorCode::InvalidArgument, "a Havok file cannot become one of " + options.game +
                                                  "; --to takes skyrim-le, skyrim-se or fallout4");
    MARROW_TRY(file, transcribed(file, *game, converted.notes));
  }
  switch (converted.format) {
    case OutputFormat::Hkx: {
      MARROW_TRY(converted.bytes, write_packfile(file));
      return converted;
    }
    case OutputFormat::Xml: {
      MARROW_TRY(converted.bytes, write_xml(file));
      return converted;
    }
    case OutputFormat::Json: {
      const std::string json = dump_json(file);
      const auto text = as_bytes(json);
      converted.bytes.assign(text.begin(), text.end());
      return converted;
    }
    default:
      return fail(ErrorCode::Unsupported, "a Havok file is not written as " + std::string(to_string(converted.format)) +
                                              "; --format takes hkx, xml or json");
  }
}

}  // namespace marrow
