// SPDX-License-Identifier: MIT
#include "havok/animation/block_frames.h"

#include "core/try.h"
#include "havok/animation/names.h"
#include "havok/animation/stored_frames.h"

namespace marrow::havok {

codec::BlockMotionView block_motion(const FieldsView& animation, bool is_wavelet) {
  const auto number = [](const FieldsView& fields, std::string_view name) {
    return static_cast<std::uint32_t>(fields.integer(name));
  };
  const FieldsView format = animation.record("qFormat");
  codec::BlockMotionView view;
  view.kind = is_wavelet ? codec::BlockMotionView::Kind::Wavelet : codec::BlockMotionView::Kind::Delta;
  view.frame_count = animation.integer("numberOfPoses");
  view.block_size = animation.integer("blockSize");
  view.transform_track_count = animation.integer("numberOfTransformTracks");
  view.float_track_count = animation.integer("numberOfFloatTracks");
  view.preserved = number(format, "preserved");
  view.component_count = number(format, "numD");
  view.masks_at = number(animation, "staticMaskIdx");
  view.constants_at = number(animation, "staticDOFsIdx");
  view.offsets_at = number(format, "offsetIdx");
  view.scales_at = number(format, "scaleIdx");
  view.widths_at = number(format, "bitWidthIdx");
  view.values_at = number(animation, "quantizedDataIdx");
  if (is_wavelet) {
    view.block_index_at = number(animation, "blockIndexIdx");
    view.block_count = number(animation, "blockIndexSize");
  }
  view.data = std::as_bytes(animation.array("dataBuffer").numbers<std::uint8_t>());
  return view;
}

Result<void> read_blocks(const FieldsView& animation, bool is_wavelet, ObjectId id, Clip& clip) {
  const codec::BlockMotionView view = block_motion(animation, is_wavelet);
  const auto located = [&](Error error) {
    error.path = path_of(id) + ".dataBuffer" + (error.path.empty() ? "" : "." + error.path);
    return std::unexpected(std::move(error));
  };
  if (auto valid = validate_block_motion(view); !valid) return located(std::move(valid.error()));
  make_frames(clip);
  static_assert(sizeof(Transform) == codec::kTransformFloats * sizeof(float));
  auto decoded = decode_block_motion(
      view, {reinterpret_cast<float*>(clip.transforms.data()), clip.transforms.size() * codec::kTransformFloats});
  return decoded ? Result<void>() : located(std::move(decoded.error()));
}

bool has_unread_floats(const Object& animation) {
  return animation.type && animation.type->is_a(kAnimation) &&
         (is_kind(*animation.type, kDeltaAnimation) || is_kind(*animation.type, kWaveletAnimation)) &&
         animation.fields().integer("numberOfFloatTracks") > 0;
}

}  // namespace marrow::havok
