// SPDX-License-Identifier: MIT
// Bodies, skinned on the GPU. Joints are matrices in metres and in the world, so that a mesh itself stands at the origin.
import { Bone, BufferAttribute, BufferGeometry, DoubleSide, FrontSide, Group, Matrix4, Mesh, MeshStandardMaterial, Quaternion, Skeleton, SkinnedMesh, Vector3 } from 'three';
import type { Marrow, Shape } from '../abi/marrow';
import type { Actor } from '../store/actor';
import { kFloats } from '../store/pose';
import { BodyPose, Worn } from '../store/worn';

/** Skin, cloth and leather without their textures: what no picture is at hand for. */
const kNeutral = 0xb9aca0;

interface Part {
  mesh: Mesh;
  shape: Shape;
  joints: Bone[];
}

/** One file's shapes on an actor. */
export class BodyView {
  readonly group = new Group();
  private readonly pose: BodyPose;
  private readonly parts: Part[];

  constructor(
    marrow: Marrow,
    private readonly actor: Actor,
    readonly worn: Worn,
  ) {
    this.pose = new BodyPose(marrow, actor, worn);
    this.parts = worn.shapes.map((shape) => this.part(shape));
    this.group.add(...this.parts.map(({ mesh }) => mesh));
  }

  private part(shape: Shape): Part {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(shape.positions, 3));
    geometry.setIndex(new BufferAttribute(shape.triangles, 1));
    if (shape.normals) geometry.setAttribute('normal', new BufferAttribute(shape.normals, 3));
    else geometry.computeVertexNormals();
    const material = new MeshStandardMaterial({ color: kNeutral, roughness: 0.85, metalness: 0, side: shape.isDoubleSided ? DoubleSide : FrontSide });
    if (!shape.isSkinned || !shape.joints || !shape.weights) {
      const mesh = new Mesh(geometry, material);
      mesh.matrixAutoUpdate = mesh.frustumCulled = false;
      return { mesh, shape, joints: [] };
    }
    geometry.setAttribute('skinIndex', new BufferAttribute(shape.joints, 4));
    geometry.setAttribute('skinWeight', new BufferAttribute(shape.weights, 4));
    const mesh = new SkinnedMesh(geometry, material);
    mesh.matrixAutoUpdate = mesh.frustumCulled = false;
    mesh.bindMode = 'detached';
    mesh.normalizeSkinWeights();
    const joints = Array.from(shape.bones, () => Object.assign(new Bone(), { matrixAutoUpdate: false, matrixWorldAutoUpdate: false }));
    const inverses = joints.map((_, i) => new Matrix4().fromArray(shape.inverseBinds, i * 16));
    mesh.bind(new Skeleton(joints, inverses), new Matrix4());
    return { mesh, shape, joints };
  }

  /** Moves the shapes to the pose of a frame; `placement` takes the space of the model in metres to the world. */
  update(frame: number, placement: Matrix4): void {
    this.pose.update(frame);
    const scaled = placement.clone().scale(new Vector3().setScalar(this.actor.metresPerUnit));
    const place = new Matrix4();
    for (const { mesh, shape, joints } of this.parts) {
      joints.forEach((joint, i) => {
        const bone = shape.bones[i]!;
        joint.matrixWorld.copy(bone < 0 ? scaled : place.multiplyMatrices(scaled, this.matrixOf(bone)));
      });
      if (joints.length > 0) continue;
      mesh.matrix.fromArray(shape.place);
      if (shape.parent >= 0) mesh.matrix.premultiply(this.matrixOf(shape.parent));
      mesh.matrix.premultiply(scaled);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }
  private matrixOf(bone: number): Matrix4 {
    const m = this.pose.model, at = bone * kFloats;
    return new Matrix4().compose(
      new Vector3(m[at]!, m[at + 1]!, m[at + 2]!), new Quaternion(m[at + 3]!, m[at + 4]!, m[at + 5]!, m[at + 6]!), new Vector3(m[at + 7]!, m[at + 8]!, m[at + 9]!),
    );
  }
  /** Shows or hides a shape. */
  show(index: number, on: boolean): void {
    const part = this.parts[index];
    if (part) part.mesh.visible = on;
  }
  release(): void {
    for (const { mesh } of this.parts) {
      mesh.geometry.dispose();
      (mesh.material as MeshStandardMaterial).dispose();
      if (mesh instanceof SkinnedMesh) mesh.skeleton.dispose();
    }
  }
}
