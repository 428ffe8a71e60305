// SPDX-License-Identifier: MIT
#include "anvil/value_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <glm/geometric.hpp>

#include "anvil/hierarchy.h"
#include "anvil/names.h"
#include "anvil/opaque.h"
#include "core/try.h"
#include "marrow/core/text.h"

namespace marrow::anvil {
namespace {

// ---- to text
// ---------------------------------------------------------------------------------------------------------

struct ToText {
  const LinkText& link;

  std::string operator()(float value) const { return float_text(value); }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::uint8_t value) const { return std::to_string(value); }
  std::string operator()(std::int32_t value) const { return std::to_string(value); }
  std::string operator()(std::uint32_t value) const { return std::to_string(value); }
  std::string operator()(const Vec4& v) const { return four(v.x, v.y, v.z, v.w); }
  std::string operator()(const Quat& q) const { return four(q.x, q.y, q.z, q.w); }
  std::string operator()(const BoneLink& value) const { return link(value); }
  std::string operator()(const FileReference& value) const {
    return std::to_string(value.id) + (value.is_global ? " (global)" : "");
  }
  std::string operator()(const BoneName& value) const { return display_name(value); }
  std::string operator()(const Opaque& value) const { return value.xml; }
  std::string operator()(const Computed&) const { return {}; }
  template <class Item>
  std::string operator()(const std::vector<Item>& list) const {
    if constexpr (kIsObject<Item>) {
      return std::to_string(list.size()) + " objects";
    } else {
      std::string text = "[";
      for (std::size_t i = 0; i < list.size(); ++i) text += (i == 0 ? "" : ", ") + (*this)(Item(list[i]));
      return text + "]";
    }
  }

 private:
  static std::string four(float x, float y, float z, float w) {
    return float_text(x) + ", " + float_text(y) + ", " + float_text(z) + ", " + float_text(w);
  }
};

// ---- from text
// -------------------------------------------------------------------------------------------------------

std::vector<std::string_view> split(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && (text.front() == '[' || text.front() == '(')) text = trim(text.substr(1, text.size() - 2));
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    words.push_back(trim(text.substr(0, comma)));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return words;
}

struct FromText {
  const Slot& slot;
  std::string_view text;
  const LinkOf& link;

  Result<void> operator()(float* value) const {
    const auto number = parse_float(text);
    if (!number || !std::isfinite(*number)) return refuse("a number");
    *value = *number;
    return {};
  }
  Result<void> operator()(bool* value) const {
    if (equal_ignoring_case(text, "true") || text == "1")
      *value = true;
    else if (equal_ignoring_case(text, "false") || text == "0")
      *value = false;
    else
      return refuse("true or false");
    return {};
  }
  Result<void> operator()(std::uint8_t* value) const { return integer(value); }
  Result<void> operator()(std::int32_t* value) const { return integer(value); }
  Result<void> operator()(std::uint32_t* value) const { return integer(value); }
  Result<void> operator()(Vec4* value) const {
    MARROW_TRY(const auto four, numbers());
    *value = Vec4(four[0], four[1], four[2], four[3]);
    return {};
  }
  Result<void> operator()(Quat* value) const {
    if (split(text).size() != 4) return refuse("four numbers x, y, z, w");
    MARROW_TRY(const auto four, numbers());
    const Quat read = make_quat(four[0], four[1], four[2], four[3]);
    const float length = glm::length(read);
    if (!(length > 1e-6f))
      return refuse("a rotation, and a quaternion of length 0 is not one; no rotation is 0, 0, 0, 1");
    // A length that is only rounded stays as it is typed.
    *value = std::abs(length - 1.0f) > 1e-5f ? glm::normalize(read) : read;
    return {};
  }
  Result<void> operator()(BoneLink* value) const {
    if (text.empty() || equal_ignoring_case(text, "none") || equal_ignoring_case(text, "null")) {
      *value = {};
      return {};
    }
    MARROW_TRY(*value, link(text));
    return {};
  }
  Result<void> operator()(FileReference* value) const {
    const auto id = parse_uint(text);
    if (!id) return refuse("the id of a file");
    *value = {.id = *id, .path = std::to_string(*id)};
    return {};
  }
  template <class Item>
  Result<void> operator()(std::vector<Item>* list) const {
    if constexpr (kIsObject<Item>) {
      return fail(ErrorCode::InvalidArgument,
                  std::string(slot.standard_name) + " is set item by item, as in Constraints[0].MinAngle=0.5");
    } else {
      std::vector<Item> items;
      for (const std::string_view word : split(text)) {
        Item item{};
        MARROW_CHECK((FromText{slot, word, link}(&item)));
        items.push_back(item);
      }
      *list = std::move(items);
      return {};
    }
  }
  Result<void> operator()(BoneName*) const {
    return fail(ErrorCode::InvalidArgument, "the name of a bone is not set as a field", Cure{"rig rename"});
  }
  Result<void> operator()(Opaque* value) const { return set_opaque(*value, slot.standard_name, text); }
  Result<void> operator()(Computed*) const {
    return fail(ErrorCode::InvalidArgument,
                std::string(slot.standard_name) + " is computed whenever a file is written");
  }

 private:
  std::unexpected<Error> refuse(std::string what) const {
    return fail(ErrorCode::InvalidArgument,
                std::string(slot.standard_name) + " is " + std::move(what) + ", not '" + std::string(text) + "'");
  }
  // The words that may stand for a number.
  std::string words_of() const {
    std::string text_of_words;
    if (slot.words)
      for (const std::string_view word : slot.words->words)
        (text_of_words += text_of_words.empty() ? " or one of " : ", ") += word;
    return text_of_words;
  }
  template <class Integer>
  Result<void> integer(Integer* value) const {
    if (slot.words) {
      const auto& words = slot.words->words;
      const auto word = std::ranges::find_if(words, [&](std::string_view w) { return equal_ignoring_case(w, text); });
      if (word != words.end()) {
        *value = static_cast<Integer>(word - words.begin());
        return {};
      }
    }
    const auto number = parse_int(text);
    if (!number || !std::in_range<Integer>(*number)) return refuse("a whole number that fits" + words_of());
    if (slot.words && (*number < 0 || std::cmp_greater_equal(*number, slot.words->words.size())))
      return refuse("a number from 0 to " + std::to_string(slot.words->words.size() - 1) + words_of());
    *value = static_cast<Integer>(*number);
    return {};
  }
  Result<std::array<float, 4>> numbers() const {
    const auto words = split(text);
    std::array<float, 4> four{};
    if (words.size() != 4 && words.size() != 3) return refuse("four numbers x, y, z, w");
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto number = parse_float(words[i]);
      if (!number || !std::isfinite(*number)) return refuse("four numbers x, y, z, w");
      four[i] = *number;
    }
    return four;
  }
};

// ---- arithmetic
// ------------------------------------------------------------------------------------------------------

struct Arithmetic {
  const Slot& slot;
  char op;
  double operand;

  Result<void> operator()(float* value) const {
    const auto changed = static_cast<float>(result(static_cast<double>(*value)));
    if (!std::isfinite(changed))
      return refuse(float_text(*value) + " " + op + " " + float_text(static_cast<float>(operand)) +
                    " is not a finite number");
    *value = changed;
    return {};
  }
  Result<void> operator()(std::uint8_t* value) const { return whole(value); }
  Result<void> operator()(std::int32_t* value) const { return whole(value); }
  Result<void> operator()(std::uint32_t* value) const { return whole(value); }
  Result<void> operator()(Vec4* value) const {
    // The fourth number of a vector means nothing.
    for (int i = 0; i < 3; ++i) MARROW_CHECK((*this)(&(*value)[i]));
    return {};
  }
  Result<void> operator()(std::vector<float>* list) const {
    for (float& value : *list) MARROW_CHECK((*this)(&value));
    return {};
  }
  template <class Other>
  Result<void> operator()(Other*) const {
    return refuse("it is not a number");
  }

 private:
  double result(double value) const {
    switch (op) {
      case '+': return value + operand;
      case '-': return value - operand;
      case '*': return value * operand;
      default: return value / operand;
    }
  }
  template <class Integer>
  Result<void> whole(Integer* value) const {
    if (slot.words) return refuse("it is one of a few choices; set it with " + std::string(slot.standard_name) + "=");
    const double changed = result(static_cast<double>(*value));
    if (changed != std::floor(changed) || changed < static_cast<double>(std::numeric_limits<Integer>::min()) ||
        changed > static_cast<double>(std::numeric_limits<Integer>::max()))
      return refuse("the result is not a whole number that fits");
    *value = static_cast<Integer>(changed);
    return {};
  }
  std::unexpected<Error> refuse(const std::string& why) const {
    return fail(ErrorCode::InvalidArgument,
                std::string(slot.standard_name) + " cannot be changed by " + std::string(1, op) + "=: " + why);
  }
};

}  // namespace

Result<void> change_value(const Slot& slot, char op, std::string_view text) {
  const auto operand = parse_double(trim(text));
  if (!operand || !std::isfinite(*operand))
    return fail(ErrorCode::InvalidArgument,
                std::string(slot.standard_name) + " " + op + "= takes a number, not '" + std::string(text) + "'");
  return std::visit(Arithmetic{slot, op, *operand}, slot.at);
}

std::string value_text(const Slot& slot, const LinkText& link) {
  return std::visit([&](auto* value) { return ToText{link}(*value); }, slot.at);
}

Result<void> set_value(const Slot& slot, std::string_view text, const LinkOf& link) {
  return std::visit(FromText{slot, trim(text), link}, slot.at);
}

}  // namespace marrow::anvil
