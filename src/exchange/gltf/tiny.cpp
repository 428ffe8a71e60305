// SPDX-License-Identifier: MIT
// tinygltf trusts its input more than Marrow may: it reads images, follows paths, recurses with the nesting of the JSON
// and aborts on an empty buffer. So the container and the JSON are checked here first, and parts that Marrow does not
// use never reach it.
#define TINYGLTF_IMPLEMENTATION
#include "exchange/gltf/tiny.h"

#include <algorithm>
#include <sstream>
#include <string>

#include "core/byte_writer.h"
#include "core/json.h"
#include "core/memory.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"

namespace marrow::gltf {
namespace {

constexpr std::uint32_t kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;

struct Chunks {
  std::string_view json = {};
  std::uint64_t json_offset = 0;
  std::span<const std::byte> binary = {};
  bool is_binary = false;
};

Result<Chunks> split_container(std::span<const std::byte> bytes) {
  if (!as_text(bytes).starts_with("glTF")) return Chunks{.json = as_text(bytes)};
  ByteReader reader(bytes);
  reader.skip(4);
  const std::uint32_t version = reader.u32(), length = reader.u32();
  MARROW_CHECK(reader.status());
  if (version != 2)
    return fail(ErrorCode::Unsupported, "glTF " + std::to_string(version) + "; only version 2 is read", 4);
  if (length > bytes.size())
    return fail(
        ErrorCode::Truncated,
        "the header states " + std::to_string(length) + " bytes, but the file has " + std::to_string(bytes.size()), 8);
  Chunks chunks{.is_binary = true};
  while (reader.position() + 8 <= length) {
    const std::uint32_t size = reader.u32(), kind = reader.u32();
    const std::uint64_t at = reader.offset();
    const auto data = reader.bytes(size);
    MARROW_CHECK(reader.status());
    if (kind == kJsonChunk && chunks.json.empty()) {
      chunks.json = as_text(data);
      chunks.json_offset = at;
    }
    if (kind == kBinaryChunk && chunks.binary.empty()) chunks.binary = data;
  }
  if (chunks.json.empty()) return fail(ErrorCode::Malformed, "there is no JSON chunk", 12);
  return chunks;
}

// What a value of JSON takes in memory: a node of a map, an object, an element of an array.
constexpr std::uint64_t kMemberBytes = 112, kObjectBytes = 80, kItemBytes = 24;

// tinygltf walks `extras` by recursion: nesting is limited before it sees them. Neither parser counts what it takes, so
// that is done here, too.
Result<void> check_nesting(const Chunks& chunks, const Limits& limits) {
  const std::uint32_t max_depth = limits.max_depth;
  std::uint64_t taken = 0;
  std::uint32_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < chunks.json.size(); ++i) {
    const char c = chunks.json[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == ':') {
      taken += kMemberBytes;
    } else if (c == ',') {
      taken += kItemBytes;
    } else if (c == '[' || c == '{') {
      taken += kObjectBytes;
      if (++depth > max_depth)
        return fail(ErrorCode::LimitExceeded, "the JSON is nested deeper than " + std::to_string(max_depth),
                    chunks.json_offset + i);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  if (taken > limits.left())
    return fail(ErrorCode::LimitExceeded, "the JSON takes more memory than the limit allows", chunks.json_offset);
  return {};
}

// tinygltf would take the last of two members of one name, and what is checked here is the first.
bool names_twice(const Json& json) {
  for (const Json& item : json.items())
    if (names_twice(item)) return true;
  std::vector<std::string_view> names;
  for (const auto& [name, value] : json.members()) {
    if (names_twice(value)) return true;
    names.push_back(name);
  }
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) != names.end();
}

Result<Json> parse_chunk(const Chunks& chunks, const Limits& limits) {
  MARROW_CHECK(check_nesting(chunks, limits));
  auto json = parse_json(chunks.json, limits);
  if (!json && json.error().code == ErrorCode::Malformed)
    return fail(ErrorCode::Malformed, "this is not JSON: " + json.error().message,
                chunks.json_offset + json.error().offset);
  if (!json) return json;
  if (!json->is_object()) return fail(ErrorCode::Malformed, "the JSON is not an object", chunks.json_offset);
  if (names_twice(*json))
    return fail(ErrorCode::Malformed, "a name stands twice in an object of the JSON", chunks.json_offset);
  return json;
}

Result<void> check_extensions(const Json& json) {
  constexpr std::string_view unreadable[] = {"KHR_draco_mesh_compression", "EXT_meshopt_compression"};
  for (const Json& name : json["extensionsRequired"].items())
    if (std::ranges::find(unreadable, name.text()) != std::end(unreadable))
      return fail(ErrorCode::Unsupported,
                  "the file needs the extension " + name.text() + "; export it without compression", kNoOffset,
                  "extensionsRequired");
  return {};
}

// Checks that every used array holds objects and no buffer is empty.
Result<void> check_shape(const Json& json, const Limits& limits) {
  for (const char* name :
       {"accessors", "animations", "buffers", "bufferViews", "materials", "meshes", "nodes", "scenes", "skins"}) {
    const Json* array = json.find(name);
    if (!array) continue;
    if (!array->is_array()) return fail(ErrorCode::Malformed, "should be an array", kNoOffset, name);
    if (array->size() > limits.max_objects)
      return fail(ErrorCode::LimitExceeded, std::to_string(array->size()) + " entries are too many", kNoOffset, name);
    for (std::size_t i = 0; i < array->size(); ++i)
      if (!array->items()[i].is_object())
        return fail(ErrorCode::Malformed, "should be an object", kNoOffset,
                    std::string(name) + "[" + std::to_string(i) + "]");
  }
  // The nodes once more as a tree, and as bones.
  constexpr std::uint64_t kNodeBytes = sizeof(tinygltf::Node) + 400;
  const Json::Array& nodes = json["nodes"].items();
  if (!limits.charge(nodes.size(), kNodeBytes))
    return fail(ErrorCode::LimitExceeded,
                std::to_string(nodes.size()) + " nodes take more memory than the limit allows", kNoOffset, "nodes");
  const Json::Array& buffers = json["buffers"].items();
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto length = buffers[i]["byteLength"].natural();
    const std::string path = "buffers[" + std::to_string(i) + "].byteLength";
    if (!length || *length == 0)
      return fail(ErrorCode::Malformed, "should be a number of bytes, at least 1", kNoOffset, path);
    if (*length > limits.max_file_bytes)
      return fail(ErrorCode::LimitExceeded, "the buffer is larger than the file size limit", kNoOffset, path);
  }
  return {};
}

// Reads only files beside the document: a bare name that cannot leave the folder.
bool read_beside(std::vector<unsigned char>* out, std::string* error, const std::string& name, void* user) {
  const auto& options = *static_cast<const ReadOptions*>(user);
  // A control byte is no part of a name that a tool writes; a zero would end it early.
  const bool leaves = name.find("..") != std::string::npos || name.find(':') != std::string::npos ||
                      name.starts_with('/') || name.starts_with('\\') ||
                      std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < ' '; });
  if (!options.read_beside || leaves) {
    *error =
        "the buffer \"" + name.substr(0, name.find('\0')) + "\" is not beside the file; embed it, or export a .glb";
    return false;
  }
  const auto bytes = options.read_beside(name);
  if (!bytes) {
    *error = bytes.error().message;
    return false;
  }
  const auto* first = reinterpret_cast<const unsigned char*>(bytes->data());
  out->assign(first, first + bytes->size());
  return true;
}

// What tinygltf gets to see. A tool may put bytes of another encoding into a name; they become U+FFFD.
std::string used_text(const Json& json) {
  constexpr std::string_view kUnused[] = {"images",     "textures",       "samplers",          "cameras",
                                          "extensions", "extensionsUsed", "extensionsRequired"};
  std::string text = "{";
  for (const auto& [name, value] : json.members()) {
    if (std::ranges::find(kUnused, std::string_view(name)) != std::end(kUnused)) continue;
    if (text.size() > 1) text += ',';
    text += to_text(Json(name), false) + ":" + to_text(value, false);
  }
  return text + "}";
}

std::string as_glb(const std::string& json, std::span<const std::byte> binary) {
  ByteWriter writer;
  writer.text("glTF");
  writer.u32(2);
  writer.u32(0);
  const auto chunk = [&](std::uint32_t kind, std::span<const std::byte> data, std::uint8_t padding) {
    writer.u32(static_cast<std::uint32_t>((data.size() + 3) / 4 * 4));
    writer.u32(kind);
    writer.bytes(data);
    writer.pad_to(4, padding);
  };
  chunk(kJsonChunk, as_bytes(json), ' ');
  if (!binary.empty()) chunk(kBinaryChunk, binary, 0);
  writer.patch(8, static_cast<std::uint32_t>(writer.size()));
  return std::string(as_text(writer.view()));
}

std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

Result<tinygltf::Model> parse_document(std::span<const std::byte> bytes, const ReadOptions& options) {
  const MustAllocate whole;  // tinygltf cannot be left in the middle; what it takes is charged
  MARROW_TRY(const Chunks chunks, split_container(bytes));
  // The buffers of a .gltf are counted as they are read; its JSON is all that this file has.
  const Limits limits = options.limits.spent ? options.limits : options.limits.for_input(bytes.size());
  MARROW_TRY(Json json, parse_chunk(chunks, limits));
  MARROW_CHECK(check_extensions(json));
  MARROW_CHECK(check_shape(json, limits));
  const std::string text = used_text(json);
  json = Json();  // tinygltf makes one of its own
  tinygltf::TinyGLTF loader;
  loader.SetFsCallbacks(
      {[](const std::string&, void*) { return true; }, [](const std::string& path, void*) { return path; },
       &read_beside, [](std::string*, const std::string&, const std::vector<unsigned char>&, void*) { return false; },
       const_cast<ReadOptions*>(&options)});
  tinygltf::Model model;
  std::string error, warning;
  bool loaded = false;
  if (chunks.is_binary) {
    const std::string glb = as_glb(text, chunks.binary);
    loaded = loader.LoadBinaryFromMemory(&model, &error, &warning, reinterpret_cast<const unsigned char*>(glb.data()),
                                         static_cast<unsigned>(glb.size()));
  } else {
    loaded = loader.LoadASCIIFromString(&model, &error, &warning, text.data(), static_cast<unsigned>(text.size()), "");
  }
  if (!loaded)
    return fail(ErrorCode::Malformed, "not a glTF document: " + (error.empty() ? "no reason given" : one_line(error)),
                chunks.json_offset);
  return model;
}

Result<std::vector<std::byte>> serialise_document(const tinygltf::Model& model, Container container) {
  const MustAllocate whole;
  std::ostringstream stream;
  tinygltf::TinyGLTF writer;
  if (!writer.WriteGltfSceneToStream(&model, stream, container == Container::Gltf, container == Container::Glb))
    return fail(ErrorCode::Unrepresentable, "the document could not be written as glTF");
  const std::string text = std::move(stream).str();
  const auto bytes = as_bytes(text);
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

}  // namespace marrow::gltf
