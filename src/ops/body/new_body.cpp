// SPDX-License-Identifier: MIT
#include "ops/body/new_body.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_inverse.hpp>
#include <glm/mat3x3.hpp>

#include "core/try.h"
#include "marrow/core/text.h"
#include "nif/add_shape.h"
#include "nif/references.h"
#include "nif/shape.h"
#include "ops/body/bones.h"
#include "ops/body/changes.h"
#include "ops/body/surface.h"
#include "ops/body/transfer.h"
#include "ops/document/nif_edit.h"
#include "ops/document/origin.h"

namespace marrow {
namespace {

using DMat4 = glm::dmat4;

Result<BodyShape> shape_at(const NifFile& nif, std::int32_t block, const Limits& limits) {
  MARROW_TRY(std::vector<BodyShape> shapes, read_shapes(nif, {.limits = limits}));
  const auto found = std::ranges::find(shapes, block, &BodyShape::block);
  if (found == shapes.end()) return fail(ErrorCode::InvalidArgument, "the shape is gone");
  return std::move(*found);
}

// The shape that a mesh is made like: the one that is named, that of the same name, else the largest with a skin.
Result<const BodyShape*> model_for(const DocumentBody& mesh, const std::vector<BodyShape>& shapes,
                                   const BodyNewOptions& options) {
  const std::string& wanted = options.shape.empty() ? mesh.shape.name : options.shape;
  const BodyShape* best = nullptr;
  for (const BodyShape& shape : shapes) {
    if (shape.triangles.empty()) continue;
    if (equal_ignoring_case(shape.name, wanted)) return &shape;
    if (!best ||
        std::pair(shape.is_skinned, shape.triangles.size()) > std::pair(best->is_skinned, best->triangles.size()))
      best = &shape;
  }
  if (!options.shape.empty())
    return fail(ErrorCode::NotFound, "there is no shape '" + options.shape + "'", Cure{"body list"}, "shape");
  if (!best) return fail(ErrorCode::NotFound, "has no shape with triangles", kNoOffset, "like");
  return best;
}

// A mesh in model space, and how it is shown there.
struct PlacedMesh {
  BodyShape mesh;  // positions and normals in model space; bones by name
  bool has_weights = false;
};

PlacedMesh placed(const DocumentBody& body) {
  PlacedMesh out{.mesh = body.shape};
  BodyShape& mesh = out.mesh;
  const std::size_t count = mesh.positions.size();
  out.has_weights = mesh.is_skinned && mesh.weights.size() == count && body.joints.size() == mesh.bones.size();
  if (mesh.normals.size() != count) mesh.normals = smooth_normals_of(mesh.triangles, mesh.positions);
  const auto move = [&](const DMat4& matrix, std::size_t i) {
    mesh.positions[i] = Vec3(matrix * glm::dvec4(glm::dvec3(mesh.positions[i]), 1.0));
    const glm::dvec3 normal = glm::dmat3(matrix) * glm::dvec3(mesh.normals[i]);
    if (const double length = glm::length(normal); length > 0.0) mesh.normals[i] = Vec3(normal / length);
  };
  if (!out.has_weights) {
    mesh.weights.clear();
    for (std::size_t i = 0; i < count; ++i) move(DMat4(body.place), i);
    if (glm::determinant(glm::dmat3(body.place)) < 0.0)
      for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    return out;
  }
  for (std::size_t i = 0; i < count; ++i) {
    DMat4 sum(0.0);
    double total = 0.0;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto weight = static_cast<double>(mesh.weights[i].weights[k]);
      const std::size_t bone = mesh.weights[i].bones[k];
      if (!(weight > 0.0) || bone >= body.joints.size()) continue;
      sum += weight * (DMat4(body.joints[bone]) * DMat4(body.inverse_binds[bone]));
      total += weight;
    }
    if (total > 0.0) move(sum / total, i);
  }
  return out;
}

// The shapes of a body where they stand on the skeleton.
WeightedSurface surface_of(const std::vector<BodyShape>& shapes, const BonePlaces& places) {
  WeightedSurface surface;
  for (const BodyShape& shape : shapes) {
    if (!shape.is_skinned || shape.weights.size() != shape.positions.size()) continue;
    const std::optional<Mat4> to_model = skin_to_model(shape, places);
    if (!to_model) continue;
    std::vector<Vec3> positions;
    for (const Vec3& position : shape.positions) positions.emplace_back(*to_model * Vec4(position, 1.0f));
    surface.add(shape, positions);
  }
  surface.build();
  return surface;
}

// Gives a mesh the weights of the surface below it. Weights that it has are compared with them.
void transfer(const WeightedSurface& surface, PlacedMesh& placed, NewShape& report) {
  BodyShape& mesh = placed.mesh;
  const std::vector<VertexWeights> own = placed.has_weights ? mesh.weights : std::vector<VertexWeights>();
  const std::vector<BodyBone> own_bones = mesh.bones;
  mesh.weights.assign(mesh.positions.size(), {});
  mesh.bones.clear();
  for (const std::string& name : surface.bones()) mesh.bones.push_back({.name = name, .bind = {}});
  double sum = 0.0, worst = 0.0;
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const SurfacePoint point = surface.at(mesh.positions[i], mesh.normals[i]);
    for (std::size_t k = 0; k < point.weights.size(); ++k) {
      mesh.weights[i].bones[k] = static_cast<std::uint16_t>(point.weights[k].first);
      mesh.weights[i].weights[k] = point.weights[k].second;
    }
    report.farthest = std::max(report.farthest, static_cast<double>(point.distance));
    report.faces_away += !point.agrees;
    if (own.empty()) continue;
    NamedWeights before;
    for (std::size_t k = 0; k < 4; ++k) {
      if (!(own[i].weights[k] > 0.0f) || own[i].bones[k] >= own_bones.size()) continue;
      const auto same = std::ranges::find_if(surface.bones(), [&](const std::string& name) {
        return equal_ignoring_case(name, own_bones[own[i].bones[k]].name);
      });
      before.emplace_back(static_cast<std::uint32_t>(same - surface.bones().begin()), own[i].weights[k]);
    }
    const double difference = weight_difference(strongest_four(std::move(before)), point.weights);
    sum += difference;
    worst = std::max(worst, difference);
  }
  report.is_transferred = true;
  if (!own.empty()) {
    report.mean_difference = sum / static_cast<double>(own.size());
    report.worst_difference = worst;
  }
  placed.has_weights = true;
}

// Brings a mesh from the model into the space of the shape, with weights that name its joints.
Result<EditedMesh> into_shape(PlacedMesh placed, const BodyShape& shape, const Joints& joints,
                              const BonePlaces& places) {
  BodyShape& mesh = placed.mesh;
  if (!shape.is_skinned) {
    mesh.weights.clear();
    const DMat4 back = glm::inverse(DMat4(matrix_of(shape.world)));
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
      mesh.positions[i] = Vec3(back * glm::dvec4(glm::dvec3(mesh.positions[i]), 1.0));
      mesh.normals[i] = Vec3(glm::normalize(glm::dmat3(back) * glm::dvec3(mesh.normals[i])));
    }
    return EditedMesh{.mesh = std::move(mesh), .is_exact = true};
  }
  const std::optional<Mat4> any = skin_to_model(shape, places);
  if (!any)
    return fail(ErrorCode::NeedsSkeleton, "the skeleton has no bone of the shape", kNoOffset,
                "shape '" + shape.name + "'");
  std::vector<int> joint_of;
  std::vector<DMat4> to_model;
  for (const BodyBone& bone : mesh.bones) {
    int found = -1;
    for (std::size_t i = 0; i < joints.bone_of.size() && found < 0; ++i)
      if (equal_ignoring_case(shape.bones[joints.bone_of[i]].name, bone.name)) found = static_cast<int>(i);
    joint_of.push_back(found);
    const Transform* place = found < 0 ? nullptr : places.find(bone.name);
    to_model.push_back(place ? DMat4(matrix_of(*place)) *
                                   DMat4(matrix_of(shape.bones[joints.bone_of[static_cast<std::size_t>(found)]].bind))
                             : DMat4(*any));
  }
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    DMat4 sum(0.0);
    double total = 0.0;
    VertexWeights& weights = mesh.weights[i];
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t bone = weights.bones[k];
      if (!(weights.weights[k] > 0.0f) || bone >= joint_of.size() || joint_of[bone] < 0) {
        weights.weights[k] = 0.0f;
        weights.bones[k] = 0;
        continue;
      }
      sum += static_cast<double>(weights.weights[k]) * to_model[bone];
      total += static_cast<double>(weights.weights[k]);
      weights.bones[k] = static_cast<std::uint16_t>(joint_of[bone]);
    }
    const DMat4 shown = total > 0.0 ? sum / total : DMat4(*any);
    if (std::abs(glm::determinant(shown)) < 1e-12) continue;
    const DMat4 back = glm::inverse(shown);
    mesh.positions[i] = Vec3(back * glm::dvec4(glm::dvec3(mesh.positions[i]), 1.0));
    const glm::dvec3 normal = glm::dmat3(back) * glm::dvec3(mesh.normals[i]);
    if (const double length = glm::length(normal); length > 0.0) mesh.normals[i] = Vec3(normal / length);
  }
  return EditedMesh{.mesh = std::move(mesh), .is_exact = true};
}

// Takes away what no mesh was made of.
Result<void> drop_unused(NifFile& nif, const std::vector<BodyShape>& shapes, const std::vector<std::int32_t>& used,
                         Context& context) {
  bool any = false;
  for (const BodyShape& shape : shapes)
    if (std::ranges::find(used, shape.block) == used.end()) {
      MARROW_CHECK(detach_shape(nif, shape.block));
      any = true;
    }
  if (!any) return {};
  const std::vector<std::int32_t> orphans = orphaned_blocks(nif);
  if (orphans.empty() || !remove_blocks(nif, orphans))
    context.note("blocks of shapes that are not used stay in the file, since not all of its references are known");
  return {};
}

/// Makes shapes one after another in a copy of the NIF.
class Maker {
 public:
  Maker(NifFile nif, const BodyNewOptions& options, const BonePlaces& places, Context& context)
      : nif_(std::move(nif)), options_(options), places_(places), context_(context) {}

  Result<BodyNewReport> run(const std::vector<DocumentBody>& meshes) {
    MARROW_TRY(const std::vector<BodyShape> shapes, read_shapes(nif_, {.limits = context_.limits}));
    std::vector<BodyShape> below = shapes;
    if (options_.body && options_.body->nif()) {
      MARROW_TRY(below, read_shapes(*options_.body->nif(), {.limits = context_.limits}));
    }
    surface_ = surface_of(below, places_);
    // All copies first: a shape that was edited is no longer like the other.
    std::vector<std::int32_t> blocks;
    std::vector<const BodyShape*> models;
    for (const DocumentBody& mesh : meshes) {
      MARROW_TRY(const BodyShape* model, model_for(mesh, shapes, options_));
      models.push_back(model);
      std::int32_t block = model->block;
      if (std::ranges::find(blocks, block) != blocks.end()) {
        MARROW_TRY(block, copy_shape(nif_, model->block));
      }
      blocks.push_back(block);
    }
    BodyNewReport report;
    for (std::size_t i = 0; i < meshes.size(); ++i) {
      MARROW_TRY(NewShape made, make(meshes[i], blocks[i]));
      made.like = models[i]->name;
      report.shapes.push_back(std::move(made));
    }
    MARROW_CHECK(drop_unused(nif_, shapes, blocks, context_));
    return report;
  }

  NifFile take() { return std::move(nif_); }

 private:
  Result<NewShape> make(const DocumentBody& body, std::int32_t block) {
    NewShape report{.name = body.shape.name};
    const std::string where = "mesh '" + body.shape.name + "'";
    MARROW_TRY(BodyShape shape, shape_at(nif_, block, context_.limits));
    PlacedMesh mesh = placed(body);
    if (shape.is_skinned && (!mesh.has_weights || options_.transfer)) {
      if (surface_.empty())
        return fail(ErrorCode::NeedsSkeleton, "no bone of the body stands on the skeleton, so no weights are known",
                    kNoOffset, where);
      transfer(surface_, mesh, report);
    }
    if (shape.is_skinned) {
      report.added_bones = missing_bones(mesh.mesh, shape);
      MARROW_CHECK(add_bones(nif_, shape, report.added_bones, places_));
      MARROW_TRY(shape, shape_at(nif_, block, context_.limits));
    }
    if (mesh.mesh.uvs.size() != mesh.mesh.positions.size() && !shape.uvs.empty())
      context_.note("has no UVs; each vertex takes those of the nearest old one", where);
    const Joints joints(shape);
    MARROW_TRY(const EditedMesh edited, into_shape(std::move(mesh), shape, joints, places_));
    MARROW_TRY(const std::vector<std::uint32_t> groups, triangle_groups(nif_, shape));
    ShapeChange change{.name = body.shape.name, .block = block};
    MARROW_TRY(const ShapeEdit edit, find_changes(shape, edited, joints, groups, change));
    MARROW_CHECK(edit_shape(nif_, shape, edit, &report.worst_rounding));
    if (!body.shape.name.empty()) MARROW_CHECK(set_object_name(nif_, block, body.shape.name));
    report.vertices = edit.vertices.size();
    report.triangles = edit.triangles.size();
    return report;
  }

  NifFile nif_;
  const BodyNewOptions& options_;
  const BonePlaces& places_;
  Context& context_;
  WeightedSurface surface_;
};

}  // namespace

void describe(FieldList& fields, BodyNewOptions& options) {
  fields.input("like", options.like,
               {.help = "the NIF that shaders, textures and partitions are taken from",
                .placeholder = "NIF",
                .required = true,
                .parts = Parts::Bodies});
  fields.input("body", options.body,
               {.help = "the NIF whose weights a mesh without a skin gets",
                .placeholder = "NIF",
                .otherwise = "the one it is made like",
                .parts = Parts::Bodies});
  fields.input("skeleton", options.skeletons,
               {.help = "the skeleton that the body stands on: .hkx, .nif or both",
                .placeholder = "FILE",
                .otherwise = "the nodes of the NIF"});
  fields("shape", options.shape,
         {.help = "the shape to be made like",
          .placeholder = "NAME",
          .otherwise = "the one with the mesh's name, else the largest"});
  fields("transfer", options.transfer, {.help = "transfer weights even if the mesh has a skin, and compare the two"});
}

void describe(FieldList& fields, NewShape& shape) {
  fields("name", shape.name);
  fields("like", shape.like, {.help = "the shape that it is made like"});
  fields("vertices", shape.vertices);
  fields("triangles", shape.triangles);
  fields("added_bones", shape.added_bones, {.help = "bones that the skin did not have"});
  fields("transferred", shape.is_transferred, {.help = "true if weights are those of the nearest surface"});
  fields("farthest", shape.farthest, {.help = "largest distance to that surface", .unit = "units"});
  fields("faces_away", shape.faces_away, {.help = "vertices whose nearest surface faces another way"});
  fields(
      "mean_difference", shape.mean_difference,
      {.help = "of transferred weights to those of the mesh's own skin: 0 none, 1 nothing in common", .sparse = true});
  fields("worst_difference", shape.worst_difference, {.help = "the largest of them", .sparse = true});
  fields("worst_rounding", shape.worst_rounding,
         {.help = "largest distance that a position is off by because of the format", .unit = "units"});
}

void describe(FieldList& fields, BodyNewReport& report) { fields("shapes", report.shapes); }

Result<BodyNewReport> new_body(Document& document, const BodyNewOptions& options, Context& context) {
  if (!options.like || !options.like->nif())
    return fail(ErrorCode::WrongKind, "a body is made like one of a NIF file", kNoOffset, "like");
  if (options.body && !options.body->nif())
    return fail(ErrorCode::WrongKind, "weights are taken from a NIF file", kNoOffset, "body");
  if (document.bodies.empty() && !document.meshes.empty())
    return fail(ErrorCode::InvalidArgument,
                "the glTF file was read without the skins of its meshes; give the file itself", kNoOffset, "mesh");
  std::vector<DocumentBody> meshes;
  for (const DocumentBody& body : document.bodies)
    if (!body.shape.triangles.empty()) meshes.push_back(body);
  if (meshes.empty()) return fail(ErrorCode::NotFound, "the file has no mesh with triangles");
  if (document.nif()) return fail(ErrorCode::WrongKind, "a new body is made of a glTF file");
  const BonePlaces places =
      options.skeletons.empty() ? BonePlaces(*options.like->nif()) : BonePlaces(options.skeletons, options.like->game);
  MARROW_TRY(NifFile nif, nif_as_saved(*options.like, context));
  Maker maker(std::move(nif), options, places, context);
  MARROW_TRY(BodyNewReport report, maker.run(meshes));
  std::string name = std::move(document.name);
  document = *options.like;
  document.name = std::move(name);
  forget_parts(document, Parts::Bodies);
  MARROW_CHECK(take_container(document, maker.take(), context));
  return report;
}

}  // namespace marrow
