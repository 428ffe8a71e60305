// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/try.h"
#include "geometry/mesh/compressed_mesh.h"
#include "geometry/solids/mass.h"
#include "geometry/solids/mesh_solids.h"
#include "havok/physics/fields.h"
#include "havok/physics/measure.h"
#include "havok/physics/mesh.h"
#include "havok/physics/shapes.h"

namespace marrow::havok {
namespace {

// What the game's own shapes of a kind hold in their header.
struct KindDefaults {
  std::string_view class_name;
  std::uint16_t flags;
  std::uint8_t dispatch;  ///< 1 convex, 2 composite
  std::uint32_t size;     ///< of the object on disk, where it does not depend on the data
};
constexpr std::array<KindDefaults, 6> kKinds = {{
    {"hknpConvexPolytopeShape", 0x0143, 1, 0},
    {"hknpSphereShape", 0x0111, 1, 0x80},
    {"hknpCapsuleShape", 0x01C3, 1, 0x1B0},
    {"hknpCompressedMeshShape", 0x0204, 2, 0x90},
    {"hknpDynamicCompoundShape", 0x0004, 2, 0xD0},
    {"hknpScaledConvexShape", 0x0043, 1, 0x70},
}};
constexpr std::size_t kUnknown = kKinds.size();

std::string_view class_of(const Shape& shape) {
  const auto* compound = std::get_if<CompoundShape>(&shape.geometry);
  return compound && compound->is_static ? "hknpStaticCompoundShape" : kKinds[shape.geometry.index()].class_name;
}
// Behind the shapes of Fallout 4 come the unknown one and those that only Skyrim has.
static_assert(std::is_same_v<std::variant_alternative_t<kUnknown, ShapeGeometry>, UnknownShape>);

// Offsets of inline arrays are 16 bits.
constexpr std::size_t kLargestPolytope = 0xFFFF;

std::size_t align16(std::size_t size) { return (size + 15) & ~std::size_t{15}; }
std::size_t padded4(std::size_t count) { return (count + 3) & ~std::size_t{3}; }

std::size_t size_of(const Polytope& p) {
  const std::size_t header = 0x50, vectors = padded4(p.vertices.size()) + padded4(p.planes.size());
  return align16(align16(header + 16 * vectors + 4 * p.faces.size()) + p.indices.size());
}

// Four floats per vertex, its number in w, padded with copies of the last.
std::vector<float> vertex_floats(std::span<const Vec3> vertices) {
  std::vector<float> floats;
  for (std::size_t i = 0; i < padded4(vertices.size()); ++i) {
    const std::size_t at = std::min(i, vertices.size() - 1);
    const Vec3& v = vertices[at];
    floats.insert(floats.end(), {v.x, v.y, v.z, lane_of(static_cast<std::uint32_t>(at))});
  }
  return floats;
}

std::vector<float> plane_floats(std::span<const Vec4> planes) {
  constexpr float kNever = std::bit_cast<float>(0xFF7FFFEEu);
  std::vector<float> floats;
  for (const Vec4& p : planes) floats.insert(floats.end(), {p.x, p.y, p.z, p.w});
  while (floats.size() < 4 * padded4(planes.size())) floats.insert(floats.end(), {0.0f, 0.0f, 0.0f, kNever});
  return floats;
}

void write_polytope(const Polytope& polytope, Fields fields) {
  fields.set_numbers<float>("vertices", vertex_floats(polytope.vertices));
  fields.set_numbers<float>("planes", plane_floats(polytope.planes));
  fields.reset_array("faces", static_cast<std::uint32_t>(polytope.faces.size()));
  for (std::uint32_t i = 0; i < polytope.faces.size(); ++i) {
    Fields face = fields.element("faces", i);
    face.set_integer("firstIndex", polytope.faces[i].first_index);
    face.set_integer("numIndices", polytope.faces[i].index_count);
    face.set_integer("minHalfAngle", polytope.faces[i].min_half_angle);
  }
  fields.set_numbers<std::uint8_t>("indices", polytope.indices);
}

bool is_finite(const ShapeMass& mass) {
  const Vec3 &center = mass.center, &inertia = mass.inertia;
  const Quat& turn = mass.rotation;
  const float packed[] = {center.x,  center.y, center.z, inertia.x, inertia.y,
                          inertia.z, turn.x,   turn.y,   turn.z,    turn.w};
  return std::ranges::all_of(packed, [](float number) { return std::isfinite(number); });
}

void write_mass(const ShapeMass& mass, Fields fields) {
  Fields packed = fields.record("compressedMassProperties");
  const auto put = [&](std::string_view name, const Vec3& value) {
    const geometry::PackedVector3 p = geometry::pack_vector(value);
    for (std::uint32_t i = 0; i < 3; ++i) packed.set_integer(name, p.mantissa[i], i);
    packed.set_integer(name, p.scale, 3);
  };
  put("centerOfMass", mass.center);
  put("inertia", mass.inertia);
  const geometry::PackedQuat rotation = geometry::pack_quat(mass.rotation);
  for (std::uint32_t i = 0; i < 4; ++i) packed.set_integer("majorAxisSpace", rotation.value[i], i);
  packed.set_real("mass", static_cast<double>(mass.mass));
  packed.set_real("volume", static_cast<double>(mass.volume));
}

// The properties of a shape by key; setting the object of a key adds it, a null one takes it away.
void set_property(Packfile& file, ObjectId shape, std::int64_t key, ObjectId object) {
  ObjectId list = file.at(shape).fields().view().pointer("properties");
  std::vector<std::pair<std::int64_t, ObjectId>> entries;
  if (const Object* properties = object_as(file, list, "hkRefCountedProperties")) {
    const ArrayView view = properties->fields().array("entries");
    for (std::uint32_t i = 0; i < view.size(); ++i)
      entries.emplace_back(view.record(i).integer("key"), view.record(i).pointer("object"));
  }
  std::erase_if(entries, [&](const auto& entry) { return entry.first == key; });
  if (!object.is_null()) entries.emplace_back(key, object);
  if (entries.empty()) return file.at(shape).fields().set_pointer("properties", {});
  if (!object_as(file, list, "hkRefCountedProperties")) {
    list = file.add("hkRefCountedProperties");
    file.at(shape).fields().set_pointer("properties", list);
  }
  Fields fields = file.at(list).fields();
  fields.reset_array("entries", static_cast<std::uint32_t>(entries.size()));
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    fields.element("entries", i).set_pointer("object", entries[i].second);
    fields.element("entries", i).set_integer("key", entries[i].first);
  }
}

void write_materials(const MeshShape& mesh, Packfile& file, ObjectId shape) {
  const ObjectId list = file.add("hknpBSMaterialProperties");
  Fields fields = file.at(list).fields();
  fields.reset_array("MaterialA", static_cast<std::uint32_t>(mesh.materials.size()));
  for (std::uint32_t i = 0; i < mesh.materials.size(); ++i) {
    fields.element("MaterialA", i).set_integer("uiFilterInfo", mesh.materials[i].filter);
    fields.element("MaterialA", i).set_integer("uiMaterialCRC", mesh.materials[i].crc);
  }
  set_property(file, shape, kMaterialPropertiesKey, list);
}

Result<void> write_triangles(const MeshShape& mesh, Packfile& file, ObjectId shape, Notes* notes) {
  if (mesh.undecoded_count != 0)
    return fail(
        ErrorCode::Unrepresentable,
        "the mesh holds merged solids that are not understood and cannot be written anew; edit one without them");
  std::vector<geometry::MeshSolid> solids;
  for (const MergedSolid& solid : mesh.solids)
    solids.push_back(
        {static_cast<geometry::MeshSolidKind>(solid.kind), solid.radius, solid.vertices, solid.material, 0});
  geometry::MeshBuildOptions options;
  for (const geometry::MeshSolid& solid : solids) geometry::include(options.bounds, geometry::bounds_of(solid));
  geometry::TriangleMesh triangles;
  triangles.vertices = mesh.vertices;
  for (const MeshFace& face : mesh.faces) {
    triangles.triangles.push_back(face.corners);
    triangles.materials.push_back(face.material);
  }
  geometry::MeshBuildReport report;
  geometry::CompressedMesh compressed;
  if (!triangles.triangles.empty() || solids.empty()) {
    MARROW_TRY(compressed, geometry::build_compressed_mesh(triangles, options, &report));
  }
  MARROW_CHECK(geometry::add_mesh_solids(compressed, solids));
  const auto note = [&](std::uint32_t count, std::string_view what) {
    if (notes && count != 0) notes->push_back({std::to_string(count) + " " + std::string(what), kNoOffset, {}});
  };
  note(report.degenerate_triangles, "triangles without area were left out");
  note(report.collapsed_triangles, "triangles too thin for the mesh's precision were left out");
  note(report.pages > 1 ? report.pages : 0, "pages of shared vertices: no file of the game has more than one");
  write_compressed_mesh(compressed, file, shape);
  return {};
}

/// Writes the shapes of one system; knows which object each shape has.
class ShapeWriter {
 public:
  ShapeWriter(const CollisionSystem& system, const CollisionSystem& original, Packfile& file, Notes* notes)
      : system_(system), original_(original), file_(file), notes_(notes) {}

  Result<std::vector<ObjectId>> write() {
    assign_objects();
    for (std::size_t i = 0; i < system_.shapes.size(); ++i) {
      auto written = write_one(i);
      if (!written) {
        if (written.error().path.empty()) written.error().path = "shapes[" + std::to_string(i) + "]";
        return std::unexpected(std::move(written.error()));
      }
    }
    return objects_;
  }

 private:
  // A shape that was read keeps its object, unless another shape has claimed it; the others get new ones.
  void assign_objects() {
    std::unordered_map<std::uint32_t, const Shape*> sources;
    for (const Shape& shape : original_.shapes) sources[shape.source.value] = &shape;
    for (const Shape& shape : system_.shapes) {
      const std::size_t kind = shape.geometry.index();
      const auto found = sources.find(shape.source.value);
      const Shape* original = shape.source.is_set() && found != sources.end() ? found->second : nullptr;
      if (original) sources.erase(found);
      originals_.push_back(original);
      if (original)
        objects_.push_back({shape.source.value});
      else
        objects_.push_back(kind >= kUnknown ? ObjectId{} : file_.add(class_of(shape)));
    }
  }

  bool same_children(const Shape& shape) const {
    const auto same = [&](ShapeId id) {
      const Shape* before = original_.find_shape(id);
      return id == ShapeId::None ||
             (before && before->source.value == objects_[static_cast<std::size_t>(id)].index && !geometry_changed(id));
    };
    if (const auto* compound = std::get_if<CompoundShape>(&shape.geometry))
      return std::ranges::all_of(compound->instances, same, &ShapeInstance::shape);
    if (const auto* scaled = std::get_if<ScaledShape>(&shape.geometry)) return same(scaled->core);
    return true;
  }

  bool geometry_changed(ShapeId id) const {
    const auto i = static_cast<std::size_t>(id);
    const Shape& shape = system_.shapes[i];
    const Shape* original = originals_[i];
    return !original || original->geometry != shape.geometry || original->convex_radius != shape.convex_radius ||
           !same_children(shape);
  }

  Result<void> write_one(std::size_t i) {
    const Shape& shape = system_.shapes[i];
    const Shape* original = originals_[i];
    const std::size_t kind = shape.geometry.index();
    if (kind >= kUnknown) {
      if (!original || original->geometry != shape.geometry)
        return fail(ErrorCode::Unrepresentable, "a shape of an unknown class cannot be made");
      return {};
    }
    const bool geometry_differs = geometry_changed(static_cast<ShapeId>(i));
    if (original && *original == shape && !geometry_differs) return {};
    if (geometry_differs) make_object(i);
    write_header(shape, objects_[i]);
    if (!original || original->mass != shape.mass) MARROW_CHECK(put_mass(shape, objects_[i]));
    return geometry_differs ? write_geometry(i) : Result<void>{};
  }

  // The object's class follows the shape's kind; a new kind starts from nothing, in the same place.
  void make_object(std::size_t i) {
    const KindDefaults& kind = kKinds[system_.shapes[i].geometry.index()];
    Object& object = file_.at(objects_[i]);
    const std::string_view class_name = class_of(system_.shapes[i]);
    if (!object.type || object.type->name != class_name) {
      const Class* type = file_.schema->find(class_name);
      object = Object(*type);
      originals_[i] = nullptr;
    }
    if (kind.dispatch != 2 || originals_[i]) return;
    object.fields().record("edgeWeldingMap").set_integer("secondaryKeyMask", 0xFFFFFFFF);
    object.fields().set_integer("shapeTagCodecInfo", 0xFFFFFFFF);
  }

  void write_header(const Shape& shape, ObjectId id) {
    const KindDefaults& kind = kKinds[shape.geometry.index()];
    Fields fields = file_.at(id).fields();
    fields.set_integer("flags", shape.flags != 0 ? shape.flags : kind.flags);
    fields.set_integer("numShapeKeyBits", shape.key_bits);
    fields.set_integer("dispatchType", kind.dispatch);
    fields.set_real("convexRadius", static_cast<double>(shape.convex_radius));
    if (static_cast<std::uint32_t>(fields.view().integer("userData")) != shape.material)
      fields.set_integer("userData", shape.material);
  }

  Result<void> put_mass(const Shape& shape, ObjectId id) {
    ObjectId object;
    if (shape.mass) {
      if (!is_finite(*shape.mass))
        return fail(ErrorCode::Unrepresentable, "the mass properties of a shape are no numbers; rebuild the shape");
      object = file_.add("hknpShapeMassProperties");
      write_mass(*shape.mass, file_.at(object).fields());
    }
    set_property(file_, id, kMassPropertiesKey, object);
    return {};
  }

  Result<void> write_geometry(std::size_t i) {
    const Shape& shape = system_.shapes[i];
    const ObjectId id = objects_[i];
    if (const auto* polytope = std::get_if<Polytope>(&shape.geometry)) {
      if (polytope->vertices.empty() || polytope->vertices.size() > geometry::kMaxHullVertices ||
          size_of(*polytope) > kLargestPolytope)
        return fail(ErrorCode::Unrepresentable, "a polytope holds 1 to 252 vertices and less than 64 KiB");
      write_polytope(*polytope, file_.at(id).fields());
      return {};
    }
    if (const auto* ball = std::get_if<BallShape>(&shape.geometry)) {
      const std::array<Vec3, 1> center = {ball->center};
      file_.at(id).fields().set_numbers<float>("vertices", vertex_floats(center));
      return {};
    }
    if (const auto* capsule = std::get_if<CapsuleShape>(&shape.geometry)) {
      const Shape core = shape_of(*hull_of(shape));
      Fields fields = file_.at(id).fields();
      write_polytope(std::get<Polytope>(core.geometry), fields);
      fields.set_floats("a", std::array{capsule->a.x, capsule->a.y, capsule->a.z, 1.0f});
      fields.set_floats("b", std::array{capsule->b.x, capsule->b.y, capsule->b.z, 1.0f});
      return {};
    }
    if (std::holds_alternative<MeshShape>(shape.geometry)) return write_mesh(i);
    if (std::holds_alternative<CompoundShape>(shape.geometry)) return write_compound(i);
    const auto& scaled = std::get<ScaledShape>(shape.geometry);
    Fields fields = file_.at(id).fields();
    fields.set_pointer("coreShape", object_of(scaled.core));
    fields.set_integer("coreShapeSize", size_of_shape(scaled.core, 0));
    fields.set_floats("scale", std::array{scaled.scale.x, scaled.scale.y, scaled.scale.z, 1.0f});
    fields.set_floats("translation",
                      std::array{scaled.translation.x, scaled.translation.y, scaled.translation.z, 0.0f});
    return {};
  }

  Result<void> write_mesh(std::size_t i) {
    const auto& mesh = std::get<MeshShape>(system_.shapes[i].geometry);
    const auto* before = originals_[i] ? std::get_if<MeshShape>(&originals_[i]->geometry) : nullptr;
    if (!before || before->vertices != mesh.vertices || before->faces != mesh.faces || before->solids != mesh.solids)
      MARROW_CHECK(write_triangles(mesh, file_, objects_[i], notes_));
    if (!before || before->materials != mesh.materials) write_materials(mesh, file_, objects_[i]);
    return {};
  }

  ObjectId object_of(ShapeId id) const {
    return id == ShapeId::None ? ObjectId{} : objects_[static_cast<std::size_t>(id)];
  }

  // The bytes that a shape's object takes, which instances repeat; `otherwise` for classes that are not understood.
  std::uint32_t size_of_shape(ShapeId id, std::uint32_t otherwise) const {
    const Shape* shape = system_.find_shape(id);
    if (!shape || shape->geometry.index() >= kUnknown) return otherwise;
    if (const auto* polytope = std::get_if<Polytope>(&shape->geometry))
      return static_cast<std::uint32_t>(size_of(*polytope));
    return kKinds[shape->geometry.index()].size;
  }

  Result<void> write_compound(std::size_t i) {
    CompoundShape compound = std::get<CompoundShape>(system_.shapes[i].geometry);
    const ObjectId id = objects_[i];
    const bool tree_fits = compound.nodes.size() == 2 * compound.instances.size() + 1;
    const bool children_changed = originals_[i] && !same_children(system_.shapes[i]);
    // Boxes that were decoded from a static tree have grown; they are not coded once more.
    if (!tree_fits || children_changed || compound.is_static) MARROW_CHECK(build_tree(system_, compound));
    Fields fields = file_.at(id).fields();
    fields.set_integer("numShapeKeyBits", static_cast<std::int64_t>(std::bit_width(compound.instances.size())));
    fields.set_integer("isMutable", compound.is_static ? 0 : 1);
    fields.record("aabb").set_floats("min", std::array{compound.min.x, compound.min.y, compound.min.z, lane_of(1)});
    fields.record("aabb").set_floats("max", std::array{compound.max.x, compound.max.y, compound.max.z, 0.0f});
    ObjectId data = fields.view().pointer("boundingVolumeData");
    const std::vector<std::uint32_t> leaves = write_compound_tree(compound, file_, data);
    file_.at(id).fields().set_pointer("boundingVolumeData", data);
    write_instances(compound, leaves, file_.at(id).fields().record("instances"));
    return {};
  }

  void write_instances(const CompoundShape& compound, std::span<const std::uint32_t> leaf_of, Fields list) {
    const ArrayView view = list.view().array("elements");
    const Array before = view.storage();
    const ArrayView old(view.element(), before);
    list.reset_array("elements", static_cast<std::uint32_t>(compound.instances.size()));
    list.set_integer("firstFree", -1);
    for (std::uint32_t i = 0; i < compound.instances.size(); ++i) {
      const ShapeInstance& instance = compound.instances[i];
      const std::uint32_t old_size = i < old.size() ? lane_value(old.record(i).floats("transform")[11]) : 0;
      Fields element = list.element("elements", i);
      std::array<float, 16> transform{};
      put_frame(instance.frame, transform);
      transform[3] = lane_of(flags_of(instance));
      transform[7] = 0.0f;  // unlike the other lanes: no file of the game has anything else here
      transform[11] = lane_of(size_of_shape(instance.shape, old_size));
      transform[15] = lane_of(leaf_of[i]);
      element.set_floats("transform", transform);
      element.set_floats("scale", std::array{instance.scale.x, instance.scale.y, instance.scale.z, 1.0f});
      element.set_pointer("shape", object_of(instance.shape));
      element.set_integer("shapeTag", instance.shape_tag);
      element.set_integer("destructionTag", instance.destruction_tag);
    }
  }

  static std::uint32_t flags_of(const ShapeInstance& instance) {
    constexpr std::uint32_t kTranslated = 2, kRotated = 4, kScaled = 8;
    std::uint32_t flags = instance.flags & ~(kTranslated | kRotated | kScaled);
    if (instance.frame.translation != Vec3(0.0f)) flags |= kTranslated;
    if (instance.frame.rotation != glm::mat3(1.0f)) flags |= kRotated | kTranslated;
    if (instance.scale != Vec3(1.0f)) flags |= kScaled;
    return flags;
  }

  const CollisionSystem& system_;
  const CollisionSystem& original_;
  Packfile& file_;
  Notes* notes_;
  std::vector<const Shape*> originals_;  ///< what each shape was, where it was in the file
  std::vector<ObjectId> objects_;
};

}  // namespace

Result<std::vector<ObjectId>> write_shapes(const CollisionSystem& system, const CollisionSystem& original,
                                           Packfile& file, Notes* notes) {
  return ShapeWriter(system, original, file, notes).write();
}

}  // namespace marrow::havok
