// SPDX-License-Identifier: MIT
// Writes objects to a tagfile, in the order of Havok's own writer (docs/formats/tag0.md).
#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <string>

#include "core/byte_writer.h"
#include "core/try.h"
#include "havok/tag/format.h"
#include "havok/tag/tagfile.h"
#include "havok/tag/types.h"

namespace marrow::havok {
namespace {

constexpr std::size_t kLayout = FileLayout{}.index();

/// What is written in one place: an object, the elements of an array, or a text.
struct OutItem {
  std::uint32_t type = 0, flags = 0, count = 0;
  const Element* element = nullptr;  ///< null for texts
  const Array* values = nullptr;
  std::string_view text = {};
  std::vector<std::uint32_t> targets = {};  ///< the item that each of its references leads to, element by element
  std::uint32_t offset = 0;                 ///< in the data, once it is placed
};

class TagWriter {
 public:
  explicit TagWriter(const Packfile& file) : file_(file), types_(*file.tag_types), item_of_(file.objects.size(), 0) {}

  Result<std::vector<std::byte>> run() {
    if (file_.root.index >= file_.objects.size())
      return fail(ErrorCode::InvalidArgument, "the file has no root object");
    items_.emplace_back();
    MARROW_TRY(const std::uint32_t root, add_object(file_.root));
    queue_.push_back(root);
    // Objects that nothing leads to come last.
    for (std::uint32_t i = 0; i < file_.objects.size(); ++i) {
      MARROW_CHECK(walk_queue());
      if (item_of_[i] != 0 || file_.objects[i].part_flags() != 0) continue;
      MARROW_TRY(const std::uint32_t item, add_object({i}));
      queue_.push_back(item);
    }
    MARROW_CHECK(walk_queue());
    data_.pad_to(kItemAlignment);
    return sections();
  }

 private:
  std::unexpected<Error> refuse(std::string why, ObjectId id) const {
    return fail(ErrorCode::Unrepresentable, std::move(why), kNoOffset, path_of(id));
  }

  Result<std::uint32_t> add_object(ObjectId id) {
    const Object& object = file_.at(id);
    const auto type = object.type ? types_.type_of.find(object.type) : types_.type_of.end();
    if (type == types_.type_of.end())
      return refuse("the tagfile has no type for class " + std::string(object.class_name()), id);
    const auto index = static_cast<std::uint32_t>(items_.size());
    const std::uint32_t flags = object.part_flags() != 0 ? object.part_flags() : kObjectItem;
    items_.push_back(
        {.type = type->second, .flags = flags, .count = 1, .element = &object.type->layout, .values = &object.body()});
    item_of_[id.index] = index;
    return index;
  }

  Result<void> walk_queue() {
    while (!queue_.empty()) {
      const std::uint32_t next = queue_.front();
      queue_.pop_front();
      MARROW_CHECK(write_object(next));
    }
    return {};
  }

  // Numbers all that belongs to an object, then places it: the object itself first.
  Result<void> write_object(std::uint32_t object) {
    std::vector<std::uint32_t> list = {object};
    for (std::size_t i = 0; i < list.size(); ++i) MARROW_CHECK(number_references(list[i], list));
    for (const std::uint32_t index : list) place(index);
    return {};
  }

  /// A reference of an item that is not null.
  struct Reference {
    std::size_t at;  ///< in the references of the item
    const Ref* ref;
    std::uint32_t type;
  };

  // Gives numbers to what an item refers to: objects, arrays, texts, and parts; each member over all elements.
  Result<void> number_references(std::uint32_t index, std::vector<std::uint32_t>& list) {
    if (items_[index].element == nullptr || items_[index].element->ref_count == 0) return {};
    const Array& values = *items_[index].values;
    const std::vector<TagSlot>& slots = types_.slots[items_[index].type];
    const std::size_t each = items_[index].element->ref_count, count = items_[index].count;
    if (slots.size() != each) return fail(ErrorCode::InvalidArgument, "a type and its class disagree");
    std::vector<std::uint32_t> targets(each * count);
    std::vector<Reference> objects, arrays, texts, parts;
    for (std::size_t s = 0; s < each; ++s)
      for (std::size_t i = 0; i < count; ++i) {
        const Reference reference{i * each + s, &values.refs()[i * each + s], slots[s].type};
        if (reference.ref->is_null()) continue;
        if (reference.ref->text())
          texts.push_back(reference);
        else if (reference.ref->is_array())
          arrays.push_back(reference);
        else if (const ObjectId id = reference.ref->pointer(); id.index >= file_.objects.size())
          return fail(ErrorCode::InvalidArgument, "a pointer leads to no object");
        else
          (file_.at(id).part_flags() != 0 ? parts : objects).push_back(reference);
      }
    for (const Reference& each_object : objects) {
      const ObjectId id = each_object.ref->pointer();
      if (item_of_[id.index] == 0) {
        MARROW_TRY(const std::uint32_t item, add_object(id));
        queue_.push_back(item);
      }
      targets[each_object.at] = item_of_[id.index];
    }
    for (const Reference& each_array : arrays) {
      const TagType& type = types_.types[each_array.type];
      const Array& array = each_array.ref->array();
      if (array.count() == 0) continue;
      list.push_back(targets[each_array.at] = add({.type = type.subtype,
                                                   .flags = kArrayItem,
                                                   .count = array.count(),
                                                   .element = &types_.element_of_type(type.subtype),
                                                   .values = &array}));
    }
    for (const Reference& each_text : texts) {
      if (types_.char_type == 0) return fail(ErrorCode::Unrepresentable, "the tagfile has no type for texts");
      const std::string_view text = *each_text.ref->text();
      list.push_back(targets[each_text.at] = add({.type = types_.char_type,
                                                  .flags = kArrayItem,
                                                  .count = static_cast<std::uint32_t>(text.size() + 1),
                                                  .text = text}));
    }
    for (const Reference& each_part : parts) {
      const ObjectId id = each_part.ref->pointer();
      if (item_of_[id.index] == 0) {
        MARROW_TRY(const std::uint32_t item, add_object(id));
        list.push_back(item);
      }
      targets[each_part.at] = item_of_[id.index];
    }
    items_[index].targets = std::move(targets);
    return {};
  }

  std::uint32_t add(OutItem item) {
    items_.push_back(std::move(item));
    return static_cast<std::uint32_t>(items_.size() - 1);
  }

  void place(std::uint32_t index) {
    OutItem& item = items_[index];
    const bool is_object = (item.flags & kObjectItem) != 0;
    data_.pad_to(!item.element ? kTextAlignment : is_object ? types_.types[item.type].alignment : kItemAlignment);
    item.offset = static_cast<std::uint32_t>(data_.size());
    if (!item.element) {
      data_.text(item.text);
      data_.u8(0);
      return;
    }
    const Element& element = *item.element;
    const std::uint32_t stride = element.file_size[kLayout];
    data_.fill(std::size_t{item.count} * stride);
    const std::vector<TagSlot>& slots = types_.slots[item.type];
    for (std::size_t i = 0; i < item.count; ++i) {
      const std::size_t at = item.offset + i * stride;
      for (const Step& step : element.steps[kLayout])
        if (step.kind == Step::Kind::Copy)
          std::memcpy(data_.view().data() + at + step.file_offset,
                      item.values->pods().data() + i * element.pod_size + step.pod_offset, step.size);
      for (std::size_t s = 0; s < element.ref_count; ++s) {
        const std::uint32_t target = item.targets[i * element.ref_count + s];
        if (target == 0) continue;
        const auto slot = static_cast<std::uint32_t>(at + slots[s].offset);
        data_.patch(slot, std::uint64_t{target});
        patches_[slots[s].type].push_back(slot);
      }
    }
  }

  std::vector<std::byte> sections() {
    ByteWriter items, patches, index, content, out;
    for (const OutItem& item : items_) {
      items.u32(item.type | item.flags);
      items.u32(item.offset);
      items.u32(item.count);
    }
    for (auto& [type, places] : patches_) {
      std::ranges::sort(places);
      patches.u32(type);
      patches.u32(static_cast<std::uint32_t>(places.size()));
      for (const std::uint32_t at : places) patches.u32(at);
    }
    add_section(index, kItems, items.view(), true);
    add_section(index, kPatches, patches.view(), true);
    add_section(content, kSdkVersion, as_bytes(file_.schema->version()), true);
    add_section(content, kTagData, data_.view(), true);
    content.bytes(types_.section);
    add_section(content, kIndex, index.view(), false);
    add_section(out, kTagfile, content.view(), false);
    return out.take();
  }

  static void add_section(ByteWriter& out, std::string_view tag, std::span<const std::byte> content, bool is_leaf) {
    out.u32(std::byteswap(static_cast<std::uint32_t>(content.size() + kSectionHeader) | (is_leaf ? kLeaf : 0u)));
    out.text(tag);
    out.bytes(content);
  }

  const Packfile& file_;
  const TagTypes& types_;
  std::vector<std::uint32_t> item_of_;  // by object; 0 for those without a number yet
  std::vector<OutItem> items_;
  std::deque<std::uint32_t> queue_;
  ByteWriter data_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> patches_;  // places of references, by type
};

}  // namespace

Result<std::vector<std::byte>> write_tagfile(const Packfile& file) {
  if (!file.tag_types)
    return fail(ErrorCode::WrongKind, "only a tagfile can be written as a tagfile: other files carry no types");
  return TagWriter(file).run();
}

}  // namespace marrow::havok
