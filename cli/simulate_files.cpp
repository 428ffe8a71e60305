// SPDX-License-Identifier: MIT
#include "simulate_files.h"

#include <filesystem>

#include "batch.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/file.h"
#include "marrow/motion/presets.h"

namespace marrow::cli {
namespace {

Error named(const std::string& path, Error error) {
  error.path = path;
  return error;
}

}  // namespace

Result<NamedBytes> SimulationInputs::read(const std::string& path) {
  names_.push_back(path);
  auto bytes = read_file(path);
  if (!bytes) return std::unexpected(named(path, bytes.error()));
  if (bytes->empty()) return std::unexpected(named(path, {ErrorCode::Truncated, "the file is empty", 0, {}}));
  return keep(path, std::move(*bytes));
}

Result<NamedBytes> SimulationInputs::read_modifiers(const std::string& path) {
  std::error_code ignored;
  std::string known;
  if (!std::filesystem::exists(path, ignored))
    for (const motion::Preset& preset : motion::presets()) {
      const auto bytes = as_bytes(preset.json);
      if (path == preset.name) {
        names_.push_back(path);
        return keep(path, {bytes.begin(), bytes.end()});
      }
      known += (known.empty() ? "" : ", ") + std::string(preset.name);
    }
  auto file = read(path);
  if (!file && !known.empty()) file.error().message += "; presets are " + known;
  return file;
}

NamedBytes SimulationInputs::keep(const std::string& path, std::vector<std::byte> bytes) {
  return {path, kept_.emplace_back(std::move(bytes))};
}

Result<void> read_inputs(const Arguments& arguments, const SimulationJob& job, SimulationInputs& files,
                         SimulateFileOptions& options) {
  std::vector<std::string> skeletons = {arguments.get("SKELETON")};
  for (const std::string& addon : arguments.all("ADDON")) skeletons.push_back(addon);
  const auto take = [](Result<NamedBytes> read, NamedBytes& to) -> Result<void> {
    if (!read) return std::unexpected(read.error());
    to = std::move(*read);
    return {};
  };
  Result<void> status;
  for (const std::string& path : skeletons)
    if (status) status = take(files.read(path), options.rig.skeletons.emplace_back());
  if (const auto path = arguments.find("--modifiers"); path && status)
    status = take(files.read_modifiers(*path), options.rig.modifiers);
  if (const auto path = arguments.find("--common"); path && status)
    status = take(files.read(*path), options.rig.common);
  for (const std::string& path : files.names()) {
    std::error_code ignored;
    if (status && std::filesystem::equivalent(path, job.output, ignored))
      status = fail(ErrorCode::InvalidArgument, "the output would replace it; give -o another name", kNoOffset, path);
  }
  // Read last: the one file that its own result may replace.
  if (!job.clip.empty() && status) status = take(files.read(job.clip), options.clip);
  return status;
}

Result<void> save_modifiers(const Arguments& arguments, const std::string& path) {
  SimulationInputs files;
  const auto read = files.read_modifiers(arguments.get("--modifiers"));
  if (!read) return std::unexpected(read.error());
  std::string text(as_text(read->bytes));
  const std::vector<std::string> bones = arguments.all("--bone");
  constexpr std::string_view kOpen = "\"$bone\"";
  const std::string named = bones.size() == 1 ? Json(bones[0]).dump() : Json(bones).dump();
  for (std::size_t at = 0; !bones.empty() && (at = text.find(kOpen, at)) != std::string::npos; at += named.size())
    text.replace(at, kOpen.size(), named);
  return write_file(path, as_bytes(text));
}

}  // namespace marrow::cli
