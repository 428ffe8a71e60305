// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "collision.h"
#include "marrow/core/file.h"
#include "marrow/core/text.h"

namespace marrow::cli {
namespace {

std::vector<float> numbers(const Arguments& arguments, std::string_view name, std::size_t count) {
  std::vector<float> values;
  const std::string text = arguments.get(name);
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const auto value = parse_float(std::string_view(text).substr(at, end - at));
    if (!value) break;
    values.push_back(*value);
    at = end + 1;
  }
  if (values.size() != count)
    throw UsageError(fmt::format("{} takes {} numbers with commas, not '{}'", name, count, text));
  return values;
}

std::optional<bool> on_off(const Arguments& arguments, std::string_view name) {
  const auto word = arguments.find(name);
  return word ? std::optional(*word == "on") : std::nullopt;
}

BodyEdit edit_of(const Arguments& arguments) {
  BodyEdit edit;
  edit.motion = motion_option(arguments);
  edit.mass_kg = real_option(arguments, "--mass");
  edit.friction = real_option(arguments, "--friction");
  edit.restitution = real_option(arguments, "--restitution");
  edit.linear_damping = real_option(arguments, "--linear-damping");
  edit.angular_damping = real_option(arguments, "--angular-damping");
  edit.gravity_factor = real_option(arguments, "--gravity-factor");
  edit.max_linear_speed = real_option(arguments, "--max-linear-speed");
  edit.max_angular_speed = real_option(arguments, "--max-angular-speed");
  edit.material = material_option(arguments);
  edit.layer = layer_option(arguments);
  if (const auto response = arguments.find("--collision-response")) edit.collides = *response == "contact";
  edit.enter_keyframed = on_off(arguments, "--enter-keyframed");
  edit.impact_events = on_off(arguments, "--impact-events");
  if (arguments.has("--position")) {
    const auto v = numbers(arguments, "--position", 3);
    edit.position = Vec3(v[0], v[1], v[2]);
  }
  if (arguments.has("--rotation")) {
    const auto v = numbers(arguments, "--rotation", 4);
    edit.rotation = make_quat(v[0], v[1], v[2], v[3]);
  }
  return edit;
}

int set(const Arguments& arguments) {
  const BodyEdit edit = edit_of(arguments);
  BodySelection selection{block_option(arguments), {}, arguments.all("--node")};
  for (const std::string& text : arguments.all("--body")) selection.bodies.push_back(body_number(text));
  return run_one(arguments, {"FILE"}, [&](const OneFile& in) -> Result<std::string> {
    std::size_t changed = 0;
    const auto edited = edit_collision(in.bytes[0], selection, edit, changed, in.notes);
    if (!edited) return std::unexpected(edited.error());
    const std::string& output = arguments.get("-o");
    if (const auto written = write_file(output, *edited); !written) return std::unexpected(written.error());
    return fmt::format("{} bodies changed -> {}", changed, output);
  });
}

}  // namespace

Verb collision_set_verb() {
  return {
      .name = "set",
      .summary = "change bodies: mass, friction, material, layer, motion, place and more",
      .positionals = {{"FILE", "a NIF or a packfile"}},
      .options =
          {{"-o,--output", "OUT", "the new file", true},
           {"--block", "N", "which system, where there are several"},
           {"--body", "N", "only this body; may be given again (default: all)", false, true},
           {"--node", "NAME", "only the body of this node; may be given again", false, true},
           {"--motion", "KIND", "how it moves", false, false, {"static", "keyframed", "dynamic"}},
           {"--mass", "KG", "of a dynamic body; inertia follows"},
           {"--friction", "F", "0 is ice, 0.5 the game's usual"},
           {"--restitution", "R", "0 does not bounce, 0.4 the game's usual"},
           {"--linear-damping", "D", "the game's usual is 0.1"},
           {"--angular-damping", "D", "the game's usual is 0.05"},
           {"--gravity-factor", "G", "1 falls, 0 floats"},
           {"--max-linear-speed", "V", "in Havok units a second (usual: 104.375)"},
           {"--max-angular-speed", "V", "in radians a second (usual: 31.57)"},
           {"--material", "NAME", "of the whole shape: `wood`, `Material_Wood`, or a CRC in hex"},
           {"--layer", "NAME", "STATIC, CLUTTER, WEAPON ... or a number"},
           {"--collision-response", "KIND", "contact, or none: others pass through", false, false, {"contact", "none"}},
           {"--enter-keyframed", "ON", "enters the world keyframed, as bones do", false, false, {"on", "off"}},
           {"--impact-events", "ON", "makes a sound when it hits", false, false, {"on", "off"}},
           {"--position", "X,Y,Z", "of the body, in Havok units"},
           {"--rotation", "X,Y,Z,W", "of the body, a unit quaternion"}},
      .run = set};
}

}  // namespace marrow::cli
