// SPDX-License-Identifier: MIT
#include "marrow/nif/references.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "marrow/core/byte_reader.h"

namespace marrow {
namespace {

// How blocks of Fallout 4 are laid out, as far as references go:
//   a number   so many bytes
//   r          a reference
//   L, l       a 32-bit or 16-bit count and as many references
//   S          a 32-bit length and as many bytes
//   #          a 32-bit count for the next { }
//   { }        repeated that often
//   *          all the rest, without references
// and, of the classes that others begin with:
//   N          NiObjectNET: name, extra data, controller
//   A          NiAVObject: that, flags, transform, collision object
//   T          NiTimeController: next controller, flags and times, target
// A block whose layout ends elsewhere than its bytes is not understood.
using Layout = std::pair<std::string_view, std::string_view>;
constexpr std::array kLayouts = {
    Layout{"BSBehaviorGraphExtraData", "*"},
    Layout{"BSBlastNode", "AL3"},
    Layout{"BSBoneLODExtraData", "*"},
    Layout{"BSBound", "28"},
    Layout{"BSClothExtraData", "*"},
    Layout{"BSConnectPoint::Children", "*"},
    Layout{"BSConnectPoint::Parents", "*"},
    Layout{"BSDamageStage", "AL3"},
    Layout{"BSDebrisNode", "AL3"},
    Layout{"BSDecalPlacementVectorExtraData", "*"},
    Layout{"BSDynamicTriShape", "A16rrr*"},
    Layout{"BSEffectShaderProperty", "N*"},
    Layout{"BSEffectShaderPropertyColorController", "Tr4"},
    Layout{"BSEffectShaderPropertyFloatController", "Tr4"},
    Layout{"BSFadeNode", "AL"},
    Layout{"BSFurnitureMarkerNode", "*"},
    Layout{"BSInvMarker", "*"},
    Layout{"BSLeafAnimNode", "AL"},
    Layout{"BSLightingShaderProperty", "4N24r*"},
    Layout{"BSLightingShaderPropertyColorController", "Tr4"},
    Layout{"BSLightingShaderPropertyFloatController", "Tr4"},
    Layout{"BSMeshLODTriShape", "A16rrr*"},
    Layout{"BSMultiBoundNode", "ALr4"},
    Layout{"BSOrderedNode", "AL17"},
    Layout{"BSRangeNode", "AL3"},
    Layout{"BSShaderTextureSet", "*"},
    Layout{"BSSkin::BoneData", "*"},
    Layout{"BSSkin::Instance", "rrL*"},
    Layout{"BSSubIndexTriShape", "A16rrr*"},
    Layout{"BSTreeNode", "ALLL"},
    Layout{"BSTriShape", "A16rrr*"},
    Layout{"BSValueNode", "AL5"},
    Layout{"BSXFlags", "8"},
    Layout{"NiAlphaProperty", "N3"},
    Layout{"NiBillboardNode", "AL2"},
    Layout{"NiBoolData", "*"},
    Layout{"NiBoolInterpolator", "1r"},
    Layout{"NiBoolTimelineInterpolator", "1r"},
    Layout{"NiColorData", "*"},
    Layout{"NiControllerManager", "T1Lr"},
    Layout{"NiControllerSequence", "4#4{rr21}4r16r4l"},
    Layout{"NiDefaultAVObjectPalette", "r#{Sr}"},
    Layout{"NiFloatData", "*"},
    Layout{"NiFloatExtraData", "8"},
    Layout{"NiFloatInterpolator", "4r"},
    Layout{"NiIntegerExtraData", "8"},
    Layout{"NiMultiTargetTransformController", "Tl"},
    Layout{"NiNode", "AL"},
    Layout{"NiPoint3Interpolator", "12r"},
    Layout{"NiPosData", "*"},
    Layout{"NiStringExtraData", "8"},
    Layout{"NiStringsExtraData", "*"},
    Layout{"NiSwitchNode", "AL6"},
    Layout{"NiTextKeyExtraData", "*"},
    Layout{"NiTransformController", "Tr"},
    Layout{"NiTransformData", "*"},
    Layout{"NiTransformInterpolator", "32r"},
    Layout{"NiVisController", "Tr"},
    Layout{"bhkNPCollisionObject", "r2r4"},
    Layout{"bhkPhysicsSystem", "*"},
    Layout{"bhkRagdollSystem", "*"},
};
static_assert(std::ranges::is_sorted(kLayouts, {}, &Layout::first));

constexpr std::string_view kObjectNet = "4Lr", kAvObject = "4Lr56r", kTimeController = "r18r";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Walks a block along its layout.
class Walker {
 public:
  explicit Walker(std::span<const std::byte> bytes) : reader_(bytes) {}

  std::optional<std::vector<std::size_t>> run(std::string_view layout) {
    walk(layout);
    if (!reader_.ok() || reader_.remaining() != 0) return std::nullopt;
    return std::move(found_);
  }

 private:
  void walk(std::string_view layout) {
    for (std::size_t i = 0; i < layout.size() && reader_.ok(); ++i) {
      switch (const char c = layout[i]) {
        case 'r': reference(); break;
        case 'L': references(reader_.u32()); break;
        case 'l': references(reader_.u16()); break;
        case 'S': reader_.skip(reader_.u32()); break;
        case '#': count_ = reader_.u32(); break;
        case '*': reader_.skip(reader_.remaining()); break;
        case 'N': walk(kObjectNet); break;
        case 'A': walk(kAvObject); break;
        case 'T': walk(kTimeController); break;
        case '{': {
          const std::size_t end = layout.find('}', i);
          const std::string_view group = layout.substr(i + 1, end - i - 1);
          // Every turn takes bytes, so that a large count ends with the block.
          for (std::uint32_t turn = 0; turn < count_ && reader_.ok(); ++turn) walk(group);
          i = end;
          break;
        }
        default: {
          std::size_t bytes = 0;
          for (; i < layout.size() && is_digit(layout[i]); ++i)
            bytes = 10 * bytes + static_cast<std::size_t>(layout[i] - '0');
          --i;
          reader_.skip(bytes);
          static_cast<void>(c);
        }
      }
    }
  }

  void reference() {
    found_.push_back(reader_.position());
    reader_.skip(4);
  }
  void references(std::uint32_t count) {
    if (count > reader_.remaining() / 4) return reader_.set_error(ErrorCode::Malformed, "too many references");
    for (std::uint32_t i = 0; i < count; ++i) reference();
  }

  ByteReader reader_;
  std::uint32_t count_ = 0;
  std::vector<std::size_t> found_;
};

// The new number of each block, `kNoBlock` for those that go.
std::vector<std::int32_t> new_numbers(const NifFile& file, std::span<const std::int32_t> removed) {
  std::vector<std::int32_t> numbers(file.blocks.size());
  std::int32_t next = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = std::ranges::find(removed, static_cast<std::int32_t>(i)) != removed.end() ? kNoBlock : next++;
  return numbers;
}

void drop_unused_types(NifFile& file) {
  std::vector<std::uint16_t> new_index(file.types.size());
  std::vector<bool> is_used(file.types.size());
  for (const NifBlock& block : file.blocks) is_used[block.type & kTypeIndexMask] = true;
  std::vector<std::string> types;
  for (std::size_t i = 0; i < file.types.size(); ++i) {
    new_index[i] = static_cast<std::uint16_t>(types.size());
    if (is_used[i]) types.push_back(std::move(file.types[i]));
  }
  for (NifBlock& block : file.blocks)
    block.type = static_cast<std::uint16_t>((block.type & ~kTypeIndexMask) | new_index[block.type & kTypeIndexMask]);
  file.types = std::move(types);
}

}  // namespace

std::optional<std::vector<std::size_t>> find_references(const NifFile& file, std::int32_t block) {
  const std::string_view type = file.type_of(block);
  const auto layout = std::ranges::lower_bound(kLayouts, type, {}, &Layout::first);
  if (layout == kLayouts.end() || layout->first != type) return std::nullopt;
  const std::vector<std::byte>& bytes = file.blocks[static_cast<std::size_t>(block)].bytes;
  auto found = Walker(bytes).run(layout->second);
  if (!found) return std::nullopt;
  for (const std::size_t at : *found)
    if (const auto target = load<std::int32_t>(bytes, at); target != kNoBlock && !file.has_block(target))
      return std::nullopt;
  return found;
}

Result<void> remove_blocks(NifFile& file, std::span<const std::int32_t> blocks) {
  const std::vector<std::int32_t> numbers = new_numbers(file, blocks);
  NifFile edited = file;
  std::vector<NifBlock> kept;
  for (std::size_t i = 0; i < edited.blocks.size(); ++i) {
    if (numbers[i] == kNoBlock) continue;
    const auto block = static_cast<std::int32_t>(i);
    const auto references = find_references(edited, block);
    if (!references)
      return fail(
          ErrorCode::Unsupported,
          "blocks cannot be renumbered: the references of " + std::string(file.type_of(block)) + " are not known",
          kNoOffset, "blocks[" + std::to_string(i) + "]");
    std::vector<std::byte>& bytes = edited.blocks[i].bytes;
    for (const std::size_t at : *references) {
      const auto target = load<std::int32_t>(bytes, at);
      const std::int32_t moved = target == kNoBlock ? kNoBlock : numbers[static_cast<std::size_t>(target)];
      std::memcpy(bytes.data() + at, &moved, sizeof moved);
    }
  }
  for (std::size_t i = 0; i < edited.blocks.size(); ++i)
    if (numbers[i] != kNoBlock) kept.push_back(std::move(edited.blocks[i]));
  edited.blocks = std::move(kept);
  for (std::int32_t& root : edited.roots)
    if (file.has_block(root)) root = numbers[static_cast<std::size_t>(root)];
  drop_unused_types(edited);
  file = std::move(edited);
  return {};
}

std::vector<std::int32_t> orphaned_blocks(const NifFile& file) {
  std::vector<bool> seen(file.blocks.size());
  std::vector<std::int32_t> open;
  const auto visit = [&](std::int32_t block) {
    if (!file.has_block(block) || seen[static_cast<std::size_t>(block)]) return;
    seen[static_cast<std::size_t>(block)] = true;
    open.push_back(block);
  };
  for (const std::int32_t root : file.roots) visit(root);
  while (!open.empty()) {
    const std::int32_t block = open.back();
    open.pop_back();
    const auto references = find_references(file, block);
    if (!references) return {};
    for (const std::size_t at : *references)
      visit(load<std::int32_t>(file.blocks[static_cast<std::size_t>(block)].bytes, at));
  }
  std::vector<std::int32_t> orphans;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (!seen[i]) orphans.push_back(static_cast<std::int32_t>(i));
  return orphans;
}

}  // namespace marrow
