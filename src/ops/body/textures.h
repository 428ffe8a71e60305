// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "image/image.h"
#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"
#include "ops/table/describe.h"

namespace marrow {

/// Whether textures go along, and where they are looked for.
struct TextureOptions {
  bool embed = false;
  std::vector<std::string> data = {};  ///< folders that hold `textures`, as the games' `Data`
  std::uint32_t max_size = 2048;       ///< pixels on a side; a smaller mip is taken of larger ones
};
void describe_textures(FieldList& fields, TextureOptions& options);

/// Returns the bytes of a texture that a body names: in the data folders, in the folder that holds the body's `meshes`,
/// or beside the body. Paths count with and without `textures`, in any case if the disk or the caller allows it. Fails
/// with `NotFound`.
Result<std::vector<std::byte>> find_texture(const std::string& body_file, const std::string& texture,
                                            const TextureOptions& options, const Context& context);

/// Reports textures that bodies of a file name and no data folder has. Shapes whose material is a file of its own
/// (.bgsm, .bgem) are left out: that file names the textures which are drawn.
void check_textures(const std::string& body_file, const std::vector<BodyShape>& shapes, const TextureOptions& options,
                    const Context& context, Findings& findings);

/// Returns a texture as a picture; nothing, with a note, if it is not found or not readable.
std::optional<image::Image> load_texture(const DocumentBody& body, std::size_t slot, const TextureOptions& options,
                                         Context& context);

/// Gives bodies the pictures of their diffuse and normal maps, for glTF: normal maps of two channels become whole, and
/// their green points up. Does nothing unless asked for. Textures that are missing are noted.
void embed_textures(Document& document, const TextureOptions& options, Context& context);

}  // namespace marrow
