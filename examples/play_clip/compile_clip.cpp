// SPDX-License-Identifier: MIT
// Makes a clip ready to be played by a game: compile_clip CLIP SKELETON OUT
#include <cstdio>
#include <string_view>

#include "marrow/core/file.h"
#include "marrow/marrow.h"
#include "marrow/motion/sampler.h"
#include "marrow/ops/document/document.h"

using namespace marrow;

namespace {

Result<void> compile(const char* clip_path, const char* skeleton_path, const char* out) {
  const auto walk = load_file(clip_path), body = load_file(skeleton_path);
  if (!walk) return std::unexpected(walk.error());
  if (!body) return std::unexpected(body.error());
  const auto bones = main_skeleton(body->document());
  if (!bones) return std::unexpected(bones.error());
  if (walk->document().clips.empty()) return fail(ErrorCode::NoClip, "there is no clip in it");
  const auto clip = Sampler::open(walk->document().clips.front(),
                                  {.skeleton = &(*bones)->skeleton, .form = codec::CompiledForm::Compact});
  if (!clip) return std::unexpected(clip.error());
  return write_file(out, clip->save());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "usage: compile_clip CLIP SKELETON OUT\n"), 2;
  const auto done = compile(argv[1], argv[2], argv[3]);
  if (!done) return std::fprintf(stderr, "%s: %s\n", done.error().file.c_str(), done.error().message.c_str()), 1;
}
