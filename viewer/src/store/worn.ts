// SPDX-License-Identifier: MIT
// Bodies on an actor: the visible shapes of other files, moved by the bones of the skeleton that is shown.
import { Bone, Document, Marrow, Shape, shapesOf } from '../abi/marrow';
import type { FileEntry } from '../files/entry';
import type { Actor } from './actor';
import { kFloats } from './pose';
import type { Session } from './session';
import type { Motion } from './state';

/** Files that are asked for shapes: a folder of thousands is not a wardrobe. */
const kMostBodies = 40;
/** Share of the joints of a body that the skeleton must have. */
const kLeastShare = 0.5;

/** The shapes of one file on an actor. */
export interface Worn {
  file: number;
  /** Bones of the actor first, then those that only the shapes have. */
  bones: readonly Bone[];
  shapes: readonly Shape[];
}

export const shapeKey = (file: number, shape: number): string => `${file}:${shape}`;

/** Poses the bones of a body: those of the actor as they are, the others as they rest on their parents. */
export class BodyPose {
  private readonly parents: Int32Array;
  private readonly local: Float32Array;
  readonly model: Float32Array;

  constructor(
    private readonly marrow: Marrow,
    private readonly actor: Actor,
    worn: Worn,
  ) {
    this.parents = Int32Array.from(worn.bones, (bone) => bone.parent);
    this.local = new Float32Array(worn.bones.length * kFloats);
    this.model = new Float32Array(worn.bones.length * kFloats);
    worn.bones.forEach((bone, i) => this.local.set(bone.rest, i * kFloats));
  }
  /** Takes the pose that the actor has at a frame. */
  update(frame: number): void {
    if (this.parents.length === this.actor.bones.length) {
      this.model.set(this.actor.model);
      return;
    }
    this.actor.poseLocal(frame);
    this.local.set(this.actor.local);
    this.marrow.poseToModel(this.parents, this.local, this.model);
  }
}

const isBodyFile = (file: FileEntry) => /\.(nif|glb|gltf)$/i.test(file.path);
export const isTextureFile = (file: FileEntry): boolean => /\.(dds|png|jpe?g|webp)$/i.test(file.path);

/** True if most joints of the shapes are bones of the skeleton, or hang on them. */
function fits(count: number, bones: readonly Bone[], shapes: readonly Shape[]): boolean {
  const isMoved = (bone: number) => {
    let at = bone;
    while (at >= count) at = bones[at]!.parent;
    return at >= 0;
  };
  const joints = shapes.flatMap((shape) => [...shape.bones]);
  return joints.length > 0 && joints.filter(isMoved).length >= joints.length * kLeastShare;
}

/** Returns the skinned shapes of all files that fit a skeleton, and whatever the skeleton's own file has. Files that
 *  cannot be read have none. */
export async function bodiesFor(session: Session, skeletonFile: number, skeleton: Document, actor: Actor): Promise<Worn[]> {
  const worn: Worn[] = [];
  for (const file of session.state.files.filter(isBodyFile).slice(0, kMostBodies)) {
    try {
      const isOwn = file.id === skeletonFile;
      const document = isOwn ? skeleton : await session.document(file.id);
      const { bones, shapes } = shapesOf(document, isOwn ? null : skeleton);
      if (shapes.length === 0 || bones.length < actor.bones.length) continue;
      if (isOwn || fits(actor.bones.length, bones, shapes.filter((shape) => shape.isSkinned))) worn.push({ file: file.id, bones, shapes });
    } catch {
      continue;
    }
  }
  return worn;
}

/** True if all files are bodies without motion of their own that fit what is shown. */
export async function areWorn(session: Session, { actor, skeletonFile }: Motion, files: readonly FileEntry[]): Promise<boolean> {
  if (actor.isPaired || !files.every(isBodyFile)) return false;
  try {
    for (const file of files) {
      const { format, clipCount, skeletonCount } = (await session.document(file.id)).info();
      if (format !== 'nif' && clipCount + skeletonCount > 0) return false;
    }
    const worn = await bodiesFor(session, skeletonFile, await session.document(skeletonFile), actor);
    return files.every(({ id }) => worn.some(({ file }) => file === id));
  } catch {
    return false; // it is shown by itself, with the reason
  }
}
