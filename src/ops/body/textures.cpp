// SPDX-License-Identifier: MIT
#include "ops/body/textures.h"

#include <map>

#include "core/try.h"
#include "image/dds.h"
#include "image/png.h"
#include "marrow/core/text.h"
#include "ops/body/findings.h"

namespace marrow {
namespace {

constexpr std::size_t kDiffuse = 0, kNormal = 1;

std::string with_slashes(std::string path) {
  for (char& c : path)
    if (c == '\\') c = '/';
  return path;
}

// A path out of a file: it must stay below the folder that it is looked for in.
bool is_tame(std::string_view path) {
  if (path.empty() || path.front() == '/' || path.find(':') != std::string_view::npos) return false;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (path.substr(0, end) == "..") return false;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return true;
}

// The folder that holds `meshes`, with its slash, if the name of a file has one.
std::optional<std::string> data_folder_of(const std::string& file) {
  const std::string name = with_slashes(file), lower = "/" + to_lower(name);
  const std::size_t at = lower.rfind("/meshes/");
  return at == std::string::npos ? std::nullopt : std::optional(name.substr(0, at));
}

// The names that a path may have below a data folder.
std::vector<std::string> names_below_data(const std::string& path) {
  const std::string lower = to_lower(path);
  std::vector<std::string> names;
  std::string tail = path;
  if (const std::size_t data = lower.rfind("data/textures/"); data != std::string::npos) tail = path.substr(data + 5);
  const bool is_whole = to_lower(tail).starts_with("textures/");
  names.push_back(is_whole ? tail : "textures/" + tail);
  if (const std::string small = to_lower(names.front()); small != names.front()) names.push_back(small);
  return names;
}

}  // namespace

void describe_textures(FieldList& fields, TextureOptions& options) {
  fields("textures", options.embed, {.help = "take the textures of bodies along, as PNG"});
  fields("data", options.data,
         {.help = "a game's data folder, where files, skeletons and textures are found; may be repeated for more "
                  "textures",
          .placeholder = "FOLDER",
          .otherwise = "the folder that holds the body's meshes, and the body's own"});
  fields("texture_size", options.max_size,
         {.help = "take smaller mips of textures that are larger than this",
          .unit = "pixels",
          .placeholder = "N",
          .min = 1,
          .max = 16384});
}

Result<std::vector<std::byte>> find_texture(const std::string& body_file, const std::string& texture,
                                            const TextureOptions& options, const Context& context) {
  const std::string path = with_slashes(texture);
  if (!context.lookup || !is_tame(path))
    return fail(ErrorCode::NotFound, "the texture '" + texture + "' is not looked for");
  const std::vector<std::string> names = names_below_data(path);
  std::vector<std::string> folders;
  for (const std::string& each : options.data)
    folders.push_back(each.empty() || each.ends_with('/') || each.ends_with('\\') ? each : each + "/");
  if (auto own = data_folder_of(body_file)) folders.push_back(std::move(*own));
  for (const std::string& folder : folders)
    for (const std::string& name : names)
      if (auto bytes = context.lookup->read(folder, name)) return bytes;
  const std::string beside = path.substr(path.rfind('/') + 1);
  for (const std::string& name : {names.front(), beside, to_lower(beside)})
    if (auto bytes = context.lookup->read(body_file, name)) return bytes;
  return fail(ErrorCode::NotFound, "the texture '" + texture + "' is not there");
}

void check_textures(const std::string& body_file, const std::vector<BodyShape>& shapes, const TextureOptions& options,
                    const Context& context, Findings& findings) {
  std::map<std::string, bool> is_there;  // shapes share textures
  for (const BodyShape& shape : shapes) {
    const std::string material = to_lower(shape.material.name);
    if (material.ends_with(".bgsm") || material.ends_with(".bgem")) continue;
    ShapeFindings out(shape, findings);
    for (const std::string& path : shape.material.textures) {
      if (path.empty() || has_drive_or_root(path)) continue;
      const auto [found, is_new] = is_there.try_emplace(to_lower(path), true);
      if (is_new) found->second = find_texture(body_file, path, options, context).has_value();
      if (!found->second)
        out.warning("W_TEXTURE_MISSING",
                    "texture '" + path + "' is in no data folder: the shape is purple in the game");
    }
  }
}

std::optional<image::Image> load_texture(const DocumentBody& body, std::size_t slot, const TextureOptions& options,
                                         Context& context) {
  const std::vector<std::string>& paths = body.shape.material.textures;
  if (slot >= paths.size() || paths[slot].empty()) return std::nullopt;
  const std::string where = "shape '" + body.shape.name + "'";
  const auto bytes = find_texture(body.file, paths[slot], options, context);
  if (!bytes) {
    context.note(bytes.error().message, where);
    return std::nullopt;
  }
  const Limits limits = context.limits.for_input(bytes->size());
  const auto info = image::read_dds_header(*bytes);
  auto picture = image::read_dds(*bytes, {.max_size = options.max_size, .limits = limits});
  if (!picture || !info) {
    context.note("the texture '" + paths[slot] + "' cannot be read: " + picture.error().message, where);
    return std::nullopt;
  }
  if (slot == kNormal && info->has_two_channels()) image::complete_normals(*picture);
  return std::move(*picture);
}

void embed_textures(Document& document, const TextureOptions& options, Context& context) {
  if (!options.embed) return;
  // Shapes share textures: each is looked for and packed once.
  std::map<std::pair<std::string, std::size_t>, std::vector<std::byte>> packed;
  for (DocumentBody& body : document.bodies) {
    const BodyMaterial& material = body.shape.material;
    body.images.assign(material.textures.size(), {});
    for (const std::size_t slot : {kDiffuse, kNormal}) {
      if (slot >= material.textures.size() || material.textures[slot].empty()) continue;
      if (slot == kNormal && material.has_model_space_normals) continue;
      const auto [found, is_new] = packed.try_emplace({to_lower(material.textures[slot]), slot});
      if (is_new)
        if (auto picture = load_texture(body, slot, options, context)) {
          if (slot == kNormal) {
            image::flip_green(*picture);
            image::drop_opacity(*picture);
          } else if (material.alpha == AlphaMode::Opaque) {
            image::drop_opacity(*picture);
          }
          if (auto png = image::write_png(*picture)) found->second = std::move(*png);
        }
      body.images[slot] = found->second;
    }
  }
}

}  // namespace marrow
