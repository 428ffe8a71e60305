// SPDX-License-Identifier: MIT
// Scripts of rig edits on a small Anvil skeleton: all edits are made or none, and what was edited can be written and
// read.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "anvil/xml.h"
#include "marrow/ops/document/load.h"
#include "ops/rig/script.h"

using namespace marrow;

namespace {

const Document& small_rig() {
  static const Document rig = [] {
    Document document;
    Skeleton& skeleton = document.skeletons.emplace_back().skeleton;
    for (const char* name : {"Reference", "Hips", "Spine", "Head"}) {
      Bone bone;
      bone.name = name;
      bone.parent = static_cast<std::int32_t>(skeleton.bones.size()) - 1;
      skeleton.bones.push_back(bone);
    }
    Context context;
    const auto files = save(document, {.format = Format::AnvilStandard, .game = Game::Rogue}, context);
    if (!files) std::abort();
    auto loaded = load(files->front().bytes, {.name = "rig.xml"}, context);
    if (!loaded) std::abort();
    return std::move(*loaded);
  }();
  return rig;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Document document = small_rig();
  Context context;
  const NamedText script{.name = "edits.txt", .text = {reinterpret_cast<const char*>(data), size}};
  if (!run_rig_script(document, {.scripts = {script}}, context)) {
    if (!(document == small_rig())) std::abort();
    return 0;
  }
  const auto bytes = anvil::write_xml(*document.anvil(), {.dialect = anvil::Dialect::Standard, .game = Game::Rogue});
  if (bytes && !anvil::read_xml(*bytes)) std::abort();
  return 0;
}
