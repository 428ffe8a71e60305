// SPDX-License-Identifier: MIT
// The streams that tinygltf names, without locales: texts are put together in memory, and files always fail, since a
// module has none. libc++ has declared these templates and leaves them undefined; its own definitions make a module
// 45 KB larger. Only src/exchange/gltf/tiny.cpp is compiled with them.
#pragma once

#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <string>

// Keeps these functions apart from those of libc++, which other sources may use.
#define MARROW_STREAM __attribute__((abi_tag("marrow")))

_LIBCPP_BEGIN_NAMESPACE_STD

typedef ptrdiff_t streamsize;

class ios_base {
 public:
  using openmode = unsigned;
  using seekdir = int;
  static constexpr openmode binary = 1, in = 2, out = 4;
  static constexpr seekdir beg = 0, cur = 1, end = 2;
};

template <class Character, class Traits>
class basic_ios : public ios_base {
 public:
  MARROW_STREAM explicit operator bool() const { return !has_failed_; }
  MARROW_STREAM bool operator!() const { return has_failed_; }

 protected:
  bool has_failed_ = false;
};

template <class Character, class Traits>
class basic_ostream : public basic_ios<Character, Traits> {
 public:
  MARROW_STREAM basic_ostream& write(const Character* text, streamsize size) {
    text_.append(text, static_cast<size_t>(size));
    return *this;
  }
  MARROW_STREAM basic_ostream& operator<<(const Character* text) { return text_ += text, *this; }
  MARROW_STREAM basic_ostream& operator<<(const basic_string<Character>& text) { return text_ += text, *this; }
  MARROW_STREAM basic_ostream& operator<<(Character letter) { return text_ += letter, *this; }
  template <integral Number>
  MARROW_STREAM basic_ostream& operator<<(Number number) {
    return text_ += std::to_string(number), *this;
  }
  MARROW_STREAM basic_ostream& operator<<(basic_ostream& (*manipulate)(basic_ostream&)) { return manipulate(*this); }

 protected:
  basic_string<Character> text_;
};

template <class Character, class Traits>
MARROW_STREAM basic_ostream<Character, Traits>& endl(basic_ostream<Character, Traits>& stream) {
  return stream << Character('\n');
}

template <class Character, class Traits, class Allocator>
class basic_stringstream : public basic_ostream<Character, Traits> {
 public:
  MARROW_STREAM basic_string<Character> str() const { return this->text_; }
};

template <class Character, class Traits, class Allocator>
class basic_ostringstream : public basic_stringstream<Character, Traits, Allocator> {};

template <class Character, class Traits>
class basic_ifstream : public basic_ios<Character, Traits> {
 public:
  template <class... Arguments>
  MARROW_STREAM explicit basic_ifstream(const Arguments&...) {
    this->has_failed_ = true;
  }
  MARROW_STREAM void seekg(int, ios_base::seekdir) {}
  MARROW_STREAM streamsize tellg() { return 0; }
  MARROW_STREAM void read(Character*, streamsize) {}
};

template <class Character, class Traits>
class basic_ofstream : public basic_ostream<Character, Traits> {
 public:
  template <class... Arguments>
  MARROW_STREAM explicit basic_ofstream(const Arguments&...) {
    this->has_failed_ = true;
  }
  MARROW_STREAM bool is_open() const { return false; }
};

_LIBCPP_END_NAMESPACE_STD
