// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "core/try.h"
#include "marrow/havok/compare.h"
#include "marrow/havok/physics.h"
#include "marrow/ops/collision_check.h"
#include "marrow/ops/collision_export.h"
#include "marrow/ops/collision_file.h"
#include "ops/formats.h"

namespace marrow {
namespace {

// The names of all bones of a packfile, or of all nodes of a skeleton.nif.
Result<Skeleton> skeleton_names(std::span<const std::byte> bytes, const Limits& limits) {
  Skeleton skeleton;
  if (detect(bytes) == Format::Nif) {
    MARROW_TRY(const NifFile nif, read_nif(bytes, limits));
    MARROW_TRY(const std::vector<NifNode> nodes, read_nodes(nif));
    for (const NifNode& node : nodes) skeleton.bones.push_back({node.name, node.parent, node.local, false});
    return skeleton;
  }
  MARROW_TRY(const havok::Packfile file, read_havok(bytes, {.limits = limits}));
  for (const havok::ObjectId id : file.find_all("hkaSkeleton")) {
    const havok::ArrayView bones = file.at(id).fields().array("bones");
    for (std::uint32_t i = 0; i < bones.size(); ++i) {
      Bone bone;
      const bool is_inline = bones.element().record != nullptr;
      bone.name = is_inline ? std::string(bones.record(i).text("name").value_or("")) : std::string();
      skeleton.bones.push_back(std::move(bone));
    }
  }
  if (skeleton.bones.empty()) return fail(ErrorCode::NotFound, "the file given with --skeleton holds no skeleton");
  return skeleton;
}

std::string block_text(const NifFile& file, std::size_t block) {
  return std::string(file.type_of(static_cast<std::int32_t>(block))) + ", " +
         std::to_string(file.blocks[block].bytes.size()) + " bytes";
}

// Embedded packfiles are compared by what they hold.
Result<bool> diff_packfiles(const EmbeddedPackfile& left, const EmbeddedPackfile& right, const Limits& limits,
                            std::vector<Difference>& differences) {
  const auto a = havok::read_packfile(left.bytes, {.limits = limits}),
             b = havok::read_packfile(right.bytes, {.limits = limits});
  if (!a || !b || a->schema != b->schema) return false;
  for (havok::TreeDifference& difference : compare(*a, *b))
    differences.push_back({"blocks[" + std::to_string(left.block) + "]." + difference.path, std::move(difference.left),
                           std::move(difference.right)});
  return true;
}

}  // namespace

Result<FileInfo> info_nif(std::span<const std::byte> bytes, const Limits& limits) {
  MARROW_TRY(const NifFile nif, read_nif(bytes, limits));
  FileInfo info;
  info.format = "nif";
  info.game = "fallout4";
  info.version = "20.2.0.7";
  for (std::size_t i = 0; i < nif.blocks.size(); ++i) {
    const std::string name(nif.type_of(static_cast<std::int32_t>(i)));
    const auto found = std::ranges::find(info.classes, name, &std::pair<std::string, std::size_t>::first);
    if (found == info.classes.end())
      info.classes.emplace_back(name, 1);
    else
      ++found->second;
  }
  MARROW_TRY(const CollisionFile file, read_collision(bytes, limits));
  std::size_t bodies = 0;
  for (const CollisionEntry& entry : file.entries) bodies += entry.system.bodies.size();
  info.details.emplace_back("collision",
                            std::to_string(file.entries.size()) + " systems, " + std::to_string(bodies) + " bodies");
  return info;
}

Result<Converted> convert_collision(std::span<const std::byte> bytes, const ConvertOptions& options) {
  if (options.format != OutputFormat::Same && options.format != OutputFormat::Nif) {
    MARROW_TRY(const CollisionFile file, read_collision(bytes, options.limits));
    Converted converted;
    converted.format = options.format;
    MARROW_TRY(converted.bytes,
               export_collision(file, {.format = options.format, .units = options.units}, converted.notes));
    return converted;
  }
  MARROW_TRY(NifFile nif, read_nif(bytes, options.limits));
  MARROW_TRY(const std::vector<EmbeddedPackfile> all, read_embedded(nif));
  for (const EmbeddedPackfile& embedded : all) {
    if (embedded.kind == EmbeddedKind::Cloth) continue;
    MARROW_TRY(const havok::Packfile packfile, havok::read_packfile(embedded.bytes, {.limits = options.limits}));
    MARROW_TRY(const std::vector<std::byte> blob, havok::write_packfile(packfile));
    MARROW_CHECK(replace_embedded(nif, embedded.block, blob));
  }
  return Converted{write_nif(nif), OutputFormat::Nif, {}};
}

Result<Findings> check_nif(std::span<const std::byte> bytes, const CheckOptions& options) {
  MARROW_TRY(const CollisionFile file, read_collision(bytes, options.limits));
  Findings findings = check_collision(file);
  if (!options.skeleton.empty()) {
    MARROW_TRY(const Skeleton skeleton, skeleton_names(options.skeleton, options.limits));
    MARROW_TRY(const Findings skins, check_skins(*file.nif, skeleton));
    findings.insert(findings.end(), skins.begin(), skins.end());
  }
  return findings;
}

Result<std::vector<Difference>> diff_nif(std::span<const std::byte> left, std::span<const std::byte> right,
                                         const Limits& limits) {
  MARROW_TRY(const NifFile a, read_nif(left, limits));
  MARROW_TRY(const NifFile b, read_nif(right, limits));
  MARROW_TRY(const std::vector<EmbeddedPackfile> packs_a, read_embedded(a));
  MARROW_TRY(const std::vector<EmbeddedPackfile> packs_b, read_embedded(b));
  std::vector<Difference> differences;
  if (a.strings != b.strings)
    differences.push_back({"strings", std::to_string(a.strings.size()), std::to_string(b.strings.size())});
  if (a.roots != b.roots)
    differences.push_back({"roots", std::to_string(a.roots.size()), std::to_string(b.roots.size())});
  const std::size_t count = std::max(a.blocks.size(), b.blocks.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto block = static_cast<std::int32_t>(i);
    const std::string where = "blocks[" + std::to_string(i) + "]";
    if (i >= a.blocks.size() || i >= b.blocks.size() || a.type_of(block) != b.type_of(block)) {
      differences.push_back(
          {where, i < a.blocks.size() ? block_text(a, i) : "", i < b.blocks.size() ? block_text(b, i) : ""});
      continue;
    }
    if (a.blocks[i].bytes == b.blocks[i].bytes) continue;
    const auto pack_a = std::ranges::find(packs_a, block, &EmbeddedPackfile::block);
    const auto pack_b = std::ranges::find(packs_b, block, &EmbeddedPackfile::block);
    if (pack_a != packs_a.end() && pack_b != packs_b.end()) {
      MARROW_TRY(const bool was_compared, diff_packfiles(*pack_a, *pack_b, limits, differences));
      if (was_compared) continue;
    }
    differences.push_back({where, block_text(a, i), block_text(b, i) + ", other content"});
  }
  return differences;
}

}  // namespace marrow
