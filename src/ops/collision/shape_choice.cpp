// SPDX-License-Identifier: MIT
// Which object becomes what: words of options, patterns for names, and names themselves.
#include <algorithm>
#include <cctype>

#include "core/try.h"
#include "marrow/core/text.h"
#include "ops/collision/build.h"

namespace marrow {
namespace {

constexpr auto& kShapeWords = ChoiceWords<BuildShape>::words;

std::optional<BuildShape> shape_of_word(std::string_view word) {
  const auto found =
      std::ranges::find_if(kShapeWords, [&](std::string_view known) { return equal_ignoring_case(known, word); });
  if (found == kShapeWords.end()) return std::nullopt;
  return static_cast<BuildShape>(found - kShapeWords.begin());
}

std::string_view word_of(BuildShape shape) { return kShapeWords[static_cast<std::size_t>(shape)]; }

// Returns the runs of letters of a name: tools number objects, as `Leg_capsule.001`.
std::vector<std::string_view> words_of(std::string_view name) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < name.size();) {
    std::size_t end = i;
    while (end < name.size() && is_letter(name[end])) ++end;
    if (end > i) words.push_back(name.substr(i, end - i));
    i = std::max(end, i + 1);
  }
  return words;
}

}  // namespace

std::optional<BuildShape> shape_in_name(std::string_view name) {
  const std::vector<std::string_view> words = words_of(name);
  for (const std::size_t at : {words.size() - 1, std::size_t{0}})
    if (const auto shape = words.empty() ? std::nullopt : shape_of_word(words[at]);
        shape && shape != BuildShape::ByName)
      return shape;
  return std::nullopt;
}

BuildShape shape_for(std::string_view object, const BuildOptions& options) {
  BuildShape shape = options.shape;
  for (const ShapeRule& rule : options.rules)
    if (matches(rule.pattern, object)) shape = rule.shape;
  return shape == BuildShape::ByName ? shape_in_name(object).value_or(BuildShape::Hull) : shape;
}

namespace described {

void Traits<ShapeChoice>::fill(FieldInfo& info) {
  info.type = FieldType::Text;
  info.is_list = true;
}

Json Traits<ShapeChoice>::get(const ShapeChoice& value) {
  Json json = Json::array();
  if (value.shape) json.push(word_of(*value.shape));
  for (const ShapeRule& rule : value.rules) json.push(rule.pattern + "=" + std::string(word_of(rule.shape)));
  return json;
}

Result<void> Traits<ShapeChoice>::set(ShapeChoice& value, const Json& json, const FieldInfo& info) {
  ShapeChoice read;
  const auto add = [&](const Json& item) -> Result<void> {
    MARROW_TRY(const std::string word, text_of(item, info));
    const std::size_t split = word.rfind('=');
    const auto shape = shape_of_word(split == std::string::npos ? word : std::string_view(word).substr(split + 1));
    if (!shape || split == 0) {
      std::string known;
      for (const std::string_view each : kShapeWords)
        known += std::string(known.empty() ? "" : ", ") + std::string(each);
      return refuse(info, "takes " + known + ", or NAME=KIND for objects by name, not '" + word + "'");
    }
    if (split != std::string::npos)
      read.rules.push_back({word.substr(0, split), *shape});
    else if (read.shape && read.shape != shape)
      return refuse(info, "is both " + std::string(word_of(*read.shape)) + " and " + word +
                              "; name the objects that become something else, as NAME=KIND");
    else
      read.shape = *shape;
    return {};
  };
  if (json.is_array()) {
    for (const Json& item : json.items()) MARROW_CHECK(add(item));
  } else {
    MARROW_CHECK(add(json));
  }
  value = std::move(read);
  return {};
}

}  // namespace described
}  // namespace marrow
