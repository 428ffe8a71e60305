// SPDX-License-Identifier: MIT
// A hinge in a frame, for one character or several.
#pragma once

#include "motion/solvers/hinge.h"

namespace marrow::motion {

// Sine of the angle to the axis below which a look direction has no angle about it.
inline constexpr double kAlongAxis = 5e-4;

// The plane in which a hinge swings.
template <class T>
struct HingeBasis {
  VecOf<T> axis, look, across;  // across = axis x look

  HingeBasis(const QuatOf<T>& rotation, int axis_index, int look_index)
      : axis(rotation * VecOf<T>(axis_of(axis_index))),
        look(rotation * VecOf<T>(axis_of(look_index))),
        across(glm::cross(axis, look)) {}

  T angle_of(const VecOf<T>& direction) const {
    const T x = glm::dot(direction, look), y = glm::dot(direction, across);
    return select(x * x + y * y < kAlongAxis * kAlongAxis, T(0.0), arc_tangent(y, x));
  }
  VecOf<T> at(const T& angle) const {
    const auto [sine, cosine] = sine_cosine(angle);
    return look * cosine + across * sine;
  }
};

// An angle with its sine and cosine, for small steps from one to the next.
template <class T>
struct Heading {
  T angle, sine, cosine;

  explicit Heading(const T& a) : angle(a) {
    const auto both = sine_cosine(a);
    sine = both.sine;
    cosine = both.cosine;
  }

  // How far it is to the direction (x, y) in the plane; to 0 where that is too short to have an angle.
  T way_to(const T& x, const T& y) const {
    const MaskOf<T> is_short = x * x + y * y < kAlongAxis * kAlongAxis;
    return select(is_short, -angle, marrow::motion::angle_of<T>(y * cosine - x * sine, x * cosine + y * sine));
  }
  // To an angle that is reached by turning so far, give or take whole turns.
  void turn(const T& by, const T& to) {
    const auto [sinc, c] = sinc_cos<T>(by * by);
    const T s = by * sinc, old = sine;
    sine = sine * c + cosine * s;
    cosine = cosine * c - old * s;
    angle = to;
  }
};

template <class T>
AngleLimitOf<T> HingeSolver::limit(std::size_t stop, const Shifts<T>& shifts) const {
  AngleLimitOf<T> range = range_of<T>(stops[stop].range);
  range.low += shifts[stop];
  range.high += shifts[stop];
  return range;
}

template <class T>
AngleLimitOf<T> HingeSolver::limits(const Shifts<T>& shifts) const {
  AngleLimitOf<T> all;
  for (std::size_t i = 0; i < stops.size(); ++i) all.intersect(limit<T>(i, shifts));
  return all;
}

template <class T>
void HingeSolver::advance(MemoryOf<T>& memory, SolveOf<T>& io, Shifts<T>& shifts, const Shifts<T>& new_shifts) const {
  const ClockOf<T>& clock = io.clock;
  const AnchorOf<T>& anchor = *io.anchor;
  const double half_frames = 0.5 * clock.settings->reference_rate * clock.h;
  const double rising = clock.usual_step ? usual_rising : std::pow(1.0 - weight, half_frames);
  const double per_substep = 1.0 / clock.substeps;
  const double wind_gain = clock.settings->reference_rate * wind_scale;
  const VecOf<T> gravity1 = pull(io);
  // Gravity, and what else pushes: the anchor's own velocity and wind. Both change evenly.
  VecOf<T> pulling = memory.gravity;
  const VecOf<T> pull_step = (gravity1 - pulling) * per_substep,
                 wind_step = (clock.wind1 - clock.wind0) * (wind_gain * per_substep);
  VecOf<T> pushing = clock.wind0 * wind_gain - anchor.velocity1 * (clock.settings->reference_rate * lag);

  // The base turns by the same turn in every substep: seen from the base, the plane in which the hinge swings is left
  // behind by one that is computed once.
  const glm::mat<3, 3, T> turn = glm::mat3_cast(exp_map(anchor.spin(clock) * clock.h));
  HingeBasis<T> basis(anchor.rot0, axis, look_axis);
  const VecOf<T> next_look = turn * basis.look, next_across = turn * basis.across;
  const T look_look = glm::dot(basis.look, next_look), look_across = glm::dot(basis.look, next_across);
  const T across_look = glm::dot(basis.across, next_look), across_across = glm::dot(basis.across, next_across);

  Shifts<T> stop_step;
  MaskOf<T> moving{};
  for (std::size_t i = 0; i < stops.size(); ++i) {
    stop_step[i] = wrap_angle<T>(new_shifts[i] - shifts[i]) * per_substep;
    moving = moving | (stop_step[i] != 0.0);
  }
  const bool moving_stops = any(moving);
  for (std::size_t i = 0; i < stops.size() && moving_stops; ++i) shifts[i] = select(moving, shifts[i], new_shifts[i]);
  AngleLimitOf<T> range = limits<T>(moving_stops ? shifts : new_shifts);
  Heading<T> heading(memory.angle);
  // Half a kick and half of all that slows: before and after each drift, so that a step is right to the second order.
  const auto slow = [&](T& speed, const T& pulled) { speed = select(pulled * speed < 0.0, speed * rising, speed); };
  const auto torque = [&](const VecOf<T>& force) {
    return heading.cosine * glm::dot(force, basis.across) - heading.sine * glm::dot(force, basis.look);
  };
  for (int i = 1; i <= clock.substeps; ++i) {
    T soft_angle = heading.angle;
    range.apply(soft_angle, memory.speed, half_frames);
    T pulled = torque(pulling);
    slow(memory.speed, pulled);
    memory.speed += 0.5 * clock.h * (pulled + torque(pushing));
    if (moving_stops) {
      for (std::size_t k = 0; k < stops.size(); ++k) shifts[k] += stop_step[k];
      range = limits<T>(i == clock.substeps ? new_shifts : shifts);
    }
    basis.look = turn * basis.look;
    basis.across = turn * basis.across;
    pulling += pull_step;
    pushing += wind_step;
    // The look direction stays in the world while the base turns: (x, y) is where it is now.
    const T x = heading.cosine * look_look + heading.sine * across_look;
    const T y = heading.cosine * look_across + heading.sine * across_across;
    const T left_behind = heading.way_to(x, y);
    const T start = range.wrap(heading.angle + left_behind);
    T angle = start + memory.speed * clock.h;
    const RangeHit<T> hit = range.apply(angle, memory.speed, 0.0);
    heading.turn(left_behind + (angle - start), angle);
    pulled = torque(pulling);
    memory.speed += 0.5 * clock.h * (pulled + torque(pushing));
    slow(memory.speed, pulled);
    soft_angle = heading.angle;
    range.apply(soft_angle, memory.speed, half_frames);
    // What holds it takes the kick that leads out.
    memory.speed =
        select(hit.lower, most(memory.speed, T(0.0)), select(hit.upper, least(memory.speed, T(0.0)), memory.speed));
    io.limit = limit_of(hit);
  }
  memory.angle = heading.angle;
  memory.gravity = gravity1;
}

// One step a frame, factors that count frames, and the speed added once for every limit, as the engine does it.
template <class T>
void HingeSolver::advance_natively(MemoryOf<T>& memory, SolveOf<T>& io, const Shifts<T>& shifts) const {
  const double dt = io.clock.dt;
  const HingeBasis<T> basis(io.anchor->rot1, axis, look_axis);
  const VecOf<T> look = HingeBasis<T>(io.anchor->rot0, axis, look_axis).at(memory.angle);
  const VecOf<T> pulling = pull(io);
  const VecOf<T> force = pulling - io.anchor->velocity1 * (lag / dt) + io.clock.wind0 * (wind_scale / dt);
  T angle = basis.angle_of(look);
  memory.speed += dt * glm::dot(glm::cross(look, force), basis.axis);
  const MaskOf<T> rises = glm::dot(glm::cross(look, pulling), basis.axis) * memory.speed < 0.0;
  memory.speed = select(rises, memory.speed * (1.0 - weight), memory.speed);
  if (stops.empty()) angle += memory.speed * dt;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    angle += memory.speed * dt;
    io.limit = limit_of(limit<T>(i, shifts).apply(angle, memory.speed, 1.0));
  }
  memory.gravity = pulling;
  memory.angle = angle;
}

template <class T>
void HingeSolver::solve(SolveOf<T>& io) const {
  auto memory = load_state<MemoryOf<T>>(io.state);
  if (io.phase != Phase::Hold) {
    const HingeBasis<T> basis(io.input.rot, axis, look_axis);
    const StateAt<T> stored = io.state + kStateDoubles<MemoryOf<double>>;
    Shifts<T> shifts, new_shifts;
    for (std::size_t i = 0; i < stops.size(); ++i) {
      shifts[i] = load_state<T>(stored + i);
      new_shifts[i] = T(0.0);
      if (stops[i].bone != kNoBone)
        new_shifts[i] = basis.angle_of(io.bone(stops[i].bone).rot * VecOf<T>(stops[i].rest_direction));
    }
    if (io.phase == Phase::Seed) {
      T angle = T(0.0), speed = T(0.0);
      io.limit = limit_of(limits<T>(new_shifts).apply(angle, speed, 0.0));
      memory = {pull(io), T(0.0), angle};
    } else if (io.clock.settings->native_law) {
      advance_natively<T>(memory, io, new_shifts);
    } else {
      advance<T>(memory, io, shifts, new_shifts);
    }
    for (std::size_t i = 0; i < stops.size(); ++i) store_state(stored + i, new_shifts[i], io.lanes);
    store_state(io.state, memory, io.lanes);
  }
  io.target.rot = io.input.rot * rotation_about(axis_of(axis), memory.angle);
}

}  // namespace marrow::motion
