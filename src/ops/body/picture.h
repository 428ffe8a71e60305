// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "marrow/ops/document/load.h"
#include "ops/body/textures.h"

namespace marrow {

enum class PictureForm : std::uint8_t { Png, Svg };
template <>
struct ChoiceWords<PictureForm> {
  static constexpr std::array<std::string_view, 2> words = {"png", "svg"};
};

struct BodyPictureOptions {
  std::vector<const Document*> with = {};       ///< more bodies on the same rig: head, hands
  const Document* clip = nullptr;               ///< the pose is a frame of its first clip
  double frame = 0;                             ///< may lie between frames
  std::vector<const Document*> skeletons = {};  ///< skeleton.hkx and skeleton.nif files
  std::string size = "600x800";
  double turn = 25, tilt = 8;  ///< degrees
  std::string background = "#ffffff";
  PictureForm form = PictureForm::Png;
  TextureOptions textures = {};
};

struct BodyPictureReport {
  std::size_t shapes = 0, vertices = 0, triangles = 0;
  std::size_t textures = 0;  ///< that were found
  std::uint32_t width = 0, height = 0;
  SavedFile file = {};

  SavedFile text() const { return file; }
};

void describe(FieldList& fields, BodyPictureOptions& options);
void describe(FieldList& fields, BodyPictureReport& report);

/// Draws the bodies of a NIF at a pose, without a graphics card. Fails with `NotFound` if nothing of it can be seen.
Result<BodyPictureReport> draw_bodies(const Document& document, const BodyPictureOptions& options, Context& context);

}  // namespace marrow
