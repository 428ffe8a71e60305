// SPDX-License-Identifier: MIT
// Patches of behaviours from hostile bytes, over a small graph: what merges without an error is written and read again.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "havok/text/xml.h"
#include "limits.h"
#include "patch_pieces.h"

namespace {

constexpr std::string_view kGraph =
    R"(<hkpackfile classversion="8" contentsversion="hk_2010.2.0-r1" toplevelobject="#0001">
<hksection name="__data__">
<hkobject name="#0001" class="hkRootLevelContainer"><hkparam name="namedVariants" numelements="1"><hkobject>
<hkparam name="name">hkbBehaviorGraph</hkparam><hkparam name="className">hkbBehaviorGraph</hkparam><hkparam name="variant">#0002</hkparam>
</hkobject></hkparam></hkobject>
<hkobject name="#0002" class="hkbBehaviorGraph"><hkparam name="rootGenerator">#0006</hkparam><hkparam name="data">#0003</hkparam></hkobject>
<hkobject name="#0003" class="hkbBehaviorGraphData"><hkparam name="eventInfos" numelements="2"><hkobject><hkparam name="flags">0</hkparam></hkobject><hkobject><hkparam name="flags">0</hkparam></hkobject></hkparam>
<hkparam name="variableInitialValues">#0004</hkparam><hkparam name="stringData">#0005</hkparam></hkobject>
<hkobject name="#0004" class="hkbVariableValueSet"><hkparam name="quadVariableValues" numelements="2">(0 0 0 1)(1 2 3 4)</hkparam></hkobject>
<hkobject name="#0005" class="hkbBehaviorGraphStringData"><hkparam name="eventNames" numelements="2"><hkcstring>a</hkcstring><hkcstring>b</hkcstring></hkparam></hkobject>
<hkobject name="#0006" class="hkbStateMachine"><hkparam name="states" numelements="1">#0007</hkparam></hkobject>
<hkobject name="#0007" class="hkbStateMachineStateInfo"><hkparam name="generator">#0008</hkparam></hkobject>
<hkobject name="#0008" class="hkbClipGenerator"><hkparam name="triggers">#0009</hkparam></hkobject>
<hkobject name="#0009" class="hkbClipTriggerArray"><hkparam name="triggers" numelements="1"><hkobject><hkparam name="localTime">0.5</hkparam></hkobject></hkparam></hkobject>
</hksection></hkpackfile>)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow;
  static const havok::Packfile base = *havok::read_xml(std::as_bytes(std::span(kGraph)));
  const Limits limits{.max_expanded_bytes = fuzz::kMaxExpandedBytes};
  const auto pieces = fuzz::pieces_of({reinterpret_cast<const char*>(data), size});
  behavior::MergeReport report;
  havok::Packfile merged = behavior::merge_patches(base, fuzz::mods_of(pieces, 0), report, limits);
  if (report.is_broken) return 0;
  const auto xml = havok::write_xml(merged);
  if (!xml || !havok::read_xml(*xml)) std::abort();
  behavior::drop_unreached(merged, report);
  if (!havok::write_packfile(merged)) std::abort();
  const auto patch = behavior::make_patch(base, merged, "again");
  if (!patch) std::abort();
  return 0;
}
