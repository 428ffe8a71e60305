// SPDX-License-Identifier: MIT
#include "marrow/motion/state.h"

#include <algorithm>
#include <bit>

#include "core/byte_writer.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "motion/compiled_rig_data.h"

namespace marrow::motion {
namespace {

constexpr std::uint32_t kMagic = 0x5453524D;  // "MRST"
constexpr std::uint32_t kVersion = 1;

}  // namespace

State::State(const CompiledRig& rig) : values_(rig.data().state_size, 0.0), workspace_(std::make_shared<Workspace>()) {
  const std::size_t bones = rig.bone_count();
  workspace_->locals.resize(bones);
  workspace_->globals.resize(bones);
  workspace_->stretch.resize(bones);
  workspace_->touched.resize(bones);
  workspace_->balls.resize(rig.data().ball_steps.size());
  workspace_->solids.resize(rig.data().colliders.size());
}

// The memory of another rig has another size and would be overrun, so such a state gets its own.
State::State(const CompiledRig& rig, const State& beside) : State(rig) {
  if (beside.workspace_->globals.size() == workspace_->globals.size() &&
      beside.workspace_->balls.size() == workspace_->balls.size() &&
      beside.workspace_->solids.size() == workspace_->solids.size())
    workspace_ = beside.workspace_;
}

State::~State() = default;
State::State(State&&) noexcept = default;
State& State::operator=(State&&) noexcept = default;
State::State(const State& other) : values_(other.values_), workspace_(std::make_shared<Workspace>(*other.workspace_)) {}
State& State::operator=(const State& other) {
  if (this != &other) *this = State(other);
  return *this;
}

void State::reset() { std::ranges::fill(values_, 0.0); }
double State::time_seconds() const { return values_[kTimeIndex]; }

std::vector<std::byte> State::save() const {
  ByteWriter writer;
  writer.u32(kMagic);
  writer.u32(kVersion);
  writer.u64(values_.size());
  for (const double value : values_) writer.u64(std::bit_cast<std::uint64_t>(value));
  return writer.take();
}

Result<void> State::restore(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  const std::uint32_t magic = reader.u32(), version = reader.u32();
  const std::uint64_t count = reader.u64();
  MARROW_CHECK(reader.status());
  if (magic != kMagic) return fail(ErrorCode::BadMagic, "not a saved state of modifiers", 0);
  if (version != kVersion) return fail(ErrorCode::Unsupported, "the saved state has an unsupported version", 4);
  if (count != values_.size()) return fail(ErrorCode::InvalidArgument, "the saved state belongs to another rig", 8);
  std::vector<double> values;
  values.reserve(values_.size());
  for (std::size_t i = 0; i < values_.size(); ++i) values.push_back(std::bit_cast<double>(reader.u64()));
  MARROW_CHECK(reader.status());
  if (reader.remaining() != 0)
    return fail(ErrorCode::Malformed, "there are bytes after the end of the saved state", reader.offset());
  if (!std::ranges::all_of(values, [](double v) { return std::isfinite(v); }))
    return fail(ErrorCode::Malformed, "the saved state contains a number that is not finite", 16);
  values_ = std::move(values);
  return {};
}

}  // namespace marrow::motion
