// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace marrow {

/// The formats of files. Content decides what an input is; names never do.
enum class Format : std::uint8_t {
  Unknown,
  Hkx,            ///< binary Havok packfile
  HkxIds,         ///< the same, each object preceded by its number, as the templates of behaviour engines are
  Xml,            ///< Havok packfile as XML (`hkpackfile`), whatever its extension
  XmlTagfile,     ///< Havok's XML tagfile (`hktagfile`), as content tools export it
  Nif,            ///< Skyrim or Fallout 4 NIF
  AnvilStandard,  ///< Anvil skeleton, root element `Skeleton`
  AnvilSchema,    ///< Anvil skeleton, root element `Object Type="Skeleton"`
  Glb,
  Gltf,
  Obj,
  Tagfile,        ///< Havok's binary tagfile (`TAG0`), of 2015 and later
  Json,           ///< every object and field of a packfile or an Anvil skeleton, as JSON
  Csv,            ///< rows of poses; written only
  Fbx,            ///< motion of other programs; read only
  Bvh,            ///< motion capture; read only
  AnimationData,  ///< Skyrim's cache of clips and their motion
  AnimationSets,  ///< Skyrim's cache of animations per set of attacks
  // Known by name, so that they can be refused with a reason.
  BinaryTagfile,
  Bsa,
  Ba2,
};

/// Returns the word that options and reports use, `anvil-schema`.
std::string_view to_string(Format format);
/// Returns the name for people, `Havok packfile`.
std::string_view title(Format format);
/// Returns the extension of such files, `.hkx`; empty if they are never written.
std::string_view extension_of(Format format);
/// Returns the format of a word; nothing if it is not one that is written.
std::optional<Format> find_format(std::string_view word);
/// Returns the format that a file name's extension asks for, in any case; nothing if it asks for none, as `.txt` does.
/// A bare `.xml` is Havok's: `save` writes an Anvil skeleton in its own dialect all the same.
std::optional<Format> format_of_extension(std::string_view extension);
/// Returns the formats that are written.
std::vector<Format> written_formats();

/// The first bytes that `detect` looks at.
inline constexpr std::size_t kDetectBytes = 4096;

/// Looks at the first bytes. Cheap, and never wrong about what it names, though the rest of the file may be broken. A
/// packfile with node ids is `Hkx` until it is loaded.
Format detect(std::span<const std::byte> bytes);

constexpr bool is_havok(Format format) {
  return format == Format::Hkx || format == Format::HkxIds || format == Format::Xml || format == Format::XmlTagfile ||
         format == Format::Tagfile || format == Format::Json;
}
constexpr bool is_anvil(Format format) { return format == Format::AnvilStandard || format == Format::AnvilSchema; }
/// True for motion of other programs, in their own units and axes.
constexpr bool is_motion_source(Format format) { return format == Format::Fbx || format == Format::Bvh; }
/// True for the two animation caches.
constexpr bool is_cache(Format format) { return format == Format::AnimationData || format == Format::AnimationSets; }
constexpr bool is_gltf(Format format) { return format == Format::Glb || format == Format::Gltf; }

}  // namespace marrow
