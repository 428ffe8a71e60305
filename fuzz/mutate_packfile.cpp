// SPDX-License-Identifier: MIT
// Mutates packfiles (docs/formats/packfile.md): fixups, class names, object fields and array counts change, and data is
// inserted or removed with every offset moved along. One mutation in eight is of bytes anywhere.
#include "mutate.h"

#include <string_view>
#include <vector>

using namespace marrow::fuzz;

namespace {

constexpr std::size_t kHeaderSize = 0x40, kTagSize = 20, kStep = 16;
constexpr std::uint32_t kNoRow = 0xFFFFFFFF;
constexpr std::string_view kFirstTag = "__classnames__", kSecondTag = "__types__";

/// Names of classes that other code reads than that of the class which has the name.
constexpr std::array<std::string_view, 12> kClasses = {"hkaSkeleton",
                                                       "hkaAnimationBinding",
                                                       "hkaAnimationContainer",
                                                       "hkaSplineCompressedAnimation",
                                                       "hkaInterleavedUncompressedAnimation",
                                                       "hkaDefaultAnimatedReferenceFrame",
                                                       "hkRootLevelContainer",
                                                       "hkMemoryResourceContainer",
                                                       "hknpPhysicsSystemData",
                                                       "hknpConvexPolytopeShape",
                                                       "hknpCapsuleShape",
                                                       "hknpDynamicCompoundShape"};

/// A table of fixups: rows of two or three words.
struct Table {
  std::size_t start = 0, end = 0, row_size = 8;
  std::size_t rows() const { return (end - start) / row_size; }
};

/// Where the parts of a packfile are. Everything lies inside the file, whatever the headers say.
class Layout {
 public:
  explicit Layout(Bytes file) : file_(file) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    const std::size_t first = text.find(kFirstTag, kHeaderSize), second = text.find(kSecondTag, first);
    if (second == text.npos) return;
    headers_ = first;
    stride_ = second - first;
    data_start_ = field(2, 0);
    const std::size_t classes = field(0, 0), classes_end = classes + field(0, 1);
    is_known_ = headers_ + 2 * stride_ + kTagSize + 28 <= file.size() && classes_end <= file.size();
    for (std::size_t i = 1; i <= 6; ++i) is_known_ &= std::size_t{data_start_} + field(2, i) <= file.size();
    for (std::size_t i = 1; i < 6; ++i) is_known_ &= field(2, i) <= field(2, i + 1);
    if (!is_known_) return;
    class_names_ = file.subspan(classes, classes_end - classes);
    data_ = file.subspan(data_start_, field(2, 1));
    tables_ = {Table{data_start_ + field(2, 1), data_start_ + field(2, 2), 8},
               Table{data_start_ + field(2, 2), data_start_ + field(2, 3), 12},
               Table{data_start_ + field(2, 3), data_start_ + field(2, 4), 12}};
  }

  bool is_known() const { return is_known_; }
  Bytes data() const { return data_; }
  Bytes class_names() const { return class_names_; }
  const std::array<Table, 3>& tables() const { return tables_; }
  std::size_t pointer_size() const { return file_[0x10] == 8 ? 8 : 4; }

  /// Adds `change` to the offsets of the data section from `first` on, and to those of fixups behind `from`.
  void shift(std::size_t first, std::size_t from, std::int64_t change) const {
    for (std::size_t i = first; i <= 6; ++i) add(at_field(2, i), change);
    if (first > 1) return;
    for (const Table& table : tables_)
      for (std::size_t row = table.start; row + table.row_size <= table.end; row += table.row_size) {
        if (word_at(file_, row) == kNoRow) continue;
        const bool is_virtual = &table == &tables_[2];
        if (word_at(file_, row) >= from) add(row, change);
        if (const std::size_t to = row + table.row_size - 4; !is_virtual && word_at(file_, to) >= from) add(to, change);
      }
  }

 private:
  std::size_t at_field(std::size_t section, std::size_t field) const {
    return headers_ + section * stride_ + kTagSize + 4 * field;
  }
  std::uint32_t field(std::size_t section, std::size_t field) const { return word_at(file_, at_field(section, field)); }
  void add(std::size_t at, std::int64_t change) const {
    set_word(file_, at, static_cast<std::uint32_t>(word_at(file_, at) + change));
  }

  Bytes file_, class_names_ = {}, data_ = {};
  std::size_t headers_ = 0, stride_ = 0;
  std::uint32_t data_start_ = 0;
  std::array<Table, 3> tables_ = {};
  bool is_known_ = false;
};

class PackfileMutator {
 public:
  PackfileMutator(std::uint8_t* bytes, std::size_t size, std::size_t most, std::uint32_t seed)
      : bytes_(bytes), size_(size), most_(most), choose_(seed), layout_({bytes, size}) {}

  /// Returns the new size.
  std::size_t run() {
    if (!layout_.is_known() || choose_.one_in(8)) return LLVMFuzzerMutate(bytes_, size_, most_);
    switch (choose_.below(7)) {
      case 0: damage_in_place(layout_.data(), choose_); break;
      case 1: set_word(layout_.data(), choose_.below(layout_.data().size()) / 4 * 4, edge()); break;
      case 2: change_count(); break;
      case 3: change_fixup(); break;
      case 4: change_class(); break;
      case 5: insert_data(); break;
      default: remove_data(); break;
    }
    return size_;
  }

 private:
  std::uint32_t edge() {
    return choose_.one_in(2) ? choose_.one_of(kEdges)
                             : static_cast<std::uint32_t>(choose_.below(layout_.data().size()));
  }

  std::size_t any_row(const Table& table) { return table.start + choose_.below(table.rows()) * table.row_size; }

  // An array is a pointer, which has a local fixup, then its count and its capacity.
  void change_count() {
    const Table& local = layout_.tables()[0];
    if (local.rows() == 0) return;
    const std::size_t at = word_at(file(), any_row(local)) + layout_.pointer_size();
    const std::uint32_t old = word_at(layout_.data(), at);
    set_word(layout_.data(), at, choose_.one_in(2) ? old + static_cast<std::uint32_t>(choose_.below(5)) - 2 : edge());
  }

  // A fixup goes elsewhere, comes from elsewhere, is left out, or is that of another row.
  void change_fixup() {
    const Table& table = choose_.one_of(layout_.tables());
    if (table.rows() == 0) return;
    const std::size_t row = any_row(table), other = any_row(table), last = table.row_size - 4;
    switch (choose_.below(5)) {
      case 0: set_word(file(), row + last, word_at(file(), other + last)); break;
      case 1: set_word(file(), row, word_at(file(), other) + (choose_.one_in(2) ? 4 : 16)); break;
      case 2: set_word(file(), row + last, edge() / 4 * 4); break;
      case 3: std::fill_n(bytes_ + row, table.row_size, std::uint8_t{0xFF}); break;
      default: std::swap_ranges(bytes_ + row, bytes_ + row + table.row_size, bytes_ + other); break;
    }
  }

  // Another class that is as long or shorter, or another signature. The mark 09 stands before each name.
  void change_class() {
    const Bytes names = layout_.class_names();
    std::vector<std::size_t> starts;
    for (std::size_t i = 4; i + 1 < names.size(); ++i)
      if (names[i] == 0x09) starts.push_back(i + 1);
    if (starts.empty()) return;
    const std::size_t at = choose_.one_of(starts);
    const std::size_t length =
        static_cast<std::size_t>(std::find(names.begin() + static_cast<std::ptrdiff_t>(at), names.end(), 0) -
                                 names.begin()) -
        at;
    if (choose_.one_in(4)) return set_word(names, at - 5, choose_.bits());
    const std::string_view name = choose_.one_of(kClasses);
    if (name.size() > length) return damage_in_place(names.subspan(at, length), choose_);
    std::fill_n(names.begin() + static_cast<std::ptrdiff_t>(at), length, std::uint8_t{0});
    std::copy(name.begin(), name.end(), names.begin() + static_cast<std::ptrdiff_t>(at));
  }

  // Copies a piece of the data to another place; everything behind moves on.
  void insert_data() {
    const std::size_t blocks = layout_.data().size() / kStep, length = kStep * (1 + choose_.below(4));
    if (blocks == 0 || size_ + length > most_) return;
    const std::size_t at = kStep * choose_.below(blocks + 1), from = kStep * choose_.below(blocks);
    std::vector<std::uint8_t> piece(length);
    std::copy_n(layout_.data().begin() + static_cast<std::ptrdiff_t>(from),
                std::min(length, layout_.data().size() - from), piece.begin());
    const std::size_t place = static_cast<std::size_t>(layout_.data().data() - bytes_) + at;
    layout_.shift(1, at, static_cast<std::int64_t>(length));
    std::memmove(bytes_ + place + length, bytes_ + place, size_ - place);
    std::copy(piece.begin(), piece.end(), bytes_ + place);
    size_ += length;
  }

  void remove_data() {
    const std::size_t blocks = layout_.data().size() / kStep;
    if (blocks < 2) return;
    const std::size_t at = kStep * choose_.below(blocks - 1),
                      place = static_cast<std::size_t>(layout_.data().data() - bytes_) + at;
    layout_.shift(1, at + kStep, -static_cast<std::int64_t>(kStep));
    std::memmove(bytes_ + place, bytes_ + place + kStep, size_ - place - kStep);
    size_ -= kStep;
  }

  Bytes file() { return {bytes_, size_}; }

  std::uint8_t* bytes_;
  std::size_t size_, most_;
  Chooser choose_;
  Layout layout_;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return PackfileMutator(data, size, max_size, seed).run();
}
