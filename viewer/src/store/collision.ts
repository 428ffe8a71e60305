// SPDX-License-Identifier: MIT
import { Body, Document, Joint, Mesh, Surface } from '../abi/marrow';

/** A joint between two bodies of one system. */
export interface BodyJoint {
  joint: Joint;
  /** Game units per unit of the system. */
  gameUnits: number;
}

/** A body of a physics system with its surfaces, and the joints that it is the child of. */
export interface BodyMesh {
  system: number;
  index: number;
  gameUnits: number;
  body: Body;
  meshes: Mesh[];
  joints: Joint[];
}
export type VisibleMesh = Mesh;

/** The library names a surface `NODE`, `NODE.body2` or `NODE.body2.child5`, and without a node `body2`. */
function bodyOf(name: string, bodies: readonly BodyMesh[]): BodyMesh | undefined {
  const numbered = /^(?:(.*)\.)?body(\d+)(?:\.child\d+)?$/.exec(name);
  const node = numbered ? (numbered[1] ?? '') : name.replace(/\.child\d+$/, '');
  const here = bodies.filter((each) => each.body.node === node || each.body.name === node);
  if (numbered) {
    const index = Number(numbered[2]);
    return here.find((each) => each.index === index) ?? bodies.find((each) => each.index === index);
  }
  return here[0] ?? bodies[0];
}

/** Reads all bodies of a document with the surfaces that show them, and the visible meshes. */
export function bodiesWithSurfaces(document: Document): { bodies: BodyMesh[]; meshes: VisibleMesh[] } {
  const count = document.info().collisionCount;
  const bodies: BodyMesh[] = [];
  for (let system = 0; system < count; ++system) {
    const { gameUnits } = document.collision(system);
    const joints = document.joints(system);
    document.bodies(system).forEach((body, index) =>
      bodies.push({ system, index, gameUnits, body, meshes: [], joints: joints.filter((joint) => joint.bodyA === index) }),
    );
  }
  if (bodies.length > 0)
    for (const mesh of document.meshes(Surface.Collision)) bodyOf(mesh.name, bodies)?.meshes.push(mesh);
  return { bodies, meshes: document.meshes(Surface.Meshes) };
}
