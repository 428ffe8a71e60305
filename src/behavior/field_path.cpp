// SPDX-License-Identifier: MIT
#include "behavior/field_path.h"

#include <vector>

#include "core/nearest.h"
#include "marrow/core/text.h"

namespace marrow::behavior {

std::unexpected<Error> bad_field(std::string message, std::string option) {
  return fail(ErrorCode::BadOption, std::move(message), kNoOffset, std::move(option));
}

Result<PathStep> take_step(std::string_view& path) {
  const std::size_t end = path.find('.');
  const std::string_view word = path.substr(0, end);
  path = end == std::string_view::npos ? std::string_view() : path.substr(end + 1);
  PathStep step{.member = word};
  const std::size_t bracket = word.find('[');
  if (bracket == std::string_view::npos) return step;
  step.member = word.substr(0, bracket);
  if (word.back() != ']' || !(step.index = parse_uint(word.substr(bracket + 1, word.size() - bracket - 2))))
    return bad_field("\"" + std::string(word) + "\" is not a member with an index, such as transitions[2]");
  return step;
}

Result<const havok::Member*> member_of(const havok::Class& type, std::string_view name) {
  if (const havok::Member* member = type.find(name)) return member;
  std::vector<std::string> known;
  for (const havok::Class* each : type.lineage())
    for (const havok::Member& member : each->members)
      if (!member.is_ignored) known.push_back(member.name);
  return bad_field(type.name + " has no \"" + std::string(name) + "\"" + did_you_mean(name, known));
}

}  // namespace marrow::behavior
