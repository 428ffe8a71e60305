// SPDX-License-Identifier: MIT
/// Operations on the animation caches of Skyrim.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "behavior/cache.h"
#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

struct CacheListOptions {
  std::string project = {};  ///< only this one; empty: all
};

/// Every entry of a cache.
struct CacheListReport {
  std::string kind = {};  ///< `animation-data` or `animation-sets`
  Json projects = Json::array();
};

/// Registers a clip with its motion, or an animation in a set.
struct CacheAddOptions {
  std::string project = {};
  std::string clip = {};  ///< name of the clip generator
  std::optional<double> duration = {};
  std::optional<std::uint32_t> id = {};
  double speed = 1.0;
  std::vector<std::string> triggers = {};      ///< `EVENT:SECONDS`
  std::vector<std::string> translations = {};  ///< `t x y z`
  std::vector<std::string> rotations = {};     ///< `t x y z w`
  const Document* from = nullptr;              ///< a clip to take duration, events and motion from
  std::string set = {};
  std::string animation = {};  ///< path from `meshes` on
  std::string attack = {};     ///< event
};

struct CacheRemoveOptions {
  std::string project = {};
  std::string clip = {};
  std::string set = {};
  std::string animation = {};
  std::string attack = {};
};

/// What an edit of a cache did.
struct CacheEditReport {
  std::string project = {};
  std::optional<std::string> id = {};                          ///< of the clip
  std::size_t clips = 0, motions = 0, files = 0, attacks = 0;  ///< entries that were added or removed
};

struct CacheCheckOptions {
  std::vector<const Document*> project = {};  ///< behaviours of a project, to compare clips with
};

struct CacheCheckReport {
  Findings findings = {};

  /// True if there is an error or a warning.
  bool found() const;
};

void describe(FieldList& fields, CacheListOptions& options);
void describe(FieldList& fields, CacheListReport& report);
void describe(FieldList& fields, CacheAddOptions& options);
void describe(FieldList& fields, CacheRemoveOptions& options);
void describe(FieldList& fields, CacheEditReport& report);
void describe(FieldList& fields, CacheCheckOptions& options);
void describe(FieldList& fields, CacheCheckReport& report);

/// All of them fail with `WrongKind` on a document that is not a cache.
Result<CacheListReport> list_cache(const Document& document, const CacheListOptions& options, Context& context);
/// Appends a clip and, unless the id has one, its motion; or adds an animation to the end of a set. Nothing else in the
/// file changes. Fails with `NotFound` if there is no such project or set.
Result<CacheEditReport> add_to_cache(Document& document, const CacheAddOptions& options, Context& context);
/// Takes a clip out, with its motion if no other clip has the id; or an animation or an attack out of a set.
Result<CacheEditReport> remove_from_cache(Document& document, const CacheRemoveOptions& options, Context& context);
/// Judges a cache; a text that cannot be read is a finding.
Result<CacheCheckReport> check_cache(const Document& document, const CacheCheckOptions& options, Context& context);

/// Reads the cache of a document.
Result<behavior::Cache> cache_of(const Document& document, const Limits& limits);
/// Gives a document another cache of the same kind.
void set_cache(Document& document, const behavior::Cache& cache);

}  // namespace marrow
