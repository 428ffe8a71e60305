// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "c_calls.h"
#include "core/json.h"
#include "ops/table/operation.h"

using namespace marrow;
using namespace marrow::test;

TEST_CASE("the library has the version of the header") {
  CHECK(marrow_abi_version() == MARROW_ABI_VERSION);
  CHECK(std::string(marrow_version()).find('.') != std::string::npos);
}

TEST_CASE("handles that are wrong, of another kind or released are errors") {
  const std::size_t before = marrow_open_handles();
  const marrow_document document = open_bytes(clip_bytes());
  marrow_document_info info;
  for (const marrow_handle wrong : {marrow_handle{0}, marrow_handle{1}, ~marrow_handle{0}, document + 1,
                                    document ^ (marrow_handle{1} << 60), document + (marrow_handle{1} << 24)})
    CHECK(marrow_get_document(wrong, &info) == MARROW_BAD_HANDLE);
  marrow_rig_info rig;
  CHECK(marrow_get_rig(document, &rig) == MARROW_BAD_HANDLE);
  CHECK(marrow_release(document) == MARROW_OK);
  CHECK(marrow_release(document) == MARROW_BAD_HANDLE);
  CHECK(marrow_get_document(document, &info) == MARROW_BAD_HANDLE);
  CHECK(view(last_error().name) == "bad-handle");
  const marrow_document next = open_bytes(clip_bytes());  // takes the slot again
  CHECK(next != document);
  CHECK(marrow_get_document(document, &info) == MARROW_BAD_HANDLE);
  marrow_release(next);
  CHECK(marrow_open_handles() == before);
}

TEST_CASE("an error has its code, file, offset, path and message") {
  Bytes bytes = clip_bytes();
  bytes.resize(bytes.size() / 2);
  marrow_document document = 7;
  REQUIRE(marrow_load(bytes.data(), bytes.size(), "half.hkx", nullptr, &document) != MARROW_OK);
  CHECK(document == 7);
  const marrow_error error = last_error();
  CHECK(view(error.file) == "half.hkx");
  CHECK(error.message.size > 0);
  CHECK(error.offset != MARROW_NO_OFFSET);

  const Bytes good = clip_bytes();
  const marrow_input input{
      .role = "clip", .name = "a.hkx", .bytes = good.data(), .byte_count = good.size(), .document = 0};
  marrow_result result = 0;
  CHECK(marrow_run("compress", R"({"max_rotation_error":-1})", &input, 1, nullptr, nullptr, &result) ==
        MARROW_BAD_OPTION);
  CHECK(view(last_error().path) == "max_rotation_error");
  CHECK(marrow_run("compress", "{", &input, 1, nullptr, nullptr, &result) != MARROW_OK);
  CHECK(marrow_run("compres", nullptr, &input, 1, nullptr, nullptr, &result) == MARROW_NOT_FOUND);
  CHECK(marrow_run(nullptr, nullptr, &input, 1, nullptr, nullptr, &result) == MARROW_BAD_ARGUMENT);
  CHECK(marrow_load(nullptr, 5, nullptr, nullptr, &document) == MARROW_BAD_ARGUMENT);
}

TEST_CASE("limits of the context hold, and the progress callback stops the work") {
  const Bytes bytes = clip_bytes();
  marrow_context small{};
  small.max_expanded_bytes = 64;
  marrow_document document = 0;
  if (marrow_load(bytes.data(), bytes.size(), nullptr, &small, &document) == MARROW_OK) {
    marrow_frames frames;
    CHECK(marrow_get_frames(document, 0, &small, &frames) == MARROW_LIMIT_EXCEEDED);
    marrow_release(document);
  }
  marrow_context stopping{};
  int calls = 0;
  stopping.user = &calls;
  stopping.progress = [](void* user, double) -> std::int32_t { return ++*static_cast<int*>(user), 0; };
  const marrow_input input{
      .role = "clip", .name = "a.hkx", .bytes = bytes.data(), .byte_count = bytes.size(), .document = 0};
  marrow_result result = 0;
  CHECK(marrow_run("compress", nullptr, &input, 1, nullptr, &stopping, &result) == MARROW_CANCELLED);
  CHECK(calls > 0);
}

TEST_CASE("a file near the input is read through the context") {
  const Bytes clip = clip_bytes(), bones = skeleton_bytes();
  const marrow_context context = context_with_skeleton(bones);
  const marrow_input input{
      .role = "clip", .name = "folder/a.hkx", .bytes = clip.data(), .byte_count = clip.size(), .document = 0};
  marrow_result result = 0;
  REQUIRE(marrow_run("sample", R"({"space":"model","frames":[0]})", &input, 1, nullptr, &context, &result) ==
          MARROW_OK);
  marrow_release(result);
  CHECK(marrow_run("sample", R"({"space":"model","frames":[0]})", &input, 1, nullptr, nullptr, &result) ==
        MARROW_NEEDS_SKELETON);
}

TEST_CASE("a check without files does not mend") {
  const Bytes bytes = clip_bytes();
  const marrow_input input{
      .role = "file", .name = "a.hkx", .bytes = bytes.data(), .byte_count = bytes.size(), .document = 0};
  marrow_context context{};
  for (const std::uint32_t report_only : {0u, 1u}) {
    context.report_only = report_only;
    marrow_result result = 0;
    REQUIRE(marrow_run("check", nullptr, &input, 1, nullptr, &context, &result) == MARROW_OK);
    marrow_result_info info;
    REQUIRE(marrow_get_result(result, &info) == MARROW_OK);
    CHECK(info.file_count == 1 - report_only);
    CHECK(parse_json(view(info.report))->contains("left") == (report_only == 0));
    marrow_release(result);
  }
}

TEST_CASE("an operation that needs frames decodes those of a document that was only opened") {
  const marrow_document clip = open_bytes(clip_bytes()), bones = open_bytes(skeleton_bytes());
  const marrow_input inputs[] = {{"clip", nullptr, nullptr, 0, clip}, {"skeleton", nullptr, nullptr, 0, bones}};
  marrow_result result = 0;
  REQUIRE(marrow_run("mirror", nullptr, inputs, 2, nullptr, nullptr, &result) == MARROW_OK);
  const marrow_document mirrored = open_bytes(result_bytes(result));
  marrow_clip_info info;
  REQUIRE(marrow_get_clip(mirrored, 0, &info) == MARROW_OK);
  CHECK(info.frame_count == 20);
  for (const marrow_handle each : {clip, bones, result, mirrored}) marrow_release(each);
}

TEST_CASE("operations change a document in memory, and what looks at it sees the change") {
  const Bytes bytes = clip_bytes();
  const marrow_document clip = open_bytes(bytes), untouched = open_bytes(bytes);
  marrow_result result = 0;
  REQUIRE(marrow_save(clip, nullptr, nullptr, nullptr, &result) == MARROW_OK);
  CHECK(result_bytes(result) == bytes);
  marrow_release(result);

  REQUIRE(marrow_apply(clip, "annotations add", R"({"time":0.1,"text":"Here"})", nullptr, 0, nullptr, &result) ==
          MARROW_OK);
  marrow_release(result);
  const marrow_input both[] = {{"a", nullptr, nullptr, 0, clip}, {"b", nullptr, nullptr, 0, untouched}};
  REQUIRE(marrow_run("diff", nullptr, both, 2, nullptr, nullptr, &result) == MARROW_OK);
  marrow_result_info info;
  REQUIRE(marrow_get_result(result, &info) == MARROW_OK);
  CHECK(parse_json(view(info.report)).value()["differences"].size() == 1);
  marrow_release(result);
  const marrow_input file{"file", nullptr, nullptr, 0, clip};
  for (const char* look : {"info", "check", "dump"}) {
    CAPTURE(look);
    REQUIRE(marrow_run(look, nullptr, &file, 1, nullptr, nullptr, &result) == MARROW_OK);
    marrow_release(result);
  }

  REQUIRE(marrow_save(clip, R"({"format":"xml"})", nullptr, nullptr, &result) == MARROW_OK);
  const Bytes xml = result_bytes(result);
  CHECK(std::string(reinterpret_cast<const char*>(xml.data()), xml.size()).find("Here") != std::string::npos);
  marrow_release(result);
  CHECK(marrow_apply(clip, "info", nullptr, nullptr, 0, nullptr, &result) == MARROW_INVALID_ARGUMENT);
  CHECK(marrow_apply(clip, "annotations add", nullptr, nullptr, 0, nullptr, &result) == MARROW_BAD_OPTION);
  CHECK(marrow_load_file("no such file.hkx", nullptr, &result) != MARROW_OK);
  for (const marrow_handle each : {clip, untouched}) marrow_release(each);
}

TEST_CASE("threads share documents while others release them") {
  const Bytes bytes = clip_bytes(3, 12);
  std::vector<std::thread> threads;
  const marrow_document shared = open_bytes(bytes);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        marrow_document own = 0;
        if (marrow_load(bytes.data(), bytes.size(), nullptr, nullptr, &own) != MARROW_OK) continue;
        marrow_frames frames;
        marrow_get_frames(shared, 0, nullptr, &frames);
        marrow_sampler sampler = 0;
        if (marrow_open_sampler(shared, 0, 0, 0, nullptr, &sampler) == MARROW_OK) {
          float pose[30];
          marrow_sample(sampler, i * 0.1, pose, 30);
          marrow_release(sampler);
        }
        marrow_release(own);
        if (i == 40) marrow_release(shared);
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(marrow_release(shared) == MARROW_BAD_HANDLE);
}

TEST_CASE("the description is JSON and lists every operation") {
  const auto table = parse_json(view(marrow_describe()));
  REQUIRE(table);
  CHECK(table->size() == operations().size());
}
