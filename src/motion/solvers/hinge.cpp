// SPDX-License-Identifier: MIT
#include "motion/solvers/hinge.h"

#include <array>

namespace marrow::motion {
namespace {

constexpr std::size_t kMostStops = 16;
// Sine of the angle to the axis below which a look direction has no angle about it.
constexpr double kAlongAxis = 5e-4;

struct Basis {
  DVec axis, look, across;  // across = axis x look

  Basis(const DQuat& rotation, int axis_index, int look_index)
      : axis(rotation * axis_of(axis_index)), look(rotation * axis_of(look_index)), across(glm::cross(axis, look)) {}

  double angle_of(const DVec& direction) const {
    const double x = glm::dot(direction, look), y = glm::dot(direction, across);
    return x * x + y * y < kAlongAxis * kAlongAxis ? 0.0 : std::atan2(y, x);
  }
  DVec at(double angle) const { return look * std::cos(angle) + across * std::sin(angle); }
};

// An angle with its sine and cosine, for small steps from one to the next.
struct Heading {
  double angle, sine, cosine;

  explicit Heading(double a) : angle(a), sine(std::sin(a)), cosine(std::cos(a)) {}

  // How far it is to the direction (x, y) in the plane; to 0 where that is too short to have an angle.
  double way_to(double x, double y) const {
    if (x * x + y * y < kAlongAxis * kAlongAxis) return -angle;
    return marrow::motion::angle_of(y * cosine - x * sine, x * cosine + y * sine);
  }
  // To an angle that is reached by turning so far, give or take whole turns.
  void turn(double by, double to) {
    const auto [sinc, c] = sinc_cos(by * by);
    const double s = by * sinc, old = sine;
    sine = sine * c + cosine * s;
    cosine = cosine * c - old * s;
    angle = to;
  }
};

}  // namespace

Compiled<HingeSolver> HingeSolver::compile(const HingeModifier& m, const CompileContext& context, std::string& why) {
  if (m.axis_constraint_type < 0 || m.axis_constraint_type > 2 || m.axis_look_at_type < 0 || m.axis_look_at_type > 2 ||
      m.axis_constraint_type == m.axis_look_at_type) {
    why = "AxisConstraintType and AxisLookAtType have to be two different axes (0 X, 1 Y, 2 Z)";
    return std::nullopt;
  }
  if (m.constraints.size() > kMostStops) {
    why = "more than 16 Hinge limits on one modifier";
    return std::nullopt;
  }
  HingeSolver s;
  s.axis = m.axis_constraint_type;
  s.look_axis = m.axis_look_at_type;
  s.lag = m.lag_factor;
  s.weight = std::clamp(m.weight_factor, 0.0f, 1.0f);
  s.wind_scale = m.wind_scale;
  s.usual_rising = std::pow(1.0 - s.weight, context.settings.reference_rate * context.settings.substep_seconds);
  s.gravity = DVec(m.gravity);
  s.gravity_bone = bone_index(m.gravity_associated_bone);
  const auto& rest = context.rest.global;
  for (const Hinge& hinge : m.constraints) {
    Stop stop{.range = {hinge.min_angle, hinge.max_angle, std::max(0.0f, hinge.delta_min_damping),
                        std::max(0.0f, hinge.delta_max_damping)},
              .bone = bone_index(hinge.constraint_associated_bone)};
    if (stop.bone != kNoBone)
      stop.rest_direction = glm::conjugate(rest[static_cast<std::size_t>(stop.bone)].rot) *
                            (rest[static_cast<std::size_t>(context.owner)].rot * axis_of(s.look_axis));
    s.stops.push_back(stop);
  }
  return s;
}

AngleLimit HingeSolver::limits(std::span<const double> shifts) const {
  AngleLimit all;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    AngleLimit range = stops[i].range;
    range.low += shifts[i];
    range.high += shifts[i];
    all.intersect(range);
  }
  return all;
}

void HingeSolver::advance(Memory& memory, Solve& io, std::span<double> shifts,
                          std::span<const double> new_shifts) const {
  const Clock& clock = io.clock;
  const Anchor& anchor = *io.anchor;
  const double frames = clock.settings->reference_rate * clock.h;
  const double rising = clock.usual_step ? usual_rising : std::pow(1.0 - weight, frames);
  const double per_substep = 1.0 / clock.substeps;
  const double wind_gain = clock.settings->reference_rate * wind_scale;
  const DVec gravity1 = gravity_bone == kNoBone ? gravity : io.bone(gravity_bone).rot * gravity;
  // Gravity, and what else pushes: the anchor's own velocity and wind. Both change evenly.
  DVec pull = memory.gravity;
  const DVec pull_step = (gravity1 - pull) * per_substep,
             wind_step = (clock.wind1 - clock.wind0) * (wind_gain * per_substep);
  DVec push = clock.wind0 * wind_gain - anchor.velocity1 * (clock.settings->reference_rate * lag);

  // The base turns by the same turn in every substep: seen from the base, the plane in which the hinge swings is left
  // behind by one that is computed once.
  const glm::dmat3 turn = glm::mat3_cast(exp_map(anchor.spin(clock) * clock.h));
  Basis basis(anchor.rot0, axis, look_axis);
  const DVec next_look = turn * basis.look, next_across = turn * basis.across;
  const double look_look = glm::dot(basis.look, next_look), look_across = glm::dot(basis.look, next_across);
  const double across_look = glm::dot(basis.across, next_look), across_across = glm::dot(basis.across, next_across);

  std::array<double, kMostStops> stop_step{};
  bool moving_stops = false;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    stop_step[i] = wrap_angle(new_shifts[i] - shifts[i]) * per_substep;
    moving_stops |= stop_step[i] != 0.0;
  }
  AngleLimit range = limits(new_shifts);
  Heading heading(memory.angle);
  for (int i = 1; i <= clock.substeps; ++i) {
    if (moving_stops) {
      for (std::size_t k = 0; k < stops.size(); ++k) shifts[k] += stop_step[k];
      range = limits(i == clock.substeps ? new_shifts : shifts);
    }
    basis.look = turn * basis.look;
    basis.across = turn * basis.across;
    pull += pull_step;
    push += wind_step;
    // The look direction stays in the world while the base turns: (x, y) is where it is now.
    const double x = heading.cosine * look_look + heading.sine * across_look;
    const double y = heading.cosine * look_across + heading.sine * across_across;
    const double left_behind = heading.way_to(x, y);
    const double start = range.wrap(heading.angle + left_behind);
    const double pulled = x * glm::dot(pull, basis.across) - y * glm::dot(pull, basis.look);
    const double pushed = x * glm::dot(push, basis.across) - y * glm::dot(push, basis.look);
    memory.speed += clock.h * (pulled + pushed);
    if (pulled * memory.speed < 0.0) memory.speed *= rising;
    double angle = start + memory.speed * clock.h;
    io.limit = range.apply(angle, memory.speed, frames);
    heading.turn(left_behind + (angle - start), angle);
  }
  memory.angle = heading.angle;
  memory.gravity = gravity1;
}

// One step a frame, factors that count frames, and the speed added once for every limit, as the engine does it.
void HingeSolver::advance_natively(Memory& memory, Solve& io, std::span<const double> shifts) const {
  const double dt = io.clock.dt;
  const Basis basis(io.anchor->rot1, axis, look_axis);
  const DVec look = Basis(io.anchor->rot0, axis, look_axis).at(memory.angle);
  const DVec pull = gravity_bone == kNoBone ? gravity : io.bone(gravity_bone).rot * gravity;
  const DVec force = pull - io.anchor->velocity1 * (lag / dt) + io.clock.wind0 * (wind_scale / dt);
  double angle = basis.angle_of(look);
  memory.speed += dt * glm::dot(glm::cross(look, force), basis.axis);
  if (glm::dot(glm::cross(look, pull), basis.axis) * memory.speed < 0.0) memory.speed *= 1.0 - weight;
  if (stops.empty()) angle += memory.speed * dt;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    AngleLimit range = stops[i].range;
    range.low += shifts[i];
    range.high += shifts[i];
    angle += memory.speed * dt;
    io.limit = range.apply(angle, memory.speed, 1.0);
  }
  memory.gravity = pull;
  memory.angle = angle;
}

void HingeSolver::solve(Solve& io) const {
  auto memory = load_state<Memory>(io.state);
  if (io.phase != Phase::Hold) {
    const Basis basis(io.input.rot, axis, look_axis);
    std::array<double, kMostStops> now{};
    for (std::size_t i = 0; i < stops.size(); ++i)
      if (stops[i].bone != kNoBone) now[i] = basis.angle_of(io.bone(stops[i].bone).rot * stops[i].rest_direction);
    const std::span<const double> new_shifts(now.data(), stops.size());
    const std::span<double> shifts(io.state + kStateDoubles<Memory>, stops.size());
    if (io.phase == Phase::Seed) {
      double angle = 0.0, speed = 0.0;
      io.limit = limits(new_shifts).apply(angle, speed, 0.0);
      memory = {gravity_bone == kNoBone ? gravity : io.bone(gravity_bone).rot * gravity, 0.0, angle};
    } else if (io.clock.settings->native_law) {
      advance_natively(memory, io, new_shifts);
    } else {
      advance(memory, io, shifts, new_shifts);
    }
    std::copy(new_shifts.begin(), new_shifts.end(), shifts.begin());
    store_state(io.state, memory);
  }
  io.target.rot = io.input.rot * rotation_about(axis_of(axis), memory.angle);
}

}  // namespace marrow::motion
