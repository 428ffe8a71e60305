// SPDX-License-Identifier: MIT
// The collision blocks of Skyrim LE (stream 83) and SE (100): docs/formats/bhk.md. Fallout 4 has other ones. Types of a
// lower-case second word (`bhk_body`) only serve as bases. Fields called `unused` hold leftovers of the exporter's
// memory.
#include "nif/table/rows_bhk.h"

namespace marrow::nif {

std::string_view bhk_table() {
  return R"table(
# Collision objects
bhk_object
  target ref
  object_flags u16
  body ref
bhkCollisionObject : bhk_object if stream<130
bhkSPCollisionObject : bhk_object if stream<130
bhkPCollisionObject : bhk_object if stream<130
bhkBlendCollisionObject : bhk_object if stream<130
  heir_gain f32
  vel_gain f32
bhk_controller
  next ref
  controller_flags u16
  frequency f32
  phase f32
  start f32
  stop f32
  target ref
  keys u32
bhkBlendController : bhk_controller if stream<130

# Bodies
bhk_world_object
  shape ref
  layer u8
  filter_flags u8
  group u16
  unused_1 u8*4
  broad_phase u8
  unused_2 u8*3
  property u32*3
bhk_rigid_body : bhk_world_object
  response u8
  unused_3 u8
  callback_delay u16
  unused_4 u8*4
  layer_copy u8
  filter_flags_copy u8
  group_copy u16
  unused_5 u8*4
  unused_6 u32
  response_copy u8
  unused_7 u8
  callback_delay_copy u16
  translation f32*4
  rotation f32*4
  linear_velocity f32*4
  angular_velocity f32*4
  inertia f32*12
  center f32*4
  mass f32
  linear_damping f32
  angular_damping f32
  time_factor f32
  gravity_factor f32
  friction f32
  rolling_friction f32
  restitution f32
  max_linear_velocity f32
  max_angular_velocity f32
  penetration_depth f32
  motion_system u8
  deactivator u8
  solver_deactivation u8
  quality u8
  auto_remove_level u8
  response_modifier u8
  contact_keys u8
  force_onto_ppu u8
  unused_8 u8*12
  joints ref[]
  body_flags u16
bhkRigidBody : bhk_rigid_body if stream<130
bhkRigidBodyT : bhk_rigid_body if stream<130
bhkSimpleShapePhantom : bhk_world_object if stream<130
  unused_3 u8*8
  transform f32*16
bhkAabbPhantom : bhk_world_object if stream<130
  unused_3 u8*8
  min f32*4
  max f32*4

# Actions
bhk_liquid_action
  unused_1 u8*12
  stick_force f32
  stick_strength f32
  neighbour_distance f32
  neighbour_strength f32
bhkLiquidAction : bhk_liquid_action if stream<130
bhk_hinged_action
  body ref
  unused_1 u8*16
  hinge_axis f32*4
  forward f32*4
  strength f32
  damping f32
  unused_2 u8*8
bhkOrientHingedBodyAction : bhk_hinged_action if stream<130

# Shapes
bhk_convex_shape
  material u32
  radius f32
bhkBoxShape : bhk_convex_shape if stream<130
  unused_1 u8*8
  half_extents f32*3
  half_extents_w f32
bhkSphereShape : bhk_convex_shape if stream<130
bhkCapsuleShape : bhk_convex_shape if stream<130
  unused_1 u8*8
  a f32*3
  a_radius f32
  b f32*3
  b_radius f32
bhkCylinderShape : bhk_convex_shape if stream<130
  unused_1 u8*8
  a f32*4
  b f32*4
  cylinder_radius f32
  unused_2 u8*12
bhkConvexVerticesShape : bhk_convex_shape if stream<130
  vertices_property u32*3
  planes_property u32*3
  vertices f32*4[]
  planes f32*4[]
bhk_material_shape
  material u32
bhkMultiSphereShape : bhk_material_shape if stream<130
  property u32*3
  spheres f32*4[]
bhkPlaneShape : bhk_material_shape if stream<130
  unused_1 u8*12
  normal f32*3
  constant f32
  half_extents f32*4
  center f32*4
bhk_transform_shape
  shape ref
  material u32
  radius f32
  unused_1 u8*8
  transform f32*16
bhkConvexTransformShape : bhk_transform_shape if stream<130
bhkTransformShape : bhk_transform_shape if stream<130
bhk_list_shape
  shapes ref[]
  material u32
bhkListShape : bhk_list_shape if stream<130
  children_property u32*3
  filters_property u32*3
  filters u32[]
bhkConvexListShape : bhk_list_shape if stream<130
  radius f32
  unused_1 u32
  unused_2 f32
  property u32*3
  use_cached_aabb u8
  closest_distance f32
bhk_mopp_shape
  shape ref
  unused_1 u8*12
  scale f32
  code_size u32
  origin f32*3
  code_scale f32
  build_type u8
  code u8[code_size]
bhkMoppBvTreeShape : bhk_mopp_shape if stream<130
bhk_compressed_mesh
  target ref
  user_data u32
  radius f32
  unused_1 f32
  scale f32*4
  radius_copy f32
  scale_copy f32*4
  data ref
bhkCompressedMeshShape : bhk_compressed_mesh if stream<130
struct bhk_material
  crc u32
  layer u8
  filter_flags u8
  group u16
struct bhk_transform
  translation f32*4
  rotation f32*4
struct bhk_big_triangle
  corners u16*3
  material u32
  welding u16
struct bhk_chunk
  translation f32*4
  material u32
  reference u16
  transform u16
  vertices u16[]
  indices u16[]
  strips u16[]
  welding u16[]
bhk_mesh_data
  bits u32*4
  error f32
  min f32*4
  max f32*4
  welding_type u8
  material_type u8
  materials_32 u32[]
  materials_16 u32[]
  materials_8 u32[]
  materials bhk_material[]
  named_materials u32
  transforms bhk_transform[]
  big_vertices f32*4[]
  big_triangles bhk_big_triangle[]
  chunks bhk_chunk[]
  convex_pieces u32
bhkCompressedMeshShapeData : bhk_mesh_data if stream<130
bhk_packed_shape
  user_data u32
  unused_1 u8*4
  radius f32
  unused_2 u8*4
  scale f32*4
  radius_copy f32
  scale_copy f32*4
  data ref
bhkPackedNiTriStripsShape : bhk_packed_shape if stream<130
struct bhk_packed_triangle
  corners u16*3
  welding u16
struct bhk_sub_shape
  filter u32
  vertex_count u32
  material u32
bhk_packed_data
  triangles bhk_packed_triangle[]
  vertex_count u32
  is_compressed u8
  vertices f32*3[vertex_count] if is_compressed==0
  packed_vertices u16*3[vertex_count] if is_compressed
  sub_shapes bhk_sub_shape[u16]
hkPackedNiTriStripsData : bhk_packed_data if stream<130
bhk_strips_shape
  material u32
  radius f32
  unused_1 u8*20
  grow_by u32
  scale f32*4
  strips ref[]
  filters u32[]
bhkNiTriStripsShape : bhk_strips_shape if stream<130

# Joints
bhk_constraint
  entity_count u32
  entity_a ref
  entity_b ref
  priority u32
bhkRagdollConstraint : bhk_constraint if stream<130
  frames f32*32
  ragdoll_limits f32*6
  motor u8
  motor_1 f32*6 if motor==1
  motor_2 f32*4 if motor==2
  motor_2_uses_target u8 if motor==2
  motor_3 f32*4 if motor==3
  motor_on u8 if motor!=0
bhkLimitedHingeConstraint : bhk_constraint if stream<130
  frames f32*32
  limits f32*3
  motor u8
  motor_1 f32*6 if motor==1
  motor_2 f32*4 if motor==2
  motor_2_uses_target u8 if motor==2
  motor_3 f32*4 if motor==3
  motor_on u8 if motor!=0
bhkPrismaticConstraint : bhk_constraint if stream<130
  frames f32*32
  limits f32*3
  motor u8
  motor_1 f32*6 if motor==1
  motor_2 f32*4 if motor==2
  motor_2_uses_target u8 if motor==2
  motor_3 f32*4 if motor==3
  motor_on u8 if motor!=0
bhkHingeConstraint : bhk_constraint if stream<130
  frames f32*32
bhkBallAndSocketConstraint : bhk_constraint if stream<130
  pivots f32*8
bhkStiffSpringConstraint : bhk_constraint if stream<130
  pivots f32*8
  length f32
bhk_wrapping_constraint : bhk_constraint
  wrapped u32
  inner_entity_count u32
  inner_entity_a ref
  inner_entity_b ref
  inner_priority u32
  frames f32*32 if wrapped==1||wrapped==2||wrapped==6||wrapped==7
  pivots f32*8 if wrapped==0||wrapped==8
  length f32 if wrapped==8
  ragdoll_limits f32*6 if wrapped==7
  limits f32*3 if wrapped==2||wrapped==6
  motor u8 if wrapped==2||wrapped==6||wrapped==7
  motor_1 f32*6 if motor==1
  motor_2 f32*4 if motor==2
  motor_2_uses_target u8 if motor==2
  motor_3 f32*4 if motor==3
  motor_on u8 if motor!=0
bhkBreakableConstraint : bhk_wrapping_constraint if stream<130
  threshold f32
  remove_when_broken u8
bhkMalleableConstraint : bhk_wrapping_constraint if stream<130
  strength f32
bhk_chain
  chain_pivots f32*4[]
  tau f32
  damping f32
  cfm f32
  max_error f32
  chained ref[]
  entity_count u32
  entity_a ref
  entity_b ref
  priority u32
bhkBallSocketConstraintChain : bhk_chain if stream<130
)table";
}

}  // namespace marrow::nif
