// SPDX-License-Identifier: MIT
// Physics systems: read into the model, checked, shown, written back without an edit, and rebuilt. What was rebuilt
// can be read.
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "havok/physics/character_ragdoll.h"
#include "havok/physics/physics.h"
#include "havok/physics/repair.h"
#include "limits.h"
#include "marrow/ops/document/load.h"
#include "nif/embedded.h"
#include "ops/collision/check.h"
#include "ops/collision/mesh.h"
#include "steps.h"

using namespace marrow;

namespace {

void write_back(const havok::Packfile& packfile, havok::ObjectId id) {
  const auto system = havok::read_physics(packfile, id);
  if (!system) return;
  havok::Packfile copy = packfile;
  if (havok::write_physics(*system, copy, id) && !havok::read_physics(copy, havok::find_physics(copy).front()))
    std::abort();
}

void rebuild(const havok::Packfile& packfile, havok::ObjectId id) {
  if (!havok::read_physics(packfile, id)) return;
  havok::Packfile mended = packfile;
  if (havok::rebuild_physics(mended, id) && !havok::read_physics(mended, havok::find_physics(mended).front()))
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  Context context{.limits = {.max_expanded_bytes = fuzz::kMaxExpandedBytes}};
  const auto document = load(bytes, {.parts = Parts::Collision}, context);
  if (!document) return 0;
  std::vector<havok::Packfile> packfiles;
  if (document->packfile()) packfiles.push_back(*document->packfile());
  if (document->nif())
    for (const EmbeddedPackfile& embedded : read_embedded(*document->nif()).value_or(std::vector<EmbeddedPackfile>{}))
      if (auto file = havok::read_packfile(embedded.bytes, {.limits = context.limits})) packfiles.push_back(*file);
  const auto each_system = [&](auto* use) {
    for (const havok::Packfile& packfile : packfiles)
      for (const havok::ObjectId id : havok::find_physics(packfile)) use(packfile, id);
  };
  fuzz::run_steps(
      bytes, [&] { (void)check_collision(*document); },
      [&] {
        for (const DocumentCollision& entry : document->collision) (void)collision_meshes(entry, {}, context.notes);
      },
      [&] { each_system(write_back); }, [&] { each_system(rebuild); },
      [&] {
        for (const havok::Packfile& packfile : packfiles) (void)havok::read_character_ragdoll(packfile);
      });
  return 0;
}
