// SPDX-License-Identifier: MIT
#include "havok/object/transcribe.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "core/try.h"
#include "havok/animation/animation.h"
#include "havok/animation/block_frames.h"
#include "havok/animation/names.h"
#include "havok/object/copy_fields.h"

namespace marrow::havok {
namespace {

/// Classes that mean the same in both versions.
constexpr std::array<std::string_view, 10> kShared = {
    kRootContainer, kAnimationContainer, kSkeleton,          kSplineAnimation,     kInterleavedAnimation,
    kBinding,       kReferenceFrame,     kResourceContainer, "hkSimpleLocalFrame", "hkLocalFrameGroup"};

class Transcription {
 public:
  Transcription(const Packfile& from, Game game, Notes& notes)
      : from_(from),
        bindings_(from),
        to_(make_packfile(*builtin_schema(version_of(game)), pointer_size_of(game))),
        notes_(notes) {
    to_.padding = from.padding;
    to_.user_tag = from.user_tag;
  }

  Result<Packfile> run() {
    give_out_ids();
    if (std::ranges::none_of(to_.objects, [](const Object& object) {
          return object.type->is_a(kSkeleton) || object.type->is_a(kAnimation);
        }))
      return fail(ErrorCode::Unsupported, "a file of " + from_.schema->version() + " cannot become one of " +
                                              to_.schema->version() +
                                              ": only clips and skeletons can, and it has none");
    for (std::uint32_t i = 0; i < from_.objects.size(); ++i)
      if (!ids_[i].is_null()) MARROW_CHECK(copy_object({i}));
    if (!from_.root.is_null()) to_.root = ids_[from_.root.index];
    for (Object& object : to_.objects) drop_null_entries(object);
    tell();
    return std::move(to_);
  }

  /// Returns what has no counterpart, as words; empty if there is nothing.
  std::string missing() {
    give_out_ids();
    const std::string words = left_behind();
    return words.empty() ? words : words + ": " + classes();
  }

 private:
  std::string left_behind() const {
    std::size_t count = 0;
    for (const auto& [name, objects] : left_behind_) count += objects;
    if (count == 0) return {};
    return std::to_string(count) + (count == 1 ? " object has" : " objects have") + " no counterpart in " +
           to_.schema->version();
  }

  std::string classes() const {
    std::string words;
    for (const auto& [name, objects] : left_behind_)
      words += (words.empty() ? "" : ", ") + std::to_string(objects) + " " + name;
    return words;
  }

  /// Returns the target class of an object: its own, or stored frames for a kind of animation that only one version
  /// has.
  std::string_view counterpart(const Object& object) const {
    if (!object.type) return {};
    const auto shared = std::ranges::find_if(kShared, [&](std::string_view name) {
      return object.type->name == name || (object.type->is_a(kAnimation) && is_kind(*object.type, name));
    });
    if (shared != kShared.end()) return *shared;
    return object.type->is_a(kAnimation) ? kInterleavedAnimation : std::string_view{};
  }

  /// True for objects that newer versions hold in arrays of records.
  bool is_row(const Object& object) const {
    return object.type && (object.type->name == kBone || object.type->name == kAnnotationTrack);
  }

  void give_out_ids() {
    ids_.resize(from_.objects.size());
    for (std::size_t i = 0; i < from_.objects.size(); ++i) {
      const std::string_view name = counterpart(from_.objects[i]);
      if (is_row(from_.objects[i])) continue;  // becomes part of the object that points to it
      if (name.empty() || !to_.schema->find(name))
        ++left_behind_[std::string(from_.objects[i].class_name())];
      else
        to_.at(ids_[i] = to_.add(name)).set_name(from_.objects[i].name());
    }
  }

  Result<void> copy_object(ObjectId id) {
    const Object& source = from_.at(id);
    const ObjectId target = ids_[id.index];
    const bool is_recoded = source.type->is_a(kAnimation) && !is_kind(*source.type, to_.at(target).type->name);
    const CopyRules rules{.pointer = [&](ObjectId other) { return other.is_null() ? other : ids_[other.index]; },
                          .dropped =
                              [&](const std::string& member) {
                                // How a codec stores the motion is of no interest once it is written anew.
                                if (!is_recoded || !member.starts_with(source.type->name + ".")) ++dropped_[member];
                              },
                          .object = [&](ObjectId other) -> const Object* {
                            return other.index < from_.objects.size() ? &from_.at(other) : nullptr;
                          }};
    copy_fields(source.fields(), to_.at(target).fields(), rules);
    if (source.type->is_a(kAnimation)) {
      const std::string& name = to_.at(target).type->name;
      to_.at(target).fields().set_integer("type", animation_type(*to_.schema, name));
      if (is_recoded) {
        MARROW_TRY(const Clip clip, read_clip(from_, id, bindings_));
        MARROW_CHECK(set_frames(to_, target, clip));
        notes_.push_back(
            {source.type->name + " is written as frames: the other version does not have it", kNoOffset, {}});
        if (has_unread_floats(source))
          notes_.push_back(
              {"float tracks of " + source.type->name + " are not decoded: all their values are written as 0",
               kNoOffset, path_of(id) + ".dataBuffer"});
      }
    }
    if (source.type->is_a(kBinding)) copy_blend_hint(source.fields(), to_.at(target).fields());
    return {};
  }

  void copy_blend_hint(const FieldsView& source, Fields target) {
    const BlendHint hint = blend_hint_of(*from_.schema, source.integer("blendHint"));
    const std::int64_t number = blend_hint_number(*to_.schema, hint);
    target.set_integer("blendHint", number);
    if (blend_hint_of(*to_.schema, number) != hint)
      notes_.push_back({"the clip is additive in a way that " + to_.schema->version() +
                            " does not have, and is written as the older way",
                        kNoOffset,
                        {}});
  }

  /// Copies lists of objects, and of named ones, without those that are left out.
  void drop_null_entries(Object& object) {
    for (const Class* type : object.type->lineage())
      for (const Member& member : type->members) {
        if (member.is_ignored || !is_array(member.type.kind)) continue;
        Array& array = object.fields().ref(member).array();
        const bool named = member.name == "namedVariants";
        if (member.type.element == Kind::Pointer) {
          std::vector<Ref> kept;
          std::ranges::copy_if(array.refs(), std::back_inserter(kept), [](const Ref& ref) { return !ref.is_null(); });
          array = Array(*member.type.layout, std::move(kept));
        } else if (named) {
          keep_variants(object.fields(), *member.type.layout, array);
        }
      }
  }

  static void keep_variants(Fields root, const Element& element, const Array& array) {
    const Array before = array;
    std::vector<std::uint32_t> kept;
    for (std::uint32_t i = 0; i < before.count(); ++i)
      if (!fields_at(element, before, i).pointer("variant").is_null()) kept.push_back(i);
    root.reset_array("namedVariants", static_cast<std::uint32_t>(kept.size()));
    for (std::uint32_t i = 0; i < kept.size(); ++i)
      copy_fields(fields_at(element, before, kept[i]), root.element("namedVariants", i),
                  {.pointer = [](ObjectId same) { return same; }});
  }

  void tell() {
    if (const std::string words = left_behind(); !words.empty())
      notes_.push_back({words + ", left out: " + classes(), kNoOffset, {}});
    for (const auto& [member, times] : dropped_)
      notes_.push_back({member + " has no place in " + to_.schema->version() + " and is left out", kNoOffset, {}});
  }

  const Packfile& from_;
  Bindings bindings_;
  Packfile to_;
  Notes& notes_;
  std::vector<ObjectId> ids_;
  std::map<std::string, std::size_t> left_behind_, dropped_;
};

}  // namespace

Result<Packfile> transcribed(const Packfile& file, Game game, Notes& notes) {
  if (file.schema->version() == version_of(game)) {
    auto same = with_pointer_size_of(file, game);
    // Of a file of another game, objects that cannot follow stay behind; a file of our games is kept whole or refused.
    if (same || game_of(file)) return same;
  }
  return Transcription(file, game, notes).run();
}

std::string left_behind(const Packfile& file, Game game) {
  if (!game_of(file) || file.schema->version() == version_of(game)) return {};
  Notes notes;
  return Transcription(file, game, notes).missing();
}

}  // namespace marrow::havok
