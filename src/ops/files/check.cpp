// SPDX-License-Identifier: MIT
#include "ops/files/check.h"

#include <algorithm>

#include "anvil/check.h"
#include "anvil/edit.h"
#include "anvil/rig_set.h"
#include "behavior/cache.h"
#include "core/try.h"
#include "havok/animation/animation.h"
#include "havok/animation/block_frames.h"
#include "havok/object/game.h"
#include "havok/object/numbers.h"
#include "havok/physics/character_ragdoll.h"
#include "havok/physics/physics.h"
#include "havok/physics/repair.h"
#include "marrow/core/text.h"
#include "model/conform.h"
#include "nif/bhk.h"
#include "nif/bhk_check.h"
#include "nif/numbers.h"
#include "nif/shape.h"
#include "ops/behavior/check.h"
#include "ops/body/check.h"
#include "ops/body/mend.h"
#include "ops/body/textures.h"
#include "ops/clip/check.h"
#include "ops/clip/check_source.h"
#include "ops/collision/check.h"
#include "ops/collision/collision.h"
#include "ops/collision/compare_ragdoll.h"
#include "ops/document/anvil_format.h"
#include "ops/document/as_saved.h"
#include "ops/document/nif_edit.h"
#include "ops/document/origin.h"

namespace marrow {
namespace {

bool is_serious(const Findings& findings) {
  return std::ranges::any_of(findings, [](const Finding& finding) { return finding.level != Level::Info; });
}

// Reports a file for another game than the one whose rules apply.
void check_game(const havok::Packfile& file, Game game, Findings& findings) {
  const std::string word(to_string(game));
  const bool has_clips = !havok::find_animations(file).empty();
  // Converting a clip alone keeps the bones of the other game.
  const Cure to_game{"convert", {{"to", word}}};
  const Cure cure = has_clips ? Cure{"retarget"} : to_game;
  if (family_of(game) != GameFamily::Havok) {
    findings.push_back(
        {"E_OTHER_GAME", Level::Error,
         "a Havok file, which " + word + " does not read; " +
             (has_clips ? "retarget the clip to a skeleton of that game" : "convert its skeleton to " + word),
         "header, offset 0", cure});
  } else if (file.schema->version() != havok::version_of(game)) {
    findings.push_back({"E_VERSION", Level::Error,
                        "the file has version " + file.schema->version() + ", but " + word + " reads " +
                            std::string(havok::version_of(game)) + " and crashes on others; " +
                            (has_clips ? "retarget it to a skeleton of " + word +
                                             ": converting alone keeps the bones of the other game"
                                       : "convert it to " + word),
                        "header, offset 40", cure});
  } else if (file.is_big_endian || file.reuses_padding) {
    findings.push_back({"E_LAYOUT", Level::Error,
                        std::string("the file is ") +
                            (file.is_big_endian ? "big-endian" : "laid out with reused padding") + ", and " + word +
                            " cannot load it; convert it to " + word,
                        "header, offset 17", to_game});
  } else if (file.pointer_size != havok::pointer_size_of(game)) {
    findings.push_back({"E_POINTER_SIZE", Level::Error,
                        "the file has " + std::to_string(8 * file.pointer_size) + "-bit pointers, but " + word +
                            " needs " + std::to_string(8 * havok::pointer_size_of(game)) +
                            " and crashes or T-poses on others",
                        "header, offset 16", to_game});
  }
}

// Reports files that no game of ours is for.
void check_layout(const havok::Packfile& file, Findings& findings) {
  if (file.is_big_endian)
    findings.push_back({"I_BIG_ENDIAN", Level::Info,
                        "the file has the byte order of a console, and no game on a PC can load it; convert it for one",
                        "header, offset 17"});
  if (!havok::is_tested_version(*file.schema))
    findings.push_back({"I_UNTESTED_VERSION", Level::Info,
                        "no file of version " + file.schema->version() +
                            " was at hand: its classes are taken to be those of the versions around it",
                        "header, offset 40"});
  for (std::uint32_t i = 0; i < file.objects.size(); ++i)
    if (havok::has_unread_floats(file.objects[i]))
      findings.push_back({"I_FLOATS_UNREAD", Level::Info,
                          "how " + file.objects[i].type->name +
                              " stores float tracks is not known: they stay in the file, and read as 0 elsewhere",
                          path_of(havok::ObjectId{i})});
}

Result<void> check_havok(const Document& document, const CheckOptions& options, Context& context, Findings& findings) {
  if (options.game) check_game(*document.packfile(), *options.game, findings);
  check_layout(*document.packfile(), findings);
  // Files with collision have theirs checked with the rules of physics.
  if (document.collision.empty()) findings.append(havok::check_numbers(*document.packfile()));
  check_animation(document, options, context, findings);
  const Findings physics = check_collision(document);
  findings.insert(findings.end(), physics.begin(), physics.end());
  findings.append(check_behavior(document, options, context));
  return {};
}

/// A skeleton among those that are loaded with it.
class RigsBeside {
 public:
  RigsBeside(const std::string& name, const anvil::Skeleton& skeleton, const CheckOptions& options,
             const Context& context)
      : set_(context.rigs) {
    if (!options.beside.empty()) {
      std::vector<anvil::RigFile> files;
      for (const Document* each : options.beside)
        if (each->name != name && each->anvil()) files.push_back({each->name, *each->anvil()});
      files.push_back({name, skeleton});
      const bool is_anvil_game = options.game && family_of(*options.game) == GameFamily::Anvil;
      set_ = std::make_shared<anvil::RigSet>(std::move(files), is_anvil_game ? options.game : std::nullopt);
    }
    place_ = set_ ? set_->find(name) : std::nullopt;
  }

  /// Returns the skeleton that it extends; null if there is none.
  const anvil::Skeleton* base() const { return place_ ? set_->base_of(*place_) : nullptr; }
  Findings check(const anvil::Skeleton& now) const { return place_ ? set_->check(*place_, now) : Findings{}; }
  /// Gives the objects of the skeleton new ids that have one of another file.
  void renumber(anvil::Skeleton& skeleton, Context& context) const {
    const auto ids = place_ ? set_->renumbering(*place_) : std::unordered_map<std::uint64_t, std::uint64_t>{};
    if (ids.empty()) return;
    anvil::renumber(skeleton, ids);
    context.note(std::to_string(ids.size()) + " ids are new: other files have them too");
  }

 private:
  std::shared_ptr<const anvil::RigSet> set_;
  std::optional<std::size_t> place_;
};

Result<void> check_anvil(const Document& document, const CheckOptions& options, const Context& context,
                         Findings& findings) {
  std::optional<Game> game = options.game;
  if (game && family_of(*game) != GameFamily::Anvil) game.reset();
  if (options.base && !options.base->anvil())
    return in_file({ErrorCode::WrongKind, "the base is not an Anvil skeleton"}, options.base->name);
  const RigsBeside rigs(document.name, *document.anvil(), options, context);
  const anvil::Skeleton* base = options.base ? options.base->anvil() : rigs.base();
  findings = anvil::check(*document.anvil(), {.game = game, .base = base});
  for (Finding& finding : rigs.check(*document.anvil())) findings.push_back(std::move(finding));
  if (options.game && !game)
    findings.push_back({"E_OTHER_GAME", Level::Error,
                        "an Anvil skeleton, which " + std::string(to_string(*options.game)) +
                            " does not read; convert it, or retarget clips of the one to the other",
                        "root element", Cure{"convert", {{"to", std::string(to_string(*options.game))}}}});
  return {};
}

// Reports problems that a clip would have on the game's skeleton.
void check_against(const Skeleton& own, const Skeleton& skeleton, Findings& findings) {
  const Conform conform = make_conform(own, skeleton);
  const auto missing = std::ranges::count_if(conform.source, [](const auto& bone) { return !bone; });
  const std::size_t common = skeleton.bones.size() - static_cast<std::size_t>(missing);
  // Roots and spines of any two skeletons may have names that are alike.
  if (common * 10 < skeleton.bones.size())
    findings.push_back({"E_OTHER_SKELETON", Level::Error,
                        "the file and the skeleton have " + (common == 0 ? "no" : "only " + std::to_string(common)) +
                            " bones in common; use the right skeleton, or retarget the clip",
                        own.name, Cure{"retarget"}});
  else if (missing > 0)
    findings.push_back({"W_BONES_MISSING", Level::Warning,
                        std::to_string(missing) + " of the skeleton's " + std::to_string(skeleton.bones.size()) +
                            " bones are not in the file; they stay at rest",
                        own.name});
  if (!conform.agrees)
    findings.push_back(
        {"W_REST_POSE", Level::Warning,
         "the rest pose differs from the skeleton's, so limbs will point elsewhere; retarget the clip to fit one "
         "body to another",
         own.name, Cure{"retarget"}});
}

Result<void> check_gltf(const Document& document, const CheckOptions& options, Context& context, Findings& findings) {
  for (const Note& note : context.notes) findings.push_back({"I_GLTF", Level::Info, note.message, note.path});
  context.notes.clear();
  for (std::size_t i = 0; i < document.skeletons.size(); ++i) {
    const DocumentSkeleton& each = document.skeletons[i];
    if (const auto valid = validate(each.skeleton); !valid) findings.push_back(finding_of(valid.error()));
    for (DocumentClip clip : document.clips) {
      if (clip.skeleton != i) continue;
      // An edit may have left the motion as a spline alone.
      auto valid = decode_frames(clip, context.limits);
      if (valid) valid = validate(clip.clip);
      if (!valid) findings.push_back(finding_of(valid.error()));
    }
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

// Compares the ragdoll of a skeleton.nif with that of the skeleton.hkx that is given for it.
Result<void> check_ragdoll(const Document& document, const Document& skeleton, Context& context, Findings& findings) {
  if (!skeleton.packfile()) return {};
  MARROW_TRY(const auto character, havok::read_character_ragdoll(*skeleton.packfile()));
  if (!character) return {};
  Document read = document;
  // What cannot be read has been reported.
  if (!read_parts(read, Parts::Collision, context)) return {};
  for (const DocumentCollision& collision : read.collision)
    if (collision.kind == EmbeddedKind::Ragdoll) findings.append(compare_ragdolls(collision, *character));
  return {};
}

Result<void> check_nif(const Document& document, const CheckOptions& options, Context& context, Findings& findings) {
  const Limits& limits = context.limits;
  findings = check_collision(document);
  std::vector<const Skeleton*> skeletons;
  for (const Document* given : {options.skeleton, options.second_skeleton})
    for (std::size_t i = 0; given && i < given->skeletons.size(); ++i)
      skeletons.push_back(&given->skeletons[i].skeleton);
  if (options.skeleton && skeletons.empty())
    return in_file({ErrorCode::NoSkeleton, "the file contains no skeleton"}, options.skeleton->name);
  MARROW_TRY(const Findings bodies, check_bodies(*document.nif(), options.game, skeletons, limits));
  findings.insert(findings.end(), bodies.begin(), bodies.end());
  findings.append(nif::check_numbers(*document.nif(), limits));
  if (!options.data.empty()) {
    MARROW_TRY(const std::vector<BodyShape> shapes,
               read_shapes(*document.nif(), {.keep_faults = true, .limits = limits}));
    check_textures(document.name, shapes, {.data = options.data}, context, findings);
  }
  if (options.skeleton)
    if (auto compared = check_ragdoll(document, *options.skeleton, context, findings); !compared)
      return in_file(std::move(compared.error()), options.skeleton->name);
  return {};
}

// Collects findings until an error stops it.
Result<void> gather(const Document& given, const CheckOptions& options, Context& context, Findings& findings) {
  if (const MotionSource* source = given.motion_source()) {
    findings = check_source(*source);
    return {};
  }
  MARROW_TRY(Document document, as_saved(given, context));
  const Findings reading = findings_of_reading(document);
  if (is_anvil(document.format) && document.anvil()) return check_anvil(document, options, context, findings);
  if (document.cache()) {
    findings.append(behavior::check_cache(*document.cache(), context.limits));
    if (context.projects)
      if (const auto found = context.projects->find(document.name); found != context.projects->end())
        findings.append(found->second);
    return {};
  }
  if (is_gltf(document.format)) return check_gltf(document, options, context, findings);
  findings.insert(findings.end(), reading.begin(), reading.end());
  // Blocks are checked as they are, also those that cannot be read.
  if (!document.nif() || !bhk::keeps_blocks(document.nif()->stream))
    MARROW_CHECK(read_parts(document, Parts::Collision, context));
  if (document.packfile()) return check_havok(document, options, context, findings);
  if (document.nif()) return check_nif(document, options, context, findings);
  return fail(ErrorCode::WrongKind, "check does not support a " + std::string(title(document.format)));
}

// A file that is broken is a finding; what is not a file of ours, or another file, is an error.
Result<CheckReport> report_of(Result<void> done, Findings findings, const std::string& name) {
  findings.tell_hidden();
  if (done) return CheckReport{std::move(findings)};
  const ErrorCode code = done.error().code;
  const bool is_broken_file = done.error().file == name && code != ErrorCode::BadMagic &&
                              code != ErrorCode::WrongKind && code != ErrorCode::WrongGame;
  if (!is_broken_file) return std::unexpected(std::move(done.error()));
  findings.push_back(finding_of(done.error()));
  return CheckReport{std::move(findings)};
}

// Systems of other tools are rebuilt where they contradict themselves; the game's own do not change.
Result<void> repair_physics(havok::Packfile& file, Context& context) {
  for (const havok::ObjectId id : havok::find_physics(file))
    MARROW_CHECK(havok::rebuild_physics(file, id, &context.notes));
  return {};
}

Result<void> repair_nif(Document& document, Context& context) {
  MARROW_CHECK(rewrite_nif(document, &repair_physics, context));
  NifFile nif = *document.nif();
  MARROW_TRY(const Notes mended, mend_bodies(nif, context.limits));
  context.notes.insert(context.notes.end(), mended.begin(), mended.end());
  if (const std::size_t codes = bhk::rebuild_codes(nif, context.limits); codes > 0)
    context.note(std::to_string(codes) + " MOPP codes did not fit their shapes, and were built anew");
  MARROW_TRY(const std::uint32_t expected, expected_bsx_flags(nif, &probe_system));
  // Of collision that is kept as blocks, the other bits differ among the games' own files.
  const std::uint32_t rule = bhk::keeps_blocks(nif.stream) ? bsx_flag::kHavok | bsx_flag::kRagdoll : ~std::uint32_t{0};
  const bool is_wrong = ((bsx_flags(nif).value_or(0) ^ expected) & rule) != 0;
  if ((expected & bsx_flag::kHavok) != 0 && is_wrong) MARROW_CHECK(update_bsx_flags(nif, &probe_system, context.notes));
  return take_container(document, std::move(nif), context);
}

}  // namespace

bool CheckReport::found() const { return is_serious(findings); }
bool FixReport::found() const { return is_serious(left); }

void describe(FieldList& fields, CheckOptions& options) {
  fields("game", options.game, {.help = "check by the rules of this game", .placeholder = "GAME"});
  fields.input("base", options.base, {.help = "the skeleton that an Anvil addon extends", .placeholder = "SKELETON"});
  fields.input("beside", options.beside,
               {.help = "Anvil skeletons, or files of a behaviour project, that the game loads with it; files and "
                        "folders that are checked together are compared anyway",
                .placeholder = "FILE",
                .parts = Parts::None});
  fields.input("skeleton", options.skeleton, options.second_skeleton,
               {.help = "the skeleton that clips and skinned meshes are for, or the skeleton.hkx that the ragdoll of a "
                        "skeleton.nif is compared with; twice for the actors of a paired clip",
                .placeholder = "FILE"});
  fields(
      "data", options.data,
      {.help = "a game's data folder, where files and skeletons are found, and the textures of bodies must be; may be "
               "repeated for more textures",
       .placeholder = "FOLDER"});
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
  return {std::move(code), Level::Error, error.message, std::move(where), error.cure};
}

Result<CheckReport> check(const Document& document, const CheckOptions& options, Context& context) {
  Findings findings;
  auto done = gather(document, options, context, findings);
  return report_of(std::move(done), std::move(findings), document.name);
}

Result<CheckReport> check(std::span<const std::byte> bytes, const std::string& name, const CheckOptions& options,
                          Context& context) {
  MARROW_TRY(const CheckedFile file, load_to_check(bytes, name, context));
  return file.document ? check(*file.document, options, context) : CheckReport{file.findings};
}

std::shared_ptr<const anvil::RigSet> rigs_among(std::span<const std::string> names, std::optional<Game> game,
                                                Context& context) {
  if (!context.lookup) return nullptr;
  std::vector<anvil::RigFile> files;
  Context quiet{.limits = context.limits, .bone_names = context.bone_names};
  for (const std::string& name : names) {
    if (!to_lower(name).ends_with(".xml")) continue;
    const auto bytes = context.lookup->read(name, name.substr(name.find_last_of("/\\") + 1));
    if (!bytes || !is_anvil(detect(*bytes))) continue;
    auto document = load(*bytes, {.name = name, .parts = Parts::None}, quiet);
    if (!document || !document->anvil()) continue;
    anvil::Skeleton skeleton = *document->anvil();
    skeleton.origin.ids = id_scheme(*document, quiet);
    files.push_back({name, std::move(skeleton)});
  }
  if (game && family_of(*game) != GameFamily::Anvil) game.reset();
  return files.size() < 2 ? nullptr : std::make_shared<const anvil::RigSet>(std::move(files), game);
}

Result<CheckedFile> load_to_check(std::span<const std::byte> bytes, const std::string& name, Context& context) {
  CheckedFile file;
  auto document = load(bytes, {.name = name, .parts = Parts::None, .findings = &file.findings}, context);
  if (document) {
    file.document = std::move(*document);
    return file;
  }
  if (bytes.empty()) return std::unexpected(std::move(document.error()));
  file.error = document.error();
  if (auto dangling = dangling_reference(document.error(), bytes)) {
    file.findings.push_back(std::move(*dangling));
    return file;
  }
  MARROW_TRY(CheckReport broken, report_of(std::unexpected(std::move(document.error())), file.findings, name));
  file.findings = std::move(broken.findings);
  return file;
}

Result<Document> fixed(const Document& given, const CheckOptions& options, Context& context) {
  MARROW_TRY(Document document, as_saved(given, context));
  if (auto* havok = own_origin_of<HavokOrigin>(document)) {
    MARROW_CHECK(repair_physics(havok->file, context));
    MARROW_CHECK(mend_short_curves(havok->file, context));
  }
  if (document.nif()) MARROW_CHECK(repair_nif(document, context));
  if (is_anvil(document.format) && document.anvil()) {
    MARROW_TRY(const AnvilEdit skeleton, edit_anvil(document, context));
    RigsBeside(document.name, *skeleton, options, context).renumber(*skeleton, context);
    for (std::string& note : anvil::mend(*skeleton)) context.note(std::move(note));
    MARROW_TRY(const std::optional<Game> game, anvil_game(options.game));
    if (game)
      for (std::string& note : anvil::to_game(*skeleton, *game)) context.note(std::move(note));
  }
  return document;
}

}  // namespace marrow
