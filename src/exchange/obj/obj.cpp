// SPDX-License-Identifier: MIT
#include "exchange/obj/obj.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/try.h"
#include "geometry/hull/polygon.h"
#include "marrow/core/text.h"

namespace marrow::geometry {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// One line without its end, and where it is. A backslash at the end joins the next line.
struct Line {
  std::string joined;  ///< holds the text where lines were joined
  std::string_view text;
  std::size_t offset = 0;
  std::size_t number = 0;

  /// The next word; a comment ends the line.
  std::string_view word() {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    std::size_t length = 0;
    while (length < text.size() && !is_blank(text[length])) ++length;
    const std::string_view result = text.substr(0, length);
    text.remove_prefix(length);
    if (!result.starts_with('#')) return result;
    text = {};
    return {};
  }
  /// The rest of the line: names may have blanks and number signs.
  std::string_view name() const { return trim(text); }
};

class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}

  bool next(Line& line) {
    if (at_ >= text_.size()) return false;
    line.offset = at_;
    line.number = number_ + 1;
    line.joined.clear();
    std::string_view part = take();
    while (part.ends_with('\\') && at_ < text_.size()) {
      line.joined.append(part.substr(0, part.size() - 1)).push_back(' ');
      part = take();
      if (!part.ends_with('\\') || at_ >= text_.size()) {
        line.joined.append(part);
        part = {};
      }
    }
    line.text = line.joined.empty() ? part : std::string_view(line.joined);
    return true;
  }

 private:
  std::string_view take() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view part = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++number_;
    if (part.ends_with('\r')) part.remove_suffix(1);
    return part;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t number_ = 0;
};

std::unexpected<Error> fail_at(const Line& line, ErrorCode code, std::string message) {
  return fail(code, std::move(message), line.offset, "line " + std::to_string(line.number));
}

/// Objects and materials by name; `index` numbers names in order of first use.
class Names {
 public:
  std::size_t index(std::string_view name) {
    const auto [at, is_new] = index_.try_emplace(std::string(name), names.size());
    if (is_new) names.emplace_back(name);
    return at->second;
  }
  std::vector<std::string> names;

 private:
  std::unordered_map<std::string, std::size_t> index_;
};

class ObjReader {
 public:
  ObjReader(std::string_view text, const Limits& limits) : text_(text), limits_(limits) {}

  Result<ObjFile> run() {
    MARROW_CHECK(read_vertices());
    MARROW_CHECK(read_faces());
    ObjFile file;
    file.materials = std::move(materials_.names);
    for (std::size_t i = 0; i < meshes_.size(); ++i) {
      give_own_vertices(meshes_[i]);
      file.objects.push_back({objects_.names[i], std::move(meshes_[i])});
    }
    return file;
  }

 private:
  /// Faces may name vertices that come later, and whether `g` counts depends on whether there is an `o`: first pass.
  Result<void> read_vertices() {
    LineReader lines(text_);
    for (Line line; lines.next(line);) {
      const std::string_view keyword = line.word();
      if (keyword == "o") has_objects_ = true;
      if (keyword != "v") continue;
      Vec3 vertex;
      for (int axis = 0; axis < 3; ++axis) {
        const std::string_view word = line.word();
        const auto value = parse_float(word);
        if (!value || !std::isfinite(*value))
          return fail_at(line, ErrorCode::Malformed,
                         word.empty() ? "a vertex needs three coordinates"
                                      : "'" + std::string(word.substr(0, 40)) + "' is not a finite number");
        vertex[axis] = *value;
      }
      vertices_.push_back(vertex);
    }
    return {};
  }

  Result<void> read_faces() {
    LineReader lines(text_);
    for (Line line; lines.next(line);) {
      const std::string_view keyword = line.word();
      if (keyword == "v") {
        ++vertices_before_;
      } else if (keyword == (has_objects_ ? "o" : "g")) {
        object_ = line.name();
      } else if (keyword == "usemtl") {
        material_ = line.name();
      } else if (keyword == "f") {
        MARROW_CHECK(read_face(line));
      }
    }
    return {};
  }

  Result<void> read_face(Line& line) {
    corners_.clear();
    for (std::string_view word = line.word(); !word.empty(); word = line.word()) {
      const std::string_view number = word.substr(0, word.find('/'));
      const auto index = parse_int(number);
      if (!index)
        return fail_at(line, ErrorCode::Malformed, "'" + std::string(word.substr(0, 40)) + "' is not a vertex number");
      const std::int64_t at = *index > 0 ? *index - 1 : static_cast<std::int64_t>(vertices_before_) + *index;
      if (*index == 0 || at < 0 || at >= static_cast<std::int64_t>(vertices_.size()))
        return fail_at(
            line, ErrorCode::Malformed,
            "vertex " + std::to_string(*index) + " does not exist; the file has " + std::to_string(vertices_.size()));
      corners_.push_back(static_cast<std::uint32_t>(at));
    }
    if (corners_.size() < 3) return fail_at(line, ErrorCode::Malformed, "a face needs three corners");
    const std::size_t material = materials_.index(material_);
    if (material > 0xFFFF) return fail_at(line, ErrorCode::LimitExceeded, "more than 65536 materials");
    const std::size_t object = objects_.index(object_);
    if (object >= meshes_.size()) {
      if (object >= limits_.max_objects) return fail_at(line, ErrorCode::LimitExceeded, "too many objects");
      meshes_.resize(object + 1);
    }
    TriangleMesh& mesh = meshes_[object];
    triangulate(vertices_, corners_, mesh.triangles);
    mesh.materials.resize(mesh.triangles.size(), static_cast<std::uint16_t>(material));
    return {};
  }

  /// An object gets the vertices it uses, in the order of the file.
  void give_own_vertices(TriangleMesh& mesh) const {
    std::vector<std::uint32_t> used;
    used.reserve(mesh.triangles.size() * 3);
    for (const auto& triangle : mesh.triangles) used.insert(used.end(), triangle.begin(), triangle.end());
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    mesh.vertices.reserve(used.size());
    for (std::uint32_t vertex : used) mesh.vertices.push_back(vertices_[vertex]);
    for (auto& triangle : mesh.triangles)
      for (std::uint32_t& corner : triangle)
        corner = static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), corner) - used.begin());
  }

  std::string_view text_;
  const Limits& limits_;
  std::vector<Vec3> vertices_;
  std::size_t vertices_before_ = 0;  ///< the line at hand, for numbers that count backwards
  bool has_objects_ = false;
  std::string object_;
  std::string material_;
  Names objects_;
  Names materials_;
  std::vector<TriangleMesh> meshes_;
  std::vector<std::uint32_t> corners_;
};

/// A name that stays on its line.
std::string safe_name(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) < ' ') c = '_';
  if (name.ends_with('\\')) name.back() = '_';
  return name;
}

}  // namespace

Result<ObjFile> read_obj(std::string_view text, const Limits& limits) {
  if (text.size() > 0xFFFFFFFF) return fail(ErrorCode::LimitExceeded, "a text of more than 4 GB");
  if (text.find('\0') != std::string_view::npos)
    return fail(ErrorCode::BadMagic, "this is not a Wavefront file: it has binary zeros", text.find('\0'));
  return ObjReader(text, limits).run();
}

std::string write_obj(const ObjFile& file) {
  std::string out;
  std::uint64_t first = 1;
  for (const ObjObject& object : file.objects) {
    out += "o " + safe_name(object.name) + "\n";
    for (const Vec3& vertex : object.mesh.vertices) {
      out += 'v';
      for (int axis = 0; axis < 3; ++axis) {
        out += ' ';
        append_float(out, vertex[axis]);
      }
      out += '\n';
    }
    std::size_t material = file.materials.size();  // none yet
    for (std::size_t i = 0; i < object.mesh.triangles.size(); ++i) {
      const std::size_t wanted = object.mesh.materials.empty() ? 0 : object.mesh.materials[i];
      if (wanted != material && wanted < file.materials.size()) {
        out += "usemtl " + safe_name(file.materials[wanted]) + "\n";
        material = wanted;
      }
      out += 'f';
      for (std::uint32_t corner : object.mesh.triangles[i]) {
        out += ' ';
        append_uint(out, first + corner);
      }
      out += '\n';
    }
    first += object.mesh.vertices.size();
  }
  return out;
}

}  // namespace marrow::geometry
