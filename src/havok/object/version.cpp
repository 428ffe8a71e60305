// SPDX-License-Identifier: MIT
#include "havok/object/version.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "havok/animation/names.h"
#include "havok/object/schema_text.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

constexpr std::array<AnimationType, 5> kTypes2010 = {{{kInterleavedAnimation, 1},
                                                      {"hkaDeltaCompressedAnimation", 2},
                                                      {"hkaWaveletCompressedAnimation", 3},
                                                      {kSplineAnimation, 5},
                                                      {"hkaQuantizedAnimation", 6}}};
constexpr std::array<AnimationType, 4> kTypes2014 = {{{kInterleavedAnimation, 1},
                                                      {kSplineAnimation, 3},
                                                      {"hkaQuantizedAnimation", 4},
                                                      {"hkaReferencePoseAnimation", 6}}};
/// One predicate, number 20, padded to 16.
constexpr std::array<std::uint8_t, 16> kPredicates2014 = {20};

constexpr std::array kVersions = {
    HavokVersion{.name = kVersion2010,
                 .games = "Skyrim",
                 .file_version = 8,
                 .section_header_size = 0x30,
                 .has_predicates = false,
                 .usual_max_predicate = 0xFFFF,
                 .usual_predicates = {},
                 .animation_types = kTypes2010,
                 .additive_deprecated = 1,
                 .additive = std::nullopt},
    HavokVersion{.name = kVersion2014,
                 .games = "Fallout 4",
                 .file_version = 11,
                 .section_header_size = 0x40,
                 .has_predicates = true,
                 .usual_max_predicate = 21,
                 .usual_predicates = kPredicates2014,
                 .animation_types = kTypes2014,
                 .additive_deprecated = 1,
                 .additive = 2},
};

/// Returns tenths of years: 20102 for `hk_2010.2.0-r1`. Nothing for names of another form, as in versions before 2010.
std::optional<std::int64_t> date_of(std::string_view name) {
  if (!name.starts_with("hk_") || name.size() < 9 || name[7] != '.') return std::nullopt;
  const auto year = parse_uint(name.substr(3, 4)), part = parse_uint(name.substr(8, 1));
  if (!year || !part) return std::nullopt;
  return static_cast<std::int64_t>(*year * 10 + *part);
}

/// Opened on first use and kept: the tables are part of the program, so an error in them is a bug.
template <std::size_t I>
const Schema* schema_of_row() {
  static const auto schema = [] {
    const auto table = std::ranges::find(kClassTables, kVersions[I].name, &ClassTable::version);
    if (table == kClassTables.end()) std::abort();
    auto opened = Schema::open(table->text, std::string(table->version));
    if (!opened) std::abort();
    return std::move(*opened);
  }();
  return schema.get();
}

using Load = const Schema* (*)();

constexpr auto kLoaders = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array<Load, sizeof...(I)>{&schema_of_row<I>...};
}(std::make_index_sequence<kVersions.size()>());

}  // namespace

std::span<const HavokVersion> havok_versions() { return kVersions; }

const HavokVersion* find_version(std::string_view name) {
  const auto found = std::ranges::find(kVersions, name, &HavokVersion::name);
  return found == kVersions.end() ? nullptr : &*found;
}

const HavokVersion& nearest_version(std::string_view name) {
  const auto date = date_of(name);
  if (!date) return kVersions.front();
  return *std::ranges::min_element(
      kVersions, {}, [&](const HavokVersion& version) { return std::abs(*date_of(version.name) - *date); });
}

const HavokVersion& version_of(const Schema& schema) {
  const HavokVersion* found = find_version(schema.version());
  return found ? *found : kVersions.front();
}

std::string supported_versions() {
  std::string list;
  for (std::size_t i = 0; i < kVersions.size(); ++i) {
    if (i > 0) list += i + 1 == kVersions.size() ? " and " : ", ";
    list += std::string(kVersions[i].name) + " (" + std::string(kVersions[i].games) + ")";
  }
  return list;
}

const Schema* builtin_schema(std::string_view version) {
  const HavokVersion* found = find_version(version);
  return found ? kLoaders[static_cast<std::size_t>(found - kVersions.data())]() : nullptr;
}

}  // namespace marrow::havok
