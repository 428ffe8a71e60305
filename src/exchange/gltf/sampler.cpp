// SPDX-License-Identifier: MIT
#include "exchange/gltf/sampler.h"

#include <algorithm>
#include <cmath>

#include <glm/gtc/quaternion.hpp>

#include "core/try.h"
#include "exchange/gltf/accessor.h"
#include "marrow/model/transform.h"
#include "model/cubic_path.h"

namespace marrow::gltf {

Result<Sampler> Sampler::read(const tinygltf::Model& model, const tinygltf::AnimationSampler& sampler,
                              std::size_t width, const Limits& limits) {
  Sampler out;
  out.width_ = width;
  if (sampler.interpolation == "STEP") out.interpolation_ = Interpolation::Step;
  if (sampler.interpolation == "CUBICSPLINE") out.interpolation_ = Interpolation::Cubic;
  MARROW_TRY(FloatArray times, read_floats(model, sampler.input, 1, limits));
  MARROW_TRY(FloatArray values, read_floats(model, sampler.output, width, limits));
  const auto refuse = [&](std::string why, int accessor) {
    return fail(ErrorCode::Malformed, std::move(why), kNoOffset, "accessors[" + std::to_string(accessor) + "]");
  };
  out.times_ = std::move(times.values);
  out.values_ = std::move(values.values);
  if (out.times_.empty()) return refuse("an animation has no keys", sampler.input);
  for (std::size_t i = 1; i < out.times_.size(); ++i)
    if (!(out.times_[i] > out.times_[i - 1])) return refuse("the times of the keys do not increase", sampler.input);
  const std::size_t parts = out.interpolation_ == Interpolation::Cubic ? 3 : 1;
  if (out.values_.size() != out.times_.size() * parts * width)
    return refuse("it does not have the values that the keys of accessors[" + std::to_string(sampler.input) + "] need",
                  sampler.output);
  return out;
}

std::array<float, 4> Sampler::value(std::size_t key, std::size_t part) const {
  const std::size_t parts = interpolation_ == Interpolation::Cubic ? 3 : 1;
  std::array<float, 4> out{};
  std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>((key * parts + part) * width_), width_, out.begin());
  return out;
}

void Sampler::smooth() {
  if (interpolation_ != Interpolation::Linear || times_.size() < 2) return;
  struct Keys {
    std::span<const float> times;
    std::vector<glm::dvec4> values = {};
    std::size_t count() const { return times.size(); }
    double seconds(std::size_t i) const { return static_cast<double>(times[i]); }
    glm::dvec4 value(std::size_t i) const { return values[i]; }
    bool joined(std::size_t) const { return true; }
  } keys{times_};
  for (std::size_t i = 0; i < times_.size(); ++i) {
    const auto v = value(i, 0);
    glm::dvec4 key(v[0], v[1], v[2], v[3]);
    // Both signs are the same rotation: the nearer one follows.
    if (width_ == 4 && i > 0 && glm::dot(key, keys.values.back()) < 0.0) key = -key;
    keys.values.push_back(key);
  }
  std::vector<float> triples;
  for (std::size_t i = 0; i < times_.size(); ++i) {
    const glm::dvec4 speed = key_speed(keys, i);
    for (const glm::dvec4& part : {speed, keys.values[i], speed})
      for (std::size_t c = 0; c < width_; ++c)
        triples.push_back(static_cast<float>(part[static_cast<glm::length_t>(c)]));
  }
  values_ = std::move(triples);
  interpolation_ = Interpolation::Cubic;
}

std::array<float, 4> Sampler::at(float time) const {
  // Parts of a cubic key: in-tangent, value, out-tangent.
  const std::size_t middle = interpolation_ == Interpolation::Cubic ? 1 : 0;
  const auto after = std::ranges::upper_bound(times_, time);
  if (after == times_.begin()) return value(0, middle);
  const auto left = static_cast<std::size_t>(after - times_.begin()) - 1;
  if (after == times_.end() || times_[left] == time || interpolation_ == Interpolation::Step)
    return value(left, middle);

  const float span = times_[left + 1] - times_[left];
  const float u = (time - times_[left]) / span;
  const auto a = value(left, middle), b = value(left + 1, middle);
  std::array<float, 4> out{};
  if (interpolation_ == Interpolation::Cubic) {
    const auto leave = value(left, 2), arrive = value(left + 1, 0);
    const float u2 = u * u, u3 = u2 * u;
    for (std::size_t i = 0; i < width_; ++i)
      out[i] = (2 * u3 - 3 * u2 + 1) * a[i] + span * (u3 - 2 * u2 + u) * leave[i] + (3 * u2 - 2 * u3) * b[i] +
               span * (u3 - u2) * arrive[i];
  } else if (width_ == 4) {
    const Quat q = glm::slerp(make_quat(a[0], a[1], a[2], a[3]), make_quat(b[0], b[1], b[2], b[3]), u);
    out = {q.x, q.y, q.z, q.w};
  } else {
    for (std::size_t i = 0; i < width_; ++i) out[i] = a[i] + u * (b[i] - a[i]);
  }
  if (width_ == 4) {
    const Quat q = glm::normalize(make_quat(out[0], out[1], out[2], out[3]));
    out = {q.x, q.y, q.z, q.w};
  }
  return out;
}

}  // namespace marrow::gltf
