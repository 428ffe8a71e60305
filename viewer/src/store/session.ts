// SPDX-License-Identifier: MIT
// What happens on the page: files come in, one is shown, time passes, things are edited. All decisions about formats are
// the library's; this file only asks it in the right order.
import { MarrowError, sentenceOf } from '../abi/error';
import { Annotation, Document, Marrow } from '../abi/marrow';
import type { CheckReport, CollisionSystem, DiffReport, ModifierType, OperationDescription, PlanReport, TreeBox } from '../abi/reports';
import { FileEntry, nameOf } from '../files/entry';
import { withBuffers } from '../files/gltf';
import { orderSkeletons } from '../files/pairing';
import { Actor, mainSkeleton, makeActor } from './actor';
import { bodiesWithSurfaces } from './collision';
import { compareActors } from './compare';
import { Edit, History } from './history';
import { LiveRig } from './live_rig';
import type { Comparison, Motion, State, Subject } from './state';
import { Store } from './store';
import { saveFile } from './saving';
import { modifierOwners } from './tuning';

const kMostStack = 24;

export class Session {
  readonly history = new History(() => this.historyChanged());
  readonly operations: ReadonlyMap<string, OperationDescription>;
  readonly modifierTypes: ReadonlyMap<string, ModifierType>;
  private readonly open = new Map<number, Document>();
  private turn = 0;
  private owed = 0;

  constructor(
    readonly marrow: Marrow,
    readonly store: Store<State>,
  ) {
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
  private closeUnused(): void {
    const { subject, comparison, stack } = this.state;
    const used = new Set([subject?.file, comparison?.file, ...(stack?.files ?? [])]);
    if (subject?.kind === 'motion') used.add(subject.skeletonFile);
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
      if (info.format.startsWith('anvil')) [subject, rig, stack] = await this.openRig(id);
      else if (info.clipCount > 0) subject = await this.openClip(id, document);
      else if (info.collisionCount > 0 || (info.meshCount > 0 && (info.format === 'nif' || info.skeletonCount === 0))) subject = this.openCollision(id, document);
      else if (info.skeletonCount > 0) subject = this.openSkeleton(id, document);
      else subject = this.unshown(id, 'There is nothing to see in this file', 'It has no skeleton, clip, collision or mesh.', '');
    } catch (failure) {
      subject = this.refused(id, failure);
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
    this.owed = 0;
    this.closeUnused();
    if (this.state.right === 'check') await this.check();
  }
  private releaseSubject(): void {
    const { subject, comparison, rig } = this.state;
    if (subject?.kind === 'motion') subject.actor.release();
    comparison?.actor.release();
    rig?.release();
  }

  private openSkeleton(id: number, document: Document): Motion {
    const actor = makeActor(document, mainSkeleton(document), null);
    return { kind: 'motion', file: id, info: document.info(), clip: null, skeletonFile: id, actor, annotations: [] };
  }

  private async openClip(id: number, document: Document): Promise<Subject> {
    const found = await this.pair(id, document);
    if ('kind' in found) return found;
    const { actor, skeletonFile } = found;
    return {
      kind: 'motion', file: id, info: document.info(), clip: document.clip(0), skeletonFile, actor,
      annotations: document.annotations(0),
    };
  }

  /** Finds the skeleton of a clip among the files: the best that fits. */
  private async pair(id: number, document: Document): Promise<{ actor: Actor; skeletonFile: number } | Subject> {
    const clip = document.clip(0);
    const own = mainSkeleton(document);
    if (own >= 0) return { actor: makeActor(document, own, document), skeletonFile: id };
    const refusals: string[] = [];
    for (const file of orderSkeletons(this.entry(id), this.state.files)) {
      let candidate: Document;
      try {
        candidate = await this.document(file.id);
      } catch {
        continue;
      }
      const index = mainSkeleton(candidate);
      if (index < 0) continue;
      const { boneCount, name } = candidate.skeleton(index);
      if (clip.trackCount <= boneCount) return { actor: makeActor(candidate, index, document), skeletonFile: file.id };
      // More tracks than bones: two actors, or another skeleton's clip. The library knows.
      const both = this.openPair(id, document, candidate);
      if (both) return { actor: both, skeletonFile: file.id };
      refusals.push(`${nameOf(file.path)} (${name}) has ${boneCount} bones, but the clip has ${clip.trackCount} tracks`);
    }
    const wanted = `It was made for "${clip.skeletonName}" with ${clip.trackCount} bones. Drop its skeleton.hkx here too.`;
    if (refusals.length > 0) return this.unshown(id, 'No open skeleton fits this clip', refusals.slice(0, 3).join('; ') + '.', wanted);
    return this.unshown(id, 'This clip needs its skeleton', 'A clip stores motion only, not the bones that it moves.', wanted);
  }
  /** Two actors in one clip: the library lays out the skeleton of both when it writes glTF. */
  private openPair(id: number, document: Document, skeleton: Document): Actor | null {
    try {
      const { files } = this.marrow.run('convert', { format: 'glb', units: 'game' }, [
        { role: 'file', name: this.entry(id).path, document },
        { role: 'skeleton', name: 'skeleton', document: skeleton },
      ]);
      const both = this.marrow.load(files[0]!.bytes, 'pair.glb');
      try {
        return makeActor(both, mainSkeleton(both), both);
      } finally {
        both.release();
      }
    } catch {
      return null;
    }
  }

  private openCollision(id: number, document: Document): Subject {
    const info = document.info();
    const path = this.entry(id).path;
    let systems: CollisionSystem[] = [];
    if (info.collisionCount > 0) {
      const { report } = this.marrow.run('collision list', {}, [{ role: 'file', name: path, document }]);
      systems = (Object.values(report).find(Array.isArray) as CollisionSystem[] | undefined) ?? [];
    }
    const { bodies, meshes } = bodiesWithSurfaces(document);
    return { kind: 'collision', file: id, info, systems, bodies, meshes };
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

  private refused(id: number, failure: unknown): Subject {
    const cure =
      failure instanceof MarrowError && failure.code === 'bad-magic'
        ? 'Marrow reads HKX and XML packfiles, NIF files of Fallout 4, Anvil skeletons as XML, glTF and OBJ.'
        : '';
    return this.unshown(id, `${nameOf(this.entry(id).path)} cannot be read`, sentenceOf(failure), cure);
  }
  private unshown(file: number, title: string, why: string, cure: string): Subject {
    return { kind: 'unshown', file, title, why, cure };
  }

  // ------------------------------------------------------------ rigs

  /** Shows an Anvil skeleton with the addons that came with it. */
  private async openRig(id: number, files?: readonly number[]): Promise<[Motion, LiveRig | null, State['stack']]> {
    const together = files ?? (await this.stackOf(id));
    const documents = await Promise.all(together.map((file) => this.document(file)));
    const plan = this.plan(together, documents);
    const rig = this.marrow.openRig(documents[0]!, documents.slice(1), null, {});
    const info = rig.info();
    const actor = new Actor(rig.bones(), info.metresPerUnit, null, null, null);
    const live = new LiveRig(this.marrow, rig, actor, this.modifierTypes, null);
    const base = plan ? this.fileOfPath(together, plan.base.path) : id;
    const byBone = new Map(plan?.provenance.map(({ bone, from }) => [bone, this.fileOfPath(together, from)]));
    const origins = actor.bones.map((bone) => byBone.get(bone.name) ?? base);
    const motion: Motion = {
      kind: 'motion', file: base, info: (await this.document(base)).info(), clip: null, skeletonFile: base, actor, annotations: [],
    };
    for (const edit of this.tuned.values()) this.applyTuning(live, edit);
    return [motion, live, { files: [base, ...together.filter((file) => file !== base)], plan, origins }];
  }
  private fileOfPath(files: readonly number[], path: string): number {
    return files.find((file) => this.entry(file).path === path) ?? files[0]!;
  }
  private plan(files: readonly number[], documents: readonly Document[]): PlanReport | null {
    if (files.length < 2) return null;
    const inputs = documents.map((document, i) => ({
      role: i === 0 ? 'base' : 'addon', name: this.entry(files[i]!).path, document,
    }));
    return this.marrow.run<PlanReport>('rig plan', {}, inputs).report;
  }
  private limits: ReadonlyMap<string, number> | null = null;
  /** Returns how many bones each game takes, as `rig plan` reports it. */
  boneLimits(): ReadonlyMap<string, number> {
    const { stack } = this.state;
    if (this.limits || !stack) return this.limits ?? new Map();
    const base = { role: 'base', name: this.entry(stack.files[0]!).path, document: this.open.get(stack.files[0]!)! };
    const games = this.operations.get('rig plan')?.options.find((option) => option.name === 'game')?.choices ?? [];
    const limits = new Map<string, number>();
    for (const game of games)
      try {
        limits.set(game, this.marrow.run<PlanReport>('rig plan', { game }, [base]).report.limit);
      } catch {
        continue; // a game of another family
      }
    return (this.limits = limits);
  }
  /** Returns the most bones that the chosen game takes, or that all games take, and whose limit that is. */
  boneBudget(): { limit: number; whose: string } {
    const limits = this.boneLimits(), { game } = this.state;
    const own = limits.get(game);
    return own === undefined ? { limit: Math.min(...limits.values()), whose: 'that every game takes' } : { limit: own, whose: `in ${game}` };
  }
  /** Anvil files that were dropped together are a stack, unless one of them is a whole skeleton beside another. */
  private async stackOf(id: number): Promise<number[]> {
    const file = this.entry(id);
    const together: number[] = [];
    for (const other of this.state.files.filter((each) => each.batch === file.batch).slice(0, kMostStack)) {
      try {
        if ((await this.document(other.id)).info().format.startsWith('anvil')) together.push(other.id);
      } catch {
        // Not part of a stack.
      }
    }
    try {
      const documents = await Promise.all(together.map((each) => this.document(each)));
      const plan = this.plan(together, documents);
      const fits = !plan || plan.addons.every((addon) => addon.merged);
      return fits && together.includes(id) ? together : [id];
    } catch {
      return [id];
    }
  }
  /** Puts a file into the stack, or takes it out. */
  async toggleInStack(id: number): Promise<void> {
    const files = this.state.stack?.files ?? [];
    await this.restack(files.includes(id) ? files.filter((file) => file !== id) : [...files, id]);
  }
  private async restack(files: readonly number[]): Promise<void> {
    if (files.length === 0) return;
    try {
      const [subject, rig, stack] = await this.openRig(files[0]!, files);
      this.releaseSubject();
      this.store.set({ subject, rig, stack, active: subject.file, bone: null, modifier: rig && rig.modifiers.length > 0 ? 0 : null, world: { ...this.state.world, step: 0 } });
      this.closeUnused();
    } catch (failure) {
      this.say(sentenceOf(failure), 'error');
    }
  }

  /** Puts a preset on a bone of whatever is shown, and lets it run. In an Anvil skeleton that is an edit; a skeleton of
   *  another game cannot hold modifiers, and gets a sidecar. */
  async applyPreset(name: string | null, bone: string): Promise<void> {
    const { subject, stack, rig } = this.state;
    if (subject?.kind !== 'motion') return;
    const before = rig?.preset ?? null;
    const next = name ? { name, bone } : null;
    try {
      await this.document(subject.skeletonFile);
      if (!stack) this.putPreset(next);
      else {
        const index = subject.actor.bones.findIndex((each) => each.name === bone);
        const label = name ? `${name} on ${bone}` : `no preset on ${bone}`;
        this.history.make({ label, file: stack.origins[index] ?? subject.file, apply: () => this.putPreset(next), revert: () => this.putPreset(before) });
      }
      if (name) this.say(`${name} runs on ${bone}.`, 'info');
    } catch (failure) {
      this.say(sentenceOf(failure), 'error');
    }
  }
  private putPreset(preset: { name: string; bone: string } | null): void {
    const { subject, stack, rig } = this.state;
    if (subject?.kind !== 'motion') return;
    const documents = (stack?.files ?? [subject.skeletonFile]).map((file) => this.open.get(file)!);
    const opened = this.marrow.openRig(documents[0]!, documents.slice(1), preset?.name ?? null, preset ? { bones: [preset.bone] } : {});
    const live = new LiveRig(this.marrow, opened, subject.actor, this.modifierTypes, preset);
    for (const edit of this.tuned.values()) this.applyTuning(live, edit);
    rig?.release();
    const first = live.modifiers.findIndex((each) => subject.actor.bones[each.bone]?.name === preset?.bone);
    this.store.set({ rig: live, right: 'rig', modifier: first >= 0 ? first : live.modifiers.length > 0 ? 0 : null, world: { ...this.state.world, step: 0, running: true } });
  }

  /** Values that were set by hand, by owner, class and field. */
  readonly tuned = new Map<string, { bone: string; type: string; nth: number; field: string; values: readonly number[] }>();

  private applyTuning(live: LiveRig, edit: { bone: string; type: string; nth: number; field: string; values: readonly number[] }): void {
    const index = modifierOwners(live).findIndex((each) => each.bone === edit.bone && each.type === edit.type && each.nth === edit.nth);
    if (index >= 0) live.rig.setField(index, edit.field, edit.values);
  }
  /** Sets a field of a modifier while it runs. */
  tune(modifier: number, field: string, values: readonly number[]): void {
    const { rig, subject, stack } = this.state;
    if (!rig || subject?.kind !== 'motion') return;
    const owner = modifierOwners(rig)[modifier]!;
    const key = [owner.bone, owner.type, owner.nth, field].join('\n');
    const before = this.tuned.get(key);
    const old = rig.rig.field(modifier, field);
    const set = (edit: { values: readonly number[] } | undefined, to: readonly number[]) => {
      if (edit) this.tuned.set(key, { ...owner, field, values: edit.values });
      else this.tuned.delete(key);
      const live = this.state.rig;
      if (live) this.applyTuning(live, { ...owner, field, values: to });
      this.store.set({ modifier: this.state.modifier, world: { ...this.state.world } });
    };
    const bone = rig.modifiers[modifier]!.bone;
    this.history.make({
      label: `${field} of ${owner.bone}`,
      file: stack?.origins[bone] ?? subject.skeletonFile,
      gesture: key,
      apply: () => set({ values }, values),
      revert: () => set(before, old),
    });
  }

  // ------------------------------------------------------------ comparing and checking

  async compare(id: number | null): Promise<void> {
    const { subject } = this.state;
    this.state.comparison?.actor.release();
    this.store.set({ comparison: null });
    if (id === null || subject?.kind !== 'motion') return this.closeUnused();
    try {
      const document = await this.document(id);
      const skeleton = await this.document(subject.skeletonFile);
      const own = mainSkeleton(document);
      const clip = document.info().clipCount > 0 ? document : null;
      const actor = own >= 0 ? makeActor(document, own, clip) : makeActor(skeleton, mainSkeleton(skeleton), clip);
      const inputs = [
        { role: 'a', name: this.entry(subject.file).path, document: await this.document(subject.file) },
        { role: 'b', name: this.entry(id).path, document },
      ];
      const { report } = this.marrow.run<DiffReport>('diff', {}, inputs);
      const comparison: Comparison = { file: id, actor, clip: actor.clip, bones: compareActors(subject.actor, actor), report };
      this.store.set({ comparison, right: 'compare' });
    } catch (failure) {
      this.say(sentenceOf(failure), 'error');
    }
    this.closeUnused();
  }

  /** Runs `check` on what is shown. */
  async check(): Promise<void> {
    const { subject, stack } = this.state;
    if (!subject || subject.kind === 'unshown') return;
    try {
      // The bytes as they would be downloaded: `check` also looks at how things are stored.
      const input = async (role: string, file: number) => ({ role, name: this.entry(file).path, bytes: await this.bytes(file) });
      const inputs = [await input('file', subject.file)];
      if (subject.kind === 'motion' && subject.skeletonFile !== subject.file) inputs.push(await input('skeleton', subject.skeletonFile));
      const findings = [...this.marrow.run<CheckReport>('check', {}, inputs).report.findings];
      for (const addon of stack?.files.slice(1) ?? []) {
        const more = this.marrow.run<CheckReport>('check', {}, [await input('file', addon), await input('base', subject.file)]);
        findings.push(...more.report.findings.map((each) => ({ ...each, where: `${nameOf(this.entry(addon).path)}: ${each.where}` })));
      }
      this.store.set({ findings });
    } catch (failure) {
      this.store.set({ findings: [{ code: 'ERROR', level: 'error', message: sentenceOf(failure), where: '' }] });
    }
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

  // ------------------------------------------------------------ time

  /** Lets time pass: the clip plays, the rig runs. Poses the actors. */
  tick(seconds: number): void {
    const { subject, rig, world } = this.state;
    if (subject?.kind !== 'motion') return;
    if (rig && world.running) {
      // A page that was hidden does not catch up.
      this.owed = Math.min(this.owed + seconds, 0.1);
      while (this.owed >= 1 / world.fps) {
        this.owed -= 1 / world.fps;
        this.stepWorld();
      }
    }
    if (this.state.playing && subject.clip && !rig) this.play(seconds);
    this.pose();
  }
  private play(seconds: number): void {
    const { subject, comparison, speed, looping, frame } = this.state;
    if (subject?.kind !== 'motion') return;
    const last = Math.max(subject.actor.frameCount, comparison?.actor.frameCount ?? 0) - 1;
    if (last <= 0) return;
    let next = frame + seconds * speed * subject.actor.rate;
    if (next > last || next < 0) {
      if (!looping) this.store.set({ playing: false });
      next = looping ? ((next % last) + last) % last : Math.min(Math.max(next, 0), last);
    }
    this.store.set({ frame: next });
  }
  /** Simulates one frame. */
  stepWorld(): void {
    const { rig, world, subject, speed } = this.state;
    if (!rig || subject?.kind !== 'motion') return;
    const { actor } = subject;
    const frameAt = (step: number) => {
      const frame = actor.frameOf((step / world.fps) * speed);
      return actor.frameCount > 1 ? frame % (actor.frameCount - 1) : 0;
    };
    try {
      rig.step(world, (step) => actor.poseLocal(frameAt(step)));
      this.store.set({ world: { ...world, step: world.step + 1 }, ...(subject.clip ? { frame: frameAt(world.step + 1) } : {}) });
    } catch (failure) {
      this.store.set({ world: { ...world, running: false } });
      this.say(sentenceOf(failure), 'error');
    }
  }
  resetWorld(): void {
    const { rig, subject } = this.state;
    rig?.reset();
    if (subject?.kind === 'motion') subject.actor.poseLocal(0);
    this.owed = 0;
    this.store.set({ world: { ...this.state.world, step: 0 } });
  }
  /** Poses what is shown at the current frame. */
  pose(): void {
    const { subject, comparison, rig, frame } = this.state;
    if (subject?.kind !== 'motion') return;
    if (!rig) subject.actor.pose(frame);
    comparison?.actor.pose(Math.min(frame, Math.max(comparison.actor.frameCount - 1, 0)));
  }

  // ------------------------------------------------------------ words

  say(text: string, level: 'info' | 'error'): void {
    this.store.set({ message: { text, level } });
  }
}
