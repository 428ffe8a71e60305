// SPDX-License-Identifier: MIT
// Documents and their skeletons.
#include "c/convert.h"
#include "c/parts.h"
#include "core/try.h"
#include "marrow/model/pose.h"
#include "marrow/ops/document/load.h"
#if !defined(__wasi__)
#include "core/path.h"
#include "marrow/core/file.h"
#endif

using namespace marrow;
using namespace marrow::c;

namespace {

Result<std::vector<std::byte>> disk_file(const std::string& path, const Limits& limits) {
#if defined(__wasi__)
  static_cast<void>(limits);
  return fail(ErrorCode::Unsupported, "there is no disk here to read " + path + " from; give its bytes");
#else
  return read_file(path_of_text(path), limits);
#endif
}

Outcome<Reading<DocumentObject>> with_skeleton(marrow_document document, std::uint32_t skeleton) {
  MARROW_TRY(auto from, reading_with(document, kSkeletonParts));
  MARROW_CHECK(in_range(skeleton, from->document.skeletons.size(), "skeleton"));
  return from;
}

void keep_notes(DocumentObject& object, Notes notes) {
  object.notes_text = json_of(notes);
  object.notes = std::move(notes);
}

Outcome<void> load_into(std::span<const std::byte> bytes, const std::string& name, CallContext& called,
                        marrow_document* out) {
  // The values of a glTF file are read with the file.
  const Parts parts = is_gltf(detect(bytes)) ? kPartsOfC : Parts::None;
  auto loaded = load(bytes, {.name = name, .parts = parts}, *called);
  if (!loaded) return in_file(std::move(loaded).error(), name);
  auto object = std::make_shared<DocumentObject>();
  object->document = std::move(*loaded);
  keep_notes(*object, std::move(called->notes));
  object->limits = called->limits;
  *out = open(DocumentObject::kKind, std::move(object));
  return {};
}

Transform transform_of(const float* floats) { return transforms_of(floats, 1)[0]; }

}  // namespace

marrow_status marrow_detect(const void* bytes, std::size_t byte_count, marrow_text* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    if (byte_count > 0) MARROW_CHECK(required(bytes, "bytes"));
    const Format format = detect(bytes_of(bytes, byte_count));
    *out = text_of(format == Format::Unknown ? std::string_view() : to_string(format));
    return {};
  });
}

marrow_status marrow_load(const void* bytes, std::size_t byte_count, const char* name, const marrow_context* context,
                          marrow_document* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    if (byte_count > 0) MARROW_CHECK(required(bytes, "bytes"));
    CallContext called(context);
    return load_into(bytes_of(bytes, byte_count), std::string(view_of(name)), called, out);
  });
}

marrow_status marrow_load_file(const char* path, const marrow_context* context, marrow_document* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(path, "path"));
    MARROW_CHECK(required(out, "out"));
    CallContext called(context);
    const std::string name(path);
    auto bytes = context && context->read ? called->lookup->read({}, name) : disk_file(name, called->limits);
    if (!bytes) return in_file(std::move(bytes).error(), name);
    return load_into(*bytes, name, called, out);
  });
}

marrow_status marrow_new_document(const char* game, marrow_document* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    auto object = std::make_shared<DocumentObject>();
    Document& document = object->document;
    document.format = Format::Hkx;
    if (game) {
      document.game = find_game(game);
      if (!document.game) return fail(ErrorCode::NotFound, "there is no game '" + std::string(game) + "'");
      document.metres_per_unit = metres_per_unit(*document.game);
      if (family_of(*document.game) == GameFamily::Anvil) document.format = Format::AnvilStandard;
    }
    *out = open(DocumentObject::kKind, std::move(object));
    return {};
  });
}

marrow_status marrow_copy_document(marrow_document document, marrow_document* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, reading<DocumentObject>(document));
    auto object = std::make_shared<DocumentObject>();
    object->document = from->document;
    object->notes = from->notes;
    object->notes_text = from->notes_text;
    object->limits = from->limits;
    object->damaged = from->damaged;
    *out = open(DocumentObject::kKind, std::move(object));
    return {};
  });
}

marrow_status marrow_read_parts(marrow_document document, std::uint32_t parts) {
  return guarded([&]() -> Outcome<void> {
    constexpr std::uint32_t kKnown =
        MARROW_PART_SKELETONS | MARROW_PART_CLIPS | MARROW_PART_COLLISION | MARROW_PART_MESHES;
    if ((parts & ~kKnown) != 0) return fail_with(MARROW_BAD_ARGUMENT, "is not a sum of parts", "parts");
    Parts wanted = Parts::None;
    if (parts & MARROW_PART_SKELETONS) wanted = wanted | kSkeletonParts;
    if (parts & MARROW_PART_CLIPS) wanted = wanted | kClipParts;
    if (parts & MARROW_PART_COLLISION) wanted = wanted | kCollisionParts;
    if (parts & MARROW_PART_MESHES) wanted = wanted | kMeshParts;
    MARROW_CHECK(reading_with(document, wanted));
    return {};
  });
}

marrow_status marrow_get_document(marrow_document document, marrow_document_info* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, reading_with_all(document));
    const Document& d = from->document;
    *out = {.name = text_of(d.name),
            .format = text_of(to_string(d.format)),
            .game = text_of(d.game ? to_string(*d.game) : std::string_view()),
            .notes = text_of(from->notes_text),
            .metres_per_unit = static_cast<double>(d.metres_per_unit),
            .byte_count = d.byte_count,
            .skeleton_count = static_cast<std::uint32_t>(d.skeletons.size()),
            .clip_count = static_cast<std::uint32_t>(d.clips.size()),
            .collision_count = static_cast<std::uint32_t>(d.collision.size()),
            .mesh_count = static_cast<std::uint32_t>(d.meshes.size())};
    return {};
  });
}

marrow_status marrow_get_skeleton(marrow_document document, std::uint32_t skeleton, marrow_skeleton_info* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, with_skeleton(document, skeleton));
    const DocumentSkeleton& s = from->document.skeletons[skeleton];
    *out = {.name = text_of(s.skeleton.name),
            .bone_count = static_cast<std::uint32_t>(s.skeleton.bones.size()),
            .float_slot_count = static_cast<std::uint32_t>(s.skeleton.float_slots.size()),
            .is_ragdoll = s.is_ragdoll ? 1u : 0u,
            .reserved = 0};
    return {};
  });
}

marrow_status marrow_get_bones(marrow_document document, std::uint32_t skeleton, marrow_bone* out,
                               std::uint32_t capacity, std::uint32_t* count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_TRY(const auto from, with_skeleton(document, skeleton));
    const std::vector<Bone>& bones = from->document.skeletons[skeleton].skeleton.bones;
    return write_list(bones.size(), out, capacity, count, [&](std::size_t i) { return bone_of(bones[i]); });
  });
}

marrow_status marrow_get_float_slots(marrow_document document, std::uint32_t skeleton, marrow_float_slot* out,
                                     std::uint32_t capacity, std::uint32_t* count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_TRY(const auto from, with_skeleton(document, skeleton));
    const std::vector<FloatSlot>& slots = from->document.skeletons[skeleton].skeleton.float_slots;
    return write_list(slots.size(), out, capacity, count, [&](std::size_t i) {
      return marrow_float_slot{.name = text_of(slots[i].name), .reference = slots[i].reference, .reserved = 0};
    });
  });
}

marrow_status marrow_add_skeleton(marrow_document document, const char* name, const marrow_bone* bones,
                                  std::uint32_t bone_count, const marrow_float_slot* slots, std::uint32_t slot_count,
                                  std::uint32_t* index) {
  return guarded([&]() -> Outcome<void> {
    if (bone_count > 0) MARROW_CHECK(required(bones, "bones"));
    if (slot_count > 0) MARROW_CHECK(required(slots, "slots"));
    DocumentSkeleton added;
    added.skeleton.name = view_of(name);
    for (const marrow_bone& bone : std::span(bones, bone_count))
      added.skeleton.bones.push_back({.name = std::string(view_of(bone.name)),
                                      .parent = bone.parent,
                                      .rest = transform_of(bone.rest),
                                      .lock_translation = bone.lock_translation != 0});
    for (const marrow_float_slot& slot : std::span(slots, slot_count))
      added.skeleton.float_slots.push_back({.name = std::string(view_of(slot.name)), .reference = slot.reference});
    MARROW_CHECK(validate(added.skeleton));
    MARROW_TRY(const auto to, writing_with(document, kPartsOfC));
    leave_packfile(to->document);
    if (index) *index = static_cast<std::uint32_t>(to->document.skeletons.size());
    to->document.skeletons.push_back(std::move(added));
    return {};
  });
}

marrow_status marrow_find_skeleton(marrow_document document, const marrow_context* context, marrow_document* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    CallContext called(context);
    MARROW_TRY(const auto from, reading_with(document, kSkeletonParts));
    auto found = skeleton_document(from->document, nullptr, *called);
    if (!found) return in_file(std::move(found).error(), from->document.name);
    auto object = std::make_shared<DocumentObject>();
    object->document = **found;
    keep_notes(*object, std::move(called->notes));
    *out = open(DocumentObject::kKind, std::move(object));
    return {};
  });
}

marrow_status marrow_local_to_model(marrow_document document, std::uint32_t skeleton, const float* local, float* model,
                                    std::uint32_t bone_count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(local, "local"));
    MARROW_CHECK(required(model, "model"));
    MARROW_TRY(const auto from, with_skeleton(document, skeleton));
    const Skeleton& on = from->document.skeletons[skeleton].skeleton;
    if (bone_count != on.bones.size())
      return fail_with(MARROW_BAD_ARGUMENT, "the skeleton has " + std::to_string(on.bones.size()) + " bones",
                       "bone_count");
    MARROW_CHECK(check_order(on));
    local_to_model(on, transforms_of(local, bone_count), transforms_of(model, bone_count));
    return {};
  });
}
