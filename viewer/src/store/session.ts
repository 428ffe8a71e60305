// SPDX-License-Identifier: MIT
// What happens on the page: files come in, one is shown, time passes, things are edited. All decisions about formats are
// the library's; this file only asks it in the right order.
import { sentenceOf } from '../abi/error';
import { Annotation, Document, Marrow, shapesOf } from '../abi/marrow';
import type { Cure, ModifierType, OperationDescription, TreeBox } from '../abi/reports';
import { FileEntry, entryOfBytes } from '../files/entry';
import { withBuffers } from '../files/gltf';
import { orderSkeletons } from '../files/pairing';
import { adoptSession, dropSession } from '../files/remember';
import { BodyEdits } from './body_edits';
import { ClipEdits } from './clip_edits';
import { Clock } from './clock';
import { toggleContacts } from './contacts';
import { Edits } from './edits';
import { Graph, graphOf, playNode } from './graphs';
import { Edit, History } from './history';
import { canFix, checkShown, compareWith, fixShown } from './judging';
import type { LiveRig } from './live_rig';
import { hasBodies, openBody, openClip, openCollision, openSkeleton, refused, unshown } from './opening';
import type { Wanted } from './plays_on';
import { saveFile } from './saving';
import { Stacks, kMostStack } from './stacks';
import type { State, Subject, Waiting } from './state';
import { Store } from './store';
import { Tuner } from './tuner';
import { View } from './view';
import { areWorn, isTextureFile } from './worn';

/** What is worth opening first. */
const kPromising = [/\.(hkx|nif|glb|gltf)$/i, /animations?\/.*\.hkx$/i];
const promiseOf = (path: string): number => kPromising.filter((pattern) => pattern.test(path)).length;

export class Session {
  readonly history = new History(() => this.edits.refresh());
  readonly edits = new Edits(this);
  readonly clock = new Clock(this);
  readonly stacks = new Stacks(this);
  readonly tuner = new Tuner(this);
  readonly bodyEdits = new BodyEdits(this);
  readonly clipEdits = new ClipEdits(this);
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

  has(id: number): boolean {
    return this.state.files.some((file) => file.id === id);
  }

  // ------------------------------------------------------------ files

  /** Adds files and shows the first that is worth it. */
  async add(files: readonly FileEntry[], sample = false): Promise<void> {
    if (files.length === 0) return this.say('There are no files in what was dropped.', 'error');
    // The sample goes when something else comes, unless somebody edited it.
    const isReplaced = this.state.sample && !this.hasUnsaved;
    const keep = isReplaced ? [] : this.state.files;
    if (isReplaced) this.closeAll();
    this.store.set({ files: [...keep, ...files], sample, comparison: null, loading: true });
    files.forEach((file) => this.edits.restore(file));
    this.edits.refresh();
    if (!isReplaced && (await this.wear(files))) return;
    await this.show((await this.firstToShow(files)).id);
  }
  /** Puts bodies on the figure that is shown, and textures on its bodies. Returns false if the files are something else. */
  private async wear(files: readonly FileEntry[]): Promise<boolean> {
    const { subject, stack, graph } = this.state;
    if (subject?.kind !== 'motion' || stack) return false;
    const bodies = files.filter((file) => !isTextureFile(file));
    if (bodies.length > 0 && !(await areWorn(this, subject, bodies))) return false;
    await this.show(subject.file, true, graph !== null);
    return true;
  }

  /** Opens a file that was made here. A clip is shown beside the one that it was made of. */
  async openBeside(name: string, bytes: Uint8Array, source: number | null): Promise<void> {
    const batch = source === null ? 0 : this.entry(source).batch;
    const made = entryOfBytes(name, bytes, batch);
    this.store.set({ files: [...this.state.files, made], sample: false });
    const { subject } = this.state;
    const isClip = async (id: number) => (await this.document(id)).info().clipCount > 0;
    try {
      if (source !== null && subject?.kind === 'motion' && subject.file === source && (await isClip(source)) && (await isClip(made.id))) return await this.compare(made.id);
    } catch {
      // It cannot be compared: it is shown, or it is said why not.
    }
    await this.show(made.id);
  }

  /** A clip is worth more than the skeleton that came with it, a body more than collision, and a base more than its addons. */
  private async firstToShow(files: readonly FileEntry[]): Promise<FileEntry> {
    // Of thousands only some are opened: those whose names promise most.
    const few = [...files].sort((a, b) => promiseOf(b.path) - promiseOf(a.path)).slice(0, kMostStack);
    let best = few[0]!, most = -1;
    for (const file of few) {
      const worth = await this.worthOf(file);
      if (worth > most) [best, most] = [file, worth];
    }
    // A clip that comes to a skeleton which is shown is what one wants to see; a skeleton that comes to a clip that
    // waits for one lets the clip play.
    const { subject } = this.state;
    if (subject?.kind === 'unshown' && most === 1 && (await this.document(best.id)).info().skeletonCount > 0) {
      const waiting = this.state.files.find((file) => file.id === subject.file);
      if (waiting && !files.includes(waiting)) return waiting;
    }
    return best;
  }
  private async worthOf(file: FileEntry): Promise<number> {
    try {
      const info = (await this.document(file.id)).info();
      if (info.clipCount > 0) return 4;
      if (info.format === 'nif' && !hasBodies(await this.document(file.id)) && shapesOf(await this.document(file.id), null).shapes.some((shape) => shape.isSkinned)) return 3.5;
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
    const bytes = await withBuffers(file.path, this.edits.versions.bytes(id) ?? (await file.read()), this.state.files);
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
      if (!used.has(id) && !this.edits.versions.isAhead(id)) {
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
    this.edits.versions.forget(id);
    this.tuner.forget(id);
    if (active === id) this.releaseSubject();
    this.store.set({ files: left, ...(active === id ? { subject: null, rig: null, stack: null, comparison: null, active: null } : {}) });
    this.edits.refresh();
    this.closeUnused();
    if (active === id && left[0]) void this.show(left[0].id);
  }
  /** Notes edits of earlier sessions, of files that are not open. */
  setWaiting(waiting: readonly Waiting[]): void {
    this.store.set({ waiting });
  }
  /** Lists edits that a page has left which is gone now. */
  offer(ended: Waiting): void {
    this.setWaiting([...this.state.waiting, ended]);
    this.say('Edits of another page wait in the tab Edits.', 'info');
  }
  /** Opens what an earlier session has left, or forgets it. */
  async settle(key: string, isWanted: boolean): Promise<void> {
    const found = this.state.waiting.find((each) => each.key === key);
    this.setWaiting(this.state.waiting.filter((each) => each.key !== key));
    if (!isWanted || !found) return dropSession(key);
    adoptSession(key);
    await this.add(found.files);
  }
  /** True if closing the page would lose work. */
  get hasUnsaved(): boolean {
    return this.edits.hasUnsaved;
  }
  /** Reads a file anew whose bytes changed, and shows it if it is shown. `always`: even if its document is not open. */
  reopen(id: number, always = false): void {
    const document = this.open.get(id);
    if (!document && !always) return;
    document?.release();
    this.open.delete(id);
    const { subject, comparison, stack, active } = this.state;
    const shown = [subject?.file, ...(stack?.files ?? []), ...(subject?.kind === 'motion' ? [subject.skeletonFile, ...subject.worn.map((each) => each.file)] : [])];
    if (shown.includes(id) && active !== null) void this.show(active, true);
    else if (comparison?.file === id) void compareWith(this, id, comparison.clipIndex, true);
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

  /** What the user chose for a clip: the skeletons that it plays on, and which clip of the file. */
  private readonly wanted = new Map<number, Wanted & { clip?: number; as?: 'skeleton' | 'collision' }>();
  /** Plays a clip on another skeleton. `second` is that of the other actor. */
  async playOn(id: number, first: number, second?: number): Promise<void> {
    this.wanted.set(id, { ...this.wanted.get(id), first, second });
    await this.show(id, true);
  }
  /** Shows a file that has both as a skeleton, or as collision. */
  async showAs(id: number, as: 'skeleton' | 'collision'): Promise<void> {
    this.wanted.set(id, { ...this.wanted.get(id), as });
    await this.show(id);
  }
  /** Shows another clip of the file. */
  async showClip(id: number, clip: number): Promise<void> {
    this.wanted.set(id, { ...this.wanted.get(id), clip });
    await this.show(id);
  }
  /** Shows a file. What does not work is shown as a sentence. `again`: it was shown before, and the view stays. */
  async show(id: number, again = false, besideGraph = false): Promise<void> {
    const turn = ++this.turn;
    const { clip: clipIndex = 0, as, ...wanted } = this.wanted.get(id) ?? {};
    this.store.set({ active: id, loading: true, hovered: null });
    let subject: Subject;
    let rig: LiveRig | null = null;
    let stack: State['stack'] = null;
    let graph = besideGraph || again ? this.state.graph : null;
    try {
      const document = await this.document(id);
      const info = document.info();
      // Skins are not among the meshes, which have fixed places.
      const body = info.format === 'nif' && !hasBodies(document) ? await openBody(this, id, document) : null;
      if (info.format.startsWith('anvil')) [subject, rig, stack] = await this.stacks.open(id);
      else if (info.clipCount > 0) subject = await openClip(this, id, document, Math.min(clipIndex, info.clipCount - 1), wanted);
      else if (body) subject = body;
      else if (info.format !== 'nif' && info.skeletonCount > 0 && document.mainSkeleton() >= 0 && as !== 'collision') subject = await openSkeleton(this, id, document);
      else if (info.collisionCount > 0 || (info.meshCount > 0 && (info.format === 'nif' || info.skeletonCount === 0))) subject = openCollision(this, id, document);
      else if (info.skeletonCount > 0) subject = await openSkeleton(this, id, document);
      else {
        document.readParts();
        graph = await graphOf(this, id);
        subject = graph ? await this.figureOf(graph) : unshown(id, 'There is nothing to see in this file', 'It has no skeleton, clip, collision, mesh or behaviour.', '');
      }
    } catch (failure) {
      subject = refused(this, id, failure);
    }
    if (turn !== this.turn) {
      if (subject.kind === 'motion') subject.actor.release();
      rig?.release();
      return;
    }
    const compared = again ? this.state.comparison : null;
    this.releaseSubject();
    if (subject.kind === 'motion' && !stack) rig = this.tuner.revive(subject);
    const sameKind = this.state.subject?.kind === subject.kind;
    const right = subject.kind === 'collision' ? 'collision' : rig ? 'rig' : 'inspect';
    this.store.set({
      subject, rig, stack, graph, active: graph && !besideGraph && !again ? id : subject.file, loading: false, comparison: null, findings: null, contacts: null, range: null,
      ...(again ? {} : { trails: [], pinned: [], ruler: [], eyeBone: null, bends: new Map() }),
      frame: again && subject.kind === 'motion' ? Math.min(this.state.frame, Math.max(subject.actor.frameCount - 1, 0)) : 0,
      body: again ? this.state.body : null, modifier: rig ? (rig.modifiers.length > 0 ? 0 : null) : null,
      ...(sameKind ? {} : { bone: null }),
      ...(again || (this.state.right === 'check' && subject.kind !== 'unshown') ? {} : { right }),
      world: { ...this.state.world, step: 0 },
    });
    this.clock.restart();
    this.closeUnused();
    if (compared && this.has(compared.file)) await compareWith(this, compared.file, compared.clipIndex, true);
    if (this.state.right === 'check') await this.check();
  }
  /** The figure beside a graph: the first of its clips that is open, else a skeleton. */
  private async figureOf(graph: Graph): Promise<Subject> {
    for (const { node, file } of graph.clips) {
      if (file === null) continue;
      const subject = await openClip(this, file, await this.document(file));
      if (subject.kind !== 'motion') continue;
      graph.playing = node;
      return subject;
    }
    for (const file of orderSkeletons(this.entry(graph.file), this.state.files)) {
      try {
        const document = await this.document(file.id);
        if (document.mainSkeleton() >= 0) return await openSkeleton(this, file.id, document);
      } catch {
        continue;
      }
    }
    return unshown(graph.file, 'A behaviour', 'Drop its skeleton and its animations here too, and a click on a clip plays it.', '');
  }
  /** Plays the animation of a clip generator beside its graph. */
  playNode(node: string): Promise<void> {
    return playNode(this, node);
  }
  closeGraph(): void {
    this.store.set({ graph: null });
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

  /** Shows a clip of another file, or another of the same, beside the one that is shown; null ends that. */
  compare(id: number | null, clip = 0): Promise<void> {
    return compareWith(this, id, clip);
  }
  /** Shows where feet stand, or stops that. */
  toggleContacts(): Promise<void> {
    return toggleContacts(this);
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
    const before = subject.annotations, index = subject.clipIndex;
    const put = (list: readonly Annotation[]) => {
      this.edits.versions.setAhead(file);
      const document = this.open.get(file);
      if (document) document.setAnnotations(index, list);
      else void this.document(file).then((opened) => opened.setAnnotations(index, list));
      const now = this.state.subject;
      if (now?.kind === 'motion' && now.file === file && now.clipIndex === index) this.store.set({ subject: { ...now, annotations: list } });
    };
    const edit: Edit = { label, file, apply: () => put(annotations), revert: () => put(before) };
    if (gesture) edit.gesture = gesture;
    this.history.make(edit);
  }
  // ------------------------------------------------------------ words

  say(text: string, level: 'info' | 'error'): void {
    this.store.set({ message: { text, level } });
  }
}
