// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <glm/geometric.hpp>
#include <limits>

#include "core/try.h"
#include "geometry/solids/mass.h"
#include "geometry/solids/mesh_solids.h"
#include "havok/physics/fields.h"
#include "havok/physics/measure.h"
#include "havok/physics/mesh.h"
#include "havok/physics/shapes.h"
#include "marrow/core/text.h"

namespace marrow::havok {
namespace {

// Compounds in compounds; the game has none.
constexpr std::uint32_t kMaxNesting = 64;
// Corners of the core of a capsule are this part of its radius beyond the ends of the axis and beside it.
constexpr float kCorePart = 0.01f;
// Those of the game agree with that to this part of the capsule's size.
constexpr float kCoreTolerance = 1e-4f;

Vec3 vec3_of(std::span<const float> f) { return {f[0], f[1], f[2]}; }

// True if points lie about the axis of a capsule, and reach from one of its ends to the other.
bool lies_along(std::span<const Vec3> points, const CapsuleShape& capsule, float convex_radius) {
  const Vec3 span = capsule.b - capsule.a;
  const float length = glm::length(span), thickness = kCorePart * convex_radius / kCapsuleRadiusPart;
  const float slack = kCoreTolerance * (length + convex_radius);
  const Vec3 axis = length > 0.0f ? span / length : Vec3(0.0f);
  float first = std::numeric_limits<float>::max(), last = std::numeric_limits<float>::lowest();
  for (const Vec3& point : points) {
    const float along = glm::dot(point - capsule.a, axis);
    first = std::min(first, along);
    last = std::max(last, along);
    // Beside the axis a corner is the diagonal of a square away, 1.4142 times the thickness.
    if (!(glm::distance(point, capsule.a + axis * along) <= 1.75f * thickness + slack)) return false;
  }
  if (length == 0.0f) return true;
  return std::abs(first + thickness) <= slack && std::abs(last - length - thickness) <= slack;
}

// Four floats each; padding at the end repeats the last, the number in its w lane included.
std::vector<Vec3> read_vertices(const FieldsView& fields) {
  const ArrayView view = fields.array("vertices");
  const std::span<const float> floats = view.numbers<float>();
  std::size_t count = floats.size() / 4;
  for (int pads = 0; pads < 3 && count > 1; ++pads) {
    if (std::memcmp(&floats[4 * (count - 1)], &floats[4 * (count - 2)], 16) != 0) break;
    --count;
  }
  std::vector<Vec3> vertices;
  for (std::size_t i = 0; i < count; ++i) vertices.push_back(vec3_of(floats.subspan(4 * i, 3)));
  return vertices;
}

// The plane of a face's corners; a plane that is never in the way if they have no area.
Vec4 plane_of(const Polytope& polytope, const PolytopeFace& face) {
  std::vector<glm::dvec3> loop;
  for (std::size_t i = 0; i < face.index_count; ++i)
    loop.emplace_back(polytope.vertices[polytope.indices[face.first_index + i]]);
  glm::dvec3 normal(0.0);
  for (std::size_t i = 2; i < loop.size(); ++i) normal += glm::cross(loop[i - 1] - loop[0], loop[i] - loop[0]);
  const double length = glm::length(normal);
  if (!(length > 0.0)) return {0.0f, 0.0f, 0.0f, std::numeric_limits<float>::lowest()};
  double farthest = std::numeric_limits<double>::lowest();
  for (const glm::dvec3& corner : loop) farthest = std::max(farthest, glm::dot(normal, corner) / length);
  return Vec4(Vec3(normal / length), static_cast<float>(-farthest));
}

ShapeMass read_mass(const FieldsView& fields) {
  const FieldsView packed = fields.record("compressedMassProperties");
  const auto vector = [&](std::string_view name) {
    geometry::PackedVector3 value;
    for (std::uint32_t i = 0; i < 3; ++i) value.mantissa[i] = static_cast<std::int16_t>(packed.integer(name, i));
    value.scale = static_cast<std::uint16_t>(packed.integer(name, 3));
    return geometry::unpack_vector(value);
  };
  geometry::PackedQuat rotation;
  for (std::uint32_t i = 0; i < 4; ++i)
    rotation.value[i] = static_cast<std::uint16_t>(packed.integer("majorAxisSpace", i));
  return {.mass = static_cast<float>(packed.real("mass")),
          .volume = static_cast<float>(packed.real("volume")),
          .center = vector("centerOfMass"),
          .inertia = vector("inertia"),
          .rotation = geometry::unpack_quat(rotation)};
}

// Which class the game finds under which key.
struct KnownProperty {
  std::int64_t key;
  std::string_view class_name;
};
constexpr std::array<KnownProperty, 2> kKnownProperties = {
    {{kMassPropertiesKey, "hknpShapeMassProperties"}, {kMaterialPropertiesKey, "hknpBSMaterialProperties"}}};

// The key that a property should have, if it has another; nothing if it is right or of a class that is not known.
std::optional<KnownProperty> right_property(std::int64_t key, std::string_view class_name) {
  for (const KnownProperty& known : kKnownProperties)
    if (class_name == known.class_name) return key == known.key ? std::nullopt : std::optional(known);
  for (const KnownProperty& known : kKnownProperties)
    if (key == known.key) return known;
  return std::nullopt;
}

// Triangles share their corners again, by equal place.
struct VertexWelder {
  MeshShape& mesh;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> buckets;

  std::uint32_t add(const Vec3& p) {
    const auto bits = [](float f) { return std::uint64_t{std::bit_cast<std::uint32_t>(f)}; };
    const std::uint64_t hash = (bits(p.x) * 0x9E3779B97F4A7C15u ^ bits(p.y)) * 0xC2B2AE3D27D4EB4Fu ^ bits(p.z);
    std::vector<std::uint32_t>& bucket = buckets[hash];
    for (const std::uint32_t i : bucket)
      if (mesh.vertices[i] == p) return i;
    bucket.push_back(static_cast<std::uint32_t>(mesh.vertices.size()));
    mesh.vertices.push_back(p);
    return bucket.back();
  }
};

}  // namespace

Result<Polytope> read_polytope(const FieldsView& fields, ObjectId id, std::size_t& missing) {
  Polytope polytope;
  polytope.vertices = read_vertices(fields);
  const ArrayView faces = fields.array("faces");
  const ArrayView planes_view = fields.array("planes");
  const std::span<const float> planes = planes_view.numbers<float>();
  const ArrayView indices_view = fields.array("indices");
  const std::span<const std::uint8_t> indices = indices_view.numbers<std::uint8_t>();
  polytope.indices.assign(indices.begin(), indices.end());
  for (std::uint32_t i = 0; i < faces.size(); ++i) {
    const FieldsView record = faces.record(i);
    PolytopeFace face;
    face.first_index = static_cast<std::uint16_t>(record.integer("firstIndex"));
    face.index_count = static_cast<std::uint8_t>(record.integer("numIndices"));
    face.min_half_angle = static_cast<std::uint8_t>(record.integer("minHalfAngle"));
    if (std::size_t{face.first_index} + face.index_count > indices.size())
      return fail(ErrorCode::Malformed, "the face's corners lie outside the index list", kNoOffset,
                  path_of(id) + ".faces[" + std::to_string(i) + "]");
    polytope.faces.push_back(face);
  }
  for (const std::uint8_t index : indices)
    if (index >= polytope.vertices.size())
      return fail(ErrorCode::Malformed,
                  "a face has vertex " + std::to_string(index) + " of " + std::to_string(polytope.vertices.size()),
                  kNoOffset, path_of(id) + ".indices");
  const std::size_t stored = std::min<std::size_t>(planes.size() / 4, faces.size());
  for (std::size_t i = 0; i < stored; ++i)
    polytope.planes.emplace_back(planes[4 * i], planes[4 * i + 1], planes[4 * i + 2], planes[4 * i + 3]);
  for (std::size_t i = stored; i < faces.size(); ++i) polytope.planes.push_back(plane_of(polytope, polytope.faces[i]));
  missing = faces.size() - stored;
  return polytope;
}

void ShapeReader::add_fault(std::string code, std::string message, ObjectId id, std::string_view member) {
  const Level level = code.starts_with("E_") ? Level::Error : Level::Warning;
  faults_.findings.push_back(
      {std::move(code), level, std::move(message), path_of(id) + "." + std::string(member), automatic_cure()});
  faults_.shapes.push_back(known_.at(id.index));
}

const Object* ShapeReader::find_property(ObjectId shape, std::string_view class_name) const {
  const ObjectId list = file_.at(shape).fields().pointer("properties");
  const Object* properties = object_as(file_, list, "hkRefCountedProperties");
  if (!properties) return nullptr;
  // The game goes by the key; a list under another one is what the author meant, and `check_properties` reports it.
  const Object* under_another_key = nullptr;
  const ArrayView entries = properties->fields().array("entries");
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    const Object* object = object_as(file_, entries.record(i).pointer("object"), class_name);
    if (!object) continue;
    if (!right_property(entries.record(i).integer("key"), class_name)) return object;
    under_another_key = object;
  }
  return under_another_key;
}

void ShapeReader::check_properties(ObjectId shape) {
  const ObjectId list = file_.at(shape).fields().pointer("properties");
  const Object* properties = object_as(file_, list, "hkRefCountedProperties");
  if (!properties) return;
  const ArrayView entries = properties->fields().array("entries");
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    const std::int64_t key = entries.record(i).integer("key");
    const ObjectId object = entries.record(i).pointer("object");
    const bool is_there = !object.is_null() && object.index < file_.objects.size();
    const std::string class_name(is_there ? file_.at(object).class_name() : std::string_view("nothing"));
    if (const auto right = right_property(key, class_name))
      add_fault("E_PROPERTY_KEY",
                "property " + hex_text(static_cast<std::uint64_t>(key), 4) + " holds " + class_name +
                    "; the game finds " + std::string(right->class_name) + " under " +
                    hex_text(static_cast<std::uint64_t>(right->key), 4),
                shape, "properties.entries[" + std::to_string(i) + "]");
  }
}

void mend_property_keys(Packfile& file, Notes& notes) {
  for (const ObjectId id : file.find_all("hkRefCountedProperties")) {
    if (!file.at(id).type) continue;  // bytes of a version of the class that is not known
    const std::uint32_t count = file.at(id).fields().view().array("entries").size();
    for (std::uint32_t i = 0; i < count; ++i) {
      const FieldsView entry = file.at(id).fields().element("entries", i);
      const ObjectId object = entry.pointer("object");
      if (object.is_null() || object.index >= file.objects.size()) continue;
      const auto right = right_property(entry.integer("key"), file.at(object).class_name());
      // A key whose class is another one may be meant for something that is not known.
      if (!right || right->class_name != file.at(object).class_name()) continue;
      file.at(id).fields().element("entries", i).set_integer("key", right->key);
      notes.push_back({"the game finds " + std::string(right->class_name) + " now", kNoOffset,
                       path_of(id) + ".entries[" + std::to_string(i) + "]"});
    }
  }
}

Result<ShapeGeometry> ShapeReader::read_hull(const FieldsView& fields, ObjectId id) {
  std::size_t missing = 0;
  MARROW_TRY(Polytope polytope, read_polytope(fields, id, missing));
  if (missing != 0)
    add_fault("E_HULL_PLANES",
              std::to_string(missing) + " of " + std::to_string(polytope.faces.size()) +
                  " faces have no plane: the game takes whatever lies behind the planes for theirs",
              id, "planes");
  return polytope;
}

// The game collides with the core and its radius; a and b only say where it came from. The core is a thin box about the
// axis: how it is turned about it, and which corner comes first, does not matter.
ShapeGeometry ShapeReader::read_capsule(const FieldsView& fields, ObjectId id) {
  CapsuleShape capsule{vec3_of(fields.floats("a")), vec3_of(fields.floats("b"))};
  const float radius = static_cast<float>(fields.real("convexRadius"));
  std::size_t missing = 0;
  const auto core = read_polytope(fields, id, missing);
  if (!core || missing != 0 || !lies_along(core->vertices, capsule, radius))
    add_fault("E_CAPSULE_CORE", "the core of the capsule does not lie along its axis", id, "vertices");
  return capsule;
}

Result<ShapeGeometry> ShapeReader::read_mesh(ObjectId id) {
  const auto in_shape = [&](Error error) {
    error.path = path_of(id) + (error.path.empty() ? "" : "." + error.path);
    return std::unexpected(std::move(error));
  };
  MARROW_TRY(const geometry::CompressedMesh stored, read_compressed_mesh(file_, id));
  MeshShape mesh;
  auto triangles = geometry::decode_compressed_mesh(stored);
  if (!triangles) return in_shape(std::move(triangles.error()));
  VertexWelder welder{mesh, {}};
  for (const geometry::MeshTriangle& triangle : *triangles)
    mesh.faces.push_back(
        {{welder.add(triangle.corners[0]), welder.add(triangle.corners[1]), welder.add(triangle.corners[2])},
         triangle.material,
         triangle.key});
  for (geometry::MeshSolid& solid : geometry::read_mesh_solids(stored, &mesh.undecoded_count))
    mesh.solids.push_back(
        {static_cast<MergedSolidKind>(solid.kind), solid.radius, std::move(solid.vertices), solid.material, solid.key});
  mesh.section_count = static_cast<std::uint32_t>(stored.sections.size());
  mesh.shared_vertex_count = static_cast<std::uint32_t>(stored.shared_vertices.size());
  for (const MeshFace& face : mesh.faces) mesh.quad_count += face.key & 1;
  if (const Object* list = find_property(id, "hknpBSMaterialProperties")) {
    const ArrayView materials = list->fields().array("MaterialA");
    for (std::uint32_t i = 0; i < materials.size(); ++i)
      mesh.materials.push_back({static_cast<std::uint32_t>(materials.record(i).integer("uiFilterInfo")),
                                static_cast<std::uint32_t>(materials.record(i).integer("uiMaterialCRC"))});
  }
  return mesh;
}

// What the model of a compound does not hold, and the writer makes anew.
void ShapeReader::check_compound(const FieldsView& fields, ObjectId id) {
  const ArrayView elements = fields.record("instances").array("elements");
  for (std::uint32_t i = 0; i < elements.size(); ++i)
    if (elements.record(i).floats("transform")[7] != 0.0f) {
      add_fault("W_INSTANCE_WORD",
                "the word at 0x1c of a child is not 0, as it is in every file of the game; no more is known of it", id,
                "instances[" + std::to_string(i) + "]");
      break;
    }
  const Object* data = object_as(file_, fields.pointer("boundingVolumeData"), "hknpDynamicCompoundShapeData");
  if (!data) return;
  const FieldsView tree = data->fields().record("aabbTree");
  const std::uint32_t count = elements.size(), nodes = tree.array("nodes").size();
  const auto wrong = [&](std::string_view member, std::int64_t right) {
    const std::int64_t value = tree.integer(member);
    if (value == right) return false;
    add_fault("E_TREE",
              std::string(member) + " of the bounding tree is " + std::to_string(value) + " instead of " +
                  std::to_string(right) + " (it has " + std::to_string(nodes) +
                  " nodes): parts of the shape are not found, or the game crashes",
              id, "boundingVolumeData." + std::string(member));
    return true;
  };
  if (count > 0 && !wrong("root", 1)) wrong("numLeaves", count);
}

Result<ShapeGeometry> ShapeReader::read_compound(const FieldsView& fields, ObjectId id, bool is_static) {
  check_compound(fields, id);
  CompoundShape compound;
  compound.is_static = is_static;
  compound.min = vec3_of(fields.record("aabb").floats("min"));
  compound.max = vec3_of(fields.record("aabb").floats("max"));
  const ArrayView elements = fields.record("instances").array("elements");
  for (std::uint32_t i = 0; i < elements.size(); ++i) {
    const FieldsView element = elements.record(i);
    const std::vector<float> transform = element.floats("transform");
    ShapeInstance instance;
    instance.frame = frame_of(transform);
    instance.flags = lane_value(transform[3]);
    instance.scale = vec3_of(element.floats("scale"));
    instance.shape_tag = static_cast<std::uint16_t>(element.integer("shapeTag"));
    instance.destruction_tag = static_cast<std::uint16_t>(element.integer("destructionTag"));
    MARROW_TRY(instance.shape, read(element.pointer("shape")));
    compound.instances.push_back(instance);
  }
  compound.nodes = read_compound_tree(file_, fields.pointer("boundingVolumeData"));
  return compound;
}

Result<ShapeGeometry> ShapeReader::read_geometry(const Object& object, ObjectId id) {
  const FieldsView fields = object.fields();
  const Class& type = *object.type;
  if (type.is_a("hknpCapsuleShape")) return read_capsule(fields, id);
  if (type.is_a("hknpConvexPolytopeShape")) return read_hull(fields, id);
  if (type.is_a("hknpSphereShape")) {
    const std::vector<Vec3> vertices = read_vertices(fields);
    if (vertices.empty()) return fail(ErrorCode::Malformed, "the sphere has no centre", kNoOffset, path_of(id));
    return BallShape{vertices.front()};
  }
  if (type.is_a("hknpCompressedMeshShape")) return read_mesh(id);
  if (type.is_a("hknpDynamicCompoundShape")) return read_compound(fields, id, false);
  if (type.is_a("hknpStaticCompoundShape")) return read_compound(fields, id, true);
  if (type.is_a("hknpScaledConvexShapeBase")) {
    ScaledShape scaled;
    scaled.scale = vec3_of(fields.floats("scale"));
    scaled.translation = vec3_of(fields.floats("translation"));
    MARROW_TRY(scaled.core, read(fields.pointer("coreShape")));
    return scaled;
  }
  return UnknownShape{type.name};
}

Result<ShapeId> ShapeReader::read(ObjectId id) {
  if (id.is_null()) return ShapeId::None;
  if (const auto found = known_.find(id.index); found != known_.end()) return found->second;
  // Its number comes before those of its children, so that a shape which contains itself ends here; `validate` tells.
  Shape shape;
  shape.source.value = id.index;
  const ShapeId number = system_.add_shape(shape);
  known_[id.index] = number;
  const Object* object = object_as(file_, id, "hknpShape");
  if (!object) {
    if (id.index >= file_.objects.size() || file_.at(id).type)
      return fail(ErrorCode::Malformed, "the object is no shape", kNoOffset, path_of(id));
    shape.geometry = UnknownShape{file_.at(id).opaque().class_name};
    *system_.find_shape(number) = std::move(shape);
    return number;
  }
  const FieldsView fields = object->fields();
  shape.flags = static_cast<std::uint16_t>(fields.integer("flags"));
  shape.key_bits = static_cast<std::uint8_t>(fields.integer("numShapeKeyBits"));
  shape.convex_radius = static_cast<float>(fields.real("convexRadius"));
  shape.material = static_cast<std::uint32_t>(fields.integer("userData"));
  check_properties(id);
  if (const Object* mass = find_property(id, "hknpShapeMassProperties")) shape.mass = read_mass(mass->fields());
  if (depth_ >= kMaxNesting)
    return fail(ErrorCode::LimitExceeded, "compounds are nested too deeply", kNoOffset, path_of(id));
  ++depth_;
  MARROW_TRY(shape.geometry, read_geometry(*object, id));
  --depth_;
  *system_.find_shape(number) = std::move(shape);
  return number;
}

}  // namespace marrow::havok
