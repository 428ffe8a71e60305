// SPDX-License-Identifier: MIT
// What was edited, file by file, and whether it was downloaded.
import { sentenceOf } from '../abi/error';
import { FileEntry, KeptEdits, nameOf } from '../files/entry';
import { zipOf } from '../files/zip_write';
import { Saved, saveFile, writtenFormat } from './saving';
import type { Session } from './session';
import { Versions } from './versions';

/** The edits of one file. */
export interface FileEdits {
  file: number;
  /** What was done, the oldest first. */
  labels: readonly string[];
  /** True if leaving the page would lose them. */
  isUnsaved: boolean;
}

export class Edits {
  readonly versions = new Versions();
  /** For each file that was downloaded, the edit that was its last then. */
  private readonly marks = new Map<number, string>();

  constructor(private readonly session: Session) {}

  has(file: number): boolean {
    return this.session.history.isEdited(file) || this.versions.restoredOf(file) !== undefined;
  }
  private markOf(file: number): string {
    return `${this.versions.restoredOf(file) ? 'restored ' : ''}${this.session.history.lastOf(file)}`;
  }
  private isUnsaved(file: number): boolean {
    return this.has(file) && this.marks.get(file) !== this.markOf(file);
  }
  /** Writes what was edited into the state. */
  refresh(): void {
    const { session } = this;
    const edits = session.state.files
      .filter(({ id }) => this.has(id))
      .map(({ id }): FileEdits => ({ file: id, labels: [...(this.versions.restoredOf(id)?.labels ?? []), ...session.history.labelsOf(id)], isUnsaved: this.isUnsaved(id) }));
    session.store.set({ edits, edited: new Set(edits.map(({ file }) => file)), undo: session.history.undoLabel, redo: session.history.redoLabel });
  }
  get hasUnsaved(): boolean {
    return this.session.state.edits.some(({ isUnsaved }) => isUnsaved);
  }
  /** Notes that a file was downloaded as it is now. */
  saved(files: Iterable<number>): void {
    for (const file of files) this.marks.set(file, this.markOf(file));
    this.refresh();
  }

  /** Makes other bytes the file: an edit that can be taken back. */
  async replace(file: number, label: string, bytes: Uint8Array): Promise<void> {
    const { session, versions } = this;
    const before = versions.isAhead(file) ? (await saveFile(session, file)).bytes : versions.bytes(file);
    const put = (now: Uint8Array | undefined) => {
      versions.set(file, now);
      session.reopen(file);
    };
    session.history.make({ label, file, apply: () => put(bytes), revert: () => put(before) });
  }
  /** Returns a file as it was edited, in a format that can be written: FBX and BVH are only read, and are glTF from now on. */
  async writable(file: number): Promise<Uint8Array> {
    const { session } = this;
    const bytes = await session.bytes(file);
    const { format } = (await session.document(file)).info();
    const written = writtenFormat(session, format);
    if (written === format || this.has(file)) return bytes;
    session.say(`Nothing writes ${format.toUpperCase()}: what is edited in ${nameOf(session.entry(file).path)} comes out as glTF.`, 'info');
    return session.marrow.run('convert', { format: written }, [{ role: 'file', name: session.entry(file).path, bytes }]).files[0]!.bytes;
  }
  /** Runs an operation on a file and makes its result the file. Returns false if it failed, and reports the reason. */
  async run(file: number, label: string, operation: string, options: Record<string, unknown>, more: readonly { role: string; file: number }[] = []): Promise<boolean> {
    const { session } = this;
    const described = session.operations.get(operation);
    const main = described?.inputs.find((input) => input.main) ?? described?.inputs[0];
    if (!main) return false;
    try {
      const inputs = [{ role: main.name, name: session.entry(file).path, bytes: await this.writable(file) }];
      for (const each of more) inputs.push({ role: each.role, name: session.entry(each.file).path, bytes: await session.bytes(each.file) });
      const { files, notes } = session.marrow.run(operation, options, inputs);
      if (!files[0]) throw new Error('Nothing was written.');
      await this.replace(file, label, files[0].bytes);
      if (notes[0]) session.say(notes[0].message, 'info');
      return true;
    } catch (failure) {
      session.say(sentenceOf(failure), 'error');
      return false;
    }
  }

  /** Takes all edits of a file back, for good. */
  drop(file: number): void {
    const { session } = this;
    const isTuned = session.tuner.forget(file);
    session.history.forget(file);
    this.versions.forget(file);
    this.marks.delete(file);
    session.reopen(file, isTuned);
    this.refresh();
  }

  /** Takes up what was edited in a file in an earlier session. */
  restore({ id, kept }: FileEntry): void {
    if (!kept) return;
    this.versions.restore(id, { bytes: kept.bytes, labels: kept.labels });
    if (kept.preset) this.session.tuner.presets.set(id, kept.preset);
    for (const tuned of kept.tuned ?? []) this.session.tuner.remember({ ...tuned, file: id });
  }
  /** Returns what has to be kept of a file's edits; null if nothing would be lost. */
  async kept({ id }: FileEntry): Promise<KeptEdits | null> {
    const edits = this.session.state.edits.find(({ file }) => file === id);
    if (!edits?.isUnsaved) return null;
    const { labels } = edits;
    const { presets, tuned } = this.session.tuner;
    const preset = presets.get(id);
    const isAnvil = (await this.session.document(id)).info().format.startsWith('anvil');
    if (!isAnvil && preset && !this.versions.isAhead(id) && !this.versions.bytes(id)) return { labels, preset, tuned: [...tuned.values()].filter(({ file }) => file === id) };
    return { labels, bytes: (await saveFile(this.session, id)).bytes };
  }

  /** Returns all edited files in one archive. */
  async zip(): Promise<Saved> {
    const files: [string, Uint8Array][] = [];
    const taken = new Set<string>();
    for (const { file } of this.session.state.edits) {
      const { name, bytes } = await saveFile(this.session, file);
      const { path } = this.session.entry(file);
      let full = path.slice(0, path.length - nameOf(path).length) + name;
      for (let i = 2; taken.has(full); ++i) full = full.replace(/( \d+)?(\.[^.]*)$/, ` ${i}$2`);
      taken.add(full);
      files.push([full, bytes]);
    }
    return { name: 'edited.zip', bytes: zipOf(files) };
  }
}
