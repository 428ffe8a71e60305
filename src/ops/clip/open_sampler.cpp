// SPDX-License-Identifier: MIT
// Samplers of clips as documents hold them.
#include "core/try.h"
#include "marrow/motion/sampler.h"
#include "marrow/ops/document/document.h"
#include "ops/document/spline_motion.h"

namespace marrow {

Result<Sampler> Sampler::open(const DocumentClip& clip, const SamplerOptions& options) {
  Limits limits;
  limits.max_expanded_bytes = options.max_bytes;
  if (is_spline_current(clip, limits)) return open(clip.spline->view(), clip.clip, options);
  if (clip.has_frames()) return open(clip.clip, options);
  return no_motion(clip);
}

}  // namespace marrow
