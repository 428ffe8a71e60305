// SPDX-License-Identifier: MIT
// Reads objects of a packfile: the steps of each class copy its body, fixups lead to what is outside it.
#include <algorithm>
#include <bit>
#include <ranges>
#include <string>
#include <unordered_map>

#include "core/counted.h"
#include "core/try.h"
#include "havok/animation/float_offsets.h"
#include "havok/object/storage.h"
#include "havok/packfile/container.h"
#include "havok/packfile/fixup_index.h"
#include "havok/packfile/format.h"
#include "havok/packfile/gap_votes.h"
#include "havok/packfile/node_numbers.h"
#include "havok/packfile/object_index.h"
#include "havok/packfile/packfile.h"
#include "havok/packfile/turn.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

class ObjectReader {
 public:
  ObjectReader(ContainerView& view, const ReadOptions& options)
      : view_(view),
        options_(options),
        layout_(view.layout.index()),
        objects_(view.objects, view.data.size()),
        locals_(view.local_fixups, view.data.size()),
        globals_(view.global_fixups, view.data.size()),
        storage_(std::make_shared<Storage>(view.data.size())) {}

  Result<Packfile> run() {
    if (view_.objects.size() > options_.limits.max_objects)
      return fail(ErrorCode::LimitExceeded,
                  std::to_string(view_.objects.size()) + " objects are more than the limit allows");
    MARROW_CHECK(resolve_targets());
    body_start_ = has_node_ids() ? kNodeIdSize : 0;
    index_starts();
    index_opaque_fixups();
    for (const TypeFixup& each : view_.type_fixups) type_targets_.emplace(each.from, each.to);
    file_ = make_packfile(*view_.schema, view_.layout.pointer_size);
    file_.own_schema = view_.own_schema;
    file_.is_big_endian = view_.layout.is_big_endian;
    file_.reuses_padding = view_.layout.reuses_padding;
    file_.file_version = view_.file_version;
    file_.types = std::move(view_.types);
    keep_class_list();
    file_.user_tag = view_.user_tag;
    file_.flags = view_.flags;
    file_.has_node_ids = body_start_ > 0;
    file_.max_predicate = view_.max_predicate;
    if (has_predicates(view_.file_version)) file_.predicates = std::move(view_.predicates);
    file_.objects.resize(view_.objects.size());
    for (std::uint32_t i = 0; i < view_.objects.size(); ++i)
      if (!read_object(i)) {
        error_.path = "__data__.objects[" + std::to_string(i) + "]" + error_.path;
        return std::unexpected(std::move(error_));
      }
    if (view_.root_offset < view_.data.size()) file_.root.index = objects_.at(view_.root_offset);
    if (file_.root.is_null())
      return fail(ErrorCode::Malformed, "the contents do not start at an object", view_.data_start + view_.root_offset,
                  "header");
    count_unread_fixups();
    file_.padding = gaps_.padding();
    if (view_.class_name_padding) file_.padding.class_names = *view_.class_name_padding;
    if (options_.findings) report_wrong_float_offsets(file_, *options_.findings);
    return std::move(file_);
  }

 private:
  // The root's first member is an array, right at its start or after its number. An empty one has no pointer when it is
  // written, and tells nothing.
  bool has_node_ids() const {
    const std::uint32_t root = objects_.at(view_.root_offset < view_.data.size() ? view_.root_offset : 0);
    if (root == kNowhere || class_of(root).name != kRootClass || view_.layout.pointer_size != 8) return false;
    bool at_start = false, after_id = false;
    for (const auto& [from, to] : view_.local_fixups) {
      at_start |= from == view_.objects[root].object;
      after_id |= from == view_.objects[root].object + kNodeIdSize;
    }
    return after_id && !at_start && counts_items(view_.objects[root].object + kNodeIdSize);
  }

  bool counts_items(std::size_t array) const {
    const std::size_t count = array + view_.layout.pointer_size;
    return count + 4 <= view_.data.size() &&
           std::ranges::any_of(view_.data.subspan(count, 4), [](std::byte byte) { return byte != std::byte{0}; });
  }

  // A pointer leads to the start of an object: from here on to its number.
  Result<void> resolve_targets() {
    for (auto& [from, to] : view_.global_fixups) {
      const std::uint32_t object = objects_.at(to);
      if (object == kNowhere)
        return fail(
            ErrorCode::Malformed,
            "a pointer at " + std::to_string(from) + " leads to " + std::to_string(to) + ", where no object starts",
            view_.data_start + from, "__data__");
      to = object;
    }
    return {};
  }

  // A file is written with the classes of its objects in their order, and the signatures of the tables. One that lists
  // others, or that class descriptions refer to by the places of names, keeps its list.
  void keep_class_list() {
    const auto differs = [](const ClassName& each) { return each.type && each.type->signature != each.signature; };
    if (!view_.version->keeps_class_list && file_.types.empty() && std::ranges::none_of(view_.class_names, differs))
      return;
    for (const ClassName& each : view_.class_names)
      file_.class_list.push_back({std::string(each.name), each.signature});
  }

  // The fixups of objects that are kept as bytes, in file order, collected in one walk over the tables.
  void index_opaque_fixups() {
    for (std::uint32_t i = 0; i < view_.objects.size(); ++i)
      if (!class_of(i).type) opaque_fixups_[i];
    if (opaque_fixups_.empty()) return;
    const auto owner = [&](std::uint32_t from) {
      const auto next = std::ranges::upper_bound(view_.objects, from, {}, &VirtualFixup::object);
      return next == view_.objects.begin()
                 ? opaque_fixups_.end()
                 : opaque_fixups_.find(static_cast<std::uint32_t>(next - view_.objects.begin() - 1));
    };
    for (const auto& fixup : view_.local_fixups)
      if (const auto found = owner(fixup.first); found != opaque_fixups_.end()) found->second.locals.push_back(fixup);
    std::size_t next_type = 0;
    const auto take_types = [&](std::size_t globals) {
      for (; next_type < view_.type_fixups.size() && view_.type_fixups[next_type].before <= globals; ++next_type) {
        const auto& [before, from, to] = view_.type_fixups[next_type];
        if (const auto found = owner(from); found != opaque_fixups_.end())
          found->second.types.push_back({static_cast<std::uint32_t>(found->second.globals.size()), from, to});
      }
    };
    for (std::size_t i = 0; i < view_.global_fixups.size(); ++i) {
      take_types(i);
      const auto& [from, to] = view_.global_fixups[i];
      if (const auto found = owner(from); found != opaque_fixups_.end())
        found->second.globals.emplace_back(from, ObjectId{to});
    }
    take_types(view_.global_fixups.size());
  }

  const ClassName& class_of(std::uint32_t object) const { return view_.class_names[view_.objects[object].type]; }

  std::uint32_t file_offset(std::uint32_t at) const { return static_cast<std::uint32_t>(view_.data_start) + at; }

  bool refuse(ErrorCode code, std::string why, std::uint64_t at) {
    error_ = Error{code, std::move(why), view_.data_start + at, {}};
    return false;
  }

  void find(Level level, std::string code, std::string message, std::uint32_t object, std::uint64_t at) {
    if (!options_.findings) return;
    options_.findings->push_back({std::move(code), level, std::move(message),
                                  "object " + std::to_string(object) + " (" + std::string(class_of(object).name) +
                                      ") at offset " + std::to_string(view_.data_start + at),
                                  automatic_cure()});
  }

  bool read_object(std::uint32_t i) {
    const std::uint32_t start = view_.objects[i].object, offset = start + body_start_;
    const ClassName& name = class_of(i);
    Object& object = file_.objects[i];
    object_ = i;
    if (start % kAlignment != 0)
      find(Level::Error, "E_MISALIGNED_OBJECT",
           "the object does not start at a multiple of 16, which crashes the game; writing the file again corrects it",
           i, start);
    if (offset > view_.data.size()) return refuse(ErrorCode::Truncated, "the number of an object is cut off", start);
    if (body_start_ > 0) object.set_name(numbered_name(number<std::uint64_t>(start)));
    const Class* type = name.type;
    class_pointers_ = 0;
    if (name.known && !type && name.known->signature != name.signature)
      find(Level::Error, "E_SIGNATURE",
           "the class has signature " + hex_text(name.signature, 8) + ", its version of Havok has " +
               hex_text(name.known->signature, 8) +
               "; the file was made for another version, and the object is kept as bytes",
           i, offset);
    const std::size_t next = i + 1 < view_.objects.size() ? view_.objects[i + 1].object : view_.data.size();
    if (next < offset) return refuse(ErrorCode::Malformed, "an object starts inside the number of another", start);
    if (!type) return read_opaque(object, name, offset, next);
    if (std::uint64_t{offset} + type->layout.file_size[layout_] > view_.data.size())
      return refuse(ErrorCode::Truncated, "a " + type->name + " does not fit into the data", offset);
    if (!spend(type->layout.pod_size + type->layout.ref_count * sizeof(Ref), offset)) return false;
    const Storage::Block block = Storage::place_object(storage_, object, *type, file_offset(offset));
    if (!read_values(type->layout, block, 1, offset, 0)) return false;
    note_gap(GapKind::Body, offset + type->layout.file_size[layout_]);
    return true;
  }

  bool read_opaque(Object& object, const ClassName& name, std::uint32_t begin, std::size_t end) {
    Opaque opaque;
    opaque.class_name = name.name;
    opaque.signature = name.signature;
    const auto chunk = view_.data.subspan(begin, end - begin);
    if (!spend(chunk.size(), begin)) return false;
    opaque.bytes.assign(chunk.begin(), chunk.end());
    const auto [locals, globals, types] = std::move(opaque_fixups_[object_]);
    for (const auto& [from, to] : locals) {
      if (to < begin || to >= end)
        return refuse(ErrorCode::Malformed, "a fixup leads out of an object of unknown class", from);
      opaque.local_fixups.emplace_back(from - begin, to - begin);
    }
    for (const auto& [from, to] : globals) opaque.global_fixups.emplace_back(from - begin, to);
    for (const auto& [before, from, to] : types) opaque.type_fixups.push_back({before, from - begin, to});
    used_local_ += locals.size();
    used_global_ += globals.size();
    used_types_ += types.size();
    object.set_opaque(std::move(opaque));
    return true;
  }

  // Reads consecutive values from `at`; the caller has checked that they are inside the data.
  bool read_values(const Element& element, const Storage::Block& block, std::uint32_t count, std::uint32_t at,
                   std::uint32_t depth) {
    if (depth > options_.limits.max_depth) return refuse(ErrorCode::LimitExceeded, "arrays are nested too deep", at);
    const std::uint32_t stride = element.file_size[layout_];
    for (std::uint32_t i = 0; i < count; ++i) {
      std::byte* pods = block.pods + std::size_t{i} * element.pod_size;
      Ref* refs = block.refs + std::size_t{i} * element.ref_count;
      for (const Step& step : element.steps[layout_]) {
        if (read_step(step, at + i * stride, pods, refs, depth)) continue;
        std::string place = step.member ? "." + step.member->name : std::string();
        if (depth > 0) place = "[" + std::to_string(i) + "]" + place;
        error_.path = place + error_.path;
        return false;
      }
    }
    return true;
  }

  bool read_step(const Step& step, std::uint32_t base, std::byte* pods, Ref* refs, std::uint32_t depth) {
    const std::uint32_t at = base + step.file_offset;
    switch (step.kind) {
      case Step::Kind::Copy: std::memcpy(pods + step.pod_offset, view_.data.data() + at, step.size); return true;
      case Step::Kind::Turn2:
      case Step::Kind::Turn4:
      case Step::Kind::Turn8:
        copy_numbers(step.kind, pods + step.pod_offset, view_.data.data() + at, step.size);
        return true;
      case Step::Kind::ULong: {
        const std::uint64_t value =
            view_.layout.pointer_size == 8 ? number<std::uint64_t>(at) : number<std::uint32_t>(at);
        std::memcpy(pods + step.pod_offset, &value, sizeof value);
        return true;
      }
      case Step::Kind::Text: return read_text(refs[step.ref], at);
      case Step::Kind::Pointer: {
        const std::uint32_t target = globals_.find(at);
        if (target == kNowhere) return true;
        refs[step.ref].set_pointer({target});
        ++used_global_;
        return true;
      }
      case Step::Kind::Array:
      case Step::Kind::SimpleArray: {
        const std::uint32_t count = number<std::uint32_t>(at + view_.layout.pointer_size);
        const std::uint32_t to = count > 0 ? follow(at) : 0;
        if (to == kNowhere)
          return refuse(ErrorCode::Malformed, std::to_string(count) + " elements are declared, but have no data", at);
        return read_array(*step.element, refs[step.ref].array(), count, to, at, depth);
      }
      case Step::Kind::RelArray: {
        const std::uint16_t count = number<std::uint16_t>(at), distance = number<std::uint16_t>(at + 2);
        Array& array = refs[step.ref].array();
        const std::uint32_t fitting = fitting_vectors(*step.element, count, at + distance);
        if (!read_array(*step.element, array, fitting, at + distance, at, depth)) return false;
        return fitting == count || repeat_last(*step.element, array, count, *step.member, at);
      }
      case Step::Kind::IgnoredArray: return true;
      case Step::Kind::IgnoredClass: keep_class_pointer(at); return true;
      case Step::Kind::IgnoredText:
        // Files with node ids have an empty text here; there is nothing to keep.
        if (const std::uint32_t to = locals_.find(at); to != kNowhere && view_.data[to] == std::byte{0}) ++used_local_;
        return true;
    }
    return true;
  }

  // Reads a number of the data in the byte order of the file.
  template <class T>
  T number(std::uint32_t at) const {
    const T value = load<T>(view_.data, at);
    return view_.layout.is_big_endian ? std::byteswap(value) : value;
  }

  // A pointer to the description of a class is kept beside the object.
  void keep_class_pointer(std::uint32_t at) {
    const std::uint32_t ordinal = class_pointers_++;
    const auto found = type_targets_.find(at);
    if (found == type_targets_.end()) return;
    file_.types.pointers.push_back({{object_}, ordinal, found->second});
    ++used_types_;
  }

  std::uint32_t follow(std::uint32_t at) {
    const std::uint32_t to = locals_.find(at);
    if (to != kNowhere) ++used_local_;
    return to;
  }

  bool read_text(Ref& ref, std::uint32_t at) {
    const std::uint32_t to = follow(at);
    if (to == kNowhere) return true;
    const std::string_view rest = as_text(view_.data.subspan(to));
    const std::size_t length = rest.find('\0');
    if (length == std::string_view::npos) return refuse(ErrorCode::Truncated, "a string has no end", to);
    if (!spend(length, to)) return false;
    if (to % 2 != 0 && view_.version->string_list_alignment == 2)
      find(Level::Error, "E_ODD_STRING",
           "the string \"" + std::string(rest.substr(0, std::min<std::size_t>(length, 40))) +
               "\" starts at an odd offset, which crashes the game when the animation stops; rewrite the file with "
               "convert",
           object_, to);
    storage_->place_text(ref, rest.substr(0, length));
    note_gap(GapKind::String, to + length + 1);
    return true;
  }

  bool read_array(const Element& element, Array& array, std::uint32_t count, std::uint32_t to, std::uint32_t slot,
                  std::uint32_t depth) {
    if (count == 0) return true;
    const std::uint64_t size = std::uint64_t{count} * element.file_size[layout_];
    if (to + size > view_.data.size())
      return refuse(ErrorCode::Truncated,
                    std::to_string(count) + " elements of " + std::to_string(element.file_size[layout_]) +
                        " bytes do not fit into the data",
                    slot);
    // An empty record costs time, even if no memory.
    if (!spend(std::uint64_t{count} * std::max<std::uint64_t>(1, element.pod_size + element.ref_count * sizeof(Ref)),
               slot))
      return false;
    mark_start(to);
    note_gap(GapKind::Array, to + size);
    if (element.is_plain(layout_)) {
      storage_->place_pods(array, element, view_.data.subspan(to, size), file_offset(to));
      return true;
    }
    if (const Step* step = element.turned(layout_)) {
      const Storage::Block block = storage_->place(array, element, count, file_offset(to));
      copy_numbers(step->kind, block.pods, view_.data.data() + to, size);
      return true;
    }
    return read_values(element, storage_->place(array, element, count, file_offset(to)), count, to, depth + 1);
  }

  // Returns how many of the vectors after an object lie inside the data, if at least one does. Havok pads such arrays
  // with copies of the last vector, and tools write files that end before the copies. Other arrays must be complete.
  std::uint32_t fitting_vectors(const Element& element, std::uint32_t count, std::uint64_t to) const {
    if (element.kind != Kind::Vector4 || to >= view_.data.size()) return count;
    const auto room = static_cast<std::uint32_t>((view_.data.size() - to) / element.file_size[layout_]);
    return room == 0 ? count : std::min(count, room);
  }

  bool repeat_last(const Element& element, Array& array, std::uint32_t count, const Member& member, std::uint32_t at) {
    find(Level::Error, "E_ARRAY_CUT",
         "'" + member.name + "' has " + std::to_string(count) + " vectors and the file ends after " +
             std::to_string(array.count()) +
             "; the game reads what follows in memory; writing the file again corrects it",
         object_, at);
    file_.cut.push_back({object_});
    if (!spend(std::uint64_t{count} * element.pod_size, at)) return false;
    const std::span<const std::byte> pods = array.pods(), last = pods.last(element.pod_size);
    std::vector<std::byte> all(pods.begin(), pods.end());
    while (all.size() < std::size_t{count} * element.pod_size) all.insert(all.end(), last.begin(), last.end());
    storage_->place_pods(array, element, all, array.source_offset());
    return true;
  }

  // Many arrays may point at the same bytes; their total size in memory is limited.
  bool spend(std::uint64_t bytes, std::uint64_t at) {
    if (!options_.limits.charge(bytes))
      return refuse(ErrorCode::LimitExceeded, "the objects take more memory than the limit allows", at);
    return true;
  }

  // The starts of objects, strings and array elements, a bit for each byte: a gap ends there at the latest.
  void index_starts() {
    starts_.assign(view_.data.size() / 64 + 2, 0);
    for (const VirtualFixup& object : view_.objects) mark_start(object.object);
    for (const auto& [from, to] : view_.local_fixups) mark_start(to);
  }

  void mark_start(std::size_t at) { starts_[at / 64] |= std::uint64_t{1} << at % 64; }

  // Bytes from `end` to the next multiple of 16 that belong to nothing.
  void note_gap(GapKind kind, std::uint64_t end) {
    const std::size_t limit = std::min<std::size_t>(align_up(end, kAlignment), view_.data.size());
    if (end >= limit) return;
    // A gap is shorter than 16 bytes and ends at a multiple of 16: its bits lie in one word.
    const std::uint64_t bits = starts_[end / 64] >> end % 64;
    const std::size_t length = std::min<std::size_t>(limit - end, static_cast<std::size_t>(std::countr_zero(bits)));
    if (length > 0) gaps_.note(kind, view_.data.subspan(end, length));
  }

  void count_unread_fixups() {
    const auto left = [](std::size_t all, std::size_t used) { return all - std::min(used, all); };
    file_.unread_fixups = static_cast<std::uint32_t>(left(view_.local_fixups.size(), used_local_) +
                                                     left(view_.global_fixups.size(), used_global_) +
                                                     left(view_.type_fixups.size(), used_types_));
    if (!options_.findings || file_.unread_fixups == 0) return;
    options_.findings->push_back(
        {"W_UNUSED_FIXUP", Level::Warning,
         std::to_string(file_.unread_fixups) +
             " fixups belong to no field that their class has; they are dropped when the file is written",
         "__data__", automatic_cure()});
  }

  ContainerView& view_;
  const ReadOptions& options_;
  std::size_t layout_;
  Packfile file_;
  Error error_;
  std::uint32_t object_ = 0;
  std::uint32_t body_start_ = 0;  // of an object, after its number
  GapVotes gaps_;
  std::vector<std::uint64_t> starts_;
  struct OpaqueFixups {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> locals;
    std::vector<std::pair<std::uint32_t, ObjectId>> globals;
    std::vector<TypeFixup> types;
  };
  std::unordered_map<std::uint32_t, OpaqueFixups> opaque_fixups_;  // by object
  std::unordered_map<std::uint32_t, std::uint32_t> type_targets_;  // slots that lead to class descriptions
  ObjectIndex objects_;
  FixupIndex locals_, globals_;  // globals lead to the numbers of objects
  std::shared_ptr<Storage> storage_;
  std::size_t used_local_ = 0, used_global_ = 0, used_types_ = 0;
  std::uint32_t class_pointers_ = 0;  // of the object, so far
};

}  // namespace

Result<Packfile> read_packfile(std::span<const std::byte> bytes, const ReadOptions& options) {
  if (bytes.size() > options.limits.max_file_bytes)
    return fail(ErrorCode::LimitExceeded, "the file is larger than the limit allows");
  const ReadOptions& own = counted(options);
  MARROW_TRY(ContainerView view, read_container(bytes, &own.limits));
  if (!view.own_schema) return ObjectReader(view, own).run();
  // What a file says of its classes is believed if the file comes back from it; else their objects are kept as bytes.
  Findings findings;
  ReadOptions trial = own;
  if (own.findings) trial.findings = &findings;
  auto file = ObjectReader(view, trial).run();
  const auto written = file ? write_packfile(*file) : Result<std::vector<std::byte>>{};
  if (file && written && std::ranges::equal(*written, bytes)) {
    if (own.findings) own.findings->append(std::move(findings));
    return file;
  }
  MARROW_TRY(ContainerView plain, read_container(bytes, nullptr));
  return ObjectReader(plain, own).run();
}

}  // namespace marrow::havok
