// SPDX-License-Identifier: MIT
// Reads the items of a tagfile into objects: the steps of each class copy its bytes, item numbers lead to the rest.
#include <algorithm>
#include <string>

#include "core/counted.h"
#include "core/try.h"
#include "havok/object/storage.h"
#include "havok/object/version.h"
#include "havok/tag/format.h"
#include "havok/tag/tagfile.h"
#include "havok/tag/types.h"
#include "marrow/core/byte_reader.h"

namespace marrow::havok {
namespace {

class TagReader {
 public:
  TagReader(std::shared_ptr<const TagTypes> types, const TagSection& data, const ReadOptions& options)
      : types_(std::move(types)),
        data_(data.content),
        data_start_(data.at),
        options_(options),
        storage_(std::make_shared<Storage>(data.content.size())) {}

  Result<Packfile> run(const TagSection& items, const TagSection* patches) {
    MARROW_CHECK(read_items(items));
    if (patches) MARROW_CHECK(check_patches(*patches));
    file_ = make_packfile(*types_->schema, 8);
    file_.tag_types = types_;
    // Objects keep the order of their items; parts that pointers lead to are found on the way.
    for (std::uint32_t i = 1; i < items_.size(); ++i)
      if (items_[i].flags & kObjectItem) add_object(i);
    if (object_of_.size() < 2 || object_of_[1].is_null())
      return fail(ErrorCode::Malformed, "the first item of the tagfile is not an object", items.at, "ITEM");
    file_.root = object_of_[1];
    for (std::uint32_t i = 0; i < sources_.size(); ++i)
      if (!read_object(i)) {
        error_.path = "DATA.items[" + std::to_string(sources_[i]) + "]" + error_.path;
        return std::unexpected(std::move(error_));
      }
    return std::move(file_);
  }

 private:
  Result<void> read_items(const TagSection& section) {
    const std::size_t count = section.content.size() / kItemSize;
    if (count > options_.limits.max_objects)
      return fail(ErrorCode::LimitExceeded, std::to_string(count) + " items are more than the limit allows",
                  section.at);
    items_.resize(count);
    object_of_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto row = section.content.subspan(i * kItemSize, kItemSize);
      const auto type = load<std::uint32_t>(row, 0);
      TagItem& item = items_[i];
      item = {type & kItemTypeMask, type & ~kItemTypeMask, load<std::uint32_t>(row, 4), load<std::uint32_t>(row, 8)};
      if (item.type >= types_->types.size() || (i > 0 && item.type == 0))
        return refuse_item(section, i, "is of type " + std::to_string(item.type) + ", which does not exist");
      const std::uint64_t size = std::uint64_t{item.count} * types_->types[item.type].size;
      if (item.offset > data_.size() || size > data_.size() - item.offset)
        return refuse_item(section, i, "lies outside the data");
    }
    return {};
  }

  static std::unexpected<Error> refuse_item(const TagSection& section, std::size_t i, std::string why) {
    return fail(ErrorCode::Malformed, "item " + std::to_string(i) + " " + std::move(why), section.at + i * kItemSize,
                "ITEM");
  }

  // The places of references, listed by type. They are not needed, but what they say must hold.
  Result<void> check_patches(const TagSection& section) const {
    ByteReader reader(section.content, section.at);
    while (reader.remaining() > 0) {
      const std::uint32_t type = reader.u32(), count = reader.u32();
      if (reader.ok() && (type >= types_->types.size() || count > reader.remaining() / 4))
        reader.set_error(ErrorCode::Malformed,
                         "a list of references does not fit, or is of a type that does not exist");
      for (std::uint32_t i = 0; i < count && reader.ok(); ++i) {
        const std::uint32_t at = reader.u32();
        if (data_.size() < 8 || at > data_.size() - 8)
          reader.set_error(ErrorCode::Malformed, "a reference lies outside the data");
        else if (load<std::uint64_t>(data_, at) >= items_.size())
          reader.set_error(ErrorCode::Malformed, "a reference leads to an item that does not exist");
      }
      MARROW_CHECK(reader.status());
    }
    return {};
  }

  ObjectId add_object(std::uint32_t item) {
    const ObjectId id{static_cast<std::uint32_t>(file_.objects.size())};
    object_of_[item] = id;
    sources_.push_back(item);
    file_.objects.emplace_back();
    return id;
  }

  bool refuse(ErrorCode code, std::string why, std::uint64_t at) {
    error_ = Error{code, std::move(why), data_start_ + at, {}};
    return false;
  }

  bool spend(std::uint64_t bytes, std::uint64_t at) {
    return options_.limits.charge(bytes) ||
           refuse(ErrorCode::LimitExceeded, "the objects take more memory than the limit allows", at);
  }

  std::uint32_t file_offset(std::uint32_t at) const { return static_cast<std::uint32_t>(data_start_ + at); }

  bool read_object(std::uint32_t i) {
    const TagItem& item = items_[sources_[i]];
    const Class* type = types_->classes[item.type];
    if (!type || item.count != 1)
      return refuse(ErrorCode::Unsupported,
                    "a pointer leads to " + std::to_string(item.count) + " " + types_->types[item.type].name +
                        ", not to one record",
                    item.offset);
    if (!spend(type->layout.pod_size + std::uint64_t{type->layout.ref_count} * sizeof(Ref), item.offset)) return false;
    const Storage::Block block = Storage::place_object(storage_, file_.objects[i], *type, file_offset(item.offset));
    if (!(item.flags & kObjectItem)) file_.objects[i].set_part_flags(item.flags);
    return read_values(type->layout, block, 1, item.offset, 0);
  }

  bool read_values(const Element& element, const Storage::Block& block, std::uint32_t count, std::uint32_t at,
                   std::uint32_t depth) {
    if (depth > options_.limits.max_depth) return refuse(ErrorCode::LimitExceeded, "arrays are nested too deep", at);
    for (std::uint32_t i = 0; i < count; ++i) {
      std::byte* pods = block.pods + std::size_t{i} * element.pod_size;
      Ref* refs = block.refs + std::size_t{i} * element.ref_count;
      for (const Step& step : element.steps[kLayout]) {
        if (read_step(step, at + i * element.file_size[kLayout], pods, refs, depth)) continue;
        error_.path = (step.member ? "." + step.member->name : std::string()) + error_.path;
        return false;
      }
    }
    return true;
  }

  bool read_step(const Step& step, std::uint32_t base, std::byte* pods, Ref* refs, std::uint32_t depth) {
    const std::uint32_t at = base + step.file_offset;
    if (step.kind == Step::Kind::Copy) {
      std::memcpy(pods + step.pod_offset, data_.data() + at, step.size);
      return true;
    }
    const auto item = load<std::uint64_t>(data_, at);
    if (item >= items_.size()) return refuse(ErrorCode::Malformed, "a reference leads to no item", at);
    if (item == 0) return true;
    const auto index = static_cast<std::uint32_t>(item);
    switch (step.kind) {
      case Step::Kind::Text: return read_text(refs[step.ref], index);
      case Step::Kind::Pointer: {
        const ObjectId known = object_of_[index];
        refs[step.ref].set_pointer(known.is_null() ? add_object(index) : known);
        return true;
      }
      case Step::Kind::Array: return read_array(*step.element, refs[step.ref].array(), index, depth);
      default: return refuse(ErrorCode::Unsupported, "a member of this kind is not known in tagfiles", at);
    }
  }

  bool read_text(Ref& ref, std::uint32_t index) {
    const TagItem& item = items_[index];
    if (types_->types[item.type].size != 1)
      return refuse(ErrorCode::Malformed, "a text leads to an item of another type", item.offset);
    if (!spend(item.count, item.offset)) return false;
    const std::string_view text = as_text(data_.subspan(item.offset, item.count));
    storage_->place_text(ref, text.substr(0, text.find('\0')));
    return true;
  }

  bool read_array(const Element& element, Array& array, std::uint32_t index, std::uint32_t depth) {
    const TagItem& item = items_[index];
    if (item.count == 0) return true;
    if (types_->types[item.type].size != element.file_size[kLayout])
      return refuse(ErrorCode::Malformed, "an array leads to an item of another type", item.offset);
    const std::uint64_t each =
        std::max<std::uint64_t>(1, element.pod_size + std::uint64_t{element.ref_count} * sizeof(Ref));
    if (!spend(item.count * each, item.offset)) return false;
    if (element.is_plain(kLayout)) {
      storage_->place_pods(array, element, data_.subspan(item.offset, std::size_t{item.count} * element.pod_size),
                           file_offset(item.offset));
      return true;
    }
    return read_values(element, storage_->place(array, element, item.count, file_offset(item.offset)), item.count,
                       item.offset, depth + 1);
  }

  static constexpr std::size_t kLayout = FileLayout{}.index();

  std::shared_ptr<const TagTypes> types_;
  std::span<const std::byte> data_;
  std::uint64_t data_start_;
  const ReadOptions& options_;
  std::shared_ptr<Storage> storage_;
  std::vector<TagItem> items_;
  std::vector<ObjectId> object_of_;     // by item
  std::vector<std::uint32_t> sources_;  // the item of each object
  Packfile file_;
  Error error_;
};

// Returns the section with the types: the file's own, or that of a compendium with the id that the file names.
Result<TagSection> type_section(std::span<const TagSection> sections, std::span<const std::byte> compendium) {
  if (const TagSection* own = find_section(sections, kTypeSection)) return *own;
  const TagSection* reference = find_section(sections, kTypeReference);
  if (!reference) return fail(ErrorCode::Malformed, "the tagfile has no types", 0, "TYPE");
  if (compendium.empty())
    return fail(ErrorCode::Unsupported,
                "the tagfile has its types in another file, a compendium (TCM0); name that file", reference->at,
                "TCRF");
  MARROW_TRY(const std::vector<TagSection> outer, split_sections(compendium, 0));
  const TagSection* whole = find_section(outer, kCompendium);
  if (!whole) return fail(ErrorCode::BadMagic, "the file of types is not a compendium (TCM0)", 0);
  MARROW_TRY(const std::vector<TagSection> parts, split_sections(whole->content, whole->at));
  const TagSection *ids = find_section(parts, kCompendiumIds), *types = find_section(parts, kTypeSection);
  if (!types) return fail(ErrorCode::Malformed, "the compendium has no types", whole->at);
  constexpr std::size_t kId = 8;
  const std::string_view wanted = as_text(reference->content).substr(0, kId);
  bool is_there = !ids;
  for (std::size_t at = 0; ids && at + kId <= ids->content.size(); at += kId)
    is_there |= as_text(ids->content.subspan(at, kId)) == wanted;
  if (!is_there)
    return fail(ErrorCode::WrongKind, "the compendium is not the one that the tagfile names", reference->at, "TCRF");
  return *types;
}

}  // namespace

Result<Packfile> read_tagfile(std::span<const std::byte> bytes, std::span<const std::byte> compendium,
                              const ReadOptions& given) {
  if (bytes.size() > given.limits.max_file_bytes)
    return fail(ErrorCode::LimitExceeded, "the file is larger than the limit allows");
  const auto options = counted(given);
  MARROW_TRY(const std::vector<TagSection> outer, split_sections(bytes, 0));
  if (outer.empty() || (outer[0].tag != kTagfile && outer[0].tag != kCompendium))
    return fail(ErrorCode::BadMagic, "not a Havok tagfile: it does not begin with a section TAG0", 0);
  if (outer[0].tag == kCompendium)
    return fail(ErrorCode::WrongKind, "the file is a compendium: it holds types for tagfiles, and no objects", 0);
  MARROW_TRY(const std::vector<TagSection> parts, split_sections(outer[0].content, outer[0].at));
  const TagSection *version = find_section(parts, kSdkVersion), *data = find_section(parts, kTagData),
                   *index = find_section(parts, kIndex);
  if (!version || !data || !index)
    return fail(ErrorCode::Malformed, "the tagfile lacks its version, its data or its index", outer[0].at, "TAG0");
  MARROW_TRY(const TagSection type_part, type_section(parts, compendium));
  MARROW_TRY(const std::shared_ptr<TagTypes> types,
             read_tag_types(type_part, std::string(as_text(version->content)), options.limits));
  // A file keeps the section that it has: its types, or the name of the compendium.
  if (const TagSection* reference = find_section(parts, kTypeReference))
    types->section.assign(reference->whole.begin(), reference->whole.end());
  MARROW_TRY(const std::vector<TagSection> lists, split_sections(index->content, index->at));
  const TagSection* items = find_section(lists, kItems);
  if (!items) return fail(ErrorCode::Malformed, "the tagfile has no list of items", index->at, "INDX");
  return TagReader(types, *data, options).run(*items, find_section(lists, kPatches));
}

}  // namespace marrow::havok
