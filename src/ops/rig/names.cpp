// SPDX-License-Identifier: MIT
// Bone names: hashes of names, names of hashes, and dictionaries learned from files.
#include <algorithm>
#include <unordered_set>

#include "anvil/names.h"
#include "anvil/xml.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "ops/document/anvil_format.h"
#include "ops/rig/edit.h"

namespace marrow {

SavedFile LearnNamesReport::text() const {
  const auto bytes = as_bytes(names);
  return {{}, ".txt", {bytes.begin(), bytes.end()}};
}

Result<LearnNamesReport> learn_names(const LearnNamesOptions& options, Context& context) {
  const anvil::NameTable known = bone_names(context);
  LearnNamesReport report;
  std::vector<anvil::BoneName> bones;
  std::unordered_set<std::uint32_t> hashes;
  for (const NamedText& file : options.files) {
    if (!is_anvil(detect(as_bytes(file.text)))) continue;
    const auto skeleton = anvil::read_xml(as_bytes(file.text), known, context.limits);
    if (!skeleton) {
      context.notes.push_back({skeleton.error().message + "; skipped", skeleton.error().offset, skeleton.error().path,
                               std::string(file.name)});
      continue;
    }
    ++report.files;
    for (const anvil::Bone& bone : skeleton->bones)
      if (hashes.insert(bone.name.hash).second) bones.push_back(bone.name);
  }
  if (report.files == 0) return fail(ErrorCode::NotFound, "there is no Anvil skeleton to learn names from");
  for (const anvil::LearnedName& name : anvil::learn_names(bones, known)) {
    report.names += name.name + (name.like.empty() ? "" : "  # by pattern, like " + name.like) + "\n";
    ++(name.like.empty() ? report.known : report.by_pattern);
  }
  report.hashes = hashes.size();
  report.unknown = report.hashes - std::min(report.hashes, report.known + report.by_pattern);
  return report;
}

HashReport hash_names(const HashOptions& options, const Context& context) {
  const anvil::NameTable names = bone_names(context);
  HashReport report;
  for (const std::string& name : options.names) {
    const std::uint32_t hash = anvil::hash_of(name);
    const std::string_view known = names.find(hash);
    report.names.push_back(
        {name, hash, anvil::unknown_name(hash), known.empty() ? std::nullopt : std::optional(std::string(known))});
  }
  return report;
}

}  // namespace marrow
