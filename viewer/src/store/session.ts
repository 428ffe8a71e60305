// SPDX-License-Identifier: MIT
// What happens on the page: files come in, one is shown, time passes, things are edited. All decisions about formats are
// the library's; this file only asks it in the right order.
import { sentenceOf } from '../abi/error';
import { Annotation, Document, Marrow } from '../abi/marrow';
import type { Cure, ModifierType, OperationDescription, TreeBox } from '../abi/reports';
import type { FileEntry } from '../files/entry';
import { withBuffers } from '../files/gltf';
import { Clock } from './clock';
import { Edit, History } from './history';
import { canFix, checkShown, compareWith, fixShown } from './judging';
import type { LiveRig } from './live_rig';
import { openBody, openClip, openCollision, openSkeleton, refused, unshown } from './opening';
import { saveFile } from './saving';
import { Stacks, kMostStack } from './stacks';
import type { State, Subject } from './state';
import { Store } from './store';
import { Tuner } from './tuner';
import { View } from './view';

export class Session {
  readonly history = new History(() => this.historyChanged());
  readonly clock = new Clock(this);
  readonly stacks = new Stacks(this);
  readonly tuner = new Tuner(this);
  readonly view: View;
  readonly operations: ReadonlyMap<string, OperationDescription>;
  readonly modifierTypes: ReadonlyMap<string, ModifierType>;
  private readonly open = new Map<number, Document>();
  private turn = 0;

  constructor(
    readonly marrow: Marrow,
    readonly store: Store<State>,
  ) {
    this.view = new View(store);
    this.operations = new Map(marrow.describe().map((operation) => [operation.name, operation]));
    const rows = Object.values(marrow.run('rig fields', {}, []).report).find(Array.isArray) as ModifierType[];
    this.modifierTypes = new Map(rows.map((type) => [type.class_name, type]));
  }

  get state(): Readonly<State> {
    return this.store.state;
  }
  entry(id: number): FileEntry {
    const found = this.state.files.find((file) => file.id === id);
    if (!found) throw new Error('The file is not open any more.');
    return found;
  }

  // ------------------------------------------------------------ files

  /** Adds files and shows the first that is worth it. */
  async add(files: readonly FileEntry[], sample = false): Promise<void> {
    if (files.length === 0) return this.say('There are no files in what was dropped.', 'error');
    const keep = this.state.sample ? [] : this.state.files;
    if (this.state.sample) this.closeAll();
    this.store.set({ files: [...keep, ...files], sample, comparison: null, loading: true });
    await this.show((await this.firstToShow(files)).id);
  }

  /** A clip is worth more than the skeleton that came with it, and a base more than its addons. */
  private async firstToShow(files: readonly FileEntry[]): Promise<FileEntry> {
    const few = files.slice(0, kMostStack);
    let best = files[0]!, most = -1;
    for (const file of few) {
      const worth = await this.worthOf(file);
      if (worth > most) [best, most] = [file, worth];
    }
    // A clip that comes to a skeleton which is shown is what one wants to see; a skeleton that comes to a clip that
    // waits for one lets the clip play.
    const { subject } = this.state;
    if (subject?.kind === 'unshown' && most === 1) {
      const waiting = this.state.files.find((file) => file.id === subject.file);
      if (waiting && !files.includes(waiting)) return waiting;
    }
    return best;
  }
  private async worthOf(file: FileEntry): Promise<number> {
    try {
      const info = (await this.document(file.id)).info();
      if (info.clipCount > 0) return 4;
      if (info.collisionCount > 0 || info.meshCount > 0) return 3;
      if (info.format.startsWith('anvil')) return 2;
      return 1;
    } catch {
      return 0;
    } finally {
      this.closeUnused();
    }
  }

  /** Opens a file, or returns the document that is open already. */
  async document(id: number): Promise<Document> {
    const known = this.open.get(id);
    if (known) return known;
    const file = this.entry(id);
    const bytes = await withBuffers(file.path, await file.read(), this.state.files);
    const again = this.open.get(id);
    if (again) return again;
    const document = this.marrow.load(bytes, file.path);
    this.open.set(id, document);
    return document;
  }
  /** Returns the document of a file that is open. */
  opened(id: number): Document | undefined {
    return this.open.get(id);
  }
  /** Closes documents that nothing shows and nobody edited. */
  closeUnused(): void {
    const { subject, comparison, stack } = this.state;
    const used = new Set([subject?.file, comparison?.file, ...(stack?.files ?? [])]);
    if (subject?.kind === 'motion') {
      used.add(subject.skeletonFile);
      for (const { file } of subject.worn) used.add(file);
    }
    for (const [id, document] of this.open)
      if (!used.has(id) && !this.history.isEdited(id)) {
        document.release();
        this.open.delete(id);
      }
  }
  private closeAll(): void {
    this.releaseSubject();
    this.store.set({ subject: null, comparison: null, stack: null, rig: null, active: null, files: [] });
    this.closeUnused();
  }
  remove(id: number): void {
    const { files, active } = this.state;
    const left = files.filter((file) => file.id !== id);
    this.history.forget(id);
    if (active === id) this.releaseSubject();
    this.store.set({ files: left, ...(active === id ? { subject: null, active: null } : {}) });
    this.closeUnused();
    if (active === id && left[0]) void this.show(left[0].id);
  }
  /** Files whose edits were downloaded. */
  saved: ReadonlySet<number> = new Set();
  /** True if closing the page would lose work. */
  get hasUnsaved(): boolean {
    return [...this.state.edited].some((id) => !this.saved.has(id));
  }
  /** Returns a file with what was edited, for the library to read. */
  async bytes(id: number): Promise<Uint8Array> {
    return withBuffers(this.entry(id).path, (await saveFile(this, id)).bytes, this.state.files);
  }
  /** Shows the next or the previous file of the list. */
  async browse(by: number): Promise<void> {
    const { files, active } = this.state;
    const at = files.findIndex((file) => file.id === active);
    const next = files[Math.min(Math.max(at + by, 0), files.length - 1)];
    if (next && next.id !== active) await this.show(next.id);
  }

  // ------------------------------------------------------------ showing

  /** Shows a file. What does not work is shown as a sentence. */
  async show(id: number): Promise<void> {
    const turn = ++this.turn;
    this.store.set({ active: id, loading: true, hovered: null });
    let subject: Subject;
    let rig: LiveRig | null = null;
    let stack: State['stack'] = null;
    try {
      const document = await this.document(id);
      const info = document.info();
      if (info.format.startsWith('anvil')) [subject, rig, stack] = await this.stacks.open(id);
      else if (info.clipCount > 0) subject = await openClip(this, id, document);
      else if (info.format === 'nif' && info.collisionCount === 0 && info.meshCount > 0) subject = (await openBody(this, id, document)) ?? openCollision(this, id, document);
      else if (info.collisionCount > 0 || (info.meshCount > 0 && (info.format === 'nif' || info.skeletonCount === 0))) subject = openCollision(this, id, document);
      else if (info.skeletonCount > 0) subject = await openSkeleton(this, id, document);
      else subject = unshown(id, 'There is nothing to see in this file', 'It has no skeleton, clip, collision or mesh.', '');
    } catch (failure) {
      subject = refused(this, id, failure);
    }
    if (turn !== this.turn) {
      if (subject.kind === 'motion') subject.actor.release();
      rig?.release();
      return;
    }
    this.releaseSubject();
    const sameKind = this.state.subject?.kind === subject.kind;
    const right = subject.kind === 'collision' ? 'collision' : rig ? 'rig' : 'inspect';
    this.store.set({
      subject, rig, stack, active: subject.file, loading: false, comparison: null, findings: null,
      frame: 0, body: null, modifier: rig ? (rig.modifiers.length > 0 ? 0 : null) : null,
      ...(sameKind ? {} : { bone: null }),
      ...(this.state.right === 'check' && subject.kind !== 'unshown' ? {} : { right }),
      world: { ...this.state.world, step: 0 },
    });
    this.clock.restart();
    this.closeUnused();
    if (this.state.right === 'check') await this.check();
  }
  /** Lets go of what the library holds for what is shown. */
  releaseSubject(): void {
    const { subject, comparison, rig } = this.state;
    if (subject?.kind === 'motion') subject.actor.release();
    comparison?.actor.release();
    rig?.release();
  }

  /** Returns the boxes of the trees of the collision that is shown. */
  treeBoxes(): readonly TreeBox[] {
    const { subject } = this.state;
    const document = subject && this.open.get(subject.file);
    if (!document) return [];
    try {
      return this.marrow.run<{ boxes: TreeBox[] }>('collision boxes', {}, [{ role: 'file', name: this.entry(subject.file).path, document }]).report.boxes;
    } catch (failure) {
      this.say(sentenceOf(failure), 'error');
      return [];
    }
  }

  // ------------------------------------------------------------ comparing and checking

  /** Shows another file beside the one that is shown; null ends that. */
  compare(id: number | null): Promise<void> {
    return compareWith(this, id);
  }
  /** Runs `check` on what is shown. */
  check(): Promise<void> {
    return checkShown(this);
  }
  canFix(cure: Cure | null): cure is Cure {
    return canFix(this, cure);
  }
  /** Repairs what a finding reports, in a copy that is opened. */
  fix(cure: Cure): Promise<void> {
    return fixShown(this, cure);
  }

  // ------------------------------------------------------------ editing

  /** Replaces the annotations of the clip that is shown. */
  annotate(label: string, annotations: readonly Annotation[], gesture?: string): void {
    const { subject } = this.state;
    if (subject?.kind !== 'motion' || !subject.clip) return;
    const file = subject.file;
    const before = subject.annotations;
    const put = (list: readonly Annotation[]) => {
      this.open.get(file)?.setAnnotations(0, list);
      const now = this.state.subject;
      if (now?.kind === 'motion' && now.file === file) this.store.set({ subject: { ...now, annotations: list } });
    };
    const edit: Edit = { label, file, apply: () => put(annotations), revert: () => put(before) };
    if (gesture) edit.gesture = gesture;
    this.history.make(edit);
  }
  private historyChanged(): void {
    const edited = new Set(this.state.files.map((file) => file.id).filter((id) => this.history.isEdited(id)));
    this.saved = new Set();
    this.store.set({ undo: this.history.undoLabel, redo: this.history.redoLabel, edited });
  }

  // ------------------------------------------------------------ words

  say(text: string, level: 'info' | 'error'): void {
    this.store.set({ message: { text, level } });
  }
}
