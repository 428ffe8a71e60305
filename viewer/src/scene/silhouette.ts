// SPDX-License-Identifier: MIT
// A body around a skeleton that has none: a limb per bone, rounded at both ends, thick near the middle of the body and
// thin at its ends. All limbs of all actors are one instanced mesh.
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial, SphereGeometry } from 'three';
import type { Actor } from '../store/actor';
import { kFloats } from '../store/pose';
import { Anatomy, isFlesh } from '../store/roles';

/** A limb: from a bone to a child of it, or to a place beyond it. */
interface Limb {
  bone: number;
  to: number;
  /** Radii at both ends, in metres. */
  radii: [number, number];
  /** Of a limb that ends in no bone: how far it goes on, in metres. */
  beyond: number;
}

// Shares of the height of the body.
const kThinnest = 0.006, kThickest = 0.095, kHead = 0.062, kHeadAbove = 0.05, kShortLimb = 0.35;

/** Returns the limbs of a body: radii grow with what hangs on a bone. */
export function limbsOf(actor: Actor, { roles, above, height }: Anatomy): Limb[] {
  const scale = actor.metresPerUnit, tall = height * scale;
  const rest = actor.restModel;
  const apart = (a: number, b: number) => scale * Math.hypot(...[0, 1, 2].map((k) => rest[a * kFloats + k]! - rest[b * kFloats + k]!));
  const lengths = actor.bones.map((_, i) => (isFlesh(roles[i]!) && above[i]! >= 0 ? apart(i, above[i]!) : 0));
  const hanging = new Float32Array(actor.bones.length);
  let total = 0;
  for (let i = actor.bones.length - 1; i >= 0; --i) {
    total += lengths[i]!;
    if (above[i]! >= 0) hanging[above[i]!]! += hanging[i]! + lengths[i]!;
  }
  const radius = (bone: number) => tall * (kThinnest + kThickest * Math.sqrt(hanging[bone]! / Math.max(total, 1e-6)));
  const limbs: Limb[] = [];
  actor.bones.forEach((_, i) => {
    if (!isFlesh(roles[i]!)) return;
    const from = above[i]!;
    const length = lengths[i]!;
    if (from >= 0 && length > 1e-4) {
      // Fingers are thinner than they are long.
      const most = hanging[from]! < 0.05 * total ? kShortLimb * length + kThinnest * tall : Infinity;
      limbs.push({ bone: from, to: i, radii: [Math.min(radius(from), most), Math.min(radius(i), most)], beyond: 0 });
    }
    if (roles[i] === 'head' && from >= 0) limbs.push({ bone: from, to: i, radii: [kHead * tall, kHead * tall], beyond: kHeadAbove * tall });
  });
  return limbs;
}

/** A sphere, cut in two: `along` is 0 for the half around the head of a limb and 1 for the half around its tail. */
function limbShape(): BufferGeometry {
  const sphere = new SphereGeometry(1, 14, 10);
  const points = sphere.getAttribute('position'), index = sphere.getIndex()!;
  // Along X, so that the halves meet in a ring of vertices.
  const at = Array.from({ length: points.count }, (_, i) => [points.getY(i), points.getX(i), points.getZ(i)] as const);
  const direction = new Float32Array(points.count * 3), along = new Float32Array(points.count);
  at.forEach(([x, y, z], i) => {
    direction.set([x, y, z], i * 3);
    along[i] = x > 1e-6 ? 1 : 0;
  });
  const shape = new BufferGeometry();
  shape.setAttribute('position', new BufferAttribute(direction, 3));
  shape.setAttribute('along', new BufferAttribute(along, 1));
  shape.setIndex(index);
  return shape;
}

const vertexShader = /* glsl */ `
  attribute vec3 head;
  attribute vec3 tail;
  attribute vec2 radii;
  attribute float along;
  varying vec3 vNormal;
  void main() {
    vec3 reach = tail - head;
    float size = length(reach);
    vec3 axis = size > 1e-6 ? reach / size : vec3(0.0, 0.0, 1.0);
    vec3 side = normalize(cross(axis, abs(axis.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
    vec3 up = cross(axis, side);
    vec3 turned = axis * position.x + side * position.y + up * position.z;
    vNormal = normalize(normalMatrix * turned);
    gl_Position = projectionMatrix * modelViewMatrix * vec4(mix(head, tail, along) + turned * mix(radii.x, radii.y, along), 1.0);
  }`;
const fragmentShader = /* glsl */ `
  uniform vec3 colour;
  uniform float opacity;
  varying vec3 vNormal;
  void main() {
    float light = 0.62 + 0.3 * max(dot(normalize(vNormal), normalize(vec3(0.35, 0.7, 0.6))), 0.0) + 0.1 * normalize(vNormal).y;
    gl_FragColor = vec4(colour * light, opacity);
    #include <colorspace_fragment>
  }`;

/** Draws the limbs of any number of actors. */
export class Silhouette {
  readonly group = new Group();
  private heads = new Float32Array();
  private tails = new Float32Array();
  private radii = new Float32Array();
  private count = 0;
  private readonly colour = new Color();
  private readonly opacity = { value: 0.4 };
  private readonly meshes: Mesh<InstancedBufferGeometry, ShaderMaterial>[];

  constructor() {
    const uniforms = { colour: { value: this.colour }, opacity: this.opacity };
    // First the nearest surface alone, then its colour: limbs that overlap must not show through each other.
    const depth = new ShaderMaterial({ vertexShader, fragmentShader, uniforms, colorWrite: false });
    const skin = new ShaderMaterial({ vertexShader, fragmentShader, uniforms, transparent: true, depthWrite: false });
    this.meshes = [depth, skin].map((material, i) => {
      const mesh = new Mesh(new InstancedBufferGeometry(), material);
      mesh.frustumCulled = false;
      mesh.renderOrder = 1 + i;
      return mesh;
    });
    // The bones inside are drawn before the surface hides them.
    depth.transparent = true;
    this.group.add(...this.meshes);
    this.reserve(64);
  }
  private reserve(count: number): void {
    const shape = limbShape();
    const geometry = new InstancedBufferGeometry();
    for (const name of ['position', 'along']) geometry.setAttribute(name, shape.getAttribute(name));
    geometry.setIndex(shape.getIndex());
    [this.heads, this.tails, this.radii] = [new Float32Array(count * 3), new Float32Array(count * 3), new Float32Array(count * 2)];
    for (const [name, data, size] of [['head', this.heads, 3], ['tail', this.tails, 3], ['radii', this.radii, 2]] as const)
      geometry.setAttribute(name, new InstancedBufferAttribute(data, size).setUsage(DynamicDrawUsage));
    this.meshes[0]?.geometry.dispose();
    for (const mesh of this.meshes) mesh.geometry = geometry;
  }
  /** Starts a frame with room for `count` limbs. */
  begin(count: number, colour: Color, opacity: number): void {
    if (count * 3 > this.heads.length) this.reserve(Math.ceil(count * 1.25));
    this.count = 0;
    this.colour.copy(colour);
    this.opacity.value = opacity;
  }
  /** Adds the limbs of an actor as it is posed, turned by `turn` about Z and moved by `offset` metres. */
  add(actor: Actor, limbs: readonly Limb[], offset: readonly [number, number, number], turn: number): void {
    const { model, metresPerUnit: scale } = actor;
    const cos = Math.cos(turn) * scale, sin = Math.sin(turn) * scale;
    const put = (to: Float32Array, at: number, bone: number) => {
      const from = bone * kFloats;
      const x = model[from]!, y = model[from + 1]!;
      to[at] = x * cos - y * sin + offset[0];
      to[at + 1] = x * sin + y * cos + offset[1];
      to[at + 2] = model[from + 2]! * scale + offset[2];
    };
    for (const { bone, to, radii, beyond } of limbs) {
      const at = this.count * 3;
      put(this.heads, at, bone);
      put(this.tails, at, to);
      if (beyond > 0) {
        const length = Math.hypot(...[0, 1, 2].map((k) => this.tails[at + k]! - this.heads[at + k]!)) || 1;
        for (let k = 0; k < 3; ++k) {
          const step = ((this.tails[at + k]! - this.heads[at + k]!) / length) * beyond;
          this.heads[at + k] = this.tails[at + k]! + 0.6 * step;
          this.tails[at + k] = this.tails[at + k]! + 1.4 * step;
        }
      }
      this.radii.set(radii, this.count * 2);
      ++this.count;
    }
  }
  end(): void {
    const { geometry } = this.meshes[0]!;
    geometry.instanceCount = this.count;
    for (const name of ['head', 'tail', 'radii']) (geometry.getAttribute(name) as InstancedBufferAttribute).needsUpdate = true;
  }
}
