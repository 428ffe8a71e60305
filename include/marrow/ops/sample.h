// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "marrow/model/transform.h"

namespace marrow {

struct SampleOptions {
  std::vector<double> frames = {};           ///< which frames, fractional ones too; empty: as `fps` says
  double fps = 0.0;                          ///< so many poses a second; 0: every whole frame
  std::size_t clip = 0;                      ///< of a file that holds several
  bool model_space = false;                  ///< instead of local to the parent bone; needs the skeleton
  std::span<const std::byte> skeleton = {};  ///< bytes of a file with the skeleton
  Limits limits = {};
};

struct SampledPose {
  double frame = 0.0;
  std::vector<Transform> tracks;
};

struct Sampled {
  std::vector<SampledPose> poses;
  std::vector<std::int32_t> tracks;  ///< the track of each entry of a pose; in model space only those with a bone
  Notes notes;
};

/// Poses of a clip. Frames outside the clip take its ends, which is told in the notes.
Result<Sampled> sample(std::span<const std::byte> file, const SampleOptions& options = {});

/// `frame,track,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz` with a header line; numbers read back as the same bits.
std::string to_csv(const Sampled& sampled);

/// The skeleton that a clip in the folders of these games is for: `skeleton.hkx` beside it, or in `character assets`
/// or `characterassets` beside its folder or one above. Nothing where there is none.
std::optional<std::filesystem::path> find_skeleton_beside(const std::filesystem::path& clip);

}  // namespace marrow
