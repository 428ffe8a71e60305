// SPDX-License-Identifier: MIT
// Edits of collision, as `collision set` and `collision set-joint` make them.
import type { Session } from './session';

/** What can be set of a body by hand. */
export interface BodyChange {
  material?: string;
  layer?: string;
  motion?: string;
  mass?: number;
  friction?: number;
  restitution?: number;
}

export class BodyEdits {
  private names = new Map<string, readonly { name: string; crc?: string }[]>();

  constructor(private readonly session: Session) {}

  /** The names of materials or layers of the game that is shown. */
  namesOf(what: 'materials' | 'layers'): readonly string[] {
    return this.rowsOf(what).flatMap(({ name }) => (name.startsWith('0x') ? [] : [name]));
  }
  /** The name of a material that triangles have. */
  materialName(crc: number): string {
    const words = `0x${crc.toString(16).padStart(8, '0')}`;
    return this.rowsOf('materials').find((row) => row.crc === words)?.name ?? words;
  }
  private rowsOf(what: 'materials' | 'layers'): readonly { name: string; crc?: string }[] {
    const { subject } = this.session.state;
    const game = subject?.kind === 'collision' ? subject.info.game : '';
    const key = `${what} ${game}`;
    let names = this.names.get(key);
    if (!names) {
      try {
        const { report } = this.session.marrow.run<Record<string, unknown>>(`collision ${what}`, game ? { game } : {}, []);
        names = (Object.values(report).find(Array.isArray) ?? []) as { name: string; crc?: string }[];
      } catch {
        names = [];
      }
      this.names.set(key, names);
    }
    return names;
  }

  /** Changes one body. */
  async set(body: number, change: BodyChange): Promise<void> {
    const { subject } = this.session.state;
    const found = subject?.kind === 'collision' ? subject.bodies[body] : undefined;
    if (!subject || subject.kind !== 'collision' || !found) return;
    const block = subject.systems[found.system]?.block;
    const name = found.body.node || found.body.name || `body ${body}`;
    const [[what, value]] = Object.entries(change) as [[string, unknown]];
    const id = subject.systems[found.system]?.bodies[found.index]?.id ?? found.index;
    await this.session.edits.run(subject.file, `${what} of ${name}: ${String(value)}`, 'collision set', { ...change, body: [id], ...(block === null || block === undefined ? {} : { block }) });
  }

  /** Sets the limits of a joint, in degrees. */
  async setJoint(system: number, joint: number, change: { twist?: [number, number]; cone?: number; plane?: [number, number]; angle?: [number, number] }): Promise<void> {
    const { subject } = this.session.state;
    if (subject?.kind !== 'collision') return;
    const block = subject.systems[system]?.block;
    const [[what, value]] = Object.entries(change) as [[string, unknown]];
    await this.session.edits.run(subject.file, `${what} of joint ${joint}: ${String(value)}`, 'collision set-joint', { ...change, joint: [joint], ...(block === null || block === undefined ? {} : { block }) });
  }
}
