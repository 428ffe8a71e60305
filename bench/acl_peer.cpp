// SPDX-License-Identifier: MIT
// ACL as a peer: the public API of 2.0 and later. Written from its documentation and not yet compiled against its
// sources; only a build with ACL=DIR RTM=DIR compiles it.
#include "peer.h"

#if defined(MARROW_WITH_ACL)

#include <vector>

#include "acl/compression/compress.h"
#include "acl/compression/track_array.h"
#include "acl/compression/transform_error_metrics.h"
#include "acl/core/ansi_allocator.h"
#include "acl/decompression/decompress.h"
#include "rtm/qvvf.h"

namespace marrow::bench {
namespace {

struct PoseWriter : acl::track_writer {
  float* pose = nullptr;
  void RTM_SIMD_CALL write_rotation(std::uint32_t track, rtm::quatf_arg0 rotation) {
    rtm::quat_store(rotation, pose + track * 10 + 3);
  }
  void RTM_SIMD_CALL write_translation(std::uint32_t track, rtm::vector4f_arg0 translation) {
    rtm::vector_store3(translation, pose + track * 10);
  }
  void RTM_SIMD_CALL write_scale(std::uint32_t track, rtm::vector4f_arg0 scale) {
    rtm::vector_store3(scale, pose + track * 10 + 7);
  }
};

class AclPeer : public Peer {
 public:
  ~AclPeer() override {
    for (const auto& held : clips_) allocator_.deallocate(held->tracks, held->tracks->get_size());
  }
  const char* name() const override { return "ACL"; }

  std::size_t add(const RawFrames& clip) override {
    const float rate = clip.frames > 1 ? static_cast<float>(clip.frames - 1) / clip.seconds : 30.0f;
    acl::track_array_qvvf list(allocator_, static_cast<std::uint32_t>(clip.tracks));
    for (std::uint32_t track = 0; track < clip.tracks; ++track) {
      // Every track is a root: the error is local, as Marrow's bound is.
      acl::track_desc_transformf about;
      about.output_index = track;
      about.precision = 0.01f;
      about.shell_distance = 3.0f;
      list[track] = acl::track_qvvf::make_reserve(about, allocator_, clip.frames, rate);
      for (std::uint32_t frame = 0; frame < clip.frames; ++frame) {
        const float* at = &clip.transforms[(frame * clip.tracks + track) * 10];
        list[track][frame] = rtm::qvv_set(rtm::quat_load(at + 3), rtm::vector_load3(at), rtm::vector_load3(at + 7));
      }
    }
    acl::compression_settings settings = acl::get_default_compression_settings();
    acl::qvvf_transform_error_metric metric;
    settings.error_metric = &metric;
    acl::output_stats stats;
    auto held = std::make_unique<Held>();
    if (acl::compress_track_list(allocator_, list, settings, held->tracks, stats).any()) return 0;
    if (!held->context.initialize(*held->tracks)) return 0;
    held->pose.resize(clip.tracks * 10);
    clips_.push_back(std::move(held));
    return clips_.back()->tracks->get_size();
  }

  void sample(std::size_t clip, float seconds) override {
    Held& held = *clips_[clip];
    PoseWriter writer;
    writer.pose = held.pose.data();
    held.context.seek(seconds, acl::sample_rounding_policy::none);
    held.context.decompress_tracks(writer);
  }

  void read(std::size_t clip, float* pose) const override {
    for (const float value : clips_[clip]->pose) *pose++ = value;
  }

 private:
  struct Held {
    acl::compressed_tracks* tracks = nullptr;
    acl::decompression_context<acl::default_transform_decompression_settings> context;
    std::vector<float> pose;
  };
  acl::ansi_allocator allocator_;
  std::vector<std::unique_ptr<Held>> clips_;
};

}  // namespace

std::unique_ptr<Peer> make_acl_peer() { return std::make_unique<AclPeer>(); }

}  // namespace marrow::bench

#else

namespace marrow::bench {
std::unique_ptr<Peer> make_acl_peer() { return nullptr; }
}  // namespace marrow::bench

#endif
