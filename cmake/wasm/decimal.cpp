// SPDX-License-Identifier: MIT
// libc++ prints numbers in fixed notation with 100 KB of tables. A module prints few of them and is downloaded often:
// here the same digits are computed with long integers. These functions replace one object file of libc++ at the link:
// all that other files of libc++ use of it has to be here.
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace {

// A natural number of up to 5120 bits, the least limb first.
class Natural {
 public:
  explicit Natural(std::uint64_t value) : limbs_{static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)} {
    size_ = 2;
    trim();
  }

  bool is_zero() const { return size_ == 0; }
  /// Multiplies and adds. False if the result is too long.
  bool multiply(std::uint32_t factor, std::uint32_t carry = 0) {
    std::uint64_t over = carry;
    for (int i = 0; i < size_; ++i) {
      over += std::uint64_t{limbs_[i]} * factor;
      limbs_[i] = static_cast<std::uint32_t>(over);
      over >>= 32;
    }
    if (over == 0) return true;
    if (size_ == kLimbs) return false;
    limbs_[size_++] = static_cast<std::uint32_t>(over);
    return true;
  }
  /// Divides by `divisor` and returns the remainder.
  std::uint32_t divide(std::uint32_t divisor) {
    std::uint64_t rest = 0;
    for (int i = size_; i-- > 0;) {
      rest = rest << 32 | limbs_[i];
      limbs_[i] = static_cast<std::uint32_t>(rest / divisor);
      rest %= divisor;
    }
    trim();
    return static_cast<std::uint32_t>(rest);
  }
  /// Divides by 2^bits and rounds to the nearest, halves to even.
  void shift_right(int bits) {
    if (bits > 32 * kLimbs) bits = 32 * kLimbs;
    const auto bit = [&](int at) { return at / 32 < size_ && (limbs_[at / 32] >> (at % 32) & 1u) != 0; };
    const bool half = bits > 0 && bit(bits - 1);
    bool rest = false;
    for (int i = 0; i + 1 < bits && !rest; ++i) rest = bit(i);
    const int whole = bits / 32, part = bits % 32;
    for (int i = 0; i < size_; ++i) {
      const std::uint32_t low = i + whole < size_ ? limbs_[i + whole] : 0;
      const std::uint32_t high = i + whole + 1 < size_ ? limbs_[i + whole + 1] : 0;
      limbs_[i] = part == 0 ? low : low >> part | high << (32 - part);
    }
    trim();
    if (half && (rest || (size_ > 0 && (limbs_[0] & 1u) != 0))) increment();
  }

 private:
  static constexpr int kLimbs = 160;

  void increment() {
    for (int i = 0; i < size_; ++i)
      if (++limbs_[i] != 0) return;
    if (size_ < kLimbs) limbs_[size_++] = 1;
  }
  void trim() {
    while (size_ > 0 && limbs_[size_ - 1] == 0) --size_;
  }

  std::uint32_t limbs_[kLimbs] = {};
  int size_ = 0;
};

}  // namespace

_LIBCPP_BEGIN_NAMESPACE_STD

// Writes a number that is not negative with `precision` digits after the point.
to_chars_result __d2fixed_buffered_n(char* const first, char* const last, const double number,
                                     const uint32_t precision) {
  if (precision > 1000) return {last, errc::value_too_large};  // `text` has room for 309 digits before the point
  const auto bits = std::bit_cast<std::uint64_t>(number);
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  Natural digits(exponent == 0 ? fraction : fraction | std::uint64_t{1} << 52);
  const int power = (exponent == 0 ? 1 : exponent) - 1075;
  bool fits = true;
  for (uint32_t i = 0; i < precision && fits; ++i) fits = digits.multiply(10);
  for (int i = 0; i < power && fits; ++i) fits = digits.multiply(2);
  if (power < 0) digits.shift_right(-power);
  if (!fits) return {last, errc::value_too_large};

  char text[1600];
  char* at = text + sizeof text;
  uint32_t count = 0;
  while (!digits.is_zero() || count <= precision) {
    if (count == precision && precision > 0) *--at = '.';
    *--at = static_cast<char>('0' + digits.divide(10));
    ++count;
  }
  const auto size = text + sizeof text - at;
  if (size > last - first) return {last, errc::value_too_large};
  std::memcpy(first, at, static_cast<std::size_t>(size));
  return {first + size, errc{}};
}

// Marrow never asks for a number of digits in scientific notation.
to_chars_result __d2exp_buffered_n(char* const, char* const last, const double, const uint32_t) {
  return {last, errc::value_too_large};
}

// Writes a number of `count` digits.
void __append_n_digits(const uint32_t count, uint32_t digits, char* const result) {
  for (uint32_t i = count; i-- > 0; digits /= 10) result[i] = static_cast<char>('0' + digits % 10);
}
// Writes nine digits, with leading zeros.
void __append_nine_digits(uint32_t digits, char* const result) { __append_n_digits(9, digits, result); }

_LIBCPP_END_NAMESPACE_STD
