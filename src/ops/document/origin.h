// SPDX-License-Identifier: MIT
// What documents were read from. Formats keep it here and lay values over it; operations use `as_saved.h`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "anvil/skeleton.h"
#include "havok/packfile/packfile.h"
#include "marrow/core/finding.h"
#include "marrow/model/motion_source.h"
#include "marrow/ops/document/document.h"
#include "marrow/ops/document/load.h"
#include "nif/nif_file.h"

namespace marrow {

struct HavokOrigin {
  havok::Packfile file;

  bool operator==(const HavokOrigin&) const = default;
};
struct NifOrigin {
  NifFile nif;
  /// One per embedded block, in order; none until somebody asks for collision. Empty for cloth that cannot be read.
  std::optional<std::vector<havok::Packfile>> packfiles = {};

  bool operator==(const NifOrigin& other) const { return nif == other.nif; }
};
struct AnvilOrigin {
  anvil::Skeleton skeleton;
  bool keep_order = false;  ///< bones are written in the order they have, not depth first

  bool operator==(const AnvilOrigin&) const = default;
};

struct MotionOrigin {
  std::shared_ptr<const MotionSource> source;
  SourceOptions options = {};
  double frames_per_second = 30.0;  ///< of clips that are made of it; 0: the file's own

  bool operator==(const MotionOrigin& other) const {
    return source == other.source && options == other.options && frames_per_second == other.frames_per_second;
  }
};

/// The text of an animation cache is its value: each operation reads the lines that it needs.
struct CacheOrigin {
  std::string text;

  bool operator==(const CacheOrigin&) const = default;
};

struct Origin::Content {
  std::variant<HavokOrigin, NifOrigin, AnvilOrigin, MotionOrigin, CacheOrigin> from;
  Findings findings = {};  ///< what reading found wrong without stopping
};

/// The only way into an `Origin`.
struct OriginAccess {
  using Content = Origin::Content;

  static std::shared_ptr<const Content> shared_content(const Document& document) { return document.origin.content_; }
  static const Content* content(const Document& document) { return document.origin.content_.get(); }
  /// Returns the content to change it, apart from other documents that share it. Null if there is none.
  static Content* own_content(Document& document);
  /// Makes a document one that was read from something else. Its values are dropped.
  static void set(Document& document, Content content);
  /// Makes a document one that was read from nothing. Its values stay.
  static void drop(Document& document) { document.origin.content_ = {}; }
  static Parts read(const Document& document) { return document.origin.read_; }
  static void set_read(Document& document, Parts parts) { document.origin.read_ = parts; }
};

template <class From>
const From* origin_of(const Document& document) {
  const OriginAccess::Content* content = OriginAccess::content(document);
  return content ? std::get_if<From>(&content->from) : nullptr;
}
/// The same, to be changed.
template <class From>
From* own_origin_of(Document& document) {
  return origin_of<From>(document) ? std::get_if<From>(&OriginAccess::own_content(document)->from) : nullptr;
}

/// Makes skeleton and clips of FBX and BVH anew, with other units, rate or rest pose; nothing if the document is none.
void read_source_with(Document& document, const LoadOptions& options);
/// Makes a document one of its values alone, if it is motion of another program: once changed, it no longer is what the
/// file has.
Result<void> leave_motion_source(Document& document, Context& context);

/// Drops the values of parts, so that they are read again when somebody asks for them.
void forget_parts(Document& document, Parts parts);

}  // namespace marrow
