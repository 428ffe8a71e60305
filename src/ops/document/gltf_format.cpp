// SPDX-License-Identifier: MIT
// Load and save of glTF. Marrow's record in the file holds what glTF cannot express.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "anvil/xml.h"
#include "core/try.h"
#include "exchange/gltf/read.h"
#include "exchange/gltf/write.h"
#include "havok/animation/animation.h"
#include "marrow/core/byte_reader.h"
#include "marrow/model/collision_names.h"
#include "ops/clip/fit.h"
#include "ops/collision/joint_shapes.h"
#include "ops/collision/mesh.h"
#include "ops/collision/record.h"
#include "ops/document/anvil_format.h"
#include "ops/document/format_rows.h"
#include "ops/document/origin.h"
#include "ops/pair/rigs.h"

namespace marrow {
namespace {

Result<void> load_kept_anvil(const gltf::Armature& armature, std::optional<anvil::Skeleton>& kept, Context& context) {
  auto skeleton = anvil::read_xml(as_bytes(armature.anvil), bone_names(context), context.limits);
  if (!skeleton)  // the error's offset is relative to the text, not to the file
    return fail(skeleton.error().code, "the skeleton in Marrow's record is damaged: " + skeleton.error().message,
                kNoOffset, skeleton.error().path);
  kept = std::move(*skeleton);
  return {};
}

// Takes the motion as it was stored out of the file that the record keeps. A damaged file is dropped: the frames are in
// the animation in any case.
void take_kept_file(gltf::NamedClip& clip, Context& context) {
  const auto file = havok::read_packfile(clip.file, {.limits = context.limits});
  const auto animations = file ? havok::find_animations(*file) : std::vector<havok::ObjectId>{};
  if (animations.size() != 1) {
    clip.file.clear();
    context.note("the file in Marrow's record is damaged and is not used", "clip \"" + clip.name + "\"");
    return;
  }
  if (const auto spline = havok::spline_data(*file, animations.front())) clip.spline = codec::stored(*spline);
}

using Materials = std::unordered_map<std::string, std::uint16_t>;

Result<void> add_mesh(gltf::Mesh mesh, Materials& materials, Document& document) {
  const auto [material, is_new] =
      materials.try_emplace(mesh.material, static_cast<std::uint16_t>(document.materials.size()));
  if (is_new) {
    if (document.materials.size() > UINT16_MAX) return fail(ErrorCode::LimitExceeded, "more than 65536 materials");
    document.materials.push_back(mesh.material);
  }
  DocumentMesh out{.name = std::move(mesh.name), .mesh = {}, .placement = mesh.placement, .colour = mesh.colour};
  out.data_name = std::move(mesh.data_name);
  out.mesh.materials.assign(mesh.triangles.size(), material->second);
  out.mesh.vertices = std::move(mesh.positions);
  out.mesh.triangles = std::move(mesh.triangles);
  document.meshes.push_back(std::move(out));
  return {};
}

// Returns the part of a mesh with one material, with only the vertices that it uses.
gltf::Mesh part_of(const CollisionMesh& mesh, std::uint32_t crc) {
  gltf::Mesh part;
  part.name = mesh.name;
  part.placement = mesh.placement;
  part.material = material_name(crc, mesh.game);
  part.colour = Vec4(material_colour(crc), 1.0f);
  std::map<std::uint32_t, std::uint32_t> renumbered;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (mesh.materials[i] != crc) continue;
    std::array<std::uint32_t, 3> corners{};
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::uint32_t vertex = mesh.triangles[i][corner];
      const auto [found, is_new] = renumbered.try_emplace(vertex, static_cast<std::uint32_t>(part.positions.size()));
      if (is_new) part.positions.push_back(mesh.vertices[vertex]);
      corners[corner] = found->second;
    }
    part.triangles.push_back(corners);
  }
  return part;
}

void add_collision(const CollisionMesh& mesh, bool show, gltf::Scene& scene) {
  std::vector<std::uint32_t> materials = mesh.materials;
  std::ranges::sort(materials);
  materials.erase(std::ranges::unique(materials).begin(), materials.end());
  for (const std::uint32_t crc : materials) {
    scene.meshes.push_back(part_of(mesh, crc));
    if (show) scene.meshes.back().colour = shown_colour(crc, mesh.slot);
  }
}

// The visible shapes of a NIF behind its collision, in grey.
void add_backdrop(const DocumentMesh& mesh, gltf::Scene& scene) {
  constexpr Vec4 kGrey{0.3f, 0.3f, 0.3f, 1.0f};
  gltf::Mesh out{.name = mesh.name, .positions = mesh.mesh.vertices, .triangles = mesh.mesh.triangles, .colour = kGrey};
  out.placement = mesh.placement;
  out.material = "visible shapes";
  out.is_backdrop = true;
  scene.meshes.push_back(std::move(out));
}

// Joints are shown with the shapes, and never read back.
void add_joint_mesh(JointMesh joint, gltf::Scene& scene) {
  constexpr Vec4 kYellow{1.0f, 0.75f, 0.05f, 0.6f};
  gltf::Mesh out{.name = std::move(joint.name),
                 .positions = std::move(joint.vertices),
                 .triangles = std::move(joint.triangles),
                 .colour = kYellow};
  out.material = kJointMaterial;
  out.is_backdrop = true;
  scene.meshes.push_back(std::move(out));
}

void add_mesh(const DocumentMesh& mesh, const std::vector<std::string>& names, gltf::Scene& scene) {
  gltf::Mesh out{.name = mesh.name, .positions = mesh.mesh.vertices, .triangles = mesh.mesh.triangles};
  out.placement = mesh.placement;
  out.colour = mesh.colour;
  if (const auto& all = mesh.mesh.materials; !all.empty() && all.front() < names.size())
    out.material = names[all.front()];
  scene.meshes.push_back(std::move(out));
}

// Bodies stand on the first skeleton, which `place_bodies` has made for them.
void add_bodies(const Document& document, gltf::Scene& scene, Context& context) {
  for (const DocumentBody& body : document.bodies) {
    if (body.shape.triangles.empty()) {
      context.note("the triangles of the shape are not in this file; it is left out",
                   "shape '" + body.shape.name + "'");
      continue;
    }
    scene.bodies.push_back({.shape = body.shape,
                            .file = body.file.substr(body.file.find_last_of("/\\") + 1),
                            .armature = body.skeleton,
                            .joints = body.rig_bones,
                            .parent = body.rig_parent,
                            .place = body.place,
                            .images = body.images});
  }
}

Result<void> add_armatures(const Document& document, const SaveOptions& options, gltf::Scene& scene, Context& context) {
  std::vector<gltf::Armature> armatures(document.skeletons.size());
  for (std::size_t i = 0; i < document.skeletons.size(); ++i)
    armatures[i] = {.skeleton = document.skeletons[i].skeleton,
                    .game = document.game,
                    .node_names = document.skeletons[i].node_names};
  for (DocumentClip clip : document.clips) {
    MARROW_CHECK(decode_frames(clip, context.limits));
    armatures[*clip.skeleton].clips.push_back({.name = clip.name,
                                               .clip = std::move(clip.clip),
                                               .spline = std::move(clip.spline),
                                               .file = std::move(clip.kept_file)});
  }
  add_bodies(document, scene, context);
  for (std::size_t i = 0; i < armatures.size(); ++i) {
    if (document.skeletons[i].is_ragdoll && !options.ragdoll) continue;
    for (gltf::Armature& rig : split_rigs(std::move(armatures[i]))) scene.armatures.push_back(std::move(rig));
  }
  if (!document.anvil() || scene.armatures.empty()) return {};
  if (const auto text = anvil::write_xml(*document.anvil(), {.dialect = anvil::Dialect::Schema}))
    scene.armatures.front().anvil = as_text(*text);
  else
    context.note("only the bones are kept, because the skeleton cannot be written as XML: " + text.error().message,
                 text.error().path);
  return {};
}

}  // namespace

Result<Document> load_gltf(std::span<const std::byte> bytes, const LoadOptions& options, Context& context) {
  gltf::ReadOptions read{.metres_per_unit = options.units == Units::Game ? 1.0f : options.metres_per_unit,
                         .frame_rate = options.frames_per_second
                                           ? std::optional(static_cast<float>(*options.frames_per_second))
                                           : std::nullopt,
                         .dense = options.dense_clips,
                         .bodies = has(options.parts, Parts::Bodies),
                         .limits = context.limits};
  if (context.lookup)
    read.read_beside = [&](std::string_view reference) { return context.lookup->read(options.name, reference); };
  MARROW_TRY(gltf::Scene scene, gltf::read_gltf(bytes, read, &context.notes));
  join_rigs(scene.armatures);
  std::optional<anvil::Skeleton> kept_anvil;
  for (const gltf::Armature& armature : scene.armatures)
    if (!armature.anvil.empty() && !kept_anvil) MARROW_CHECK(load_kept_anvil(armature, kept_anvil, context));
  Document document;
  if (kept_anvil) OriginAccess::set(document, {AnvilOrigin{std::move(*kept_anvil)}});
  OriginAccess::set_read(document, Parts::All);
  document.metres_per_unit = scene.metres_per_unit;
  for (gltf::Armature& armature : scene.armatures) {
    if (armature.game) document.game = armature.game;
    for (gltf::NamedClip& clip : armature.clips) {
      if (!clip.file.empty()) take_kept_file(clip, context);
      document.clips.push_back({.name = std::move(clip.name),
                                .clip = std::move(clip.clip),
                                .spline = std::move(clip.spline),
                                .skeleton = document.skeletons.size(),
                                .key_rate = static_cast<double>(clip.key_rate),
                                .kept_file = std::move(clip.file)});
    }
    document.skeletons.push_back({.skeleton = std::move(armature.skeleton),
                                  .is_guessed = !armature.recorded,
                                  .goes_along = armature.recorded && !armature.game && armature.anvil.empty(),
                                  .missing = std::move(armature.missing)});
    for (const auto& [bone, parent] : armature.reparented)
      document.skeletons.back().reparented.emplace_back(bone, parent);
  }
  Materials materials;
  for (gltf::Mesh& mesh : scene.meshes)
    if (!is_joint_object(mesh.name)) MARROW_CHECK(add_mesh(std::move(mesh), materials, document));
  for (gltf::Body& body : scene.bodies)
    document.bodies.push_back({.shape = std::move(body.shape),
                               .file = std::move(body.file),
                               .joints = std::move(body.rest),
                               .inverse_binds = std::move(body.inverse_binds),
                               .place = body.place});
  document.collision_record = std::move(scene.collision);
  return document;
}

Result<std::vector<SavedFile>> save_gltf(const Document& document, const SaveOptions& options, Context& context) {
  if (std::ranges::any_of(document.clips, [](const DocumentClip& clip) { return !clip.skeleton; })) {
    MARROW_TRY(const Skeleton* near, skeleton_for_clips(document, nullptr, context));
    const Skeleton kept = *near;  // a copy: it may belong to the document
    Document whole = document;
    attach_skeleton(whole, {&kept}, context);
    return save_gltf(whole, options, context);
  }
  gltf::Scene scene;
  scene.metres_per_unit = document.metres_per_unit;
  const bool is_collision = options.collision || (document.nif() && document.bodies.empty());
  if (!is_collision) {
    MARROW_CHECK(add_armatures(document, options, scene, context));
    // Bodies are the same shapes, with more.
    if (document.bodies.empty())
      for (const DocumentMesh& mesh : document.meshes) add_mesh(mesh, document.materials, scene);
  }
  if (scene.armatures.empty() && scene.meshes.empty() && scene.bodies.empty()) {
    const bool solid = options.solid || options.show;
    MARROW_TRY(const std::vector<CollisionMesh> meshes, shown_meshes(document, {.solid = solid}, context.notes));
    for (const CollisionMesh& mesh : meshes) add_collision(mesh, options.show, scene);
    for (JointMesh& joint : joint_meshes(document.collision)) add_joint_mesh(std::move(joint), scene);
    if (options.show)
      for (const DocumentMesh& mesh : document.meshes) add_backdrop(mesh, scene);
    scene.collision = write_collision_record(document, solid);
  }
  MARROW_TRY(std::vector<std::byte> bytes,
             gltf::write_gltf(
                 scene, {.container = options.format == Format::Gltf ? gltf::Container::Gltf : gltf::Container::Glb,
                         .units = options.units,
                         .root_motion = options.root_motion,
                         .show_bones = options.show_bones}));
  return one_file(*options.format, std::move(bytes));
}

}  // namespace marrow
