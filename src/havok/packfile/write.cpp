// SPDX-License-Identifier: MIT
// Writes objects to a packfile, in the order and with the padding of Havok's own writer (docs/formats/packfile.md).
#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <map>
#include <string>

#include "core/byte_writer.h"
#include "core/large_pages.h"
#include "core/try.h"
#include "havok/animation/float_offsets.h"
#include "havok/object/version.h"
#include "havok/packfile/class_name_table.h"
#include "havok/packfile/file_order.h"
#include "havok/packfile/format.h"
#include "havok/packfile/node_numbers.h"
#include "havok/packfile/packfile.h"
#include "havok/packfile/turn.h"
#include "havok/packfile/write_head.h"

namespace marrow::havok {
namespace {

class ObjectWriter {
 public:
  explicit ObjectWriter(const Packfile& file)
      : file_(file),
        version_(version_of(*file.schema)),
        layout_(file.layout().index()),
        names_(file),
        names_start_(kHeaderSize + (has_predicates(file.file_version) ? file.predicates.size() : 0) +
                     kSectionCount * section_header_size(file.file_version)),
        types_start_(names_start_ + names_.size()),
        data_start_(types_start_ + file.types.bytes.size()),
        starts_(file.objects.size()) {
    for (const auto& [from, ordinal, to] : file.types.pointers)
      class_targets_.emplace(std::pair{from.index, ordinal}, to);
  }

  Result<std::vector<std::byte>> run() {
    if (file_.root.index >= file_.objects.size())
      return fail(ErrorCode::InvalidArgument, "the file has no root object");
    MARROW_CHECK(prepare_layout());
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
  // Classes are laid out for the games' layouts; for another one they are now.
  Result<void> prepare_layout() {
    if (layout_ < kUsualLayoutCount) return {};
    const Class* last = nullptr;
    for (std::uint32_t i = 0; i < file_.objects.size(); ++i) {
      const Class* type = file_.objects[i].type;
      if (type == last || !type) continue;
      last = type;
      if (file_.schema->find(type->name, file_.layout()) != type)
        return fail(ErrorCode::Unrepresentable, "class " + type->name + " cannot be written in this layout", kNoOffset,
                    path_of({i}));
    }
    return {};
  }

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
    class_pointers_ = 0;
    pad();
    starts_[id.index] = position();
    virtuals_.push_back({position(), kClassNames, names_.add(object)});
    if (file_.has_node_ids) out_.u64(in_file(node_ids_[id.index]));
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
    std::size_t next_type = 0;
    const auto add_types = [&](std::size_t globals) {
      for (; next_type < opaque.type_fixups.size() && opaque.type_fixups[next_type].before <= globals; ++next_type) {
        check_slot(opaque, opaque.type_fixups[next_type].from);
        add_type_pointer(at + opaque.type_fixups[next_type].from, opaque.type_fixups[next_type].to);
      }
    };
    for (std::size_t i = 0; i < opaque.global_fixups.size(); ++i) {
      add_types(i);
      const auto& [from, to] = opaque.global_fixups[i];
      check_slot(opaque, from);
      if (!to.is_null()) add_pointer(at + from, to);
    }
    add_types(opaque.global_fixups.size());
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

  // Returns a number in the byte order of the file.
  template <class T>
  T in_file(T value) const {
    return file_.is_big_endian ? std::byteswap(value) : value;
  }

  template <class T>
  void patch(std::uint32_t at, T value) {
    out_.patch(data_start_ + at, in_file(value));
  }

  // The fill byte of a gap depends on what precedes it.
  void pad(std::size_t alignment = kAlignment) { pad_with(fill_, alignment); }
  void pad_with(std::uint8_t value, std::size_t alignment = kAlignment) {
    out_.fill(align_up(position(), alignment) - position(), value);
  }

  // Writes the values themselves, with array headers; what those point to follows later.
  void write_bodies(const Element& element, const Array& array) {
    if (element.is_plain(layout_)) return out_.bytes(array.pods());
    if (const Step* step = element.turned(layout_)) {
      const std::size_t at = out_.size();
      out_.fill(array.pods().size());
      return copy_numbers(step->kind, out_.view().data() + at, array.pods().data(), array.pods().size());
    }
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
      case Step::Kind::Turn2:
      case Step::Kind::Turn4:
      case Step::Kind::Turn8:
        copy_numbers(step.kind, out_.view().data() + data_start_ + at, pods.data() + step.pod_offset, step.size);
        break;
      case Step::Kind::ULong: write_ulong(at, load<std::uint64_t>(pods, step.pod_offset)); break;
      case Step::Kind::Array:
      case Step::Kind::SimpleArray: {
        const std::uint32_t count = refs[step.ref].array().count();
        patch(at + file_.pointer_size, count);
        if (step.kind == Step::Kind::Array) patch(at + file_.pointer_size + 4, count | version_.array_flags);
        break;
      }
      case Step::Kind::IgnoredArray: patch(at + file_.pointer_size + 4, version_.array_flags); break;
      case Step::Kind::IgnoredText:
      case Step::Kind::IgnoredClass:
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
        } else if (step.kind == Step::Kind::IgnoredClass) {
          write_class_pointer(slot);
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

  void add_type_pointer(std::uint32_t slot, std::uint32_t to) {
    type_pointers_.push_back({static_cast<std::uint32_t>(globals_.size()), slot, to});
  }

  void write_class_pointer(std::uint32_t slot) {
    const std::uint32_t ordinal = class_pointers_++;
    const auto found = class_targets_.find({object_.index, ordinal});
    if (found != class_targets_.end())
      add_type_pointer(slot, found->second);
    else if (version_.marks_null_classes)
      ++null_classes_;
  }

  void write_array(const Element& element, const Array& array, std::uint32_t slot, int depth) {
    if (array.count() == 0) return;
    pad();
    const std::uint32_t at = position();
    locals_.push_back({slot, at});
    write_elements(element, array);
    if (element.kind == Kind::Text) {
      for (std::uint32_t i = 0; i < array.count(); ++i)
        write_text(array.refs()[i], at + i * file_.pointer_size, version_.string_list_alignment);
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
    constexpr std::size_t kRow = sizeof(std::array<std::uint32_t, 3>);
    out_.fill((globals_.size() + type_pointers_.size()) * kRow);
    const auto add = [&](std::uint32_t from, std::uint32_t section, std::uint32_t to) {
      patch(row_at, from);
      patch(row_at + 4, section);
      patch(row_at + 8, to);
      row_at += kRow;
    };
    std::size_t next_type = 0;
    const auto add_types = [&](std::size_t globals) {
      for (; next_type < type_pointers_.size() && type_pointers_[next_type].before <= globals; ++next_type)
        add(type_pointers_[next_type].from, kTypes, type_pointers_[next_type].to);
    };
    for (std::size_t i = 0; i < globals_.size(); ++i) {
      add_types(i);
      add(globals_[i].first, kData, starts_[globals_[i].second.index]);
    }
    add_types(globals_.size());
    out_.fill(null_classes_ * kRow, 0xFF);
    pad_with(0xFF);
    return at;
  }

  template <class Row>
  std::uint32_t write_table(const std::vector<Row>& rows) {
    const std::uint32_t at = position();
    out_.bytes(std::as_bytes(std::span(rows)));
    if (file_.is_big_endian) turn<std::uint32_t>(out_.view().subspan(data_start_ + at));
    pad_with(0xFF);
    return at;
  }

  // Writes what precedes the data section into the room that was left for it.
  void write_head(const DataTables& tables) {
    const auto length = static_cast<std::uint32_t>(names_.size());
    const auto names_start = static_cast<std::uint32_t>(names_start_), types_start = names_start + length,
               data_start = static_cast<std::uint32_t>(data_start_);
    ByteWriter head;
    head.reserve(data_start_);
    HeadWriter writer(file_, head);
    writer.header(starts_[file_.root.index], names_.add(file_.at(file_.root)));
    writer.section(kClassNames, names_start, {length, length, length, length, length, length});
    writer.section(kTypes, types_start, file_.types.offsets);
    writer.section(kData, data_start,
                   {tables.local, tables.global, tables.virtuals, tables.end, tables.end, tables.end});
    head.bytes(names_.finish());
    head.bytes(file_.types.bytes);
    assert(head.size() == data_start_);
    std::ranges::copy(head.view(), out_.view().begin());
  }

  const Packfile& file_;
  const HavokVersion& version_;
  std::size_t layout_;
  ClassNameTable names_;
  std::size_t names_start_, types_start_, data_start_;
  ByteWriter out_;
  std::uint8_t fill_ = 0;  // of the next gap
  ObjectId object_;
  std::vector<std::uint32_t> starts_;                   // by object
  std::vector<std::uint64_t> node_ids_;                 // by object, if the file has them
  std::vector<std::array<std::uint32_t, 2>> locals_;    // from, to
  std::vector<Pointer> globals_;                        // the pointers of all objects, in file order
  std::vector<std::array<std::uint32_t, 3>> virtuals_;  // object, section, class name
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> class_targets_;  // by object and ordinal
  std::vector<TypeFixup> type_pointers_;  // pointers to class descriptions, among those of `globals_`
  std::uint32_t class_pointers_ = 0;      // of the object, so far
  std::size_t null_classes_ = 0;
  Result<void> status_;
};

}  // namespace

Result<std::vector<std::byte>> write_packfile(const Packfile& file) {
  if (file.tag_types)
    return fail(ErrorCode::WrongKind,
                "a tagfile of " + file.schema->version() + " cannot become a packfile of that version; name the game");
  const std::vector<WrongFloatOffsets> wrong = find_wrong_float_offsets(file);
  if (wrong.empty()) return ObjectWriter(file).run();
  Packfile mended = file;
  for (const auto& [id, right] : wrong) mended.at(id).fields().set_numbers<std::uint32_t>("floatBlockOffsets", right);
  return ObjectWriter(mended).run();
}

}  // namespace marrow::havok
