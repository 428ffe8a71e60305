// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

// Other animation runtimes behind one interface, so that bench_peers measures all in one run. Their sources are not
// part of this project: `make bench-peers OZZ=DIR ACL=DIR RTM=DIR` builds them from folders that the user names.

namespace marrow::bench {

/// A clip as frames of transforms: translation x y z, rotation x y z w, scale x y z.
struct RawFrames {
  std::uint32_t frames = 0;
  std::size_t tracks = 0;
  float seconds = 0;
  std::span<const float> transforms;
};

/// A runtime that holds compressed clips and samples them.
class Peer {
 public:
  virtual ~Peer() = default;
  virtual const char* name() const = 0;
  /// Compresses a clip and keeps it; returns its size in bytes, 0 if that failed.
  virtual std::size_t add(const RawFrames& clip) = 0;
  /// Samples the clip that was added `clip`-th, in the runtime's own output layout.
  virtual void sample(std::size_t clip, float seconds) = 0;
  /// Copies the last sample out in the layout of `RawFrames`.
  virtual void read(std::size_t clip, float* pose) const = 0;
};

std::unique_ptr<Peer> make_ozz_peer();  ///< null if the program was built without ozz-animation
std::unique_ptr<Peer> make_acl_peer();  ///< null if the program was built without ACL

}  // namespace marrow::bench
