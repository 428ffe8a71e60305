// SPDX-License-Identifier: MIT
// The blocks of Skyrim LE (stream 83), Skyrim SE (100) and Fallout 4 (130), one row per field.
//
//   [struct] NAME [: BASE]            a block type, or a structure inside blocks
//     FIELD KIND[*N][[COUNT]] [if CONDITION]
//     ...                             more bytes follow, which hold no references
//
// KIND is u8 u16 u32 u64 i32 f32 half char, ref (a block number, -1 for none), string (an index into the file's
// strings, -1 for none) or a struct; *N makes a vector of it. COUNT is an expression; [] and [u16] are a count of 32 or
// 16 bits that stands before the elements. Expressions name earlier fields, `up.FIELD` of the record around, `stream`
// and `sum(FIELD)`; & binds tighter than comparisons. A field of other streams counts as 0. To teach Marrow a block,
// add its rows; docs/formats/nif-blocks.md says how they are tested.
#include <string>

#include "nif/schema.h"
#include "nif/table/rows_bhk.h"

namespace marrow::nif {

namespace {

constexpr std::string_view kTable = R"table(
# Scene
NiObjectNET
  name string
  extra_data ref[]
  controller ref
NiAVObject : NiObjectNET
  flags u32
  translation f32*3
  rotation f32*9
  scale f32
  collision_object ref
NiNode : NiAVObject
  children ref[]
  effects ref[] if stream<130
BSFadeNode : NiNode
BSLeafAnimNode : NiNode
BSFaceGenNiNode : NiNode
BSMultiBoundNode : NiNode
  multi_bound ref
  culling u32
BSValueNode : NiNode
  value u32
  value_flags u8
BSOrderedNode : NiNode
  alpha_sort_bound f32*4
  is_static_bound u8
BSRangeNode : NiNode
  range u8*3
BSBlastNode : BSRangeNode
BSDamageStage : BSRangeNode
BSDebrisNode : BSRangeNode
NiSwitchNode : NiNode
  switch_flags u16
  index u32
NiBillboardNode : NiNode
  mode u16
BSTreeNode : NiNode
  branch_bones ref[]
  trunk_bones ref[]
BSMultiBound
  data ref
BSMultiBoundAABB
  centre f32*3
  half_extents f32*3
BSMultiBoundOBB
  centre f32*3
  half_extents f32*3
  rotation f32*9
BSMultiBoundSphere
  centre f32*3
  radius f32
# Nodes whose own fields are not described: what follows those of NiNode is kept, references in it are not known.
NiLODNode : NiNode
NiSortAdjustNode : NiNode
BSMasterParticleSystem : NiNode
NiBSParticleNode : NiNode
BSNiAlphaPropertyTestRefNode : NiNode

# Shapes of Skyrim LE
NiTriShape : NiAVObject
  data ref
  skin ref
  material_count u32
  material_names string[material_count]
  material_extra i32[material_count]
  active_material i32
  needs_update u8
  shader ref
  alpha ref
NiTriStrips : NiTriShape
BSLODTriShape : NiTriShape
  levels u32*3
struct flagged_segment
  segment_flags u8
  start u32
  triangle_count u32
BSSegmentedTriShape : NiTriShape
  segments flagged_segment[]
NiGeometryData
  group i32
  vertex_count u16
  keep u8
  compress u8
  has_positions u8
  positions f32*3[vertex_count] if has_positions
  data_flags u16
  material_crc u32
  has_normals u8
  normals f32*3[vertex_count] if has_normals
  tangents f32*3[vertex_count] if has_normals && data_flags&0x1000
  bitangents f32*3[vertex_count] if has_normals && data_flags&0x1000
  bound f32*4
  has_colors u8
  colors f32*4[vertex_count] if has_colors
  uvs f32*2[vertex_count] if data_flags&1
  consistency u16
  additional ref
  triangle_count u16
struct match_group
  vertices u16[u16]
NiTriShapeData : NiGeometryData
  point_count u32
  has_triangles u8
  triangles u16*3[triangle_count] if has_triangles
  match_groups match_group[u16]
NiTriStripsData : NiGeometryData
  strip_count u16
  strip_lengths u16[strip_count]
  has_points u8
  points u16[sum(strip_lengths)] if has_points
NiAdditionalGeometryData
  ...

# Shapes of Skyrim SE and Fallout 4
BSTriShape : NiAVObject
  bound f32*4
  skin ref
  shader ref
  alpha ref
  description u64
  triangle_count u16 if stream<130
  triangle_count u32 if stream>=130
  vertex_count u16
  data_size u32
  vertices u8[4*(description&15)*vertex_count] if data_size
  triangles u16*3[triangle_count] if data_size
  particle_size u32 if stream<130
  particle_positions half*3[vertex_count] if particle_size
  particle_normals half*3[vertex_count] if particle_size
  particle_triangles u16*3[triangle_count] if particle_size
BSDynamicTriShape : BSTriShape
  dynamic_size u32
  dynamic u8[dynamic_size]
BSMeshLODTriShape : BSTriShape
  levels u32*3
struct sub_segment
  start u32
  triangle_count u32
  parent u32
  unused u32
struct segment
  start u32
  triangle_count u32
  parent u32
  sub_segments sub_segment[]
struct segment_record
  user u32
  bone u32
  cuts f32[]
BSSubIndexTriShape : BSTriShape
  flagged_segments flagged_segment[] if stream<130
  primitive_count u32 if data_size && stream>=130
  segment_count u32 if data_size && stream>=130
  total_count u32 if data_size && stream>=130
  segments segment[segment_count]
  record_segment_count u32 if segment_count<total_count
  record_total_count u32 if segment_count<total_count
  starts u32[record_segment_count] if segment_count<total_count
  records segment_record[record_total_count] if segment_count<total_count
  ssf char[u16] if segment_count<total_count

# Skins
NiSkinInstance
  data ref
  partition ref
  skeleton_root ref
  bones ref[]
struct body_part
  part_flags u16
  part u16
BSDismemberSkinInstance : NiSkinInstance
  parts body_part[]
struct vertex_weight
  vertex u16
  weight f32
struct skin_bone
  rotation f32*9
  translation f32*3
  scale f32
  bound f32*4
  weight_count u16
  weights vertex_weight[weight_count] if up.has_weights
NiSkinData
  rotation f32*9
  translation f32*3
  scale f32
  bone_count u32
  has_weights u8
  bones skin_bone[bone_count]
struct partition
  vertex_count u16
  triangle_count u16
  bone_count u16
  strip_count u16
  weights_per_vertex u16
  bones u16[bone_count]
  has_map u8
  map u16[vertex_count] if has_map
  has_weights u8
  weights f32[vertex_count*weights_per_vertex] if has_weights
  strip_lengths u16[strip_count]
  has_faces u8
  strips u16[sum(strip_lengths)] if has_faces && strip_count
  triangles u16*3[triangle_count] if has_faces && strip_count==0
  has_indices u8
  indices u8[vertex_count*weights_per_vertex] if has_indices
  lod_level u8
  global_buffer u8
  description u64 if stream==100
  triangles_copy u16*3[triangle_count] if stream==100
NiSkinPartition
  partition_count u32
  data_size u32 if stream==100
  vertex_size u32 if stream==100
  description u64 if stream==100
  vertices u8[data_size] if stream==100
  partitions partition[partition_count]
BSSkin::Instance
  skeleton_root ref
  data ref
  bones ref[]
  scales f32*3[]
struct bind
  bound f32*4
  rotation f32*9
  translation f32*3
  scale f32
BSSkin::BoneData
  bones bind[]

# Looks
BSLightingShaderProperty
  shader_type u32
  name string
  extra_data ref[]
  controller ref
  shader_flags_1 u32
  shader_flags_2 u32
  uv_offset f32*2
  uv_scale f32*2
  texture_set ref
  emissive f32*3
  emissive_multiple f32
  root_material string if stream>=130
  clamp u32
  alpha f32
  refraction f32
  glossiness f32
  specular f32*3
  specular_strength f32
  lighting_effects f32*2 if stream<130
  subsurface_rolloff f32 if stream>=130
  rim_light f32 if stream>=130
  back_light f32 if rim_light==0x7F7FFFFF
  palette_scale f32 if stream>=130
  fresnel f32 if stream>=130
  wetness f32*6 if stream>=130
  environment_scale f32 if shader_type==1
  environment_flags u8*2 if shader_type==1 && stream>=130
  skin_tint f32*3 if shader_type==5
  skin_tint_alpha f32 if shader_type==5 && stream>=130
  hair_tint f32*3 if shader_type==6
  parallax f32*2 if shader_type==7
  multi_layer f32*5 if shader_type==11
  sparkle f32*4 if shader_type==14
  eyes f32*7 if shader_type==16
BSEffectShaderProperty : NiObjectNET
  shader_flags_1 u32
  shader_flags_2 u32
  uv_offset f32*2
  uv_scale f32*2
  source char[]
  clamp u8*4
  falloff f32*4
  base_color f32*4
  base_scale f32
  soft_depth f32
  greyscale char[]
  environment char[] if stream>=130
  normal char[] if stream>=130
  mask char[] if stream>=130
  environment_scale f32 if stream>=130
struct text
  value char[]
BSShaderTextureSet
  textures text[]
NiAlphaProperty : NiObjectNET
  alpha_flags u16
  threshold u8

# Extra data
NiStringExtraData
  name string
  value string
NiIntegerExtraData
  name string
  value u32
NiFloatExtraData
  name string
  value f32
NiBooleanExtraData
  name string
  value u8
BSXFlags : NiIntegerExtraData
BSBound
  name string
  centre f32*3
  half_extents f32*3
BSBehaviorGraphExtraData
  ...
BSBoneLODExtraData
  ...
BSConnectPoint::Children
  ...
BSConnectPoint::Parents
  ...
BSDecalPlacementVectorExtraData
  ...
BSFurnitureMarkerNode
  ...
BSInvMarker
  ...
BSWArray
  ...
NiBinaryExtraData
  ...
NiColorExtraData
  ...
NiFloatsExtraData
  ...
NiVectorExtraData
  ...
NiStringsExtraData
  ...
NiTextKeyExtraData
  ...

# Controllers
NiTimeController
  next ref
  controller_flags u16
  frequency f32
  phase f32
  start f32
  stop f32
  target ref
NiSingleInterpController : NiTimeController
  interpolator ref
NiTransformController : NiSingleInterpController
NiVisController : NiSingleInterpController
BSEffectShaderPropertyColorController : NiSingleInterpController
  controlled u32
BSEffectShaderPropertyFloatController : NiSingleInterpController
  controlled u32
BSLightingShaderPropertyColorController : NiSingleInterpController
  controlled u32
BSLightingShaderPropertyFloatController : NiSingleInterpController
  controlled u32
NiFloatExtraDataController : NiSingleInterpController
  extra_data_name string
BSLagBoneController : NiTimeController
  lag f32*3
NiMultiTargetTransformController : NiTimeController
  targets ref[u16]
NiControllerManager : NiTimeController
  is_cumulative u8
  sequences ref[]
  palette ref
struct controlled_block
  interpolator ref
  controller ref
  priority u8
  names string*5
NiControllerSequence
  name string
  block_count u32
  grow_by u32
  controlled controlled_block[block_count]
  weight f32
  text_keys ref
  cycle u32
  frequency f32
  start f32
  stop f32
  manager ref
  accum_root string
  notes ref[u16]
struct palette_entry
  name char[]
  object ref
NiDefaultAVObjectPalette
  scene ref
  objects palette_entry[]
NiTransformInterpolator
  translation f32*3
  rotation f32*4
  scale f32
  data ref
NiPoint3Interpolator
  value f32*3
  data ref
NiFloatInterpolator
  value f32
  data ref
NiBoolInterpolator
  value u8
  data ref
NiBoolTimelineInterpolator : NiBoolInterpolator
NiBoolData
  ...
NiColorData
  ...
NiFloatData
  ...
NiPosData
  ...
NiTransformData
  ...

# Havok packfiles of Fallout 4
bhkNPCollisionObject
  target ref
  object_flags u16
  system ref
  body u32
bhkPhysicsSystem
  data u8[]
bhkRagdollSystem
  data u8[]
BSClothExtraData
  data u8[]
)table";

}  // namespace

std::string_view block_table() {
  static const std::string all = std::string(kTable) + std::string(bhk_table());
  return all;
}

}  // namespace marrow::nif
