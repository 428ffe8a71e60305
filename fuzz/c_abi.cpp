// SPDX-License-Identifier: MIT
// The C ABI under attack: a file, then a list of calls that the input chooses, with hostile JSON, numbers and handles.
// Input: a byte n, n bytes that choose calls and handles, a line of JSON, and the file.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "limits.h"
#include "marrow/marrow_c.h"

namespace {

struct Calls {
  std::array<marrow_handle, 8> handles = {};
  std::string json = {};
  std::vector<float> floats = std::vector<float>(40960);
  std::vector<double> numbers = std::vector<double>(64);

  bool alone = true;  // no other thread may free what pointers lead to

  // Old and new handles in turn, also ones that were released.
  void keep(marrow_handle handle) {
    marrow_release(handles.back());
    std::shift_right(handles.begin(), handles.end(), 1);
    handles[0] = handle;
  }

  void run(std::uint8_t what, std::uint8_t with) {
    const marrow_handle h = handles[with % handles.size()], other = handles[with / 8 % handles.size()];
    const std::uint32_t index = with >> 6;
    std::uint32_t count = 0;
    marrow_handle made = 0;
    const auto room = static_cast<std::uint32_t>(floats.size());
    switch (what % 29) {
      case 0: marrow_release(h); break;
      case 1:
        if (!marrow_copy_document(h, &made)) keep(made);
        break;
      case 2: {
        marrow_document_info info;
        marrow_get_document(h, &info);
        break;
      }
      case 3: {
        marrow_bone bones[4];
        marrow_get_bones(h, index, bones, 4, &count);
        break;
      }
      case 4: {
        marrow_frames frames;
        if (!marrow_get_frames(h, index, nullptr, &frames) && alone && frames.data && frames.frame_count &&
            frames.track_count)
          frames.data[0] += 1.0f;
        break;
      }
      case 5: {
        marrow_annotation events[4];
        if (!marrow_get_annotations(h, index, events, 4, &count) && alone)
          marrow_set_annotations(h, index, events, std::min(count, 4u));
        break;
      }
      case 6: {
        marrow_root_motion motion;
        if (!marrow_get_root_motion(h, index, &motion) && alone) marrow_set_root_motion(other, index, &motion);
        break;
      }
      case 7:
        if (!marrow_open_sampler(h, index, other, 0, nullptr, &made)) keep(made);
        break;
      case 8: marrow_sample(h, with, floats.data(), room); break;
      case 28: {
        if (!marrow_open_sampler_as(h, index, other, 0, static_cast<marrow_form>(room % 2), nullptr, &made)) keep(made);
        const marrow_sample_request list[2] = {{h, with, floats.data(), room, 0}, {other, 0.5, floats.data(), room, 0}};
        marrow_sample_many(list, 2);
        break;
      }
      case 9: marrow_sample_pose(h, with, MARROW_SPACE_MODEL, floats.data(), room); break;
      case 10: {
        marrow_body bodies[4];
        marrow_get_bodies(h, index, bodies, 4, &count);
        break;
      }
      case 11: {
        marrow_joint joints[4];
        marrow_get_joints(h, index, joints, 4, &count);
        break;
      }
      case 12:
        if (!marrow_open_meshes(h, static_cast<marrow_surface>(index), nullptr, &made)) keep(made);
        break;
      case 13: {
        marrow_mesh mesh;
        if (!marrow_get_mesh(h, index, &mesh) && alone) marrow_add_mesh(other, &mesh, nullptr, 0);
        break;
      }
      case 14:
        if (!marrow_open_rig(h, &other, index & 1, index & 2 ? json.c_str() : nullptr, json.c_str(), nullptr, &made))
          keep(made);
        break;
      case 15:
        if (!marrow_open_simulation(h, &made)) keep(made);
        break;
      case 16: {
        marrow_environment world;
        marrow_default_environment(&world);
        marrow_rig_info info;
        marrow_step(h, &world, 1.0 / 30, nullptr, nullptr, floats.data(),
                    marrow_get_rig(other, &info) ? 0 : std::min(info.bone_count, room / 10));
        break;
      }
      case 17: marrow_get_field(h, index, "BlendWeight", numbers.data(), 64, &count); break;
      case 18: marrow_set_field(h, index, "BlendWeight", numbers.data(), 1); break;
      case 19:
        marrow_local_to_model(h, index, floats.data(), floats.data(), std::min<std::uint32_t>(with, room / 10));
        break;
      case 20: marrow_restore_state(h, json.data(), json.size()); break;
      case 21: run_operation("info", "file", h); break;
      case 22: run_operation("check", "file", h); break;
      case 23:
        if (!marrow_find_skeleton(h, nullptr, &made)) keep(made);
        break;
      case 24: marrow_sample_frames(h, index, other, 0, with, MARROW_SPACE_MODEL, floats.data(), room); break;
      case 25: {
        marrow_text names[4];
        if (!marrow_get_track_names(h, index, names, 4, &count) && alone)
          marrow_set_track_names(other, index, names, std::min(count, 4u));
        break;
      }
      case 26:
        if (alone) marrow_remove_clip(h, index);
        break;
      default: run_operation("convert", "file", h); break;
    }
  }

  void run_operation(const char* name, const char* role, marrow_handle document) {
    const marrow_input input{.role = role, .name = "fuzz", .bytes = nullptr, .byte_count = 0, .document = document};
    marrow_handle result = 0;
    if (marrow_run(name, json.c_str(), &input, 1, nullptr, nullptr, &result) == MARROW_OK) keep(result);
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::size_t steps = std::min<std::size_t>(data[0], size - 1);
  const std::uint8_t* script = data + 1;
  const std::uint8_t* rest = script + steps;
  const std::size_t left = size - 1 - steps;
  const auto* line = left ? static_cast<const std::uint8_t*>(std::memchr(rest, '\n', left)) : nullptr;
  Calls calls;
  calls.alone = !(data[0] & 1);
  if (line) calls.json.assign(rest, line);
  const std::uint8_t* file = line ? line + 1 : rest;

  marrow_context context{};
  context.max_expanded_bytes = marrow::fuzz::kMaxExpandedBytes;
  marrow_document document = 0;
  if (marrow_load(file, static_cast<std::size_t>(data + size - file), "fuzz", &context, &document) == MARROW_OK)
    calls.keep(document);
  // The first half of the calls runs beside a second thread that uses the same handles.
  Calls other = calls;
  const std::size_t half = steps / 4 * 2;
  std::thread second;
  if (!calls.alone)
    second = std::thread([&] {
      for (std::size_t i = half; i + 1 < steps; i += 2) other.run(script[i], script[i + 1]);
    });
  for (std::size_t i = 0; i + 1 < (calls.alone ? steps : half); i += 2) calls.run(script[i], script[i + 1]);
  if (second.joinable()) second.join();
  for (const Calls* each : {&calls, &other})
    for (const marrow_handle handle : each->handles) marrow_release(handle);
  if (marrow_open_handles() > 64) std::abort();  // something leaks
  return 0;
}
