// SPDX-License-Identifier: MIT
//
// How small and how fast the spline encoder is: every clip below a folder (default: $MARROW_CORPUS, else
// ../shared/corpus), encoded again in every effort. Seconds are of one core.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <string>

#include "marrow/core/file.h"
#include "ops/clip/compress.h"
#include "ops/files/info.h"

namespace fs = std::filesystem;
using namespace marrow;

namespace {

struct GameClip {
  std::string name;
  std::vector<std::byte> bytes;
  std::optional<Skeleton> skeleton;  // of the same folder, if there is one
};

std::vector<GameClip> load_clips(const fs::path& folder) {
  std::map<std::string, GameClip> found;
  std::map<std::string, Skeleton> skeletons;
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".hkx") files.push_back(entry.path());
  for (const fs::path& path : files) {
    auto bytes = read_file(path);
    if (!bytes || detect(*bytes) != Format::Hkx) continue;
    Context context;
    const auto document = load(*bytes, {.parts = Parts::None}, context);
    const auto about = document ? info(*document, {}, context) : std::unexpected(document.error());
    if (!about) continue;
    const std::string place = path.parent_path().filename().string();
    if (!about->clips.empty()) {
      found[path.string()] = {place + "/" + path.stem().string(), std::move(*bytes), {}};
    } else if (!about->skeletons.empty()) {
      // skeleton_troll.hkx is for clips named troll_*.
      std::string key = path.stem().string();
      const std::size_t cut = key.find('_');
      const auto holder = load(*bytes, {.parts = Parts::Skeletons}, context);
      skeletons[place + (cut == std::string::npos ? "" : "/" + key.substr(cut + 1))] =
          (*main_skeleton(holder.value()))->skeleton;
    }
  }
  std::vector<GameClip> clips;
  for (auto& [path, clip] : found) {
    const std::string place = clip.name.substr(0, clip.name.find('/'));
    const std::string actor = clip.name.substr(0, clip.name.find('_'));
    const auto own = skeletons.find(actor), common = skeletons.find(place);
    if (own != skeletons.end())
      clip.skeleton = own->second;
    else if (common != skeletons.end())
      clip.skeleton = common->second;
    clips.push_back(std::move(clip));
  }
  return clips;
}

struct Sum {
  double file_before = 0, file_after = 0, motion_before = 0, motion_after = 0, seconds = 0, model = 0;
  codec::EncodeErrors errors;
  std::size_t larger = 0;

  bool add(const GameClip& clip, const CompressOptions& options) {
    const std::clock_t start = std::clock();
    Context context;
    auto document = load(clip.bytes, {.parts = Parts::Clips}, context);
    const auto result = document ? compress(*document, options, context) : std::unexpected(document.error());
    const auto files = result ? save(*document, {}, context) : std::unexpected(result.error());
    seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (!files) {
      std::printf("%s: %s\n", clip.name.c_str(), describe(files.error()).c_str());
      return false;
    }
    file_before += static_cast<double>(clip.bytes.size());
    file_after += static_cast<double>(files->front().bytes.size());
    larger += files->front().bytes.size() > clip.bytes.size();
    for (const CompressedClip& report : result->clips) {
      motion_before += static_cast<double>(report.motion_bytes_before);
      motion_after += static_cast<double>(report.motion_bytes_after);
      errors.include(report.errors);
      model = std::max(model, report.model_error.value_or(0.0));
    }
    return true;
  }

  void print(const std::string& name) const {
    std::printf("%-38s %7.4f %7.4f  %8.4f %9.5f %8.2f %6zu\n", name.c_str(), motion_after / motion_before,
                file_after / file_before, errors.rotation_degrees, errors.translation, seconds, larger);
  }
};

constexpr std::pair<const char*, codec::Effort> kEfforts[] = {
    {"fast", codec::Effort::Fast}, {"normal", codec::Effort::Normal}, {"best", codec::Effort::Best}};
constexpr std::pair<const char*, codec::EncodingSet> kEncodings[] = {{"seen", codec::EncodingSet::Seen},
                                                                     {"all", codec::EncodingSet::All}};

void local_bounds(const std::vector<GameClip>& clips, double degrees, double units, bool every_effort) {
  for (const auto& [set_name, set] : kEncodings)
    for (const auto& [effort_name, effort] : kEfforts) {
      if (!every_effort && effort != codec::Effort::Normal) continue;
      Sum sum;
      CompressOptions options;
      options.max_rotation_error = degrees;
      options.max_position_error = units;
      options.effort = effort;
      options.encodings = set;
      for (const GameClip& clip : clips) sum.add(clip, options);
      char name[80];
      std::snprintf(name, sizeof name, "%g deg %g units, %s, %s", degrees, units, set_name, effort_name);
      sum.print(name);
    }
}

// Each clip is given in model space the error that the local bounds came to on it: the same to the eye, other bytes.
void model_bounds(const std::vector<GameClip>& clips) {
  for (const auto& [set_name, set] : kEncodings) {
    Sum local, model;
    for (const GameClip& clip : clips) {
      if (!clip.skeleton) continue;
      CompressOptions options;
      options.encodings = set;
      options.skeleton = &*clip.skeleton;
      options.max_model_error = 1e6;
      options.max_rotation_error = 0.05;
      options.max_position_error = 0.01;
      options.max_scale_error = 0.0005;
      Sum one;
      if (!one.add(clip, options) || !local.add(clip, options)) continue;
      options.max_rotation_error.reset();
      options.max_position_error.reset();
      options.max_scale_error.reset();
      options.max_model_error = one.model;
      model.add(clip, options);
    }
    local.print(std::string("on skeletons, local bounds, ") + set_name);
    model.print(std::string("on skeletons, same in model space, ") + set_name);
    std::printf("  worst in model space %.3f units (local bounds), %.3f units (model bound)\n", local.model,
                model.model);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const char* variable = std::getenv("MARROW_CORPUS");
  const fs::path folder = argc > 1 ? argv[1] : variable ? variable : "../shared/corpus";
  if (!fs::is_directory(folder)) {
    std::printf("SKIPPED: no folder %s; name one with clips\n", folder.string().c_str());
    return 0;
  }
  const std::vector<GameClip> clips = load_clips(folder);
  std::printf("%zu clips\n%-38s %7s %7s  %8s %9s %8s %6s\n", clips.size(), "bound, encodings, effort", "motion", "file",
              "deg", "units", "seconds", "larger");
  local_bounds(clips, 0.05, 0.01, true);
  local_bounds(clips, 0.02, 0.005, false);
  local_bounds(clips, 0.1, 0.05, false);
  model_bounds(clips);
  return 0;
}
