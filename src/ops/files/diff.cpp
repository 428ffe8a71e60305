// SPDX-License-Identifier: MIT
#include "ops/files/diff.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "anvil/diff.h"
#include "behavior/diff.h"
#include "behavior/graph.h"
#include "core/try.h"
#include "havok/animation/animation.h"
#include "havok/animation/skeleton.h"
#include "havok/object/compare.h"
#include "nif/embedded.h"
#include "nif/nif_header.h"
#include "nif/record.h"
#include "nif/values.h"
#include "ops/body/diff.h"
#include "ops/clip/diff.h"
#include "ops/document/as_saved.h"
#include "ops/files/diff_values.h"

namespace marrow {
namespace {

/// More differences than anyone would read.
constexpr std::size_t kLimit = 100'000;

std::optional<std::string> side(std::string text) {
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

// Splits a path such as `hkaSkeleton.bones[3].name` into the object and its field.
Difference tree_difference(havok::TreeDifference&& tree, std::string prefix = {}) {
  const std::size_t dot = tree.path.rfind('.');
  Difference out{.kind = "object"};
  out.object = prefix + tree.path.substr(0, std::min(dot, tree.path.size()));
  if (dot != std::string::npos) out.field = tree.path.substr(dot + 1);
  out.left = std::move(tree.left);
  out.right = std::move(tree.right);
  return out;
}

bool holds_motion(const havok::Packfile& file) {
  return !havok::find_animations(file).empty() || !havok::find_skeletons(file).empty();
}

/// True for parts of the tree that `diff_animation` compares by meaning.
bool is_compared_as_model(std::string_view path) {
  constexpr std::array<std::string_view, 6> kParts = {".animations[", ".bindings[", ".skeletons[",
                                                      ".skeletonA",   ".skeletonB", ".skeleton."};
  return std::ranges::any_of(kParts, [&](std::string_view part) { return path.find(part) != std::string_view::npos; });
}

Result<void> diff_havok(const havok::Packfile& a, const havok::Packfile& b, const Limits& limits,
                        std::vector<Difference>& out) {
  const bool moves = holds_motion(a) && holds_motion(b);
  if (moves) MARROW_CHECK(diff_animation(a, b, limits, out));
  // Across versions only clips and skeletons can be compared; for them a version is just another encoding.
  if (a.schema != b.schema) {
    if (!moves)
      out.push_back({.kind = "file", .field = "version", .left = a.schema->version(), .right = b.schema->version()});
    return {};
  }
  if (behavior::kind_of(a) == behavior::FileKind::Behavior && behavior::kind_of(b) == behavior::FileKind::Behavior) {
    for (behavior::GraphDifference& each : behavior::diff_graphs(a, b, kLimit))
      out.push_back({.kind = std::move(each.kind),
                     .object = std::move(each.object),
                     .field = std::move(each.field),
                     .left = std::move(each.left),
                     .right = std::move(each.right)});
    return {};
  }
  for (havok::TreeDifference& difference : compare(a, b, kLimit))
    if (!moves || !is_compared_as_model(difference.path)) out.push_back(tree_difference(std::move(difference)));
  return {};
}

void diff_anvil(const anvil::Skeleton& a, const anvil::Skeleton& b, std::vector<Difference>& out) {
  for (anvil::Difference& each : anvil::diff(a, b))
    out.push_back({.kind = each.object.empty() ? "skeleton" : "bone",
                   .object = std::move(each.object),
                   .field = std::move(each.field),
                   .left = side(std::move(each.left)),
                   .right = side(std::move(each.right))});
}

std::string block_text(const NifFile& file, std::size_t block) {
  return std::string(file.type_of(static_cast<std::int32_t>(block))) + ", " +
         std::to_string(file.blocks[block].bytes.size()) + " bytes";
}

// Compares embedded packfiles by content. Returns false if they cannot be compared.
bool diff_embedded(const EmbeddedPackfile& left, const EmbeddedPackfile& right, const Limits& limits,
                   std::vector<Difference>& out) {
  const auto a = havok::read_packfile(left.bytes, {.limits = limits}),
             b = havok::read_packfile(right.bytes, {.limits = limits});
  if (!a || !b || a->schema != b->schema) return false;
  for (havok::TreeDifference& difference : compare(*a, *b))
    out.push_back(tree_difference(std::move(difference), "blocks[" + std::to_string(left.block) + "]."));
  return true;
}

/// More values of one array than this that differ are one line.
constexpr std::size_t kMostOfAnArray = 8;

// Puts many differences of one array into one.
void gather_arrays(std::vector<Difference>& rows) {
  const auto array_of = [](const Difference& row) { return row.field.substr(0, row.field.find('[')); };
  std::map<std::string, std::size_t> counts;
  for (const Difference& row : rows)
    if (row.field.find('[') != std::string::npos) ++counts[array_of(row)];
  std::set<std::string> gathered;
  std::vector<Difference> kept;
  for (Difference& row : rows) {
    const auto count = row.field.find('[') == std::string::npos ? counts.end() : counts.find(array_of(row));
    if (count == counts.end() || count->second <= kMostOfAnArray) {
      kept.push_back(std::move(row));
    } else if (gathered.insert(count->first).second) {
      kept.push_back(
          {.kind = row.kind,
           .object = row.object,
           .field = count->first,
           .left = row.left,
           .right = row.right.value_or("nothing") + "; " + std::to_string(count->second) + " values differ"});
    }
  }
  rows = std::move(kept);
}

// Compares described blocks value by value. Returns false if one of them cannot be read.
bool diff_values(const NifFile& a, const NifFile& b, std::int32_t block, const Limits& limits,
                 std::vector<Difference>& out) {
  const auto left = nif::values_of(a, block, limits), right = nif::values_of(b, block, limits);
  if (!left || !right) return false;
  std::map<std::string_view, std::string_view> values;
  for (const nif::NamedValue& each : *left) values[each.path] = each.text;
  const std::string object = "blocks[" + std::to_string(block) + "]." + std::string(a.type_of(block));
  std::vector<Difference> rows;
  const auto add = [&](std::string_view field, std::string was, std::string is) {
    if (rows.size() < kLimit)
      rows.push_back({.kind = "block",
                      .object = object,
                      .field = std::string(field),
                      .left = side(std::move(was)),
                      .right = side(std::move(is))});
  };
  for (const nif::NamedValue& each : *right) {
    const auto was = values.find(each.path);
    if (was == values.end() || was->second != each.text)
      add(each.path, was == values.end() ? std::string() : std::string(was->second), each.text);
    if (was != values.end()) values.erase(was);
  }
  for (const auto& [path, text] : values) add(path, std::string(text), {});
  if (!is_legacy_collision(a.type_of(block))) gather_arrays(rows);
  for (Difference& row : rows)
    if (out.size() < kLimit) out.push_back(std::move(row));
  return true;
}

Result<void> diff_nif(const NifFile& a, const NifFile& b, const Limits& limits, std::vector<Difference>& out) {
  MARROW_TRY(const std::vector<EmbeddedPackfile> packs_a, read_embedded(a));
  MARROW_TRY(const std::vector<EmbeddedPackfile> packs_b, read_embedded(b));
  const auto counts = [&](const char* field, std::size_t left, std::size_t right) {
    out.push_back({.kind = "file", .field = field, .left = std::to_string(left), .right = std::to_string(right)});
  };
  if (a.strings != b.strings) counts("strings", a.strings.size(), b.strings.size());
  if (a.roots != b.roots) counts("roots", a.roots.size(), b.roots.size());
  for (std::size_t i = 0; i < std::max(a.blocks.size(), b.blocks.size()); ++i) {
    const auto block = static_cast<std::int32_t>(i);
    Difference difference{.kind = "block", .object = "blocks[" + std::to_string(i) + "]"};
    if (i < a.blocks.size()) difference.left = block_text(a, i);
    if (i < b.blocks.size()) difference.right = block_text(b, i);
    const bool is_same_type = difference.left && difference.right && a.type_of(block) == b.type_of(block);
    if (is_same_type && a.blocks[i].bytes == b.blocks[i].bytes) continue;
    if (is_same_type) {
      const auto pack_a = std::ranges::find(packs_a, block, &EmbeddedPackfile::block);
      const auto pack_b = std::ranges::find(packs_b, block, &EmbeddedPackfile::block);
      if (pack_a != packs_a.end() && pack_b != packs_b.end() && diff_embedded(*pack_a, *pack_b, limits, out)) continue;
      if (nif::type_of(a, block) && diff_values(a, b, block, limits, out)) continue;
      *difference.right += ", different content";
    }
    out.push_back(std::move(difference));
  }
  diff_shapes(a, b, limits, out);
  return {};
}

}  // namespace

void describe(FieldList&, DiffOptions&) {}

void describe(FieldList& fields, Difference& difference) {
  fields("kind", difference.kind);
  fields("object", difference.object, {.help = "bone, track, body or class name"});
  fields("field", difference.field);
  fields("left", difference.left);
  fields("right", difference.right);
  fields("size", difference.size, {.help = "size of the difference, if it can be measured"});
  fields("unit", difference.unit, {.help = "unit of the size"});
}

void describe(FieldList& fields, DiffReport& report) {
  fields("a", report.a);
  fields("b", report.b);
  fields("differences", report.differences);
}

Result<DiffReport> diff(const Document& left, const Document& right, const DiffOptions&, Context& context) {
  DiffReport report{left.name, right.name};
  MARROW_TRY(const Document a, as_saved(left, context));
  MARROW_TRY(const Document b, as_saved(right, context));
  if (a.packfile() && b.packfile())
    MARROW_CHECK(diff_havok(*a.packfile(), *b.packfile(), context.limits, report.differences));
  else if (a.nif() && b.nif())
    MARROW_CHECK(diff_nif(*a.nif(), *b.nif(), context.limits, report.differences));
  else if (is_anvil(a.format) && is_anvil(b.format) && a.anvil() && b.anvil())
    diff_anvil(*a.anvil(), *b.anvil(), report.differences);
  else if (a.cache() && b.cache() && a.format == b.format)
    diff_caches(a, b, report.differences);
  else if (can_diff_values(a, b))
    MARROW_CHECK(diff_values(a, b, context, report.differences));
  else
    return fail(ErrorCode::WrongKind,
                "a " + std::string(title(a.format)) + " and a " + std::string(title(b.format)) + " cannot be compared");
  return report;
}

}  // namespace marrow
