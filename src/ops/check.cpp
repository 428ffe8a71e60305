// SPDX-License-Identifier: MIT
#include "marrow/ops/check.h"

#include <algorithm>

#include "core/try.h"
#include "marrow/anvil/check.h"
#include "marrow/anvil/edit.h"
#include "marrow/gltf/conform.h"
#include "marrow/havok/animation.h"
#include "marrow/havok/game.h"
#include "marrow/havok/physics.h"
#include "marrow/havok/physics_repair.h"
#include "marrow/ops/collision_check.h"
#include "ops/anvil_format.h"
#include "ops/check_animation.h"

namespace marrow {
namespace {

bool is_serious(const Findings& findings) {
  return std::ranges::any_of(findings, [](const Finding& finding) { return finding.level != Level::Info; });
}

// Reports a file for another game than the one whose rules apply.
void check_game(const havok::Packfile& file, Game game, Findings& findings) {
  const std::string word(to_string(game));
  const bool has_clips = !havok::find_animations(file).empty();
  if (family_of(game) != GameFamily::Havok) {
    findings.push_back({"E_OTHER_GAME", Level::Error,
                        "a Havok file, which " + word + " does not read; " +
                            (has_clips ? "use `retarget` to play the clip on a skeleton of that game"
                                       : "convert its skeleton to " + word),
                        "header, offset 0"});
  } else if (file.schema->version() != havok::version_of(game)) {
    findings.push_back({"E_VERSION", Level::Error,
                        "the file has version " + file.schema->version() + ", but " + word + " reads " +
                            std::string(havok::version_of(game)) + " and crashes on others; " +
                            (has_clips ? "use `retarget` with a skeleton of " + word +
                                             ": converting alone keeps the bones of the other game"
                                       : "convert it to " + word),
                        "header, offset 40"});
  } else if (file.pointer_size != havok::pointer_size_of(game)) {
    findings.push_back({"E_POINTER_SIZE", Level::Error,
                        "the file has " + std::to_string(8 * file.pointer_size) + "-bit pointers, but " + word +
                            " needs " + std::to_string(8 * havok::pointer_size_of(game)) +
                            " and crashes or T-poses on others; convert it to " + word,
                        "header, offset 16"});
  }
}

Result<void> check_havok(const Document& document, const CheckOptions& options, Context& context, Findings& findings) {
  if (options.game) check_game(*document.packfile(), *options.game, findings);
  check_animation(document, options, context, findings);
  const Findings physics = check_collision(document);
  findings.insert(findings.end(), physics.begin(), physics.end());
  return {};
}

Result<void> check_anvil(const Document& document, const CheckOptions& options, Findings& findings) {
  std::optional<Game> game = options.game;
  if (game && family_of(*game) != GameFamily::Anvil) game.reset();
  if (options.base && !options.base->anvil())
    return in_file({ErrorCode::WrongKind, "the base is not an Anvil skeleton"}, options.base->name);
  findings = anvil::check(*document.anvil(), {.game = game, .base = options.base ? options.base->anvil() : nullptr});
  if (options.game && !game)
    findings.push_back({"E_OTHER_GAME", Level::Error,
                        "an Anvil skeleton, which " + std::string(to_string(*options.game)) +
                            " does not read; convert it, or use `retarget` to play clips of the one on the other",
                        "root element"});
  return {};
}

// Reports problems that a clip would have on the game's skeleton.
void check_against(const Skeleton& own, const Skeleton& skeleton, Findings& findings) {
  const gltf::Conform conform = gltf::make_conform(own, skeleton);
  const auto missing = std::ranges::count_if(conform.source, [](const auto& bone) { return !bone; });
  if (static_cast<std::size_t>(missing) == skeleton.bones.size())
    findings.push_back(
        {"E_OTHER_SKELETON", Level::Error,
         "the file and the skeleton have no bones in common; use the right skeleton, or `retarget` the clip",
         own.name});
  else if (missing > 0)
    findings.push_back({"W_BONES_MISSING", Level::Warning,
                        std::to_string(missing) + " of the skeleton's " + std::to_string(skeleton.bones.size()) +
                            " bones are not in the file; they stay at rest",
                        own.name});
  if (!conform.agrees)
    findings.push_back(
        {"W_REST_POSE", Level::Warning,
         "the rest pose differs from the skeleton's, so limbs will point elsewhere; use `retarget` to fit one "
         "body to another",
         own.name});
}

Result<void> check_gltf(const Document& document, const CheckOptions& options, Context& context, Findings& findings) {
  for (const Note& note : context.notes) findings.push_back({"I_GLTF", Level::Info, note.message, note.path});
  context.notes.clear();
  for (std::size_t i = 0; i < document.skeletons.size(); ++i) {
    const DocumentSkeleton& each = document.skeletons[i];
    if (const auto valid = validate(each.skeleton); !valid) findings.push_back(finding_of(valid.error()));
    for (const DocumentClip& clip : document.clips)
      if (clip.skeleton == i)
        if (const auto valid = validate(clip.clip); !valid) findings.push_back(finding_of(valid.error()));
    if (each.is_guessed)
      findings.push_back({"I_NO_RECORD", Level::Info,
                          "the file has no record written by Marrow: it has no events, float tracks or root motion, "
                          "and its bones are guessed",
                          each.skeleton.name});
  }
  if (!options.skeleton) return {};
  MARROW_TRY(const DocumentSkeleton* skeleton, main_skeleton(*options.skeleton));
  for (const DocumentSkeleton& each : document.skeletons) check_against(each.skeleton, skeleton->skeleton, findings);
  return {};
}

Result<void> check_nif(const Document& document, const CheckOptions& options, Findings& findings) {
  findings = check_collision(document);
  if (!options.skeleton) return {};
  std::vector<const Skeleton*> skeletons;
  for (const DocumentSkeleton& each : options.skeleton->skeletons) skeletons.push_back(&each.skeleton);
  if (skeletons.empty())
    return in_file({ErrorCode::NoSkeleton, "the file contains no skeleton"}, options.skeleton->name);
  MARROW_TRY(const Findings skins, check_skins(*document.nif(), skeletons));
  findings.insert(findings.end(), skins.begin(), skins.end());
  return {};
}

// Collects findings until an error stops it.
Result<void> gather(std::span<const std::byte> bytes, const std::string& name, const CheckOptions& options,
                    Context& context, Findings& findings) {
  const Format format = detect(bytes);
  const Parts parts = is_anvil(format) ? Parts::None : is_gltf(format) ? Parts::All : Parts::Collision;
  MARROW_TRY(const Document document, load(bytes, {.name = name, .parts = parts, .findings = &findings}, context));
  if (document.packfile()) return check_havok(document, options, context, findings);
  if (document.nif()) return check_nif(document, options, findings);
  if (is_anvil(format)) return check_anvil(document, options, findings);
  if (is_gltf(format)) return check_gltf(document, options, context, findings);
  return fail(ErrorCode::WrongKind, "check does not support a " + std::string(title(format)));
}

// Systems of other tools are rebuilt where they contradict themselves; the game's own do not change.
Result<void> repair_physics(havok::Packfile& file, Context& context) {
  for (const havok::ObjectId id : havok::find_physics(file))
    MARROW_CHECK(havok::rebuild_physics(file, id, &context.notes));
  return {};
}

}  // namespace

bool CheckReport::found() const { return is_serious(findings); }
bool FixReport::found() const { return is_serious(left); }

void describe(FieldList& fields, CheckOptions& options) {
  fields("game", options.game, {.help = "check by the rules of this game", .placeholder = "GAME"});
  fields.input("base", options.base, {.help = "the skeleton that an Anvil addon extends", .placeholder = "SKELETON"});
  fields.input("skeleton", options.skeleton, options.second_skeleton,
               {.help = "the skeleton that clips and skinned meshes are for; twice for the actors of a paired clip",
                .placeholder = "FILE"});
}

void describe(FieldList& fields, CheckReport& report) { fields("findings", report.findings); }

void describe(FieldList& fields, FixReport& report) {
  fields("findings", report.findings);
  fields("left", report.left, {.help = "findings that could not be fixed"});
}

Finding finding_of(const Error& error) {
  std::string code = "E_";
  for (const char c : to_string(error.code))
    code += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  std::string where = error.path;
  if (error.offset != kNoOffset) where += (where.empty() ? "offset " : ", offset ") + std::to_string(error.offset);
  return {std::move(code), Level::Error, error.message, std::move(where)};
}

Result<CheckReport> check(std::span<const std::byte> bytes, const std::string& name, const CheckOptions& options,
                          Context& context) {
  CheckReport report;
  auto done = gather(bytes, name, options, context, report.findings);
  if (done) return report;
  const ErrorCode code = done.error().code;
  const bool is_broken_file = done.error().file == name && !bytes.empty() && code != ErrorCode::BadMagic &&
                              code != ErrorCode::WrongKind && code != ErrorCode::WrongGame;
  if (!is_broken_file) return std::unexpected(std::move(done.error()));
  report.findings.push_back(finding_of(done.error()));
  return report;
}

Result<Document> fixed(std::span<const std::byte> bytes, const std::string& name, const CheckOptions& options,
                       Context& context) {
  MARROW_TRY(Document document, load(bytes, {.name = name, .parts = Parts::None}, context));
  if (auto* havok = std::get_if<HavokOrigin>(&document.origin)) MARROW_CHECK(repair_physics(havok->file, context));
  if (auto* nif = std::get_if<NifOrigin>(&document.origin))
    for (havok::Packfile& file : nif->packfiles)
      if (file.schema) MARROW_CHECK(repair_physics(file, context));
  if (anvil::Skeleton* skeleton = is_anvil(document.format) ? document.anvil() : nullptr) {
    for (std::string& note : anvil::mend(*skeleton)) context.note(std::move(note));
    MARROW_TRY(const std::optional<Game> game, anvil_game(options.game));
    if (game)
      for (std::string& note : anvil::to_game(*skeleton, *game)) context.note(std::move(note));
  }
  return document;
}

}  // namespace marrow
