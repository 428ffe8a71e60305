// SPDX-License-Identifier: MIT
// The picture: floor, actors and their bodies, collision, limits. It is drawn when something has changed or moves.
import { DirectionalLight, Fog, Group, HemisphereLight, LineSegments, Matrix4, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from 'three';
import type { Actor } from '../store/actor';
import type { Session } from '../store/session';
import type { State } from '../store/state';
import type { Side } from '../store/view';
import { shapeKey } from '../store/worn';
import { BodyView } from './body';
import { BoneMesh } from './bones';
import { CollisionView, clear } from './collision';
import { Eye } from './eye';
import { makeFloor } from './floor';
import { Framing, cornersOf } from './framing';
import { Gizmo } from './gizmo';
import type { Joints } from './joints';
import { RigLimits } from './limits';
import { Marks, placeOf } from './marks';
import { palettes, Palette } from './palette';
import { Placed, Placing } from './placing';
import { Silhouette, limbsOf } from './silhouette';

const kPickPixels = 12;
/** How much of a made-up body is seen: it must not hide the bones. */
const kSilhouette = 0.42, kSilhouetteAlone = 1;

/** How a picture is taken; without a size it has that of the page. */
export interface PictureOptions {
  width?: number;
  height?: number;
  isClear?: boolean;
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly renderer: WebGLRenderer;
  readonly eye: Eye;
  readonly gizmo: Gizmo;
  private readonly framing: Framing;
  private readonly scene = new Scene();
  private readonly bones = new BoneMesh();
  private readonly silhouette = new Silhouette();
  private readonly marks = new Marks();
  private readonly limits = new RigLimits();
  private readonly placing = new Placing();
  private readonly limbs = new WeakMap<Actor, ReturnType<typeof limbsOf>>();
  private readonly dressed = new Group();
  private grid: LineSegments | null = null;
  private collision: CollisionView | null = null;
  private bodies: BodyView[] = [];
  private placed: Placed[] = [];
  private palette: Palette = palettes.light;
  private isDue = true;
  private last = 0;
  /** What the camera was turned to: an edit of it does not move the camera. */
  private framed: string | null = null;
  /** The comparison that it was turned to. */
  private compared: string | null = null;
  /** Someone else draws, in another size. */
  private isTaken = false;
  /** Milliseconds of the script per frame, averaged; for the curious and the benchmark. */
  cost = 0;
  /** Frames that were drawn. */
  drawn = 0;

  constructor(
    private readonly session: Session,
    private readonly host: HTMLElement,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.canvas = this.renderer.domElement;
    host.prepend(this.canvas);
    // Graphics cards forget everything, e.g. when a laptop wakes up.
    this.canvas.addEventListener('webglcontextrestored', () => this.invalidate());
    this.eye = new Eye(this.scene, this.canvas, () => this.invalidate());
    this.framing = new Framing(session);
    this.gizmo = new Gizmo(session, this.scene, this.eye.camera, this.canvas, () => this.invalidate(), (on) => (this.orbiting = on));
    const sun = new DirectionalLight(0xffffff, 1.6);
    sun.position.set(2, 3, 4);
    this.scene.fog = new Fog(this.palette.background);
    this.scene.add(new HemisphereLight(0xffffff, 0x8a8f99, 1.5), sun, this.bones.mesh, this.silhouette.group, this.dressed, this.marks.group, this.limits.group);
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    const { store } = session;
    store.watch(['theme'], (state) => this.setTheme(state));
    store.watch(['subject'], (state) => this.setSubject(state));
    store.watch(['colourBy', 'body', 'meshes', 'joints', 'boxes'], (state) => (this.collision?.show(state), this.invalidate()));
    store.watch(['bends'], (state) => (this.collision?.bend(state), this.invalidate()));
    store.watch(['bodies', 'hidden'], (state) => this.showShapes(state));
    store.watch(['parallel'], ({ parallel }) => (this.eye.setParallel(parallel), this.invalidate()));
    store.watch(['eyeBone'], ({ eyeBone }) => eyeBone === null && this.framed !== null && this.frame());
    store.watch(['sample'], () => this.resize());
    store.watch(['comparison', 'compareHow'], (state) => this.frameComparison(state));
    store.watch(
      [
        'frame', 'bones', 'bone', 'hovered', 'rootMotion', 'trail', 'axes', 'limits', 'crowd', 'comparison', 'compareHow', 'isFirstTurn', 'rig', 'modifier', 'world',
        'stack', 'helpers', 'ghosts', 'trails', 'ruler', 'contacts', 'eyeBone', 'follow', 'isPosing', 'playing',
      ],
      () => this.invalidate(),
    );
  }

  invalidate(): void {
    this.isDue = true;
  }
  /** Starts drawing. */
  start(): void {
    const turn = (now: number) => {
      requestAnimationFrame(turn);
      const seconds = Math.min((now - this.last) / 1000, 0.1);
      this.last = now;
      this.advance(seconds);
    };
    requestAnimationFrame((now) => {
      this.last = now;
      turn(now);
    });
  }
  /** Lets time pass, and draws if something moved. */
  advance(seconds: number): void {
    if (this.isTaken) return;
    const before = performance.now();
    const { subject, playing, rig, world } = this.session.state;
    if (subject?.kind === 'motion' && ((playing && subject.clip) || (rig && world.running))) {
      this.session.clock.tick(seconds);
      this.isDue = true;
    }
    if (!this.isDue) return;
    this.isDue = false;
    this.draw();
    this.cost = this.cost * 0.9 + (performance.now() - before) * 0.1;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0 || this.isTaken) return;
    this.renderer.setSize(width, height, false);
    // The card of the first screen covers a corner: at the left, or at the bottom if the page is narrow.
    const isCovered = this.session.state.sample, isWide = width > 620;
    this.eye.resize({ width, height, left: isCovered && isWide ? Math.min(0.32 * width, 360) : 0, bottom: isCovered && !isWide ? 0.4 * height : 0 });
    this.invalidate();
  }

  private setTheme(state: State): void {
    this.palette = palettes[state.theme];
    this.scene.background = this.palette.background;
    if (this.grid) {
      this.scene.remove(this.grid);
      clear(this.grid);
    }
    this.grid = makeFloor(this.palette);
    this.scene.add(this.grid);
    this.scene.fog?.color.copy(this.palette.background);
    if (state.subject?.kind === 'collision') this.setSubject(state);
    this.invalidate();
  }

  private setSubject(state: State): void {
    const { subject } = state;
    if (this.collision) {
      this.scene.remove(this.collision.group);
      this.collision.release();
      this.collision = null;
    }
    if (subject?.kind === 'collision') {
      this.collision = new CollisionView(this.session.marrow, subject, this.palette, () => this.session.treeBoxes());
      this.collision.show(state);
      this.scene.add(this.collision.group);
    }
    this.setBodies(state);
    const what = subject?.kind === 'motion' ? `${subject.file} on ${subject.skeletonFile}, ${subject.clipIndex}` : subject ? `${subject.file}, ${subject.kind}` : null;
    if (what !== this.framed) {
      this.framed = what;
      this.eye.facing = subject?.kind === 'motion' ? subject.actor.anatomy.facing : 0;
      this.frame('free', true);
    }
    this.invalidate();
  }

  private setBodies(state: State): void {
    const { subject } = state;
    const worn = subject?.kind === 'motion' ? subject.worn : [];
    if (worn.length === this.bodies.length && worn.every((each, i) => each === this.bodies[i]!.worn)) return;
    for (const body of this.bodies) {
      this.dressed.remove(body.group);
      body.release();
    }
    this.bodies = subject?.kind === 'motion' ? worn.map((each) => new BodyView(this.session, subject.actor, each, this.renderer.getContext(), () => this.invalidate())) : [];
    for (const body of this.bodies) this.dressed.add(body.group);
    this.showShapes(state);
  }
  private showShapes({ bodies, hidden }: State): void {
    for (const body of this.bodies) {
      body.group.visible = bodies;
      body.worn.shapes.forEach((_, i) => body.show(i, !hidden.has(shapeKey(body.worn.file, i))));
    }
    this.invalidate();
  }

  /** Turns the camera to what is shown, or to the bone or body that is selected, unless all is wanted; from a side, or from
   *  where it is. */
  frame(side: Side | null = null, isWhole = false): void {
    const { subject, parallel } = this.session.state;
    const points = this.collision ? cornersOf(this.framing.boxOfCollision(this.collision, isWhole)) : subject?.kind === 'motion' ? this.framing.pointsOfActor(subject.actor, this.bodies, isWhole) : [];
    this.eye.frame(points, side, parallel, subject?.kind === 'motion' ? this.framing.placeToFollow(subject.actor, this.session.state.frame) : null);
    this.invalidate();
  }
  /** Shows both figures of a comparison, unless somebody has moved the camera. */
  private frameComparison({ comparison, compareHow }: State): void {
    const compared = comparison ? `${comparison.file}, ${comparison.clipIndex}, ${compareHow}` : null;
    if (compared === null || compared === this.compared) return;
    this.compared = compared;
    if (this.eye.isFramed && this.session.state.eyeBone === null) this.frame(null, true);
  }
  /** Turns the camera by degrees, for the keyboard. */
  orbit(across: number, up: number, closer: number): void {
    this.eye.orbit(across, up, closer);
    this.invalidate();
  }

  /** Draws what the state says, now. */
  draw(): void {
    const { state } = this.session;
    const { subject } = state;
    const isMotion = subject?.kind === 'motion';
    this.bones.mesh.visible = isMotion && (state.bones || !state.bodies);
    this.marks.group.visible = isMotion;
    this.silhouette.group.visible = isMotion && state.bodies && this.bodies.length === 0;
    this.dressed.visible = isMotion;
    this.limits.group.visible = isMotion && state.limits && state.rig !== null;
    if (isMotion) {
      if (!state.rig) this.session.clock.pose();
      this.placed = this.placing.arrange(state, subject, this.palette);
      this.drawActors(state);
      const own = this.placed.at(-1);
      if (own) {
        const placement = new Matrix4().makeRotationZ(own.turn).setPosition(...own.offset);
        if (state.bodies) for (const body of this.bodies) body.update(state.frame, placement);
        this.marks.show(state, subject, own, this.palette);
        if (state.rig && state.limits) this.limits.show(state.rig, state.modifier, this.palette, (bone) => placeOf(own, bone));
        this.moveEye(state, own);
      }
    }
    // A floor that is seen from its edge without perspective is a haze below the feet.
    if (this.grid) this.grid.visible = !state.parallel || Math.abs(this.eye.steepness) > 0.05;
    this.gizmo.show(isMotion && !this.isTaken ? (this.placed.at(-1) ?? null) : null);
    this.renderer.render(this.scene, this.eye.camera);
    ++this.drawn;
    this.onDrawn();
  }
  /** Called after each frame, e.g. to move labels. */
  onDrawn: () => void = () => undefined;

  private limbsOf(actor: Actor) {
    let limbs = this.limbs.get(actor);
    if (!limbs) this.limbs.set(actor, (limbs = limbsOf(actor, actor.anatomy)));
    return limbs;
  }
  private drawActors(state: State): void {
    this.bones.begin(this.placed.reduce((sum, { links }) => sum + links.length, 0));
    const hasSilhouette = this.silhouette.group.visible;
    const bodies = this.placed.filter((each) => !each.isGhost);
    if (hasSilhouette) this.silhouette.begin(bodies.reduce((sum, { actor }) => sum + this.limbsOf(actor).length, 0), this.palette.flesh, this.bones.mesh.visible ? kSilhouette : kSilhouetteAlone);
    let isMoved = false;
    for (const each of this.placed) {
      const isElsewhere = each.frame !== state.frame && !state.rig;
      if (isElsewhere || isMoved) each.actor.pose(Math.min(each.frame, Math.max(each.actor.frameCount - 1, 0)));
      isMoved = isElsewhere;
      this.bones.add(each.actor, each.links, each.tint, each.offset, each.turn);
      if (hasSilhouette && !each.isGhost) this.silhouette.add(each.actor, this.limbsOf(each.actor), each.offset, each.turn);
    }
    this.bones.end();
    if (hasSilhouette) this.silhouette.end();
  }
  private moveEye(state: State, own: Placed): void {
    const { eyeBone, follow } = state;
    if (eyeBone !== null && eyeBone < own.actor.bones.length) this.eye.lookFrom(own.actor, eyeBone, placeOf(own, eyeBone), own.turn);
    else this.eye.follow(follow ? this.framing.placeToFollow(own.actor, own.frame) : null);
  }

  // ------------------------------------------------------------ asking

  /** Where a bone is on the page, in pixels of the canvas. */
  project(bone: number): { x: number; y: number; isInFront: boolean } {
    const own = this.placed.at(-1);
    if (!own || bone >= own.actor.bones.length) return { x: 0, y: 0, isInFront: false };
    return this.toPixels(placeOf(own, bone));
  }
  private toPixels(place: Vector3): { x: number; y: number; isInFront: boolean } {
    const point = place.project(this.eye.camera);
    const { clientWidth: width, clientHeight: height } = this.canvas;
    return { x: ((point.x + 1) / 2) * width, y: ((1 - point.y) / 2) * height, isInFront: point.z < 1 };
  }
  /** True if a bone is drawn. */
  isDrawn(bone: number): boolean {
    return this.placed.at(-1)?.links.some((link) => link.bone === bone || link.child === bone) ?? false;
  }
  /** The distance between two bones as they are drawn, in metres. */
  metresBetween(a: number, b: number): number {
    const own = this.placed.at(-1);
    return own ? placeOf(own, a).distanceTo(placeOf(own, b)) : 0;
  }
  /** The bone under a pixel of the canvas, or null. */
  boneAt(x: number, y: number): number | null {
    let found: number | null = null, nearest = kPickPixels;
    const own = this.placed.at(-1);
    if (!own || this.session.state.subject?.kind !== 'motion') return null;
    const first = this.bones.shown - own.links.length;
    own.links.forEach((link, i) => {
      const [head, tail] = this.bones.ends(first + i);
      const a = this.toPixels(new Vector3(...head)), b = this.toPixels(new Vector3(...tail));
      if (!a.isInFront || !b.isInFront) return;
      const dx = b.x - a.x, dy = b.y - a.y;
      const share = Math.min(Math.max(((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1), 0), 1);
      const away = Math.hypot(a.x + share * dx - x, a.y + share * dy - y);
      if (away < nearest) [found, nearest] = [link.bone, away];
    });
    return found;
  }
  /** The body under a pixel of the canvas, or null. */
  bodyAt(x: number, y: number): number | null {
    return this.hitAt(x, y)?.body ?? null;
  }
  /** The body under a pixel, and the point of it. */
  private hitAt(x: number, y: number): { body: number; point: Vector3 } | null {
    if (!this.collision) return null;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((x / width) * 2 - 1, 1 - (y / height) * 2), this.eye.camera);
    const hit = ray.intersectObjects(this.collision.targets).find(({ object }) => object.userData.body !== undefined);
    return hit ? { body: hit.object.userData.body as number, point: hit.point } : null;
  }
  /** The joints of the collision that is shown. */
  get joints(): Joints | null {
    return this.collision?.bending ?? null;
  }
  /** Takes the body under a pixel by hand. Returns what moves it by pixels, within the limits of its joint; null if nothing
   *  carries it. */
  takeBody(x: number, y: number): ((dx: number, dy: number) => void) | null {
    const hit = this.hitAt(x, y), { collision } = this;
    if (!hit || !collision?.bending.of.has(hit.body)) return null;
    const { body } = hit, { bending } = collision;
    // The point stays on the body, and the pointer on the point.
    const inverse = bending.moved(body, this.session.state.bends).invert();
    const grip = collision.group.worldToLocal(hit.point.clone()).applyMatrix4(inverse);
    const held = hit.point.clone();
    this.session.view.selectBody(body);
    return (dx, dy) => {
      const { bends } = this.session.state;
      const place = collision.group.worldToLocal(held.add(this.metresAcross(dx, dy)).clone());
      const bend = bending.towards(body, bends, grip.clone().applyMatrix4(bending.moved(body, bends)), place);
      if (bend) this.session.view.bend(body, bend);
    };
  }
  /** Moves a point of the floor plane with the pointer: metres across the picture. */
  metresAcross(dx: number, dy: number): Vector3 {
    return this.eye.metresAcross(dx, dy);
  }
  set orbiting(on: boolean) {
    this.eye.controls.enabled = on && this.session.state.eyeBone === null;
  }

  /** The picture as it is, drawn now; of another size and without its background if that is wanted. */
  async picture(options: PictureOptions = {}): Promise<Blob> {
    let taken: Blob | null = null;
    await this.inSize(options, async (take) => {
      taken = await take();
    });
    return taken!;
  }
  /** Runs `body` while the picture has another size, or no background: `take` draws it and returns it as a PNG. */
  async inSize({ width = 0, height = 0, isClear = false }: PictureOptions, body: (take: () => Promise<Blob>, draw: () => void) => Promise<void>): Promise<void> {
    const { background } = this.scene;
    if (isClear) {
      this.scene.background = null;
      this.grid!.visible = false;
      this.renderer.setClearAlpha(0);
    }
    if (width > 0) {
      this.renderer.setPixelRatio(1);
      this.renderer.setSize(width, height, false);
      this.eye.resize({ width, height, left: 0, bottom: 0 });
    }
    this.isTaken = true;
    const take = async () => {
      this.draw();
      const blob = await new Promise<Blob | null>((resolve) => this.canvas.toBlob(resolve, 'image/png'));
      if (!blob) throw new Error('The browser made no picture.');
      return blob;
    };
    try {
      await body(take, () => this.draw());
    } finally {
      this.isTaken = false;
      this.scene.background = background;
      this.grid!.visible = true;
      if (width > 0) this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
      this.resize();
      this.draw();
    }
  }
}
