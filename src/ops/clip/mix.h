// SPDX-License-Identifier: MIT
#pragma once

#include "ops/clip/edit.h"

namespace marrow {

/// The bones that an edit is about.
struct BoneChoice {
  std::vector<std::string> bones = {};  ///< patterns
  std::vector<std::string> below = {};  ///< bones that count with all bones below them
  const Skeleton* skeleton = nullptr;
};
void describe_bones(FieldList& fields, BoneChoice& choice);

struct BlendOptions {
  const Document* other = nullptr;
  std::optional<double> weight = {};         ///< of the other clip, 0 to 1
  std::optional<double> from = {}, to = {};  ///< or: from one clip to the other between these times, in seconds
  bool no_warp = false;                      ///< do not bring matching events to the same time
  const Skeleton* skeleton = nullptr;
  ClipEditOptions edit = {};
};

struct LayerOptions {
  const Document* over = nullptr;
  BoneChoice choice = {};
  double weight = 1.0;
  bool repeat = false;  ///< a shorter layer is repeated instead of held
  bool events = false;  ///< its events are added
  bool model = false;   ///< the topmost bones keep the direction that they have in the layer
  ClipEditOptions edit = {};
};

/// Which form an additive clip has.
enum class AdditiveForm : std::uint8_t { Game, Before, After };
template <>
struct ChoiceWords<AdditiveForm> {
  static constexpr std::array<std::string_view, 3> words = {"game", "1", "2"};
};

struct AdditiveOptions {
  std::string_view reference = {};  ///< a frame, `rest`, or the bytes of a file with a pose
  AdditiveForm hint = AdditiveForm::Game;
  const Skeleton* skeleton = nullptr;
  ClipEditOptions edit = {};
};

struct ApplyOptions {
  const Document* additive = nullptr;
  double weight = 1.0;
  const Skeleton* skeleton = nullptr;
  ClipEditOptions edit = {};
};

void describe(FieldList& fields, BlendOptions& options);
void describe(FieldList& fields, LayerOptions& options);
void describe(FieldList& fields, AdditiveOptions& options);
void describe(FieldList& fields, ApplyOptions& options);

/// All need `Parts::Clips` of both documents. Tracks are matched by bone.

/// Mixes two clips. With a weight the length is mixed too, and events that both have meet. With times the first clip
/// becomes the second between them.
Result<ClipEditReport> blend_clips(Document& document, const BlendOptions& options, Context& context);
/// Takes some bones from another clip. With weight 1 they keep their codes.
Result<ClipEditReport> layer_clips(Document& document, const LayerOptions& options, Context& context);
/// Makes an additive clip: the difference to a pose. Root motion is dropped.
Result<ClipEditReport> make_additive(Document& document, const AdditiveOptions& options, Context& context);
/// Puts an additive clip on another.
Result<ClipEditReport> apply_additive(Document& document, const ApplyOptions& options, Context& context);

}  // namespace marrow
