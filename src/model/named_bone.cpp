// SPDX-License-Identifier: MIT
#include "model/named_bone.h"

#include <string>
#include <vector>

#include "core/nearest.h"

namespace marrow {
namespace {

struct Side {
  std::string_view left, right;
};
// Whole words first. `L` and `R` alone count only where something marks them as a word of their own.
constexpr Side kSideWords[] = {{"Left", "Right"}, {"left", "right"}, {"LEFT", "RIGHT"}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

}  // namespace

Result<std::int32_t> named_bone(const Skeleton& skeleton, std::string_view name) {
  if (const auto bone = find_bone(skeleton, name)) return *bone;
  std::vector<std::string_view> names;
  for (const Bone& bone : skeleton.bones) names.push_back(bone.name);
  return fail(ErrorCode::NotFound, "the skeleton has no bone '" + std::string(name) + "'" + did_you_mean(name, names));
}

std::string other_side(std::string_view name) {
  std::string out;
  bool changed = false;
  for (std::size_t i = 0; i < name.size();) {
    const std::string_view rest = name.substr(i);
    bool done = false;
    for (const Side& side : kSideWords)
      for (const auto& [from, to] : {std::pair(side.left, side.right), std::pair(side.right, side.left)})
        if (!done && rest.starts_with(from)) {
          out += to;
          i += from.size();
          done = changed = true;
        }
    if (done) continue;
    const char c = name[i];
    const char before = i == 0 ? ' ' : name[i - 1];
    const char after = i + 1 < name.size() ? name[i + 1] : ' ';
    // `L_`, ` L `, `[LThg]`, `[Lft ]`, `LArm`, `Hand_L`: at the start of a word, before its end or before a capital.
    // `ObjectL1`: at the end of the name, but for a number.
    const bool starts = !is_letter(before) && (!is_letter(after) || is_upper(after) || before == '[');
    const bool ends =
        is_letter(before) && !is_upper(before) && name.find_first_not_of("0123456789", i + 1) == std::string_view::npos;
    if ((c == 'L' || c == 'R') && (starts || ends)) {
      out += c == 'L' ? 'R' : 'L';
      changed = true;
    } else {
      out += c;
    }
    ++i;
  }
  return changed ? out : std::string();
}

}  // namespace marrow
