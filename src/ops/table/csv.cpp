// SPDX-License-Identifier: MIT
#include "ops/table/csv.h"

#include <algorithm>
#include <cmath>

#include "core/lines.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "marrow/model/pose.h"
#include "ops/document/format_rows.h"

namespace marrow {

void append_transform_columns(std::string& out, const Transform& t) {
  for (const float value : {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y, t.rotation.z,
                            t.rotation.w, t.scale.x, t.scale.y, t.scale.z}) {
    out += ',';
    append_float(out, value);
  }
}

void append_csv_text(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

Result<void> for_each_row(std::string_view text, std::size_t columns,
                          const std::function<Result<void>(std::span<const double>, std::uint64_t)>& use) {
  bool has_row = false;
  for (const auto& [whole_line, offset, number] : Lines(text)) {
    std::string_view line = trim(whole_line);
    if (line.empty() || line.starts_with('#')) continue;
    std::vector<double> row;
    bool is_number = true;
    for (std::size_t i = 0; i < columns && is_number; ++i) {
      const std::size_t comma = std::min(line.find(','), line.size());
      const auto value = parse_double(trim(line.substr(0, comma)));
      is_number = value && std::isfinite(static_cast<float>(*value));
      if (is_number) row.push_back(*value);
      line.remove_prefix(std::min(comma + 1, line.size()));
    }
    if (!is_number && row.empty() && !has_row) continue;
    if (!is_number)
      return fail(ErrorCode::Malformed, "a row must be " + std::to_string(columns) + " numbers", offset,
                  "line " + std::to_string(number));
    has_row = true;
    MARROW_CHECK(use(row, offset));
  }
  return {};
}

std::string poses_csv(const Clip& clip, const Skeleton& skeleton) {
  std::string out = std::string("frame,bone,") + kTransformColumns + "\n";
  std::vector<std::string> names;
  for (const Bone& bone : skeleton.bones) append_csv_text(names.emplace_back(), bone.name);
  std::vector<Transform> pose(skeleton.bones.size());
  for (std::int32_t frame = 0; frame < clip.frame_count; ++frame) {
    pose_from_frame(skeleton, clip, clip.frame(frame), pose);
    for (std::size_t i = 0; i < pose.size(); ++i) {
      append_int(out, frame);
      out += ',';
      out += names[i];
      append_transform_columns(out, pose[i]);
      out += '\n';
    }
  }
  return out;
}

Result<std::vector<SavedFile>> save_csv(const Document& document, const SaveOptions& options, Context& context) {
  std::vector<SavedFile> files;
  for (DocumentClip clip : document.clips) {
    if (!clip.skeleton)
      return fail(ErrorCode::NeedsSkeleton, "the rows of a CSV file are named after bones, so the skeleton is needed");
    MARROW_CHECK(decode_frames(clip, context.limits));
    const std::string text = poses_csv(clip.clip, document.skeletons[*clip.skeleton].skeleton);
    const auto bytes = as_bytes(text);
    files.push_back({document.clips.size() > 1 ? clip.name : std::string(), ".csv", {bytes.begin(), bytes.end()}});
  }
  if (files.empty()) return cannot_hold(*options.format, document);
  return files;
}

}  // namespace marrow
