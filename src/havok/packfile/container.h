// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "havok/object/version.h"
#include "havok/packfile/packfile.h"
#include "marrow/core/error.h"

namespace marrow::havok {

struct ClassName {
  std::string_view name;
  std::uint32_t signature;
  const Class* known;  ///< the schema's class with that name, whatever its signature; null if there is none
  const Class* type;   ///< `known` if it describes the objects of the file; null otherwise
};

struct VirtualFixup {
  std::uint32_t object;
  std::uint32_t type;  ///< index in `ContainerView::class_names`
};

/// A packfile taken apart into its sections and tables, nothing of its objects understood yet. Borrows the bytes.
struct ContainerView {
  std::int32_t user_tag = 0;
  FileLayout layout;
  std::int32_t file_version = 0;
  std::int32_t flags = 0;
  std::uint16_t max_predicate = 0;
  std::vector<std::byte> predicates;
  const HavokVersion* version = nullptr;
  const Schema* schema = nullptr;
  std::shared_ptr<const Schema> own_schema;  ///< `schema` with classes that the file describes; null if it has none
  std::uint32_t root_offset = 0;

  std::optional<std::uint8_t> class_name_padding;  ///< what fills the gap after the class names, if there is one
  std::uint64_t data_start = 0;                    ///< of the data section, in the file
  std::span<const std::byte> data;                 ///< objects only, without the tables behind them
  std::vector<ClassName> class_names;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> local_fixups;   ///< from, to
  std::vector<std::pair<std::uint32_t, std::uint32_t>> global_fixups;  ///< from, to
  /// Pointers into the section of class descriptions: place among `global_fixups`, from, to.
  std::vector<TypeFixup> type_fixups;
  TypeSection types;                  ///< without its pointers
  std::vector<VirtualFixup> objects;  ///< ascending, no two alike
};

/// Reads header, sections, class names and the three fixup tables, and checks that each fixup lies inside the data.
/// Uses the file's own descriptions of classes if it gets limits for them.
Result<ContainerView> read_container(std::span<const std::byte> bytes, const Limits* limits_of_descriptions);

}  // namespace marrow::havok
