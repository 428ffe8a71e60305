// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "anvil/slots.h"
#include "marrow/core/error.h"

namespace marrow::anvil {

/// The bone of a link in words: its name, `none`, or the id that leads nowhere.
using LinkText = std::function<std::string(BoneLink)>;
/// The link to the bone that a word names; an error if there is none.
using LinkOf = std::function<Result<BoneLink>(std::string_view)>;

/// The value of a slot as people read and type it: `0.4`, `true`, `2`, `0, 0, -65, 0`, `Hips`, `[Hips, Spine]`. Lists
/// of objects have no text.
std::string value_text(const Slot& slot, const LinkText& link);
/// Sets a slot from such a text; enumerated values also by word (`AXIS_Z`). A list takes `a, b, c` with or without
/// brackets.
Result<void> set_value(const Slot& slot, std::string_view text, const LinkOf& link);

/// Changes a slot that holds numbers by `op` (`+`, `-`, `*` or `/`) and a number. Of several numbers each is changed.
/// Fails with `InvalidArgument` if the slot holds none, or the result is not a number of its kind.
Result<void> change_value(const Slot& slot, char op, std::string_view text);

}  // namespace marrow::anvil
