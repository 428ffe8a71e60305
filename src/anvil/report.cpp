// SPDX-License-Identifier: MIT
#include "anvil/report.h"

namespace marrow::anvil {

void Report::push(std::string_view code, std::string message, std::string where, std::uint32_t line,
                  std::optional<Cure> cure) {
  const Level level = code.front() == 'E' ? Level::Error : code.front() == 'W' ? Level::Warning : Level::Info;
  if (line > 0) where += (where.empty() ? "line " : ", line ") + std::to_string(line);
  if (!label_.empty()) where = label_ + ": " + where;
  findings_.push_back({std::string(code), level, std::move(message), std::move(where), std::move(cure)});
}

void Report::add(std::string_view code, std::string message, std::optional<Cure> cure) {
  push(code, std::move(message), "skeleton", skeleton_.kept.line.number, std::move(cure));
}

void Report::add(std::string_view code, std::size_t bone, std::string message, std::optional<Cure> cure) {
  push(code, std::move(message), "bone " + chain_of(skeleton_, tree_, static_cast<std::int32_t>(bone)),
       skeleton_.bones[bone].kept.line.number, std::move(cure));
}

void Report::add(std::string_view code, std::size_t bone, const Modifier& modifier, std::string message,
                 std::optional<Cure> cure) {
  push(code, std::move(message),
       "bone " + chain_of(skeleton_, tree_, static_cast<std::int32_t>(bone)) + ", " +
           std::string(class_name(modifier)) + " " + std::to_string(modifier.id),
       modifier.kept.line.number, std::move(cure));
}

Cure Report::set_cure(std::size_t bone, const Modifier& modifier) const {
  const auto& modifiers = skeleton_.bones[bone].modifiers;
  Cure cure = cure_of(bone, "rig set");
  cure.options.push_back({"modifier", std::string(class_name(modifier))});
  // Two of a class are told apart by their number.
  for (const Modifier& each : modifiers)
    if (&each != &modifier && class_name(each) == class_name(modifier)) {
      cure.options.back() = {"index", static_cast<std::int64_t>(&modifier - modifiers.data())};
      break;
    }
  return cure;
}

std::string Report::name(BoneLink link) const {
  const std::int32_t bone = tree_.find(link);
  if (bone >= 0) return name(static_cast<std::size_t>(bone));
  return link.is_null() ? "none" : "object " + std::to_string(link.target);
}

}  // namespace marrow::anvil
