// SPDX-License-Identifier: MIT
// Bodies, skinned on the GPU. Joints are matrices in metres and in the world, so that a mesh itself stands at the origin.
import {
  Bone, BufferAttribute, BufferGeometry, DoubleSide, FrontSide, Group, Matrix4, Mesh, MeshStandardMaterial, Quaternion, Skeleton, SkinnedMesh, Texture, Vector3,
} from 'three';
import type { Shape } from '../abi/marrow';
import type { Actor } from '../store/actor';
import { kFloats } from '../store/pose';
import type { Session } from '../store/session';
import { BodyPose, Worn } from '../store/worn';
import { dress } from './skins';

/** Skin, cloth and leather without their textures: what no picture is at hand for. */
const kNeutral = 0xb9aca0;

const kMostPoints = 200;

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
  private readonly textures: Texture[] = [];
  private isReleased = false;

  constructor(
    session: Session,
    private readonly actor: Actor,
    readonly worn: Worn,
    gl: WebGLRenderingContext | WebGL2RenderingContext,
    changed: () => void,
  ) {
    this.pose = new BodyPose(session.marrow, actor, worn);
    this.parts = worn.shapes.map((shape) => this.part(shape));
    for (const { mesh } of this.parts) this.group.add(mesh);
    for (const { shape, mesh } of this.parts)
      void dress(session, shape, mesh.material as MeshStandardMaterial, gl).then((texture) => {
        if (!texture) return;
        if (this.isReleased) return texture.dispose();
        this.textures.push(texture);
        changed();
      });
  }

  private part(shape: Shape): Part {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(shape.positions, 3));
    geometry.setIndex(new BufferAttribute(shape.triangles, 1));
    if (shape.normals) geometry.setAttribute('normal', new BufferAttribute(shape.normals, 3));
    else geometry.computeVertexNormals();
    if (shape.uvs) geometry.setAttribute('uv', new BufferAttribute(shape.uvs, 2));
    const material = new MeshStandardMaterial({ color: kNeutral, alphaTest: shape.alphaThreshold, roughness: 0.85, metalness: 0, side: shape.isDoubleSided ? DoubleSide : FrontSide });
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
  /** Some points of the shapes as they are posed, for framing. */
  points(): Vector3[] {
    const points: Vector3[] = [];
    for (const { mesh } of this.parts) {
      const positions = mesh.geometry.getAttribute('position');
      const step = Math.max(1, Math.floor(positions.count / kMostPoints));
      for (let i = 0; i < positions.count; i += step) {
        const point = new Vector3().fromBufferAttribute(positions, i);
        points.push(mesh instanceof SkinnedMesh ? mesh.applyBoneTransform(i, point) : point.applyMatrix4(mesh.matrix));
      }
    }
    return points;
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
    this.isReleased = true;
    for (const texture of this.textures) texture.dispose();
    for (const { mesh } of this.parts) {
      mesh.geometry.dispose();
      (mesh.material as MeshStandardMaterial).dispose();
      if (mesh instanceof SkinnedMesh) mesh.skeleton.dispose();
    }
  }
}
