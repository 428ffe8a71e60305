// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace marrow {

struct TextLine {
  std::string_view text;   ///< without its end, `\n` or `\r\n`
  std::size_t offset = 0;  ///< of its first byte
  std::size_t number = 0;  ///< counted from 1
};

/// The lines of a text: `for (const TextLine& line : Lines(text))`. The end of the last line starts no other.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  class Iterator {
   public:
    explicit Iterator(std::string_view text) : rest_(text) { read(); }
    const TextLine& operator*() const { return line_; }
    const TextLine* operator->() const { return &line_; }
    Iterator& operator++() {
      rest_.remove_prefix(size_);
      line_.offset += size_;
      read();
      return *this;
    }
    bool operator==(std::default_sentinel_t) const { return rest_.empty(); }

   private:
    void read() {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      size_ = std::min(end + 1, rest_.size());
      line_.text = rest_.substr(0, end);
      if (line_.text.ends_with('\r')) line_.text.remove_suffix(1);
      ++line_.number;
    }

    std::string_view rest_;
    std::size_t size_ = 0;  // of the line with its end
    TextLine line_;
  };

  Iterator begin() const { return Iterator(text_); }
  std::default_sentinel_t end() const { return {}; }

 private:
  std::string_view text_;
};

}  // namespace marrow
