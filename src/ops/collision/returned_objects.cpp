// SPDX-License-Identifier: MIT
#include "ops/collision/returned_objects.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "ops/document/object_names.h"

namespace marrow {
namespace {

std::vector<ReturnedObject> objects_of(const Document& document) {
  std::vector<ReturnedObject> objects;
  std::map<std::string_view, std::size_t> known;
  for (const DocumentMesh& mesh : document.meshes) {
    if (mesh.mesh.triangles.empty()) continue;
    const auto [at, is_new] = known.try_emplace(mesh.name, objects.size());
    if (is_new) objects.push_back({mesh.name, mesh.data_name.empty() ? mesh.name : mesh.data_name, {}});
    std::vector<std::uint32_t> all(mesh.mesh.triangles.size());
    std::iota(all.begin(), all.end(), 0u);
    objects[at->second].parts.push_back({&mesh, std::move(all)});
  }
  return objects;
}

// Programs store places as matrices, or in other units; this much is rounding.
bool is_same_place(const Transform& a, const Transform& b) {
  const float size = std::max({1.0f, std::abs(b.translation.x), std::abs(b.translation.y), std::abs(b.translation.z)});
  const auto apart = [](const Vec3& p, const Vec3& q) {
    return std::max({std::abs(p.x - q.x), std::abs(p.y - q.y), std::abs(p.z - q.z)});
  };
  return apart(a.translation, b.translation) <= 1e-5f * size && angle_degrees(a.rotation, b.rotation) <= 0.002f &&
         apart(a.scale, b.scale) <= 1e-5f * std::abs(b.scale.x);
}

void grow(geometry::Aabb& box, const Transform& at, std::span<const Vec3> points) {
  for (const Vec3& p : points) geometry::include(box, at.translation + at.rotation * (at.scale * p));
}

bool contains(const geometry::Aabb& outer, const geometry::Aabb& inner, float tolerance) {
  for (int i = 0; i < 3; ++i)
    if (!(inner.min[i] >= outer.min[i] - tolerance && inner.max[i] <= outer.max[i] + tolerance)) return false;
  return true;
}

bool overlap(const geometry::Aabb& a, const geometry::Aabb& b, float tolerance) {
  for (int i = 0; i < 3; ++i)
    if (!(a.min[i] <= b.max[i] + tolerance && b.min[i] <= a.max[i] + tolerance)) return false;
  return true;
}

class Matcher {
 public:
  Matcher(const std::vector<CollisionMesh>& shapes, const Document& exported) : shapes_(shapes) {
    match_.objects = objects_of(exported);
    match_.of_shape.resize(shapes.size());
    is_used_.resize(match_.objects.size());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      grow(shape_boxes_.emplace_back(), shapes[i].placement, shapes[i].vertices);
      shape_named_.try_emplace(comparable_name(shapes[i].name), i);
    }
    for (const ReturnedObject& object : match_.objects) {
      geometry::Aabb& box = object_boxes_.emplace_back();
      for (const ReturnedObject::Part& part : object.parts) grow(box, part.mesh->placement, part.mesh->mesh.vertices);
    }
  }

  ObjectMatch run() {
    match_names_of([](const ReturnedObject& object) { return object.name; });
    match_names_of([](const ReturnedObject& object) { return object.data_name; });
    for (std::size_t i = 0; i < shapes_.size(); ++i)
      if (!match_.of_shape[i]) find_by_triangles(i);
    for (std::size_t i = 0; i < shapes_.size(); ++i)
      if (!match_.of_shape[i]) find_by_vertices(i);
    match_last_one();
    place_others();
    return std::move(match_);
  }

 private:
  void use(std::size_t shape, std::size_t object) {
    match_.of_shape[shape] = object;
    is_used_[object] = true;
  }

  void say(std::size_t object, std::string message) { match_.messages.emplace_back(object, std::move(message)); }

  template <class NameOf>
  void match_names_of(NameOf name_of) {
    std::vector<std::size_t> open_shapes, open_objects;
    std::vector<std::string> wanted, given;
    for (std::size_t i = 0; i < shapes_.size(); ++i)
      if (!match_.of_shape[i]) {
        open_shapes.push_back(i);
        wanted.push_back(shapes_[i].name);
      }
    for (std::size_t i = 0; i < match_.objects.size(); ++i)
      if (!is_used_[i]) {
        open_objects.push_back(i);
        given.push_back(name_of(match_.objects[i]));
      }
    const auto found = match_names(wanted, given);
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i]) use(open_shapes[i], open_objects[*found[i]]);
  }

  OldTriangles triangles_at(std::size_t shape, const ReturnedObject& object) const {
    return find_old_triangles(shapes_[shape], surface_in(object, shapes_[shape].placement),
                              rounding_of(shapes_[shape]));
  }

  // Finds a shape that was renamed, or joined with another: all of its triangles are in one object.
  void find_by_triangles(std::size_t shape) {
    for (std::size_t i = 0; i < object_boxes_.size(); ++i) {
      // Most objects are elsewhere, and need not be looked at.
      if (!contains(object_boxes_[i], shape_boxes_[shape], rounding_of(shapes_[shape]))) continue;
      const OldTriangles old = triangles_at(shape, match_.objects[i]);
      if (!old.has_all) continue;
      const std::string from = match_.objects[i].name;
      if (!is_used_[i] && std::ranges::find(old.is_old, false) == old.is_old.end()) {
        use(shape, i);
        return say(i, "it is '" + shapes_[shape].name + "', renamed");
      }
      const OldTriangles own = own_triangles(i);
      // A shape in the place of another is not in its object because of that.
      if (is_inside(old.is_old, own.is_old)) continue;
      const std::size_t part = take_out(shape, i, old.is_old, own.is_old);
      use(shape, part);
      return say(part, "it was joined with '" + from + "', and is a shape of its own again");
    }
  }

  // Returns which triangles of an object are those of the shape that it is known to be.
  OldTriangles own_triangles(std::size_t object) const {
    const auto owner = std::ranges::find(match_.of_shape, std::optional(object));
    if (owner == match_.of_shape.end()) return {};
    return triangles_at(static_cast<std::size_t>(owner - match_.of_shape.begin()), match_.objects[object]);
  }

  static bool is_inside(const std::vector<bool>& some, const std::vector<bool>& all) {
    if (all.empty()) return false;
    for (std::size_t i = 0; i < some.size(); ++i)
      if (some[i] && !all[i]) return false;
    return true;
  }

  // Moves triangles of an object to one of their own. Those that are also the other shape's stay too.
  std::size_t take_out(std::size_t shape, std::size_t object, const std::vector<bool>& is_meant,
                       const std::vector<bool>& own) {
    ReturnedObject taken{shapes_[shape].name, shapes_[shape].name, {}};
    std::size_t number = 0;
    for (ReturnedObject::Part& part : match_.objects[object].parts) {
      ReturnedObject::Part out{part.mesh, {}};
      std::vector<std::uint32_t> left;
      for (const std::uint32_t triangle : part.triangles) {
        const bool is_own = number < own.size() && own[number];
        if (is_meant[number]) out.triangles.push_back(triangle);
        if (!is_meant[number] || is_own) left.push_back(triangle);
        ++number;
      }
      part.triangles = std::move(left);
      if (!out.triangles.empty()) taken.parts.push_back(std::move(out));
    }
    match_.objects.push_back(std::move(taken));
    is_used_.push_back(true);
    return match_.objects.size() - 1;
  }

  // Finds a shape that was renamed and edited: half of its vertices are where they were.
  void find_by_vertices(std::size_t shape) {
    for (std::size_t i = 0; i < object_boxes_.size(); ++i) {
      if (is_used_[i] || !overlap(object_boxes_[i], shape_boxes_[shape], rounding_of(shapes_[shape]))) continue;
      const ReturnedSurface surface = surface_in(match_.objects[i], shapes_[shape].placement);
      const SurfaceMatch match = match_surface(shapes_[shape], surface, rounding_of(shapes_[shape]));
      const auto known = std::ranges::count_if(match.vertices, [](const auto& vertex) { return vertex.has_value(); });
      if (2 * static_cast<std::size_t>(known) < surface.vertices.size() || known < 3) continue;
      use(shape, i);
      return say(i, "it is '" + shapes_[shape].name + "', renamed");
    }
  }

  // One shape without an object and one object without a shape are the same, if nothing else is known of the object.
  void match_last_one() {
    std::optional<std::size_t> shape, object;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      if (match_.of_shape[i]) continue;
      if (shape) return;
      shape = i;
    }
    for (std::size_t i = 0; i < match_.objects.size(); ++i) {
      if (is_used_[i]) continue;
      if (object) return;
      object = i;
    }
    const bool is_any_known = std::ranges::any_of(match_.of_shape, [](const auto& found) { return found.has_value(); });
    if (!shape || !object || !is_any_known || owner_of(match_.objects[*object])) return;
    use(*shape, *object);
    say(*object, "it is taken for '" + shapes_[*shape].name + "', which has no other object");
  }

  struct Owner {
    std::size_t shape = 0;
    bool is_copy = false;
  };

  // Returns the shape that an object is a copy of, or one of the body whose name its own begins with.
  std::optional<Owner> owner_of(const ReturnedObject& object) const {
    for (const std::string* name : {&object.name, &object.data_name})
      if (const auto found = shape_named_.find(comparable_name(*name)); found != shape_named_.end())
        return Owner{found->second, true};
    std::optional<Owner> owner;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const CollisionMesh& shape = shapes_[i];
      const std::string stem = shape.slot.path.empty() ? shape.name : shape.name.substr(0, shape.name.rfind(".child"));
      if (object.name.starts_with(stem + ".")) owner = Owner{i, false};
    }
    return owner;
  }

  void place_others() {
    for (std::size_t i = 0; i < is_used_.size(); ++i) {
      if (is_used_[i]) continue;
      const auto owner = owner_of(match_.objects[i]);
      if (!owner)
        match_.unknown.push_back(i);
      else if (!match_.of_shape[owner->shape])
        use(owner->shape, i);
      else if (!give_back(i, owner->shape))
        match_.added.push_back({i, owner->shape, owner->is_copy});
    }
  }

  // Gives a piece that was separated from a shape, and not changed, back to the object of the shape.
  bool give_back(std::size_t object, std::size_t shape) {
    const OldTriangles old = triangles_at(shape, match_.objects[object]);
    if (old.is_old.empty() || std::ranges::find(old.is_old, false) != old.is_old.end()) return false;
    ReturnedObject& whole = match_.objects[*match_.of_shape[shape]];
    whole.parts.insert(whole.parts.end(), match_.objects[object].parts.begin(), match_.objects[object].parts.end());
    say(object, "it is a part of '" + shapes_[shape].name + "'");
    return true;
  }

  const std::vector<CollisionMesh>& shapes_;
  ObjectMatch match_;
  std::vector<bool> is_used_;
  std::vector<geometry::Aabb> shape_boxes_, object_boxes_;    ///< in the space of the scene
  std::unordered_map<std::string, std::size_t> shape_named_;  ///< by comparable name
};

}  // namespace

ReturnedSurface surface_in(const ReturnedObject& object, const Transform& node) {
  ReturnedSurface surface;
  const Transform to_node = inverse(node);
  for (const ReturnedObject::Part& part : object.parts) {
    const auto first = static_cast<std::uint32_t>(surface.vertices.size());
    const Transform& at = part.mesh->placement;
    const bool is_in_place = is_same_place(at, node);
    surface.is_in_place &= is_in_place;
    const bool is_mirrored = !is_in_place && at.scale.x * at.scale.y * at.scale.z < 0.0f;
    std::vector<std::uint32_t> number_of(part.mesh->mesh.vertices.size(), 0);
    const auto vertex = [&](std::uint32_t corner) {
      if (number_of[corner] != 0) return first + number_of[corner] - 1;
      const Vec3& p = part.mesh->mesh.vertices[corner];
      const Vec3 world = at.translation + at.rotation * (at.scale * p);
      surface.vertices.push_back(is_in_place ? p : to_node.rotation * (to_node.scale * (world - node.translation)));
      number_of[corner] = static_cast<std::uint32_t>(surface.vertices.size()) - first;
      return first + number_of[corner] - 1;
    };
    for (const std::uint32_t triangle : part.triangles) {
      const auto& [a, b, c] = part.mesh->mesh.triangles[triangle];
      std::array<std::uint32_t, 3> corners{};
      corners[0] = vertex(a);
      corners[1] = vertex(b);
      corners[2] = vertex(c);
      if (is_mirrored) std::swap(corners[1], corners[2]);
      surface.triangles.push_back(corners);
    }
  }
  return surface;
}

float rounding_of(const CollisionMesh& shape) {
  const Vec3& t = shape.placement.translation;
  float largest = std::max({std::abs(t.x), std::abs(t.y), std::abs(t.z)});
  for (const Vec3& v : shape.vertices) largest = std::max({largest, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  return 1e-3f + 4e-6f * largest;
}

ObjectMatch match_objects(const std::vector<CollisionMesh>& shapes, const Document& exported) {
  return Matcher(shapes, exported).run();
}

}  // namespace marrow
