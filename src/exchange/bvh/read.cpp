// SPDX-License-Identifier: MIT
#include "exchange/bvh/read.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "core/try.h"
#include "marrow/core/text.h"

namespace marrow::bvh {
namespace {

using DoubleQuat = glm::dquat;

// The six channels, by their name.
constexpr std::array<std::string_view, 6> kChannels = {"xposition", "yposition", "zposition",
                                                       "xrotation", "yrotation", "zrotation"};

struct Joint {
  std::vector<std::uint8_t> channels = {};  // indices of kChannels, in the order of the file
  std::size_t first_value = 0;              // of a row
};

class BvhSource final : public MotionSource {
 public:
  std::vector<Joint> joints;
  std::size_t row_size = 0;
  std::vector<float> values;  // one row per frame
  double frame_seconds = 0.0;

  void evaluate(std::size_t clip, double seconds, SourcePose& pose) const override;

 private:
  Transform at(std::size_t joint, std::size_t row) const;
};

Transform BvhSource::at(std::size_t joint, std::size_t row) const {
  Transform local = bones[joint].local;
  DoubleQuat turn(1, 0, 0, 0);
  std::size_t value = row * row_size + joints[joint].first_value;
  for (const std::uint8_t channel : joints[joint].channels) {
    const double number = values[value++];
    if (channel < 3) {
      local.translation[channel] = static_cast<float>(number);  // it replaces the offset
      continue;
    }
    glm::dvec3 axis(0.0);
    axis[channel - 3] = 1.0;
    turn = turn * glm::angleAxis(number * std::numbers::pi / 180.0, axis);
  }
  local.rotation = Quat(glm::normalize(turn));
  return local;
}

void BvhSource::evaluate(std::size_t clip, double seconds, SourcePose& pose) const {
  pose.local.resize(bones.size());
  pose.holder.assign(bones.size(), Transform());
  if (clip >= clips.size()) {
    for (std::size_t i = 0; i < bones.size(); ++i) pose.local[i] = bones[i].local;
    return;
  }
  const auto last = static_cast<double>(clips[clip].frame_count - 1);
  double frame = std::clamp(seconds / frame_seconds, 0.0, last);
  // A time that was made from a whole frame is that frame.
  if (std::abs(frame - std::round(frame)) < 1e-9 * (1.0 + frame)) frame = std::round(frame);
  const auto row = static_cast<std::size_t>(frame);
  const auto share = static_cast<float>(frame - static_cast<double>(row));
  for (std::size_t i = 0; i < bones.size(); ++i) {
    pose.local[i] = at(i, row);
    if (share == 0.0f) continue;
    const Transform next = at(i, row + 1);
    pose.local[i].translation = glm::mix(pose.local[i].translation, next.translation, share);
    pose.local[i].rotation = glm::slerp(pose.local[i].rotation, next.rotation, share);
  }
}

// Reads words and lines, and knows which line it is in.
class Text {
 public:
  explicit Text(std::string_view text) : text_(text) {}

  void skip_byte_order_mark() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  // A brace is a word of its own, whatever it touches.
  std::string_view word() {
    skip_blanks();
    const std::size_t start = at_;
    if (at_ < text_.size() && is_brace(text_[at_]))
      ++at_;
    else
      while (at_ < text_.size() && !is_blank(text_[at_]) && !is_brace(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  // Skips these letters in any case, with blanks before them. False, and nothing is skipped, if there are others.
  bool take(std::string_view letters) {
    skip_blanks();
    if (!equal_ignoring_case(text_.substr(at_, letters.size()), letters)) return false;
    at_ += letters.size();
    return true;
  }
  std::string_view peek() {
    const std::size_t at = at_, line = line_;
    const std::string_view found = word();
    at_ = at;
    line_ = line;
    return found;
  }
  // Returns what is left of the line up to a brace, without blanks at its ends.
  std::string_view rest_of_line() {
    const std::size_t start = at_, end = std::min(text_.find_first_of("\r\n{", at_), text_.size());
    at_ = end;
    return trim(text_.substr(start, end - start));
  }
  std::unexpected<Error> error(std::string message) const {
    return fail(ErrorCode::Malformed, std::move(message), at_, "line " + std::to_string(line_));
  }
  std::unexpected<Error> ended() const {
    return fail(ErrorCode::Truncated, "the file ends before its motion is complete", at_,
                "line " + std::to_string(line_));
  }
  std::size_t bytes_left() const { return text_.size() - at_; }

 private:
  static bool is_brace(char c) { return c == '{' || c == '}'; }
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }
  void skip_blanks() {
    for (; at_ < text_.size() && is_blank(text_[at_]); ++at_) {
      const bool is_first_of_two = text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n';
      if (text_[at_] == '\n' || (text_[at_] == '\r' && !is_first_of_two)) ++line_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0, line_ = 1;
};

class Reader {
 public:
  Reader(std::string_view text, const Limits& limits, Notes& notes) : text_(text), limits_(limits), notes_(notes) {}

  Result<std::shared_ptr<const MotionSource>> read() {
    text_.skip_byte_order_mark();
    if (!equal_ignoring_case(text_.word(), "hierarchy")) return text_.error("the file does not start with HIERARCHY");
    MARROW_CHECK(read_hierarchy());
    MARROW_CHECK(read_motion());
    note_added_offsets();
    const Quat upright = glm::angleAxis(static_cast<float>(std::numbers::pi / 2), Vec3(1, 0, 0));
    source_->space = {.up_axis = "y", .turn = upright, .centimetres_per_unit = 1.0, .states_unit = false};
    return source_;
  }

 private:
  Result<double> number() {
    const std::string_view word = text_.word();
    if (word.empty()) return text_.ended();
    const auto value = parse_double(word);
    if (!value || !std::isfinite(*value) || std::abs(*value) > 3.4e38)
      return text_.error("'" + std::string(word.substr(0, 40)) + "' is not a number");
    return *value;
  }

  Result<std::size_t> count() {
    MARROW_TRY(const double value, number());
    if (value < 0 || value != std::floor(value) || value > 4294967295.0)
      return text_.error("a count must be a whole number");
    return static_cast<std::size_t>(value);
  }

  // Joints nest as deep as the file likes, so that their parents are a list and no recursion.
  Result<void> read_hierarchy() {
    std::vector<std::int32_t> open;  // joints whose brace is open; kNoBone is an end site
    while (true) {
      const std::string_view word = text_.word();
      if (word.empty()) return text_.ended();
      if (equal_ignoring_case(word, "motion")) {
        if (!open.empty()) return text_.error("a brace is not closed before MOTION");
        return {};
      }
      if (word == "}") {
        if (open.empty()) return text_.error("a brace is closed that was never opened");
        open.pop_back();
      } else if (equal_ignoring_case(word, "root") || equal_ignoring_case(word, "joint")) {
        if (!open.empty() && open.back() == kNoBone) return text_.error("an end site cannot have joints");
        MARROW_CHECK(add_joint(open.empty() ? kNoBone : open.back()));
        open.push_back(static_cast<std::int32_t>(source_->bones.size() - 1));
      } else if (equal_ignoring_case(word, "end")) {
        if (open.empty()) return text_.error("an end site outside of a joint");
        MARROW_CHECK(name_and_brace());
        open.push_back(kNoBone);
      } else if (equal_ignoring_case(word, "offset") && !open.empty()) {
        MARROW_CHECK(read_offset(open.back()));
      } else if (equal_ignoring_case(word, "channels") && !open.empty() && open.back() != kNoBone) {
        MARROW_CHECK(read_channels());
      } else {
        return text_.error("'" + std::string(word.substr(0, 40)) + "' is not expected here");
      }
    }
  }

  // Returns the name after a keyword; its brace may stand on the same line or on the next.
  Result<std::string> name_and_brace() {
    const std::string_view name = text_.rest_of_line();
    if (text_.word() != "{") return text_.error("a brace is missing after '" + std::string(name.substr(0, 40)) + "'");
    return std::string(name);
  }

  Result<void> add_joint(std::int32_t parent) {
    MARROW_TRY(std::string name, name_and_brace());
    if (source_->bones.size() >= limits_.max_objects)
      return fail(ErrorCode::LimitExceeded, "the file has too many joints");
    source_->bones.push_back({.name = std::move(name), .parent = parent});
    source_->joints.push_back({.first_value = source_->row_size});
    return {};
  }

  Result<void> read_offset(std::int32_t joint) {
    Vec3 offset;
    for (int axis = 0; axis < 3; ++axis) {
      MARROW_TRY(const double value, number());
      offset[axis] = static_cast<float>(value);
    }
    if (joint == kNoBone) return {};
    SourceBone& bone = source_->bones[static_cast<std::size_t>(joint)];
    bone.local.translation = bone.bind.translation = offset;
    return {};
  }

  // Channels belong to the joint that was opened last: their values lie in the order of the text.
  Result<void> read_channels() {
    MARROW_TRY(const std::size_t channels, count());
    if (channels > text_.bytes_left()) return text_.ended();
    Joint& joint = source_->joints.back();
    if (!joint.channels.empty()) return text_.error("a joint has two lists of channels");
    joint.first_value = source_->row_size;
    for (std::size_t i = 0; i < channels; ++i) {
      const std::string word = to_lower(text_.word());
      const auto found = std::ranges::find(kChannels, word);
      if (found == kChannels.end()) return text_.error("'" + word.substr(0, 40) + "' is not a channel");
      joint.channels.push_back(static_cast<std::uint8_t>(found - kChannels.begin()));
    }
    source_->row_size += channels;
    return {};
  }

  // Programs differ in the blanks around the colon.
  Result<void> frame_time() {
    if (!text_.take("frame") || !text_.take("time") || !text_.take(":")) return text_.error("'Frame Time:' is missing");
    MARROW_TRY(source_->frame_seconds, number());
    return {};
  }

  Result<std::size_t> frame_count() {
    if (!text_.take("frames") || !text_.take(":")) return text_.error("'Frames:' is missing");
    return count();
  }

  Result<void> read_motion() {
    MARROW_TRY(const std::size_t frames, frame_count());
    MARROW_CHECK(frame_time());
    if (frames == 0) return {};
    if (source_->frame_seconds <= 0.0) return text_.error("the time of a frame must be more than 0");
    const std::size_t row = source_->row_size;
    // A number takes at least two bytes of text.
    if (row > 0 && frames > (text_.bytes_left() + 1) / (2 * row) + 1) return text_.ended();
    if (row == 0 && frames > limits_.max_objects) return fail(ErrorCode::LimitExceeded, "the file has too many frames");
    source_->values.reserve(frames * row);
    for (std::size_t i = 0; i < frames * row; ++i) {
      MARROW_TRY(const double value, number());
      source_->values.push_back(static_cast<float>(value));
    }
    if (!text_.peek().empty()) notes_.push_back({"the file has more numbers than its frames need; they are skipped"});
    const double seconds = static_cast<double>(frames - 1) * source_->frame_seconds;
    source_->clips.push_back({.end_seconds = seconds,
                              .frames_per_second = 1.0 / source_->frame_seconds,
                              .frame_count = static_cast<std::int32_t>(frames)});
    return {};
  }

  // Some programs mean position channels to be added to the offset.
  void note_added_offsets() {
    for (std::size_t i = 0; i < source_->bones.size(); ++i) {
      const float length = glm::length(source_->bones[i].local.translation);
      const Joint& joint = source_->joints[i];
      if (length == 0.0f || source_->clips.empty() ||
          std::ranges::none_of(joint.channels, [](auto c) { return c < 3; }))
        continue;
      bool is_near_zero = true;
      for (std::size_t f = 0; is_near_zero && f < static_cast<std::size_t>(source_->clips[0].frame_count); ++f)
        for (std::size_t c = 0; c < joint.channels.size(); ++c)
          if (joint.channels[c] < 3 &&
              std::abs(source_->values[f * source_->row_size + joint.first_value + c]) > 0.01f * length)
            is_near_zero = false;
      if (is_near_zero)
        notes_.push_back({"the positions of '" + source_->bones[i].name +
                          "' stay near 0 although its offset does not: they may be meant to be added to it"});
    }
  }

  Text text_;
  const Limits& limits_;
  Notes& notes_;
  std::shared_ptr<BvhSource> source_ = std::make_shared<BvhSource>();
};

}  // namespace

Result<std::shared_ptr<const MotionSource>> read_bvh(std::string_view text, const Limits& limits, Notes& notes) {
  return Reader(text, limits, notes).read();
}

}  // namespace marrow::bvh
