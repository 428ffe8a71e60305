// SPDX-License-Identifier: MIT
// Skeletons as shaped bones. All bones of all actors are one instanced mesh: per bone a head, a tail and a colour, from
// which the vertex shader makes the shape. A hundred actors are one draw call.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial } from 'three';
import type { Actor } from '../store/actor';
import { kFloats, rotate } from '../store/pose';
import { isFlesh } from '../store/roles';

/** Which bone a shape shows. */
export interface Link {
  bone: number;
  /** The child that it reaches to, or -1 for the end of a chain. */
  child: number;
  /** Length of the tail of an end, in units. */
  length: number;
  /** The bone whose colour it has: the child if that is not of the body. */
  tinted: number;
}

/** Returns the shapes of a skeleton: one from each bone to each child, and a short one at each end. Places on the floor
 *  are no limbs, and are short too; bones that are not of the body are left out unless `all` are wanted. */
export function linksOf(actor: Actor, all: boolean): Link[] {
  const { roles, above, height } = actor.anatomy;
  const isShown = (bone: number) => all || isFlesh(roles[bone]!) || roles[bone] === 'place';
  const shortest = Math.min(0.06 / actor.metresPerUnit, 0.06 * height || Infinity);
  const lengthOf = (bone: number) => Math.hypot(...actor.bones[bone]!.rest.subarray(0, 3));
  const links: Link[] = [];
  const hasLink = new Set<number>();
  actor.bones.forEach((_, bone) => {
    if (!isShown(bone) || roles[bone] === 'place') return;
    const from = isFlesh(roles[bone]!) && !all ? above[bone]! : actor.parents[bone]!;
    if (from < 0 || roles[from] === 'place' || !isShown(from)) return;
    if (lengthOf(bone) <= 1e-5) return;
    links.push({ bone: from, child: bone, length: 0, tinted: isFlesh(roles[bone]!) ? from : bone });
    hasLink.add(from);
  });
  actor.bones.forEach((_, bone) => {
    if (!isShown(bone) || hasLink.has(bone)) return;
    const length = roles[bone] === 'place' ? shortest : Math.min(0.35 * lengthOf(bone) || shortest, shortest);
    links.push({ bone, child: -1, length, tinted: bone });
  });
  return links;
}

const vertexShader = /* glsl */ `
  attribute vec3 head;
  attribute vec3 tail;
  attribute vec3 tint;
  uniform float thickest;
  varying vec3 vColour;
  varying vec3 vNormal;
  void main() {
    vec3 along = tail - head;
    float size = length(along);
    vec3 axis = size > 1e-6 ? along / size : vec3(0.0, 0.0, 1.0);
    vec3 side = normalize(cross(axis, abs(axis.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
    vec3 up = cross(axis, side);
    float width = min(size * 0.11, thickest);
    vec3 place = head + axis * (position.x * size) + (side * position.y + up * position.z) * width;
    vec3 turned = axis * normal.x * (width / max(size, 1e-6)) + side * normal.y + up * normal.z;
    vNormal = normalize(normalMatrix * turned);
    vColour = tint;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(place, 1.0);
  }`;
const fragmentShader = /* glsl */ `
  varying vec3 vColour;
  varying vec3 vNormal;
  void main() {
    vec3 normal = normalize(gl_FrontFacing ? vNormal : -vNormal);
    float light = 0.58 + 0.36 * max(dot(normal, normalize(vec3(0.35, 0.7, 0.6))), 0.0) + 0.12 * normal.y;
    gl_FragColor = vec4(vColour * light, 1.0);
    #include <colorspace_fragment>
  }`;

/** An octahedron with its waist near the head, each face with its own normal. */
function boneShape(): BufferGeometry {
  const waist = 0.14;
  const ring = [[1, 0], [0, 1], [-1, 0], [0, -1]].map(([y, z]) => [waist, y!, z!] as const);
  const points: number[] = [], normals: number[] = [];
  for (let i = 0; i < 4; ++i) {
    const a = ring[i]!, b = ring[(i + 1) % 4]!;
    const middle = [(a[1] + b[1]) / 2, (a[2] + b[2]) / 2] as const;
    for (const [apex, lean] of [[0, -0.7], [1, 0.35]] as const) {
      points.push(apex, 0, 0, ...a, ...b);
      for (let k = 0; k < 3; ++k) normals.push(lean, ...middle);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
  geometry.setAttribute('normal', new BufferAttribute(new Float32Array(normals), 3));
  return geometry;
}

/** Draws the bones of any number of actors. */
export class BoneMesh {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private heads = new Float32Array();
  private tails = new Float32Array();
  private tints = new Float32Array();
  private count = 0;

  constructor() {
    const material = new ShaderMaterial({ vertexShader, fragmentShader, uniforms: { thickest: { value: 0.028 } }, side: DoubleSide });
    this.mesh = new Mesh(new InstancedBufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.reserve(256);
  }
  private reserve(count: number): void {
    const shape = boneShape();
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute('position', shape.getAttribute('position'));
    geometry.setAttribute('normal', shape.getAttribute('normal'));
    this.heads = new Float32Array(count * 3);
    this.tails = new Float32Array(count * 3);
    this.tints = new Float32Array(count * 3);
    for (const [name, data] of [['head', this.heads], ['tail', this.tails], ['tint', this.tints]] as const)
      geometry.setAttribute(name, new InstancedBufferAttribute(data, 3).setUsage(DynamicDrawUsage));
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
  }

  /** Starts a frame with room for `count` shapes. */
  begin(count: number): void {
    if (count * 3 > this.heads.length) this.reserve(Math.ceil(count * 1.25));
    this.count = 0;
  }
  /** Adds the bones of an actor, turned by `turn` about Z and moved by `offset` metres. */
  add(actor: Actor, links: readonly Link[], tintOf: (bone: number) => Color, offset: readonly [number, number, number], turn: number): void {
    const { model, metresPerUnit: scale } = actor;
    const cos = Math.cos(turn) * scale, sin = Math.sin(turn) * scale;
    const point = [0, 0, 0];
    const put = (to: Float32Array, at: number, x: number, y: number, z: number) => {
      to[at] = x * cos - y * sin + offset[0];
      to[at + 1] = x * sin + y * cos + offset[1];
      to[at + 2] = z * scale + offset[2];
    };
    for (const link of links) {
      const a = link.bone * kFloats, at = this.count++ * 3;
      put(this.heads, at, model[a]!, model[a + 1]!, model[a + 2]!);
      if (link.child >= 0) {
        const b = link.child * kFloats;
        put(this.tails, at, model[b]!, model[b + 1]!, model[b + 2]!);
      } else {
        // The end of a chain goes on the way that it came, turned with its bone.
        const rest = actor.bones[link.bone]!.rest;
        const length = Math.hypot(rest[0]!, rest[1]!, rest[2]!) || 1;
        inverseRotate(rest, 3, rest[0]! / length, rest[1]! / length, rest[2]! / length, point);
        rotate(model, a + 3, point[0]! * link.length, point[1]! * link.length, point[2]! * link.length, point, 0);
        put(this.tails, at, model[a]! + point[0]!, model[a + 1]! + point[1]!, model[a + 2]! + point[2]!);
      }
      const tint = tintOf(link.tinted);
      this.tints[at] = tint.r;
      this.tints[at + 1] = tint.g;
      this.tints[at + 2] = tint.b;
    }
  }
  /** Hands the frame to the graphics card. */
  end(): void {
    this.mesh.geometry.instanceCount = this.count;
    for (const name of ['head', 'tail', 'tint']) {
      const attribute = this.mesh.geometry.getAttribute(name) as InstancedBufferAttribute;
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, this.count * 3);
      attribute.needsUpdate = true;
    }
  }
  /** Head and tail of the shape with this number, in metres. */
  ends(index: number): [Float32Array, Float32Array] {
    return [this.heads.subarray(index * 3, index * 3 + 3), this.tails.subarray(index * 3, index * 3 + 3)];
  }
  get shown(): number {
    return this.count;
  }
}

function inverseRotate(pose: ArrayLike<number>, q: number, x: number, y: number, z: number, out: number[]): void {
  rotate([-pose[q]!, -pose[q + 1]!, -pose[q + 2]!, pose[q + 3]!], 0, x, y, z, out, 0);
}
