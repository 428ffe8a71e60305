// SPDX-License-Identifier: MIT
// Anvil skeletons in both dialects: what is read is checked, compared, merged onto itself and written in both, and has
// to come back the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "anvil/check.h"
#include "anvil/diff.h"
#include "anvil/edit.h"
#include "anvil/merge.h"
#include "anvil/to_model.h"
#include "anvil/xml.h"
#include "steps.h"

using namespace marrow;
using namespace marrow::anvil;

namespace {

void look(const anvil::Skeleton& skeleton) {
  (void)check(skeleton, {.game = Game::Rogue, .base = &skeleton});
  (void)to_model(skeleton);
  const Part part{&skeleton, "itself"};
  (void)merge(skeleton, std::span(&part, 1));
  (void)extract_addon(skeleton, skeleton);
}

void change(const anvil::Skeleton& skeleton) {
  anvil::Skeleton edited = skeleton;
  mend(edited);
  to_game(edited, Game::Ac1);
  if (!edited.bones.empty()) (void)remove_bone(edited, edited.bones.back().name.hash, {.promote = true});
}

void write_back(const anvil::Skeleton& skeleton, Dialect dialect) {
  const auto bytes = write_xml(skeleton, {.dialect = dialect, .game = Game::Unity});
  if (!bytes) return;
  const auto again = read_xml(*bytes);
  if (!again) std::abort();
  // Bones are compared by name, which has to be one bone's only.
  if (!has_errors(check(skeleton)) && !diff(skeleton, *again).empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto skeleton = read_xml(bytes, NameTable::builtin(), {.max_file_bytes = 1 << 20, .max_objects = 10'000});
  if (!skeleton) return 0;
  fuzz::run_steps(
      bytes, [&] { look(*skeleton); }, [&] { change(*skeleton); }, [&] { write_back(*skeleton, Dialect::Standard); },
      [&] { write_back(*skeleton, Dialect::Schema); });
  return 0;
}
