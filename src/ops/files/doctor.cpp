// SPDX-License-Identifier: MIT
#include "ops/files/doctor.h"

#include <algorithm>
#include <map>
#include <utility>

#include "archive/archive.h"
#include "core/base64.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "ops/behavior/project.h"
#include "ops/files/check.h"
#include "ops/files/doctor_archives.h"
#include "ops/files/info.h"

namespace marrow {
namespace {

constexpr std::size_t kNamedFiles = 5;

std::string bare_file_name(const std::string& name) { return name.substr(name.find_last_of('/') + 1); }

// Lower case, without empty parts and without steps upwards, which neighbours are asked for by.
std::string shelf_key(std::string_view name) {
  std::vector<std::string_view> parts;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find('/'), name.size());
    const std::string_view part = name.substr(0, end);
    if (part == ".." && !parts.empty())
      parts.pop_back();
    else if (!part.empty())
      parts.push_back(part);
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  std::string key;
  for (const std::string_view part : parts) key += (key.empty() ? "" : "/") + to_lower(part);
  return key;
}

/// The files by name, as a game finds them: in any case.
class Shelf {
 public:
  explicit Shelf(std::span<const ExaminedFile> files) {
    for (const ExaminedFile& file : files) {
      files_.emplace(shelf_key(file.name), &file);
      const std::size_t end = file.name.find_last_of('/');
      folders_[shelf_key(file.name.substr(0, end == std::string::npos ? 0 : end))].push_back(bare_file_name(file.name));
    }
  }

  Result<std::vector<std::byte>> read(const std::string& name, std::size_t at_most, const Limits& limits) const {
    const auto found = files_.find(shelf_key(name));
    if (found == files_.end()) return fail(ErrorCode::NotFound, "the file is not in the folder");
    const std::uint64_t size = std::min<std::uint64_t>(found->second->source->size(), at_most);
    if (size > limits.max_expanded_bytes) return fail(ErrorCode::LimitExceeded, "the file is too large");
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    MARROW_CHECK(found->second->source->read(0, bytes));
    return bytes;
  }

  std::vector<std::string> list(const std::string& folder) const {
    const auto found = folders_.find(shelf_key(folder));
    return found == folders_.end() ? std::vector<std::string>{} : found->second;
  }

 private:
  std::map<std::string, const ExaminedFile*> files_;
  std::map<std::string, std::vector<std::string>> folders_;
};

// A kind that people have a word for; the title of the format if there is none.
std::string kind_of_file(const InfoReport& info) {
  if (info.about) return info.about->kind == "behavior" ? "behaviour" : info.about->kind;
  if (is_havok(info.format) && !info.clips.empty()) return "animation";
  if (is_havok(info.format) && !info.skeletons.empty()) return "skeleton";
  if (info.format == Format::Nif && info.shapes && !info.shapes->empty()) return "mesh";
  return std::string(title(info.format));
}

/// What the first look at a file showed.
struct Look {
  const ExaminedFile* file = nullptr;
  Format format = Format::Unknown;
  std::string kind = "other file";
  std::optional<Game> game = {};
};

bool is_source_only(Format format) {
  return is_gltf(format) || is_motion_source(format) || format == Format::Obj || format == Format::Xml ||
         format == Format::XmlTagfile || format == Format::Json;
}

bool is_archive(Format format) { return format == Format::Bsa || format == Format::Ba2; }

// True if a folder of the path has that name.
bool is_below(const std::string& path, std::string_view folder) {
  const std::string lower = "/" + to_lower(path);
  return lower.find("/" + std::string(folder) + "/") != std::string::npos;
}

/// Gathers findings by reason.
class Diagnoses {
 public:
  void add(const ExaminedFile& file, const Finding& finding) {
    const auto [place, is_new] = places_.try_emplace(finding.code, found_.size());
    if (is_new) {
      found_.push_back({finding.code, finding.level, finding.message, {}, 0, finding.cure, path_of(file)});
      last_.push_back(nullptr);
    }
    Diagnosis& diagnosis = found_[place->second];
    const ExaminedFile* last = std::exchange(last_[place->second], &file);
    diagnosis.level = std::max(diagnosis.level, finding.level);
    if (last == &file) return;
    ++diagnosis.count;
    if (diagnosis.files.size() < kNamedFiles) diagnosis.files.push_back(file.name);
    if (diagnosis.count == 2) diagnosis.path = spares_others(diagnosis.cure) ? place_of(*last) : "";
    if (diagnosis.count > 1 && diagnosis.path != place_of(file)) diagnosis.path.clear();
  }

  std::vector<Diagnosis> sorted() && {
    std::ranges::stable_sort(found_, [](const Diagnosis& a, const Diagnosis& b) {
      return a.level != b.level ? a.level > b.level : a.count > b.count;
    });
    return std::move(found_);
  }

 private:
  static std::string path_of(const ExaminedFile& file) {
    return file.folder.empty() ? file.name : file.folder + "/" + file.name;
  }
  // The folder or the archive that has the file.
  static std::string place_of(const ExaminedFile& file) {
    if (file.archive.empty()) return file.folder;
    return file.folder.empty() ? file.archive : file.folder + "/" + file.archive;
  }
  // True if the cure may be given a folder in which other files are right already.
  static bool spares_others(const std::optional<Cure>& cure) {
    return cure && (cure->operation == "convert" || cure->operation == "check");
  }

  std::map<std::string, std::size_t> places_;
  std::vector<const ExaminedFile*> last_;  // that had each diagnosis
  std::vector<Diagnosis> found_;
};

// What no check of one file can see: whether the game looks there at all.
void check_places(std::span<const Look> looks, std::optional<Game> game, Diagnoses& diagnoses) {
  const bool is_data_folder =
      std::ranges::any_of(looks, [](const Look& look) { return is_below(look.file->name, "meshes"); });
  std::map<std::string, std::string> names;
  for (const Look& look : looks) {
    const std::string& name = look.file->name;
    if (is_source_only(look.format))
      diagnoses.add(*look.file, {"I_SOURCE_FILE",
                                 Level::Info,
                                 "the game does not load a " + std::string(title(look.format)) +
                                     "; convert it, or leave it out of the mod",
                                 {},
                                 Cure{"convert"}});
    const bool needs_meshes = look.format == Format::Hkx || look.format == Format::Nif;
    if (is_data_folder && needs_meshes && !is_below(name, "meshes"))
      diagnoses.add(*look.file, {"W_OUTSIDE_MESHES",
                                 Level::Warning,
                                 "the game looks for such files below meshes only, and ignores this one",
                                 {}});
    // Both games of Skyrim read the other's meshes; Fallout 4 has another format.
    if (look.format == Format::Nif && game && family_of(*game) == GameFamily::Havok && look.game &&
        (*look.game == Game::Fallout4) != (*game == Game::Fallout4))
      diagnoses.add(*look.file, {"E_OTHER_GAME",
                                 Level::Error,
                                 "the mesh is for " + std::string(to_string(*look.game)) + ", and " +
                                     std::string(to_string(*game)) + " crashes on it or does not show it",
                                 {},
                                 Cure{"convert", {{"to", std::string(to_string(*game))}}}});
    // An archive of the other family is not loaded, and one of another Skyrim not as it should.
    if (is_archive(look.format) && game && look.game != game)
      diagnoses.add(*look.file, {"W_OTHER_ARCHIVE",
                                 Level::Warning,
                                 "archives of this version are " +
                                     (look.game ? std::string(to_string(*look.game)) + "'s" : "another game's") +
                                     ", and " + std::string(to_string(*game)) + " may not load it: pack it again",
                                 {}});
    const auto [first, is_new] = names.try_emplace(to_lower(name), name);
    if (!is_new)
      diagnoses.add(*look.file,
                    {"W_SAME_NAME",
                     Level::Warning,
                     "the name differs from " + first->second + " in case only: the game sees one of the two",
                     {}});
  }
}

// The game that most files are for.
std::optional<Game> main_game(std::span<const Look> looks, std::string& reason) {
  std::map<Game, std::size_t> votes;
  std::size_t all = 0;
  for (const Look& look : looks)
    if (look.game) ++votes[*look.game], ++all;
  if (votes.empty()) return std::nullopt;
  const auto most = std::ranges::max_element(votes, {}, [](const auto& each) { return each.second; });
  reason = std::to_string(most->second) + " of " + std::to_string(all) + " files that are for a game are for " +
           std::string(to_string(most->first));
  return most->first;
}

std::vector<FilesOfKind> counted(std::span<const Look> looks) {
  std::map<std::pair<std::string, std::optional<Game>>, FilesOfKind> kinds;
  for (const Look& look : looks) {
    FilesOfKind& kind = kinds[{look.kind, look.game}];
    kind.kind = look.kind;
    kind.game = look.game;
    ++kind.files;
    kind.bytes += look.file->source->size();
  }
  std::vector<FilesOfKind> all;
  for (auto& [key, kind] : kinds) all.push_back(std::move(kind));
  std::ranges::stable_sort(all, std::greater(), &FilesOfKind::files);
  return all;
}

/// One examination: the folder, and what is known of it so far.
class Examination {
 public:
  Examination(const OpenedArchives& opened, Context& context)
      : shelf_(opened.files),
        lookup_([this](const std::string& name, std::size_t most) { return shelf_.read(name, most, context_.limits); },
                [this](const std::string& folder) { return shelf_.list(folder); }, context.limits),
        context_{.limits = context.limits, .lookup = &lookup_, .bone_names = context.bone_names} {
    for (const ExaminedFile& file : opened.files) looks_.push_back({.file = &file});
    for (const auto& [name, finding] : opened.findings)
      diagnoses_.add(*std::ranges::find(opened.files, name, &ExaminedFile::name), finding);
  }

  Result<void> look(const Context& caller) {
    for (std::size_t i = 0; i < looks_.size(); ++i) {
      look_at(looks_[i]);
      MARROW_CHECK(caller.report(0.3 * static_cast<double>(i + 1) / static_cast<double>(looks_.size())));
    }
    return {};
  }

  Result<void> check(std::optional<Game> game, const Context& caller) {
    std::vector<std::string> names;
    for (const Look& look : looks_) names.push_back(look.file->name);
    context_.rigs = rigs_among(names, game, context_);
    context_.projects = projects_among(names, game, context_);
    check_places(looks_, game, diagnoses_);
    for (std::size_t i = 0; i < looks_.size(); ++i) {
      check_one(looks_[i], game);
      MARROW_CHECK(caller.report(0.3 + 0.6 * static_cast<double>(i + 1) / static_cast<double>(looks_.size())));
    }
    return {};
  }

  // Bodies first: they show most.
  std::vector<DoctorPicture> draw(std::size_t most) {
    std::vector<DoctorPicture> pictures;
    for (const char* kind : {"mesh", "animation", "skeleton"})
      for (const Look& look : looks_) {
        if (pictures.size() == most) return pictures;
        if (look.kind != kind) continue;
        const auto document = loaded(look);
        if (!document) continue;
        const auto png = draw_document(*document, context_);
        if (png && !png->empty()) {
          DoctorPicture& picture = pictures.emplace_back(look.file->name);
          append_base64(picture.png, *png);
        }
      }
    return pictures;
  }

  std::span<const Look> looks() const { return looks_; }
  Diagnoses&& diagnoses() { return std::move(diagnoses_); }

 private:
  Result<Document> loaded(const Look& look) {
    MARROW_TRY(const auto bytes, shelf_.read(look.file->name, SIZE_MAX, context_.limits));
    return load(bytes, {.name = look.file->name, .parts = Parts::None}, context_);
  }

  void look_at(Look& look) {
    if (!look.file->may_be_ours) return;
    const auto head = shelf_.read(look.file->name, kDetectBytes, context_.limits);
    if (head) look.format = detect(*head);
    if (look.format == Format::Unknown) return;
    look.kind = title(look.format);
    if (is_archive(look.format)) {
      if (const auto opened = archive::open_archive(look.file->source, context_.limits))
        look.game = find_game(opened->game());
      return;
    }
    const auto document = loaded(look);
    context_.notes.clear();
    if (!document) return;
    look.game = document->game;
    if (const auto info = marrow::info(*document, {}, context_)) look.kind = kind_of_file(*info);
    context_.notes.clear();
  }

  void check_one(const Look& look, std::optional<Game> game) {
    if (look.format == Format::Unknown || is_archive(look.format)) return;
    const auto bytes = shelf_.read(look.file->name, SIZE_MAX, context_.limits);
    if (!bytes) return diagnoses_.add(*look.file, finding_of(bytes.error()));
    const auto report = marrow::check(*bytes, look.file->name, {.game = game}, context_);
    context_.notes.clear();
    context_.held.clear();
    if (!report) return diagnoses_.add(*look.file, finding_of(report.error()));
    for (const Finding& finding : report->findings) diagnoses_.add(*look.file, finding);
  }

  Shelf shelf_;
  Lookup lookup_;
  Context context_;
  std::vector<Look> looks_;
  Diagnoses diagnoses_;
};

}  // namespace

bool DoctorReport::found() const {
  return std::ranges::any_of(problems, [](const Diagnosis& each) { return each.level != Level::Info; });
}

void describe(FieldList& fields, DoctorOptions& options) {
  fields("game", options.game,
         {.help = "check by the rules of this game",
          .placeholder = "GAME",
          .otherwise = "the game that most files are for"});
  fields("pictures", options.pictures,
         {.help = "number of bodies, clips and skeletons to draw", .placeholder = "N", .max = 100});
  fields("installed", options.installed,
         {.help = "where a part of this installation is; the program fills in its own", .placeholder = "NAME=PLACE"});
}

void describe(FieldList& fields, InstalledPart& part) {
  fields("name", part.name);
  fields("place", part.place, {.help = "empty if it is not installed"});
}

void describe(FieldList& fields, FilesOfKind& kind) {
  fields("kind", kind.kind);
  fields("game", kind.game);
  fields("files", kind.files);
  fields("bytes", kind.bytes);
}

void describe(FieldList& fields, Diagnosis& diagnosis) {
  fields("code", diagnosis.code);
  fields("level", diagnosis.level);
  fields("message", diagnosis.message, {.help = "of the first file"});
  fields("files", diagnosis.files, {.help = "the first few"});
  fields("count", diagnosis.count, {.help = "files"});
  fields("cure", diagnosis.cure);
  fields("path", diagnosis.path, {.help = "what the cure is for: the file, or the folder of several"});
}

void describe(FieldList& fields, DoctorPicture& picture) {
  fields("name", picture.name);
  fields("png", picture.png, {.help = "as base64"});
}

void describe(FieldList& fields, DoctorReport& report) {
  fields("installed", report.installed);
  fields("games", report.games, {.help = "that are supported"});
  fields("files", report.files);
  fields("game", report.game, {.help = "what the folder is taken to be for"});
  fields("reason", report.reason);
  fields("contents", report.contents);
  fields("problems", report.problems, {.help = "worst first, one per reason"});
  fields("pictures", report.pictures);
}

Result<DoctorReport> examine(std::span<const ExaminedFile> files, const DoctorOptions& options, Context& context) {
  DoctorReport report{.files = files.size()};
  for (const std::string& part : options.installed) {
    const std::size_t end = std::min(part.find('='), part.size());
    report.installed.push_back({part.substr(0, end), end == part.size() ? "" : part.substr(end + 1)});
  }
  for (const std::string& word : described::game_words()) report.games.push_back(word);
  if (files.empty()) return report;

  const OpenedArchives opened = open_archives(files, context.limits);
  report.files = opened.files.size();
  Examination examination(opened, context);
  MARROW_CHECK(examination.look(context));
  report.game = options.game ? options.game : main_game(examination.looks(), report.reason);
  if (options.game) report.reason = "as asked for";
  report.contents = counted(examination.looks());
  MARROW_CHECK(examination.check(report.game, context));
  report.problems = examination.diagnoses().sorted();
  report.pictures = examination.draw(options.pictures);
  MARROW_CHECK(context.report(1.0));
  return report;
}

}  // namespace marrow
