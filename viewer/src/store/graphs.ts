// SPDX-License-Identifier: MIT
// Behaviours: the graph of a file, and the animations that its clip generators play.
import { nameOf } from '../files/entry';
import type { Session } from './session';

/** A clip generator of a behaviour. */
export interface GraphClip {
  /** As the graph numbers its nodes: "#0108". */
  node: string;
  name: string;
  animation: string;
  /** The open file with that animation; null if there is none. */
  file: number | null;
}
/** The graph of a behaviour, as the library lays it out. */
export interface Graph {
  file: number;
  svg: string;
  clips: readonly GraphClip[];
  /** The clip generator that plays. */
  playing: string | null;
}

interface BehaviorReport {
  clips?: { node: string; name: string; animation: string }[];
}

const plain = (path: string) => path.toLowerCase().replaceAll('\\', '/');

/** Returns the open file of an animation: the path that the behaviour states, else the name. */
function fileOf(session: Session, animation: string): number | null {
  const wanted = plain(animation), name = nameOf(wanted);
  const { files } = session.state;
  const found = files.find((file) => plain(file.path) === wanted || plain(file.path).endsWith(`/${wanted}`)) ?? files.find((file) => nameOf(plain(file.path)) === name);
  return found?.id ?? null;
}

/** Reads a file as a behaviour; null if it is not one. */
export async function graphOf(session: Session, id: number): Promise<Graph | null> {
  const input = [{ role: session.operations.get('behavior graph')?.inputs[0]?.name ?? 'file', name: session.entry(id).path, bytes: await session.bytes(id) }];
  try {
    const { report } = session.marrow.run<BehaviorReport>('behavior list', {}, input);
    const { files } = session.marrow.run('behavior graph', { format: 'svg' }, input);
    const clips = (report.clips ?? []).map(({ node, name, animation }) => ({ node, name, animation, file: fileOf(session, animation) }));
    return { file: id, svg: new TextDecoder().decode(files[0]!.bytes), clips, playing: null };
  } catch {
    return null;
  }
}

/** Plays the animation of a clip generator beside the graph. */
export async function playNode(session: Session, node: string): Promise<void> {
  const { graph } = session.state;
  const clip = graph?.clips.find((each) => each.node === node);
  if (!graph || !clip) return;
  const file = clip.file ?? fileOf(session, clip.animation);
  if (file === null) return session.say(`${clip.name} plays ${clip.animation}, which is not open. Drop it here too.`, 'error');
  session.store.set({ graph: { ...graph, playing: node } });
  await session.show(file, false, true);
}
