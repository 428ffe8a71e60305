// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/json.h"
#include "marrow/core/error.h"
#include "model/modifiers_fields.h"

namespace marrow::motion {

// What values of a modifier mean beside their numbers: the bone a name stands for, and the place on a chain for values
// that change along it.
struct FieldContext {
  std::function<Result<BoneLink>(const std::string& name)> find_bone;
  double along_chain = 0.0;  // 0 at its start, 1 at its end
};

/// Reads JSON that people write, with comments. Fails with the offset, and with line and column in the message.
Result<Json> parse_json(std::string_view text);

/// Returns the elements of a list; anything else is a list of itself.
inline std::span<const Json> one_or_many(const Json& json) {
  return json.is_array() ? std::span<const Json>(json.items()) : std::span<const Json>(&json, 1);
}

/// Returns what to say about an unknown name: the nearest of the known names, or all of them.
std::string known_instead(std::string_view name, std::span<const std::string_view> known);

/// Sets the fields of a modifier that `object` names, by the engine's names in any case. `ignored` are keys that mean
/// something else. The error's path is the key.
Result<void> set_fields(Modifier& modifier, const Json& object, const FieldContext& context,
                        std::span<const std::string_view> ignored);

}  // namespace marrow::motion
