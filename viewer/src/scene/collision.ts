// SPDX-License-Identifier: MIT
// Collision over the visible meshes: a transparent surface per body, its edges, joints as cones and axes.
import {
  Box3, BoxGeometry, BufferAttribute, BufferGeometry, Color, ConeGeometry, DoubleSide, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Mesh,
  MeshBasicMaterial, MeshLambertMaterial, Object3D,
} from 'three';
import type { Marrow, Mesh as Surface } from '../abi/marrow';
import type { BodyMesh } from '../store/collision';
import type { TreeBox } from '../abi/reports';
import type { Collision, State } from '../store/state';
import { Joints, frameMatrix } from './joints';
import { Palette, hue } from './palette';

const kOpacity = 0.5;

function place(object: Object3D, placement: Float32Array): void {
  object.position.set(placement[0]!, placement[1]!, placement[2]!);
  object.quaternion.set(placement[3]!, placement[4]!, placement[5]!, placement[6]!);
  object.scale.set(placement[7]!, placement[8]!, placement[9]!);
}

/** A geometry whose triangles have colours of their own. */
function coloured(surface: Surface, colourOf: (triangle: number) => Color): BufferGeometry {
  const count = surface.triangles.length;
  const points = new Float32Array(count * 3), tints = new Float32Array(count * 3);
  for (let i = 0; i < count; ++i) {
    const from = surface.triangles[i]! * 3;
    points.set(surface.vertices.subarray(from, from + 3), i * 3);
    const tint = colourOf(Math.floor(i / 3));
    tints.set([tint.r, tint.g, tint.b], i * 3);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(points, 3));
  geometry.setAttribute('color', new BufferAttribute(tints, 3));
  geometry.computeVertexNormals();
  return geometry;
}

const kMaterials = new Map<number, Color>();

/** The colour of a body. */
export function colourOfBody(marrow: Marrow, subject: Collision, { body }: BodyMesh, by: State['colourBy'], material = body.material): Color {
  if (by === 'layer') return hue([...new Set(subject.bodies.map((each) => each.body.layer))].sort((a, b) => a - b).indexOf(body.layer));
  if (by === 'motion') return hue(body.motion * 3);
  if (by === 'shape') return hue([...new Set(subject.bodies.map((each) => each.body.shape))].sort().indexOf(body.shape));
  let colour = kMaterials.get(material);
  if (!colour) kMaterials.set(material, (colour = new Color(...marrow.materialColour(material))));
  return colour;
}

/** Everything that is drawn of a collision file, in game units. */
export class CollisionView {
  readonly group = new Group();
  private readonly bodies = new Group();
  private readonly visible = new Group();
  private readonly joints = new Group();
  /** What moves with each body, and with its parent. */
  private readonly holders: { group: Group; body: number }[] = [];
  readonly bending: Joints;
  private readonly boxes = new Group();

  constructor(
    private readonly marrow: Marrow,
    readonly subject: Collision,
    private readonly palette: Palette,
    private readonly askBoxes: () => readonly TreeBox[],
  ) {
    this.group.add(this.visible, this.bodies, this.joints, this.boxes);
    this.group.scale.setScalar(subject.info.metresPerUnit);
    this.bending = new Joints(subject);
    this.makeVisible();
    this.makeJoints();
  }
  /** A group that goes along with a body when joints are bent. */
  private holderOf(body: number): Group {
    const group = new Group();
    group.matrixAutoUpdate = false;
    group.userData.body = body;
    this.holders.push({ group, body });
    return group;
  }
  /** Moves the bodies as their joints are bent. */
  bend({ bends }: State): void {
    for (const { group, body } of this.holders) {
      group.matrix.copy(this.bending.moved(body, bends));
      group.matrixWorldNeedsUpdate = true;
    }
    this.group.updateMatrixWorld(true);
  }

  private makeVisible(): void {
    const material = new MeshLambertMaterial({ color: this.palette.mesh, side: DoubleSide });
    for (const surface of this.subject.meshes) {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(surface.vertices, 3));
      geometry.setIndex(new BufferAttribute(surface.triangles, 1));
      geometry.computeVertexNormals();
      const mesh = new Mesh(geometry, material);
      place(mesh, surface.placement);
      this.visible.add(mesh);
    }
  }

  /** The colour of a body, or of one of its triangles. */
  private colourOf(body: BodyMesh, surface: Surface, triangle: number, by: State['colourBy']): Color {
    return colourOfBody(this.marrow, this.subject, body, by, surface.materials?.[triangle] ?? body.body.material);
  }

  /** Draws the bodies as the state says. */
  show(state: State): void {
    clear(this.bodies);
    const isOfJoints = ({ group }: { group: Group }) => group.parent === this.joints;
    this.holders.splice(0, this.holders.length, ...this.holders.filter(isOfJoints));
    this.subject.bodies.forEach((body, index) => {
      const holder = this.holderOf(index);
      this.bodies.add(holder);
      const isSelected = state.body === index;
      for (const surface of body.meshes) {
        const geometry = coloured(surface, (triangle) => this.colourOf(body, surface, triangle, state.colourBy));
        const material = new MeshLambertMaterial({
          vertexColors: true, transparent: true, opacity: isSelected ? 0.85 : kOpacity, side: DoubleSide, depthWrite: isSelected,
          polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -1,
        });
        const mesh = new Mesh(geometry, material);
        mesh.userData.body = index;
        mesh.renderOrder = 2;
        place(mesh, surface.placement);
        const edges = new LineSegments(
          new EdgesGeometry(geometry, 12),
          new LineBasicMaterial({ color: isSelected ? this.palette.selected : this.colourOf(body, surface, 0, state.colourBy).clone().multiplyScalar(0.55) }),
        );
        edges.renderOrder = 3;
        place(edges, surface.placement);
        holder.add(mesh, edges);
      }
    });
    this.visible.visible = state.meshes;
    this.joints.visible = state.joints;
    this.boxes.visible = state.boxes;
    if (state.boxes) this.makeBoxes();
    this.bend(state);
  }

  private makeJoints(): void {
    const { bodies } = this.subject;
    bodies.forEach((body, index) => {
      for (const joint of body.joints) {
        const parent = bodies.findIndex((each) => each.system === body.system && each.index === joint.bodyB);
        // Its axes move with the child; its limits stand in the parent.
        this.addToJoints(index, joint.frameA, axesLines(4));
        if (parent >= 0) this.addToJoints(parent, joint.frameB, ...limitCone(joint.type, joint.limits, this.palette.selected, 6));
        else this.addToJoints(index, joint.frameA, ...limitCone(joint.type, joint.limits, this.palette.selected, 6));
      }
    });
  }
  private addToJoints(index: number, at: Float32Array, ...parts: Object3D[]): void {
    const body = this.subject.bodies[index]!;
    const node = body.meshes[0]?.placement;
    if (!node || parts.length === 0) return;
    const stand = new Group();
    place(stand, node);
    const frame = new Group();
    frame.applyMatrix4(frameMatrix(at, body.gameUnits));
    frame.add(...parts);
    // Joints are inside of what they join: they are drawn over it.
    frame.traverse((part) => {
      if (part instanceof Mesh || part instanceof LineSegments) (part.material as MeshBasicMaterial).depthTest = false;
    });
    const holder = this.holderOf(index);
    holder.add(stand.add(frame));
    this.joints.add(holder);
  }
  /** The boxes of the trees that the game searches, the deeper the fainter. They are asked for when they are wanted. */
  private makeBoxes(): void {
    if (this.boxes.children.length > 0) return;
    for (const box of this.askBoxes()) {
      const node = this.subject.bodies.find((body) => body.system === box.system && body.index === box.body)?.meshes[0]?.placement;
      const holder = new Group();
      if (node) place(holder, node);
      const edges = new LineSegments(
        new EdgesGeometry(new BoxGeometry(...box.size)),
        new LineBasicMaterial({ color: this.palette.limit, transparent: true, opacity: Math.max(0.9 - box.depth * 0.12, 0.15) }),
      );
      edges.position.set(...box.centre);
      edges.quaternion.set(...box.rotation);
      holder.add(edges);
      this.boxes.add(holder);
    }
  }

  /** Bodies, for a ray. */
  get targets(): Object3D[] {
    return this.bodies.children;
  }
  bounds(): Box3 {
    this.group.updateMatrixWorld(true);
    return new Box3().setFromObject(this.bodies.children.length > 0 ? this.bodies : this.visible);
  }
  release(): void {
    for (const part of [this.bodies, this.visible, this.joints, this.boxes]) clear(part);
  }
}

/** Frees what a group draws. */
export function clear(group: Object3D): void {
  group.traverse((object) => {
    const drawn = object as Partial<Mesh>;
    drawn.geometry?.dispose();
    for (const material of [drawn.material ?? []].flat()) material.dispose();
  });
  group.clear();
}

/** Three short lines: X red, Y green, Z blue. */
export function axesLines(size: number): LineSegments {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array([0, 0, 0, size, 0, 0, 0, 0, 0, 0, size, 0, 0, 0, 0, 0, 0, size]), 3));
  const red = [0.85, 0.25, 0.25], green = [0.3, 0.65, 0.3], blue = [0.25, 0.45, 0.9];
  geometry.setAttribute('color', new BufferAttribute(new Float32Array([...red, ...red, ...green, ...green, ...blue, ...blue]), 3));
  const lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, depthTest: false }));
  lines.renderOrder = 5;
  return lines;
}

/** A cone about X that opens by `angle` radians, elliptic if the shares differ. */
export function cone(angle: number, size: number, colour: Color, shareY = 1, shareZ = 1): Object3D[] {
  const radius = size * Math.tan(Math.min(angle, 1.45));
  const height = Math.min(size, size / Math.max(Math.tan(Math.min(angle, 1.45)), 1));
  const wide = Math.min(radius, size);
  const geometry = new ConeGeometry(wide, height, 32, 1, true);
  geometry.translate(0, -height / 2, 0); // the tip at the origin, opening along -Y
  geometry.rotateZ(Math.PI / 2); // along X
  geometry.scale(1, Math.max(shareY, 0.02), Math.max(shareZ, 0.02));
  const surface = new Mesh(geometry, new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.16, side: DoubleSide, depthWrite: false }));
  surface.renderOrder = 4;
  const rim = new LineSegments(new EdgesGeometry(geometry, 30), new LineBasicMaterial({ color: colour, transparent: true, opacity: 0.8 }));
  rim.renderOrder = 4;
  return [surface, rim];
}

function limitCone(type: string, limits: Float32Array, colour: Color, size: number): Object3D[] {
  if (type.startsWith('ragdoll')) return cone(Math.abs(limits[2]!), size, colour);
  if (type.includes('hinge') && limits[1] !== limits[0]) return [fan(limits[0]!, limits[1]!, size, colour)];
  return [];
}

/** The angles that a hinge about X allows, as a fan. */
export function fan(from: number, to: number, size: number, colour: Color): Mesh {
  const steps = 24;
  const points: number[] = [];
  for (let i = 0; i < steps; ++i) {
    const a = from + ((to - from) * i) / steps, b = from + ((to - from) * (i + 1)) / steps;
    points.push(0, 0, 0, 0, size * Math.cos(a), size * Math.sin(a), 0, size * Math.cos(b), size * Math.sin(b));
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
  const mesh = new Mesh(geometry, new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.22, side: DoubleSide, depthWrite: false }));
  mesh.renderOrder = 4;
  return mesh;
}
