// SPDX-License-Identifier: MIT
// The objects of an FBX file, their properties and how they are connected.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <glm/vec3.hpp>

#include "exchange/fbx/node.h"

namespace marrow::fbx {

using DVec3 = glm::dvec3;

struct Object {
  std::int64_t id = 0;
  std::string name;  ///< without its class
  std::string kind;  ///< of its record: `Model`, `Geometry`
  std::string type;  ///< `LimbNode`, `Mesh`
  const Node* node = nullptr;
};

/// An object that another is connected to. `property` is empty for a plain connection.
struct Link {
  const Object* object = nullptr;
  std::string_view property = {};
};

/// The tables of a file. It borrows from the file.
class Objects {
 public:
  static Result<Objects> make(const File& file, const Limits& limits);

  const std::vector<Object>& all() const { return objects_; }
  const Object* find(std::int64_t id) const;
  /// Objects that are connected to `object` as its children, in the order of the file; and those above it.
  std::span<const Link> below(const Object& object) const;
  std::span<const Link> above(const Object& object) const;

  /// Returns the record of a property: the object's own, else its template's; null if neither has it. Its values start
  /// at index 4.
  const Node* property(const Object& object, std::string_view name) const;
  const Node* own_property(const Object& object, std::string_view name) const;
  double number(const Object& object, std::string_view name, double otherwise) const;
  std::int64_t integer(const Object& object, std::string_view name, std::int64_t otherwise) const;
  DVec3 vector(const Object& object, std::string_view name, DVec3 otherwise) const;

  /// A setting of the whole file.
  double setting(std::string_view name, double otherwise) const;

 private:
  using Properties = std::unordered_map<std::string_view, const Node*>;
  static Properties properties_of(const Node* node);
  const Properties& own_properties(const Object& object) const;

  std::vector<Object> objects_;
  std::unordered_map<std::int64_t, std::size_t> by_id_;
  std::vector<std::vector<Link>> below_, above_;
  std::vector<Properties> properties_;  // one per object
  std::unordered_map<std::string_view, Properties> templates_;
  Properties settings_;
};

/// Values of a property record start here.
inline constexpr std::size_t kFirstValue = 4;

}  // namespace marrow::fbx
