// SPDX-License-Identifier: MIT
#include "havok/object/version.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <list>
#include <memory>
#include <utility>

#include "core/memory.h"
#include "core/sync.h"
#include "havok/animation/names.h"
#include "havok/object/schema_text.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

constexpr std::array<AnimationType, 4> kTypes5 = {{{"hkaInterleavedSkeletalAnimation", 1},
                                                   {"hkaDeltaCompressedSkeletalAnimation", 2},
                                                   {"hkaWaveletSkeletalAnimation", 3},
                                                   {"hkaSplineSkeletalAnimation", 5}}};
constexpr std::array<AnimationType, 4> kTypes6 = {
    {{kInterleavedAnimation, 1}, {kDeltaAnimation, 2}, {kWaveletAnimation, 3}, {kSplineAnimation, 5}}};
constexpr std::array<AnimationType, 5> kTypes2010 = {{{kInterleavedAnimation, 1},
                                                      {kDeltaAnimation, 2},
                                                      {kWaveletAnimation, 3},
                                                      {kSplineAnimation, 5},
                                                      {"hkaQuantizedAnimation", 6}}};
constexpr std::array<AnimationType, 4> kTypes2014 = {{{kInterleavedAnimation, 1},
                                                      {kSplineAnimation, 3},
                                                      {"hkaQuantizedAnimation", 4},
                                                      {"hkaReferencePoseAnimation", 6}}};
constexpr std::array<AnimationType, 3> kTypes2011 = {
    {{kInterleavedAnimation, 1}, {kSplineAnimation, 3}, {"hkaQuantizedAnimation", 4}}};
/// One predicate, number 20, padded to 16.
constexpr std::array<std::uint8_t, 16> kPredicates2014 = {20};

constexpr std::uint32_t kNotOwnedTwice = 0xC0000000, kNotOwned = 0x80000000;

// The eras: what changed for good with 5, 6, 7, 2010, 2011, 2012 and 2014.
constexpr HavokVersion era_5(std::string_view name, std::string_view table, bool is_tested) {
  return {.name = name,
          .games = {},
          .table = table,
          .others = {},
          .is_tested = is_tested,
          .is_beyond = false,
          .file_version = 5,
          .usual_flags = -1,
          .array_flags = kNotOwnedTwice,
          .string_list_alignment = 1,
          .keeps_class_list = true,
          .marks_null_classes = true,
          .usual_max_predicate = 0xFFFF,
          .usual_predicates = {},
          .animation_types = kTypes5,
          .additive_deprecated = 1,
          .additive = std::nullopt};
}

constexpr HavokVersion era_6(std::string_view name, bool is_tested) {
  HavokVersion row = era_5(name, "Havok-6.6.0-r1", is_tested);
  row.file_version = 7;
  row.string_list_alignment = 2;
  row.keeps_class_list = false;
  row.animation_types = kTypes6;
  return row;
}

constexpr HavokVersion era_7(std::string_view name, bool is_tested) {
  HavokVersion row = era_6(name, is_tested);
  row.table = "Havok-7.1.0-r1";
  row.others = kVersion2010;
  row.array_flags = kNotOwned;
  row.marks_null_classes = false;
  return row;
}

constexpr HavokVersion era_2010(std::string_view name, std::int32_t file_version, std::string_view table,
                                std::string_view others) {
  HavokVersion row = era_7(name, true);
  row.table = table;
  row.others = others;
  row.file_version = file_version;
  row.usual_flags = 0;
  row.animation_types = kTypes2010;
  return row;
}

constexpr HavokVersion era_2011(std::string_view name, std::string_view table, std::string_view others,
                                bool is_tested) {
  HavokVersion row = era_2010(name, 9, table, others);
  row.is_tested = is_tested;
  row.animation_types = kTypes2011;
  return row;
}

constexpr HavokVersion era_2014(std::string_view name, std::string_view table, std::string_view others,
                                bool is_tested) {
  HavokVersion row = era_2011(name, table, others, is_tested);
  row.file_version = 11;
  row.animation_types = kTypes2014;
  row.usual_max_predicate = 21;
  row.usual_predicates = kPredicates2014;
  row.additive = 2;
  return row;
}

constexpr HavokVersion of_games(HavokVersion row, std::string_view games) {
  row.games = games;
  return row;
}

/// The version of the tagfiles that were at hand.
constexpr std::string_view kTestedTagfiles = "20150100";

constexpr std::string_view kTable2011 = "hk_2011.1.0-r1", kTable2012 = "hk_2012.2.0-r1";

constexpr std::array kVersions = {
    era_5("Havok-5.0.0-r1", "Havok-5.0.0-r1", false),
    era_5("Havok-5.1.0-r1", "Havok-5.0.0-r1", false),
    of_games(era_5("Havok-5.5.0-r1", "Havok-5.5.0-r1", true), "Demon's Souls"),
    era_6("Havok-6.0.0-r1", false),
    era_6("Havok-6.1.0-r1", false),
    era_6("Havok-6.5.0-r1", false),
    era_6("Havok-6.6.0-r1", true),
    era_7("Havok-7.0.0-r1", false),
    era_7("Havok-7.1.0-r1", true),
    era_2010("hk_2010.1.0-r1", 7, "hk_2010.1.0-r1", kVersion2010),
    of_games(era_2010(kVersion2010, 8, kVersion2010, {}), "Skyrim"),
    era_2011("hk_2011.1.0-r1", kTable2011, kVersion2010, true),
    era_2011("hk_2011.2.0-r1", kTable2011, kVersion2010, true),
    era_2011("hk_2011.3.0-r1", kTable2011, kVersion2010, false),
    era_2011("hk_2011.3.1-r1", kTable2011, kVersion2010, false),
    era_2011("hk_2012.1.0-r1", kTable2012, kVersion2014, false),
    era_2011("hk_2012.2.0-r1", kTable2012, kVersion2014, true),
    era_2011("hk_2013.1.0-r1", kTable2012, kVersion2014, true),
    of_games(era_2014(kVersion2014, kVersion2014, {}, true), "Fallout 4"),
    era_2014("hk_2014.2.0-r1", kVersion2014, {}, false),
    era_2014("hk_2015.1.0-r1", "hk_2015.1.0-r1", kVersion2014, false),
    era_2014("hk_2016.1.0-r1", "hk_2015.1.0-r1", kVersion2014, false),
    era_2014("hk_2016.2.0-r1", "hk_2015.1.0-r1", kVersion2014, false),
};

/// Returns tenths of years: 20102 for `hk_2010.2.0-r1`. Nothing for names of another form, as in versions before 2010.
std::optional<std::int64_t> date_of(std::string_view name) {
  if (!name.starts_with("hk_") || name.size() < 9 || name[7] != '.') return std::nullopt;
  const auto year = parse_uint(name.substr(3, 4)), part = parse_uint(name.substr(8, 1));
  if (!year || !part) return std::nullopt;
  return static_cast<std::int64_t>(*year * 10 + *part);
}

/// Returns a number that grows with the version, 20100200 for `hk_2010.2.0-r1`; nothing if the text is not a version.
std::optional<std::uint64_t> order_of(std::string_view name) {
  constexpr std::string_view kOld = "Havok-", kNew = "hk_";
  const bool is_new = name.starts_with(kNew);
  if (!is_new && !name.starts_with(kOld)) return std::nullopt;
  std::string_view rest = name.substr(is_new ? kNew.size() : kOld.size());
  const std::size_t revision = rest.find("-r");
  if (revision == std::string_view::npos || !parse_uint(rest.substr(revision + 2))) return std::nullopt;
  rest = rest.substr(0, revision);
  std::uint64_t order = 0;
  for (int part = 0; part < 3; ++part) {
    const std::size_t end = part < 2 ? rest.find('.') : rest.size();
    const auto number = end == std::string_view::npos ? std::nullopt : parse_uint(rest.substr(0, end));
    if (!number || *number >= (part == 0 ? 3000u : 100u)) return std::nullopt;
    order = 100 * order + *number;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return order;
}

std::string_view text_of_table(std::string_view name) {
  const auto table = std::ranges::find(kClassTables, name, &ClassTable::version);
  if (table == kClassTables.end()) std::abort();
  return table->text;
}

/// The tables are part of the program, so an error in them is a bug.
std::unique_ptr<const Schema> open_schema(const HavokVersion& row) {
  const std::string_view others = row.others.empty() ? std::string_view() : text_of_table(row.others);
  auto opened = Schema::open(text_of_table(row.table), std::string(row.name), others);
  if (!opened) std::abort();
  return std::move(*opened);
}

/// Opened on first use and kept.
template <std::size_t I>
const Schema* schema_of_row() {
  static const auto schema = open_schema(kVersions[I]);
  return schema.get();
}

/// A version that is not in the table: the row before it, under its own name.
struct OtherVersion {
  std::string name;
  HavokVersion row;
  std::unique_ptr<const Schema> schema = nullptr;
};

struct OtherVersions {
  static constexpr std::size_t kMost = 64;
  Mutex mutex;
  std::list<OtherVersion> all;  // addresses stay
};

const OtherVersion* find_other_version(std::string_view name) {
  static OtherVersions others;
  const auto order = order_of(name);
  if (!order) return nullptr;
  const ScopedLock<Mutex> lock(others.mutex);
  const MustAllocate whole;
  const auto found = std::ranges::find(others.all, name, &OtherVersion::name);
  if (found != others.all.end()) return &*found;
  if (others.all.size() >= OtherVersions::kMost) return nullptr;
  const HavokVersion* before = &kVersions.front();
  for (const HavokVersion& version : kVersions)
    if (*order_of(version.name) <= *order) before = &version;
  OtherVersion& other = others.all.emplace_back(std::string(name), *before);
  other.row.name = other.name;
  other.row.games = {};
  other.row.is_tested = false;
  other.row.is_beyond = *order < *order_of(kVersions.front().name) || *order > *order_of(kVersions.back().name);
  other.schema = open_schema(other.row);
  return &other;
}

using Load = const Schema* (*)();

constexpr auto kLoaders = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array<Load, sizeof...(I)>{&schema_of_row<I>...};
}(std::make_index_sequence<kVersions.size()>());

}  // namespace

std::span<const HavokVersion> havok_versions() { return kVersions; }

const HavokVersion* find_version(std::string_view name) {
  const auto found = std::ranges::find(kVersions, name, &HavokVersion::name);
  if (found != kVersions.end()) return &*found;
  const OtherVersion* other = find_other_version(name);
  return other ? &other->row : nullptr;
}

const HavokVersion& default_version() { return *find_version(kVersion2010); }

const HavokVersion& nearest_version(std::string_view name) {
  const auto date = date_of(name);
  if (!date) return default_version();
  const HavokVersion* nearest = &default_version();
  const auto distance = [&](const HavokVersion& version) { return std::abs(*date_of(version.name) - *date); };
  for (const HavokVersion& version : kVersions)
    if (version.is_complete() && distance(version) < distance(*nearest)) nearest = &version;
  return *nearest;
}

const HavokVersion& version_of(const Schema& schema) {
  const HavokVersion* found = find_version(schema.version());
  return found ? *found : *find_version(kVersion2014);
}

std::string supported_versions() {
  return std::string(kVersions.front().name) + " to " + std::string(kVersions.back().name);
}

bool is_tested_version(const Schema& schema) {
  const HavokVersion* found = find_version(schema.version());
  return found ? found->is_tested : schema.version() == kTestedTagfiles;
}

const Schema* builtin_schema(std::string_view version) {
  const auto found = std::ranges::find(kVersions, version, &HavokVersion::name);
  if (found != kVersions.end()) return kLoaders[static_cast<std::size_t>(found - kVersions.begin())]();
  const OtherVersion* other = find_other_version(version);
  return other ? other->schema.get() : nullptr;
}

}  // namespace marrow::havok
