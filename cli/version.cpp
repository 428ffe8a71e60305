// SPDX-License-Identifier: MIT
#include "version.h"

#include <fmt/format.h>

#include "build_commit.h"  // written by cmake/WriteCommit.cmake
#include "marrow/marrow_c.h"
#include "view.h"

namespace marrow::cli {
namespace {

#if defined(__MINGW64__)
constexpr const char* kCompiler = "mingw-w64 g++ " __VERSION__;
#elif defined(__clang__)
constexpr const char* kCompiler = "clang++ " __clang_version__;
#else
constexpr const char* kCompiler = "g++ " __VERSION__;
#endif

#if defined(__x86_64__)
constexpr const char* kProcessor = "x86_64";
bool samples_with_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#else
constexpr const char* kProcessor = "this processor";
bool samples_with_avx2() { return false; }
#endif

#if defined(_WIN32)
constexpr const char* kSystem = "Windows";
#elif defined(__linux__)
constexpr const char* kSystem = "Linux";
#else
constexpr const char* kSystem = "this system";
#endif

}  // namespace

std::string version_text() {
  return fmt::format(
      "marrow {}\ncommit: {}\ncompiler: {}, for {} on {}\n"
      "features: C ABI {}, sampling with {}, viewer page {}\n",
      kVersion, MARROW_COMMIT, kCompiler, kSystem, kProcessor, MARROW_ABI_VERSION,
      samples_with_avx2() ? "AVX2" : "portable code", has_viewer_page() ? "installed" : "not installed");
}

}  // namespace marrow::cli
