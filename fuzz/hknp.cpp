// SPDX-License-Identifier: MIT
// Physics systems: read into the model, checked, shown, written back without an edit, and rebuilt. What was rebuilt
// can be read.
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "marrow/havok/physics.h"
#include "marrow/havok/physics_repair.h"
#include "marrow/ops/collision_check.h"
#include "marrow/ops/collision_mesh.h"
#include "marrow/marrow.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow;
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  Limits limits;
  limits.max_expanded_bytes = std::size_t{1} << 26;
  Context context{.limits = limits};
  const auto document = load(bytes, {.parts = Parts::Collision}, context);
  if (!document) return 0;
  (void)check_collision(*document);
  for (const DocumentCollision& entry : document->collision) (void)collision_meshes(entry, {}, context.notes);
  std::vector<havok::Packfile> packfiles;
  if (document->packfile()) packfiles.push_back(*document->packfile());
  if (const auto* nif = std::get_if<NifOrigin>(&document->origin)) packfiles = nif->packfiles;
  for (const havok::Packfile& packfile : packfiles)
    for (const havok::ObjectId id : havok::find_physics(packfile)) {
      const auto system = havok::read_physics(packfile, id);
      if (!system) continue;
      havok::Packfile copy = packfile;
      if (!havok::write_physics(*system, copy, id)) continue;
      const auto again = havok::read_physics(copy, havok::find_physics(copy).front());
      if (!again) std::abort();
      havok::Packfile mended = packfile;
      if (!havok::rebuild_physics(mended, id)) continue;
      const havok::ObjectId mended_id = havok::find_physics(mended).front();
      if (!havok::read_physics(mended, mended_id)) std::abort();
    }
  return 0;
}
