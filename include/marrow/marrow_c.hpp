// SPDX-License-Identifier: MIT
/// The C ABI for C++17 and later, in one header: handles that free themselves, and errors as exceptions. It calls nothing
/// but `marrow_c.h`, so that any compiler can use a library that another one built.
///
///     marrow::abi::Document clip("walk.hkx");
///     clip.apply("annotations add", R"({"time": 0.5, "text": "FootLeft"})");
///     clip.save_file("walk2.hkx");
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "marrow/marrow_c.h"

namespace marrow {
namespace abi {

/// Returns a text of the library as a string.
inline std::string to_string(const marrow_text& text) {
  return text.data ? std::string(text.data, text.size) : std::string();
}

/// What the library refused. `what()` has file, path and message.
class Error : public std::runtime_error {
 public:
  Error() : Error(last()) {}

  marrow_status code() const { return code_; }
  const std::string& name() const { return name_; }  ///< the code as a word, "truncated"
  const std::string& file() const { return file_; }
  const std::string& path() const { return path_; }
  std::uint64_t offset() const { return offset_; }  ///< or MARROW_NO_OFFSET

 private:
  explicit Error(const marrow_error& error)
      : std::runtime_error(words(error)),
        code_(error.code),
        name_(to_string(error.name)),
        file_(to_string(error.file)),
        path_(to_string(error.path)),
        offset_(error.offset) {}

  static marrow_error last() {
    marrow_error error{};
    marrow_last_error(&error);
    return error;
  }
  static std::string words(const marrow_error& error) {
    std::string out;
    for (const marrow_text& part : {error.file, error.path, error.message})
      if (part.size > 0) out += (out.empty() ? "" : ": ") + to_string(part);
    return out;
  }

  marrow_status code_;
  std::string name_, file_, path_;
  std::uint64_t offset_;
};

/// Throws the last error unless the call succeeded.
inline void check(marrow_status status) {
  if (status != MARROW_OK) throw Error();
}

/// Owns a handle of any kind.
class Handle {
 public:
  Handle() = default;
  explicit Handle(marrow_handle value) : value_(value) {}
  Handle(Handle&& other) noexcept : value_(std::exchange(other.value_, 0)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) reset(std::exchange(other.value_, 0));
    return *this;
  }
  ~Handle() { reset(); }

  marrow_handle get() const { return value_; }
  void reset(marrow_handle value = 0) {
    if (value_ != 0) marrow_release(value_);
    value_ = value;
  }

 private:
  marrow_handle value_ = 0;
};

/// What an operation gave: a report as JSON, and files.
class Result {
 public:
  explicit Result(marrow_result handle) : handle_(handle) { check(marrow_get_result(handle, &info_)); }

  std::string report() const { return to_string(info_.report); }
  std::string notes() const { return to_string(info_.notes); }
  bool found() const { return info_.found != 0; }
  std::uint32_t file_count() const { return info_.file_count; }
  /// Returns the bytes of a file.
  std::vector<unsigned char> bytes(std::uint32_t index = 0) const {
    marrow_file file{};
    check(marrow_get_file(handle_.get(), index, &file));
    const auto* first = static_cast<const unsigned char*>(file.bytes);
    return {first, first + file.byte_count};
  }

 private:
  Handle handle_;
  marrow_result_info info_{};
};

/// A file as values.
class Document {
 public:
  /// Reads a file by its name, which is UTF-8.
  explicit Document(const std::string& path) {
    marrow_document made = 0;
    check(marrow_load_file(path.c_str(), nullptr, &made));
    handle_.reset(made);
  }
  Document(const void* bytes, std::size_t size, const char* name = nullptr) {
    marrow_document made = 0;
    check(marrow_load(bytes, size, name, nullptr, &made));
    handle_.reset(made);
  }

  marrow_document get() const { return handle_.get(); }
  marrow_document_info info() const {
    marrow_document_info out{};
    check(marrow_get_document(get(), &out));
    return out;
  }
  marrow_clip_info clip(std::uint32_t index = 0) const {
    marrow_clip_info out{};
    check(marrow_get_clip(get(), index, &out));
    return out;
  }
  /// Returns the frames of a clip, which look into the document.
  marrow_frames frames(std::uint32_t clip = 0) const {
    marrow_frames out{};
    check(marrow_get_frames(get(), clip, nullptr, &out));
    return out;
  }
  /// Changes the document by an operation; nothing is encoded before it is saved.
  Result apply(const std::string& operation, const std::string& options_json = {},
               const std::vector<marrow_input>& inputs = {}) {
    marrow_result out = 0;
    check(marrow_apply(get(), operation.c_str(), options_json.c_str(), inputs.data(), inputs.size(), nullptr, &out));
    return Result(out);
  }
  Result save(const std::string& options_json = {}) const {
    marrow_result out = 0;
    check(marrow_save(get(), options_json.c_str(), nullptr, nullptr, &out));
    return Result(out);
  }
  void save_file(const std::string& path, const std::string& options_json = {}) const {
    const std::vector<unsigned char> bytes = save(options_json).bytes();
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file) throw std::runtime_error(path + ": cannot be written");
  }

 private:
  Handle handle_;
};

/// Runs any operation by name.
inline Result run(const std::string& operation, const std::vector<marrow_input>& inputs,
                  const std::string& options_json = {}) {
  marrow_result out = 0;
  check(marrow_run(operation.c_str(), options_json.c_str(), inputs.data(), inputs.size(), nullptr, nullptr, &out));
  return Result(out);
}

/// A clip, ready to be sampled; with a skeleton it gives poses of bones, without one its tracks.
class Sampler {
 public:
  explicit Sampler(const Document& document, std::uint32_t clip = 0) : width_(document.clip(clip).track_count * 10) {
    open(document, clip, 0, 0);
  }
  Sampler(const Document& document, std::uint32_t clip, const Document& bones, std::uint32_t skeleton = 0) {
    marrow_skeleton_info info{};
    check(marrow_get_skeleton(bones.get(), skeleton, &info));
    width_ = info.bone_count * 10;
    open(document, clip, bones.get(), skeleton);
  }

  /// Returns ten floats per bone or track at a time.
  std::vector<float> at(double seconds, bool loop = false, marrow_space space = MARROW_SPACE_LOCAL) const {
    std::vector<float> out(width_);
    check(marrow_sample_seconds(handle_.get(), seconds, loop ? 1 : 0, space, out.data(), width_));
    return out;
  }

 private:
  void open(const Document& document, std::uint32_t clip, marrow_document bones, std::uint32_t skeleton) {
    marrow_sampler made = 0;
    check(marrow_open_sampler(document.get(), clip, bones, skeleton, nullptr, &made));
    handle_.reset(made);
  }

  Handle handle_;
  std::uint32_t width_ = 0;
};

}  // namespace abi
}  // namespace marrow
