// SPDX-License-Identifier: MIT
// Writes objects to a packfile, in the order and with the padding of Havok's own writer (docs/formats/packfile.md).
#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <string>

#include "core/large_pages.h"
#include "core/try.h"
#include "havok/animation/float_offsets.h"
#include "havok/object/version.h"
#include "havok/packfile/class_name_table.h"
#include "havok/packfile/format.h"
#include "havok/packfile/node_numbers.h"
#include "marrow/core/byte_writer.h"
#include "marrow/havok/packfile/packfile.h"

namespace marrow::havok {
namespace {

using Pointer = std::pair<std::uint32_t, ObjectId>;  // a slot and what it leads to

// Visits the objects in file order: depth first from the root, in the order of each object's pointers, then unreachable
// ones. `visit` appends the pointers of an object to `pointers`. In files with node ids (`claims`) an object belongs to
// the first that lists it, though another may be visited earlier.
template <class Visit>
void walk_objects(const Packfile& file, const std::vector<Pointer>& pointers, bool claims, Visit visit) {
  std::vector<bool> seen(file.objects.size());
  std::vector<bool> claimed(file.objects.size());
  struct Range {
    std::size_t next, end;
    std::vector<ObjectId> own = {};  // of `claims`
  };
  std::vector<Range> stack;
  const auto enter = [&](ObjectId id) {
    if (id.index >= seen.size() || seen[id.index]) return;
    seen[id.index] = true;
    const std::size_t first = pointers.size();
    visit(id);
    if (pointers.size() == first) return;
    stack.push_back({first, pointers.size()});
    if (!claims) return;
    Range& top = stack.back();
    for (std::size_t i = first; i < pointers.size(); ++i) {
      const ObjectId target = pointers[i].second;
      if (target.index >= claimed.size() || claimed[target.index]) continue;
      claimed[target.index] = true;
      top.own.push_back(target);
    }
    top.next = 0;
    top.end = top.own.size();
    if (top.end == 0) stack.pop_back();
  };
  const auto walk_from = [&](ObjectId id) {
    if (id.index < claimed.size()) claimed[id.index] = true;
    enter(id);
    while (!stack.empty()) {
      Range& top = stack.back();
      const std::size_t place = top.next++;
      const ObjectId next = claims ? top.own[place] : pointers[place].second;
      if (top.next == top.end) stack.pop_back();
      enter(next);
    }
  };
  walk_from(file.root);
  for (std::uint32_t i = 0; i < file.objects.size(); ++i) walk_from({i});
}

class ObjectWriter {
 public:
  explicit ObjectWriter(const Packfile& file)
      : file_(file),
        version_(version_of(*file.schema)),
        layout_(layout_index(file.pointer_size)),
        names_(file),
        names_start_(kHeaderSize + (version_.has_predicates ? file.predicates.size() : 0) +
                     kSectionCount * version_.section_header_size),
        data_start_(names_start_ + names_.size()),
        starts_(file.objects.size()) {}

  Result<std::vector<std::byte>> run() {
    if (file_.root.index >= file_.objects.size())
      return fail(ErrorCode::InvalidArgument, "the file has no root object");
    reserve();
    out_.fill(data_start_);  // what goes there is known at the end
    if (file_.has_node_ids) {
      if (file_.pointer_size != 8)
        return fail(ErrorCode::Unrepresentable, "packfiles with node ids have 64-bit pointers; write it for Skyrim SE");
      MARROW_TRY(node_ids_, node_ids(file_));
    }
    walk_objects(file_, globals_, file_.has_node_ids, [this](ObjectId id) { write_object(id); });
    if (!status_) return std::unexpected(status_.error());
    write_head(write_tables());
    return out_.take();
  }

 private:
  void refuse(ErrorCode code, std::string why, ObjectId id) {
    if (status_)
      status_ = fail(code, std::move(why), kNoOffset,
                     "objects[" + std::to_string(id.index) + "] " + std::string(file_.at(id).class_name()));
  }

  // Bodies and what they refer to are nearly all of a file; more room is found as it is needed.
  void reserve() {
    constexpr std::size_t kPadding = 2 * kAlignment, kLocal = 8, kGlobal = 12, kVirtual = 12;
    std::size_t size = 0, locals = 0, globals = 0;
    for (const Object& object : file_.objects) {
      size += kPadding + (object.type ? object.type->layout.file_size[layout_] : object.opaque().bytes.size());
      for (const Ref& ref : object.body().refs()) {
        if (ref.is_null()) continue;
        if (const auto text = ref.text()) {
          size += text->size() + kAlignment;
          ++locals;
        } else if (ref.is_array()) {
          const std::size_t inner = ref.array().refs().size();
          size += ref.array().pods().size() + (inner + 1) * kAlignment;
          ++locals;
          globals += inner;
        } else {
          ++globals;
        }
      }
    }
    locals_.reserve(locals);
    globals_.reserve(globals);
    virtuals_.reserve(file_.objects.size());
    size += data_start_ + locals * kLocal + globals * kGlobal + file_.objects.size() * kVirtual;
    out_.reserve(size);
    use_large_pages(out_.view().data(), size);
  }

  void write_object(ObjectId id) {
    const Object& object = file_.at(id);
    object_ = id;
    pad();
    starts_[id.index] = position();
    virtuals_.push_back({position(), kClassNames, names_.add(object)});
    if (file_.has_node_ids) out_.u64(node_ids_[id.index]);
    if (object.type)
      write_known(object);
    else
      write_opaque(object.opaque());
  }

  void write_known(const Object& object) {
    const Element& element = object.type->layout;
    const std::uint32_t at = position();
    write_bodies(element, object.body());
    fill_ = file_.padding.bodies;
    pad();
    write_inline_arrays(element, object.body(), at);
    write_payloads(element, object.body(), at, 0);
  }

  void write_opaque(const Opaque& opaque) {
    const std::uint32_t at = position();
    out_.bytes(opaque.bytes);
    fill_ = file_.padding.bodies;
    for (const auto& [from, to] : opaque.local_fixups) {
      check_slot(opaque, from);
      locals_.push_back({at + from, at + to});
    }
    for (const auto& [from, to] : opaque.global_fixups) {
      check_slot(opaque, from);
      if (!to.is_null()) add_pointer(at + from, to);
    }
  }

  // A damaged file may start an object in the middle of a word, or end it in the middle of a pointer.
  void check_slot(const Opaque& opaque, std::uint32_t from) {
    if (from % 4 != 0 || from + file_.pointer_size > opaque.bytes.size())
      refuse(
          ErrorCode::InvalidArgument,
          "the object is of an unknown class and has a pointer at byte " + std::to_string(from) + ", where none can be",
          object_);
  }

  // Positions are those in the data section.
  std::uint32_t position() const { return static_cast<std::uint32_t>(out_.size() - data_start_); }

  template <class T>
  void patch(std::uint32_t at, T value) {
    out_.patch(data_start_ + at, value);
  }

  // The fill byte of a gap depends on what precedes it.
  void pad(std::size_t alignment = kAlignment) { pad_with(fill_, alignment); }
  void pad_with(std::uint8_t value, std::size_t alignment = kAlignment) {
    out_.fill(align_up(position(), alignment) - position(), value);
  }

  // Writes the values themselves, with array headers; what those point to follows later.
  void write_bodies(const Element& element, const Array& array) {
    if (element.is_plain(layout_)) return out_.bytes(array.pods());
    const std::uint32_t stride = element.file_size[layout_];
    for (std::uint32_t i = 0; i < array.count(); ++i) {
      const std::uint32_t at = position();
      out_.fill(stride);
      for (const Step& step : element.steps[layout_])
        write_step(step, at + step.file_offset, array.pods().subspan(std::size_t{i} * element.pod_size),
                   array.refs().data() + std::size_t{i} * element.ref_count);
    }
  }

  void write_step(const Step& step, std::uint32_t at, std::span<const std::byte> pods, const Ref* refs) {
    switch (step.kind) {
      case Step::Kind::Copy:
        std::memcpy(out_.view().data() + data_start_ + at, pods.data() + step.pod_offset, step.size);
        break;
      case Step::Kind::ULong: write_ulong(at, load<std::uint64_t>(pods, step.pod_offset)); break;
      case Step::Kind::Array:
      case Step::Kind::SimpleArray: {
        const std::uint32_t count = refs[step.ref].array().count();
        patch(at + file_.pointer_size, count);
        if (step.kind == Step::Kind::Array) patch(at + file_.pointer_size + 4, count | kNotOwned);
        break;
      }
      case Step::Kind::IgnoredArray: patch(at + file_.pointer_size + 4, kNotOwned); break;
      case Step::Kind::IgnoredText:
      case Step::Kind::Text:
      case Step::Kind::Pointer:
      case Step::Kind::RelArray: break;
    }
  }

  void write_ulong(std::uint32_t at, std::uint64_t value) {
    if (file_.pointer_size == 8) return patch(at, value);
    if (value > UINT32_MAX)
      refuse(ErrorCode::Unrepresentable, "a number of 64 bits does not fit into a file of 32", object_);
    patch(at, static_cast<std::uint32_t>(value));
  }

  // Writes the data of arrays with a 16-bit offset, right after the body.
  void write_inline_arrays(const Element& element, const Array& body, std::uint32_t at) {
    for (const Step& step : element.steps[layout_]) {
      if (step.kind != Step::Kind::RelArray) continue;
      const Array& array = body.refs()[step.ref].array();
      const std::uint32_t slot = at + step.file_offset, distance = position() - slot;
      if (array.count() > UINT16_MAX || distance > UINT16_MAX)
        refuse(ErrorCode::Unrepresentable, "its inline arrays reach past 64 KiB, more than the format can address",
               object_);
      patch(slot, static_cast<std::uint16_t>(array.count()));
      patch(slot + 2, static_cast<std::uint16_t>(distance));
      write_elements(*step.element, array);
      pad();
    }
  }

  void write_elements(const Element& element, const Array& array) {
    write_bodies(element, array);
    if (array.count() > 0) fill_ = file_.padding.arrays;
  }

  // Writes what values point to, in member order, one value after another. `depth` is the number of enclosing arrays.
  void write_payloads(const Element& element, const Array& array, std::uint32_t at, int depth) {
    // Tools that number their objects list the pointers of all values before those of arrays in them.
    if (file_.has_node_ids) write_pointers(element, array, at);
    for (std::uint32_t i = 0; i < array.count(); ++i) {
      const std::uint32_t base = at + i * element.file_size[layout_];
      const Ref* refs = array.refs().data() + std::size_t{i} * element.ref_count;
      for (const Step& step : element.steps[layout_]) {
        const std::uint32_t slot = base + step.file_offset;
        if (step.kind == Step::Kind::Text) {
          write_text(refs[step.ref], slot, kAlignment);
        } else if (step.kind == Step::Kind::Pointer) {
          if (!file_.has_node_ids && !refs[step.ref].is_null()) add_pointer(slot, refs[step.ref].pointer());
        } else if (step.kind == Step::Kind::IgnoredText) {
          if (file_.has_node_ids) write_text("", slot, kAlignment);
        } else if (step.element && step.kind != Step::Kind::RelArray) {
          write_array(*step.element, refs[step.ref].array(), slot, depth);
        }
      }
    }
  }

  void write_pointers(const Element& element, const Array& array, std::uint32_t at) {
    for (std::uint32_t i = 0; i < array.count(); ++i)
      for (const Step& step : element.steps[layout_]) {
        const Ref* refs = array.refs().data() + std::size_t{i} * element.ref_count;
        if (step.kind == Step::Kind::Pointer && !refs[step.ref].is_null())
          add_pointer(at + i * element.file_size[layout_] + step.file_offset, refs[step.ref].pointer());
      }
  }

  void write_text(const Ref& ref, std::uint32_t slot, std::size_t alignment) {
    if (const auto text = ref.text()) return write_text(*text, slot, alignment);
    pad(alignment);  // Havok pads after every string, also after one that is not there
  }

  void write_text(std::string_view text, std::uint32_t slot, std::size_t alignment) {
    if (text.contains('\0')) refuse(ErrorCode::Unrepresentable, "a string contains a NUL", object_);
    locals_.push_back({slot, position()});
    out_.text(text);
    out_.u8(0);
    fill_ = file_.padding.strings;
    pad(alignment);
  }

  void add_pointer(std::uint32_t slot, ObjectId to) {
    if (to.index >= file_.objects.size())
      return refuse(ErrorCode::InvalidArgument, "a pointer leads to no object", object_);
    globals_.emplace_back(slot, to);
  }

  void write_array(const Element& element, const Array& array, std::uint32_t slot, int depth) {
    if (array.count() == 0) return;
    pad();
    const std::uint32_t at = position();
    locals_.push_back({slot, at});
    write_elements(element, array);
    if (element.kind == Kind::Text) {
      for (std::uint32_t i = 0; i < array.count(); ++i) write_text(array.refs()[i], at + i * file_.pointer_size, 2);
    } else {
      // Havok pads the records of an array before what they point to, except those of an object's own array.
      if (element.kind != Kind::Record || depth > 0) pad();
      if (element.ref_count > 0) write_payloads(element, array, at, depth + 1);
    }
    pad();
  }

  struct DataTables {
    std::uint32_t local, global, virtuals, end;
  };

  // Writes the three fixup tables after the objects; each is padded with FF.
  DataTables write_tables() {
    pad();
    const std::uint32_t local = write_table(locals_);
    const std::uint32_t global = write_globals();
    const std::uint32_t virtuals = write_table(virtuals_);
    return {local, global, virtuals, position()};
  }

  std::uint32_t write_globals() {
    const std::uint32_t at = position();
    std::uint32_t row_at = at;
    out_.fill(globals_.size() * sizeof(std::array<std::uint32_t, 3>));
    for (const auto& [from, to] : globals_) {
      patch(row_at, from);
      patch(row_at + 4, std::uint32_t{kData});
      patch(row_at + 8, starts_[to.index]);
      row_at += 12;
    }
    pad_with(0xFF);
    return at;
  }

  template <class Row>
  std::uint32_t write_table(const std::vector<Row>& rows) {
    const std::uint32_t at = position();
    out_.bytes(std::as_bytes(std::span(rows)));
    pad_with(0xFF);
    return at;
  }

  // Writes what precedes the data section into the room that was left for it.
  void write_head(const DataTables& tables) {
    const auto length = static_cast<std::uint32_t>(names_.size());
    const auto names_start = static_cast<std::uint32_t>(names_start_), data_start = names_start + length;
    ByteWriter head;
    head.reserve(data_start_);
    write_header(head, names_.add(file_.at(file_.root)));
    write_section(head, kClassNames, {names_start, length, length, length, length});
    write_section(head, kTypes, {data_start, 0, 0, 0, 0});
    write_section(head, kData, {data_start, tables.local, tables.global, tables.virtuals, tables.end});
    head.bytes(names_.finish());
    assert(head.size() == data_start_);
    std::ranges::copy(head.view(), out_.view().begin());
  }

  void write_header(ByteWriter& out, std::uint32_t root_class_name) const {
    out.u32(kMagic0);
    out.u32(kMagic1);
    out.i32(file_.user_tag);
    out.i32(version_.file_version);
    out.u8(static_cast<std::uint8_t>(file_.pointer_size));
    out.u8(1);  // little-endian
    out.u8(0);  // padding is not reused
    out.u8(1);  // empty bases take no space
    for (const std::uint32_t value : {std::uint32_t{kSectionCount}, std::uint32_t{kData}, starts_[file_.root.index],
                                      std::uint32_t{kClassNames}, root_class_name})
      out.u32(value);
    out.text(file_.schema->version());
    out.u8(0);
    out.pad_to(8, 0xFF);
    out.i32(file_.flags);
    out.u16(version_.has_predicates ? file_.max_predicate : 0xFFFF);
    out.u16(version_.has_predicates ? static_cast<std::uint16_t>(file_.predicates.size()) : 0xFFFF);
    if (version_.has_predicates) out.bytes(file_.predicates);
  }

  // `offsets`: start, local, global and virtual fixups, end. Nothing is exported or imported.
  void write_section(ByteWriter& out, Section section, std::array<std::uint32_t, 5> offsets) const {
    const auto [start, local, global, virtuals, end] = offsets;
    out.text(kSectionTags[section]);
    out.fill(kSectionTagSize - kSectionTags[section].size());
    out.u8(0xFF);
    for (const std::uint32_t value : {start, local, global, virtuals, end, end, end}) out.u32(value);
    out.fill(version_.section_header_size - kSectionFieldsSize, 0xFF);
  }

  const Packfile& file_;
  const HavokVersion& version_;
  std::size_t layout_;
  ClassNameTable names_;
  std::size_t names_start_, data_start_;
  ByteWriter out_;
  std::uint8_t fill_ = 0;  // of the next gap
  ObjectId object_;
  std::vector<std::uint32_t> starts_;                   // by object
  std::vector<std::uint64_t> node_ids_;                 // by object, if the file has them
  std::vector<std::array<std::uint32_t, 2>> locals_;    // from, to
  std::vector<Pointer> globals_;                        // the pointers of all objects, in file order
  std::vector<std::array<std::uint32_t, 3>> virtuals_;  // object, section, class name
  Result<void> status_;
};

}  // namespace

Result<std::vector<std::byte>> write_packfile(const Packfile& file) {
  const std::vector<WrongFloatOffsets> wrong = find_wrong_float_offsets(file);
  if (wrong.empty()) return ObjectWriter(file).run();
  Packfile mended = file;
  for (const auto& [id, right] : wrong) mended.at(id).fields().set_numbers<std::uint32_t>("floatBlockOffsets", right);
  return ObjectWriter(mended).run();
}

}  // namespace marrow::havok
