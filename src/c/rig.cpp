// SPDX-License-Identifier: MIT
// Rigs and simulations.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "c/convert.h"
#include "c/parts.h"
#include "core/try.h"
#include "model/modifiers_fields.h"
#include "motion/presets.h"
#include "ops/rig/simulate.h"

using namespace marrow;
using namespace marrow::c;

namespace marrow::c {

/// Options of `marrow_open_rig`.
struct OpenRigOptions {
  std::vector<std::string> bones = {};
  std::optional<Game> game = {};
  std::string common = {};
  bool native_law = false;
  bool self_collision = false;
  double substep_seconds = motion::Settings{}.substep_seconds;
  double reset_distance = motion::Settings{}.reset_distance;
};

void describe(FieldList& fields, OpenRigOptions& options) {
  fields("bones", options.bones);
  fields("game", options.game);
  fields("common", options.common);
  fields("native_law", options.native_law);
  fields("self_collision", options.self_collision);
  fields("substep_seconds", options.substep_seconds, {.min = 1e-4, .max = 1.0});
  fields("reset_distance", options.reset_distance, {.min = 0, .max = 1e6});
}

namespace {

// A preset by its name, or the sidecar itself. What is a single word and neither of them is the name of no preset.
Result<std::string_view> sidecar_of(std::string_view text) {
  std::string known;
  for (const motion::Preset& preset : motion::presets()) {
    if (preset.name == text) return preset.json;
    known += (known.empty() ? "" : ", ") + std::string(preset.name);
  }
  if (!text.empty() && text.find_first_of("{[\" \t\r\n") == std::string_view::npos)
    return fail(ErrorCode::NotFound, "there is no preset '" + std::string(text) + "'; there are " + known, kNoOffset,
                "modifiers");
  return text;
}

std::optional<FieldPointer> find_in(std::span<const Field> table, void* object, std::string_view name) {
  for (const Field& field : table)
    if (field.name == name) return field.at(object);
  return std::nullopt;
}

// Finds a field of an item of a list of parts; `path` is what follows the name of the list, `[0].MinAngle`.
std::optional<FieldPointer> find_in_part(const FieldPointer& list, std::string_view path) {
  const std::size_t end = path.find("].");
  if (end == std::string_view::npos) return std::nullopt;
  std::size_t index = 0;
  const auto read = std::from_chars(path.data() + 1, path.data() + end, index);
  if (read.ec != std::errc{} || read.ptr != path.data() + end) return std::nullopt;
  const std::string_view name = path.substr(end + 2);
  const auto in = [&](auto* parts, std::span<const Field> table) {
    return index < parts->size() ? find_in(table, &(*parts)[index], name) : std::nullopt;
  };
  if (const auto* hinges = std::get_if<std::vector<Hinge>*>(&list)) return in(*hinges, hinge_fields());
  if (const auto* terms = std::get_if<std::vector<RotationExpression>*>(&list))
    return in(*terms, rotation_expression_fields());
  return std::nullopt;
}

// Finds a field of a modifier by name, `Mass` or `Constraints[0].MinAngle`. Null if there is none.
std::optional<FieldPointer> find_field(Modifier& modifier, std::string_view name) {
  const std::size_t inside = std::min(name.find('['), name.size());
  const std::string_view own = name.substr(0, inside);
  auto found = find_in(modifier_base_fields(), &modifier, own);
  if (!found) found = find_in(modifier_fields(modifier.type()), modifier_object(modifier.data), own);
  return found && inside < name.size() ? find_in_part(*found, name.substr(inside)) : found;
}

double number_of(const BoneLink& link) {
  return link.target == BoneLink{}.target ? -1.0 : static_cast<double>(link.target);
}

// Returns the numbers of a field; nothing if it does not hold numbers.
std::optional<std::vector<double>> numbers_of(const FieldPointer& at) {
  return std::visit(
      [](const auto* value) -> std::optional<std::vector<double>> {
        using T = std::decay_t<decltype(*value)>;
        if constexpr (std::is_arithmetic_v<T>) {
          return std::vector{static_cast<double>(*value)};
        } else if constexpr (std::is_same_v<T, Vec4> || std::is_same_v<T, Quat>) {
          return std::vector<double>{value->x, value->y, value->z, value->w};
        } else if constexpr (std::is_same_v<T, BoneLink>) {
          return std::vector{number_of(*value)};
        } else if constexpr (std::is_same_v<T, std::vector<BoneLink>>) {
          std::vector<double> all;
          for (const BoneLink& link : *value) all.push_back(number_of(link));
          return all;
        } else if constexpr (requires { static_cast<double>((*value)[0]); }) {
          return std::vector<double>(value->begin(), value->end());
        } else {
          return std::nullopt;
        }
      },
      at);
}

// Converts without leaving the range of the type.
template <class T>
bool assign(T& to, double value) {
  if constexpr (std::is_same_v<T, bool>) {
    to = value != 0.0;
  } else if constexpr (std::is_integral_v<T>) {
    if (value != std::trunc(value) || value < static_cast<double>(std::numeric_limits<T>::min()) ||
        value > static_cast<double>(std::numeric_limits<T>::max()))
      return false;
    to = static_cast<T>(value);
  } else {
    to = static_cast<T>(value);
    return std::isfinite(to);
  }
  return true;
}

// Sets the numbers of a field. False if it is not made of numbers, or one does not fit. Links are not set: another
// target is another rig.
bool set_numbers(const FieldPointer& at, std::span<const double> values) {
  return std::visit(
      [&](auto* value) {
        using T = std::decay_t<decltype(*value)>;
        if constexpr (std::is_arithmetic_v<T>) {
          return values.size() == 1 && assign(*value, values[0]);
        } else if constexpr (std::is_same_v<T, Vec4> || std::is_same_v<T, Quat>) {
          return values.size() == 4 && assign(value->x, values[0]) && assign(value->y, values[1]) &&
                 assign(value->z, values[2]) && assign(value->w, values[3]);
        } else if constexpr (std::is_same_v<T, std::vector<bool>>) {
          if (values.size() != value->size()) return false;
          for (std::size_t i = 0; i < values.size(); ++i) (*value)[i] = values[i] != 0.0;
          return true;
        } else if constexpr (std::is_same_v<T, std::vector<float>> || std::is_same_v<T, std::vector<std::uint32_t>>) {
          if (values.size() != value->size()) return false;
          for (std::size_t i = 0; i < values.size(); ++i)
            if (!assign((*value)[i], values[i])) return false;
          return true;
        } else {
          return false;
        }
      },
      at);
}

std::vector<Transform> rest_of(const Skeleton& skeleton) {
  std::vector<Transform> rest;
  for (const Bone& bone : skeleton.bones) rest.push_back(bone.rest);
  return rest;
}

// Takes up changes of the rig. The state goes on if it still fits: fields were tuned, and nothing else.
void take_up_changes(SimulationObject& simulation) {
  const SharedLock<SharedMutex> lock(simulation.rig->mutex);
  if (simulation.version == simulation.rig->version) return;
  motion::State state(simulation.rig->compiled);
  (void)state.restore(simulation.state.save());
  simulation.compiled = simulation.rig->compiled;
  simulation.state = std::move(state);
  simulation.version = simulation.rig->version;
}

motion::Environment environment_of(const marrow_environment& from) {
  motion::Environment to;
  to.gravity = {from.gravity[0], from.gravity[1], from.gravity[2]};
  to.wind.velocity = {from.wind[0], from.wind[1], from.wind[2]};
  to.wind.gust_share = from.gust_share;
  to.lod = from.lod;
  to.entity = transforms_of(from.entity, 1)[0];
  to.teleported = from.teleported != 0;
  return to;
}

}  // namespace
}  // namespace marrow::c

marrow_status marrow_open_rig(marrow_document skeleton, const marrow_document* addons, std::uint32_t addon_count,
                              const char* modifiers, const char* options_json, const marrow_context* context,
                              marrow_rig* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    if (addon_count > 0) MARROW_CHECK(required(addons, "addons"));
    MARROW_TRY(const Json json, options_of(options_json));
    OpenRigOptions options;
    MARROW_CHECK(from_json(options, json));
    CallContext called(context);
    MARROW_TRY(const auto base, reading_with(skeleton, kSkeletonParts));
    std::vector<Reading<DocumentObject>> held;
    RigOptions rig_options{.skeleton = &base->document};
    for (std::uint32_t i = 0; i < addon_count; ++i) {
      MARROW_TRY(auto addon, reading_with(addons[i], kSkeletonParts));
      rig_options.addons.push_back(&addon->document);
      held.push_back(std::move(addon));
    }
    MARROW_TRY(rig_options.modifiers, sidecar_of(view_of(modifiers)));
    rig_options.common = options.common;
    rig_options.bones = options.bones;
    rig_options.game = options.game;
    MARROW_TRY(Rig rig, load_rig(rig_options, *called));
    const motion::Settings settings{.substep_seconds = options.substep_seconds,
                                    .reset_distance = options.reset_distance,
                                    .native_law = options.native_law,
                                    .self_collision = options.self_collision};
    MARROW_TRY(motion::CompiledRig compiled, motion::CompiledRig::compile(rig, settings, &called->notes));
    auto object = std::make_shared<RigObject>(std::move(rig), std::move(compiled));
    object->notes = json_of(called->notes);
    *out = open(RigObject::kKind, std::move(object));
    return {};
  });
}

marrow_status marrow_get_rig(marrow_rig rig, marrow_rig_info* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, reading<RigObject>(rig));
    *out = {.notes = text_of(from->notes),
            .metres_per_unit = from->rig.metres_per_unit,
            .bone_count = static_cast<std::uint32_t>(from->rig.skeleton.bones.size()),
            .modifier_count = static_cast<std::uint32_t>(from->rig.modifiers.size())};
    return {};
  });
}

marrow_status marrow_get_rig_bones(marrow_rig rig, marrow_bone* out, std::uint32_t capacity, std::uint32_t* count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_TRY(const auto from, reading<RigObject>(rig));
    const std::vector<Bone>& bones = from->rig.skeleton.bones;
    return write_list(bones.size(), out, capacity, count, [&](std::size_t i) { return bone_of(bones[i]); });
  });
}

marrow_status marrow_get_modifiers(marrow_rig rig, marrow_modifier* out, std::uint32_t capacity, std::uint32_t* count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_TRY(const auto from, reading<RigObject>(rig));
    const std::vector<Modifier>& all = from->rig.modifiers;
    std::vector<std::int32_t> order(all.size(), -1);
    for (std::int32_t place = 0; const std::uint32_t index : from->compiled.schedule()) order[index] = place++;
    return write_list(all.size(), out, capacity, count, [&](std::size_t i) {
      return marrow_modifier{.type = text_of(class_name(all[i])),
                             .bone = static_cast<std::int32_t>(number_of(all[i].owner)),
                             .order = order[i]};
    });
  });
}

marrow_status marrow_get_field(marrow_rig rig, std::uint32_t modifier, const char* field, double* out,
                               std::uint32_t capacity, std::uint32_t* count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(field, "field"));
    MARROW_TRY(const auto from, reading<RigObject>(rig));
    MARROW_CHECK(in_range(modifier, from->rig.modifiers.size(), "modifier"));
    Modifier copy = from->rig.modifiers[modifier];  // accessors of fields are not const
    const auto found = find_field(copy, field);
    const auto numbers = found ? numbers_of(*found) : std::nullopt;
    if (!numbers) return fail_with(MARROW_NOT_FOUND, "the modifier has no such field of numbers", field);
    return write_list(numbers->size(), out, capacity, count, [&](std::size_t i) { return (*numbers)[i]; });
  });
}

marrow_status marrow_set_field(marrow_rig rig, std::uint32_t modifier, const char* field, const double* values,
                               std::uint32_t count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(field, "field"));
    if (count > 0) MARROW_CHECK(required(values, "values"));
    MARROW_TRY(const auto to, writing<RigObject>(rig));
    MARROW_CHECK(in_range(modifier, to->rig.modifiers.size(), "modifier"));
    Modifier changed = to->rig.modifiers[modifier];
    const auto found = find_field(changed, field);
    if (!found) return fail_with(MARROW_NOT_FOUND, "the modifier has no such field", field);
    if (!set_numbers(*found, std::span(values, count)))
      return fail_with(MARROW_BAD_ARGUMENT, "the values do not fit the field in number or range", field);
    std::swap(to->rig.modifiers[modifier], changed);
    auto compiled = motion::CompiledRig::compile(to->rig, to->compiled.settings());
    if (!compiled) {
      std::swap(to->rig.modifiers[modifier], changed);
      return std::unexpected(Failure(std::move(compiled).error()));
    }
    to->compiled = std::move(*compiled);
    ++to->version;
    return {};
  });
}

marrow_status marrow_open_simulation(marrow_rig rig, marrow_simulation* out) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, reading<RigObject>(rig));
    auto object = std::make_shared<SimulationObject>(from.shared(), from->compiled);
    object->rest = rest_of(from->rig.skeleton);
    object->version = from->version;
    *out = open(SimulationObject::kKind, std::move(object));
    return {};
  });
}

void marrow_default_environment(marrow_environment* out) {
  if (!out) return;
  *out = {};
  out->gravity[2] = motion::Environment{}.gravity.z;
  copy_transform({}, out->entity);
}

marrow_status marrow_step(marrow_simulation simulation, const marrow_environment* environment, double delta_seconds,
                          const float* input, const float* weights, float* output, std::uint32_t bone_count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(environment, "environment"));
    MARROW_CHECK(required(output, "output"));
    MARROW_TRY(const auto to, writing<SimulationObject>(simulation));
    if (bone_count != to->rest.size())
      return fail_with(MARROW_BAD_ARGUMENT, "the rig has " + std::to_string(to->rest.size()) + " bones", "bone_count");
    take_up_changes(*to);
    motion::EvaluateJob job{.rig = &to->compiled,
                            .state = &to->state,
                            .environment = environment_of(*environment),
                            .delta_seconds = delta_seconds,
                            .input = input ? transforms_of(input, bone_count) : std::span<const Transform>(to->rest),
                            .output = transforms_of(output, bone_count)};
    if (weights) job.weights = {weights, to->compiled.modifier_count()};
    MARROW_CHECK(job.validate());
    job.run();
    return {};
  });
}

marrow_status marrow_reset(marrow_simulation simulation) {
  return guarded([&]() -> Outcome<void> {
    MARROW_TRY(const auto to, writing<SimulationObject>(simulation));
    to->state.reset();
    return {};
  });
}

marrow_status marrow_save_state(marrow_simulation simulation, void* out, std::size_t capacity, std::size_t* count) {
  return guarded([&]() -> Outcome<void> {
    MARROW_CHECK(required(count, "count"));
    if (capacity > 0) MARROW_CHECK(required(out, "out"));
    MARROW_TRY(const auto from, reading<SimulationObject>(simulation));
    const std::vector<std::byte> state = from->state.save();
    std::copy_n(state.begin(), std::min(capacity, state.size()), static_cast<std::byte*>(out));
    *count = state.size();
    return {};
  });
}

marrow_status marrow_restore_state(marrow_simulation simulation, const void* state, std::size_t size) {
  return guarded([&]() -> Outcome<void> {
    if (size > 0) MARROW_CHECK(required(state, "state"));
    MARROW_TRY(const auto to, writing<SimulationObject>(simulation));
    MARROW_CHECK(to->state.restore(bytes_of(state, size)));
    return {};
  });
}
