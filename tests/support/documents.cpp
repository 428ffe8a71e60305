// SPDX-License-Identifier: MIT
#include "support/documents.h"

#include <cstdio>
#include <cstdlib>

#include "havok/animation/animation.h"
#include "havok/animation/skeleton.h"
#include "support/clips.h"

namespace marrow::test {
namespace {

template <class T>
T taken(Result<T> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "%s: %s\n", result.error().file.c_str(), describe(result.error()).c_str());
  std::abort();
}

}  // namespace

Document loaded(std::span<const std::byte> bytes, Parts parts, const std::string& name) {
  Context context;
  return taken(load(bytes, {.name = name, .parts = parts}, context));
}

Document loaded(const havok::Packfile& file, Parts parts, const std::string& name) {
  return loaded(taken(havok::write_packfile(file)), parts, name);
}

Bytes saved(const Document& document, const SaveOptions& options) {
  Context context;
  return std::move(taken(save(document, options, context)).front().bytes);
}

Document clip_document(std::int32_t bones, std::int32_t frames, Game game, Parts parts) {
  return loaded(taken(havok::make_clip_file(waving_clip(bones, frames), game)), parts, "clip.hkx");
}

Document skeleton_document_of(std::int32_t bones, Game game) {
  const Skeleton skeleton = chain_skeleton(bones);
  return loaded(taken(havok::make_skeleton_file({&skeleton, 1}, game)), Parts::All, "skeleton.hkx");
}

}  // namespace marrow::test
