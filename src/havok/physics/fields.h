// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <concepts>
#include <string_view>
#include <type_traits>

#include "havok/packfile/packfile.h"
#include "marrow/model/collision.h"

// Which member of a Havok class is which field of the model: one table per class, read and written by the visitors
// below.

namespace marrow::havok {

/// An 8-bit float held as a record of one byte.
struct ByteRecord {
  std::uint8_t& value;
};

template <class V>
void describe(V&& v, SurfaceProperties& s) {
  v("name", s.name);
  v("isExclusive", s.is_exclusive);
  v("flags", s.flags);
  v("triggerType", s.trigger_type);
  v("triggerManifoldTolerance", ByteRecord{s.trigger_manifold_tolerance});
  v("dynamicFriction", s.dynamic_friction);
  v("staticFriction", s.static_friction);
  v("restitution", s.restitution);
  v("frictionCombinePolicy", s.friction_policy);
  v("restitutionCombinePolicy", s.restitution_policy);
  v("weldingTolerance", s.welding_tolerance);
  v("maxContactImpulse", s.max_contact_impulse);
  v("fractionOfClippedImpulseToApply", s.clipped_impulse_fraction);
  v("massChangerCategory", s.mass_changer_category);
  v("massChangerHeavyObjectFactor", s.mass_changer_factor);
  v("softContactForceFactor", s.soft_contact_force);
  v("softContactDampFactor", s.soft_contact_damping);
  v("softContactSeperationVelocity", ByteRecord{s.soft_contact_velocity});
  v("surfaceVelocity", s.source);
  v("disablingCollisionsBetweenCvxCvxDynamicObjectsDistance", s.convex_disable_distance);
  v("userData", s.user_data);
  v("isShared", s.is_shared);
}

template <class V>
void describe(V&& v, MotionProperties& m) {
  v("isExclusive", m.is_exclusive);
  v("flags", m.flags);
  v("gravityFactor", m.gravity_factor);
  v("timeFactor", m.time_factor);
  v("maxLinearSpeed", m.max_linear_speed);
  v("maxAngularSpeed", m.max_angular_speed);
  v("linearDamping", m.linear_damping);
  v("angularDamping", m.angular_damping);
  v("solverStabilizationSpeedThreshold", m.stabilization_threshold);
  v("solverStabilizationSpeedReduction", m.stabilization_reduction);
  v("maxDistSqrd", m.max_distance_squared);
  v("maxRotSqrd", m.max_rotation_squared);
  v("invBlockSize", m.inverse_block_size);
  v("pathingUpperThreshold", m.pathing_upper);
  v("pathingLowerThreshold", m.pathing_lower);
  v("numDeactivationFrequencyPasses", m.deactivation_passes);
  v("deactivationVelocityScaleSquare", m.deactivation_velocity);
  v("minimumPathingVelocityScaleSquare", m.minimum_pathing_velocity);
  v("spikingVelocityScaleThresholdSquared", m.spiking_threshold);
  v("minimumSpikingVelocityScaleSquared", m.minimum_spiking_velocity);
}

template <class V>
void describe(V&& v, Motion& m) {
  v("motionPropertiesId", m.properties);
  v("enableDeactivation", m.enable_deactivation);
  v("inverseMass", m.inverse_mass);
  v("massFactor", m.mass_factor);
  v("maxLinearAccelerationDistancePerStep", m.max_acceleration_distance);
  v("maxRotationToPreventTunneling", m.max_tunneling_rotation);
  v("inverseInertiaLocal", m.inverse_inertia);
  v("centerOfMassWorld", m.center_of_mass);
  v("orientation", m.orientation);
  v("linearVelocity", m.linear_velocity);
  v("angularVelocity", m.angular_velocity);
}

// The shape is a reference between arrays of the model, and read and written apart.
template <class V>
void describe(V&& v, Body& b) {
  v("reservedBodyId", b.reserved_id);
  v("motionId", b.motion);
  v("qualityId", b.quality);
  v("materialId", b.surface);
  v("collisionFilterInfo", b.filter);
  v("flags", b.flags);
  v("collisionLookAheadDistance", b.look_ahead_distance);
  v("name", b.name);
  v("userData", b.user_data);
  v("position", b.position);
  v("orientation", b.orientation);
  v("spuFlags", b.spu_flags);
  v("localFrame", b.source);
}

template <class V>
void describe(V&& v, Constraint& c) {
  v("constraintData", c.source);
  v("bodyA", c.body_a);
  v("bodyB", c.body_b);
  v("flags", c.flags);
}

/// Returns the floats of a member, as many as asked for: a file may describe its own classes, and theirs may lack it.
inline std::vector<float> floats_of(const FieldsView& fields, std::string_view name, std::size_t count) {
  std::vector<float> floats = fields.floats(name);
  floats.resize(count);
  return floats;
}

/// Reads what a table names.
struct FieldReader {
  FieldsView fields;

  template <class T>
    requires(std::integral<T> || std::same_as<T, bool>)
  void operator()(std::string_view name, T& value) const {
    value = static_cast<T>(fields.integer(name));
  }
  void operator()(std::string_view name, float& value) const { value = static_cast<float>(fields.real(name)); }
  void operator()(std::string_view name, Vec4& value) const {
    const std::vector<float> floats = floats_of(fields, name, 4);
    value = {floats[0], floats[1], floats[2], floats[3]};
  }
  void operator()(std::string_view name, Quat& value) const {
    const std::vector<float> floats = floats_of(fields, name, 4);
    value = make_quat(floats[0], floats[1], floats[2], floats[3]);
  }
  void operator()(std::string_view name, std::string& value) const { value = fields.text(name).value_or(""); }
  void operator()(std::string_view name, SourceHandle& value) const { value.value = fields.pointer(name).index; }
  void operator()(std::string_view name, ByteRecord value) const {
    value.value = static_cast<std::uint8_t>(fields.record(name).integer("value"));
  }
};

/// Writes what a table names.
struct FieldWriter {
  Fields fields;
  bool keeps_empty_text = false;  ///< the file says "" where others say nothing

  template <class T>
    requires(std::integral<T> || std::same_as<T, bool>)
  void operator()(std::string_view name, T& value) {
    fields.set_integer(name, static_cast<std::int64_t>(value));
  }
  void operator()(std::string_view name, float& value) { fields.set_real(name, static_cast<double>(value)); }
  void operator()(std::string_view name, Vec4& v) { fields.set_floats(name, std::array{v.x, v.y, v.z, v.w}); }
  void operator()(std::string_view name, Quat& q) { fields.set_floats(name, std::array{q.x, q.y, q.z, q.w}); }
  void operator()(std::string_view name, std::string& value) {
    fields.set_text(name, value.empty() && !keeps_empty_text ? std::nullopt : std::optional(value));
  }
  void operator()(std::string_view name, SourceHandle& value) { fields.set_pointer(name, {value.value}); }
  void operator()(std::string_view name, ByteRecord value) { fields.record(name).set_integer("value", value.value); }
};

template <class T>
std::vector<T> read_records(const FieldsView& fields, std::string_view array) {
  const ArrayView view = fields.array(array);
  std::vector<T> values(view.size());
  for (std::uint32_t i = 0; i < view.size(); ++i) describe(FieldReader{view.record(i)}, values[i]);
  return values;
}

template <class T>
void write_records(Fields fields, std::string_view array, const std::vector<T>& values) {
  const ArrayView before = fields.view().array(array);
  const bool has_empty_text = !before.empty() && before.record(0).has("name") && before.record(0).text("name") == "";
  fields.reset_array(array, static_cast<std::uint32_t>(values.size()));
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    T value = values[i];  // the tables take both directions, so they take a value that could change
    describe(FieldWriter{fields.element(array, i), has_empty_text}, value);
  }
}

/// Small integers in the w lane of a vector: 0x3F000000 | n, which is a harmless float between 0.5 and 1.
inline float lane_of(std::uint32_t n) { return std::bit_cast<float>(0x3F000000u | (n & 0xFFFFFFu)); }
inline std::uint32_t lane_value(float w) { return std::bit_cast<std::uint32_t>(w) & 0xFFFFFFu; }

/// An hkTransform: three axes as columns, then the translation.
inline Frame frame_of(std::span<const float> f) {
  Frame frame;
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row) frame.rotation[column][row] = f[static_cast<std::size_t>(4 * column + row)];
  frame.translation = {f[12], f[13], f[14]};
  return frame;
}
/// Puts a frame over a transform and leaves its w lanes.
inline void put_frame(const Frame& frame, std::span<float> f) {
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row) f[static_cast<std::size_t>(4 * column + row)] = frame.rotation[column][row];
  for (int row = 0; row < 3; ++row) f[static_cast<std::size_t>(12 + row)] = frame.translation[row];
}

/// The object as one of a class, or null: not there, opaque, or of another class.
inline const Object* object_as(const Packfile& file, ObjectId id, std::string_view class_name) {
  if (id.is_null() || id.index >= file.objects.size()) return nullptr;
  const Object& object = file.objects[id.index];
  return object.type && object.type->is_a(class_name) ? &object : nullptr;
}

}  // namespace marrow::havok
