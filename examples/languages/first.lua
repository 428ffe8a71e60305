-- SPDX-License-Identifier: MIT
-- Load, sample, change and save from LuaJIT: LD_LIBRARY_PATH=build/lib luajit first.lua CLIP OUT
local ffi = require("ffi")
ffi.cdef([[
typedef struct { const char* data; size_t size; } marrow_text;
typedef struct { uint64_t offset; int code; marrow_text name, message, path, file; } marrow_error;
typedef struct {
  marrow_text name, skeleton_name;
  uint32_t frame_count, track_count, float_track_count;
  float duration_seconds;
  int blend;
  int32_t skeleton;
  uint32_t has_root_motion, is_compressed;
} marrow_clip_info;
typedef struct { marrow_text name, extension; const void* bytes; size_t byte_count; } marrow_file;
int marrow_load_file(const char* path, const void* context, uint64_t* out);
int marrow_get_clip(uint64_t document, uint32_t clip, marrow_clip_info* out);
int marrow_open_sampler(uint64_t document, uint32_t clip, uint64_t bones, uint32_t skeleton, const void* context, uint64_t* out);
int marrow_sample_seconds(uint64_t sampler, double seconds, uint32_t loop, int space, float* out, uint32_t count);
int marrow_apply(uint64_t document, const char* operation, const char* options, const void* inputs, size_t count,
                 const void* context, uint64_t* out);
int marrow_save(uint64_t document, const char* options, const char* name, const void* context, uint64_t* out);
int marrow_get_file(uint64_t result, uint32_t index, marrow_file* out);
int marrow_last_error(marrow_error* out);
int marrow_release(uint64_t handle);
]])
local marrow = ffi.load("marrow")

local function text(from) return ffi.string(from.data, from.size) end
local function check(status)
  if status == 0 then return end
  local fault = ffi.new("marrow_error")
  marrow.marrow_last_error(fault)
  io.stderr:write(text(fault.file), ": ", text(fault.message), "\n")
  os.exit(1)
end

local handle, info, file = ffi.new("uint64_t[3]"), ffi.new("marrow_clip_info"), ffi.new("marrow_file")
check(marrow.marrow_load_file(arg[1], nil, handle))
local clip = handle[0]
check(marrow.marrow_get_clip(clip, 0, info))
print(string.format("%d frames, %d tracks", info.frame_count, info.track_count))
check(marrow.marrow_open_sampler(clip, 0, 0, 0, nil, handle + 1))
local pose = ffi.new("float[?]", info.track_count * 10)
check(marrow.marrow_sample_seconds(handle[1], 0.25, 1, 0, pose, info.track_count * 10))
print(string.format("%.3f %.3f %.3f", pose[10], pose[11], pose[12]))
check(marrow.marrow_apply(clip, "annotations add", '{"time": 0.25, "text": "FootLeft"}', nil, 0, nil, nil))
check(marrow.marrow_save(clip, nil, nil, nil, handle + 2))
check(marrow.marrow_get_file(handle[2], 0, file))
local out = assert(io.open(arg[2], "wb"))
out:write(ffi.string(file.bytes, file.byte_count))
out:close()
for i = 0, 2 do check(marrow.marrow_release(handle[i])) end
