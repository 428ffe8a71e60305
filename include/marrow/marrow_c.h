/* SPDX-License-Identifier: MIT */
/* clang-format off */
/**
 * The C ABI of Marrow, for every other language. docs/c.md has examples. Load, change and save, in ten lines:
 *
 *   marrow_document clip;
 *   marrow_result saved;
 *   marrow_file file;
 *   if (marrow_load_file("walk.hkx", NULL, &clip)) return 1;
 *   if (marrow_apply(clip, "annotations add", "{\"time\": 0.5, \"text\": \"FootLeft\"}", NULL, 0, NULL, NULL)) return 1;
 *   if (marrow_save(clip, NULL, NULL, NULL, &saved) || marrow_get_file(saved, 0, &file)) return 1;
 *   FILE* out = fopen("walk2.hkx", "wb");
 *   if (!out || fwrite(file.bytes, 1, file.byte_count, out) != file.byte_count || fclose(out)) return 1;
 *   marrow_release(saved);
 *   marrow_release(clip);
 *
 * Two halves. Bulk data: a file is loaded into a document, whose skeletons, clips, collision and meshes are read and
 * written as arrays. Operations: whatever the command line can do is run by name, with options and report as JSON.
 *
 * Handles are numbers: a slot, its generation and the kind of thing. A handle that is wrong, of another kind or
 * released is an error (MARROW_BAD_HANDLE), never a crash. 0 is never a handle. `marrow_release` frees any of them.
 *
 * Failure: a function returns MARROW_OK or the code of an error, and then changes nothing that it was given;
 * `marrow_last_error` has the details. Null where a pointer is required is MARROW_BAD_ARGUMENT. Nothing is printed, and
 * no exception leaves the library. All bytes, texts and numbers that come in may be hostile; only pointers with their
 * sizes are trusted.
 *
 * Ownership: what is passed in is copied or only read during the call. Pointers and texts that come out belong to the
 * handle they were requested from. They stay valid until that handle is released, or until a function changes the same part
 * of it (each says which). Texts are UTF-8 and end with a zero, which `size` does not count.
 *
 * Threads: every function may be called from any thread. Calls that only read a handle run side by side; a call that
 * changes it waits for the others. A handle may be released while other threads use it: their calls finish first.
 * Memory behind pointers that came out is the caller's to guard.
 *
 * Lists are read in one call: `capacity` is how many elements `out` has room for, and `*count` becomes how many there
 * are; at most `capacity` of them are written. `out` may be null if `capacity` is 0.
 *
 * Transforms are ten floats: translation x y z, rotation x y z w, scale x y z, relative to the parent bone unless said
 * otherwise.
 */
/* clang-format on */
#ifndef MARROW_MARROW_C_H
#define MARROW_MARROW_C_H

#include <stddef.h>
#include <stdint.h>

#if defined(MARROW_C_EXPORTS)
#if defined(_WIN32)
#define MARROW_API __declspec(dllexport)
#else
#define MARROW_API __attribute__((visibility("default")))
#endif
#elif defined(_WIN32) && !defined(MARROW_STATIC)
#define MARROW_API __declspec(dllimport)
#else
#define MARROW_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The version of this header. Structs, numbers and functions never change while it stays: what is new comes as a new
 *  function, with a struct of its own if it needs one. So a program runs with the library that it was built with and
 *  with every later one of the same number. */
#define MARROW_ABI_VERSION 1

/** Returns the MARROW_ABI_VERSION that the library was built with. */
MARROW_API uint32_t marrow_abi_version(void);
/** Returns the version of Marrow, "0.2.0". */
MARROW_API const char* marrow_version(void);

/* ---------------------------------------------------------------- errors */

/** What went wrong. Numbers are never reused. */
typedef enum marrow_status {
  MARROW_OK = 0,
  MARROW_IO = 1,               /**< a callback refused a read */
  MARROW_TRUNCATED = 2,        /**< the data end before the structure does */
  MARROW_BAD_MAGIC = 3,        /**< not a known format */
  MARROW_UNSUPPORTED = 4,      /**< a known format, but an unsupported version or variant */
  MARROW_MALFORMED = 5,        /**< the structure contradicts itself */
  MARROW_LIMIT_EXCEEDED = 6,   /**< a count or size exceeds the limits of the context */
  MARROW_INVALID_ARGUMENT = 7, /**< something impossible was asked for */
  MARROW_NOT_FOUND = 8,        /**< a name, block, bone, file or operation does not exist */
  MARROW_UNREPRESENTABLE = 9,  /**< the target format cannot hold the value */
  MARROW_BAD_OPTION = 10,      /**< the value of an option is invalid; the path of the error names the option */
  MARROW_NEEDS_SKELETON = 11,  /**< the skeleton of a clip is neither given nor found */
  MARROW_NEEDS_GAME = 12,      /**< the game to write for is not known */
  MARROW_NEEDS_CHOICE = 13,    /**< there are several clips, blocks or bodies, and one must be named */
  MARROW_NO_CLIP = 14,
  MARROW_NO_SKELETON = 15,
  MARROW_NO_COLLISION = 16,
  MARROW_WRONG_KIND = 17,     /**< a format that the operation does not take or cannot write */
  MARROW_WRONG_GAME = 18,     /**< the game belongs to another family than the file */
  MARROW_WRONG_SKELETON = 19, /**< the skeleton is not the one that the clip was made for */
  MARROW_CANCELLED = 20,      /**< the progress callback asked to stop */
  MARROW_BAD_HANDLE = 100,    /**< not a handle, one of another kind, or one that was released */
  MARROW_BAD_ARGUMENT = 101,  /**< a null pointer, or a number that no caller can mean */
  MARROW_OUT_OF_MEMORY = 102,
  MARROW_INTERNAL = 103 /**< a mistake in Marrow itself */
} marrow_status;

/** A run of UTF-8 bytes with a zero after it. */
typedef struct marrow_text {
  const char* data;
  size_t size;
} marrow_text;

/** Offset of an error that is not tied to a byte. */
#define MARROW_NO_OFFSET UINT64_MAX

typedef struct marrow_error {
  uint64_t offset; /**< byte offset in the input, or MARROW_NO_OFFSET */
  marrow_status code;
  marrow_text name;    /**< the code as a word, "truncated" */
  marrow_text message; /**< one sentence that states what is wrong */
  marrow_text path;    /**< place in the structure, "__data__.objects[12]", or empty */
  marrow_text file;    /**< name of the input, as the caller gave it, or empty */
} marrow_error;

/** Writes the last error of this thread and returns its code. The texts stay valid until the thread's next failure. */
MARROW_API marrow_status marrow_last_error(marrow_error* out);
/** Returns what repairs the last error of this thread, as JSON: {"operation": ..., "options": {...}} with the options
 * that are known; empty if nothing does. Stays valid until the thread's next failure. */
MARROW_API marrow_text marrow_last_cure(void);

/* ---------------------------------------------------------------- context */

/** Called now and then with the share of the work that is done, 0 to 1. Returning 0 stops the work. */
typedef int32_t (*marrow_progress)(void* user, double share);

/** Takes bytes from a callback of the caller. */
typedef void (*marrow_sink)(void* sink_state, const void* bytes, size_t size);
/** Reads a file near an input (a skeleton, the buffer of a .gltf), or its first `at_most` bytes, and passes them to
 *  `sink` in one call. Returns 0 if there is no such file. Names are UTF-8 with forward slashes. */
typedef int32_t (*marrow_read)(void* user, const char* name, size_t at_most, marrow_sink sink, void* sink_state);
/** Passes the name of each file in a folder to `sink`, one per call. */
typedef void (*marrow_list)(void* user, const char* folder, marrow_sink sink, void* sink_state);

/** What a call may use. All zero is the default, and so is a null pointer to it. */
typedef struct marrow_context {
  uint64_t max_file_bytes;     /**< largest input; 0: 1 GiB */
  uint64_t max_expanded_bytes; /**< memory that the decoded form may take; 0: 2 GiB */
  uint32_t max_objects;        /**< objects, blocks or bones in one file; 0: a million */
  uint32_t max_depth;          /**< nesting of arrays and elements; 0: 64 */
  marrow_progress progress;    /**< may be null */
  marrow_read read;            /**< may be null: only what is inside the inputs is read */
  marrow_list list;            /**< may be null */
  void* user;                  /**< passed to the three above */
  const char* bone_names;      /**< more names of Anvil bones, one per line; may be null */
  uint32_t report_only;        /**< 1: `marrow_run` makes no files (`check` then repairs nothing either) */
  uint32_t reserved;
} marrow_context;

/* ---------------------------------------------------------------- handles */

typedef uint64_t marrow_handle;
typedef marrow_handle marrow_document;   /**< a file as values */
typedef marrow_handle marrow_result;     /**< what an operation gave */
typedef marrow_handle marrow_sampler;    /**< a clip, ready to be sampled */
typedef marrow_handle marrow_meshes;     /**< surfaces of a document */
typedef marrow_handle marrow_shapes;     /**< bodies on the bones of a rig */
typedef marrow_handle marrow_rig;        /**< a skeleton with bone modifiers */
typedef marrow_handle marrow_archive;    /**< a BSA or BA2 archive, as a folder */
typedef marrow_handle marrow_simulation; /**< one character with a rig, between frames */

/** Frees what a handle stands for. Fails with MARROW_BAD_HANDLE, also if it is released twice. */
MARROW_API marrow_status marrow_release(marrow_handle handle);
/** Returns how many handles are open, of all kinds: a leak check for tests. */
MARROW_API size_t marrow_open_handles(void);

/** Allocates and frees memory of the library, for hosts that have none of their own in its address space (wasm).
 *  Returns null if there is not enough. */
MARROW_API void* marrow_allocate(size_t size);
MARROW_API void marrow_deallocate(void* memory);

/* ---------------------------------------------------------------- operations */

/** Returns the description of all operations as JSON: inputs, options with type, unit, range, default, choices and
 * help, and reports. It belongs to the library and is always valid. */
MARROW_API marrow_text marrow_describe(void);

/** One input of an operation: bytes, or a document. */
typedef struct marrow_input {
  const char* role;  /**< which input of the operation, "clip" or "skeleton" */
  const char* name;  /**< of the file, for messages and for what lies near it; may be null */
  const void* bytes; /**< if `document` is 0 */
  size_t byte_count;
  marrow_document document; /**< or 0 */
} marrow_input;

/**
 * Runs an operation by name.
 * @param operation    "compress", "collision build": a name of `marrow_describe`
 * @param options_json an object with the operation's options; null or "" for none. `format` chooses the output's
 * format.
 * @param output_name  stem of the output, for files that come with another; may be null
 * @param context      may be null
 * @param out          the report and the files; release it
 */
MARROW_API marrow_status marrow_run(const char* operation, const char* options_json, const marrow_input* inputs,
                                    size_t input_count, const char* output_name, const marrow_context* context,
                                    marrow_result* out);

/**
 * Applies an operation to a document in memory, whole or not at all. Nothing is encoded or written, so that operations
 * can be chained without loss. What pointers into the document pointed to is gone.
 * @param document  the main input of the operation
 * @param inputs    the others
 * @param out       the report, without files; release it. May be null.
 * Fails with MARROW_INVALID_ARGUMENT if the operation does not change a document: `marrow_run` runs it.
 */
MARROW_API marrow_status marrow_apply(marrow_document document, const char* operation, const char* options_json,
                                      const marrow_input* inputs, size_t input_count, const marrow_context* context,
                                      marrow_result* out);

typedef struct marrow_result_info {
  marrow_text report; /**< JSON, as described */
  marrow_text notes;  /**< JSON: an array of what is worth reporting and did not stop the work */
  uint32_t file_count;
  uint32_t found; /**< 1 if `check` or `diff` found something */
} marrow_result_info;
MARROW_API marrow_status marrow_get_result(marrow_result result, marrow_result_info* out);

typedef struct marrow_file {
  marrow_text name;      /**< of the clip, if there are several files; else empty */
  marrow_text extension; /**< ".hkx" */
  const void* bytes;
  size_t byte_count;
} marrow_file;
MARROW_API marrow_status marrow_get_file(marrow_result result, uint32_t index, marrow_file* out);

/* ---------------------------------------------------------------- documents */

/** Writes the format of a file, by its first bytes: "hkx", "anvil-schema", "nif"; empty if it is not known. */
MARROW_API marrow_status marrow_detect(const void* bytes, size_t byte_count, marrow_text* out);

/** Reads a file of any format, by content. `name` is for messages and for what lies near the file; it and `context` may
 *  be null. Parts of the file are read when a function first needs them, and fail then if they are damaged; what nobody
 *  asked for is written back as it was. */
MARROW_API marrow_status marrow_load(const void* bytes, size_t byte_count, const char* name,
                                     const marrow_context* context, marrow_document* out);
/** Reads a file by its name, which is UTF-8: through `read` of the context if there is one, else from the disk. */
MARROW_API marrow_status marrow_load_file(const char* path, const marrow_context* context, marrow_document* out);

/** Writes a document to memory as it is now; a file that nobody changed comes out byte for byte as it was read.
 * `options_json` has the options of the operation `convert`, of which `format` is the most used; null or "" for the
 * format that the document has. `output_name` is the stem of the output and may be null. The files are in `out`. */
MARROW_API marrow_status marrow_save(marrow_document document, const char* options_json, const char* output_name,
                                     const marrow_context* context, marrow_result* out);
/** Makes an empty document. `game` is a word of the command line, "skyrim-se", or null. */
MARROW_API marrow_status marrow_new_document(const char* game, marrow_document* out);
/** Makes a copy, so that one can be changed and the other kept. */
MARROW_API marrow_status marrow_copy_document(marrow_document document, marrow_document* out);

/** Parts of a document, to be added up. */
typedef enum marrow_part {
  MARROW_PART_SKELETONS = 1,
  MARROW_PART_CLIPS = 2,
  MARROW_PART_COLLISION = 4,
  MARROW_PART_MESHES = 8
} marrow_part;
/** Reads parts of a document now, a sum of `marrow_part`. Fails if one of them is damaged. */
MARROW_API marrow_status marrow_read_parts(marrow_document document, uint32_t parts);

typedef struct marrow_document_info {
  marrow_text name;
  marrow_text format; /**< as `marrow_detect` */
  marrow_text game;   /**< or empty */
  marrow_text notes;  /**< JSON: an array of what was noticed while reading */
  double metres_per_unit;
  uint64_t byte_count; /**< of the file that it was read from */
  /* A part that is damaged counts 0, and the notes name it: marrow_read_parts fails with the reason. */
  uint32_t skeleton_count;
  uint32_t clip_count;
  uint32_t collision_count;
  uint32_t mesh_count;
} marrow_document_info;
MARROW_API marrow_status marrow_get_document(marrow_document document, marrow_document_info* out);

/* ---------------------------------------------------------------- archives */

typedef struct marrow_archive_info {
  marrow_text format; /**< "bsa" or "ba2" */
  marrow_text game;   /**< "oblivion", "skyrim-le", "skyrim-se", "fallout4" or "starfield" */
  uint32_t version;
  uint32_t flags; /**< of a BSA */
  uint32_t entry_count;
  uint32_t reserved;
} marrow_archive_info;

typedef struct marrow_archive_entry {
  marrow_text path;    /**< UTF-8 with forward slashes, in the archive's case; may be one that is unsafe on a disk */
  uint64_t size;       /**< unpacked, as the archive claims */
  uint64_t packed;     /**< bytes in the archive */
  uint32_t compressed; /**< 1 or 0 */
  uint32_t safe;       /**< 0 if the path must never become one on a disk */
} marrow_archive_entry;

/** Opens an archive as a folder: reads its tables, and unpacks nothing. `path` is a file on the disk, which stays open
 *  until the handle is released; or it is null and the archive is in memory, which is copied. */
MARROW_API marrow_status marrow_open_archive(const char* path, const void* bytes, size_t byte_count,
                                             const marrow_context* context, marrow_archive* out);
MARROW_API marrow_status marrow_get_archive(marrow_archive archive, marrow_archive_info* out);
MARROW_API marrow_status marrow_get_archive_entry(marrow_archive archive, uint32_t index, marrow_archive_entry* out);
/** Writes the index of the entry of a path, with either slash: the one of that very name, else the first that differs
 * in case only. Fails with MARROW_NOT_FOUND. */
MARROW_API marrow_status marrow_find_archive_entry(marrow_archive archive, const char* path, uint32_t* out);
/** Reads and unpacks one entry: the only file of the result, with its path as the name. Fails if it does not unpack to
 *  the size that is stated, and if the archive has changed since it was opened. */
MARROW_API marrow_status marrow_read_archive_entry(marrow_archive archive, uint32_t index,
                                                   const marrow_context* context, marrow_result* out);

/* ---------------------------------------------------------------- skeletons */

typedef struct marrow_skeleton_info {
  marrow_text name;
  uint32_t bone_count;
  uint32_t float_slot_count;
  uint32_t is_ragdoll; /**< 1 if it is not the one that clips move */
  uint32_t reserved;
} marrow_skeleton_info;
MARROW_API marrow_status marrow_get_skeleton(marrow_document document, uint32_t skeleton, marrow_skeleton_info* out);

typedef struct marrow_bone {
  marrow_text name;          /**< exactly as in the game */
  int32_t parent;            /**< index of a bone before this one, or -1 */
  uint32_t lock_translation; /**< 1 if the game takes the translation from the rest pose */
  float rest[10];
} marrow_bone;
MARROW_API marrow_status marrow_get_bones(marrow_document document, uint32_t skeleton, marrow_bone* out,
                                          uint32_t capacity, uint32_t* count);

typedef struct marrow_float_slot {
  marrow_text name; /**< "hkVis:Quiver" */
  float reference;
  uint32_t reserved;
} marrow_float_slot;
MARROW_API marrow_status marrow_get_float_slots(marrow_document document, uint32_t skeleton, marrow_float_slot* out,
                                                uint32_t capacity, uint32_t* count);

/** Appends a skeleton. Fails with MARROW_MALFORMED if a parent does not come before its child, a number is not finite,
 * a rotation is not of unit length, or a name is used twice. `index` may be null. */
MARROW_API marrow_status marrow_add_skeleton(marrow_document document, const char* name, const marrow_bone* bones,
                                             uint32_t bone_count, const marrow_float_slot* slots, uint32_t slot_count,
                                             uint32_t* index);

/** Finds the skeleton that the clips of a document move: its own, or the one that the games keep near it, read through
 *  the callbacks of `context`. Fails with MARROW_NEEDS_SKELETON. `out` is a document of its own. */
MARROW_API marrow_status marrow_find_skeleton(marrow_document document, const marrow_context* context,
                                              marrow_document* out);

/** Writes the index of the skeleton that clips move: the first that is not a ragdoll. Fails with MARROW_NO_SKELETON. */
MARROW_API marrow_status marrow_get_main_skeleton(marrow_document document, uint32_t* out);

/** Converts a pose of bones from local to model space. A bone without a parent has a negative one; parents come before
 *  their children. Both poses have ten floats per bone and may be the same. */
MARROW_API marrow_status marrow_pose_to_model(const int32_t* parents, const float* local, float* model,
                                              uint32_t bone_count);

/** Converts a pose of a skeleton from local to model space. Both have ten floats per bone and may be the same. */
MARROW_API marrow_status marrow_local_to_model(marrow_document document, uint32_t skeleton, const float* local,
                                               float* model, uint32_t bone_count);

/** Gives the bones of a skeleton the names that Blender mirrors by: `NPC L UpperArm [LUar]` becomes `UpperArm.L`. All
 *  bones of the skeleton are given, since a name counts as left only if the right one is there, and names that would be
 *  equal stay as they are. The report of `out` is {"names": [...]}, in the same order. */
MARROW_API marrow_status marrow_get_blender_names(const marrow_text* names, uint32_t count, marrow_result* out);
/** Finds bones that were renamed by `marrow_get_blender_names` or by another program: writes for each of `names` its
 *  index in `known`, or -1 if none or more than one fits. Exact names win. `out` has room for `count` numbers. */
MARROW_API marrow_status marrow_match_bones(const marrow_text* names, uint32_t count, const marrow_text* known,
                                            uint32_t known_count, int32_t* out);

/* ---------------------------------------------------------------- clips */

typedef enum marrow_blend {
  MARROW_BLEND_NORMAL = 0,
  MARROW_BLEND_ADDITIVE = 1,
  MARROW_BLEND_ADDITIVE_DEPRECATED = 2
} marrow_blend;

typedef struct marrow_clip_info {
  marrow_text name;
  marrow_text skeleton_name; /**< the skeleton that it was made for */
  uint32_t frame_count;
  uint32_t track_count;
  uint32_t float_track_count;
  float duration_seconds;
  marrow_blend blend;
  int32_t skeleton; /**< of the document, or -1 */
  uint32_t has_root_motion;
  uint32_t is_compressed; /**< 1 if the file stores splines */
} marrow_clip_info;
MARROW_API marrow_status marrow_get_clip(marrow_document document, uint32_t clip, marrow_clip_info* out);
/** Changes name, name of the skeleton, duration and blending of a clip. The counts of `info` are not used. */
MARROW_API marrow_status marrow_set_clip(marrow_document document, uint32_t clip, const marrow_clip_info* info);
/** Appends a clip without motion; `marrow_set_frames` gives it some. The counts of `info` are not used. `index` may be
 *  null. A packfile with other clips or skeletons than it was read with is written as a new one, without its other
 *  objects. */
MARROW_API marrow_status marrow_add_clip(marrow_document document, const marrow_clip_info* info, uint32_t* index);
MARROW_API marrow_status marrow_remove_clip(marrow_document document, uint32_t clip);

/** All frames of all tracks, as the document has them: frame f of track t starts at `data[(f * track_count + t) * 10]`,
 *  float track s at `floats[f * float_track_count + s]`. Writing through the pointers edits the clip: tracks that were
 *  not touched are stored as they were. */
typedef struct marrow_frames {
  float* data;
  float* floats; /**< null if there are none */
  uint32_t frame_count;
  uint32_t track_count;
  uint32_t float_track_count;
  uint32_t reserved;
} marrow_frames;
/** Decodes a clip, the first time, and gives its frames. They stay valid until `marrow_set_frames`, `marrow_add_clip`
 * or `marrow_remove_clip`. */
MARROW_API marrow_status marrow_get_frames(marrow_document document, uint32_t clip, const marrow_context* context,
                                           marrow_frames* out);
/** Replaces all frames and the duration. `frames` is copied; `floats` may be null if there are no float tracks. The map
 *  of tracks to bones becomes empty if the number of tracks changes. Fails with MARROW_MALFORMED if a number is not
 *  finite or a rotation is all 0. Saving checks what was written through `marrow_get_frames` in the same way. */
MARROW_API marrow_status marrow_set_frames(marrow_document document, uint32_t clip, const marrow_frames* frames,
                                           float duration_seconds);

/** The bone that each track moves, and the slot of each float track. An empty list means that track i moves bone i. The
 *  pointers stay valid until the map is set. */
typedef struct marrow_tracks {
  const int16_t* bones;
  const int16_t* slots;
  uint32_t bone_count;
  uint32_t slot_count;
} marrow_tracks;
MARROW_API marrow_status marrow_get_tracks(marrow_document document, uint32_t clip, marrow_tracks* out);
MARROW_API marrow_status marrow_set_tracks(marrow_document document, uint32_t clip, const marrow_tracks* tracks);

/** Whom a track of a clip moves. Paired clips (docs/paired-clips.md) move two actors. */
typedef struct marrow_track_owner {
  int32_t actor;  /**< 0, or 1 for the second of a pair; -1 if the track moves neither */
  int32_t bone;   /**< of the actor's skeleton, or -1 */
  uint32_t place; /**< 0: a bone. 1: the root of both actors. 2: where the actor stands. */
  uint32_t reserved;
} marrow_track_owner;
/** Finds whom the tracks of a clip move, by their names, else by their number and order. `second_document` may be 0:
 *  then both actors have the first skeleton. The list has one element per track. */
MARROW_API marrow_status marrow_get_track_owners(marrow_document document, uint32_t clip,
                                                 marrow_document skeleton_document, uint32_t skeleton,
                                                 marrow_document second_document, uint32_t second_skeleton,
                                                 marrow_track_owner* out, uint32_t capacity, uint32_t* count);

/** The names that the file gives its tracks. They are often empty: then only the skeleton has names. */
MARROW_API marrow_status marrow_get_track_names(marrow_document document, uint32_t clip, marrow_text* out,
                                                uint32_t capacity, uint32_t* count);
/** Names tracks, as many as are given. Events of tracks stay. */
MARROW_API marrow_status marrow_set_track_names(marrow_document document, uint32_t clip, const marrow_text* names,
                                                uint32_t count);

typedef struct marrow_annotation {
  marrow_text text;
  float time_seconds;
  uint32_t track; /**< the games put theirs on track 0 */
} marrow_annotation;
MARROW_API marrow_status marrow_get_annotations(marrow_document document, uint32_t clip, marrow_annotation* out,
                                                uint32_t capacity, uint32_t* count);
/** Replaces all events of a clip. Within a track they keep the given order. */
MARROW_API marrow_status marrow_set_annotations(marrow_document document, uint32_t clip,
                                                const marrow_annotation* annotations, uint32_t count);

/** Movement of the whole character: `sample_count` times x, y, z and the turn about `up` in radians. */
typedef struct marrow_root_motion {
  const float* samples;
  uint32_t sample_count; /**< 0 if the clip has none */
  float duration_seconds;
  float up[4];
  float forward[4];
} marrow_root_motion;
MARROW_API marrow_status marrow_get_root_motion(marrow_document document, uint32_t clip, marrow_root_motion* out);
/** Replaces the root motion; without samples it is removed. */
MARROW_API marrow_status marrow_set_root_motion(marrow_document document, uint32_t clip,
                                                const marrow_root_motion* motion);

typedef enum marrow_space { MARROW_SPACE_LOCAL = 0, MARROW_SPACE_MODEL = 1 } marrow_space;

/** Prepares a clip for sampling. It keeps what it needs: the document may be changed or released. With the skeleton of
 *  another document (or the same), `marrow_sample_pose` works too; `skeleton_document` may be 0. */
MARROW_API marrow_status marrow_open_sampler(marrow_document document, uint32_t clip, marrow_document skeleton_document,
                                             uint32_t skeleton, const marrow_context* context, marrow_sampler* out);
/** What a clip is prepared for. The poses are the same but for rounding. */
typedef enum marrow_form {
  MARROW_FORM_HOT = 0,    /**< the fastest while clips stay in the caches: what `marrow_open_sampler` takes */
  MARROW_FORM_COMPACT = 1 /**< the fastest for thousands of clips, a quarter of the size */
} marrow_form;
/** Prepares a clip for sampling, as `marrow_open_sampler` does, in one of two forms. */
MARROW_API marrow_status marrow_open_sampler_as(marrow_document document, uint32_t clip,
                                                marrow_document skeleton_document, uint32_t skeleton, marrow_form form,
                                                const marrow_context* context, marrow_sampler* out);
/** Writes all tracks at a frame, which may be fractional; frames outside the clip give its ends. A frame that is not a
 *  number is refused, here and below. `tracks` has room for
 *  `float_count` floats, ten per track. Allocates nothing. */
MARROW_API marrow_status marrow_sample(marrow_sampler sampler, double frame, float* tracks, uint32_t float_count);
/** One sample of a list. `tracks` has room for `float_count` floats, ten per track. */
typedef struct marrow_sample_request {
  marrow_sampler sampler;
  double frame;
  float* tracks;
  uint32_t float_count;
  uint32_t reserved; /**< 0 */
} marrow_sample_request;
/** Does what `marrow_sample` does for each request, with the same results. Faster than single calls if there are more
 *  clips than the caches hold, since it fetches the next samples while it works on one. Nothing is written if any
 *  request is refused. */
MARROW_API marrow_status marrow_sample_many(const marrow_sample_request* requests, uint32_t count);
/** Writes all float tracks at a frame. Allocates nothing. */
MARROW_API marrow_status marrow_sample_floats(marrow_sampler sampler, double frame, float* floats,
                                              uint32_t float_count);
/** Writes the pose of the sampler's skeleton at a frame, ten floats per bone: bones without a track rest, additive
 * clips are laid over the rest pose. Allocates nothing. */
MARROW_API marrow_status marrow_sample_pose(marrow_sampler sampler, double frame, marrow_space space, float* bones,
                                            uint32_t float_count);

/** Writes the pose at a time in seconds: of the sampler's skeleton, as `marrow_sample_pose` does, or, if it was opened
 *  without one, all tracks, as `marrow_sample` does (then `space` must be local). If `loop` is 1, the clip starts again
 *  after its end, and times before 0 count from its end; if it is 0, the clip stands still outside. Allocates nothing.
 */
MARROW_API marrow_status marrow_sample_seconds(marrow_sampler sampler, double seconds, uint32_t loop,
                                               marrow_space space, float* out, uint32_t float_count);

/** Writes where root motion has brought the character at a frame: ten floats. Identity if the clip has none. */
MARROW_API marrow_status marrow_sample_root_motion(marrow_sampler sampler, double frame, float* transform);

/** Whether a clip was made for a skeleton. */
typedef enum marrow_fit {
  MARROW_FIT_OTHER = 0,   /**< no: it moves bones that are not there, or nearly none is where the clip has it */
  MARROW_FIT_UNKNOWN = 1, /**< it may be: too few bones to tell */
  MARROW_FIT_RIGHT = 2    /**< yes: most bones are where the clip has them */
} marrow_fit;
/** Compares a clip with a skeleton of a document. The two documents may be the same. */
MARROW_API marrow_status marrow_fit_skeleton(marrow_document document, uint32_t clip, marrow_document skeleton_document,
                                             uint32_t skeleton, const marrow_context* context, marrow_fit* out);

/** The numbers behind the answer of `marrow_fit_skeleton`. */
typedef struct marrow_fit_info {
  marrow_fit fit;
  uint32_t compared; /**< tracks that move a bone with a parent and a length */
  uint32_t same;     /**< those whose first frame has the bone where it is at rest */
  uint32_t outside;  /**< tracks that move bones which the skeleton does not have */
  uint32_t misnamed; /**< tracks with the name of another bone than the one they move */
  uint32_t reserved;
} marrow_fit_info;
/** Compares a clip with a skeleton, as `marrow_fit_skeleton` does, and writes what was found. */
MARROW_API marrow_status marrow_get_fit(marrow_document document, uint32_t clip, marrow_document skeleton_document,
                                        uint32_t skeleton, const marrow_context* context, marrow_fit_info* out);

/** Writes the pose at a frame as the frames of the document are now, for clips that are being edited: their frames must
 *  have been asked for with `marrow_get_frames`. The same as `marrow_sample_pose` otherwise; if `skeleton_document` is
 * 0, the same as `marrow_sample`. Between frames it interpolates linearly. */
MARROW_API marrow_status marrow_sample_frames(marrow_document document, uint32_t clip,
                                              marrow_document skeleton_document, uint32_t skeleton, double frame,
                                              marrow_space space, float* bones, uint32_t float_count);

/* ---------------------------------------------------------------- collision */

typedef struct marrow_collision_info {
  marrow_text kind; /**< "physics", "ragdoll", "cloth" */
  int32_t block;    /**< of the NIF, or -1 */
  float game_units; /**< per unit of this system */
  uint32_t body_count;
  uint32_t joint_count;
} marrow_collision_info;
MARROW_API marrow_status marrow_get_collision(marrow_document document, uint32_t system, marrow_collision_info* out);

typedef enum marrow_motion {
  MARROW_MOTION_STATIC = 0,
  MARROW_MOTION_KEYFRAMED = 1,
  MARROW_MOTION_DYNAMIC = 2
} marrow_motion;

typedef struct marrow_body {
  marrow_text name;
  marrow_text node;  /**< of the NIF that uses it, or empty */
  marrow_text shape; /**< "polytope", "mesh", "sphere", "capsule", "compound", ... */
  marrow_motion motion;
  float mass; /**< 0 if it is not dynamic */
  float friction;
  float restitution;
  uint32_t layer;
  uint32_t flags;
  uint32_t material; /**< CRC of the shape's material; 0 if it has several or none */
  float position[3]; /**< in units of the system */
  float rotation[4];
} marrow_body;
MARROW_API marrow_status marrow_get_bodies(marrow_document document, uint32_t system, marrow_body* out,
                                           uint32_t capacity, uint32_t* count);

typedef struct marrow_joint {
  marrow_text type;  /**< "ragdoll", "limited hinge", "hinge", "ball", "prismatic", "fixed", or a class name */
  uint32_t body_a;   /**< the child */
  int32_t body_b;    /**< the parent, or -1 for the world */
  float frame_a[12]; /**< in the space of each body: x axis, y axis, z axis, pivot */
  float frame_b[12];
  float limits[6]; /**< radians or units, by type: ragdoll twist min, max, cone, plane min, max; hinge and prismatic
                        min, max; the rest 0 */
} marrow_joint;
MARROW_API marrow_status marrow_get_joints(marrow_document document, uint32_t system, marrow_joint* out,
                                           uint32_t capacity, uint32_t* count);

/* ---------------------------------------------------------------- meshes */

typedef enum marrow_surface {
  MARROW_SURFACE_MESHES = 0,         /**< the meshes of the document: visible shapes of a NIF, a .glb, an .obj */
  MARROW_SURFACE_COLLISION = 1,      /**< collision shapes, hulls as the file holds them */
  MARROW_SURFACE_COLLISION_SOLID = 2 /**< the same with their convex radius, as things touch them */
} marrow_surface;

typedef struct marrow_mesh {
  marrow_text name;
  float placement[10];       /**< of the node, in game units */
  const float* vertices;     /**< x, y, z, in the space of `placement` */
  const uint32_t* triangles; /**< three per triangle, counter-clockwise seen from outside */
  const uint32_t* materials; /**< one per triangle: CRC (collision), index of a material (meshes); may be null */
  uint32_t vertex_count;
  uint32_t triangle_count;
} marrow_mesh;

/** Makes the surfaces of a document. They do not change with it. */
MARROW_API marrow_status marrow_open_meshes(marrow_document document, marrow_surface surface,
                                            const marrow_context* context, marrow_meshes* out);
MARROW_API marrow_status marrow_get_mesh_count(marrow_meshes meshes, uint32_t* count);
MARROW_API marrow_status marrow_get_mesh(marrow_meshes meshes, uint32_t index, marrow_mesh* out);
/* ---------------------------------------------------------------- bodies */

typedef enum marrow_alpha {
  MARROW_ALPHA_OPAQUE = 0,
  MARROW_ALPHA_MASK = 1, /**< drawn if alpha is above `alpha_threshold` */
  MARROW_ALPHA_BLEND = 2
} marrow_alpha;

/** A visible shape. A vertex of a skinned shape is where the sum over its four joints j puts it:
 *  weights[j] * (place of bones[joints[j]] in the model) * inverse_binds[joints[j]] * position.
 *  Arrays that the shape does not have are null; the others live as long as the handle. Units are the game's. */
typedef struct marrow_shape {
  marrow_text name;
  marrow_text type;           /**< "BSTriShape", "NiTriShape", ...; empty in glTF */
  marrow_text material;       /**< name of its shader; in Fallout 4 usually the path of a material file */
  const float* positions;     /**< x, y, z */
  const float* normals;       /**< x, y, z, as stored: not always of unit length */
  const float* uvs;           /**< u, v; v grows downwards */
  const float* colours;       /**< red, green, blue, alpha, 0 to 1 */
  const uint16_t* triangles;  /**< three vertices per triangle */
  const uint16_t* joints;     /**< four per vertex, index `bones` */
  const float* weights;       /**< four per vertex */
  const int32_t* bones;       /**< one per joint: a bone of marrow_get_shape_bones, or -1 */
  const float* inverse_binds; /**< 16 per joint, by columns: from the space of the positions to that of the bone */
  uint32_t vertex_count;
  uint32_t triangle_count;
  uint32_t bone_count;
  uint32_t texture_count;
  int32_t block;  /**< of the NIF, or -1 */
  int32_t parent; /**< of a shape without skin: the bone that it hangs on, or -1 */
  marrow_alpha alpha;
  float alpha_threshold;
  uint32_t is_skinned;
  uint32_t is_double_sided;
  float place[16]; /**< of a shape without skin, by columns: to the space of `parent`, or of the scene */
} marrow_shape;

/** Makes the visible shapes of a NIF or glTF document, on the bones of a skeleton that another document has; 0: on the
 *  bones of the file. Bones are found by name. They do not change with the documents. */
MARROW_API marrow_status marrow_open_shapes(marrow_document document, marrow_document skeleton,
                                            const marrow_context* context, marrow_shapes* out);
MARROW_API marrow_status marrow_get_shape_count(marrow_shapes shapes, uint32_t* count);
MARROW_API marrow_status marrow_get_shape(marrow_shapes shapes, uint32_t index, marrow_shape* out);
/** Lists the bones that the shapes stand on: those of the skeleton in their order, then those that only shapes have. */
MARROW_API marrow_status marrow_get_shape_bones(marrow_shapes shapes, marrow_bone* out, uint32_t capacity,
                                                uint32_t* count);
/** Lists the paths of the textures of a shape by slot, as stored; unused slots are empty. */
MARROW_API marrow_status marrow_get_shape_textures(marrow_shapes shapes, uint32_t index, marrow_text* out,
                                                   uint32_t capacity, uint32_t* count);

/** Writes the colour that Marrow gives a material everywhere: red, green and blue, 0 to 1. */
MARROW_API marrow_status marrow_get_material_colour(uint32_t material, float* rgb);

/** Writes the shape that the name of an object asks for with its last or first word, "capsule" of `Leg_capsule.001`;
 * empty if it asks for none. */
MARROW_API marrow_status marrow_get_shape_in_name(const char* name, marrow_text* out);

/** Makes names of files: every disk takes them, Windows keeps none of them for a device (`NUL` becomes `_NUL`), and a
 * name that is fine stays as it is. The report of `out` is {"names": [...]}, in the same order; equal names stay equal.
 */
MARROW_API marrow_status marrow_get_file_names(const marrow_text* names, uint32_t count, marrow_result* out);

/** Appends a mesh to a document, in game units and Z up, for `collision build` and export. `material_names` names the
 *  materials that `mesh->materials` counts from 0; both may be null. */
MARROW_API marrow_status marrow_add_mesh(marrow_document document, const marrow_mesh* mesh,
                                         const char* const* material_names, uint32_t material_count);

/* ---------------------------------------------------------------- rigs and simulation */

/**
 * Makes a rig of a skeleton of any format, ready to run.
 * @param addons       Anvil addons to merge, in any order
 * @param modifiers    a sidecar as JSON (docs/modifiers/sidecar.md) or the name of a preset; may be null
 * @param options_json null, or an object: `bones` (what `$bone` stands for), `game`, `common` (shared data),
 *                     `native_law`, `self_collision`, `substep_seconds`, `reset_distance`
 */
MARROW_API marrow_status marrow_open_rig(marrow_document skeleton, const marrow_document* addons, uint32_t addon_count,
                                         const char* modifiers, const char* options_json, const marrow_context* context,
                                         marrow_rig* out);

typedef struct marrow_rig_info {
  marrow_text notes; /**< JSON: modifiers without effect, findings of the merge */
  double metres_per_unit;
  uint32_t bone_count;
  uint32_t modifier_count;
} marrow_rig_info;
MARROW_API marrow_status marrow_get_rig(marrow_rig rig, marrow_rig_info* out);
MARROW_API marrow_status marrow_get_rig_bones(marrow_rig rig, marrow_bone* out, uint32_t capacity, uint32_t* count);

typedef struct marrow_modifier {
  marrow_text type; /**< "BallJointBoneModifier" */
  int32_t bone;     /**< its owner, or -1 */
  int32_t order;    /**< place in the order of solving, or -1 if it has no effect */
} marrow_modifier;
MARROW_API marrow_status marrow_get_modifiers(marrow_rig rig, marrow_modifier* out, uint32_t capacity, uint32_t* count);
/** Reads a field of a modifier by the engine's name: one number, or one per component or item. Links are bone indices,
 *  -1 for none. Fields of parts are named as `rig set` does, "Constraints[0].MinAngle". Names, units and ranges:
 *  operation `rig fields`. */
MARROW_API marrow_status marrow_get_field(marrow_rig rig, uint32_t modifier, const char* field, double* out,
                                          uint32_t capacity, uint32_t* count);
/** Sets a field of numbers. Simulations of the rig take it up with their next step and keep their state; the number of
 *  values must be that of the field. */
MARROW_API marrow_status marrow_set_field(marrow_rig rig, uint32_t modifier, const char* field, const double* values,
                                          uint32_t count);

/** Starts a character at rest. It keeps its rig alive. */
MARROW_API marrow_status marrow_open_simulation(marrow_rig rig, marrow_simulation* out);

/** The world around a character. All zero is a world without gravity; `marrow_default_environment` fills in Earth's. */
typedef struct marrow_environment {
  float gravity[3];    /**< metres per second squared */
  float wind[3];       /**< metres per second */
  float gust_share;    /**< how much gusts vary the wind, as a share of it */
  float entity[10];    /**< the character in the world, in units of the skeleton */
  int32_t lod;         /**< level of detail; modifiers beyond their limit are off */
  uint32_t teleported; /**< 1: the entity was moved elsewhere, physics is reset to the pose */
} marrow_environment;
MARROW_API void marrow_default_environment(marrow_environment* out);

/** Simulates one frame. `input` and `output` have ten floats per bone, local, and may be the same; `input` may be null
 *  for the rest pose. `weights` has one per modifier, or is null. Allocates nothing. */
MARROW_API marrow_status marrow_step(marrow_simulation simulation, const marrow_environment* environment,
                                     double delta_seconds, const float* input, const float* weights, float* output,
                                     uint32_t bone_count);
/** Clears the state: the next frame starts from its pose, at time 0. */
MARROW_API marrow_status marrow_reset(marrow_simulation simulation);
/** Writes the whole state, to continue later with the same bits, as a list of bytes. */
MARROW_API marrow_status marrow_save_state(marrow_simulation simulation, void* out, size_t capacity, size_t* count);
MARROW_API marrow_status marrow_restore_state(marrow_simulation simulation, const void* state, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* MARROW_MARROW_C_H */
